// SPDX-License-Identifier: MIT
// Which kind of host and card a criterion is applied to, and how a check states what it found.
#include <algorithm>
#include <array>

#include "base/host.hpp"
#include "base/text.hpp"
#include "judge/checks/check.hpp"
#include "knowledge/findings.hpp"

namespace rocmtune {
namespace {

Profile profile_of(Host const& host, ChipSet const& chips, Gpu const& gpu) {
    auto const* product = product_of(chips, gpu);
    bool const function = product != nullptr && product->virtual_function;
    if (function || is_virtual_machine(host)) return Profile::guest;
    if (is_instinct(chips, gpu)) return Profile::server;
    return gpu.is_apu.value_or(false) ? Profile::apu : Profile::desktop;
}

/// A missing file of a driver or device is how it says that it has no such thing.
Verdict verdict_of(Missing reason) {
    switch (reason) {
        case Missing::not_read:
        case Missing::absent:
        case Missing::unsupported:
        case Missing::suspended: return Verdict::skip;
        case Missing::timeout: return Verdict::timeout;
        case Missing::not_recorded:
        case Missing::invalid:
        case Missing::failed:
        case Missing::denied: break;
    }
    return Verdict::unknown;
}

}  // namespace

using namespace std::literals;

bool is_virtual_machine(Host const& host) {
    // The names that these write into the firmware tables of their guests (/sys/class/dmi/id); most
    // are in systemd's src/basic/virt.c too.
    static constexpr std::array machines{"qemu"sv,        "kvm"sv,
                                         "kubevirt"sv,    "vmware"sv,
                                         "virtualbox"sv,  "virtual machine"sv,
                                         "openstack "sv,  "ovirt"sv,
                                         "nutanix ahv"sv, "bochs "sv,
                                         "xen hvm"sv,     "bhyve"sv,
                                         "parallels"sv,   "google compute engine"sv,
                                         "amazon ec2"sv};
    if (!host.system_product) return false;
    auto const product = lower(*host.system_product);
    if (product.ends_with(".metal")) return false;  // of EC2, and no guest
    return std::ranges::any_of(machines,
                               [&](auto name) { return product.find(name) != product.npos; });
}

bool is_instinct(ChipSet const& chips, Gpu const& gpu) {
    if (gpu.family && gpu.family->starts_with("CDNA")) return true;
    auto const* product = product_of(chips, gpu);
    if (product != nullptr && product->name.find("Instinct") != product->name.npos) return true;
    return gpu.marketing_name && gpu.marketing_name->find("Instinct") != std::string::npos;
}

std::vector<Card> cards_of(Host const& host, ChipSet const& chips) {
    std::vector<Card> cards;
    for (auto const& gpu : host.gpus) {
        // Rows of one card follow each other; its first partition may be the one that is missing.
        auto const subject = gpu.pci_address.value_or("host");
        bool const known = !cards.empty() && gpu.pci_address && cards.back().subject == subject;
        if (known || !gpu.sysfs_path) continue;
        if (gpu.driver.value() != "amdgpu" && gpu.driver.reason() != Missing::not_recorded)
            continue;
        cards.push_back({&gpu, subject, profile_of(host, chips, gpu), is_instinct(chips, gpu)});
    }
    return cards;
}

std::vector<Card const*> compute_cards(CheckContext const& context) {
    std::vector<Card const*> cards;
    bool const discrete = context.discrete_cards() > 0;
    for (auto const& card : context.cards)
        if (card.gpu->kfd_node && card.gpu->gfx_target && !(discrete && card.is_apu()))
            cards.push_back(&card);
    return cards;
}

bool has_code_for(CheckContext const& context, std::vector<std::string> const& targets,
                  std::string const& target) {
    auto const* chip = context.chips.find_chip(target);
    auto const has = [&](std::string_view name) {
        return std::ranges::any_of(
            targets, [&](auto const& one) { return one.substr(0, one.find(':')) == name; });
    };
    // The runtime compiles SPIR-V for whatever GPU there is.
    return has(target) || has("amdgcnspirv") ||
           (chip != nullptr && !chip->generic_target.empty() && has(chip->generic_target));
}

bool in_slurm_job(Host const& host) {
    return host.environment && host.environment->contains("SLURM_JOB_ID");
}

std::string kept_out_text(Host const& host) {
    return in_container(host) ? "not passed through to this container"
                              : "not among the GPUs of this Slurm job";
}

Finding& Verdicts::give(Verdict verdict, std::string message, Proof proof,
                        std::string next_step) const {
    bool const asks = verdict == Verdict::info || verdict == Verdict::warn ||
                      verdict == Verdict::fail || verdict == Verdict::timeout;
    auto& finding = findings_.emplace_back();
    if (asks) finding = make_finding(id_, verdict, subject_, std::move(message));
    else
        finding = {.id = std::string(id_),
                   .verdict = verdict,
                   .subject = subject_,
                   .message = std::move(message)};
    // Nobody has to act on what is only worth knowing.
    if (verdict == Verdict::info) finding.action = Action::none;
    finding.evidence = std::move(proof.list);
    if (!next_step.empty()) finding.next_step = std::move(next_step);
    return finding;
}

void Verdicts::miss(Missing reason, std::string const& detail, std::string_view what) const {
    give(verdict_of(reason), fmt::format("{}: {}{}", what, missing_name(reason),
                                         detail.empty() ? "" : fmt::format(" ({})", detail)));
}

}  // namespace rocmtune
