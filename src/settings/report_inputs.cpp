// SPDX-License-Identifier: MIT
#include "settings/report_inputs.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include <sys/stat.h>
#include <unistd.h>

#include "base/text.hpp"
#include "codec/read_report.hpp"
#include "machine/posix_file.hpp"

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

/// Follows the brackets of a JSON text to its end.
class Brackets {
  public:
    void follow(std::string_view text) {
        for (char const c : text) {
            if (std::exchange(escaped_, false)) continue;
            if (in_string_ && c == '\\') escaped_ = true;
            else if (c == '"') in_string_ = !in_string_;
            else if (in_string_) continue;
            else if (c == '{' || c == '[') ++open_;
            else if ((c == '}' || c == ']') && open_ > 0) --open_;
        }
    }
    bool are_closed() const { return open_ == 0 && !in_string_; }

  private:
    std::size_t open_ = 0;
    bool in_string_ = false;
    bool escaped_ = false;
};

bool is_regular(int fd) {
    struct stat status {};
    return ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

/// Whether a document of ours begins here, as nothing inside of one does: {"schema":
bool is_opening(std::string_view text) {
    constexpr std::string_view blanks = " \t";
    constexpr std::string_view key = "\"schema\"";
    if (!text.starts_with('{')) return false;
    text.remove_prefix(std::min(text.find_first_not_of(blanks, 1), text.size()));
    if (!text.starts_with(key)) return false;
    auto const colon = text.find_first_not_of(blanks, key.size());
    return colon != text.npos && text[colon] == ':';
}

}  // namespace

/// The documents of an open file: each in a line, or each spread over several.
class ReportInputs::DocumentReader {
  public:
    DocumentReader(FileDescriptor file, int fd, bool is_ndjson)
        : file_(std::move(file)), fd_(fd), is_file_(is_regular(fd)), is_ndjson_(is_ndjson) {}

    /// The next document; absent at the end. Empty lines are passed over.
    std::optional<ReportText> next() {
        while (auto line = take_line()) {
            if (line->problem.empty() && trim(line->text).empty()) continue;
            begin_ = line_;
            is_first_ = !std::exchange(began_, true);
            take_rest(*line);
            // Messages about a file count its lines.
            if (is_first_) line->text.insert(0, begin_ - 1, '\n');
            return line;
        }
        return std::nullopt;
    }
    std::size_t line() const { return begin_; }
    bool is_first() const { return is_first_; }

  private:
    /// Goes on to the line in which the brackets of the first one are closed, or, since what was
    /// cut off has no end, to where the next document begins. What is no JSON is taken as a whole,
    /// but for files of one document a line.
    void take_rest(ReportText& document) {
        auto const text = trim(document.text);
        bool const is_json = text.starts_with('{');
        if (is_ndjson_ && !is_json) return;
        // Most files hold a document in one line, or one a line: then brackets need no look. A pipe
        // may have nothing more to say for long.
        bool const is_at_hand = is_file_ || from_ < to_;
        if (is_json && text.ends_with('}') && is_at_hand &&
            (!fill(document.problem) || at_opening()))
            return;
        Brackets brackets;
        brackets.follow(text);
        while ((!is_json || !brackets.are_closed()) && fill(document.problem) && !at_next()) {
            auto const more = take_line();
            if (!more) return;
            brackets.follow(more->text);
            append("\n", document);
            append(more->text, document);
            if (!more->problem.empty()) document.problem = more->problem;
        }
    }

    std::string_view rest() const { return {buffer_.data() + from_, to_ - from_}; }
    bool at_opening() const { return is_opening(rest()); }
    /// In a file of one document a line every object at the start of one is the next.
    bool at_next() const { return is_ndjson_ ? rest().starts_with('{') : at_opening(); }

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
            auto const end = rest().find('\n');
            is_end = end != std::string_view::npos;
            append(rest().substr(0, end), line);
            from_ = is_end ? from_ + end + 1 : to_;
        } while (!is_end && fill(line.problem));
        return line;
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
    bool is_file_;
    bool is_ndjson_;
    bool failed_ = false;
    bool began_ = false;
    bool is_first_ = false;
    std::size_t begin_ = 0;
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
        reader_ = std::make_unique<DocumentReader>(FileDescriptor(), STDIN_FILENO, false);
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
        reader_ = std::make_unique<DocumentReader>(std::move(named.file), fd, has_lines(name_));
    }
    return true;
}

std::optional<ReportText> ReportInputs::next_of_file() {
    auto document = reader_->next();
    if (!document) return std::nullopt;
    document->name = reader_->is_first() && !has_lines(name_) && name_ != "-"
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
