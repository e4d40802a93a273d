// SPDX-License-Identifier: MIT
// What Python packages leave on disk, taken apart.
#include "probe/python_environment.hpp"

#include <gtest/gtest.h>

namespace rocmtune {
namespace {

TEST(PythonMetadata, names_are_compared_in_one_spelling) {
    EXPECT_EQ(normalised_name("Flash_Attn"), "flash-attn");
    EXPECT_EQ(normalised_name("jax__rocm60.-_plugin"), "jax-rocm60-plugin");
    EXPECT_EQ(normalised_name(""), "");
}

TEST(PythonMetadata, entries_of_site_packages_name_package_and_version) {
    using Kind = MetadataEntry::Kind;
    auto const wheel = parse_metadata_entry("torch-2.5.1+rocm6.2.dist-info");
    ASSERT_TRUE(wheel);
    EXPECT_EQ(wheel->kind, Kind::dist_info);
    EXPECT_EQ(wheel->name, "torch");
    EXPECT_EQ(wheel->version, "2.5.1+rocm6.2");
    auto const debian = parse_metadata_entry("torch-1.13.0a0-py3.11-linux-x86_64.egg-info");
    EXPECT_EQ(debian->version, "1.13.0a0");
    EXPECT_EQ(parse_metadata_entry("pytorch_triton_rocm-3.2.0.dist-info")->name,
              "pytorch-triton-rocm");
    EXPECT_EQ(parse_metadata_entry("flash-attn-2.7.4.egg-info")->name, "flash-attn");
    EXPECT_EQ(parse_metadata_entry("aiter.egg-link")->kind, Kind::egg_link);
    EXPECT_EQ(parse_metadata_entry("aiter.egg-info")->version, "");
    for (auto const* const name : {"torch", "torch-2.5.1", ".dist-info", "torch.dist-info.bak", ""})
        EXPECT_FALSE(parse_metadata_entry(name)) << name;
}

TEST(PythonMetadata, headers_end_where_the_description_begins) {
    auto const metadata = parse_package_metadata(
        "Metadata-Version: 2.1\r\nNAME: torch\r\nVersion: 2.5.1\r\n\r\nVersion: 9\nName: other\n");
    EXPECT_EQ(metadata.name, "torch");
    EXPECT_EQ(metadata.version, "2.5.1");
    EXPECT_EQ(parse_package_metadata("\nVersion: 9\n").version, "");
    EXPECT_EQ(parse_package_metadata("Versions: 9\nVersion").version, "");
}

TEST(PythonMetadata, versions_have_no_odd_characters) {
    EXPECT_TRUE(is_python_version("1!2.5.1.post1+rocm6.2.git76481f7c"));
    EXPECT_TRUE(is_python_version("6.2.41133-dd7f95766"));
    EXPECT_FALSE(is_python_version(""));
    EXPECT_FALSE(is_python_version("2.5 1"));
    EXPECT_FALSE(is_python_version("2.5\x1b[0m"));
    EXPECT_FALSE(is_python_version(std::string(200, '1')));
}

TEST(PythonMetadata, constants_are_found_with_and_without_a_type) {
    constexpr std::string_view source =
        "from typing import Optional\n"
        "__all__ = ['__version__', 'hip']\n"
        "hipster = 'no'\n"
        "    hip = 'indented'\n"
        "cuda: Optional[str] = None\n"
        "hip: Optional[str] = '6.2.41133-dd7f95766'\r\n"
        "rocm : \"str | None\" = \"7.2.0\"  # comment\n"
        "xpu = 'unterminated\n";
    EXPECT_EQ(find_python_constant(source, "hip")->text, "6.2.41133-dd7f95766");
    EXPECT_EQ(find_python_constant(source, "rocm")->text, "7.2.0");
    EXPECT_TRUE(find_python_constant(source, "cuda")->is_none);
    EXPECT_FALSE(find_python_constant(source, "xpu"));
    EXPECT_FALSE(find_python_constant(source, "git_version"));
    EXPECT_FALSE(find_python_constant("hip == 'x'\nhip: str\nhip =\nhip = '\n", "hip"));
}

struct TargetCase {
    char const* file;
    char const* target;  ///< empty: none
};

class GfxTargetInName : public testing::TestWithParam<TargetCase> {};

TEST_P(GfxTargetInName, is_found_without_its_features) {
    EXPECT_EQ(gfx_target_in(GetParam().file).value_or(""), GetParam().target);
}

INSTANTIATE_TEST_SUITE_P(
    Files, GfxTargetInName,
    testing::Values(TargetCase{"TensileLibrary_lazy_gfx942.dat", "gfx942"},
                    TargetCase{"Kernels.so-000-gfx90a-xnack+.hsaco", "gfx90a"},
                    TargetCase{"torch_gfx90a:xnack-.kpack", "gfx90a"},
                    TargetCase{"gfx1151", "gfx1151"}, TargetCase{"extop_gfx1201.co", "gfx1201"},
                    TargetCase{"Kernels.so-000-gfx9-4-generic.hsaco", "gfx9-4-generic"},
                    TargetCase{"torch_gfx11-generic.kpack", "gfx11-generic"},
                    TargetCase{"amd-gfx11xx", ""}, TargetCase{"amd_torch_device_gfx115x", ""},
                    TargetCase{"amd-gfx120x.gfx1201", "gfx1201"}, TargetCase{"mygfx942", ""},
                    TargetCase{"gfx", ""}, TargetCase{"gfxabc", ""}, TargetCase{"gfx12345", ""},
                    TargetCase{"gfx11", ""}, TargetCase{"", ""}));

TEST(PythonMetadata, a_local_version_label_names_rocm) {
    EXPECT_EQ(rocm_version_in("2.5.1+rocm6.2"), "6.2");
    EXPECT_EQ(rocm_version_in("2.9.1+rocm7.13.0.git1234"), "7.13.0");
    EXPECT_EQ(rocm_version_in("2.7.0a0+rocmsdk20250608"), std::nullopt);
    EXPECT_EQ(rocm_version_in("2.5.1+cu124"), std::nullopt);
    EXPECT_EQ(rocm_version_in("2.5.1"), std::nullopt);
    EXPECT_EQ(rocm_version_in("rocm6.2"), std::nullopt);
}

TEST(PythonMetadata, requirements_are_read_up_to_the_description) {
    constexpr std::string_view text =
        "Metadata-Version: 2.1\n"
        "Name: torchvision\n"
        "requires-dist: torch (==2.9.1)\n"
        "Requires-Dist: pillow >=5.3 ; extra == 'all'\n"
        "Requires-Dist: triton; platform_system == \"Linux\"\n"
        "Requires-Dist:\n"
        "\n"
        "Requires-Dist: text of the description\n";
    auto const found = requirements_in(text);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(required_name(found[0]), "torch");
    EXPECT_EQ(required_name(found[1]), "triton");
    EXPECT_EQ(required_name("Torch_Vision[x]>=1"), "torch-vision");
    EXPECT_EQ(required_name(""), "");
}

}  // namespace
}  // namespace rocmtune
