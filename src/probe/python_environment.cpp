// SPDX-License-Identifier: MIT
// Where Python looks for packages: the rules of Lib/site.py (CPython 3.8 to 3.14), of Debian's
// dist-packages and of pyenv's shims.
#include "probe/python_environment.hpp"

#include <algorithm>
#include <optional>

#include "base/text.hpp"
#include "probe/loader.hpp"

namespace rocmtune {
namespace {

// sys.path has a dozen entries; PATH and PYTHONPATH of module systems may have some more.
constexpr std::size_t site_limit = 64;
constexpr std::size_t prefix_limit = 512;
constexpr std::string_view default_path = "/usr/local/bin:/usr/bin:/bin";

/// One Python installation or virtual environment.
struct Interpreter {
    std::string prefix;
    std::vector<std::string> versions;  ///< "python3.11": names of its library directories
    std::string where;                  ///< what named it
};

bool is_versioned_python(std::string_view name) {
    constexpr std::string_view stem = "python3.";
    return name.starts_with(stem) && to_unsigned(name.substr(stem.size()), 10).has_value();
}

/// The version behind PREFIX/bin/python3; where its name does not tell, all that are installed.
std::vector<std::string> versions_of(HostRoot const& root, std::string const& prefix) {
    auto const target = root.resolve(prefix + "/bin/python3");
    if (target && is_versioned_python(last_component(*target)))
        return {std::string(last_component(*target))};
    std::vector<std::string> versions;
    for (auto const* const lib : {"/lib", "/lib64"})
        if (auto const names = root.list(prefix + lib))
            for (auto const& name : *names)
                if (is_versioned_python(name) &&
                    std::find(versions.begin(), versions.end(), name) == versions.end())
                    versions.push_back(name);
    std::sort(versions.begin(), versions.end(),
              [](auto const& a, auto const& b) { return natural_less(b, a); });
    return versions;
}

std::optional<Interpreter> interpreter_at(HostRoot const& root, std::string prefix,
                                          std::string where) {
    auto versions = versions_of(root, prefix);
    if (versions.empty()) return std::nullopt;
    return Interpreter{std::move(prefix), std::move(versions), std::move(where)};
}

/// A prefix named by a variable. A stale one has no library directory and is passed over: programs
/// then get the python3 of PATH.
std::optional<Interpreter> from_variable(HostRoot const& root, std::string_view name) {
    auto prefix = root.environment_value(name).value_or("");
    while (prefix.size() > 1 && prefix.ends_with('/')) prefix.pop_back();
    if (!prefix.starts_with('/')) return std::nullopt;
    return interpreter_at(root, std::move(prefix), std::string(name));
}

/// pyenv puts shell scripts named python3 into ROOT/shims; ROOT/version names the version they
/// start. "system" stands for the next python3 in PATH.
std::optional<Interpreter> from_pyenv(HostRoot const& root, std::string const& pyenv,
                                      std::string const& shim) {
    auto chosen = root.environment_value("PYENV_VERSION").value_or("");
    if (chosen.empty()) chosen = root.read(pyenv + "/version").value.value_or("");
    auto const names = words(std::string_view(chosen).substr(0, chosen.find(':')));
    if (names.empty() || names[0].find('/') != names[0].npos) return std::nullopt;
    return interpreter_at(root, pyenv + "/versions/" + std::string(names[0]), shim);
}

std::optional<Interpreter> from_executable(HostRoot const& root, std::string const& directory) {
    auto const file = directory + "/python3";
    auto const target = root.resolve(file);
    if (!target || !root.exists(file)) return std::nullopt;
    if (last_component(directory) == "shims")
        return from_pyenv(root, parent_directory(directory), file);
    // pyvenv.cfg is looked for beside the name that was called, before links are followed.
    auto const called = parent_directory(directory);
    if (root.exists(called + "/pyvenv.cfg")) return interpreter_at(root, called, file);
    return interpreter_at(root, parent_directory(parent_directory(*target)), file);
}

std::optional<Interpreter> from_path(HostRoot const& root) {
    auto const path = root.environment_value("PATH").value_or(std::string(default_path));
    std::size_t tried = 0;
    for (auto directory : split(path, ':')) {
        while (directory.size() > 1 && directory.ends_with('/')) directory.remove_suffix(1);
        if (!directory.starts_with('/') || ++tried > prefix_limit) continue;
        if (auto found = from_executable(root, std::string(directory))) return found;
    }
    return std::nullopt;
}

/// Collects existing directories once each.
class Sites {
  public:
    explicit Sites(HostRoot const& root) : root_(root) {}

    void add(std::string directory) {
        if (++attempts_ > prefix_limit || keys_.size() >= site_limit) return;
        auto const target = root_.resolve(directory);
        bool const missing =
            !target && (target.reason == Missing::absent || target.reason == Missing::not_recorded);
        auto const key = target.value.value_or(directory);
        bool const known = std::find(keys_.begin(), keys_.end(), key) != keys_.end();
        if (missing || known) return;
        keys_.push_back(key);
        directories_.push_back(std::move(directory));
    }
    void add_library(std::string const& prefix, std::vector<std::string> const& versions) {
        for (auto const& version : versions)
            for (auto const* const lib : {"/lib/", "/lib64/"})
                for (auto const* const kind : {"/site-packages", "/dist-packages"})
                    add(prefix + lib + version + kind);
    }
    std::vector<std::string> take() { return std::move(directories_); }

  private:
    HostRoot const& root_;
    std::size_t attempts_ = 0;
    std::vector<std::string> keys_;
    std::vector<std::string> directories_;
};

/// ~/.local, unless switched off (site.py, ENABLE_USER_SITE).
void add_user_site(HostRoot const& root, Sites& sites, std::vector<std::string> const& versions) {
    if (!root.environment_value("PYTHONNOUSERSITE").value_or("").empty()) return;
    auto base = root.environment_value("PYTHONUSERBASE").value_or("");
    auto const home = root.environment_value("HOME").value_or("");
    if (base.empty() && home.starts_with('/')) base = home + "/.local";
    if (base.starts_with('/')) sites.add_library(base, versions);
}

/// Distributions put what their users install below /usr/local, before their own packages.
void add_system_sites(Sites& sites, std::string const& prefix,
                      std::vector<std::string> const& versions) {
    if (prefix == "/usr") sites.add_library("/usr/local", versions);
    sites.add_library(prefix, versions);
    if (prefix == "/usr") sites.add("/usr/lib/python3/dist-packages");
}

std::string configuration_value(std::string_view text, std::string_view key) {
    for (auto const& [name, value] : key_value_lines(text, '='))
        if (lower(name) == key) return std::string(value);
    return {};
}

std::vector<std::string> sites_of(HostRoot const& root, Interpreter const& interpreter) {
    Sites sites(root);
    auto const python_path = root.environment_value("PYTHONPATH").value_or("");
    for (auto const directory : split(python_path, ':'))
        if (directory.starts_with('/')) sites.add(std::string(directory));
    auto const& versions = interpreter.versions;
    auto const configuration = root.read(interpreter.prefix + "/pyvenv.cfg");
    if (!configuration) {
        add_user_site(root, sites, versions);
        add_system_sites(sites, interpreter.prefix, versions);
        return sites.take();
    }
    sites.add_library(interpreter.prefix, versions);
    if (lower(configuration_value(*configuration, "include-system-site-packages")) == "true") {
        add_user_site(root, sites, versions);
        auto const home = configuration_value(*configuration, "home");
        if (home.starts_with('/')) add_system_sites(sites, parent_directory(home), versions);
    }
    return sites.take();
}

/// A virtual environment belongs to its user.
void offer_managed(HostRoot const& root, Interpreter const& interpreter, Flag& fact) {
    auto const configuration = interpreter.prefix + "/pyvenv.cfg";
    if (root.exists(configuration)) return fact.offer(false, {python_reader, configuration});
    for (auto const& version : interpreter.versions)
        for (auto const* const lib : {"/lib/", "/lib64/"}) {
            auto const file = interpreter.prefix + lib + version + "/EXTERNALLY-MANAGED";
            if (root.exists(file)) return fact.offer(true, {python_reader, printable(file)});
        }
    fact.offer(false, {python_reader, printable(interpreter.prefix)});
}

void offer_version(Interpreter const& interpreter, Text& fact) {
    constexpr std::string_view stem = "python";
    if (interpreter.versions.size() != 1)
        return fact.miss(Missing::absent, printable(interpreter.prefix) + ": several versions");
    fact.offer(interpreter.versions.front().substr(stem.size()),
               {python_reader, printable(interpreter.where)});
}

}  // namespace

PythonEnvironment find_python_environment(HostRoot const& root) {
    PythonEnvironment environment;
    auto found = from_variable(root, "VIRTUAL_ENV");
    if (!found) found = from_variable(root, "CONDA_PREFIX");
    if (!found) found = from_path(root);
    if (!found) {
        auto const usr = root.status("/usr");
        bool const unknown = usr.reason == Missing::not_recorded && !usr;
        environment.prefix.miss(unknown ? Missing::not_recorded : Missing::absent,
                                "no virtual environment is active and PATH has no python3");
        environment.version.miss(environment.prefix.reason(), environment.prefix.detail());
        environment.is_managed.miss(environment.prefix.reason(), environment.prefix.detail());
        return environment;
    }
    environment.sites = sites_of(root, *found);
    offer_version(*found, environment.version);
    offer_managed(root, *found, environment.is_managed);
    environment.prefix.offer(printable(found->prefix), {python_reader, printable(found->where)});
    return environment;
}

}  // namespace rocmtune
