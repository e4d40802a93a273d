// SPDX-License-Identifier: MIT
#include "machine/plain_tree.hpp"

#include <algorithm>

#include "machine/path.hpp"
#include "machine/replies.hpp"

namespace rocmtune {
namespace {

/// Parts of the tree that a capture has as a whole or not at all. Only where the part has an entry
/// does a missing file say something about the host (contract for plain trees).
constexpr std::array<std::string_view, 17> captured_areas{"/sys/module",
                                                          "/sys/class/kfd",
                                                          "/sys/class/drm",
                                                          "/sys/class/dmi",
                                                          "/sys/class/iommu",
                                                          "/sys/class/infiniband",
                                                          "/sys/bus/pci",
                                                          "/sys/devices/system/cpu",
                                                          "/sys/devices/system/node",
                                                          "/sys/devices",
                                                          "/sys/kernel",
                                                          "/proc",
                                                          "/dev",
                                                          "/etc",
                                                          "/opt",
                                                          "/usr",
                                                          "/var"};

class PlainTree : public HostSource {
  public:
    explicit PlainTree(std::unique_ptr<HostSource> files)
        : files_(std::move(files)),
          areas_([this](std::string const& path) { return read_link(path); },
                 [this](std::string const& path) {
                     return !files_->ask({Operation::list, path}).text.empty();
                 }) {}

    Reply ask(Query const& query) override {
        if (query.operation == Operation::call || query.operation == Operation::open)
            return refusal(Missing::not_recorded, "a directory tree does not say");
        auto reply = files_->ask(query);
        if (!reply.ok && reply.reason == Missing::absent &&
            !areas_.contains(std::string(query.path)))
            return refusal(Missing::not_recorded, "the tree has nothing of this kind");
        if (query.operation == Operation::read) cut(reply, read_cap(query.path));
        return reply;
    }
    std::optional<std::string> environment() override { return {}; }
    std::string label() const override { return files_->label(); }

  private:
    std::optional<std::string> read_link(std::string const& path) {
        auto reply = files_->ask({Operation::link, path});
        return reply.ok ? std::optional(std::move(reply.text)) : std::nullopt;
    }

    static void cut(Reply& reply, std::size_t cap) {
        reply.truncated = reply.ok && reply.text.size() > cap;
        if (reply.truncated) reply.text.resize(cap);
    }

    std::unique_ptr<HostSource> files_;
    CapturedAreas areas_;
};

}  // namespace

bool CapturedAreas::contains(std::string const& path, bool may_be_link) {
    if (!has_area(path)) return false;
    if (may_be_link && read_link_(path)) return has_area(destination(path));
    auto const [known, fresh] = directories_.try_emplace(path.substr(0, path.rfind('/')), false);
    if (fresh) known->second = has_area(destination(path));
    return known->second;
}

/// Where a path leads by its links, whether or not anything is there.
std::string CapturedAreas::destination(std::string const& path) const {
    auto const resolved = resolve_in_root(path, read_link_);
    return resolved.error == 0 ? resolved.path : path;
}

bool CapturedAreas::has_area(std::string const& path) {
    std::string_view area = path;
    for (auto const candidate : captured_areas)
        if (path.starts_with(candidate)) {
            area = candidate;
            break;
        }
    auto const known = std::find_if(areas_.begin(), areas_.end(),
                                    [&](auto const& entry) { return entry.first == area; });
    if (known != areas_.end()) return known->second;
    bool const present = has_entries_(std::string(area));
    if (area != path) areas_.emplace_back(area, present);
    return present;
}

std::unique_ptr<HostSource> plain_tree_source(std::unique_ptr<HostSource> files) {
    return std::make_unique<PlainTree>(std::move(files));
}

}  // namespace rocmtune
