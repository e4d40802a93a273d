// SPDX-License-Identifier: MIT
// Hosts for one test, in the text format of rocmtune-host(5).
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "probe/reader.hpp"

namespace rocmtune::test {

/// A host on which everything that `body` does not list is absent, variables included.
inline ProbeContext recorded(std::string_view body) {
    auto const text = "rocmtune-host 1\nunlisted absent\nenv\n" + std::string(body);
    return {HostRoot(text_source(text, "test"))};
}

/// A host of which nothing is known but what `body` lists.
inline ProbeContext fragment(std::string_view body) {
    auto const text = "rocmtune-host 1\nlabel a fragment\n" + std::string(body);
    return {HostRoot(text_source(text, "test"))};
}

/// What one reader makes of a host.
inline Host read(void (*reader)(ProbeContext const&, Host&), ProbeContext const& context) {
    Host host;
    reader(context, host);
    return host;
}

}  // namespace rocmtune::test
