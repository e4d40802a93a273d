// SPDX-License-Identifier: MIT
// The merge: each field's declared order of sources decides which claim is the value, and which
// other claims are worth calling a dispute.
#include <algorithm>
#include <cmath>

#include "rocmtune/host.hpp"

namespace rocmtune {
namespace {

/// Position of a reader in a blank-separated list, or -1.
int rank_in(std::string_view sources, std::string_view reader) {
    int rank = 0;
    while (!sources.empty()) {
        auto const end = std::min(sources.find(' '), sources.size());
        if (sources.substr(0, end) == reader) return rank;
        sources.remove_prefix(std::min(end + 1, sources.size()));
        ++rank;
    }
    return -1;
}

template <class T>
bool differs(T const& a, T const& b, double tolerance) {
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
        if (tolerance == 0) return a != b;
        auto const x = static_cast<double>(a);
        auto const y = static_cast<double>(b);
        return std::abs(x - y) > tolerance * std::max(std::abs(x), std::abs(y));
    } else if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::string> ||
                         std::is_same_v<T, std::vector<std::string>>) {
        return a != b;
    } else {
        return false;  // records and lists of records have one reader each
    }
}

struct Settle {
    template <class T>
    void operator()(FactField const& field, Fact<T>& fact) const {
        fact.settle([&](std::string_view reader) { return rank_in(field.sources, reader); },
                    [&](T const& a, T const& b) { return differs(a, b, field.tolerance); });
    }
    template <class T>
    void operator()(Field const&, T&) const {}
};

}  // namespace

std::string_view missing_name(Missing reason) {
    switch (reason) {
        case Missing::not_read: return "not-read";
        case Missing::not_recorded: return "not-recorded";
        case Missing::absent: return "absent";
        case Missing::unsupported: return "unsupported";
        case Missing::invalid: return "invalid";
        case Missing::suspended: return "suspended";
        case Missing::failed: return "failed";
        case Missing::timeout: return "timeout";
        case Missing::denied: return "denied";
    }
    return "not-read";
}

void settle(Host& host) {
    visit_fields(host, Settle{});
    for (auto& gpu : host.gpus) visit_fields(gpu, Settle{});
}

}  // namespace rocmtune
