// SPDX-License-Identifier: MIT
// Parameters that files and kernel arguments give to modules which do not have them: the kernel
// logs one line and goes on (kernel/module/main.c, unknown_module_param_cb).
#include <array>

#include "base/host.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
#include "judge/checks/check.hpp"
#include "judge/rules/kernel_argument.hpp"
#include "knowledge/terms.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view arguments_place = "/proc/cmdline";

/// One of Host::module_options.
struct Option {
    std::string_view place;   ///< the file, or arguments_place
    std::string_view module;  ///< "amdgpu"
    std::string_view name;    ///< "gttsize"
    std::string_view text;    ///< "amdgpu.gttsize=1024"

    std::string full_name() const { return fmt::format("{}.{}", module, name); }
};

std::optional<Option> option_of(std::string_view text) {
    auto const at = text.rfind(": ");
    if (at == text.npos) return std::nullopt;
    Option option{
        .place = text.substr(0, at), .module = {}, .name = {}, .text = text.substr(at + 2)};
    auto const parts = split_once(option.text.substr(0, option.text.find('=')), '.');
    if (!parts) return std::nullopt;
    option.module = parts->first;
    option.name = parts->second;
    return option;
}

/// Every module takes these (kernel/module/main.c).
bool is_of_every_module(std::string_view name) {
    return name == "dyndbg" || name == "async_probe";
}

/// Kernels that are built without support for GPUs of before 2014 lack these, and distributions
/// give them to every kernel.
bool is_of_old_cards(std::string_view name) {
    return name == "si_support" || name == "cik_support";
}

/// "6.6" of "kernel 6.6"; nothing where the release is not exactly known.
std::optional<std::string_view> release_in(std::optional<std::string> const& text) {
    constexpr std::string_view before = "kernel ";
    if (!text || !text->starts_with(before)) return std::nullopt;
    auto const release = std::string_view(*text).substr(before.size());
    return version_parts(release) && release.find(' ') == release.npos ? std::optional(release)
                                                                       : std::nullopt;
}

/// What the catalogue says of this kernel, where the module's own list is not at hand: in which
/// release the parameter came or went, if it is not in this one. DKMS drivers have numbers of
/// their own.
std::string not_in_release(Host const& host, Option const& option) {
    auto const* term = find_term(option.full_name());
    auto const kernel = host.kernel_release.value_or("");
    if (term == nullptr || term->name != option.full_name() ||
        host.amdgpu_origin.value() != "kernel")
        return {};
    auto const since = release_in(term->since);
    auto const until = release_in(term->until);
    if (since && is_before(kernel, *since)) return fmt::format("comes with Linux {}", *since);
    if (until && compare_versions(kernel, *until) && !is_before(kernel, *until))
        return fmt::format("left with Linux {}", *until);
    return {};
}

/// Enterprise distributions put newer drivers into old kernels: "5.14.0-503.el9.x86_64".
bool is_backported(Host const& host) {
    return host.kernel_release.value_or("").find(".el") != std::string::npos;
}

/// The parameter of the same module that was meant; empty if none is near.
std::string meant(Host const& host, Option const& option) {
    auto const before = std::string(option.module) + '.';
    std::vector<std::string_view> names;
    for (auto const& one : *host.module_parameters)
        if (one.starts_with(before)) names.push_back(std::string_view(one).substr(before.size()));
    return std::string(nearest(option.name, names).value_or(""));
}

/// What goes into commands: names of parameters and usual paths have no other characters.
bool is_plain_word(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) {
        bool const letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        return letter || is_digit(c) || std::string_view("_-./").find(c) != std::string_view::npos;
    });
}

std::string step_for(Host const& host, Option const& option, std::string const& better) {
    if (!is_plain_word(option.name) || !is_plain_word(option.place)) return {};
    auto const whole = better.empty() ? std::string() : fmt::format("{}.{}", option.module, better);
    if (option.place == arguments_place) return argument_off_step(host, option.full_name(), whole);
    auto const file = option.place.substr(option.place.rfind('/') + 1);
    bool const is_own = option.place.starts_with("/etc/");
    // A file of this name in /etc counts in place of one that a package brings.
    auto const edit = fmt::format(
        "{}sudoedit /etc/modprobe.d/{}",
        is_own ? "" : fmt::format("sudo cp {} /etc/modprobe.d/ && ", option.place), file);
    return fmt::format("{}   # {}, then: {{rebuild-initramfs}}, and reboot", edit,
                       better.empty()
                           ? fmt::format("take {} out", option.name)
                           : fmt::format("write {} in place of {}", better, option.name));
}

void give_unknown(Host const& host, Option const& option, std::string const& message,
                  std::string const& better, Verdicts const& verdicts) {
    std::vector<Evidence> proof{{std::string(option.place), std::string(option.text)}};
    if (host.module_parameters)
        proof.push_back({source_text(host.module_parameters.source()),
                         fmt::format("no {}", option.full_name())});
    verdicts.give(is_of_old_cards(option.name) ? Verdict::info : Verdict::warn, message,
                  std::move(proof), step_for(host, option, better));
}

/// Linux 4.20 made amdkfd a part of amdgpu (drivers/gpu/drm/amd/amdkfd/Makefile).
bool has_left(Host const& host, std::string_view module) {
    auto const order = compare_versions(host.kernel_release.value_or(""), "4.20");
    return module == "amdkfd" && order && *order != std::strong_ordering::less;
}

enum class Known : std::uint8_t { yes, no, open };

Known judge_option(Host const& host, Option const& option, Verdicts const& verdicts) {
    if (is_of_every_module(option.name)) return Known::yes;
    if (has_left(host, option.module)) {
        give_unknown(host, option,
                     "nothing reads " + option.full_name() +
                         ": amdkfd is a part of amdgpu since Linux 4.20, and has its parameters "
                         "there",
                     "", verdicts);
        return Known::no;
    }
    auto const& all = host.module_parameters;
    if (all && std::ranges::count(*all, option.full_name()) > 0) return Known::yes;
    auto const why = not_in_release(host, option);
    bool const is_whole = all && all.limit().empty();
    if (!is_whole && (why.empty() || is_backported(host))) return Known::open;
    auto const better = why.empty() ? meant(host, option) : std::string();
    give_unknown(host, option,
                 fmt::format("{} has no parameter {}{}: the kernel ignores it{}", option.module,
                             option.name, why.empty() ? "" : ", which " + why,
                             better.empty() ? "" : "; is " + better + " meant?"),
                 better, verdicts);
    return Known::no;
}

}  // namespace

bool judge_module_options(CheckContext const& context, Verdicts const& verdicts) {
    auto const& host = context.host;
    bool sound = true;
    std::string open;
    for (auto const& text : host.module_options.value_or({})) {
        auto const option = option_of(text);
        auto const known = option ? judge_option(host, *option, verdicts) : Known::yes;
        sound &= known != Known::no;
        if (known == Known::open && open.empty()) open = option->full_name();
    }
    // A container does not show the modules of its host.
    if (!open.empty() && host.module_parameters) {
        sound = false;
        verdicts.unknown(fmt::format("whether this kernel knows {} cannot be told: {}", open,
                                     host.module_parameters.limit()));
    }
    return sound;
}

}  // namespace rocmtune
