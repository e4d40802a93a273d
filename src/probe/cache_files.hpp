// SPDX-License-Identifier: MIT
// What the files of caches say of themselves in their names and first bytes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace rocmtune {

/// The start of a file, as the call "head.PATH" answers.
struct FileHead {
    std::uint64_t size_bytes = 0;
    std::string_view bytes;

    bool is_whole() const { return bytes.size() >= size_bytes; }
};
std::optional<FileHead> parse_file_head(std::string_view answer);

/// Whether a file of MIOpen is an SQLite database: kernels (ukdb, kdb) or tuning (udb, db).
bool is_miopen_database(std::string_view name);

/// The gfx target that MIOpen puts before the number of CUs: hexadecimal and joined above 64
/// ("gfx90a68.ukdb", 104 CUs), else decimal ("gfx1030_36.ukdb").
std::optional<std::string> miopen_target(std::string_view name);

/// What is wrong with the header of an SQLite database (https://sqlite.org/fileformat.html, 1.3).
/// Nothing for an empty file, which is an empty database. With a log beside it (-wal, -journal) the
/// file may be shorter than it says.
std::optional<std::string> sqlite_fault(FileHead const& head, bool has_log);

/// Lines "Validator,NAME,VALUE" at the start of TunableOp's results, as PyTorch writes them.
std::map<std::string, std::string> tunableop_validators(FileHead const& head);

/// The files in which PyTorch keeps results under this name: the number of the device takes the
/// place of %d, else it stands before the suffix. Early releases took the name as it is.
std::string tunableop_file(std::string_view name, std::uint64_t device);

}  // namespace rocmtune
