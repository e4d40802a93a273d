// SPDX-License-Identifier: MIT
// Reader `runtimes`: joins what each GPU library says with the rows that the kernel gave. The
// libraries were asked by workers; here their answers are only read.
#include <cmath>

#include <fmt/format.h>

#include "base/host.hpp"
#include "base/statistics.hpp"
#include "probe/reader.hpp"
#include "probe/runtime_answer.hpp"
#include "probe/workers.hpp"

namespace rocmtune {
namespace {

/// How one runtime's answer is joined.
struct RuntimeRow {
    std::string_view name;   ///< of the worker; stands in `_sources`
    std::string_view label;  ///< for people
    Number Gpu::*index;      ///< the fact that holds its numbers; null: it lists no devices
    bool computes;           ///< lists what programs may use: needs the device nodes, obeys masks
    bool names_partitions;   ///< its PCI functions tell partitions apart (HIP 5 prints 0 for all)
    std::string_view masks;  ///< variables that hide devices from it, blank-separated
};

constexpr RuntimeRow runtimes[] = {
    {"hsa", "ROCr", &Gpu::rocr_index, true, true, "ROCR_VISIBLE_DEVICES"},
    {"hip", "HIP", &Gpu::hip_index, true, false,
     "ROCR_VISIBLE_DEVICES HIP_VISIBLE_DEVICES CUDA_VISIBLE_DEVICES"},
    {"hiprtc", "hipRTC", nullptr, false, false, ""},
    {"rocm_smi", "ROCm SMI", &Gpu::smi_index, false, true, ""},
    {"amd_smi", "AMD SMI", &Gpu::smi_index, false, true, ""},
};

bool target_is_overridden(HostRoot const& root) {
    for (auto const& [name, value] : root.environment())
        if (is_gfx_override(name) && !value.empty()) return true;
    return false;
}

/// The masks that are set, as "NAME=VALUE NAME=VALUE".
std::string masks_of(HostRoot const& root, RuntimeRow const& runtime) {
    std::string text;
    for (auto const name : words(runtime.masks))
        if (auto const value = root.environment_value(name))
            text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, printable(*value));
    return text;
}

/// Fills rows from one runtime's answer.
class Join {
  public:
    Join(HostRoot const& root, Host& host, RuntimeRow const& runtime, RuntimeAnswer const& answer)
        : host_(host),
          runtime_(runtime),
          answer_(answer),
          masks_(masks_of(root, runtime)),
          overridden_(target_is_overridden(root)) {}

    void run() {
        auto const matches = match_devices(answer_.devices, host_.gpus, runtime_.names_partitions);
        for (std::size_t i = 0; i < matches.size(); ++i) take(answer_.devices[i], matches[i]);
        for (auto& gpu : host_.gpus) state_missing(gpu);
    }

  private:
    void take(RuntimeDevice const& device, RuntimeMatch const& match) {
        using Kind = RuntimeMatch::Kind;
        if (match.kind == Kind::some_row) {
            for (auto const row : match.rows)
                (host_.gpus[row].*runtime_.index)
                    .miss(Missing::unsupported,
                          fmt::format("{} names the card of device {}, not the partition",
                                      runtime_.label, device.index));
            return;
        }
        auto& gpu = match.kind == Kind::row ? host_.gpus[match.rows.front()] : add_row();
        bool const new_place = match.kind == Kind::no_row || !match.by_address;
        if (new_place && device.address)
            gpu.pci_address.offer(device.address->text(), source(device));
        offer(device, gpu);
    }

    /// A device that nobody else has. It stands behind the rows of PCI order, so that masks do not
    /// change their numbers.
    Gpu& add_row() {
        auto const row = host_.gpus.size();
        auto& gpu = host_.gpus.emplace_back();
        auto const why = fmt::format("only {} reports this device", runtime_.label);
        visit_fields(gpu, [&](Field const&, auto& fact) { fact.miss(Missing::not_read, why); });
        gpu.vendor.offer("AMD", {runtime_.name, "the libraries of ROCm list no others"});
        gpu.row.offer(row, {"rows", "behind those in PCI order"});
        return gpu;
    }

    Source source(RuntimeDevice const& device) const {
        return {runtime_.name,
                fmt::format("{} device {}",
                            answer_.record.library.value_or(std::string(runtime_.label)),
                            device.index)};
    }

    template <class T>
    static void offer_if(Fact<T>& fact, std::optional<T> const& value, Source const& source) {
        if (value) fact.offer(*value, source);
    }

    void offer(RuntimeDevice const& device, Gpu& gpu) const {
        auto const from = source(device);
        (gpu.*runtime_.index).offer(device.index, from);
        offer_if(gpu.uuid, device.uuid, from);
        offer_if(gpu.unique_id, device.unique_id, from);
        offer_if(gpu.wavefront_size, device.wavefront_size, from);
        offer_if(gpu.compute_units, device.compute_units, from);
        if (!gpu.marketing_name) offer_if(gpu.marketing_name, device.name, from);
        if (runtime_.computes) offer_target(device, gpu, from);
        offer_multiprocessors(device, gpu, from);
        offer_memory(device, gpu, from);
        offer_if_alone(gpu.memory_bus_width_bits, device.memory_bus_bits, 1, "memory bus", "bits",
                       plausible::memory_bus_bits, from);
        constexpr double khz_per_mhz = 1000;
        offer_if_alone(gpu.memory_clock_max_mhz, device.memory_clock_khz, khz_per_mhz,
                       "memory clock", "kHz", plausible::memory_clock_khz, from);
    }

    /// Where the kernel told nothing, as under WSL. What cannot be is no value, and its reason.
    /// @param per_unit  of the unit that is told, in one of the fact's
    void offer_if_alone(Number& fact, std::optional<double> told, double per_unit,
                        std::string_view what, std::string_view unit, Bounds const& bounds,
                        Source const& from) const {
        if (fact || !told) return;
        if (bounds.hold(*told))
            return fact.offer(static_cast<std::uint64_t>(std::llround(*told / per_unit)), from);
        fact.miss(Missing::invalid, not_plausible(fmt::format("{} by {}", what, runtime_.label),
                                                  *told, unit, bounds));
    }

    void offer_target(RuntimeDevice const& device, Gpu& gpu, Source const& from) const {
        auto const target = device.target();
        offer_if(gpu.gfx_target_reported, target, from);
        if (!overridden_) offer_if(gpu.gfx_target, target, from);
        if (runtime_.name == "hip") offer_if(gpu.target_id, device.target_id, from);
    }

    /// On RDNA (gfx10 and later) HIP counts workgroup processors, two compute units each, in one
    /// mode and compute units in the other; before, both are the same.
    static void offer_multiprocessors(RuntimeDevice const& device, Gpu& gpu, Source const& from) {
        auto const target = device.target().value_or("");
        bool const counts_units =
            (target.starts_with("gfx8") || target.starts_with("gfx9")) && target.size() == 6;
        if (counts_units) offer_if(gpu.compute_units, device.multiprocessors, from);
    }

    /// Of an APU the runtimes state the shared memory or the carve-out, depending on their version;
    /// the SMI libraries state the memory of the whole card.
    void offer_memory(RuntimeDevice const& device, Gpu& gpu, Source const& from) const {
        bool const whole_card = gpu.partition_count.value_or(1) == 1;
        bool const comparable = gpu.is_apu.value() == false || !gpu.vram_bytes;
        if (comparable && (runtime_.computes || whole_card))
            offer_if(gpu.vram_bytes, device.memory_bytes, from);
    }

    // ---- why a row has no number ----------------------------------------------------------------

    void miss(Gpu& gpu, Missing reason, std::string const& detail) const {
        (gpu.*runtime_.index).miss(reason, detail);
        if (!runtime_.computes) return;
        for (auto* fact : {&gpu.uuid, &gpu.gfx_target_reported}) fact->miss(reason, detail);
        if (runtime_.name == "hip") gpu.target_id.miss(reason, detail);
    }

    void state_missing(Gpu& gpu) const {
        auto const& index = gpu.*runtime_.index;
        if (index || index.reason() == Missing::unsupported) return;
        if (!answer_.complete()) return miss(gpu, answer_.reason, failure_text());
        if (runtime_.computes && state_refused(gpu)) return;
        auto detail = fmt::format("not listed by {}", runtime_.label);
        if (!masks_.empty()) detail += " under " + masks_;
        else if (!answer_.record.notes.empty())
            detail += fmt::format(" ({})", answer_.record.notes.back());
        miss(gpu, Missing::absent, detail);
    }

    /// The runtimes answer alike without a driver, without a device node and without the right to
    /// use it; the reader of device nodes knows which it is.
    bool state_refused(Gpu& gpu) const {
        for (auto const* node : {&host_.kfd_access, &gpu.render_access}) {
            if (*node && !(*node)->usable)
                return miss(gpu, Missing::denied,
                            fmt::format("{}: {}", (*node)->path,
                                        (*node)->error.value_or("refused"))),
                       true;
            if (!*node && node->reason() == Missing::absent)
                return miss(gpu, Missing::absent, node->detail()), true;
        }
        return false;
    }

    std::string failure_text() const {
        auto const& record = answer_.record;
        return fmt::format("{}: {}{}", runtime_.label, record.status,
                           record.detail ? ", " + *record.detail : "");
    }

    Host& host_;
    RuntimeRow const& runtime_;
    RuntimeAnswer const& answer_;
    std::string masks_;
    bool overridden_;
};

/// The HIP runtime that programs get is one file; two in one process end in crashes that nobody
/// understands.
void state_loaded(RuntimeAnswer const& answer, Host& host) {
    auto& fact = host.hip_runtime_loaded;
    auto const& library = answer.record.library;
    if (library) fact.offer(*library, {"hip", "the loader of the worker's process"});
    else fact.miss(answer.reason, answer.record.detail.value_or(""));
    for (auto const& file : answer.loaded)
        if (file != library) fact.offer(file, {"hip", "loaded beside it"});
}

/// The answer was not recorded, or nobody was asked.
void state_unasked(RuntimeRow const& runtime, Answer<std::string> const& reply, Host& host) {
    if (runtime.name == "hip") miss(host.hip_runtime_loaded, reply);
    if (runtime.index == nullptr) return;
    for (auto& gpu : host.gpus) {
        miss(gpu.*runtime.index, reply);
        if (!runtime.computes) continue;
        for (auto* fact : {&gpu.uuid, &gpu.gfx_target_reported, &gpu.target_id}) miss(*fact, reply);
    }
}

}  // namespace

void read_runtimes(ProbeContext const& context, Host& host) {
    std::vector<Runtime> records;
    for (auto const& runtime : runtimes) {
        auto const reply = context.root.call(worker_key(runtime.name));
        if (!reply) {
            state_unasked(runtime, reply, host);
            miss(host.runtimes, reply);
            continue;
        }
        auto answer = parse_runtime_answer(runtime.name, *reply);
        if (runtime.name == "hip") state_loaded(answer, host);
        if (runtime.index != nullptr) Join(context.root, host, runtime, answer).run();
        records.push_back(std::move(answer.record));
    }
    if (!records.empty()) host.runtimes.offer(std::move(records), {"runtimes", "worker processes"});
}

}  // namespace rocmtune
