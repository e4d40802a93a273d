// SPDX-License-Identifier: MIT
#include "measure/looking_process.hpp"

#include <fcntl.h>

#include "machine/child.hpp"
#include "rocmtune/error.hpp"

namespace rocmtune {

LookingProcess::LookingProcess(std::function<void(int pipe)> const& work) {
    try {
        reader_ = start_reader(ReaderFiles::none, work);
        ::fcntl(reader_.pipe.get(), F_SETFL, O_NONBLOCK);
    } catch (Error const&) {
        // What it would have seen is not known.
    }
}

void LookingProcess::take(std::function<void(std::string_view line)> const& line) {
    while (read_once(reader_.pipe, [&](std::string_view text) { rest_ += text; })) {
    }
    std::size_t start = 0;
    for (auto end = rest_.find('\n'); end != rest_.npos; end = rest_.find('\n', start)) {
        line(std::string_view(rest_).substr(start, end - start));
        start = end + 1;
    }
    rest_.erase(0, start);
}

void LookingProcess::end() {
    if (reader_.pid <= 0) return;
    reader_.pipe = FileDescriptor();
    if (!end_child(reader_.pid, true)) leave_behind({reader_.pid, "/sys/bus/pci/drivers/amdgpu"});
    reader_.pid = -1;
}

}  // namespace rocmtune
