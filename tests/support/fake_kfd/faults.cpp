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

struct Fault {
    std::string name;
    int only_call = 0;   ///< 0: no single one
    int every_call = 1;  ///< each call whose number is a multiple
    std::string word;
    int calls = 0;

    /// Counts a call.
    bool is_met() {
        ++calls;
        return only_call != 0 ? calls == only_call : calls % every_call == 0;
    }
};

int error_number(std::string_view name) {
    constexpr std::array<std::pair<std::string_view, int>, 8> known{{{"EACCES", EACCES},
                                                                     {"EPERM", EPERM},
                                                                     {"EINVAL", EINVAL},
                                                                     {"ENOMEM", ENOMEM},
                                                                     {"ENODEV", ENODEV},
                                                                     {"ENXIO", ENXIO},
                                                                     {"EBUSY", EBUSY},
                                                                     {"ENOTTY", ENOTTY}}};
    for (auto const& [word, number] : known)
        if (word == name) return number;
    return EIO;
}

Fault parse(std::string_view text) {
    auto const equals = text.find('=');
    auto const call = text.substr(0, equals).find_first_of("@%");
    Fault fault;
    fault.name = text.substr(0, std::min(call, equals));
    if (equals != text.npos) fault.word = text.substr(equals + 1);
    if (call == text.npos) return fault;
    int count = 1;
    std::from_chars(text.data() + call + 1, text.data() + text.size(), count);
    (text[call] == '@' ? fault.only_call : fault.every_call) = std::max(count, 1);
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

std::string_view fault_word(std::string_view name) {
    static std::vector<Fault> faults = parse_environment();
    static std::mutex mutex;
    std::scoped_lock const lock(mutex);
    std::string_view word;
    for (auto& fault : faults)
        if (fault.name == name && fault.is_met()) word = fault.word;
    return word;
}

int fault_of(std::string_view name) {
    auto const word = fault_word(name);
    while (word == "hang") ::pause();
    return word.empty() ? 0 : error_number(word);
}

}  // namespace fake_kfd
