// SPDX-License-Identifier: MIT
#include "cli/output.hpp"

#include <cerrno>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/terminal.hpp"
#include "render/layout.hpp"
#include "rocmtune/error.hpp"
#include "system/held_signals.hpp"
#include "system/posix_file.hpp"

namespace rocmtune {
namespace {

/// 0, or the errno of the failed write.
int write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        auto const count = ::write(fd, text.data(), text.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return errno;
        text.remove_prefix(static_cast<std::size_t>(count));
    }
    return 0;
}

[[noreturn]] void cannot_write(std::string const& path, int error) {
    auto const hint = error == ENOENT   ? "the directory must exist"
                      : error == ENOSPC ? "the disk is full"
                                        : "";
    throw Error(fmt::format("cannot write {}: {}", printable(path), errno_text(error)), hint);
}

/// A file beside `path` that vanishes unless it is renamed to it.
class TemporaryFile {
  public:
    explicit TemporaryFile(std::string const& path) : path_(path), name_(path + ".XXXXXX") {
        fd_ = FileDescriptor(::mkostemp(name_.data(), O_CLOEXEC));
        if (!fd_) cannot_write(path_, errno);
    }
    TemporaryFile(TemporaryFile const&) = delete;
    TemporaryFile& operator=(TemporaryFile const&) = delete;
    ~TemporaryFile() {
        if (!renamed_) ::unlink(name_.c_str());
    }

    void write(std::string_view text, mode_t mode) {
        if (int const error = write_all(fd_.get(), text)) cannot_write(path_, error);
        // The rename must not reach the disk before the content.
        if (::fchmod(fd_.get(), mode) != 0 || ::fsync(fd_.get()) != 0) cannot_write(path_, errno);
    }

    void rename() {
        if (::rename(name_.c_str(), path_.c_str()) != 0) cannot_write(path_, errno);
        renamed_ = true;
    }

  private:
    std::string path_;
    std::string name_;
    FileDescriptor fd_;
    bool renamed_ = false;
};

/// A file that was ours keeps its mode; one of somebody else must not say who may read ours.
mode_t mode_for(std::string const& path) {
    struct stat s {};
    if (::stat(path.c_str(), &s) == 0 && s.st_uid == ::geteuid()) return s.st_mode & 0777U;
    auto const mask = ::umask(0);
    ::umask(mask);
    return 0600U & ~mask;
}

/// In a directory where anybody may make names, such as /tmp, what leads elsewhere must be ours or
/// the directory owner's: as fs.protected_symlinks and fs.protected_fifos have it, which not every
/// host has switched on.
void refuse_planted(std::filesystem::path const& path) {
    struct stat directory {};
    struct stat entry {};
    auto const parent = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    if (::lstat(path.c_str(), &entry) != 0 || ::stat(parent.c_str(), &directory) != 0) return;
    bool const anybody = (directory.st_mode & S_IWOTH) != 0;
    if (!anybody || S_ISREG(entry.st_mode) || entry.st_uid == ::geteuid() ||
        entry.st_uid == directory.st_uid)
        return;
    throw Error(fmt::format("cannot write {}: it is no file but what user {} has put into a "
                            "directory that everybody may write",
                            printable(path.string()), entry.st_uid),
                "choose a directory of your own");
}

bool is_regular_or_new(std::string const& path) {
    struct stat s {};
    if (::stat(path.c_str(), &s) == 0) return S_ISREG(s.st_mode);
    if (errno == ELOOP) cannot_write(path, errno);
    return true;
}

void write_in_place(std::string const& path, std::string_view text) {
    FileDescriptor const fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
    if (!fd) cannot_write(path, errno);
    if (int const error = write_all(fd.get(), text)) cannot_write(path, error);
}

/// A line that is wider than the screen goes on below, behind `indent`.
std::string folded(std::string const& line, std::string const& indent,
                   std::optional<std::size_t> width) {
    if (!width || display_width(line) <= *width) return line + '\n';
    auto const first = line.find_first_not_of(' ');
    std::string text;
    // What stands before the first line is never narrower than what stands before the others.
    for (auto const& part : wrapped(line, *width - indent.size()))
        text += (text.empty() ? line.substr(0, first) : indent) + part + '\n';
    return text;
}

}  // namespace

std::string final_path(std::filesystem::path path) {
    constexpr int most_links = 40;  // as path_resolution(7) allows
    std::error_code error;
    refuse_planted(path);
    for (int i = 0; i < most_links && std::filesystem::is_symlink(path, error); ++i) {
        path = path.parent_path() / std::filesystem::read_symlink(path, error);
        refuse_planted(path);
    }
    return path.string();
}

void replace_file(std::string const& path, std::string_view text) {
    auto const target = final_path(path);
    if (!is_regular_or_new(path)) return write_in_place(path, text);
    auto const mode = mode_for(target);
    // Whoever ends us meanwhile would leave the temporary file behind.
    HeldSignals const signals;
    TemporaryFile file(target);
    file.write(text, mode);
    file.rename();
}

bool print_line(std::string_view line) {
    int const error = write_all(STDOUT_FILENO, line);
    if (error == EBADF) throw Error("cannot write to standard output: it is closed");
    if (error != 0 && error != EPIPE)
        throw Error("cannot write to standard output: " + errno_text(error));
    return error == 0;
}

void print(std::string_view text) {
    (void)print_line(text);
}

void print_error(std::string_view text) {
    (void)write_all(STDERR_FILENO, text);
}

std::string told_text(std::string_view message, std::string_view hint,
                      std::optional<std::size_t> width) {
    auto text = folded("rocmtune: " + printable(message), std::string(10, ' '), width);
    if (!hint.empty()) text += folded("  " + printable(hint), "  ", width);
    return text;
}

void tell(std::string_view message, std::string_view hint) {
    print_error(told_text(message, hint, error_width()));
}

void write_output(Arguments const& arguments, std::string_view text) {
    if (auto const file = arguments.value("--output"); file && *file != "-")
        replace_file(*file, text);
    else print(text);
}

}  // namespace rocmtune
