// SPDX-License-Identifier: MIT
// Worker `hiprtc`: whether kernels can be compiled at run time. Nothing is compiled: an unknown
// target makes some versions abort.
#include <filesystem>

#include <fmt/format.h>

#include "probe/abi/hip.hpp"
#include "probe/workers.hpp"
#include "probe/workers/answer.hpp"

namespace rocmtune {
namespace {

constexpr char const* create_program = "hiprtcCreateProgram";

bool compiles(DynamicLibrary const& library) {
    return library.symbol<void()>(create_program) != nullptr;
}

/// hiprtcVersion has answered 9.0 in every release: that is no version to show.
void send_found(WorkerChannel& channel, DynamicLibrary const& library) {
    send(channel, "library", library_json(library));
    auto* const version = library.symbol<abi::hip::RtcVersion>("hiprtcVersion");
    int major = 0;
    int minor = 0;
    if (version == nullptr || version(&major, &minor) != abi::hip::success) return;
    send(channel, "runtime", {{"interface", fmt::format("{}.{}", major, minor)}});
}

}  // namespace

/// The compiler must be that of the HIP runtime's installation. Up to HIP 6 the runtime also has it
/// inside; Debian's 5.2 has it nowhere else, and from 7 on it is in its own library only.
void run_hiprtc_worker(WorkerChannel& channel, std::span<std::string const>) {
    auto const runtime = load(channel, hip_runtime);
    auto const directory = std::filesystem::path(runtime.path()).parent_path().string();
    auto const compiler = runtime ? load(channel, companion_candidates(hip_compiler, directory))
                                  : load(channel, hip_compiler);
    if (compiler && compiles(compiler)) return send_found(channel, compiler);
    if (runtime && compiles(runtime)) return send_found(channel, runtime);
    send(channel, "library", library_json(compiler));
    auto const trouble = load_trouble(compiler);
    if (compiler) fail_without(channel, create_program);
    else if (!trouble.empty()) channel.fail(WorkerStatus::error, trouble);
    else if (runtime)
        channel.fail(WorkerStatus::absent, fmt::format("no libhiprtc beside {}", runtime.path()));
    else channel.fail(WorkerStatus::absent, "libhiprtc is not installed");
}

}  // namespace rocmtune
