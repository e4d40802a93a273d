// SPDX-License-Identifier: MIT
// Feeds arbitrary bytes to what reads the kernel log.
#include <cstddef>
#include <cstdint>

#include "base/text.hpp"
#include "probe/log_story.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace rocmtune;
    static MessageMatcher const matcher(message_classes());
    static auto const host = [] {
        Host with_gpu;
        auto& gpu = with_gpu.gpus.emplace_back();
        gpu.pci_address.offer("0000:03:00.0", {"pci", "fuzz"});
        gpu.sysfs_path.offer("/sys/devices/pci0000:00/0000:00:01.1/0000:03:00.0", {"pci", "fuzz"});
        return with_gpu;
    }();
    LogStory story(matcher, host);
    for (auto const line : lines({reinterpret_cast<char const*>(data), size})) story.add(line);
    for (auto const& message : story.messages(1e9)) {
        bool const sound = is_utf8(message.text) && message.text.find('\n') == std::string::npos;
        if (!sound || message.age_seconds.value_or(0) < 0) __builtin_trap();
    }
    return 0;
}
