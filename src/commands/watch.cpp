// SPDX-License-Identifier: MIT
#include "commands/watch.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

#include "base/host.hpp"
#include "base/text.hpp"
#include "knowledge/messages.hpp"
#include "machine/kernel_log.hpp"
#include "measure/flight.hpp"
#include "measure/live_gpus.hpp"
#include "measure/output.hpp"
#include "probe/log_story.hpp"
#include "rocmtune/error.hpp"
#include "show/documents.hpp"
#include "show/scrub_report.hpp"

namespace rocmtune {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

/// Which GPUs there are and who uses them: read anew after so long, since it costs more than a
/// look.
constexpr Seconds host_is_fresh{10};

std::string time_of_day() {
    auto const now = std::time(nullptr);
    std::tm parts{};
    ::localtime_r(&now, &parts);
    return fmt::format("{:02}:{:02}:{:02}", parts.tm_hour, parts.tm_min, parts.tm_sec);
}

/// From the top of the screen, which is cleared where `is_first`, each line to its end. The last
/// one is left there. A line that is too long for a narrow screen is cut by it, since the next line
/// must not move.
std::string screen_of(std::string_view text, bool is_first) {
    constexpr std::string_view no_wrap = "\x1b[?7l", wrap = "\x1b[?7h";
    auto screen = std::string(is_first ? "\x1b[2J\x1b[H" : "\x1b[H").append(no_wrap);
    auto rest = height_of(STDOUT_FILENO) - 1;  // the cursor stands on the last one
    for (auto const line : lines(text)) {
        if (rest-- == 0) break;
        screen.append(line).append("\x1b[K\n");
    }
    return screen.append("\x1b[J").append(wrap);
}

bool is_fault(MessageClass const& kind) {
    return std::ranges::any_of(std::array{kind.verdict, kind.verdict_elsewhere}, [](Verdict it) {
        return it == Verdict::warn || it == Verdict::fail;
    });
}

/// The first fault that these lines of the kernel tell of; empty: none.
std::string fault_in(std::vector<std::string> const& kernel, Host const& host) {
    if (kernel.empty()) return {};
    MessageMatcher const matcher(message_classes());
    LogStory story(matcher, host);
    for (auto const& line : kernel) story.add(line);
    for (auto const& message : story.messages({}))
        if (auto const* kind = find_message_class(message.symptom); kind && is_fault(*kind))
            return fmt::format("{} {} {}", kind->id, kind->name, message.pci_address.value_or(""));
    return {};
}

/// The table on a terminal, and the flight record.
class LiveWatch {
  public:
    LiveWatch(ProbeCommand const& options, Seconds period, bool draws)
        : options_(options), draws_(draws), gpus_(period, [root = options.host.root.value_or("/")] {
              return HostRoot(directory_source(root));
          }) {
        if (!options.flight) return;
        flight_.emplace(*options.flight);
        log_.emplace();
        if (!log_->problem().empty())
            tell(fmt::format("the kernel log cannot be read, {}: no message of it closes the "
                             "record",
                             log_->problem()),
                 "root can read it: sudo rocmtune probe --watch 1 --flight FILE");
    }

    /// False: nobody can look.
    bool turn() {
        refresh_host();
        auto const look = gpus_.next();
        if (!look) return false;
        record(*look);
        if (draws_) draw(*look);
        return true;
    }
    bool has_recorded_a_fault() const { return flight_ && flight_->is_closed(); }

  private:
    void refresh_host() {
        auto const now = Clock::now();
        if (report_.host && now - read_at_ < host_is_fresh) return;
        read_at_ = now;
        report_ = Report();
        report_.host = read_host(options_.host, {.left_out = readers_beside_use()});
        auto const all = report_.host->gpus.size();
        keep_rows(options_.host.rows_of(*report_.host), *report_.host);
        report_.gpus_left_out = all - report_.host->gpus.size();
        scrub(report_);
    }

    void record(WatchSample const& look) {
        if (!flight_ || flight_->is_closed()) return;
        auto const kernel = log_->take();
        flight_->add(look, kernel, fault_in(kernel, *report_.host));
        if (!flight_->is_closed()) return;
        note_ = fmt::format("{}: rocmtune diagnose {} says what it was", flight_->fault(),
                            printable(*options_.flight));
        if (!draws_) tell(note_);
    }

    void draw(WatchSample const& look) {
        auto const printer = text_printer(style_of(options_.output));
        show_live({.host = *report_.host,
                   .left_out = report_.gpus_left_out,
                   .now = look.gpus,
                   .silent = gpus_.silent(),
                   .time = time_of_day(),
                   .note = note_},
                  *printer);
        print(screen_of(printer->take(), std::exchange(is_first_, false)));
    }

    ProbeCommand const& options_;
    bool draws_;
    bool is_first_ = true;
    LiveGpus gpus_;
    std::optional<FlightRecord> flight_ = {};
    std::optional<KernelLogTail> log_ = {};  ///< read for the record alone
    Report report_ = {};
    Clock::time_point read_at_ = {};
    std::string note_ = {};
};

}  // namespace

Exit watch_gpus(ProbeCommand const& options, std::function<Report()> const& read) {
    constexpr double longest = 1e9;  // 30 years: a clock holds it after any boot
    Seconds const period(std::min(*options.watch_seconds, longest));
    bool const draws = !options.names_format && obeys_escapes();
    bool const prints = !draws && (options.names_format || !options.flight);
    std::optional<LiveWatch> live;
    if (draws || options.flight) live.emplace(options, period, draws);
    auto moment = Clock::now();
    for (std::uint64_t done = 0; !options.count || done < *options.count; ++done) {
        if (live && !live->turn())
            throw Error("this host cannot be watched: no process can be started that looks", {},
                        Exit::undetermined);
        if (!draws && !prints && live->has_recorded_a_fault()) return Exit::findings;
        if (!prints) continue;
        if (!live && done > 0)
            std::this_thread::sleep_until(moment +=
                                          std::chrono::duration_cast<Clock::duration>(period));
        auto report = read();
        scrub(report);
        if (!print_line(options.output.format->render(report, style_of(options.output)))) break;
    }
    return Exit::ok;
}

}  // namespace rocmtune
