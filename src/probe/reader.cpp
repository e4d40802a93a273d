// SPDX-License-Identifier: MIT
#include "probe/reader.hpp"

namespace rocmtune {

void offer_text(HostRoot const& root, std::string const& path, std::string_view reader,
                Text& fact) {
    offer_parsed(root, path, reader, fact, [](std::string_view text) -> std::optional<std::string> {
        if (text.empty() || text.find('\n') != text.npos) return std::nullopt;
        return std::string(text);
    });
}

void offer_unsigned(HostRoot const& root, std::string const& path, std::string_view reader,
                    Number& fact) {
    offer_parsed(root, path, reader, fact, [](std::string_view text) { return to_unsigned(text); });
}

void offer_scaled(HostRoot const& root, std::string const& path, std::string_view reader,
                  double per_unit, Real& fact) {
    offer_parsed(root, path, reader, fact,
                 [per_unit](std::string_view text) -> std::optional<double> {
                     auto const number = to_signed(text);
                     if (!number) return std::nullopt;
                     return static_cast<double>(*number) / per_unit;
                 });
}

std::optional<double> scaled_number(HostRoot const& root, std::string const& path,
                                    double per_unit) {
    auto const text = root.read(path);
    if (!text) return std::nullopt;
    auto const number = to_signed(*text);
    if (!number) return std::nullopt;
    return static_cast<double>(*number) / per_unit;
}

}  // namespace rocmtune
