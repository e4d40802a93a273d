// SPDX-License-Identifier: MIT
// The lines that install a build.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "judge/builds/candidate.hpp"

namespace rocmtune {
namespace {

/// "torch[device-{gfx}]==2.14.0" with an extra for each target.
std::string requirement_for(std::string text, BuildTexts const& targets) {
    replace_all(text, "device-{gfx}", fmt::format("device-{}", fmt::join(targets, ",device-")));
    return text;
}

std::string address_of(BuildChannel const& channel, PublishedBuild const& build) {
    auto url = channel.url.value_or("");
    replace_all(url, "{rocm}", build.rocm.value_or(""));
    replace_all(url, "{version}", build.version);
    replace_all(url, "{variant}", build.variant.value_or(""));
    return url;
}

/// One run of pip, or what uv is told in its place.
struct PipRun {
    std::string flag;   ///< --index-url, --extra-index-url, --find-links, or empty: PyPI
    std::string url;    ///< of that flag
    std::string index;  ///< a name for it
    bool prerelease = false;
    BuildTexts requirements = {};
};

void add_runs(BuildsContext const& context, PublishedBuild const& build,
              std::vector<PipRun>& runs) {
    auto const& channel = context.data.channels.at(build.channel);
    auto const all = [&](BuildTexts const& texts) {
        BuildTexts result;
        for (auto const& text : texts) result.push_back(requirement_for(text, context.targets));
        return result;
    };
    for (auto const& step : build.first)
        runs.push_back({"--index-url", step.url, fmt::format("rocm-{}", runs.size() + 1), false,
                        all(step.requirements)});
    runs.push_back({channel.flag.value_or(""), address_of(channel, build), build.channel,
                    channel.prerelease, all(build.requirements)});
}

std::vector<PipRun> runs_of(BuildsContext const& context, Candidate const& candidate) {
    std::vector<PipRun> runs;
    if (candidate.beside != nullptr) add_runs(context, *candidate.beside, runs);
    add_runs(context, *candidate.build, runs);
    return runs;
}

/// What belongs to the packages of the distribution is not pip's to change (PEP 668).
bool needs_environment(BuildsContext const& context) {
    auto const* const host = context.question.host;
    return host != nullptr && (host->python_environment.value_or("") == "/usr" ||
                               host->python_is_managed.value_or(false));
}

std::string pip_lines(BuildsContext const& context, std::vector<PipRun> const& runs) {
    auto const& asked = context.question.python;
    BuildTexts lines;
    if (needs_environment(context))
        lines.push_back(fmt::format("python{} -m venv rocm-env && . rocm-env/bin/activate",
                                    asked.value_or("3")));
    for (auto const& run : runs) {
        auto line = fmt::format("python{} -m pip install", asked.value_or("3"));
        if (run.prerelease) line += " --pre";
        if (!run.flag.empty()) line += fmt::format(" {} {}", run.flag, run.url);
        for (auto const& requirement : run.requirements)
            line += fmt::format(" \"{}\"", requirement);
        lines.push_back(std::move(line));
    }
    return fmt::format("{}", fmt::join(lines, "\n"));
}

// ---- uv -----------------------------------------------------------------------------------------

/// Where the wheels are for: uv resolves for this alone.
std::string environment_marker(BuildsContext const& context, PublishedBuild const& build) {
    std::string marker = "sys_platform == 'linux' and platform_machine == 'x86_64'";
    auto const& python = context.python;
    if (python) marker += fmt::format(" and python_version == '{}'", *python);
    else if (build.python && !build.python->empty())
        marker += fmt::format(" and python_version >= '{}' and python_version <= '{}'",
                              build.python->front(), build.python->back());
    return marker;
}

std::string_view package_of(std::string_view requirement) {
    return requirement.substr(0, requirement.find_first_of("[<>=!~; "));
}

/// A group of dependencies, and where uv finds them. An index is not explicit: what its wheels ask
/// for themselves, such as Triton, comes from it, too.
std::string uv_section(BuildsContext const& context, Candidate const& candidate) {
    auto const runs = runs_of(context, candidate);
    std::string group, indexes, sources;
    bool prerelease = false, needs_pypi = false;
    for (auto const& run : runs) {
        bool const from_pypi = run.flag.empty();
        // A package that another index here has, too, comes from PyPI if it is asked for there.
        bool const pinned_to_pypi = from_pypi && runs.size() > 1;
        needs_pypi |= pinned_to_pypi;
        prerelease |= run.prerelease;
        if (!from_pypi)
            indexes +=
                fmt::format("\n[[tool.uv.index]]\nname = \"{}\"\nurl = \"{}\"\n{}", run.index,
                            run.url, run.flag == "--find-links" ? "format = \"flat\"\n" : "");
        for (auto const& requirement : run.requirements) {
            group += fmt::format("    \"{}\",\n", requirement);
            if (!from_pypi || pinned_to_pypi)
                sources += fmt::format("{} = {{ index = \"{}\" }}\n", package_of(requirement),
                                       from_pypi ? "pypi" : run.index);
        }
    }
    if (needs_pypi)
        indexes +=
            fmt::format("\n[[tool.uv.index]]\nname = \"pypi\"\nurl = \"{}\"\ndefault = true\n",
                        context.data.channels.at("pypi").url.value_or(""));
    return fmt::format(
        "# pyproject.toml; then: uv sync --group rocm\n"
        "[dependency-groups]\nrocm = [\n{}]\n\n[tool.uv]\nenvironments = [\n    \"{}\",\n]\n{}{}{}",
        group, environment_marker(context, *candidate.build),
        prerelease ? "prerelease = \"allow\"\n" : "", indexes,
        sources.empty() ? "" : "\n[tool.uv.sources]\n" + sources);
}

// ---- the others ---------------------------------------------------------------------------------

std::string container_line(std::string const& program, Candidate const& candidate,
                           std::map<std::string, std::string> const& set) {
    auto line = fmt::format("{} run -it --rm {}", program, fmt::join(candidate.channel->run, " "));
    // Without root the groups of the user, which may open the devices, must be kept.
    if (program == "podman") line += " --group-add=keep-groups";
    for (auto const& [name, value] : set) line += fmt::format(" --env={}={}", name, value);
    return line + ' ' + candidate.build->image.value_or("");
}

/// AMD names the folder of a release without its dot: ubuntu2404.
std::string release_here(BuildsContext const& context, PublishedBuild const& build) {
    auto const* const host = context.question.host;
    auto release = host == nullptr ? build.distribution.front() : distribution_release(*host);
    std::erase(release, '.');
    return release;
}

std::string apt_lines(BuildsContext const& context, PublishedBuild const& build) {
    auto const install = fmt::format("sudo apt install {}", fmt::join(build.packages, " "));
    if (!build.repository || !build.key) return install;
    auto repository = *build.repository;
    replace_all(repository, "{distribution}", release_here(context, build));
    constexpr std::string_view key = "/etc/apt/keyrings/amdrocm.gpg";
    return fmt::format(
        "sudo mkdir --parents --mode=0755 /etc/apt/keyrings\n"
        "curl -fsSL {} | sudo gpg --dearmor --yes -o {}\n"
        "echo \"deb [arch=amd64 signed-by={}] {}\" | sudo tee /etc/apt/sources.list.d/rocm.list\n"
        "sudo apt update && {}",
        *build.key, key, key, repository, install);
}

std::string archive_lines(Candidate const& candidate) {
    auto const& build = *candidate.build;
    if (candidate.channel->command) {
        auto line = *candidate.channel->command;
        replace_all(line, "{version}", build.version);
        return line;
    }
    auto const& url = build.url.value();
    auto const file = url.substr(url.rfind('/') + 1);
    return fmt::format("curl -fLO {}\n{} {}", url, file.ends_with(".zip") ? "unzip" : "tar xf",
                       file);
}

bool is_of_dnf(std::string const& release) {
    for (auto const* name : {"fedora", "rhel", "rocky", "centos", "almalinux", "ol"})
        if (release.starts_with(name)) return true;
    return false;
}

/// What installs builds of this kind, the usual one first.
BuildTexts installers_for(Candidate const& candidate) {
    switch (candidate.channel->kind) {
        case ChannelKind::wheel_index:
        case ChannelKind::find_links: return {"pip", "uv"};
        case ChannelKind::container: return {"docker", "podman"};
        case ChannelKind::archive: return {"shell"};
        case ChannelKind::source: return {};
        case ChannelKind::distribution:
            return {std::ranges::any_of(candidate.build->distribution, is_of_dnf) ? "dnf" : "apt"};
    }
    return {};
}

}  // namespace

std::string installer_of(BuildsContext const& context, Candidate const& candidate) {
    auto const all = installers_for(candidate);
    auto const& asked = context.question.installer;
    if (asked.empty()) {
        auto const* const host = context.question.host;
        if (host != nullptr && host->programs && candidate.channel->kind == ChannelKind::container)
            for (auto const& one : all)
                if (std::ranges::count(*host->programs, one) > 0) return one;
        return all.empty() ? "" : all.front();
    }
    return std::ranges::find(all, asked) == all.end() ? "" : asked;
}

BuildTexts installed_by(BuildsContext const& context, Candidate const& candidate) {
    BuildTexts all;
    auto const installer = installer_of(context, candidate);
    if ((installer != "pip" && installer != "uv") || needs_environment(context)) return all;
    for (auto const& run : runs_of(context, candidate))
        all.insert(all.end(), run.requirements.begin(), run.requirements.end());
    return all;
}

std::string command_for(BuildsContext const& context, Candidate const& candidate,
                        std::map<std::string, std::string> const& set) {
    auto const installer = installer_of(context, candidate);
    if (installer == "docker" || installer == "podman")
        return container_line(installer, candidate, set);
    if (installer == "uv") return uv_section(context, candidate);
    auto lines = installer == "pip"   ? pip_lines(context, runs_of(context, candidate))
                 : installer == "apt" ? apt_lines(context, *candidate.build)
                 : installer == "dnf"
                     ? fmt::format("sudo dnf install {}", fmt::join(candidate.build->packages, " "))
                     : archive_lines(candidate);
    for (auto const& [name, value] : set) lines += fmt::format("\nexport {}={}", name, value);
    return lines;
}

}  // namespace rocmtune
