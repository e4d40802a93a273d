// SPDX-License-Identifier: MIT
#include "judge/verify/result_check.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>

#include <fmt/format.h>

#include "base/text.hpp"
#include "judge/verify/line_pattern.hpp"
#include "machine/posix_file.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune::verify {
namespace {

/// A result is a text that can be compared, not a data set.
constexpr std::size_t most_bytes = std::size_t{64} << 20;
constexpr std::string_view blanks = " \t,;";

/// When a file was written, as far as its file system tells.
struct Written {
    ino_t inode = 0;
    timespec time = {};

    bool operator==(Written const& other) const {
        return inode == other.inode && time.tv_sec == other.time.tv_sec &&
               time.tv_nsec == other.time.tv_nsec;
    }
};

std::optional<Written> written(std::string const& file) {
    struct stat state {};
    if (::stat(file.c_str(), &state) != 0) return std::nullopt;
    return Written{state.st_ino, state.st_mtim};
}

class FileCheck {
  public:
    FileCheck(std::string file, std::optional<double> tolerance)
        : file_(std::move(file)), tolerance_(tolerance) {}

    void before_run() { before_ = written(file_); }

    std::string problem() {
        auto const now = written(file_);
        if (!now || now == before_) return fmt::format("it did not write {}", file_);
        FileDescriptor const file(::open(file_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
        if (!file) return fmt::format("{} cannot be read: {}", file_, errno_text(errno));
        auto [text, problem] = read_all(file.get(), most_bytes + 1);
        if (!problem.empty()) return fmt::format("{} cannot be read: {}", file_, problem);
        if (text.size() > most_bytes)
            return fmt::format("{} is too large to be compared (64 MiB)", file_);
        if (!expected_) {
            expected_ = std::move(text);
            return {};
        }
        auto const what = difference_of(text, *expected_, tolerance_);
        return what.empty() ? what : fmt::format("{} differs: {}", file_, what);
    }

  private:
    std::string file_;
    std::optional<double> tolerance_;
    std::optional<Written> before_ = {};
    std::optional<std::string> expected_ = {};
};

std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    while (!line.empty()) {
        auto const begin = std::min(line.find_first_not_of(blanks), line.size());
        line.remove_prefix(begin);
        auto const end = std::min(line.find_first_of(blanks), line.size());
        if (end > 0) words.push_back(line.substr(0, end));
        line.remove_prefix(end);
    }
    return words;
}

bool are_near(std::string_view one, std::string_view other, double tolerance) {
    if (one == other) return true;
    auto const a = to_real(one);
    auto const b = to_real(other);
    return a && b && std::abs(*a - *b) <= tolerance * std::max(std::abs(*a), std::abs(*b));
}

/// The first words that differ; empty: none.
std::string words_apart(std::string_view line, std::string_view before, double tolerance) {
    auto const now = words_of(line);
    auto const then = words_of(before);
    if (now.size() != then.size())
        return fmt::format("{} words and {} before", now.size(), then.size());
    for (std::size_t i = 0; i < now.size(); ++i)
        if (!are_near(now[i], then[i], tolerance))
            return fmt::format("{} and {} before", printable(now[i].substr(0, 40)),
                               printable(then[i].substr(0, 40)));
    return {};
}

}  // namespace

std::string text_of(ResultRule const& rule) {
    std::string text;
    if (rule.pattern) text = fmt::format("output must have {}", *rule.pattern);
    if (rule.file) {
        text += fmt::format("{}{} must be the same", text.empty() ? "" : "; ", *rule.file);
        if (rule.tolerance) text += fmt::format(", numbers within {:.3g} %", 100 * *rule.tolerance);
    }
    return text.empty() ? "by the exit code alone" : text;
}

OutputCheck check_of(ResultRule const& rule) {
    if (!rule.compares()) return {};
    auto const line =
        rule.pattern ? std::make_shared<LinePattern const>("--check", *rule.pattern) : nullptr;
    std::shared_ptr<FileCheck> file;
    if (rule.file) file = std::make_shared<FileCheck>(*rule.file, rule.tolerance);
    return [line, file](CommandOutcome const* outcome) -> std::string {
        if (outcome == nullptr) {
            if (file) file->before_run();
            return {};
        }
        if (line && !line->is_in(outcome->output))
            return fmt::format("its output lacks '{}'", printable(line->text()));
        return file ? file->problem() : std::string();
    };
}

std::string difference_of(std::string_view text, std::string_view before,
                          std::optional<double> tolerance) {
    if (text == before) return {};
    if (!tolerance) return fmt::format("{} bytes and {} before", text.size(), before.size());
    auto const now = lines(text);
    auto const then = lines(before);
    for (std::size_t i = 0; i < std::min(now.size(), then.size()); ++i)
        if (auto const what = words_apart(now[i], then[i], *tolerance); !what.empty())
            return fmt::format("line {}: {}", i + 1, what);
    if (now.size() == then.size()) return {};
    return fmt::format("{} lines and {} before", now.size(), then.size());
}

}  // namespace rocmtune::verify
