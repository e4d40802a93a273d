// SPDX-License-Identifier: MIT
#include "measure/input_files.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.hpp"
#include "codec/read_report.hpp"
#include "machine/held_signals.hpp"
#include "machine/posix_file.hpp"
#include "rocmtune/error.hpp"
#include "settings/report_inputs.hpp"

namespace rocmtune {
namespace {

struct HeadText {
    UserFileHead head = {};
    std::string problem = {};  ///< why there is none
};

HeadText read_head(std::string const& path, std::uint64_t most) {
    HeadText it;
    auto const listed = open_listed_file(path);
    it.problem = listed.problem;
    struct stat state {};
    if (it.problem.empty() && ::fstat(listed.file.get(), &state) != 0)
        it.problem = errno_text(errno);
    if (!it.problem.empty()) return it;
    it.head.file_bytes = static_cast<std::uint64_t>(state.st_size);
    auto& text = it.head.text;
    text.resize(std::min(most, it.head.file_bytes));
    std::size_t done = 0;
    while (done < text.size()) {
        auto const count = ::read(listed.file.get(), text.data() + done, text.size() - done);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) it.problem = errno_text(errno);
        if (count <= 0) break;
        done += static_cast<std::size_t>(count);
    }
    text.resize(done);
    return it;
}

}  // namespace

FilePatience bounded_below(FilePatience patience) {
    constexpr std::chrono::milliseconds shortest{1'000};
    return patience ? std::optional(std::max(*patience, shortest)) : std::nullopt;
}

std::string user_file(std::string const& path, std::size_t cap, FilePatience patience) {
    auto read = in_time<FileText>([path, cap] { return read_named_file(path, cap); },
                                  bounded_below(patience))
                    .value_or(FileText{.problem = "it was not read in time"});
    if (!read.problem.empty())
        throw Error(fmt::format("cannot read {}: {}", printable(path), read.problem));
    return std::move(read.text);
}

UserFileHead user_file_head(std::string const& path, std::uint64_t most, FilePatience patience) {
    auto read =
        in_time<HeadText>([path, most] { return read_head(path, most); }, bounded_below(patience))
            .value_or(HeadText{.problem = "it was not read in time"});
    if (!read.problem.empty())
        throw Error(fmt::format("cannot read {}: {}", printable(path), read.problem));
    return std::move(read.head);
}

Report earlier_report(std::string const& path, FilePatience patience) {
    // Lint over a whole cluster's files finds more than is to be said of one host.
    constexpr std::size_t cap_bytes = std::size_t{64} << 20;
    return read_whole_report(user_file(path, cap_bytes, patience), path);
}

void read_only_document(std::string const& path, OnlyDocumentHints const& hints,
                        std::function<void(std::string const& text)> const& read) {
    auto const shown = printable(path);
    if (std::error_code ignored; std::filesystem::is_directory(path, ignored))
        throw Error(fmt::format("cannot read {}: it is a directory", shown), hints.directory);
    ReportInputs inputs({path});
    auto const first = inputs.next();
    if (!first) throw Error(shown + ": it is empty", hints.empty);
    if (!first->problem.empty())
        throw Error(fmt::format("cannot read {}: {}", shown, first->problem));
    read(first->text);
    if (inputs.next()) throw Error(shown + ": it holds several documents", hints.several);
}

}  // namespace rocmtune
