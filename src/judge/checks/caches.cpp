// SPDX-License-Identifier: MIT
// Caches of compiled kernels and tuning results: where they lie, who may write there, and whether
// what they hold is whole and for these GPUs.
#include "base/filesystem.hpp"
#include "base/host.hpp"
#include "base/text.hpp"
#include "judge/checks/check.hpp"

namespace rocmtune {
namespace {

constexpr std::string_view databases = "miopen-databases";
constexpr std::string_view results = "tunableop-results";

bool is_miopen(Cache const& cache) {
    return cache.name.starts_with("miopen");
}

/// Calls the judge for each cache. Most hosts have none.
template <class Judge>
void judge_each(CheckContext const& context, Verdicts const& verdicts, Judge&& judge) {
    auto const& caches = context.host.caches;
    if (!verdicts.have_or_skip(caches, "caches", "no cache of MIOpen, PyTorch or Triton was found"))
        return;
    for (auto const& cache : *caches) judge(cache);
}

/// What cannot be looked at is stated once, by judge_cache_permissions.
bool can_be_judged(Cache const& cache, Verdicts const& verdicts) {
    if (cache.filesystem && (cache.files || cache.files.reason() == Missing::unsupported))
        return true;
    verdicts.skip(
        fmt::format("{}: {} could not be looked at, as RT3732 says", cache.name, cache.path));
    return false;
}

Evidence place_of(Cache const& cache) {
    return {fmt::format("caches: {}", cache.found_as), cache.path};
}

/// The variable that moves a cache.
std::string_view mover_of(Cache const& cache) {
    if (cache.name == databases) return "MIOPEN_USER_DB_PATH";
    if (cache.name == "miopen-kernels") return "MIOPEN_CUSTOM_CACHE_DIR";
    return cache.name == results ? "PYTORCH_TUNABLEOP_FILENAME" : "TRITON_CACHE_DIR";
}

/// Of results the path names files.
std::string directory_of(Cache const& cache) {
    return cache.name == results ? cache.path.substr(0, cache.path.rfind('/')) : cache.path;
}

/// How the user gets a cache that nobody else keeps from him. Results have a file name.
std::string own_place(Cache const& cache) {
    auto const file = cache.name == results ? "/results.csv" : "";
    return fmt::format(
        "d=/var/tmp/{0}-$(id -u); [ -O $d ] || mkdir -m 700 $d && export {1}=$d{2}   # a place of "
        "your own",
        cache.name, mover_of(cache), file);
}

/// Results that no program asks for harm nobody. The word "1" alone switches TunableOp on.
Verdict if_tunable_is_on(Host const& host) {
    return variable_of(host, "PYTORCH_TUNABLEOP_ENABLED") == "1" ? Verdict::warn : Verdict::info;
}

/// TORCH_VERSION has the three numbers only: "2.6.0.dev20241001+rocm6.2" is 2.6.0 there.
std::string release_of(std::string_view version) {
    version = version.substr(0, version.find_first_not_of(".0123456789"));
    while (version.ends_with('.')) version.remove_suffix(1);
    return std::string(version);
}

bool has_target(Host const& host, std::vector<std::string> const& targets) {
    return std::ranges::any_of(host.gpus, [&](Gpu const& gpu) {
        return gpu.gfx_target && std::ranges::find(targets, *gpu.gfx_target) != targets.end();
    });
}

bool knows_targets(Host const& host) {
    return std::ranges::all_of(host.gpus,
                               [](Gpu const& gpu) { return gpu.gfx_target.has_value(); });
}

// ---- permissions --------------------------------------------------------------------------------

void judge_mode(Cache const& cache, Verdicts const& verdicts) {
    constexpr std::uint64_t others_write = 0002;
    constexpr std::uint64_t sticky = 01000;
    auto const mode = to_unsigned(cache.mode.value_or(""), 8);
    if (!mode)
        return verdicts.unknown(
            fmt::format("{}: who may write there could not be read", cache.name));
    if ((*mode & others_write) == 0)
        return verdicts.pass(fmt::format("{} is not for everybody", cache.name));
    bool const kept = (*mode & sticky) != 0;
    verdicts.give(kept ? Verdict::info : Verdict::warn,
                  fmt::format("everybody may write into the directory of {}{}", cache.name,
                              kept ? ", though not replace what is there" : ""),
                  {place_of(cache), {"mode", *cache.mode}},
                  kept ? "" : "chmod o-w " + shell_word(directory_of(cache)));
}

void judge_access(Cache const& cache, Verdicts const& verdicts) {
    auto const& asked = cache.filesystem;
    if (asked.reason() == Missing::absent && !asked)
        return verdicts.info(
            fmt::format("{}, for {}, does not exist, and this process may not make it", cache.path,
                        cache.name),
            {place_of(cache), {"mode of the directory above", cache.mode.value_or("?")}},
            own_place(cache));
    auto const reason = asked ? cache.files.reason() : asked.reason();
    if (reason == Missing::denied)
        return verdicts.warn(
            fmt::format("this process may not use {}, its {}", cache.path, cache.name),
            {place_of(cache)}, own_place(cache));
    if (!asked) return (void)verdicts.have(asked, cache.path);
    if (!cache.files && reason != Missing::unsupported)
        return (void)verdicts.have(cache.files, cache.path);
    if (!cache.unread.empty())
        return verdicts.warn(fmt::format("{} of {} cannot be used by this process",
                                         counted(cache.unread.size(), "file"), cache.name),
                             {place_of(cache), {"files", fact_text(cache.unread)}},
                             own_place(cache));
    if (cache.writable != false) return judge_mode(cache, verdicts);
    // Results that are only read need nobody's leave.
    verdicts.give(cache.name == results ? Verdict::info : Verdict::warn,
                  fmt::format("this process may not write into {}, its {}", cache.path, cache.name),
                  {place_of(cache), {"mode", cache.mode.value_or("?")}}, own_place(cache));
}

void judge_cache_filesystem(CheckContext const& context, Verdicts const& verdicts) {
    judge_each(context, verdicts, [&](Cache const& cache) {
        if (!can_be_judged(cache, verdicts)) return;
        auto const& kind = *cache.filesystem;
        if (!is_network_filesystem(kind))
            return verdicts.pass(fmt::format("{} lies on {}", cache.name, kind));
        if (cache.name == results) return verdicts.pass(cache.name + ": read once by each process");
        if (is_miopen(cache) && cache.found_as == "default" && is_left_by_miopen(kind))
            return verdicts.pass(fmt::format("MIOpen leaves {} for the temporary directory", kind));
        verdicts.give(is_miopen(cache) ? Verdict::warn : Verdict::info,
                      fmt::format("{} lies on {}, a network file system", cache.name, kind),
                      {place_of(cache), evidence(cache.filesystem)}, own_place(cache));
    });
}

void judge_cache_permissions(CheckContext const& context, Verdicts const& verdicts) {
    judge_each(context, verdicts, [&](Cache const& cache) { judge_access(cache, verdicts); });
}

void judge_cache_files(CheckContext const& context, Verdicts const& verdicts) {
    judge_each(context, verdicts, [&](Cache const& cache) {
        if (!can_be_judged(cache, verdicts)) return;
        if (!cache.files)
            return verdicts.skip(fmt::format("{}: {}", cache.name, cache.files.detail()));
        if (cache.damaged.empty())
            return verdicts.pass(fmt::format("{}: {}, {} damaged", cache.name,
                                             counted(*cache.files, "file"),
                                             cache.unread.empty() ? "none" : "none known"));
        // PyTorch goes on without its results; a program that uses MIOpen ends.
        auto const& first = cache.damaged.front();
        auto const file = directory_of(cache) + '/' + first.substr(0, first.rfind(": "));
        verdicts.give(is_miopen(cache) ? Verdict::fail : if_tunable_is_on(context.host),
                      fmt::format("{}: {}", cache.name, first),
                      {place_of(cache), {"damaged", fact_text(cache.damaged)}},
                      "rm " + shell_word(file));
    });
}

void judge_cache_targets(CheckContext const& context, Verdicts const& verdicts) {
    judge_each(context, verdicts, [&](Cache const& cache) {
        if (!can_be_judged(cache, verdicts)) return;
        if (cache.gfx_targets.empty())
            return verdicts.skip(fmt::format("{}: nothing in it names a target", cache.name));
        auto const list = fact_text(cache.gfx_targets);
        if (has_target(context.host, cache.gfx_targets))
            return verdicts.pass(fmt::format("{} is for {}", cache.name, list));
        if (!knows_targets(context.host))
            return verdicts.unknown(
                fmt::format("{} is for {}; the target of a GPU is not known", cache.name, list));
        verdicts.give(is_miopen(cache) ? Verdict::info : if_tunable_is_on(context.host),
                      fmt::format("{} is for {}, which this host does not have", cache.name, list),
                      {place_of(cache), {"gfx_targets", list}});
    });
}

void judge_tuning_results(CheckContext const& context, Verdicts const& verdicts) {
    auto const* const torch = framework_of(context.host, "torch");
    judge_each(context, verdicts, [&](Cache const& cache) {
        if (cache.torch_versions.empty()) return;
        if (!can_be_judged(cache, verdicts)) return;
        auto const tuned = fact_text(cache.torch_versions);
        if (torch == nullptr || !torch->version)
            return verdicts.skip(
                fmt::format("tuned with torch {}; the version here is not known", tuned));
        auto const version = release_of(*torch->version);
        auto const& all = cache.torch_versions;
        if (std::ranges::find(all, version) != all.end())
            return verdicts.pass(fmt::format("tuned with torch {}", tuned));
        verdicts.give(if_tunable_is_on(context.host),
                      fmt::format("tuned with torch {}, but {} is installed: it passes them over",
                                  tuned, version),
                      {place_of(cache), {"PT_VERSION", tuned}, evidence(torch->version)});
    });
}

using enum CheckLevel;
using enum Where;

// clang-format off
constexpr Check caches_rows[] = {
    {"RT3731", "cache-filesystem", "caches", quick, false, anywhere, judge_cache_filesystem},
    {"RT3732", "cache-permissions", "caches", quick, false, anywhere, judge_cache_permissions},
    {"RT3733", "cache-files", "caches", quick, false, anywhere, judge_cache_files},
    {"RT3734", "cache-targets", "caches", quick, false, anywhere, judge_cache_targets},
    {"RT3735", "tuning-results", "caches", quick, false, anywhere, judge_tuning_results},
};
// clang-format on

}  // namespace

std::span<Check const> cache_checks() {
    return caches_rows;
}

}  // namespace rocmtune
