// SPDX-License-Identifier: MIT
// A folder that root alone can have filled. What is read there is as good as the program itself.
#pragma once

#include <cstddef>
#include <string>

#include "machine/path_walk.hpp"
#include "machine/posix_file.hpp"

namespace rocmtune {

class TrustedFolder {
  public:
    /// Walks there; the way may have links of root.
    explicit TrustedFolder(std::string const& path);

    /// Whether there is nothing of this name.
    bool is_absent() const;

    /// Why it counts for nothing: who else may write it or a part of the way to it, or what is
    /// there in place of a folder. Empty if it counts.
    std::string const& problem() const { return problem_; }

    /// The whole of a regular file that lies in it. Not that of a link, of a file that somebody
    /// beside root has or may write, or of one that is longer than `cap` bytes.
    FileText read(std::string const& name, std::size_t cap) const;

  private:
    PathWalk walk_;
    FileDescriptor folder_ = FileDescriptor();
    std::string problem_ = {};
};

}  // namespace rocmtune
