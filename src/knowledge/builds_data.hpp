// SPDX-License-Identifier: MIT
// Published builds: what profiles/builds.json says of frameworks, their gfx targets, and how each
// is installed. The file is embedded as a text and read when somebody asks.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rocmtune/fact.hpp"

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

template <SameEntity<BuildChannel> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"kind", "what it is"}, it.kind);
    v(Field{"name", "for people"}, it.name);
    v(Field{"url", "its address"}, it.url);
    v(Field{"flag", "how pip is told of it"}, it.flag);
    v(Field{"extras", "whether a target is chosen by an extra"}, it.extras);
    v(Field{"prerelease", "whether it has pre-releases only"}, it.prerelease);
    v(Field{"run", "options of docker run and podman run"}, it.run);
    v(Field{"command", "line of shell that installs a build"}, it.command);
    v(Field{"note", "a sentence for people"}, it.note);
    v(Field{"sources", "keys of sources"}, it.sources);
}

/// What pip installs before, from one index alone.
struct BuildStep {
    std::string url = {};
    BuildTexts requirements = {};
};

template <SameEntity<BuildStep> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"url", "index, the only one that is asked"}, it.url);
    v(Field{"requirements", "as pip takes them"}, it.requirements);
}

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

template <SameEntity<PublishedBuild> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"id", "once among all builds"}, it.id);
    v(Field{"framework", "one of frameworks"}, it.framework);
    v(Field{"version", "of the framework"}, it.version);
    v(Field{"channel", "a key of channels"}, it.channel);
    v(Field{"status", "current, superseded, preview or nightly"}, it.status);
    v(Field{"variant", "part of the address of the index"}, it.variant);
    v(Field{"rocm", "release that it holds or needs"}, it.rocm);
    v(Field{"targets", "that it has code for"}, it.targets);
    v(Field{"generic", "generic targets of LLVM that it has code for"}, it.generic);
    v(Field{"partial", "targets with code that does not work, with the reason"}, it.partial);
    v(Field{"untested", "targets that its makers do not test"}, it.untested);
    v(Field{"python", "versions of Python that it is for"}, it.python);
    v(Field{"glibc", "least glibc"}, it.glibc);
    v(Field{"bundles_rocm", "whether ROCm's libraries are inside"}, it.bundles_rocm);
    v(Field{"kernel", "least Linux kernel"}, it.kernel);
    v(Field{"driver", "least driver"}, it.driver);
    v(Field{"requirements", "what to install, as pip takes it"}, it.requirements);
    v(Field{"first", "what is to be installed before"}, it.first);
    v(Field{"brings", "large requirements that the installer brings by itself"}, it.brings);
    v(Field{"beside", "framework of the same ROCm that must be there"}, it.beside);
    v(Field{"image", "container image with registry and tag"}, it.image);
    v(Field{"url", "of the archive"}, it.url);
    v(Field{"distribution", "releases of distributions that the packages are for"},
      it.distribution);
    v(Field{"packages", "of the distribution"}, it.packages);
    v(Field{"repository", "address of the repository of packages"}, it.repository);
    v(Field{"key", "that signs it"}, it.key);
    v(Field{"pins", "versions of other packages that it asks for"}, it.pins);
    v(Field{"environment", "variables that its text asks for"}, it.environment);
    v(Field{"date", "of publication, else of the text"}, it.date);
    v(Field{"note", "a sentence for people"}, it.note);
    v(Field{"not_recorded", "for each null a key of reasons"}, it.not_recorded);
    v(Field{"sources", "by field, keys of sources"}, it.sources);
}

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

template <SameEntity<AbsentBuild> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"framework", "one of frameworks"}, it.framework);
    v(Field{"channel", "where; left out: anywhere"}, it.channel);
    v(Field{"targets", "empty: every target"}, it.targets);
    v(Field{"last", "id of the last build that works"}, it.last);
    v(Field{"last_version", "where that is not among the builds"}, it.last_version);
    v(Field{"why", "the reason, for people"}, it.why);
    v(Field{"open", "whether there is one is not recorded"}, it.open);
    v(Field{"instead", "what is left, the best first"}, it.instead);
    v(Field{"sources", "keys of sources"}, it.sources);
}

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

template <SameEntity<SourceBuild> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"framework", "one of frameworks"}, it.framework);
    v(Field{"variable", "that names the targets"}, it.variable);
    v(Field{"separator", "between targets"}, it.separator);
    v(Field{"aliases", "other names of the variable"}, it.aliases);
    v(Field{"targets", "that it takes"}, it.targets);
    v(Field{"command", "lines of shell"}, it.command);
    v(Field{"note", "a sentence for people"}, it.note);
    v(Field{"sources", "keys of sources"}, it.sources);
}

/// How a tool is told of targets.
struct TargetVariable {
    std::string consumer = {}, name = {}, form = {}, separator = {};
};

template <SameEntity<TargetVariable> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"consumer", "who reads it"}, it.consumer);
    v(Field{"name", "of the variable or option"}, it.name);
    v(Field{"form", "as it is typed"}, it.form);
    v(Field{"separator", "between targets"}, it.separator);
}

/// A row of AMD's table: how its binaries of some releases of ROCm do with kernels.
struct KernelRelease {
    std::string rocm_since = {}, rocm_until = {};  ///< both belong to it
    std::string fixed_kernels = {};                ///< of distributions, with the fixes
    std::string new_kernels = {};                  ///< KernelRequirement::kernel and later
    std::string older = {};
};

template <SameEntity<KernelRelease> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"rocm_since", "first release"}, it.rocm_since);
    v(Field{"rocm_until", "last release"}, it.rocm_until);
    v(Field{"fixed_kernels", "supported, unstable or unsupported with distribution_kernels"},
      it.fixed_kernels);
    v(Field{"new_kernels", "likewise with the kernel and later ones"}, it.new_kernels);
    v(Field{"older", "likewise with older kernels"}, it.older);
}

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

template <SameEntity<KernelRequirement> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"targets", "that it holds for"}, it.targets);
    v(Field{"kernel", "Linux from which on the fixes are there"}, it.kernel);
    v(Field{"distribution_kernels", "kernels of distributions"}, it.distribution_kernels);
    v(Field{"has_fixes", "distributions whose kernels have the fixes"}, it.has_fixes);
    v(Field{"releases", "how releases of ROCm do with kernels"}, it.releases);
    v(Field{"drivers", "versions of the driver"}, it.drivers);
    v(Field{"note", "a sentence for people"}, it.note);
    v(Field{"sources", "keys of sources"}, it.sources);
}

struct DriverRule {
    std::string note = {};
    BuildTexts sources = {};
};

template <SameEntity<DriverRule> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"note", "a sentence for people"}, it.note);
    v(Field{"sources", "keys of sources"}, it.sources);
}

/// A text that was read. One of the kind "report" alone carries no proposal.
struct BuildSource {
    std::string title = {};
    std::optional<std::string> url = {}, reference = {}, version = {};
    std::string kind = {};
};

template <SameEntity<BuildSource> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"title", "what it is"}, it.title);
    v(Field{"url", "where it stands"}, it.url);
    v(Field{"reference", "file or section"}, it.reference);
    v(Field{"version", "version, commit or date"}, it.version);
    v(Field{"kind", "document, build script, change, registry list or report"}, it.kind);
}

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

template <SameEntity<BuildsData> Self, class Visitor>
void visit_fields(Self& it, Visitor&& v) {
    v(Field{"$schema", "its schema"}, it.schema);
    v(Field{"schema_version", "1.x"}, it.schema_version);
    v(Field{"data_date", "day to which the texts were read"}, it.data_date);
    v(Field{"frameworks", "in the order in which they are told of"}, it.frameworks);
    v(Field{"reasons", "why something is not recorded"}, it.reasons);
    v(Field{"target_sets", "targets that several builds share"}, it.target_sets);
    v(Field{"generic_targets", "where those of a generic target stand"}, it.generic_targets);
    v(Field{"siblings", "where the sibling of a target stands"}, it.siblings);
    v(Field{"driver_rule", "which driver fits which ROCm"}, it.driver_rule);
    v(Field{"channels", "where builds are published"}, it.channels);
    v(Field{"builds", "published builds"}, it.builds);
    v(Field{"absent", "why there is none"}, it.absent);
    v(Field{"source_builds", "how it is built"}, it.source_builds);
    v(Field{"target_variables", "how tools are told of targets"}, it.target_variables);
    v(Field{"kernel_requirements", "which kernels fit"}, it.kernel_requirements);
    v(Field{"sources", "what all of it rests on"}, it.sources);
}

/// @throws ProfileError with file and JSON pointer: every key is known, every channel, target set,
/// reason and source that is named is there.
BuildsData parse_builds_data(std::string_view file, std::string_view text);

/// The file that is part of the program, read at the first question.
BuildsData const& embedded_builds();

}  // namespace rocmtune
