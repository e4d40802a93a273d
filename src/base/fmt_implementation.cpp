// SPDX-License-Identifier: MIT
// fmt itself, for the portable program (cmake/portable.cmake): its headers define the functions
// here, and its templates are instantiated for char, which is all that we print.
#include <fmt/format-inl.h>
#include <fmt/os.h>

FMT_BEGIN_NAMESPACE

namespace detail {

template auto dragonbox::to_decimal(float) noexcept -> dragonbox::decimal_fp<float>;
template auto dragonbox::to_decimal(double) noexcept -> dragonbox::decimal_fp<double>;
template auto thousands_sep_impl(locale_ref) -> thousands_sep_result<char>;
template auto decimal_point_impl(locale_ref) -> char;
template void buffer<char>::append(char const*, char const*);
template void vformat_to(buffer<char>&, string_view, basic_format_args<buffer_context<char>>,
                         locale_ref);

}  // namespace detail

FMT_END_NAMESPACE
