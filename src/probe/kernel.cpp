// SPDX-License-Identifier: MIT
// Reader `kernel`: name, kernel, distribution, firmware, command line and memory settings.
#include <algorithm>

#include "base/text.hpp"
#include "knowledge/scrub.hpp"
#include "probe/parsers.hpp"
#include "probe/reader.hpp"
#include "probe/tried.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view kernel_reader = "kernel";

using Strings = std::vector<std::string>;

/// The value of a quoted or bare assignment; nothing if a quote stays open or text follows it.
std::optional<std::string> unquote(std::string_view text) {
    std::string value;
    char quote = '\0';
    for (std::size_t i = 0; i < text.size(); ++i) {
        auto const c = text[i];
        if (quote == '\0' && (c == '"' || c == '\'')) {
            quote = c;
        } else if (quote != '\0' && c == quote) {
            quote = '\0';
        } else if (quote == '\0' && (c == ' ' || c == '\t')) {
            return std::nullopt;
        } else if (c == '\\' && quote != '\'') {
            if (++i == text.size()) return std::nullopt;
            // POSIX shell, 2.2.3: between double quotes only these four lose their backslash.
            if (quote == '"' && std::string_view("$\"\\`").find(text[i]) == std::string_view::npos)
                value += '\\';
            value += text[i];
        } else {
            value += c;
        }
    }
    return quote == '\0' ? std::optional(value) : std::nullopt;
}

/// Such a name in the manner of shells, except that it may begin with a digit.
bool is_assignment_name(std::string_view name) {
    auto const fits = [](char c) { return is_letter(c) || is_digit(c) || c == '_'; };
    return !name.empty() && std::all_of(name.begin(), name.end(), fits);
}

/// Offers what `parse` makes of the first of several places that has text.
template <class T, class Parse>
void offer_first(HostRoot const& root, std::initializer_list<std::string_view> places,
                 Fact<T>& fact, Parse&& parse) {
    Tried tried;
    auto const found = first_text(root, places, tried);
    if (!found) return tried.state(fact);
    if (auto value = parse(std::string_view(found->text))) {
        fact.offer(T(std::move(*value)), {kernel_reader, found->where});
    } else {
        fact.miss(Missing::invalid, found->where + ": unexpected text");
    }
}

/// Host names and architectures are one word.
std::optional<std::string> one_word(std::string_view text) {
    if (words(text).size() != 1) return std::nullopt;
    return std::string(text);
}

void read_names(HostRoot const& root, Host& host) {
    // The files stand in where a tree has no answers to system calls.
    offer_first(root, {"uname.nodename", "/proc/sys/kernel/hostname", "/etc/hostname"},
                host.hostname, one_word);
    offer_first(root, {"uname.release", "/proc/sys/kernel/osrelease", "/proc/version"},
                host.kernel_release, kernel_release_in);
    offer_first(root, {"uname.machine", "/proc/sys/kernel/arch"}, host.architecture, one_word);
}

void offer_release_value(FoundText const& file,
                         std::map<std::string, std::string, std::less<>> const& values,
                         std::string_view key, Text& fact) {
    auto const value = values.find(key);
    if (value == values.end() || value->second.empty()) {
        fact.miss(Missing::absent, file.where + " does not state " + std::string(key));
    } else {
        fact.offer(value->second, {kernel_reader, file.where + ':' + std::string(key)});
    }
}

void read_distribution(HostRoot const& root, Host& host) {
    Tried tried;
    auto const file = first_text(root, {"/etc/os-release", "/usr/lib/os-release"}, tried);
    auto const facts = {&host.distribution, &host.distribution_id, &host.distribution_version};
    if (!file) {
        for (auto* fact : facts) tried.state(*fact);
        return;
    }
    auto const values = parse_os_release(file->text);
    if (values.empty()) {
        for (auto* fact : facts) fact->miss(Missing::invalid, file->where + ": no assignments");
        return;
    }
    bool const pretty = values.contains("PRETTY_NAME");
    offer_release_value(*file, values, pretty ? "PRETTY_NAME" : "NAME", host.distribution);
    offer_release_value(*file, values, "ID", host.distribution_id);
    // Rolling distributions have no VERSION_ID.
    offer_release_value(*file, values, "VERSION_ID", host.distribution_version);
}

void read_command_line(HostRoot const& root, Host& host) {
    std::string const path = "/proc/cmdline";
    auto const text = root.read(path);
    if (!text) return miss(host.kernel_arguments, text);
    if (text->empty() && !holds_blank_line(root, path))
        return host.kernel_arguments.miss(Missing::invalid, path + ": empty");
    // Words alone do not show a secret that is written in several.
    host.kernel_arguments.offer(split_kernel_arguments(scrubbed(*text)), {kernel_reader, path});
}

/// Vendor and product as one name, without saying the vendor twice.
std::string full_product(std::string const& vendor, std::string const& product) {
    if (vendor.empty() || lower(product).starts_with(lower(vendor))) return product;
    return product.empty() ? vendor : vendor + ' ' + product;
}

void read_firmware(HostRoot const& root, Host& host) {
    std::string const directory = "/sys/class/dmi/id/";
    auto const product = root.read(directory + "product_name");
    auto const vendor = root.read(directory + "sys_vendor");
    auto const name = full_product(vendor.value.value_or(""), product.value.value_or(""));
    if (!name.empty()) {
        host.system_product.offer(
            name, {kernel_reader,
                   directory + (product && !product->empty() ? "product_name" : "sys_vendor")});
    } else if (!product) {
        miss(host.system_product, product);
    } else {
        host.system_product.miss(Missing::invalid, directory + "product_name: empty");
    }
    offer_text(root, directory + "bios_version", kernel_reader, host.bios_version);
    offer_text(root, directory + "bios_date", kernel_reader, host.bios_date);
}

void read_memory_settings(HostRoot const& root, Host& host) {
    offer_unsigned(root, "/proc/sys/kernel/numa_balancing", kernel_reader, host.numa_balancing);
    offer_parsed(root, "/sys/kernel/mm/transparent_hugepage/enabled", kernel_reader,
                 host.transparent_hugepages, bracketed_word);
    offer_unsigned(root, "/proc/sys/vm/compaction_proactiveness", kernel_reader,
                   host.compaction_proactiveness);
    offer_unsigned(root, "/proc/sys/vm/compact_unevictable_allowed", kernel_reader,
                   host.compact_unevictable_allowed);
}

void read_iommu(HostRoot const& root, Host& host) {
    std::string const path = "/sys/class/iommu";
    auto names = root.list(path);
    if (!names) return miss(host.iommu_units, names);
    host.iommu_units.offer(std::move(*names.value), {kernel_reader, path});
}

}  // namespace

std::map<std::string, std::string, std::less<>> parse_os_release(std::string_view text) {
    std::map<std::string, std::string, std::less<>> values;
    for (auto const raw : lines(text)) {
        auto const line = trim(raw);
        auto const parts = split_once(line, '=');
        if (line.starts_with('#') || !parts || !is_assignment_name(parts->first)) continue;
        if (auto value = unquote(parts->second))
            values.insert_or_assign(std::string(parts->first), std::move(*value));
    }
    return values;
}

std::vector<std::string> split_kernel_arguments(std::string_view text) {
    Strings arguments;
    std::string word;
    bool quoted = false;
    std::size_t mark = 0;  // what is left of one that a recording has in place of a secret
    for (std::size_t i = 0; i < text.size(); ++i) {
        auto const c = text[i];
        if (c == '"') quoted = !quoted;
        if (mark == 0 && c == '<') mark = secret_mark_length(text.substr(i));
        if (mark > 0) {
            --mark, word += c;
            continue;
        }
        bool const blank = c == ' ' || (c >= '\t' && c <= '\r');
        if (!blank || quoted) {
            word += c;
        } else if (!word.empty()) {
            arguments.push_back(std::exchange(word, {}));
        }
    }
    if (!word.empty()) arguments.push_back(word);
    return arguments;
}

std::optional<std::string> kernel_release_in(std::string_view text) {
    auto const parts = words(text);
    if (parts.size() == 1) return std::string(parts[0]);
    if (parts.size() > 2 && parts[0] == "Linux" && parts[1] == "version")
        return std::string(parts[2]);
    return std::nullopt;
}

std::optional<std::string> bracketed_word(std::string_view text) {
    auto const open = text.find('[');
    auto const close = text.find(']', open == text.npos ? 0 : open);
    if (open == text.npos || close == text.npos) return std::nullopt;
    auto const word = text.substr(open + 1, close - open - 1);
    if (words(word).size() != 1 || word != trim(word)) return std::nullopt;
    if (word.find('[') != word.npos || text.find('[', close) != text.npos) return std::nullopt;
    return std::string(word);
}

void read_kernel(ProbeContext const& context, Host& host) {
    read_names(context.root, host);
    read_distribution(context.root, host);
    read_command_line(context.root, host);
    read_firmware(context.root, host);
    read_memory_settings(context.root, host);
    read_iommu(context.root, host);
}

}  // namespace rocmtune
