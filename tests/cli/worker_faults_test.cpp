// SPDX-License-Identifier: MIT
// The real program over GPU libraries that fail in every way: each failure becomes one status, is
// never taken for a host without GPUs, and never makes the command late.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>

#include "support/run_program.hpp"

namespace rocmtune::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using Variables = std::map<std::string, std::string>;

std::string const fakes = ROCMTUNE_FAKES_DIR;
constexpr char const* two_gpus =
    "0000:03:00.0 gfx1100 42 21458059264 1a2b3c4d5e6f7081 Radeon RX 7900 XTX;"
    "0000:83:00.0 gfx90a:sramecc+:xnack- 104 68702699520 0 Instinct MI210";

/// One fault, and what the report must say of the library that has it.
struct Fault {
    char const* name;
    Variables variables;
    char const* status;
    char const* says;  ///< part of its record in the report; empty: nothing is asked
    char const* library = "hip";
    int devices = 2;  ///< that a good answer names
};

void PrintTo(Fault const& fault, std::ostream* out) {
    *out << fault.name;
}

std::string broken(std::string const& kind) {
    return fakes + "/broken/" + kind + "/lib/libamdhip64.so.7";
}

Variables fault_at(std::string const& what) {
    return {{"FAKE_FAULT", what}};
}

Variables only(std::string const& file) {
    return {{"ROCMTUNE_LIBAMDHIP64", file}};
}

Variables preload(std::string const& file) {
    return {{"LD_PRELOAD", fakes + "/preload/" + file}};
}

Variables hang_without_signals() {
    auto variables = preload("libno_kill.so");
    variables.insert({"FAKE_FAULT", "hang@hipGetDeviceCount"});
    return variables;
}

Variables release(std::string const& major) {
    return {{"ROCM_PATH", fakes + "/rocm-" + major}};
}

Fault const faults[] = {
    {"hip_5", release("5"), "ok", "5.2.21153"},
    {"hip_6", release("6"), "ok", "libamdhip64.so.6"},
    {"hip_7", release("7"), "ok", "7.0.51831"},
    {"hip_of_an_unknown_major", release("9"), "ok", "not tested"},
    {"no_device", {{"FAKE_HIP_GPUS", ""}}, "ok", "100 hipErrorNoDevice", "hip", 0},
    {"a_negative_count", fault_at("count=-1@hipGetDeviceCount"), "error", "it counts -1"},
    {"an_error", fault_at("error=1@hipGetDeviceCount"), "error", "1 hipErrorInvalidValue"},
    {"sigsegv", fault_at("sigsegv@hipGetDeviceCount"), "signal", "SIGSEGV"},
    {"sigsegv_while_loading", fault_at("sigsegv@HIP_load"), "signal", "while loading"},
    {"sigabrt", fault_at("abort@hipGetDeviceCount"), "signal", "SIGABRT"},
    {"sigabrt_of_hsa", fault_at("abort@hsa_init"), "signal", "SIGABRT", "hsa"},
    {"exit_0", fault_at("exit=0@hipGetDeviceCount"), "error", "exit code 0"},
    {"hang", fault_at("hang@hipGetDeviceCount"), "timeout", "no complete answer"},
    {"hang_that_ignores_sigterm", fault_at("stubborn@hipGetDeviceCount"), "timeout", ""},
    {"stopped", fault_at("stop@hipGetDeviceCount"), "timeout", "state T"},
    {"garbage_on_standard_output", fault_at("garbage@hipGetDeviceCount"), "ok", ""},
    {"garbage_in_the_answer", fault_at("meddle@hipGetDeviceCount"), "error", "not a JSON object"},
    {"much_output", fault_at("flood@hipGetDeviceCount"), "ok", ""},
    {"endless_output", fault_at("endless@hipGetDeviceCount"), "timeout", "still starting"},
    {"grandchild_with_the_pipe", fault_at("grandchild@hipGetDeviceCount"), "ok", ""},
    {"daemon", fault_at("slow=500@hipGetDeviceCount,daemon=600@hipGetDeviceCount"), "ok",
     "ended what it had left behind: rocmtune hip"},
    {"empty_file", only(broken("empty")), "error", "corrupt"},
    {"no_elf", only(broken("text")), "error", "corrupt"},
    {"wrong_machine", only(broken("wrong-machine")), "error", "corrupt"},
    {"truncated_elf_header", only(broken("truncated-header")), "error", "corrupt"},
    {"truncated_elf", only(broken("truncated")), "signal", "SIGBUS"},
    {"missing_dependency", only(broken("dependency")), "error", "librocm-core.so.1"},
    {"newer_glibc", only(broken("glibc")), "error", "GLIBC_9.99"},
    {"missing_symbol", only(broken("symbol")), "error", "missing-symbol"},
    {"missing_function", only(broken("no-functions")), "error", "hipGetDeviceCount"},
    {"missing_file", only("/nonexistent/libamdhip64.so.7"), "absent", "is not installed"},
    {"lock_that_nobody_frees", fault_at("hang@rsmi_init"), "timeout", "", "rocm_smi"},
    {"lock_that_times_out", fault_at("error=16@rsmi_init"), "error", "rsmi_init: 16", "rocm_smi"},
};

Fault const preloaded_faults[] = {
    {"death_after_done", preload("libcrash_at_exit.so"), "ok",
     "after its answer: ended by SIGSEGV"},
    {"unkillable", hang_without_signals(), "unkillable", "no complete answer"},
};

json const& record_of(json const& document, std::string const& library) {
    std::vector<json const*> found;
    for (auto const& runtime : document.at("host").at("runtimes"))
        if (runtime.at("name") == library) found.push_back(&runtime);
    if (found.size() != 1) throw std::runtime_error("not one record of " + library);
    return *found.front();
}

bool answered(json const& record) {
    return record.at("status") == "ok";
}

/// The row of a GPU has the library's number, or a reason that is not "there is none".
void expect_no_silence(json const& document, json const& record, char const* index) {
    bool const failed = !answered(record) && record.at("status") != "absent";
    for (auto const& gpu : document.at("host").at("gpus")) {
        if (!failed) continue;
        EXPECT_TRUE(gpu.at(index).is_null());
        EXPECT_THAT(gpu.at("_reasons").at(index).get<std::string>(), Not(StartsWith("absent")));
    }
}

class WorkerFault : public testing::TestWithParam<Fault> {
  protected:
    static Launch launch_of(Fault const& fault, std::vector<std::string> more = {}) {
        more.insert(more.begin(), {"probe", "--timeout", "2"});
        auto launch = rocmtune_with(std::move(more));
        launch.environment.insert({{"ROCM_PATH", fakes + "/rocm-7"}, {"FAKE_GPUS", two_gpus}});
        leave_signals_alone(launch);
        for (auto const& [name, value] : fault.variables) launch.environment[name] = value;
        return launch;
    }

    static void expect_one_status(Launch const& launch, Fault const& fault) {
        auto const start = std::chrono::steady_clock::now();
        auto const result = run(launch);
        auto const took = std::chrono::steady_clock::now() - start;
        // The time of reading is bounded; starting and printing on a busy machine come on top.
        EXPECT_LT(took, std::chrono::milliseconds(3500));
        ASSERT_EQ(result.code, 0) << result.err;
        auto const document = json::parse(result.out);
        auto const& record = record_of(document, fault.library);
        EXPECT_EQ(record.at("status"), fault.status) << record;
        EXPECT_THAT(record.dump(), HasSubstr(fault.says));
        if (answered(record)) EXPECT_EQ(record.at("devices"), fault.devices) << record;
        else EXPECT_TRUE(record.at("devices").is_null()) << record;
        bool const smi = std::string_view(fault.library) == "rocm_smi";
        bool const hip = std::string_view(fault.library) == "hip";
        if (!smi) expect_no_silence(document, record, hip ? "hip_index" : "rocr_index");
        // The other libraries are not drawn in: they list both GPUs.
        EXPECT_EQ(record_of(document, smi ? "hip" : "rocm_smi").at("devices"), 2);
    }
};

TEST_P(WorkerFault, becomes_one_status) {
    expect_one_status(launch_of(GetParam(), {"--json"}), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Libraries, WorkerFault, testing::ValuesIn(faults),
                         [](auto const& test) { return std::string(test.param.name); });

class PreloadedFault : public WorkerFault {};

TEST_P(PreloadedFault, becomes_one_status) {
    if (!can_preload) GTEST_SKIP() << "built with AddressSanitizer, which must be loaded first";
    expect_one_status(launch_of(GetParam(), {"--json"}), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Libraries, PreloadedFault, testing::ValuesIn(preloaded_faults),
                         [](auto const& test) { return std::string(test.param.name); });

/// The libraries that are asked in HIP's process, and a function of each that is called there.
class SharedProcess : public WorkerFault {
  protected:
    static json records_with(Variables const& variables) {
        Fault const fault{"", variables, "", ""};
        return json::parse(run(launch_of(fault, {"--json"})).out).at("host").at("runtimes");
    }
};

TEST_P(SharedProcess, that_one_library_spoils_leaves_the_others_what_they_say) {
    auto const sound = records_with({});
    auto spoilt = records_with(GetParam().variables);
    ASSERT_EQ(spoilt.size(), sound.size());
    for (std::size_t i = 0; i < sound.size(); ++i) {
        if (sound[i].at("name") != GetParam().library) EXPECT_EQ(spoilt[i], sound[i]);
        else EXPECT_EQ(spoilt[i].at("status"), GetParam().status) << spoilt[i];
    }
}

Fault const shared_faults[] = {
    {"hip_crashes", fault_at("abort@hipRuntimeGetVersion"), "signal", ""},
    {"hip_hangs", fault_at("hang@hipDeviceGetName"), "timeout", ""},
    {"hip_babbles", fault_at("meddle@hipDeviceGetName"), "error", ""},
    {"hip_has_no_device", {{"FAKE_HIP_GPUS", ""}}, "ok", ""},
    {"hip_is_missing", only("/nonexistent/libamdhip64.so.7"), "absent", ""},
    {"hsa_crashes", fault_at("abort@hsa_init"), "signal", "", "hsa"},
    {"hsa_hangs", fault_at("hang@hsa_init"), "timeout", "", "hsa"},
    {"hsa_babbles", fault_at("meddle@hsa_init"), "error", "", "hsa"},
    {"hsa_fails", fault_at("error=1@hsa_init"), "error", "", "hsa"},
    {"hsa_ends_the_process", fault_at("exit=0@hsa_init"), "error", "", "hsa"},
    {"hsa_is_missing", {{"ROCMTUNE_LIBHSA_RUNTIME64", "/nonexistent.so"}}, "absent", "", "hsa"},
    {"hiprtc_crashes", fault_at("abort@hiprtcVersion"), "signal", "", "hiprtc"},
    {"hiprtc_hangs", fault_at("hang@hiprtcVersion"), "timeout", "", "hiprtc"},
    {"hiprtc_babbles", fault_at("meddle@hiprtcVersion"), "error", "", "hiprtc"},
    {"hiprtc_is_missing", {{"ROCMTUNE_LIBHIPRTC", "/nonexistent.so"}}, "absent", "", "hiprtc"},
};

INSTANTIATE_TEST_SUITE_P(Libraries, SharedProcess, testing::ValuesIn(shared_faults),
                         [](auto const& test) { return std::string(test.param.name); });

TEST(WorkerFaults, of_the_only_source_do_not_read_as_a_host_without_gpus) {
    auto launch = rocmtune_with({"probe"});
    launch.environment["ROCMTUNE_LIBAMDHIP64"] = broken("truncated");
    leave_signals_alone(launch);
    auto const result = run(launch);
    EXPECT_EQ(result.code, 0);
    EXPECT_THAT(result.out, HasSubstr("HIP: SIGBUS"));
    EXPECT_THAT(result.out, Not(HasSubstr("No AMD GPU on")));
}

TEST(WorkerFaults, of_a_recorded_host_replay_as_they_were) {
    Directory const directory;
    auto launch = rocmtune_with({"probe", "--json", "--record", directory / "host.tar.gz"});
    launch.environment.insert({{"ROCM_PATH", fakes + "/rocm-7"},
                               {"FAKE_GPUS", two_gpus},
                               {"FAKE_FAULT", "abort@hipGetDeviceCount"}});
    auto const live = json::parse(run(launch).out);
    auto const replayed =
        json::parse(run({"probe", "--json", "--replay", directory / "host.tar.gz"}).out);
    EXPECT_EQ(record_of(live, "hip"), record_of(replayed, "hip"));
    EXPECT_EQ(live.at("findings"), replayed.at("findings"));
}

}  // namespace
}  // namespace rocmtune::test
