// SPDX-License-Identifier: MIT
// What every reader is, their table and the probing run over it, and the few verbs they share:
// read a file, parse it, offer the value or state why there is none.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/text.hpp"
#include "knowledge/chips.hpp"
#include "machine/host_root.hpp"
#include "rocmtune/host.hpp"

namespace rocmtune {

class ChipSet;

/// What readers may know beside the machine itself.
struct ProbeContext {
    HostRoot root;
    ProbeOptions options = {};
    ChipSet const* chips = nullptr;  ///< profiles in force; null: the embedded ones
    /// Called before each reader, also before one that is left out, with what is known then.
    std::function<void(std::string_view reader, Host const&)> before = {};
};

/// A reader fills some facts of the host and never throws for what the machine does. Order in the
/// table is the order of running: later readers may use what earlier ones found.
struct Reader {
    std::string_view name;   ///< the word that stands in `_sources`
    std::string_view about;  ///< what it looks at, for the man page
    void (*read)(ProbeContext const&, Host&);
};

/// All readers in the order of running.
std::span<Reader const> all_readers();

/// The reader that asks the libraries, which must have answered by then.
inline constexpr std::string_view libraries_reader = "runtimes";
/// What this reader and those behind it look at stays as it is when a library is asked: files of
/// software. Those before it see who uses the GPUs, their memory, clocks and power, and the
/// kernel's messages.
inline constexpr std::string_view first_undisturbed_reader = "rocm";

/// The reader that only `builds` needs: it opens a file of every Python package.
inline constexpr std::string_view python_needs_reader = "python-needs";

/// Why a fact of a sleeping GPU was not read.
inline constexpr char const* wakes_the_gpu = "reading would wake the GPU (--wake reads it)";

/// States a failed answer as the reason on a fact.
template <class T, class U>
void miss(Fact<T>& fact, Answer<U> const& answer) {
    fact.miss(answer.reason, answer.detail);
}

/// Reads `path` and offers what `parse` makes of its text; text that does not parse is `invalid`.
/// `parse` takes a std::string_view and returns an optional.
template <class T, class Parse>
void offer_parsed(HostRoot const& root, std::string const& path, std::string_view reader,
                  Fact<T>& fact, Parse&& parse) {
    auto const text = root.read(path);
    if (!text) return miss(fact, text);
    // The driver leaves a file empty where it has nothing to say (product_name of most boards).
    if (text->empty()) return fact.miss(Missing::absent, path + ": empty");
    if (auto value = parse(std::string_view(*text))) {
        fact.offer(T(std::move(*value)), {reader, path});
    } else {
        fact.miss(Missing::invalid,
                  path + ": unexpected text '" + printable(text->substr(0, 40)) + "'");
    }
}

/// One line of text.
void offer_text(HostRoot const& root, std::string const& path, std::string_view reader, Text& fact);

/// A whole unsigned number, decimal or with 0x.
void offer_unsigned(HostRoot const& root, std::string const& path, std::string_view reader,
                    Number& fact);

/// A decimal number in units of 1/`per_unit` (1e6 for microwatts). Division rounds to the nearest
/// double, so 3103000 uW prints as 3.103 W; multiplying by 1e-6 would not.
void offer_scaled(HostRoot const& root, std::string const& path, std::string_view reader,
                  double per_unit, Real& fact);

/// The optional value of a number file, for records; absent and odd text alike give nothing.
std::optional<double> scaled_number(HostRoot const& root, std::string const& path, double per_unit);

/// Reads the machine, but for what the readers of the given names look at. Never throws for what
/// the machine does: what could not be read has a reason.
Host probe(ProbeContext const& context, std::span<std::string_view const> left_out = {});

/// Fills Gpu::module: which rows are one physical card. Partitions share their card's address; the
/// two dies of an MI250 are separate PCI functions, paired by their widest XGMI links.
void offer_modules(ChipSet const& chips, Host& host);

void read_kernel(ProbeContext const&, Host&);
void read_cpu(ProbeContext const&, Host&);
void read_driver(ProbeContext const&, Host&);
void read_kfd(ProbeContext const&, Host&);
void read_pci(ProbeContext const&, Host&);
void read_drm(ProbeContext const&, Host&);
void read_telemetry(ProbeContext const&, Host&);
void read_names(ProbeContext const&, Host&);
void read_access(ProbeContext const&, Host&);
void read_runtimes(ProbeContext const&, Host&);
void read_processes(ProbeContext const&, Host&);
void read_surroundings(ProbeContext const&, Host&);
void read_kernel_log(ProbeContext const&, Host&);
void read_packages(ProbeContext const&, Host&);
void read_rocm_installations(ProbeContext const&, Host&);
void read_programs(ProbeContext const&, Host&);
void read_frameworks(ProbeContext const&, Host&);
void read_python_needs(ProbeContext const&, Host&);
void read_caches(ProbeContext const&, Host&);
void read_environment(ProbeContext const&, Host&);

/// The profiles a probing run goes by.
inline ChipSet const& chips_of(ProbeContext const& context) {
    return context.chips != nullptr ? *context.chips : embedded_chips();
}

}  // namespace rocmtune
