// SPDX-License-Identifier: MIT
#include "emulator/snippet.hpp"

#include "dispatch.hpp"
#include "support/run_program.hpp"

namespace rocmtune::test {

using namespace emulator;

std::string assembled(std::string const& target, std::string const& text) {
    Directory const work;
    auto const path = work.path();
    write_file(path + "/code.s", text);
    Launch launch;
    launch.words = {ROCMTUNE_SOURCE_DIR "/tests/emulator/assemble", target, path + "/code.s",
                    path + "/code"};
    auto const outcome = rocmtune::test::run(launch);
    if (outcome.code != 0) throw std::runtime_error(target + ": " + outcome.err);
    return content_of(path + "/code");
}

Snippet::Snippet(std::string const& target, std::string const& text, unsigned lanes,
                 Options options)
    : code_(assembled(target, text + "\ns_endpgm\n") + std::string(most_code_bytes, '\0')),
      program_(target_named(target)),
      machine_{program_.target(), options, &program_} {
    wave->machine = &machine_;
    wave->group = &group;
    wave->lanes = lanes;
    wave->scalars.fill(0);
    for (auto& lane : wave->vectors) lane.fill(0);
    wave->set_mask(exec, lanes == 64 ? ~u64{0} : ~u32{0});
    wave->next = &program_.at(reinterpret_cast<u64>(code_.data()));
}

void Snippet::run() {
    Instruction const* last = nullptr;
    for (wave->finished = false; !wave->finished;) {
        last = wave->next;
        step(*wave);
    }
    auto const next = last->address + last->bytes;
    auto const end = reinterpret_cast<u64>(code_.data()) + code_.size() - most_code_bytes;
    if (next < end) wave->next = &program_.at(next);
}

void Snippet::set_v(unsigned number, u64 pair) {
    wave->vectors[number].fill(static_cast<u32>(pair));
    wave->vectors[number + 1].fill(static_cast<u32>(pair >> 32));
}

u64 Snippet::v_pair(unsigned number, unsigned lane) {
    return u64{v(number + 1, lane)} << 32 | v(number, lane);
}

}  // namespace rocmtune::test
