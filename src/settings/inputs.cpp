// SPDX-License-Identifier: MIT
#include "settings/inputs.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include <fmt/format.h>

#include <unistd.h>

#include "base/text.hpp"
#include "machine/held_signals.hpp"
#include "machine/posix_file.hpp"

namespace rocmtune {
namespace {

namespace fs = std::filesystem;

/// Compilers, archives and images have NUL bytes near their start; no text of ours has.
bool is_binary(std::string_view text) {
    constexpr std::size_t head = 8192;
    return text.substr(0, head).find('\0') != text.npos;
}

void visit_text(std::string const& name, FileText const& bytes, std::optional<InputKind> kind,
                bool was_named, InputVisitor const& visitor) {
    auto const shown = printable(name);
    if (!bytes.problem.empty())
        return visitor.problem(fmt::format("cannot read {}: {}", shown, bytes.problem));
    if (is_binary(bytes.text)) {
        if (was_named) visitor.problem(fmt::format("{} is no text", shown));
        return;
    }
    if (!kind) kind = kind_of(name, bytes.text);
    if (kind) return visitor.text({.text = bytes.text, .file = name, .kind = *kind});
    if (was_named && visitor.unknown)
        visitor.unknown(fmt::format("cannot tell what {} is; --kind says it", shown));
}

/// Whether a file below a directory is worth opening: by its name, or because it has none that
/// says anything.
bool may_be_text(fs::path const& path) {
    return kind_of(path.string(), "").has_value() || is_yaml_name(path.string()) ||
           path.extension().empty();
}

/// Regular files below a directory, sorted; directories of version control are left out.
std::vector<InputFile> files_below(std::string const& directory) {
    std::vector<InputFile> files;
    std::error_code error;
    auto entry = fs::recursive_directory_iterator(
        directory, fs::directory_options::skip_permission_denied, error);
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
        // The list of the directory has the kinds: of its entries the kernel is asked nothing more.
        std::error_code ignored;
        if (entry->is_symlink(ignored)) continue;
        if (entry->is_directory(ignored) && entry->path().filename() == ".git")
            entry.disable_recursion_pending();
        else if (entry->is_regular_file(ignored) && may_be_text(entry->path()))
            files.push_back({.path = entry->path().string(), .was_named = false});
    }
    std::ranges::sort(files, {}, &InputFile::path);
    if (error)
        files.insert(files.begin(),
                     {.path = directory,
                      .problem = fmt::format("cannot read all of {}: {}", printable(directory),
                                             errno_text(error.value()))});
    return files;
}

std::string not_in_time(std::string const& path) {
    return fmt::format("cannot read {}: it was not read in time", printable(path));
}

}  // namespace

std::vector<InputFile> input_files(std::string const& path, Patience patience) {
    if (path == "-") return {{.path = path}};
    auto const list = [path] {
        std::error_code ignored;
        return fs::is_directory(path, ignored) ? files_below(path)
                                               : std::vector<InputFile>{{.path = path}};
    };
    if (auto files = in_time<std::vector<InputFile>>(list, patience)) return std::move(*files);
    return {{.path = path, .problem = not_in_time(path)}};
}

void visit_file(InputFile const& file, std::optional<InputKind> kind, InputVisitor const& visitor,
                Patience patience) {
    if (!file.problem.empty()) return visitor.problem(file.problem);
    bool const is_stdin = file.path == "-";
    if (is_stdin && !kind) kind = InputKind::shell;
    auto const bytes = in_time<FileText>(
        [path = file.path, is_stdin] {
            return is_stdin ? read_all(STDIN_FILENO, input_cap_bytes)
                            : read_listed_file(path, input_cap_bytes);
        },
        patience);
    if (!bytes) return visitor.problem(not_in_time(file.path));
    visit_text(file.path, *bytes, kind, file.was_named, visitor);
}

void visit_process(long pid, InputVisitor const& visitor) {
    auto const bytes = read_listed_file(fmt::format("/proc/{}/environ", pid), input_cap_bytes);
    if (!bytes.problem.empty())
        return visitor.problem(
            fmt::format("cannot read the environment of process {}: {}", pid, bytes.problem));
    visitor.text({.text = bytes.text, .kind = InputKind::process});
}

std::string maps_of_process(long pid) {
    return read_listed_file(fmt::format("/proc/{}/maps", pid), input_cap_bytes).text;
}

}  // namespace rocmtune
