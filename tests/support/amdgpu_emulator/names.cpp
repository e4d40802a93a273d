// SPDX-License-Identifier: MIT
// Instructions that only changed their name. The newest one counts.
#include <string>
#include <unordered_map>

#include "operations.hpp"

namespace rocmtune::emulator {
namespace {

using Names = std::unordered_map<std::string, std::string>;

constexpr std::pair<char const*, char const*> renamed[] = {
    {"s_add_u32", "s_add_co_u32"},
    {"s_add_i32", "s_add_co_i32"},
    {"s_addc_u32", "s_add_co_ci_u32"},
    {"s_addk_i32", "s_addk_co_i32"},
    {"s_sub_u32", "s_sub_co_u32"},
    {"s_sub_i32", "s_sub_co_i32"},
    {"s_subb_u32", "s_sub_co_ci_u32"},
    {"s_andn2_b32", "s_and_not1_b32"},
    {"s_andn2_b64", "s_and_not1_b64"},
    {"s_orn2_b32", "s_or_not1_b32"},
    {"s_orn2_b64", "s_or_not1_b64"},
    {"s_andn2_saveexec_b32", "s_and_not1_saveexec_b32"},
    {"s_andn2_saveexec_b64", "s_and_not1_saveexec_b64"},
    {"s_andn1_saveexec_b64", "s_and_not0_saveexec_b64"},
    {"s_ff1_i32_b32", "s_ctz_i32_b32"},
    {"s_ff1_i32_b64", "s_ctz_i32_b64"},
    {"s_flbit_i32_b32", "s_clz_i32_u32"},
    {"v_add_u32", "v_add_nc_u32"},
    {"v_sub_u32", "v_sub_nc_u32"},
    {"v_subrev_u32", "v_subrev_nc_u32"},
    {"v_add_i32", "v_add_nc_i32"},
    {"v_sub_i32", "v_sub_nc_i32"},
    {"v_add_u16", "v_add_nc_u16"},
    {"v_sub_u16", "v_sub_nc_u16"},
    {"v_addc_co_u32", "v_add_co_ci_u32"},
    {"v_subb_co_u32", "v_sub_co_ci_u32"},
    {"v_subbrev_co_u32", "v_subrev_co_ci_u32"},
    {"v_mad_u64_u32", "v_mad_co_u64_u32"},
    {"v_mad_i64_i32", "v_mad_co_i64_i32"},
    {"v_ffbh_u32", "v_clz_i32_u32"},
    {"v_ffbl_b32", "v_ctz_i32_b32"},
    {"v_max_f32", "v_max_num_f32"},
    {"v_min_f32", "v_min_num_f32"},
    {"v_max_f64", "v_max_num_f64"},
    {"v_min_f64", "v_min_num_f64"},
    {"v_rcp_iflag_f32", "v_rcp_f32"},
    {"v_mfma_f64_16x16x4_f64", "v_mfma_f64_16x16x4f64"},
    {"v_mfma_f32_32x32x2_f32", "v_mfma_f32_32x32x2f32"},
    {"v_mfma_f32_16x16x4_f32", "v_mfma_f32_16x16x4f32"},
    {"v_mfma_f32_32x32x8_f16", "v_mfma_f32_32x32x8f16"},
    {"v_mfma_f32_16x16x16_f16", "v_mfma_f32_16x16x16f16"},
    {"v_mfma_f32_32x32x8_bf16", "v_mfma_f32_32x32x8bf16_1k"},
    {"v_mfma_f32_16x16x16_bf16", "v_mfma_f32_16x16x16bf16_1k"},
};

/// Sizes: dwordx4 became b128.
constexpr std::pair<char const*, char const*> sizes[] = {
    {"dword", "b32"},    {"dwordx2", "b64"},  {"dwordx3", "b96"},
    {"dwordx4", "b128"}, {"dwordx8", "b256"}, {"dwordx16", "b512"},
};
constexpr std::pair<char const*, char const*> parts[] = {
    {"load_ubyte", "load_u8"},
    {"load_sbyte", "load_i8"},
    {"load_ushort", "load_u16"},
    {"load_sshort", "load_i16"},
    {"load_short_d16", "load_d16_b16"},
    {"load_short_d16_hi", "load_d16_hi_b16"},
    {"load_ubyte_d16", "load_d16_u8"},
    {"load_ubyte_d16_hi", "load_d16_hi_u8"},
    {"store_byte", "store_b8"},
    {"store_short", "store_b16"},
    {"store_byte_d16_hi", "store_d16_hi_b8"},
    {"store_short_d16_hi", "store_d16_hi_b16"},
};
constexpr std::pair<char const*, char const*> atomics[] = {
    {"add", "add_u"},  {"sub", "sub_u"},   {"smin", "min_i"},        {"umin", "min_u"},
    {"smax", "max_i"}, {"umax", "max_u"},  {"and", "and_b"},         {"or", "or_b"},
    {"xor", "xor_b"},  {"swap", "swap_b"}, {"cmpswap", "cmpswap_b"},
};

void add_memory(Names& names) {
    std::string const global = "global_";
    for (auto const& [old, size] : sizes) {
        names["s_load_" + std::string(old)] = "s_load_" + std::string(size);
        for (std::string const place : {"global_", "scratch_", "buffer_"}) {
            names[place + "load_" + old] = place + "load_" + size;
            names[place + "store_" + old] = place + "store_" + size;
        }
    }
    for (auto const& [old, part] : parts) names[global + old] = global + part;
    for (auto const& [old, operation] : atomics) {
        names[global + "atomic_" + old] = global + "atomic_" + operation + "32";
        names[global + "atomic_" + old + "_x2"] = global + "atomic_" + operation + "64";
    }
}

void add_lds(Names& names) {
    for (std::string const bits : {"b32", "b64", "b96", "b128", "u8", "i8", "u16", "i16"})
        names["ds_read_" + bits] = "ds_load_" + bits;
    for (std::string const bits : {"b8", "b16", "b32", "b64", "b96", "b128"})
        names["ds_write_" + bits] = "ds_store_" + bits;
    for (std::string const bits : {"b32", "b64"}) {
        names["ds_read2_" + bits] = "ds_load_2addr_" + bits;
        names["ds_write2_" + bits] = "ds_store_2addr_" + bits;
        names["ds_read2st64_" + bits] = "ds_load_2addr_stride64_" + bits;
        names["ds_write2st64_" + bits] = "ds_store_2addr_stride64_" + bits;
    }
}

Names all_names() {
    Names names(std::begin(renamed), std::end(renamed));
    add_memory(names);
    add_lds(names);
    return names;
}

}  // namespace

std::string current_name(std::string name) {
    static auto const names = all_names();
    // Where an address lies decides, not which of the two was written.
    if (name.starts_with("flat_")) name.replace(0, 5, "global_");
    auto const found = names.find(name);
    return found == names.end() ? name : found->second;
}

}  // namespace rocmtune::emulator
