// SPDX-License-Identifier: MIT
// Tree: a small host for one test: a temporary directory that is laid out as a root, with an
// environment, answers to calls and injected errors on top.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "machine/replies.hpp"
#include "probe/reader.hpp"

namespace rocmtune::test {

/// What a Tree knows beside its files.
struct TreeExtras {
    std::string environment;                         ///< "NAME=VALUE\0" each
    std::map<std::string, std::string> calls;        ///< key of a call -> answer
    std::map<std::string, int, std::less<>> errors;  ///< path -> errno of every question about it
};

/// Another source with a test's extras in front of it.
class DecoratedSource : public HostSource {
  public:
    DecoratedSource(std::shared_ptr<HostSource> inner, TreeExtras extras)
        : inner_(std::move(inner)), extras_(std::move(extras)) {}

    Reply ask(Query const& query) override {
        if (auto const error = extras_.errors.find(query.path); error != extras_.errors.end())
            return failure(error->second);
        if (query.operation == Operation::call)
            if (auto const call = extras_.calls.find(std::string(query.path));
                call != extras_.calls.end())
                return success(call->second);
        return inner_->ask(query);
    }
    std::optional<std::string> environment() override {
        return extras_.environment.empty() ? inner_->environment() : extras_.environment;
    }
    std::string label() const override { return inner_->label(); }

  private:
    std::shared_ptr<HostSource> inner_;
    TreeExtras extras_;
};

/// Builds a host step by step; everything is removed at the end of its life. Paths are absolute
/// inside the tree, parents are made as needed, and each step returns the tree.
///
///     Tree t;
///     t.file("/opt/rocm-6.3.0/.info/version", "6.3.0-39\n").link("/opt/rocm", "/opt/rocm-6.3.0");
///     t.environment("ROCM_PATH", "/opt/rocm");
///     read_rocm_installations(t.context(), host);
class Tree {
  public:
    Tree() {
        auto pattern = (std::filesystem::temp_directory_path() / "rocmtune-tree-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
        path_ = pattern;
        // A root without any of a host's directories is refused; an empty one says nothing.
        std::filesystem::create_directory(path_ / "etc");
    }
    ~Tree() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Tree(Tree const&) = delete;
    Tree& operator=(Tree const&) = delete;

    Tree& file(std::string_view path, std::string_view content = {}) {
        std::ofstream out(place(path), std::ios::binary);
        out.write(content.data(), static_cast<std::streamsize>(content.size()));
        if (!out) throw std::runtime_error("cannot write " + std::string(path));
        return *this;
    }
    /// `target` is kept as it is: an absolute one starts at the root of the tree.
    Tree& link(std::string_view path, std::string_view target) {
        std::filesystem::create_symlink(target, place(path));
        return *this;
    }
    Tree& directory(std::string_view path) {
        std::filesystem::create_directories(place(path));
        return *this;
    }
    Tree& environment(std::string_view name, std::string_view value) {
        (extras_.environment += name).append("=").append(value) += '\0';
        return *this;
    }
    /// The answer to a call ("uname.release"); a tree has none of its own.
    Tree& call(std::string_view key, std::string_view answer) {
        extras_.calls.insert_or_assign(std::string(key), std::string(answer));
        return *this;
    }
    /// Every question about this very path fails: mode bits would not stop a test run by root.
    Tree& fail(std::string_view path, int error) {
        extras_.errors.insert_or_assign(std::string(path), error);
        return *this;
    }

    HostRoot root() const {
        return HostRoot(
            std::make_shared<DecoratedSource>(directory_source(path_.string()), extras_));
    }
    ProbeContext context(ProbeOptions options = {}) const { return {root(), options}; }
    /// Where the tree lies on the machine that runs the test, for `--root`.
    std::string path() const { return path_.string(); }

  private:
    std::filesystem::path place(std::string_view path) const {
        auto const at = path_ / std::filesystem::path(path).relative_path();
        std::filesystem::create_directories(at.parent_path());
        return at;
    }

    std::filesystem::path path_;
    TreeExtras extras_;
};

}  // namespace rocmtune::test
