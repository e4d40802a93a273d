// SPDX-License-Identifier: MIT
// unpack_host HOST DIRECTORY: writes a host in the text format of rocmtune-host(5) as a directory
// tree, so that --root and other people's tools (rocm-smi under umockdev, hwloc) can look at it.
// Device nodes, errors and calls are no plain files: they are left out, and counted on stderr.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "base/text.hpp"
#include "machine/host_root.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {
namespace {

std::string file_text(std::string const& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw Error("cannot read " + path);
    return {std::istreambuf_iterator<char>(file), {}};
}

class Unpacker {
  public:
    Unpacker(HostRoot const& host, std::filesystem::path target)
        : host_(host), target_(std::move(target)) {}

    void directory(std::string const& path) {
        std::filesystem::create_directories(at(path));
        auto const names = host_.list(path);
        if (!names) return leave_out(path, names.detail);
        auto const prefix = path == "/" ? path : path + '/';
        for (auto const& name : *names) entry(prefix + name);
    }

    void say_what_is_missing() const {
        fmt::print(stderr,
                   "unpacked {} files, {} names without recorded content, {} links; left out {}\n",
                   files_, empty_, links_, left_out_.size());
        for (auto const& line : left_out_) fmt::print(stderr, "  {}\n", line);
    }

  private:
    std::filesystem::path at(std::string const& path) const { return target_ / path.substr(1); }

    void leave_out(std::string const& path, std::string const& why) {
        left_out_.push_back(path + ": " + why);
    }

    void entry(std::string const& path) {
        if (auto const link = host_.link(path)) return make_link(path, *link);
        auto const status = host_.status(path);
        if (!status) return leave_out(path, status.detail);
        switch (status->kind) {
            case 'd': return directory(path);
            case 'f': return file(path);
            default: return leave_out(path, "device node");
        }
    }

    /// Targets stay as they are: a relative one is right wherever the tree stands, and readers of
    /// trees resolve an absolute one inside the tree.
    void make_link(std::string const& path, std::string const& target) {
        std::filesystem::create_symlink(target, at(path));
        ++links_;
    }

    /// A file of which only the name is recorded becomes an empty one: that it exists is what
    /// readers ask.
    void file(std::string const& path) {
        auto const bytes = host_.read_bytes(path);
        if (!bytes && bytes.reason != Missing::not_recorded) return leave_out(path, bytes.detail);
        std::ofstream file(at(path), std::ios::binary);
        if (bytes) file << *bytes;
        if (!file.flush()) throw Error("cannot write " + at(path).string());
        ++(bytes ? files_ : empty_);
    }

    HostRoot const& host_;
    std::filesystem::path target_;
    int files_ = 0;
    int empty_ = 0;
    int links_ = 0;
    std::vector<std::string> left_out_;
};

int unpack(std::string const& host_file, std::string const& target) {
    if (std::filesystem::exists(target) && !std::filesystem::is_empty(target))
        throw Error(target + " exists and is not empty");
    HostRoot const host(text_source(file_text(host_file), host_file));
    Unpacker unpacker(host, target);
    unpacker.directory("/");
    unpacker.say_what_is_missing();
    return 0;
}

}  // namespace
}  // namespace rocmtune

int main(int argc, char** argv) try {
    if (argc == 3) return rocmtune::unpack(argv[1], argv[2]);
    fmt::print(stderr, "usage: unpack_host HOST DIRECTORY\n");
    return 2;
} catch (std::exception const& error) {
    fmt::print(stderr, "unpack_host: {}\n", error.what());
    return 2;
}
