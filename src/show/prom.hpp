// SPDX-License-Identifier: MIT
// Prometheus text format 0.0.4.
#pragma once

#include <cmath>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/text.hpp"

namespace rocmtune {

/// name="value" with what the format needs escaped; control characters are shown as text.
inline std::string prom_label(std::string_view name, std::string_view value) {
    std::string escaped;
    for (auto const c : printable(value)) {
        if (c == '\\' || c == '"') escaped += '\\';
        escaped += c;
    }
    return fmt::format("{}=\"{}\"", name, escaped);
}

/// One metric; without a sample nothing of it is printed.
class PromMetric {
  public:
    PromMetric(std::string_view name, std::string_view type, std::string_view help)
        : name_(name), head_(fmt::format("# HELP {0} {2}\n# TYPE {0} {1}\n", name, type, help)) {}

    void add(std::string const& labels, double value) {
        if (!std::isfinite(value)) return;
        samples_ += labels.empty() ? fmt::format("{} {}\n", name_, value)
                                   : fmt::format("{}{{{}}} {}\n", name_, labels, value);
    }
    std::string text() const { return samples_.empty() ? std::string() : head_ + samples_; }

  private:
    std::string_view name_;
    std::string head_;
    std::string samples_;
};

}  // namespace rocmtune
