// SPDX-License-Identifier: MIT
#include "measure/flight.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>

#include <fmt/format.h>

#include "base/text.hpp"
#include "measure/gpu_watch.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view first_line =
    "rocmtune flight 1: looks at GPUs and lines of the kernel, of ten minutes";
constexpr std::string_view look_mark = "look ";
constexpr std::string_view closed_mark = "closed ";

/// The file holds more than is kept, so that not every look writes all of it anew.
constexpr std::size_t least_rewritten_bytes = std::size_t{64} << 10;
/// Looks come a little early or late.
constexpr double least_between_looks = 0.9;

std::string utc_now() {
    auto const now = std::time(nullptr);
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900,
                       parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

std::string piece_of(WatchSample const& look, std::span<std::string const> kernel) {
    auto piece = fmt::format("{}{} {}", look_mark, utc_now(), line_of(look));
    for (auto const& line : kernel) piece.append(line).append(1, '\n');
    return piece;
}

std::optional<std::uint64_t> whole(std::optional<double> value, double unit = 1) {
    if (!value || *value < 0) return std::nullopt;
    return static_cast<std::uint64_t>(std::llround(*value * unit));
}

void take_gpu(GpuSample const& now, GpuActivity& all) {
    constexpr double percent = 100;
    auto const busy = whole(now.busy, percent);
    auto const bytes = whole(now.vram_bytes);
    if (!all.vram_start_bytes) all.vram_start_bytes = bytes;
    take_most(all.busy_most_percent, busy);
    take_most(all.vram_most_bytes, bytes);
    take_most(all.power_most_watts, now.power_watts);
    take_most(all.temperature_most_celsius, now.temperature_celsius);
    all.busy_end_percent = busy;
    all.vram_end_bytes = bytes;
    for (auto const& reason : now.reasons)
        if (std::ranges::count(all.throttle_reasons, reason) == 0)
            all.throttle_reasons.push_back(reason);
}

}  // namespace

FlightRecord::FlightRecord(std::string path) : path_(std::move(path)), file_(path_) {
    if (file_.is_there())
        throw Error(fmt::format("{} is there already", printable(path_)),
                    fmt::format("a flight record is never overwritten: rocmtune diagnose {} reads "
                                "one; name a new file",
                                printable(path_)));
    write_all_kept();
}

void FlightRecord::add(WatchSample const& look, std::span<std::string const> kernel,
                       std::string const& fault) {
    if (is_closed_) return;
    auto const now = look.end_seconds;
    bool const is_early = !kept_.empty() && now - kept_.back().first < least_between_looks;
    if (is_early && kernel.empty()) return;
    auto piece = piece_of(look, kernel);
    if (fault_.empty() && !fault.empty()) fault_ = fault, fault_seconds_ = now;
    is_closed_ = !fault_.empty() && now - fault_seconds_ >= after_fault_seconds;
    if (is_closed_) piece += fmt::format("{}{} {}\n", closed_mark, utc_now(), fault_);
    kept_bytes_ += piece.size();
    kept_.emplace_back(now, std::move(piece));
    forget_old(now);
    if (file_bytes_ > 2 * kept_bytes_ + least_rewritten_bytes) return write_all_kept();
    file_bytes_ += kept_.back().second.size();
    file_.append(kept_.back().second);
}

void FlightRecord::forget_old(double now) {
    while (now - kept_.front().first > kept_seconds) {
        kept_bytes_ -= kept_.front().second.size();
        kept_.pop_front();
    }
}

void FlightRecord::write_all_kept() {
    std::string text(first_line);
    text += '\n';
    for (auto const& [time, piece] : kept_) text += piece;
    file_bytes_ = text.size();
    file_.write(text);
}

bool FlightReader::take(std::string_view line) {
    if (line == first_line) return is_inside_ = true;
    if (!is_inside_) return false;
    if (line.starts_with(closed_mark)) return true;
    if (!line.starts_with(look_mark)) return false;
    take_look(line.substr(look_mark.size()));
    return true;
}

std::optional<double> FlightReader::seconds() const {
    return is_inside_ ? std::optional(last_ - first_) : std::nullopt;
}

void FlightReader::take_look(std::string_view line) {
    auto const behind_time = line.find(' ');
    if (behind_time == line.npos) return;
    auto const look = watch_sample_of(line.substr(behind_time));
    if (!look) return;
    if (looks_++ == 0) first_ = look->end_seconds;
    last_ = look->end_seconds;
    for (auto const& gpu : look->gpus)
        if (gpu.busy || gpu.vram_bytes || gpu.power_watts || gpu.temperature_celsius)
            take_gpu(gpu, activity_of(activity_, gpu.pci_address));
}

}  // namespace rocmtune
