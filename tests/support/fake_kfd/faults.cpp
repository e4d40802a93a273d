// SPDX-License-Identifier: MIT
#include "faults.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

namespace fake_kfd {
namespace {

constexpr int hang = -1;

struct Fault {
    std::string name;
    int only_call = 0;  ///< 0: every call
    int error = EIO;
    int calls = 0;
};

int error_number(std::string_view name) {
    constexpr std::array<std::pair<std::string_view, int>, 9> known{{{"EACCES", EACCES},
                                                                     {"EPERM", EPERM},
                                                                     {"EINVAL", EINVAL},
                                                                     {"ENOMEM", ENOMEM},
                                                                     {"ENODEV", ENODEV},
                                                                     {"ENXIO", ENXIO},
                                                                     {"EBUSY", EBUSY},
                                                                     {"ENOTTY", ENOTTY},
                                                                     {"hang", hang}}};
    for (auto const& [word, number] : known)
        if (word == name) return number;
    return EIO;
}

Fault parse(std::string_view text) {
    auto const equals = text.find('=');
    auto const at = text.substr(0, equals).find('@');
    Fault fault;
    fault.name = text.substr(0, std::min(at, equals));
    if (at != text.npos)
        std::from_chars(text.data() + at + 1, text.data() + text.size(), fault.only_call);
    if (equals != text.npos) fault.error = error_number(text.substr(equals + 1));
    return fault;
}

std::vector<Fault> parse_environment() {
    char const* const value = std::getenv("FAKE_KFD_FAULT");
    std::string_view rest = value != nullptr ? value : "";
    std::vector<Fault> faults;
    while (!rest.empty()) {
        auto const comma = rest.find(',');
        faults.push_back(parse(rest.substr(0, comma)));
        rest.remove_prefix(comma == rest.npos ? rest.size() : comma + 1);
    }
    return faults;
}

}  // namespace

int fault_of(std::string_view name) {
    static std::vector<Fault> faults = parse_environment();
    static std::mutex mutex;
    int error = 0;
    {
        std::scoped_lock const lock(mutex);
        for (auto& fault : faults)
            if (fault.name == name && (++fault.calls == fault.only_call || fault.only_call == 0))
                error = fault.error;
    }
    while (error == hang) ::pause();
    return error;
}

}  // namespace fake_kfd
