// SPDX-License-Identifier: MIT
// Published builds: what profiles/builds.json says of frameworks, their gfx targets, and how each
// is installed. profiles/schema/builds.schema.json says what each key is; members have their names.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rocmtune {

using BuildTexts = std::vector<std::string>;

enum class ChannelKind : std::uint8_t {
    wheel_index,
    find_links,
    container,
    distribution,
    archive,
    source
};
inline constexpr std::array<std::string_view, 6> channel_kind_words{
    "wheel-index", "find-links", "container", "distribution", "archive", "source"};
constexpr std::span<std::string_view const> words_of(ChannelKind) {
    return channel_kind_words;
}

/// Where builds are published.
struct BuildChannel {
    ChannelKind kind = ChannelKind::source;
    std::string name = {};
    std::optional<std::string> url = {};   ///< with {rocm}, {version} and {variant}
    std::optional<std::string> flag = {};  ///< how pip is told of it
    bool extras = false;                   ///< a target is chosen by an extra: [device-gfx1100]
    bool prerelease = false;
    BuildTexts run = {};                      ///< options of docker run
    std::optional<std::string> command = {};  ///< in place of what the kind implies
    std::optional<std::string> note = {};
    BuildTexts sources = {};
};

/// What pip installs before, from one index alone.
struct BuildStep {
    std::string url = {};
    BuildTexts requirements = {};
};

/// In the order in which they are proposed.
enum class BuildStatus : std::uint8_t { current, superseded, preview, nightly };
inline constexpr std::array<std::string_view, 4> build_status_words{"current", "superseded",
                                                                    "preview", "nightly"};
constexpr std::span<std::string_view const> words_of(BuildStatus) {
    return build_status_words;
}

struct PublishedBuild {
    std::string id = {}, framework = {}, version = {}, channel = {};
    BuildStatus status = BuildStatus::current;
    std::optional<std::string> variant = {}, rocm = {};
    std::optional<BuildTexts> targets = {};           ///< sets are resolved; absent: not recorded
    BuildTexts generic = {};                          ///< LLVM's generic targets
    std::map<std::string, std::string> partial = {};  ///< target with code that does not work
    BuildTexts untested = {};
    std::optional<BuildTexts> python = {};
    std::optional<std::string> glibc = {};
    std::optional<bool> bundles_rocm = {};
    std::optional<std::string> kernel = {}, driver = {};
    BuildTexts requirements = {};  ///< with {gfx}
    std::vector<BuildStep> first = {};
    BuildTexts brings = {};
    std::optional<std::string> beside = {}, image = {}, url = {};
    BuildTexts distribution = {}, packages = {};
    std::optional<std::string> repository = {}, key = {};
    std::map<std::string, std::optional<std::string>> pins = {};
    std::map<std::string, std::string> environment = {};
    std::optional<std::string> date = {}, note = {};
    std::map<std::string, std::string> not_recorded = {};  ///< field: key of reasons
    std::map<std::string, BuildTexts> sources = {};        ///< field: keys of sources
};

/// Why a framework has no build for targets.
struct AbsentBuild {
    std::string framework = {};
    std::optional<std::string> channel = {};
    BuildTexts targets = {};                       ///< empty: every target
    std::optional<std::string> last = {};          ///< id of the last build that works
    std::optional<std::string> last_version = {};  ///< where that is not among the builds
    std::string why = {};
    bool open = false;        ///< whether there is one is not recorded
    BuildTexts instead = {};  ///< override, source, vulkan: the best first
    BuildTexts sources = {};
};

/// How a framework is built for targets.
struct SourceBuild {
    std::string framework = {};
    std::optional<std::string> variable = {}, separator = {};
    BuildTexts aliases = {};
    std::optional<BuildTexts> targets = {};  ///< that it takes; absent: not recorded
    BuildTexts command = {};                 ///< lines of shell with {gfx}
    std::optional<std::string> note = {};
    BuildTexts sources = {};
};

/// How a tool is told of targets.
struct TargetVariable {
    std::string consumer = {}, name = {}, form = {}, separator = {};
};

/// A row of AMD's table: how its binaries of some releases of ROCm do with kernels.
struct KernelRelease {
    std::string rocm_since = {}, rocm_until = {};  ///< both belong to it
    std::string fixed_kernels = {};                ///< of distributions, with the fixes
    std::string new_kernels = {};                  ///< KernelRequirement::kernel and later
    std::string older = {};
};

struct KernelRequirement {
    BuildTexts targets = {};
    std::optional<std::string> kernel = {};  ///< from which on all is well
    std::map<std::string, std::string> distribution_kernels = {};
    BuildTexts has_fixes = {};  ///< releases of distributions
    std::vector<KernelRelease> releases = {};
    BuildTexts drivers = {};
    std::optional<std::string> note = {};
    BuildTexts sources = {};
};

struct DriverRule {
    std::string note = {};
    BuildTexts sources = {};
};

/// A text that was read. One of the kind "report" alone carries no proposal.
struct BuildSource {
    std::string title = {};
    std::optional<std::string> url = {}, reference = {}, version = {};
    std::string kind = {};
};

struct BuildsData {
    std::optional<std::string> schema = {};
    std::string schema_version = {}, data_date = {};
    BuildTexts frameworks = {};
    std::map<std::string, std::string> reasons = {};
    std::map<std::string, BuildTexts> target_sets = {};
    std::string generic_targets = {}, siblings = {};
    DriverRule driver_rule = {};
    std::map<std::string, BuildChannel> channels = {};
    std::vector<PublishedBuild> builds = {};
    std::vector<AbsentBuild> absent = {};
    std::vector<SourceBuild> source_builds = {};
    std::vector<TargetVariable> target_variables = {};
    std::vector<KernelRequirement> kernel_requirements = {};
    std::map<std::string, BuildSource> sources = {};
};

/// @throws ProfileError with file and JSON pointer: every key is known, every channel, target set,
/// reason and source that is named is there.
BuildsData parse_builds_data(std::string_view file, std::string_view text);

/// The file that is part of the program, read at the first question.
BuildsData const& embedded_builds();

}  // namespace rocmtune
