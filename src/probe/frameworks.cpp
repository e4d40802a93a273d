// SPDX-License-Identifier: MIT
// Python frameworks that compute on GPUs, from their metadata and file names: nothing is run or
// imported, so a broken installation can be described, too.
#include <algorithm>
#include <array>
#include <set>
#include <span>

#include <fmt/format.h>

#include "machine/library_files.hpp"
#include "probe/library_code.hpp"
#include "probe/python_environment.hpp"
#include "probe/reader.hpp"

namespace rocmtune {
namespace {

/// Distribution names (PEP 503, `*` fits anything) of what runs on ROCm, its CUDA and CPU builds
/// included: that the wrong build is installed is worth knowing.
constexpr std::array<std::string_view, 38> framework_names{"torch",
                                                           "torchvision",
                                                           "torchaudio",
                                                           "torchao",
                                                           "amd-torch*",
                                                           "triton",
                                                           "pytorch-triton*",
                                                           "triton-rocm",
                                                           "tensorflow",
                                                           "tensorflow-cpu",
                                                           "tensorflow-rocm",
                                                           "tf-nightly*",
                                                           "jax",
                                                           "jaxlib",
                                                           "jax-rocm*-plugin",
                                                           "jax-rocm*-pjrt",
                                                           "onnxruntime",
                                                           "onnxruntime-*",
                                                           "vllm",
                                                           "vllm-rocm",
                                                           "sglang",
                                                           "aiter",
                                                           "amd-aiter",
                                                           "flash-attn",
                                                           "rocm",
                                                           "rocm-sdk",
                                                           "rocm-sdk-*",
                                                           "deepspeed",
                                                           "bitsandbytes",
                                                           "xformers",
                                                           "transformer-engine",
                                                           "transformer-engine-*",
                                                           "mori",
                                                           "amd-mori",
                                                           "composable-kernel",
                                                           "ck4inductor",
                                                           "cupy",
                                                           "cupy-rocm-*"};

/// Directories, relative to a package's own, whose file names end in the gfx targets of device
/// code; the first that has any counts.
struct TargetDirectory {
    std::string_view package;
    std::string_view directory;  ///< its first component may be a pattern
};

// Of packages themselves: TheRock splits their device code out by target into `.kpack`.
constexpr std::array own_directories{
    TargetDirectory{"torch", "torch/.kpack"},
    TargetDirectory{"torchvision", "torchvision/.kpack"},
    TargetDirectory{"aiter", "aiter_meta/hsa"},
    TargetDirectory{"amd-aiter", "aiter_meta/hsa"},
};

/// Libraries that packages keep device code in.
constexpr std::array code_files{
    TargetDirectory{"torch", "torch/lib/libtorch_hip.so"},
    TargetDirectory{"vllm*", "vllm/_C.abi3.so"},
    TargetDirectory{"onnxruntime-rocm", "onnxruntime/capi/libonnxruntime_providers_rocm.so"},
};

// Of what packages bring along: rocBLAS and hipBLASLt keep their code in files, in wheels of
// pytorch.org below torch/lib, per target in a subdirectory since ROCm 7.13.
constexpr std::array library_directories_of_wheels{
    TargetDirectory{"torch", "torch/lib/rocblas/library"},
    TargetDirectory{"torch", "torch/lib/hipblaslt/library"},
    TargetDirectory{"rocm-sdk-libraries*", "_rocm_sdk_libraries*/lib/rocblas/library"},
    TargetDirectory{"rocm-sdk-libraries*", "_rocm_sdk_libraries*/lib/hipblaslt/library"},
    TargetDirectory{"rocm-sdk-libraries*", "_rocm_sdk_libraries*/.kpack"},
    TargetDirectory{"rocm-sdk-devel", "_rocm_sdk_devel*/lib/rocblas/library"},
};

/// LLVM knows fewer than a hundred targets.
constexpr std::size_t target_limit = 128;

struct NaturalLess {
    bool operator()(std::string const& a, std::string const& b) const { return natural_less(a, b); }
};

std::vector<std::string> targets_in(std::vector<std::string> const& names) {
    std::set<std::string, NaturalLess> targets;
    for (auto const& name : names) {
        if (targets.size() >= target_limit) break;
        if (auto target = gfx_target_in(name)) targets.insert(std::move(*target));
    }
    return {targets.begin(), targets.end()};
}

/// The directories that a table row means in one site.
std::vector<std::string> expand(Listings& listings, std::string const& base,
                                std::string_view directory) {
    auto const first = directory.substr(0, directory.find('/'));
    if (first.find('*') == first.npos) return {base + '/' + std::string(directory)};
    std::vector<std::string> expanded;
    auto const& names = listings.names(base);
    if (!names) return expanded;
    for (auto const& name : *names)
        if (fits_pattern(first, name))
            expanded.push_back(base + '/' + name + std::string(directory.substr(first.size())));
    return expanded;
}

/// Targets by the names of the files that a package brings.
void offer_targets(PythonPackage const& package, Listings& listings,
                   std::span<TargetDirectory const> rows, Fact<std::vector<std::string>>& fact) {
    for (auto const& row : rows) {
        if (!fits_pattern(row.package, package.name)) continue;
        for (auto const& directory : expand(listings, package.directory, row.directory)) {
            auto const& names = listings.names(directory);
            if (!names) continue;
            auto targets = targets_in(*names);
            if (!targets.empty())
                return fact.offer(std::move(targets), {python_reader, printable(directory)});
        }
    }
}

/// Targets by the code in a package's libraries.
void offer_code(HostRoot const& root, PythonPackage const& package,
                Fact<std::vector<std::string>>& fact) {
    for (auto const& row : code_files)
        if (fits_pattern(row.package, package.name))
            offer_code_targets(root, fmt::format("{}/{}", package.directory, row.directory),
                               python_reader, fact);
}

/// Packages of TheRock that carry device code for the one target in their name.
void offer_target_of_name(PythonPackage const& package, Fact<std::vector<std::string>>& fact) {
    if (package.name.find("-device-") == package.name.npos) return;
    if (auto target = gfx_target_in(package.name))
        fact.offer({std::move(*target)}, {python_reader, printable(package.site)});
}

/// What torch was built for, from torch/version.py (tools/generate_torch_version.py writes it).
void read_torch(HostRoot const& root, PythonPackage const& package, Framework& torch) {
    auto const file = package.directory + "/torch/version.py";
    auto const text = root.read(file);
    if (!text) return miss(torch.hip_version, text);
    auto const hip = find_python_constant(*text, "hip");
    if (hip && !hip->is_none && is_python_version(hip->text))
        return torch.hip_version.offer(std::string(hip->text),
                                       {python_reader, printable(file) + ":hip"});
    auto const cuda = find_python_constant(*text, "cuda");
    if (!hip) return torch.hip_version.miss(Missing::invalid, printable(file) + ": no hip line");
    auto const built_for = cuda && !cuda->is_none ? "CUDA " + printable(cuda->text) : "CPUs";
    torch.hip_version.miss(Missing::unsupported, "this build of torch is for " + built_for);
}

/// The reasons for what a package does not say.
void explain_gaps(Framework& framework) {
    bool const is_torch = framework.name == "torch";
    if (!is_torch) framework.hip_version.miss(Missing::absent, "only torch states one");
    if (framework.gfx_targets) return;
    if (is_torch && framework.hip_version.reason() == Missing::unsupported)
        framework.gfx_targets.miss(Missing::unsupported, framework.hip_version.detail());
    else if (is_torch)
        framework.gfx_targets.miss(Missing::absent,
                                   "compiled into libtorch_hip.so; no file name tells them");
    else framework.gfx_targets.miss(Missing::absent, "no file name tells them");
}

Framework describe(HostRoot const& root, Listings& listings, PythonPackage const& package) {
    Framework framework;
    framework.name = printable(package.name);
    framework.version = package.version;
    framework.path = printable(package.directory);
    if (package.name == "torch") read_torch(root, package, framework);
    offer_target_of_name(package, framework.gfx_targets);
    auto& targets = framework.gfx_targets;
    if (!targets) offer_targets(package, listings, own_directories, targets);
    if (!targets) offer_code(root, package, targets);
    if (!targets) offer_targets(package, listings, library_directories_of_wheels, targets);
    explain_gaps(framework);
    return framework;
}

}  // namespace

bool is_gpu_framework(std::string_view name) {
    return std::any_of(framework_names.begin(), framework_names.end(),
                       [&](std::string_view pattern) { return fits_pattern(pattern, name); });
}

void read_frameworks(ProbeContext const& context, Host& host) {
    auto const environment = find_python_environment(context.root);
    host.python_environment = environment.prefix;
    host.python_version = environment.version;
    host.python_is_managed = environment.is_managed;
    if (!environment.prefix)
        return host.frameworks.miss(environment.prefix.reason(), environment.prefix.detail());
    Listings listings(context.root);
    std::vector<Framework> frameworks;
    for (auto const& package :
         find_python_packages(context.root, listings, environment, is_gpu_framework))
        frameworks.push_back(describe(context.root, listings, package));
    // An unreadable site could hold more: then an empty list would claim too much.
    if (frameworks.empty())
        for (auto const& site : environment.sites)
            if (auto const& names = listings.names(site); !names) miss(host.frameworks, names);
    if (frameworks.empty() && host.frameworks.reason() != Missing::not_read) return;
    host.frameworks.offer(
        std::move(frameworks),
        {python_reader, environment.sites.empty() ? environment.prefix.source().where
                                                  : printable(environment.sites.front())});
}

}  // namespace rocmtune
