// SPDX-License-Identifier: MIT
// Which releases a text pins: "vllm==0.9.2", rocm/pytorch:rocm6.4_..._pytorch_release_2.6.0.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/package_name.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
#include "settings/build_arguments.hpp"
#include "settings/collect.hpp"

namespace rocmtune {
namespace {

using std::string_view;

constexpr string_view ends_of_words = " \t\r\"'`,;()[]{}<>|\\";

/// The version at the start of the text: "2.5.1" of "2.5.1+rocm6.2"; empty where it is none, or
/// stands for several ("2.5.*").
string_view version_at(string_view text) {
    std::size_t end = 0;
    while (end < text.size() && (is_digit(text[end]) || text[end] == '.')) ++end;
    if (text.substr(end, 1) == "*") return {};
    auto version = text.substr(0, end);
    while (version.ends_with('.')) version.remove_suffix(1);
    return version.empty() || version.front() == '.' ? string_view() : version;
}

/// 6.4.1 of "rocm6.4.1", "ROCm_6.4", "rocm641": what stands behind the word in a tag.
std::string version_behind(string_view tag, string_view word) {
    for (auto at = tag.find(word); at != tag.npos; at = tag.find(word, at + 1)) {
        auto rest = tag.substr(at + word.size());
        for (string_view const filler : {"_", "-", "release", "_", "-", "v"})
            if (rest.starts_with(filler)) rest.remove_prefix(filler.size());
        auto const version = version_at(rest);
        if (version.find('.') != version.npos) return std::string(version);
        constexpr std::size_t packed = 3;  // SGLang writes 6.3.0 so
        if (word == "rocm" && version.size() == packed)
            return fmt::format("{}.{}.{}", version[0], version[1], version[2]);
    }
    return {};
}

/// What an image of this name holds, and how its tag says so.
struct Image {
    string_view name;     ///< with its owner; a longer name that begins so is one, too
    string_view package;  ///< whose version the tag begins with; empty: none
    bool is_fork;
};

constexpr Image images[] = {
    {"vllm/vllm-openai", "vllm", false},   {"lmsysorg/sglang", "sglang", false},
    {"ollama/ollama", "ollama", false},    {"rocm/dev-", "rocm", false},
    {"rocm/rocm-terminal", "rocm", false}, {"rocm/", "", true},
};

/// Components that tags name with their versions.
constexpr std::array<std::array<string_view, 2>, 6> words_of_tags{{
    {"rocm", "rocm"},
    {"rccl", "rccl"},
    {"vllm", "vllm"},
    {"pytorch", "torch"},
    {"sglang", "sglang"},
    {"jax", "jax"},
}};

struct VersionName {
    string_view name;
    string_view package;
};

/// What scripts, images and workflows call the releases that they install.
constexpr VersionName version_names[] = {
    {"ROCM_VERSION", "rocm"},     {"ROCM_VER", "rocm"},         {"ROCM_RELEASE", "rocm"},
    {"TORCH_VERSION", "torch"},   {"PYTORCH_VERSION", "torch"}, {"VLLM_VERSION", "vllm"},
    {"SGLANG_VERSION", "sglang"}, {"OLLAMA_VERSION", "ollama"}, {"JAX_VERSION", "jax"},
};

/// Places of ROCm, before its version.
constexpr std::array<string_view, 4> places_of_rocm{"/whl/rocm", "/whl/nightly/rocm", "/rocm/apt/",
                                                    "/amdgpu-install/"};

class Pins {
  public:
    explicit Pins(InputText const& input) : input_(input) {}

    std::vector<StatedRelease> read() {
        auto number = input_.first_line;
        for (auto const line : split(input_.text, '\n')) {
            line_ = number++;
            if (trim(line).starts_with('#')) continue;
            if (input_.kind == InputKind::dockerfile) pins_of(with_arguments(line));
            else if (auto const image = image_of_chart(line)) pins_of(*image);
            else pins_of(line);
        }
        std::vector<StatedRelease> kept;
        for (auto& [package, release] : found_)
            if (!release.version.empty()) kept.push_back(std::move(release));
        return kept;
    }

  private:
    void pins_of(string_view line) {
        requirements(line);
        for (auto const& row : version_names) named_version(line, row);
        places(line);
        modules(line);
        for (auto const& image : images) named_image(line, image);
        any_image(line);
    }

    /// "repository: ollama/ollama" and, in a line below, "tag: 0.30.2".
    std::optional<std::string> image_of_chart(string_view line) {
        auto const parts = split_once(trim(line), ':');
        if (!parts || !is_one_of(parts->first, {"repository", "tag"})) return std::nullopt;
        auto word = trim(parts->second);
        if (word.starts_with('"') || word.starts_with('\'')) word.remove_prefix(1);
        word = word.substr(0, word.find_first_of(ends_of_words));
        if (parts->first == "repository") repository_ = word;
        else if (!repository_.empty())
            return fmt::format("{}:{}", std::exchange(repository_, {}), word);
        return std::nullopt;
    }

    /// The line of a Dockerfile with the defaults of ARG in place.
    std::string with_arguments(string_view line) {
        auto const text = trim(line);
        auto const word = lower(text.substr(0, text.find_first_of(" \t")));
        auto const rest = trim(text.substr(word.size()));
        if (word == "from") return arguments_.begin_stage(line);
        if (word == "arg" || word == "env") arguments_.declare(rest);
        return arguments_.replaced(line);
    }

    void requirements(string_view line) {
        for (auto at = line.find("=="); at != line.npos; at = line.find("==", at + 1)) {
            auto const words = line.substr(0, at);
            auto const begin = words.find_last_of(" \t\"'`,;(=") + 1;
            auto name = words.substr(begin);
            name = name.substr(0, name.find('['));
            auto const rest = line.substr(at + 2);
            auto const version = version_at(rest);
            if (name.empty() || version.empty() || name.find_first_of("$!<>~") != name.npos)
                continue;
            add(normalised_name(name), version);
            auto const word = rest.substr(0, rest.find_first_of(ends_of_words));
            if (auto const rocm = version_behind(word, "+rocm"); !rocm.empty()) add("rocm", rocm);
        }
    }

    /// ARG ROCM_VERSION=6.4.1, TORCH_VERSION: "2.5.1", ${ROCM_VERSION:-6.3}
    void named_version(string_view line, VersionName const& row) {
        for (auto at = line.find(row.name); at != line.npos; at = line.find(row.name, at + 1)) {
            auto const before = at > 0 ? line[at - 1] : ' ';
            auto rest = line.substr(at + row.name.size());
            bool const is_default = rest.starts_with(":-") || rest.starts_with(":=");
            if (is_name_character(before) || before == '$' || (before == '{' && !is_default))
                continue;
            auto const value = is_default ? 2u : 1u;
            if (!rest.starts_with('=') && !rest.starts_with(':')) continue;
            rest.remove_prefix(value);
            rest.remove_prefix(std::min(rest.find_first_not_of(" \"'"), rest.size()));
            if (rest.starts_with('v')) rest.remove_prefix(1);
            if (auto const version = version_at(rest); version.find('.') != version.npos)
                add(std::string(row.package), version);
        }
    }

    /// module load rocm/6.2.4 PyTorch/2.2.2-rocm-5.6.1-python-3.10
    void modules(string_view line) {
        auto const text = trim(line);
        if (!text.starts_with("module load") && !text.starts_with("ml ")) return;
        for (auto const each : split(text, ' ')) {
            auto const module_name = lower(each);
            auto const parts = split_once(module_name, '/');
            if (!parts || each.find('$') != each.npos) continue;
            for (auto const& [word, package] : words_of_tags) {
                auto const version = parts->first == word ? std::string(version_at(parts->second))
                                                          : version_behind(parts->second, word);
                if (version.find('.') != version.npos) add(std::string(package), version);
            }
        }
    }

    /// /opt/rocm-6.3.1, whl/rocm6.2
    void places(string_view line) {
        auto const add_behind = [&](string_view place, std::ptrdiff_t fewest_dots) {
            for (auto at = line.find(place); at != line.npos; at = line.find(place, at + 1))
                if (auto const version = version_at(line.substr(at + place.size()));
                    std::ranges::count(version, '.') >= fewest_dots)
                    add("rocm", version);
        };
        for (auto const place : places_of_rocm) add_behind(place, 1);
        // /opt/rocm-6.4 may be a link that an administrator moves.
        add_behind("/opt/rocm-", 2);
    }

    /// A digest says which image it is, and the tag before it no longer does.
    void named_image(string_view line, Image const& image) {
        for (auto at = line.find(image.name); at != line.npos; at = line.find(image.name, at + 1)) {
            if (at > 0 && (ends_of_words.find(line[at - 1]) == string_view::npos) &&
                line[at - 1] != '/' && line[at - 1] != '=' && line[at - 1] != ':')
                continue;
            auto const rest = line.substr(at);
            auto const word = rest.substr(0, rest.find_first_of(ends_of_words));
            auto const parts = split_once(word, ':');
            // "rocm/lib:/opt/..." is a list of directories.
            if (!parts || word.find_first_of("$@") != word.npos ||
                parts->first.find('/') != parts->first.rfind('/') ||
                parts->second.find('/') != parts->second.npos)
                continue;
            tag(lower(parts->second), image);
            return;
        }
    }

    /// Whoever made the image: "registry/owner/x:rocm-7.1.1-ubuntu22.04-rccl-2.27.7".
    void any_image(string_view line) {
        for (string_view const package : {"rocm", "rccl"})
            for (auto at = line.find(package); at != line.npos;) {
                auto const begin = line.find_last_of(ends_of_words, at) + 1;
                auto const end = std::min(line.find_first_of(ends_of_words, at), line.size());
                tag_with(package, line.substr(begin, end - begin));
                at = line.find(package, end);
            }
    }

    void tag_with(string_view package, string_view word) {
        word.remove_prefix(word.rfind('=') + 1);
        auto const colon = word.rfind(':');
        if (colon == word.npos) return;
        auto const name = word.substr(0, colon);
        auto const tag = word.substr(colon + 1);
        bool const is_image = name.find('/') != name.npos && is_name_character(name.front()) &&
                              tag.find('/') == tag.npos && word.find_first_of("$@") == word.npos;
        // Not digits that only may be a version, as in rocm-630.
        auto const version = is_image ? version_behind(tag, package) : std::string();
        if (!version.empty() && tag.find(version) != tag.npos) add(std::string(package), version);
    }

    void tag(std::string const& text, Image const& image) {
        if (!image.package.empty()) {
            string_view start = text;
            if (start.starts_with('v')) start.remove_prefix(1);
            if (auto const version = version_at(start); version.find('.') != version.npos)
                add(std::string(image.package), version);
        }
        for (auto const& [word, package] : words_of_tags)
            if (auto const version = version_behind(text, word); !version.empty())
                add(std::string(package), version, image.is_fork && package != "rocm");
    }

    /// 6.3 of 6.3.1
    static bool is_part_of(string_view version, string_view longer) {
        return !version.empty() && longer.starts_with(version) &&
               longer.substr(version.size()).starts_with('.');
    }

    /// A package with several versions in one text has none that is known.
    void add(std::string const& package, string_view version, bool is_fork = false) {
        auto const [place, is_new] =
            found_.try_emplace(package, StatedRelease{.package = package,
                                                      .version = std::string(version),
                                                      .origin = fmt::format("line {}", line_),
                                                      .is_fork = is_fork});
        auto& known = place->second;
        if (is_new || known.version == version || is_part_of(version, known.version)) return;
        if (is_part_of(known.version, version)) {
            known.version = version;
            return;
        }
        auto const order = compare_versions(known.version, version);
        if (!order || *order != 0) known.version.clear();
    }

    InputText const& input_;
    std::size_t line_ = 0;
    std::map<std::string, StatedRelease> found_ = {};
    BuildArguments arguments_ = {};
    std::string repository_ = {};
};

}  // namespace

std::vector<StatedRelease> stated_releases(InputText const& input) {
    constexpr std::array<string_view, 15> signs{
        "==",       "rocm/",      "vllm/", "lmsysorg/",  "ollama/",
        ":rocm",    "-rocm",      ":rccl", "-rccl",      "_VER",
        "_RELEASE", "/opt/rocm-", "/whl/", "/rocm/apt/", "/amdgpu-install/"};
    bool const may_pin = std::ranges::any_of(
        signs, [&](string_view sign) { return input.text.find(sign) != string_view::npos; });
    return may_pin ? Pins(input).read() : std::vector<StatedRelease>();
}

}  // namespace rocmtune
