// SPDX-License-Identifier: MIT
// What the programs that run during the build share: files in and out, exit codes, C++ source with
// string literals of any bytes.
#pragma once

#include <cstddef>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

namespace rocmtune {

/// The whole file. Throws std::runtime_error if it cannot be read.
inline std::string read_build_input(std::string const& path) {
    std::ifstream in(path, std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(in), {});
    if (!in) {
        throw std::runtime_error(path + ": cannot be read");
    }
    return text;
}

/// Writes the whole file. Throws std::runtime_error if that fails.
inline void write_build_output(std::string const& path, std::string_view text) {
    std::ofstream out(path, std::ios::binary);
    out << text << std::flush;
    if (!out) {
        throw std::runtime_error(path + ": cannot be written");
    }
}

/// Runs a build tool: 0, or 2 with one line on stderr.
template <class Work>
int run_build_tool(std::string_view name, Work const& work) {
    try {
        work();
        return 0;
    } catch (std::exception const& error) {
        std::cerr << name << ": " << error.what() << '\n';
        return 2;
    }
}

/// Bytes as C++ string literals. Octal escapes of three digits cannot swallow what follows; a new
/// literal begins after a line end and about every 90 columns, so that lines stay readable.
inline std::string cpp_literal(std::string_view bytes) {
    constexpr std::size_t widest = 90;
    std::string out = "\"";
    std::size_t column = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        auto const byte = static_cast<unsigned char>(bytes[i]);
        auto const before = out.size();
        if (byte == '"' || byte == '\\') {
            out.append({'\\', bytes[i]});
        } else if (byte == '\n') {
            out += "\\n";
        } else if (byte >= 0x20 && byte < 0x7f) {
            out += bytes[i];
        } else {
            out += '\\';
            for (int shift = 6; shift >= 0; shift -= 3) {
                out += static_cast<char>('0' + ((byte >> shift) & 7));
            }
        }
        column += out.size() - before;
        if ((byte == '\n' || column >= widest) && i + 1 < bytes.size()) {
            out += "\"\n    \"";
            column = 0;
        }
    }
    return out + "\"";
}

/// An expression for a std::string_view of exactly these bytes, NULs included.
inline std::string cpp_view(std::string_view bytes) {
    if (bytes.empty()) {
        return "{}";
    }
    return "{" + cpp_literal(bytes) + ", " + std::to_string(bytes.size()) + "}";
}

/// Valid JSON without the white space between its tokens; all else as it stands.
inline std::string compact_json(std::string_view json) {
    std::string out;
    bool inside = false;  // a string
    for (std::size_t i = 0; i < json.size(); ++i) {
        auto const byte = json[i];
        if (!inside && (byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r')) continue;
        out += byte;
        if (byte == '"') inside = !inside;
        if (byte == '\\') out += json[++i];
    }
    return out;
}

/// The start of a generated file. The pragma: clang warns about literals over 65536 bytes, a limit
/// of the standard's minimum and of no compiler we support.
inline std::string cpp_header(std::string_view tool) {
    std::string out = "// SPDX-License-Identifier: MIT\n// Written by ";
    out.append(tool);
    out +=
        " at build time from the files in profiles/; changes belong there.\n"
        "#include <array>\n\n#include \"knowledge/embedded.hpp\"\n\n"
        "#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n\n"
        "namespace rocmtune {\n";
    return out;
}

}  // namespace rocmtune
