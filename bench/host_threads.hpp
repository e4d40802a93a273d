// SPDX-License-Identifier: MIT
// Work on all processors that this process may use.
#pragma once

#include <cstddef>
#include <functional>

/// Compiles a function for several generations of processors; the loader takes the best. Not under
/// ThreadSanitizer: the loader's question would call it before it is there.
#if defined(__x86_64__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define ROCMTUNE_CLONES \
    __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define ROCMTUNE_CLONES
#endif

namespace rocmtune::bench {

/// Processors in this process's affinity mask; at least 1.
unsigned processor_count();

/// Calls f(part, parts) once for each part, each on a thread of its own, and waits. The threads
/// live on between calls: starting them would cost more than small pieces of work. Exceptions do
/// not cross: f must not throw. One caller at a time.
void in_parallel(std::function<void(unsigned part, unsigned parts)> const& f);

/// The bounds of a part of `count` items, cut at multiples of `grain`.
struct Range {
    std::size_t begin;
    std::size_t end;
};
Range part_of(std::size_t count, unsigned part, unsigned parts, std::size_t grain = 1);

}  // namespace rocmtune::bench
