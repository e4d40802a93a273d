// SPDX-License-Identifier: MIT
// Judges settings of environment variables: dead, misspelt, misread, pointless or harmful ones.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "knowledge/catalogue.hpp"
#include "knowledge/chips.hpp"
#include "rocmtune/assignment.hpp"
#include "rocmtune/finding.hpp"
#include "rocmtune/host.hpp"
#include "rocmtune/stated_release.hpp"

namespace rocmtune {

/// A text may have 100,000 misspelt names, and thousands are known: what is compared of each is
/// worked out once, when it is first asked for.
class NearNames {
  public:
    /// Names beyond this are compared with nothing.
    static constexpr std::size_t longest = 64;

    explicit NearNames(Catalogue const& catalogue) : catalogue_(catalogue) {}

    /// The name that is one slip away, or two from a name of 12 bytes or more. Of equally near ones
    /// that which the catalogue describes, since it is set most; then the first by the alphabet.
    /// Names that differ in their numbers alone are siblings, not misspellings. Threads may ask
    /// side by side.
    std::optional<std::string_view> nearest_to(std::string_view name) const;

    /// The described name with the same words in another order (also where `name` has one word
    /// more), or with one word more at its end. Names of fewer than three words are compared with
    /// nothing. Threads may ask side by side.
    std::optional<std::string_view> with_words_of(std::string_view name) const;

  private:
    struct Known {
        std::uint64_t letters;
        std::string_view name;
        std::size_t rank;  ///< of two that are equally near, the lower one is meant
    };

    void read_names() const;
    void read_words(std::string_view name) const;

    Catalogue const& catalogue_;
    mutable std::once_flag once_ = {};
    /// By length. No longer one can be two slips away.
    mutable std::array<std::vector<Known>, longest + 3> by_length_ = {};
    /// By their sorted words; empty where several described names have these.
    mutable std::map<std::string, std::string_view> by_words_ = {};
};

/// Which names the installed components can read, as a scan of their files found it.
struct ReaderIndex {
    std::vector<std::string> names = {};  ///< sorted; names of the catalogue that some file holds
    std::vector<std::string> components =
        {};  ///< sorted; ids of those that are here and were all read
};

/// What assignments are judged by. All of it outlives the call.
struct LintContext {
    Catalogue const& catalogue;
    ChipSet const& chips;
    /// The host that the settings are for; null: some other one, about which nothing is said.
    Host const* host = nullptr;
    /// Null: whether a name has a reader here is not judged.
    ReaderIndex const* readers = nullptr;
    /// The host has more GPUs, for which the settings are not.
    bool some_gpus = false;
    /// What the settings are for beside the host, or in its place; of one package the first counts.
    std::vector<StatedRelease> releases = {};
    /// What the text is for, as it says itself: the beginnings of gfx targets, and cards ("mi250");
    /// empty: it does not say.
    std::vector<std::string> gpus = {};
    std::shared_ptr<NearNames const> near_names = std::make_shared<NearNames const>(catalogue);
};

/// Whether some component that reads settings has this package. "rocm" is that of ROCm's own parts.
bool is_known_package(std::string_view package, Catalogue const& catalogue);

/// Whether the value is never shown: the name promises a secret, or the value has the shape of one.
bool is_secret(Assignment const& assignment);

/// The setting as its line has it, from the name to the end of the value, and nothing else of the
/// line; of a value that is written in another way than the program gets it, the name alone. Empty
/// for a secret.
std::string text_of_setting(Assignment const& assignment, std::string_view line);

/// What to do about a finding, for one in a file in words of its lines: "delete line 4". Where a
/// person has to do it, it says so, if the finding is certain.
std::string fix_in_file(SettingPlace const& place);

/// What the process of the host has set; nothing where that is not known.
std::vector<Assignment> environment_settings(Host const& host);

/// Takes one finding after the other.
using FindingSink = std::function<void(Finding)>;

/// Findings in the order of files, lines and columns, then of ids; files in the order of their
/// first assignments. Those of one place are kept at a time, and those that rest on several
/// assignments. A value behind a name that promises a secret is in none of them.
void lint(std::span<Assignment const> assignments, LintContext const& context,
          FindingSink const& sink);

/// Puts what another finding says of the same setting into the graver one of the two.
/// @returns false if they are of different settings; nothing is changed then.
bool joins(Finding& kept, Finding& other);

/// The same in a list.
std::vector<Finding> lint(std::span<Assignment const> assignments, LintContext const& context);

/// `maps` as in /proc/PID/maps (proc(5)).
std::vector<Finding> lint_mapped_libraries(std::string_view maps);

}  // namespace rocmtune
