// SPDX-License-Identifier: MIT
#include "machine/kernel_log.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <ctime>

#include <fcntl.h>
#include <sys/klog.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/text.hpp"
#include "machine/host_commands.hpp"
#include "machine/replies.hpp"

namespace rocmtune {
namespace {

/// No ring buffer is larger (CONFIG_LOG_BUF_SHIFT is 25 at most); of a larger journal the end
/// counts.
constexpr std::size_t most_log_bytes = std::size_t{64} << 20;

std::string_view first_line(std::string_view log) {
    return log.substr(0, log.find('\n'));
}

/// Seconds since boot in "<6>[   12.345678] text"; nothing where there are none.
std::optional<double> stamp_of(std::string_view line) {
    auto const open = line.find('[');
    auto const close = line.find(']');
    if (open == line.npos || close == line.npos || open > 5 || close < open) return std::nullopt;
    return to_real(trim(line.substr(open + 1, close - open - 1)));
}

/// What the whole log says of GPUs, and its first line.
std::string concerning_gpus(std::string_view log) {
    std::string kept;
    bool first = true;
    while (!log.empty()) {
        auto const line = first_line(log);
        log.remove_prefix(std::min(line.size() + 1, log.size()));
        if (first || may_concern_a_gpu(line)) kept.append(line).append(1, '\n');
        first = false;
    }
    return kept;
}

/// "[ 1.5] host kernel: text" as "[ 1.5] text": the host's name is nobody's business either.
std::string without_host(std::string_view log) {
    constexpr std::string_view tag = " kernel: ";
    std::string kept;
    for (auto const line : lines(log)) {
        auto const stamp = line.find("] ");
        auto const at = line.find(tag);
        if (line.starts_with('[') && stamp < at && at != line.npos)
            kept.append(line.substr(0, stamp + 2)).append(line.substr(at + tag.size()));
        else kept.append(line);
        kept.append(1, '\n');
    }
    return kept;
}

/// syslog(2): the size of the buffer (action 10), then all of it (action 3).
std::optional<std::string> ring_by_syslog() {
    constexpr int read_all = 3;
    constexpr int size_of_buffer = 10;
    int const room = ::klogctl(size_of_buffer, nullptr, 0);
    if (room < 0) return std::nullopt;
    // The size counts the texts alone; the stamps come on top.
    std::string text(std::min(2 * static_cast<std::size_t>(room), most_log_bytes), '\0');
    int const size = ::klogctl(read_all, text.data(), static_cast<int>(text.size()));
    if (size < 0) return std::nullopt;
    text.resize(static_cast<std::size_t>(size));
    return text;
}

/// "6,1234,5678901,-;text" (Documentation/ABI/testing/dev-kmsg) as syslog(2) would print it.
void append_record(std::string_view record, std::string& text) {
    auto const head = split_once(record, ';');
    auto const parts = head ? split(head->first, ',') : std::vector<std::string_view>();
    if (parts.size() < 3) return;
    constexpr std::uint64_t million = 1'000'000;
    auto const microseconds = to_unsigned(parts[2], 10).value_or(0);
    text += fmt::format("<{}>[{:5}.{:06}] {}\n", parts[0], microseconds / million,
                        microseconds % million, first_line(head->second));
}

/// The log as a device, or nothing and errno.
FileDescriptor open_device() {
    FileDescriptor fd(::open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
    if (!fd) return fd;
    // Containers put /dev/null or a console in its place.
    constexpr unsigned memory_major = 1, kmsg_minor = 11;  // Linux admin-guide/devices.txt
    struct stat s {};
    bool const is_log = ::fstat(fd.get(), &s) == 0 && S_ISCHR(s.st_mode) &&
                        major(s.st_rdev) == memory_major && minor(s.st_rdev) == kmsg_minor;
    if (is_log) return fd;
    errno = ENODEV;
    return FileDescriptor();
}

/// What it has that was not read before.
std::string records_of(FileDescriptor const& device) {
    std::string text;
    std::array<char, 8192> record;  // CONSOLE_EXT_LOG_MAX, kernel/printk
    while (text.size() < most_log_bytes) {
        auto const size = ::read(device.get(), record.data(), record.size());
        if (size > 0) append_record({record.data(), static_cast<std::size_t>(size)}, text);
        else if (size == 0 || (errno != EPIPE && errno != EINTR)) break;  // EPIPE: overwritten
    }
    return text;
}

/// Where the system call is filtered, as in containers, the device may still be there.
Reply ring_by_device() {
    auto const device = open_device();
    return device ? success(records_of(device)) : failure(errno);
}

/// What stands in lines about GPUs, their bridges and their driver. Three bytes at least.
constexpr std::string_view gpu_words[] = {
    "amdgpu", "kfd", "[drm", "radeon", "powerplay", "pcieport", "AER:", "DPC:", "AMD-Vi",
    "IO_PAGE_FAULT", "iommu", "DMAR", "[1002:", "PCI bridge to [bus", "pciehp", "acpiphp",
    "power state", "after resume", "giving up", "Hardware Error", "mce:", "ACPI: GHES", "vfio-pci",
    "thunderbolt", "PM: ", "TTM", "firmware load", "Linux version ", "-- Boot ", "-- Reboot --",
    "Missed ", "BUG: ", "kernel BUG at", "Oops: ", "general protection fault", "invalid opcode",
    "amddrm", "amdttm", "amdkcl", "amdxcp", "amd_sched", "unsigned module", "unavailable key",
    "unsupported crypto", "nomodeset parameter", "blocked for more than", "hard LOCKUP",
    "Unable to handle kernel", "Internal error: ", "SError Interrupt", "divide error",
    "unknown header type", "detected stalls", "Event logged [", "Accelerator Check",
    "Corrected error", "hardware error",
    // powerplay breaks its lines
    "failed to send message", "last message was failed", "failed to send pre message"};

/// A hash of three bytes, the lower ones of this number.
constexpr std::size_t slot_of(std::uint32_t bytes) {
    return ((bytes & 0xffffffU) * 0x9e3779b1U) >> 16U;
}

/// The three bytes at a place, and what stands behind them if that is there, too.
std::uint32_t bytes_at(char const* at, std::size_t size) {
    std::uint32_t bytes = 0;
    std::memcpy(&bytes, at, size);
    return bytes;
}

/// Three bytes that are not here begin no word: almost every place of every line.
std::bitset<1U << 16> slots_of_words() {
    std::bitset<1U << 16> slots;
    for (auto const word : gpu_words) slots.set(slot_of(bytes_at(word.data(), 3)));
    return slots;
}

}  // namespace

bool may_concern_a_gpu(std::string_view line) {
    static auto const slots = slots_of_words();
    auto const begins_word = [&](std::size_t at, std::size_t size) {
        if (!slots[slot_of(bytes_at(line.data() + at, size))]) return false;
        auto const rest = line.substr(at);
        return std::ranges::any_of(gpu_words, [&](auto word) { return rest.starts_with(word); });
    };
    // Four bytes are read at once where there are so many.
    for (std::size_t at = 0; at + 4 <= line.size(); ++at)
        if (begins_word(at, 4)) return true;
    if (line.size() >= 3 && begins_word(line.size() - 3, 3)) return true;
    return false;
}

Reply ring_buffer_reply() {
    auto const ring = ring_by_syslog();
    if (ring) return success(concerning_gpus(*ring));
    int const error = errno;
    auto const reply = ring_by_device();
    bool const some = reply.ok && !reply.text.empty();
    return some ? success(concerning_gpus(reply.text)) : failure(error);
}

Reply journal_reply(std::chrono::milliseconds deadline) {
    auto reply = output_of_program(
        {"/usr/bin/journalctl", "-k", "-b", "-o", "short-monotonic", "--no-pager", "-q"}, deadline,
        most_log_bytes);
    if (reply.ok) reply.text = without_host(concerning_gpus(reply.text));
    return reply;
}

double kernel_log_seconds() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

KernelLogTail::KernelLogTail() : device_(above_standard(open_device())) {
    if (!device_ || ::lseek(device_.get(), 0, SEEK_END) < 0) problem_ = errno_text(errno);
}

std::vector<std::string> KernelLogTail::take() {
    std::vector<std::string> kept;
    if (!problem_.empty()) return kept;
    auto const text = records_of(device_);
    for (auto const line : lines(text))
        if (may_concern_a_gpu(line)) kept.emplace_back(line);
    return kept;
}

bool log_begins_at_boot(std::string_view log) {
    auto const line = first_line(log);
    return line.find("Linux version ") != line.npos || line.find("[    0.") != line.npos;
}

std::string_view before_the_ring(std::string_view journal, std::string_view ring) {
    auto const start = stamp_of(first_line(ring));
    if (!start) return {};
    for (std::size_t at = 0; at < journal.size();) {
        auto const line = first_line(journal.substr(at));
        if (auto const stamp = stamp_of(line); stamp && *stamp >= *start)
            return journal.substr(0, at);
        at += line.size() + 1;
    }
    return journal;
}

}  // namespace rocmtune
