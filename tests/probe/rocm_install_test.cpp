// SPDX-License-Identifier: MIT
// ROCm installations: where they lie, which version they are, which one programs get.
#include <cerrno>

#include <gtest/gtest.h>

#include "probe/loader.hpp"
#include "probe/reader.hpp"
#include "probe/rocm_discovery.hpp"
#include "support/ld_cache_image.hpp"
#include "support/tree.hpp"

namespace rocmtune {
namespace {

using test::Tree;
using Strings = std::vector<std::string>;

Host probe(Tree const& tree) {
    Host host;
    read_rocm_installations(tree.context(), host);
    return host;
}

/// A prefix as AMD's packages make it: links from the soname and the bare name to the file.
void install(Tree& tree, std::string const& prefix, std::string const& hip_version) {
    auto const file = "libamdhip64.so." + hip_version;
    auto const soname = "libamdhip64.so." + hip_version.substr(0, hip_version.find('.'));
    tree.file(prefix + "/lib/" + file);
    if (soname != file) tree.link(prefix + "/lib/" + soname, file);
    tree.link(prefix + "/lib/libamdhip64.so", soname);
}

RocmInstallation const* at(Host const& host, std::string_view path) {
    for (auto const& installation : *host.rocm_installations)
        if (installation.path == path) return &installation;
    return nullptr;
}

TEST(RocmLibrary, is_told_by_its_file_name) {
    EXPECT_EQ(parse_library_file("libamdhip64.so")->version, "");
    EXPECT_EQ(parse_library_file("libamdhip64.so.6.3.60300")->version, "6.3.60300");
    EXPECT_EQ(parse_library_file("libamdhip64.so.10.0")->major(), "10");
    EXPECT_EQ(parse_library_file("libamdhip64-46b24d76.so.4.2")->name, "libamdhip64");
    for (auto const* const name :
         {"libamdhip64.so.6.debug", "libamdhip64.so.", "libamdhip64.soo", "libamdhip64.a",
          "libhiprtc-builtins.so.6", "libz.so.1", "amdhip64.so", ".so", "", "libamdhip64.so.6~"})
        EXPECT_FALSE(parse_library_file(name)) << name;
}

TEST(RocmLibrary, of_several_files_the_highest_version_by_component_counts) {
    Strings const names{"libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.7.14.0",
                        "libamdhip64.so.10.0", "libamdhip64.so.10"};
    auto const scan = scan_libraries(names);
    EXPECT_EQ(scan.files.at("libamdhip64"), "libamdhip64.so.10.0");
    EXPECT_EQ(scan.hip_majors, (std::set<std::string>{"10", "7"}));
}

TEST(RocmInstall, a_link_and_its_target_are_one_installation) {
    Tree tree;
    install(tree, "/opt/rocm-6.3.0", "6.3.60300");
    tree.file("/opt/rocm-6.3.0/.info/version", "6.3.0-39\n");
    tree.link("/opt/rocm", "/etc/alternatives/rocm");
    tree.link("/etc/alternatives/rocm", "/opt/rocm-6.3.0");
    tree.environment("ROCM_PATH", "/opt/rocm/");
    tree.file("/etc/ld.so.conf", "/opt/rocm/lib\n");
    auto const host = probe(tree);
    ASSERT_TRUE(host.rocm_installations);
    ASSERT_EQ(host.rocm_installations->size(), 1U);
    auto const& rocm = host.rocm_installations->front();
    EXPECT_EQ(rocm.path, "/opt/rocm-6.3.0");
    EXPECT_EQ(rocm.kind, "opt");
    EXPECT_EQ(rocm.found_as, (Strings{"ROCM_PATH", "/opt/rocm", "/etc/ld.so.conf"}));
    EXPECT_EQ(rocm.version.value(), "6.3.0-39");
    EXPECT_EQ(rocm.version.source().where, "/opt/rocm-6.3.0/.info/version");
    EXPECT_EQ(rocm.libraries.at("libamdhip64"), "libamdhip64.so.6.3.60300");
    EXPECT_TRUE(rocm.selected);
    EXPECT_EQ(host.hip_runtime_path.value(), "/opt/rocm/lib/libamdhip64.so.6");
    EXPECT_EQ(host.hip_runtime_reason.value(), "listed in /etc/ld.so.conf");
    EXPECT_EQ(host.hip_runtime_majors.value(), Strings{"6"});
}

TEST(RocmInstall, every_installation_is_listed_and_the_one_in_use_marked) {
    Tree tree;
    install(tree, "/opt/rocm-5.7.1", "5.7.50701");
    install(tree, "/opt/rocm-6.3.0", "6.3.60300");
    install(tree, "/opt/rocm-10.0.0", "10.0.100000");
    tree.link("/opt/rocm", "rocm-6.3.0");
    tree.file("/etc/ld.so.conf", "/opt/rocm-6.3.0/lib\n/opt/rocm-5.7.1/lib\n");
    auto const host = probe(tree);
    Strings paths;
    for (auto const& rocm : *host.rocm_installations) paths.push_back(rocm.path);
    EXPECT_EQ(paths, (Strings{"/opt/rocm-5.7.1", "/opt/rocm-6.3.0", "/opt/rocm-10.0.0"}));
    EXPECT_TRUE(at(host, "/opt/rocm-6.3.0")->selected);
    EXPECT_FALSE(at(host, "/opt/rocm-5.7.1")->selected);
    EXPECT_EQ(at(host, "/opt/rocm-5.7.1")->version.value(), "5.7.1");
    EXPECT_EQ(host.hip_runtime_majors.value(), (Strings{"5", "6", "10"}));
    EXPECT_EQ(host.hip_runtime_reason.value(),
              "listed in /etc/ld.so.conf; programs linked with libamdhip64.so.5 get "
              "/opt/rocm-5.7.1/lib/libamdhip64.so.5");
}

TEST(RocmInstall, packages_of_the_rock_lie_in_core) {
    Tree tree;
    install(tree, "/opt/rocm/core-7.12", "7.12.0");
    tree.file("/opt/rocm/core-7.12/.info/version", "7.12.0\n");
    tree.link("/opt/rocm/core", "core-7.12").link("/opt/rocm/lib", "core/lib");
    auto const host = probe(tree);
    ASSERT_EQ(host.rocm_installations->size(), 1U);
    auto const& rocm = host.rocm_installations->front();
    EXPECT_EQ(rocm.path, "/opt/rocm/core-7.12");
    EXPECT_EQ(rocm.kind, "core");
    EXPECT_EQ(rocm.found_as, (Strings{"/opt/rocm", "/opt/rocm/core"}));
    EXPECT_EQ(rocm.version.value(), "7.12.0");
}

TEST(RocmInstall, the_old_hip_directory_is_part_of_its_parent) {
    Tree tree;
    install(tree, "/opt/rocm-5.4.0", "5.4.50400");
    tree.link("/opt/rocm-5.4.0/hip/lib/libamdhip64.so.5", "../../lib/libamdhip64.so.5");
    tree.environment("HIP_PATH", "/opt/rocm-5.4.0/hip");
    auto const host = probe(tree);
    ASSERT_EQ(host.rocm_installations->size(), 1U);
    EXPECT_EQ(host.rocm_installations->front().path, "/opt/rocm-5.4.0");
    EXPECT_EQ(host.rocm_installations->front().found_as, Strings{"HIP_PATH"});
}

TEST(RocmInstall, a_runtime_that_the_loader_misses_has_a_reason) {
    Tree tree;
    install(tree, "/opt/rocm-6.3.0", "6.3.60300");
    tree.link("/opt/rocm", "rocm-6.3.0").file("/etc/ld.so.conf", "/usr/local/lib\n");
    auto const host = probe(tree);
    EXPECT_FALSE(host.hip_runtime_path);
    EXPECT_EQ(host.hip_runtime_path.reason(), Missing::absent);
    EXPECT_EQ(host.hip_runtime_reason.value(),
              "not found by the loader: no ld.so.conf.d entry names /opt/rocm/lib, nor does "
              "LD_LIBRARY_PATH");
    EXPECT_EQ(host.hip_runtime_path.detail(), *host.hip_runtime_reason);
    EXPECT_FALSE(host.rocm_installations->front().selected);
}

TEST(RocmInstall, a_cache_that_is_older_than_its_configuration_is_named) {
    Tree tree;
    install(tree, "/opt/rocm-6.3.0", "6.3.60300");
    tree.file("/etc/ld.so.conf", "/opt/rocm-6.3.0/lib\n");
    tree.file("/etc/ld.so.cache", test::cache_image({{"libc.so.6", "/lib64/libc.so.6"}}));
    EXPECT_EQ(probe(tree).hip_runtime_reason.value(),
              "not found by the loader: /etc/ld.so.conf names /opt/rocm-6.3.0/lib, but ldconfig "
              "has not put it into /etc/ld.so.cache");
}

TEST(RocmInstall, a_prefix_elsewhere_counts_when_the_loader_searches_it) {
    Tree tree;
    install(tree, "/spack/hip-6.2.0-abc", "6.2.60200");
    tree.file("/spack/hip-6.2.0-abc/.info/version", "not a version");
    tree.environment("LD_LIBRARY_PATH", "/spack/hip-6.2.0-abc/lib:/home/me/lib");
    auto const host = probe(tree);
    ASSERT_EQ(host.rocm_installations->size(), 1U);
    auto const& rocm = host.rocm_installations->front();
    EXPECT_EQ(rocm.path, "/spack/hip-6.2.0-abc");
    EXPECT_EQ(rocm.kind, "other");
    EXPECT_EQ(rocm.found_as, Strings{"LD_LIBRARY_PATH"});
    EXPECT_TRUE(rocm.selected);
}

TEST(RocmInstall, PATH_names_installations_but_makes_none) {
    Tree tree;
    install(tree, "/opt/rocm-6.3.0", "6.3.60300");
    tree.file("/home/me/tools/bin/hipcc");
    tree.environment("PATH", "/home/me/tools/bin:/opt/rocm-6.3.0/bin:/usr/bin");
    auto const host = probe(tree);
    ASSERT_EQ(host.rocm_installations->size(), 1U);
    EXPECT_EQ(host.rocm_installations->front().found_as, Strings{"PATH"});
}

TEST(RocmInstall, directories_that_hold_no_rocm_are_none) {
    Tree tree;
    tree.directory("/opt/rocm-5.0.0/lib").file("/opt/rocm-6.0.0/lib/libz.so.1");
    tree.file("/opt/rocmtune/lib/libamdhip64.so.6").directory("/usr/lib");
    tree.environment("ROCM_PATH", "/opt/rocm-5.0.0").environment("HIP_PATH", "/opt/nowhere");
    auto const host = probe(tree);
    ASSERT_TRUE(host.rocm_installations);
    EXPECT_TRUE(host.rocm_installations->empty());
    EXPECT_EQ(host.hip_runtime_majors.reason(), Missing::absent);
}

TEST(RocmInstall, a_tree_without_the_places_says_nothing) {
    Tree tree;
    tree.file("/sys/class/kfd/kfd/topology/generation_id", "2");
    auto const host = probe(tree);
    EXPECT_EQ(host.rocm_installations.reason(), Missing::not_recorded);
    EXPECT_EQ(host.hip_runtime_path.reason(), Missing::not_recorded);
    EXPECT_EQ(host.hip_runtime_reason.reason(), Missing::not_recorded);
}

TEST(RocmInstall, an_unreadable_prefix_is_listed_with_the_reason) {
    Tree tree;
    install(tree, "/opt/rocm-6.3.0", "6.3.60300");
    tree.directory("/opt/rocm/lib").directory("/opt/rocm/lib64").file("/opt/rocm/.info/version");
    for (auto const* const path : {"/opt/rocm/lib", "/opt/rocm/.info"}) tree.fail(path, EACCES);
    auto const host = probe(tree);
    ASSERT_EQ(host.rocm_installations->size(), 2U);
    auto const* const rocm = at(host, "/opt/rocm");
    ASSERT_NE(rocm, nullptr);
    EXPECT_EQ(rocm->version.reason(), Missing::denied);
    EXPECT_EQ(rocm->version.detail(), "/opt/rocm/.info: EACCES");
}

TEST(RocmInstall, a_list_that_may_lack_an_installation_says_so) {
    Tree tree;
    install(tree, "/opt/rocm-6.3.0", "6.3.60300");
    EXPECT_EQ(probe(tree).rocm_installations.limit(), "");
    tree.directory("/usr/lib64").fail("/usr/lib64", EIO);
    auto const host = probe(tree);
    EXPECT_EQ(host.rocm_installations->size(), 1U);
    EXPECT_EQ(host.rocm_installations.limit(), "failed: /usr/lib64: EIO");
}

TEST(RocmInstall, loops_and_garbage_give_reasons) {
    Tree tree;
    tree.link("/opt/rocm", "/opt/rocm-6.0.0").link("/opt/rocm-6.0.0", "/opt/rocm");
    EXPECT_EQ(probe(tree).rocm_installations.reason(), Missing::invalid);
    install(tree, "/opt/rocm-6.3.0", "6.3.60300");
    tree.file("/opt/rocm-6.3.0/.info/version", std::string("\x01\x02\xff\0garbage", 11));
    tree.file("/opt/rocm-6.3.0/.info/version-rocm", "");
    tree.file("/etc/ld.so.cache", std::string(100, '\xff'));
    auto const host = probe(tree);
    ASSERT_EQ(host.rocm_installations->size(), 1U);
    EXPECT_EQ(host.rocm_installations->front().version.value(), "6.3.0");
    EXPECT_EQ(host.rocm_installations->front().version.source().where, "/opt/rocm-6.3.0");
    EXPECT_EQ(host.hip_runtime_reason.value(),
              "not found by the loader: /etc/ld.so.cache is damaged, so only LD_LIBRARY_PATH and "
              "default directories count");
}

TEST(RocmInstall, control_characters_of_names_are_not_printed_raw) {
    Tree tree;
    install(tree, "/opt/rocm-\x1b[31m", "6.3.60300");
    auto const host = probe(tree);
    EXPECT_EQ(host.rocm_installations->front().path, "/opt/rocm-\\x1b[31m");
    EXPECT_FALSE(host.rocm_installations->front().version.value_or("").starts_with('\x1b'));
}

TEST(RocmInstall, hundreds_of_installations_are_cut) {
    Tree tree;
    for (int i = 0; i < 200; ++i) tree.file("/opt/rocm-6." + std::to_string(i) + "/.info/version");
    EXPECT_LE(probe(tree).rocm_installations->size(), 64U);
}

// ---- distributions ------------------------------------------------------------------------------

constexpr std::string_view dpkg_status =
    "Package: libamdhip64-7\nStatus: deinstall ok config-files\nVersion: 7.1.0-1\n\n"
    "Package: libamdhip64-dev\nStatus: install ok installed\nVersion: 9.9-1\n\n"
    "Package: libamdhip64-5\nStatus: install ok installed\nVersion: 5.2.3-8\n"
    "Description: Package: libamdhip64-9\n\n"
    "Package: librocm-smi64-1\nStatus: install ok installed\nVersion: 5.2.3-2\n";

TEST(Dpkg, the_newest_installed_numbered_package_counts) {
    auto const package = find_debian_package(dpkg_status, "libamdhip64-");
    ASSERT_TRUE(package);
    EXPECT_EQ(package->name, "libamdhip64-5");
    EXPECT_EQ(package->version, "5.2.3-8");
    EXPECT_FALSE(find_debian_package(dpkg_status, "libhsa-runtime64-"));
    EXPECT_FALSE(find_debian_package("Package: libamdhip64-5", "libamdhip64-"));
}

TEST(RocmInstall, debian_packages_are_one_installation) {
    Tree tree;
    tree.file("/usr/lib/x86_64-linux-gnu/libamdhip64.so.5.2.21153");
    tree.link("/usr/lib/x86_64-linux-gnu/libamdhip64.so.5", "libamdhip64.so.5.2.21153");
    tree.file("/usr/lib/librocm_smi64.so.1.0").link("/lib", "usr/lib");
    tree.file("/var/lib/dpkg/status", dpkg_status).directory("/opt");
    tree.environment("ROCM_PATH", "/usr").environment("PATH", "/usr/bin");
    tree.file("/etc/ld.so.conf", "/lib/x86_64-linux-gnu\n");
    auto const host = probe(tree);
    ASSERT_EQ(host.rocm_installations->size(), 1U);
    auto const& rocm = host.rocm_installations->front();
    EXPECT_EQ(rocm.path, "/usr");
    EXPECT_EQ(rocm.kind, "distribution");
    EXPECT_EQ(rocm.found_as, Strings{"ROCM_PATH"});
    EXPECT_EQ(rocm.version.value(), "5.2.3-8");
    EXPECT_EQ(rocm.version.source().where, "/var/lib/dpkg/status:libamdhip64-5");
    EXPECT_EQ(rocm.libraries.at("librocm_smi64"), "librocm_smi64.so.1.0");
    EXPECT_TRUE(rocm.selected);
    EXPECT_EQ(host.hip_runtime_path.value(), "/lib/x86_64-linux-gnu/libamdhip64.so.5");
    EXPECT_EQ(host.hip_runtime_reason.value(), "default library directory");
}

TEST(RocmInstall, fedora_packages_have_the_version_of_their_file) {
    Tree tree;
    tree.file("/usr/lib64/libamdhip64.so.6.2.41134")
        .link("/usr/lib64/libamdhip64.so.6", "libamdhip64.so.6.2.41134");
    tree.file("/usr/lib64/rocm/gfx942/lib/librocblas.so.4.2").file("/etc/ld.so.conf");
    auto const host = probe(tree);
    ASSERT_EQ(host.rocm_installations->size(), 1U);
    auto const& rocm = host.rocm_installations->front();
    EXPECT_EQ(rocm.path, "/usr");
    EXPECT_EQ(rocm.version.value(), "6.2.41134");
    EXPECT_EQ(rocm.libraries.at("librocblas"), "librocblas.so.4.2");
    EXPECT_TRUE(rocm.selected);
}

// ---- Python wheels ------------------------------------------------------------------------------

constexpr std::string_view site = "/venv/lib/python3.12/site-packages/";

std::string in_site(std::string_view name) {
    return std::string(site) + std::string(name);
}

TEST(RocmInstall, the_sdk_wheels_are_one_installation) {
    Tree tree;
    tree.file(in_site("_rocm_sdk_core/lib/libamdhip64.so.7"));
    tree.file(in_site("_rocm_sdk_libraries_gfx94X_dcgpu/lib/librocblas.so.5"));
    tree.file(in_site("rocm_sdk_core-7.10.0.dist-info/METADATA"),
              "Metadata-Version: 2.1\nName: rocm-sdk-core\nVersion: 7.10.0\n");
    tree.environment("VIRTUAL_ENV", "/venv").file("/etc/ld.so.conf");
    auto const host = probe(tree);
    ASSERT_EQ(host.rocm_installations->size(), 1U);
    auto const& rocm = host.rocm_installations->front();
    EXPECT_EQ(rocm.path, in_site("_rocm_sdk_core"));
    EXPECT_EQ(rocm.kind, "python-wheel");
    EXPECT_EQ(rocm.version.value(), "7.10.0");
    EXPECT_EQ(rocm.libraries.at("librocblas"), "librocblas.so.5");
    EXPECT_EQ(host.hip_runtime_majors.value(), Strings{"7"});
    EXPECT_EQ(host.hip_runtime_reason.value(),
              "not found by the loader: only Python packages have one, for their own use");
}

TEST(RocmInstall, a_torch_wheel_that_bundles_the_runtime_is_one) {
    Tree tree;
    tree.file(in_site("torch/lib/libamdhip64.so")).environment("VIRTUAL_ENV", "/venv");
    tree.file(in_site("torch/version.py"), "hip: Optional[str] = '6.2.41133-dd7f95766'\n");
    tree.file(in_site("torch-2.5.1+rocm6.2.dist-info/METADATA"), "Version: 2.5.1+rocm6.2\n");
    auto const host = probe(tree);
    ASSERT_EQ(host.rocm_installations->size(), 1U);
    EXPECT_EQ(host.rocm_installations->front().path, in_site("torch"));
    EXPECT_EQ(host.rocm_installations->front().version.value(), "6.2");
    EXPECT_EQ(host.hip_runtime_majors.value(), Strings{"6"});
}

TEST(RocmInstall, a_torch_wheel_states_its_rocm_since_2_10) {
    Tree tree;
    tree.file(in_site("torch/lib/libamdhip64.so")).environment("VIRTUAL_ENV", "/venv");
    tree.file(in_site("torch/version.py"),
              "hip: Optional[str] = '7.15.26333'\nrocm: Optional[str] = '10.0.0'\n");
    auto const host = probe(tree);
    EXPECT_EQ(host.rocm_installations->front().version.value(), "10.0.0");
    EXPECT_EQ(host.hip_runtime_majors.value(), Strings{"7"});
}

TEST(RocmInstall, a_torch_whose_runtime_is_a_link_uses_the_installation_behind_it) {
    Tree tree;
    install(tree, "/opt/rocm-6.3.0", "6.3.60300");
    tree.link(in_site("torch/lib/libamdhip64.so"), "/opt/rocm-6.3.0/lib/libamdhip64.so.6");
    tree.environment("VIRTUAL_ENV", "/venv");
    auto const host = probe(tree);
    ASSERT_EQ(host.rocm_installations->size(), 1U);
    EXPECT_EQ(host.rocm_installations->front().path, "/opt/rocm-6.3.0");
    EXPECT_EQ(host.rocm_installations->front().kind, "opt");
}

TEST(LibraryTargets, come_from_code_and_from_names_of_databases) {
    Tree tree;
    tree.file("/opt/rocm-6.4.1/lib/libamdhip64.so.6.4.60401")
        .file("/opt/rocm-6.4.1/lib/librccl.so.1.0.60401")
        .file("/opt/rocm-6.4.1/lib/libMIOpen.so.1.0.60401")
        .file("/opt/rocm-6.4.1/share/miopen/db/gfx90a68.kdb")
        .file("/opt/rocm-6.4.1/share/miopen/db/gfx90a6e.kdb")
        .file("/opt/rocm-6.4.1/share/miopen/db/gfx1030_36.db.txt")
        .file("/etc/ld.so.conf")
        .call("device-code./opt/rocm-6.4.1/lib/librccl.so.1.0.60401", "gfx1100\ngfx90a\n");
    Host host;
    read_rocm_installations(tree.context(), host);
    auto const& targets = host.rocm_installations->front().gfx_targets;
    EXPECT_EQ(targets.at("librccl"), (std::vector<std::string>{"gfx1100", "gfx90a"}));
    EXPECT_EQ(targets.at("libMIOpen"), (std::vector<std::string>{"gfx90a"}));
}

}  // namespace
}  // namespace rocmtune
