// SPDX-License-Identifier: MIT
// Python environments and the frameworks in them, found without running Python.
#include <cerrno>

#include <gtest/gtest.h>

#include "probe/python_environment.hpp"
#include "probe/reader.hpp"
#include "support/tree.hpp"

namespace rocmtune {
namespace {

using test::Tree;
using Strings = std::vector<std::string>;

Host probe(Tree const& tree) {
    Host host;
    read_frameworks(tree.context(), host);
    return host;
}

Framework const* named(Host const& host, std::string_view name) {
    for (auto const& framework : *host.frameworks)
        if (framework.name == name) return &framework;
    return nullptr;
}
Framework const* named(Host const&& host, std::string_view name) = delete;  // would dangle

/// A package in a site-packages directory.
Tree& add(Tree& tree, std::string const& site, std::string const& name,
          std::string const& version) {
    return tree.file(site + '/' + name + '-' + version + ".dist-info/METADATA",
                     "Metadata-Version: 2.1\nName: " + name + "\nVersion: " + version + "\n\n");
}

constexpr auto venv_site = "/venv/lib/python3.12/site-packages";
constexpr auto debian_site = "/usr/lib/python3/dist-packages";
constexpr auto local_site = "/usr/local/lib/python3.11/dist-packages";
constexpr auto user_site = "/home/me/.local/lib/python3.11/site-packages";

/// Debian's system Python with a package in each of its places.
Tree& add_system_python(Tree& tree) {
    tree.file("/usr/bin/python3.11").link("/usr/bin/python3", "python3.11");
    add(tree, debian_site, "torch", "1.13.0");
    add(tree, local_site, "torch", "2.1.0");
    add(tree, debian_site, "onnxruntime", "1.0");
    add(tree, user_site, "vllm", "0.6.0");
    return tree.environment("HOME", "/home/me");
}

TEST(PythonEnvironment, an_active_virtual_environment_comes_first) {
    Tree tree;
    add_system_python(add(tree, venv_site, "torch", "2.5.1+rocm6.2"));
    tree.file("/venv/pyvenv.cfg", "home = /usr/bin\ninclude-system-site-packages = false\n");
    tree.environment("VIRTUAL_ENV", "/venv/").environment("CONDA_PREFIX", "/conda");
    auto const host = probe(tree);
    EXPECT_EQ(host.python_environment.value(), "/venv");
    EXPECT_EQ(host.python_environment.source().where, "VIRTUAL_ENV");
    ASSERT_EQ(host.frameworks->size(), 1U);
    EXPECT_EQ(host.frameworks->front().version.value(), "2.5.1+rocm6.2");
    EXPECT_EQ(host.frameworks->front().path, venv_site);
}

TEST(PythonEnvironment, a_stale_variable_is_passed_over) {
    Tree tree;
    add_system_python(tree).environment("VIRTUAL_ENV", "/gone").environment("PATH", "/usr/bin");
    EXPECT_EQ(probe(tree).python_environment.value(), "/usr");
}

TEST(PythonEnvironment, a_virtual_environment_may_include_the_system) {
    Tree tree;
    add_system_python(tree).file("/usr/bin/python3.11");
    tree.link("/env/bin/python3", "/usr/bin/python3.11");
    add(tree, "/env/lib/python3.11/site-packages", "jax", "0.4.35");
    tree.file("/env/pyvenv.cfg", "home = /usr/bin\nInclude-System-Site-Packages = TRUE\n");
    tree.environment("VIRTUAL_ENV", "/env");
    auto const host = probe(tree);
    EXPECT_EQ(host.frameworks->size(), 4U);
    EXPECT_EQ(named(host, "torch")->version.value(), "2.1.0") << "/usr/local hides /usr/lib";
    EXPECT_EQ(named(host, "vllm")->path, user_site);
}

TEST(PythonEnvironment, conda_has_its_own_libraries) {
    Tree tree;
    tree.file("/conda/bin/python3.12").link("/conda/bin/python3", "python3.12");
    add(tree, "/conda/lib/python3.12/site-packages", "triton", "3.1.0");
    tree.environment("CONDA_PREFIX", "/conda");
    auto const host = probe(tree);
    EXPECT_EQ(host.python_environment.value(), "/conda");
    EXPECT_TRUE(named(host, "triton"));
}

TEST(PythonEnvironment, else_the_first_python3_in_PATH_counts) {
    Tree tree;
    add_system_python(tree).link("/alternatives/python3", "/usr/bin/python3");
    tree.environment("PATH", "/nowhere:relative::/alternatives");
    auto const host = probe(tree);
    EXPECT_EQ(host.python_environment.value(), "/usr");
    EXPECT_EQ(host.python_environment.source().where, "/alternatives/python3");
    EXPECT_EQ(named(host, "torch")->version.value(), "2.1.0");
    EXPECT_TRUE(named(host, "vllm"));
}

TEST(PythonEnvironment, a_virtual_environment_in_PATH_needs_no_variable) {
    Tree tree;
    add_system_python(add(tree, venv_site, "torch", "2.6.0"));
    tree.link("/venv/bin/python3", "/usr/bin/python3.11")
        .file("/venv/pyvenv.cfg", "home = /usr/bin");
    add(tree, "/venv/lib/python3.11/site-packages", "torch", "2.7.0");
    tree.environment("PATH", "/venv/bin:/usr/bin");
    auto const host = probe(tree);
    EXPECT_EQ(host.python_environment.value(), "/venv");
    EXPECT_EQ(named(host, "torch")->version.value(), "2.7.0") << "3.12 is not what bin/ starts";
}

TEST(PythonEnvironment, a_shim_of_pyenv_stands_for_the_version_it_starts) {
    Tree tree;
    add_system_python(tree).file("/home/me/.pyenv/shims/python3", "#!/usr/bin/env bash\n");
    tree.file("/home/me/.pyenv/version", "3.12.1\n3.11.7\n");
    tree.file("/home/me/.pyenv/versions/3.12.1/bin/python3.12");
    add(tree, "/home/me/.pyenv/versions/3.12.1/lib/python3.12/site-packages", "torch", "2.8.0");
    tree.environment("PATH", "/home/me/.pyenv/shims:/usr/bin");
    EXPECT_EQ(probe(tree).python_environment.value(), "/home/me/.pyenv/versions/3.12.1");
    tree.environment("PYENV_VERSION", "system");
    EXPECT_EQ(probe(tree).python_environment.value(), "/usr");
}

TEST(PythonEnvironment, PYTHONPATH_comes_before_everything) {
    Tree tree;
    add_system_python(add(tree, "/mine", "torch", "3.0"));
    tree.environment("PYTHONPATH", ":/mine:relative").environment("PYTHONNOUSERSITE", "1");
    auto const host = probe(tree);
    EXPECT_EQ(named(host, "torch")->path, "/mine");
    EXPECT_FALSE(named(host, "vllm"));
}

TEST(PythonEnvironment, no_python_is_a_reason) {
    Tree tree;
    tree.directory("/usr/bin").environment("PATH", "/usr/bin");
    auto const host = probe(tree);
    EXPECT_EQ(host.python_environment.reason(), Missing::absent);
    EXPECT_EQ(host.frameworks.reason(), Missing::absent);
    Tree empty;
    EXPECT_EQ(probe(empty).frameworks.reason(), Missing::not_recorded);
}

TEST(PythonEnvironment, an_endless_PYTHONPATH_is_cut) {
    Tree tree;
    add_system_python(tree);
    std::string path;
    for (int i = 0; i < 300; ++i) {
        tree.directory("/p/" + std::to_string(i));
        path += "/p/" + std::to_string(i) + ':';
    }
    tree.environment("PYTHONPATH", path);
    EXPECT_LE(find_python_environment(tree.root()).sites.size(), 64U);
}

// ---- packages -----------------------------------------------------------------------------------

struct Venv : Tree {
    Venv() {
        environment("VIRTUAL_ENV", "/venv").directory(venv_site);
        file("/venv/pyvenv.cfg", "home = /usr/bin\n");
    }
    std::string in_site(std::string_view path) const {
        return venv_site + ('/' + std::string(path));
    }
};

TEST(Frameworks, an_environment_without_any_has_an_empty_list) {
    Venv tree;
    add(tree, venv_site, "numpy", "2.0.0");
    auto const host = probe(tree);
    ASSERT_TRUE(host.frameworks);
    EXPECT_TRUE(host.frameworks->empty());
}

TEST(Frameworks, an_unreadable_site_is_no_empty_list) {
    Venv tree;
    tree.fail(venv_site, EACCES);
    auto const host = probe(tree);
    EXPECT_EQ(host.frameworks.reason(), Missing::denied);
}

TEST(Frameworks, are_known_by_any_spelling_and_variant) {
    Venv tree;
    for (auto const* const name :
         {"Flash_Attn", "pytorch_triton_rocm", "jax_rocm60_plugin", "onnxruntime_rocm",
          "rocm_sdk_libraries_gfx94X_dcgpu", "transformer_engine", "amd_aiter", "torch_sparse"})
        add(tree, venv_site, name, "1.0");
    auto const host = probe(tree);
    Strings names;
    for (auto const& framework : *host.frameworks) names.push_back(framework.name);
    EXPECT_EQ(names, (Strings{"amd-aiter", "flash-attn", "jax-rocm60-plugin", "onnxruntime-rocm",
                              "pytorch-triton-rocm", "rocm-sdk-libraries-gfx94x-dcgpu",
                              "transformer-engine"}));
}

TEST(Frameworks, the_version_of_garbage_metadata_is_that_of_its_name) {
    Venv tree;
    tree.file(tree.in_site("torch-2.5.1.dist-info/METADATA"), std::string("\0\x01\x02", 3));
    tree.file(tree.in_site("vllm.egg-info/PKG-INFO"), "Version: \x1b[31m\n\n");
    tree.directory(tree.in_site("jax-0.4.dist-info/METADATA"));
    auto const host = probe(tree);
    EXPECT_EQ(named(host, "torch")->version.value(), "2.5.1");
    EXPECT_EQ(named(host, "torch")->version.source().where, tree.in_site("torch-2.5.1.dist-info"));
    EXPECT_EQ(named(host, "vllm")->version.reason(), Missing::invalid);
    EXPECT_EQ(named(host, "jax")->version.value(), "0.4");
}

TEST(Frameworks, eggs_count_as_file_directory_and_link) {
    Venv tree;
    tree.file(tree.in_site("triton-2.0.0-py3.12.egg-info"), "Name: triton\nVersion: 2.0.0\n");
    tree.file(tree.in_site("xformers-0.0.28.egg-info/PKG-INFO"), "Version: 0.0.28+rocm\n");
    tree.file(tree.in_site("aiter.egg-link"), "/src/aiter\n.");
    tree.file("/src/aiter/aiter.egg-info/PKG-INFO", "Name: aiter\nVersion: 0.1.4\n");
    tree.directory("/src/aiter/aiter_meta/hsa/gfx942")
        .directory("/src/aiter/aiter_meta/hsa/gfx950");
    tree.file(tree.in_site("mori.egg-link"), "/gone\n");
    auto const host = probe(tree);
    EXPECT_EQ(host.frameworks->size(), 3U);
    EXPECT_EQ(named(host, "triton")->version.value(), "2.0.0");
    EXPECT_EQ(named(host, "xformers")->version.value(), "0.0.28+rocm");
    EXPECT_EQ(named(host, "aiter")->version.value(), "0.1.4");
    EXPECT_EQ(named(host, "aiter")->path, "/src/aiter");
    EXPECT_EQ(named(host, "aiter")->gfx_targets.value(), (Strings{"gfx942", "gfx950"}));
}

TEST(Frameworks, of_two_versions_in_one_site_the_newer_counts) {
    Venv tree;
    add(tree, venv_site, "torch", "2.9.1");
    add(tree, venv_site, "torch", "2.10.0");
    auto const host = probe(tree);
    EXPECT_EQ(named(host, "torch")->version.value(), "2.10.0");
}

// ---- torch --------------------------------------------------------------------------------------

TEST(Torch, states_its_hip_version_and_brings_libraries_for_some_targets) {
    Venv tree;
    add(tree, venv_site, "torch", "2.7.1+rocm6.3");
    tree.file(tree.in_site("torch/version.py"),
              "cuda: Optional[str] = None\nhip: Optional[str] = '6.3.42131-fa1d09cbd'\n");
    for (auto const* const file :
         {"TensileLibrary_lazy_gfx942.dat", "TensileLibrary_lazy_gfx1100.dat",
          "TensileLibrary_Type_HH_gfx1100.co", "Kernels.so-000-gfx90a-xnack+.hsaco"})
        tree.file(tree.in_site("torch/lib/rocblas/library/") + file);
    auto const host = probe(tree);
    auto const* const torch = named(host, "torch");
    EXPECT_EQ(torch->hip_version.value(), "6.3.42131-fa1d09cbd");
    EXPECT_EQ(torch->hip_version.source().where, tree.in_site("torch/version.py:hip"));
    EXPECT_EQ(torch->gfx_targets.value(), (Strings{"gfx90a", "gfx942", "gfx1100"}));
    EXPECT_EQ(torch->gfx_targets.source().where, tree.in_site("torch/lib/rocblas/library"));
}

TEST(Torch, with_kernel_packs_names_exactly_what_it_was_built_for) {
    Venv tree;
    add(tree, venv_site, "torch", "2.12.0+rocm7.14.0");
    add(tree, venv_site, "amd_torch_device_gfx1151", "2.12.0+rocm7.14.0");
    add(tree, venv_site, "amd_torch_device_gfx115x", "2.12.0+rocm7.14.0");
    tree.file(tree.in_site("torch/.kpack/torch_gfx1151.kpack"));
    tree.file(tree.in_site("torch/lib/rocblas/library/gfx942/TensileLibrary_lazy_gfx942.dat"));
    auto const host = probe(tree);
    EXPECT_EQ(named(host, "torch")->gfx_targets.value(), Strings{"gfx1151"});
    EXPECT_EQ(named(host, "torch")->gfx_targets.source().where, tree.in_site("torch/.kpack"));
    EXPECT_EQ(named(host, "amd-torch-device-gfx1151")->gfx_targets.value(), Strings{"gfx1151"});
    EXPECT_FALSE(named(host, "amd-torch-device-gfx115x")->gfx_targets);
}

TEST(Torch, names_what_its_own_library_has_code_for) {
    Venv tree;
    add(tree, venv_site, "torch", "2.7.1+rocm6.3");
    add(tree, venv_site, "vllm", "0.9.0");
    tree.file(tree.in_site("torch/version.py"), "hip = '6.3.42131'\n");
    tree.file(tree.in_site("torch/lib/rocblas/library/TensileLibrary_lazy_gfx1100.dat"));
    tree.call("device-code." + tree.in_site("torch/lib/libtorch_hip.so"), "gfx1030\ngfx942\n");
    tree.call("device-code." + tree.in_site("vllm/_C.abi3.so"), "gfx942\ncut\n");
    auto const host = probe(tree);
    auto const* const torch = named(host, "torch");
    EXPECT_EQ(torch->gfx_targets.value(), (Strings{"gfx1030", "gfx942"}));
    EXPECT_EQ(torch->gfx_targets.source().where, tree.in_site("torch/lib/libtorch_hip.so"));
    EXPECT_FALSE(named(host, "vllm")->gfx_targets.limit().empty());
}

TEST(Torch, whose_code_is_compressed_is_known_by_its_libraries_or_not_at_all) {
    Venv tree;
    add(tree, venv_site, "torch", "2.7.1+rocm6.3");
    tree.file(tree.in_site("torch/version.py"), "hip = '6.3.42131'\n");
    tree.call("device-code." + tree.in_site("torch/lib/libtorch_hip.so"), "packed\n");
    auto host = probe(tree);
    EXPECT_EQ(named(host, "torch")->gfx_targets.reason(), Missing::unsupported);
    tree.file(tree.in_site("torch/lib/rocblas/library/TensileLibrary_lazy_gfx1100.dat"));
    host = probe(tree);
    EXPECT_EQ(named(host, "torch")->gfx_targets.value(), Strings{"gfx1100"});
}

TEST(Torch, whose_code_is_all_compiled_in_has_a_reason) {
    Venv tree;
    add(tree, venv_site, "torch", "2.7.0");
    tree.file(tree.in_site("torch/version.py"), "hip = '6.4.43482'\n");
    auto const host = probe(tree);
    EXPECT_EQ(named(host, "torch")->gfx_targets.reason(), Missing::absent);
    EXPECT_EQ(named(host, "torch")->gfx_targets.detail(),
              "compiled into libtorch_hip.so; no file name tells them");
}

TEST(Torch, built_for_CUDA_or_CPUs_is_told_apart) {
    Venv tree;
    add(tree, venv_site, "torch", "2.7.0");
    tree.file(tree.in_site("torch/version.py"), "cuda: Optional[str] = '12.4'\nhip = None\n");
    auto host = probe(tree);
    EXPECT_EQ(named(host, "torch")->hip_version.reason(), Missing::unsupported);
    EXPECT_EQ(named(host, "torch")->hip_version.detail(), "this build of torch is for CUDA 12.4");
    EXPECT_EQ(named(host, "torch")->gfx_targets.reason(), Missing::unsupported);
    tree.file(tree.in_site("torch/version.py"), "cuda: Optional[str] = None\nhip = None\n");
    host = probe(tree);
    EXPECT_EQ(named(host, "torch")->hip_version.detail(), "this build of torch is for CPUs");
}

TEST(Torch, without_a_readable_version_file_says_why) {
    Venv tree;
    add(tree, venv_site, "torch", "2.7.0");
    auto host = probe(tree);
    EXPECT_EQ(named(host, "torch")->hip_version.reason(), Missing::not_recorded);
    tree.file(tree.in_site("torch/version.py"), "hip = 6\n");
    host = probe(tree);
    EXPECT_EQ(named(host, "torch")->hip_version.reason(), Missing::invalid);
}

TEST(Frameworks, the_sdk_lists_the_targets_of_its_libraries) {
    Venv tree;
    add(tree, venv_site, "rocm_sdk_libraries", "7.14.0");
    tree.directory(tree.in_site("_rocm_sdk_libraries/lib/rocblas/library/gfx1151"));
    tree.directory(tree.in_site("_rocm_sdk_libraries/lib/rocblas/library/gfx942"));
    auto const host = probe(tree);
    EXPECT_EQ(named(host, "rocm-sdk-libraries")->gfx_targets.value(),
              (Strings{"gfx942", "gfx1151"}));
}

}  // namespace
}  // namespace rocmtune
