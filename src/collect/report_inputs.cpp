// SPDX-License-Identifier: MIT
#include "collect/report_inputs.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include <unistd.h>

#include "base/text.hpp"
#include "reports/report.hpp"
#include "system/named_file.hpp"

namespace rocmtune {
namespace {

namespace fs = std::filesystem;

bool has_lines(std::string_view name) {
    return name.ends_with(".ndjson") || name.ends_with(".jsonl");
}

/// Regular files of our kinds below a directory, the first in order last; links are passed over, so
/// that nothing is read twice.
std::vector<std::string> reports_below(std::string const& directory, std::error_code& error) {
    std::vector<std::string> paths;
    auto entry = fs::recursive_directory_iterator(
        directory, fs::directory_options::skip_permission_denied, error);
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
        std::error_code ignored;
        auto const name = entry->path().filename().string();
        if ((name.ends_with(".json") || has_lines(name)) &&
            fs::is_regular_file(entry->symlink_status(ignored)))
            paths.push_back(entry->path().string());
    }
    std::ranges::sort(paths, std::ranges::greater{});
    return paths;
}

std::string too_long() {
    return "it is longer than " + human_bytes(report_cap_bytes);
}

}  // namespace

/// Lines, or the whole rest, of an open file.
class ReportInputs::LineReader {
  public:
    LineReader(FileDescriptor file, int fd, bool is_ndjson)
        : file_(std::move(file)), fd_(fd), is_ndjson_(is_ndjson) {}

    /// The next document; absent at the end. Empty lines are passed over.
    std::optional<ReportText> next() {
        while (auto line = take_line()) {
            if (line->problem.empty() && trim(line->text).empty()) continue;
            if (line_ == 1 && line->problem.empty() && !is_ndjson_ && !is_complete(line->text))
                take_rest(*line);
            return line;
        }
        return std::nullopt;
    }
    std::size_t line() const { return line_; }

  private:
    /// A document that its writer spread over several lines has a first line that says little.
    static bool is_complete(std::string_view line) {
        auto const text = trim(line);
        return text.starts_with('{') && text != "{";
    }

    /// The next bytes are in the buffer; false at the end. A failed read is a problem.
    bool fill(std::string& problem) {
        if (from_ < to_) return true;
        while (true) {
            auto const count = ::read(fd_, buffer_.data(), buffer_.size());
            if (count < 0 && errno == EINTR) continue;
            if (count < 0) problem = errno_text(errno);
            from_ = 0;
            to_ = count > 0 ? static_cast<std::size_t>(count) : 0;
            return count > 0;
        }
    }

    std::optional<ReportText> take_line() {
        ReportText line;
        if (!fill(line.problem))
            return line.problem.empty() || std::exchange(failed_, true) ? std::nullopt
                                                                        : std::optional(line);
        ++line_;
        bool is_end = false;
        do {
            std::string_view const rest(buffer_.data() + from_, to_ - from_);
            auto const end = rest.find('\n');
            is_end = end != rest.npos;
            append(rest.substr(0, end), line);
            from_ += is_end ? end + 1 : rest.size();
        } while (!is_end && fill(line.problem));
        return line;
    }

    void take_rest(ReportText& document) {
        while (fill(document.problem)) {
            // The line ends that were taken with the lines count as blanks.
            if (document.text.size() <= report_cap_bytes && line_ == 1) document.text += '\n';
            line_ = 2;
            append({buffer_.data() + from_, to_ - from_}, document);
            from_ = to_;
        }
    }

    static void append(std::string_view bytes, ReportText& document) {
        if (!document.problem.empty()) return;
        if (document.text.size() + bytes.size() > report_cap_bytes) {
            document.problem = too_long();
            document.text = {};
        } else {
            document.text += bytes;
        }
    }

    FileDescriptor file_;
    int fd_;
    bool is_ndjson_;
    bool failed_ = false;
    std::size_t line_ = 0;
    std::array<char, 262144> buffer_;
    std::size_t from_ = 0;
    std::size_t to_ = 0;
};

ReportInputs::ReportInputs(std::vector<std::string> paths)
    : paths_(std::move(paths)), named_(paths_.size()) {
    std::ranges::reverse(paths_);
}

ReportInputs::~ReportInputs() = default;

/// Opens the next path; false if there is none. A directory is replaced by its files.
bool ReportInputs::open_next() {
    if (paths_.empty()) return false;
    bool const is_named = paths_.size() <= named_;
    if (is_named) named_ = paths_.size() - 1;
    name_ = std::move(paths_.back());
    paths_.pop_back();
    if (name_ == "-") {
        reader_ = std::make_unique<LineReader>(FileDescriptor(), STDIN_FILENO, false);
        return true;
    }
    auto named = is_named ? open_named_file(name_) : open_listed_file(name_);
    if (named.is_directory) {
        std::error_code error;
        auto const below = reports_below(name_, error);
        if (error) problem_ = ReportText{name_, {}, errno_text(error.value())};
        else if (below.empty())
            problem_ = ReportText{name_, {}, "no report lies below it (*.json, *.ndjson, *.jsonl)"};
        paths_.insert(paths_.end(), below.begin(), below.end());
    } else if (!named.problem.empty()) {
        problem_ = ReportText{name_, {}, named.problem};
    } else {
        int const fd = named.file.get();
        reader_ = std::make_unique<LineReader>(std::move(named.file), fd, has_lines(name_));
    }
    return true;
}

std::optional<ReportText> ReportInputs::next_of_file() {
    auto document = reader_->next();
    if (!document) return std::nullopt;
    bool const is_one = reader_->line() <= 1 || !document->text.starts_with('{') ||
                        document->text.find('\n') != std::string::npos;
    document->name = is_one && !has_lines(name_) && name_ != "-"
                         ? name_
                         : fmt::format("{}:{}", name_, reader_->line());
    return document;
}

std::optional<ReportText> ReportInputs::next() {
    while (true) {
        if (problem_) return std::exchange(problem_, std::nullopt);
        if (reader_) {
            if (auto document = next_of_file()) return document;
            reader_.reset();
        } else if (!open_next()) {
            return std::nullopt;
        }
    }
}

}  // namespace rocmtune
