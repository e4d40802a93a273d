// SPDX-License-Identifier: MIT
// Shared libraries opened by hand. Nothing here is called outside a worker process or a test: the
// constructors of GPU libraries may do anything.
#pragma once

#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rocmtune {

/// Why a library did not load, told from the words of dlerror(3). The names (load_problem_name)
/// are part of the workers' answers.
enum class LoadProblem {
    absent,             ///< there is no such file
    denied,             ///< this user may not read it
    broken_dependency,  ///< it needs another library that does not load
    corrupt,            ///< no loadable file of this architecture
    old_system,         ///< it needs a version of another library (often glibc) that is not here
    missing_symbol,     ///< a function that it needs is in none of its libraries
    untrusted,          ///< it was not tried: others than root could have put it there
    other,
};

/// "absent", "denied", "broken-dependency", "corrupt", "old-system", "missing-symbol",
/// "untrusted", "other".
std::string_view load_problem_name(LoadProblem problem);

/// A candidate that did not load.
struct LoadFailure {
    std::string candidate;
    LoadProblem problem = LoadProblem::other;
    /// The library, version or function that is at fault, if it is another; of an untrusted one
    /// why.
    std::string culprit;
    std::string text;  ///< what dlerror said
};

/// Tells the problem from what dlerror said of a candidate (texts of glibc's elf/dl-load.c,
/// dl-version.c and dl-lookup.c, which a program that never calls setlocale(3) gets untranslated).
LoadFailure classify_load_failure(std::string_view candidate, std::string_view text);

/// Value of a variable that leads to a library; empty if it is not set or under AT_SECURE.
std::string secure_variable(char const* name);

/// The paths that match a pattern of glob(7), in its order.
std::vector<std::string> glob_matches(std::string const& pattern);

/// The first library of a list that loads. It stays loaded to the end of the process: unloading
/// runs destructors, and those of GPU libraries are where many crashes happen.
class DynamicLibrary {
  public:
    using Announce = std::function<void(std::string const& candidate)>;

    /// Tries file names (searched as ld.so(8) says) and paths in order, each with
    /// RTLD_NOW | RTLD_LOCAL. `announce` is called before each: a damaged file or a constructor may
    /// end the process, and then nobody else knows which it was. As root and under AT_SECURE only
    /// what nobody but root can have put there is tried (machine/trusted_library.hpp).
    explicit DynamicLibrary(std::span<std::string const> candidates, Announce const& announce = {});

    /// Goes on with these if none of those before has loaded.
    void try_more(std::span<std::string const> candidates, Announce const& announce = {});

    explicit operator bool() const { return handle_ != nullptr; }
    /// The file that was loaded, links followed; empty if none was.
    std::string const& path() const { return path_; }
    /// The name it gives itself (DT_SONAME); empty if it has none.
    std::string const& soname() const { return soname_; }
    /// The candidates before the one that loaded, or all.
    std::vector<LoadFailure> const& failures() const { return failures_; }
    /// The candidate that loaded; empty if none did.
    std::string const& candidate() const { return candidate_; }

    /// The function of this name, or null: it does not exist in this version.
    /// `F` is its type, as in symbol<int(char const*)>("puts").
    template <class F>
    F* symbol(char const* name) const {
        return reinterpret_cast<F*>(address(name));
    }

  private:
    void* address(char const* name) const;
    void describe();

    void* handle_ = nullptr;
    std::string path_;
    std::string soname_;
    std::string candidate_;
    std::vector<LoadFailure> failures_;
};

/// DT_SONAME of all objects that are loaded into this process: a library that needs one of them
/// gets it, and nothing is searched.
std::set<std::string> loaded_sonames();

/// Files of this library (libamdhip64) that are loaded into this process, links followed, sorted.
/// More than one means that two versions of it share the process.
std::vector<std::string> loaded_files_of(std::string_view library);

}  // namespace rocmtune
