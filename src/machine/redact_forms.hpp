// SPDX-License-Identifier: MIT
// Ids and addresses that tell by their form what they are. Each length is that of what stands at
// the start of a text and ends at the end of a word; 0: nothing does.
#pragma once

#include <cstddef>
#include <string_view>

namespace rocmtune {

/// A letter or digit; an underscore ends a word here.
bool is_word_character(char c);

/// How many hexadecimal digits the text starts with.
std::size_t hex_run(std::string_view text);

/// 8-4-4-4-12; cgroups of Kubernetes write underscores.
std::size_t uuid_length(std::string_view text);

/// Six groups of two with colons or hyphens, or more with colons (InfiniBand has twenty). `looked`
/// becomes how far a row of enough groups goes: if what follows makes it no address, then neither
/// is one that begins inside it.
std::size_t mac_length(std::string_view text, std::size_t& looked);

/// A hardware address in three groups of four with dots, or a GUID of InfiniBand in four with
/// colons.
std::size_t grouped_length(std::string_view text);

/// Global and private addresses, which start with 2, 3 or f and four digits: 2001:db8::1, fd12:...,
/// fe80::1; and those that hold an IPv4 address: ::ffff:10.1.2.3, 64:ff9b::a01:203.
std::size_t ipv6_length(std::string_view text);

/// Four numbers up to 255 without leading zeros.
std::size_t ipv4_length(std::string_view text);

}  // namespace rocmtune
