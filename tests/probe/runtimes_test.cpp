// SPDX-License-Identifier: MIT
// The join: what the GPU libraries say, on the rows that the kernel gave.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "probe/reader.hpp"
#include "probe/runtime_answer.hpp"
#include "probe/workers.hpp"
#include "support/recorded.hpp"

namespace rocmtune::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A row as the readers of sysfs leave it.
struct Row {
    std::string_view address = "0000:03:00.0";
    std::string_view target = "gfx1100";
    std::uint64_t compute_units = 84;
    std::uint64_t vram = 21458059264;
    std::string_view unique_id = {};
    std::uint64_t partition = 0;
    std::uint64_t partitions = 1;
    std::uint64_t memory_clock_mhz = 0;
};

Gpu gpu_of(Row const& row, std::uint64_t number) {
    Gpu gpu;
    Source const kfd{"kfd", "test"};
    gpu.row.offer(number, {"rows", "test"});
    gpu.pci_address.offer(std::string(row.address), kfd);
    gpu.gfx_target.offer(std::string(row.target), kfd);
    gpu.compute_units.offer(row.compute_units, kfd);
    if (row.memory_clock_mhz != 0) gpu.memory_clock_max_mhz.offer(row.memory_clock_mhz, kfd);
    gpu.vram_bytes.offer(row.vram, {"drm", "test"});
    gpu.partition_index.offer(row.partition, kfd);
    gpu.partition_count.offer(row.partitions, kfd);
    gpu.kfd_node.offer(number + 1, kfd);
    gpu.is_apu.offer(false, {"profile", "test"});
    if (!row.unique_id.empty()) gpu.unique_id.offer(std::string(row.unique_id), {"drm", "test"});
    gpu.render_access.offer(DeviceNode{.path = "/dev/dri/renderD128", .usable = true},
                            {"access", "test"});
    return gpu;
}

/// A host with these rows whose libraries gave these answers.
Host joined(std::vector<Row> const& rows, std::string const& calls) {
    Host host;
    host.kfd_access.offer(DeviceNode{.path = "/dev/kfd", .usable = true}, {"access", "test"});
    for (auto const& row : rows) host.gpus.push_back(gpu_of(row, host.gpus.size()));
    read_runtimes(recorded(calls), host);
    settle(host);
    return host;
}

std::string answer(std::string_view worker, std::string_view devices, std::string_view more = "") {
    std::string lines =
        R"({"library":{"path":"/opt/rocm/lib/lib.so.6","candidates":[]}},{"runtime":{"version":"6.3.1"}})";
    if (!more.empty()) lines.append(",").append(more);
    if (!devices.empty()) lines.append(",").append(devices);
    return fmt::format("call worker.{} = {{\"status\":\"ok\",\"took_ms\":3,\"answer\":[{}]}}\n",
                       worker, lines);
}

std::string device(int index, std::string_view address, std::string_view more = "") {
    return fmt::format(R"({{"device":{{"index":{},"pci_address":"{}"{}{}}}}})", index, address,
                       more.empty() ? "" : ",", more);
}

std::string failed(std::string_view worker, std::string_view status, std::string_view detail) {
    return fmt::format("call worker.{} = {{\"status\":\"{}\",\"detail\":\"{}\",\"answer\":[]}}\n",
                       worker, status, detail);
}

Row const first{.address = "0000:03:00.0"};
Row const second{.address = "0000:c3:00.0"};

// ---- which device is which ----------------------------------------------------------------------

TEST(Runtimes, are_joined_by_address_and_not_by_index) {
    auto const host =
        joined({first, second},
               answer("hip", device(0, "0000:c3:00.0") + ',' + device(1, "0000:03:00.0")) +
                   answer("hsa", device(0, "0000:03:00.0") + ',' + device(1, "0000:c3:00.0")) +
                   answer("rocm_smi", device(0, "0000:03:00.0") + ',' + device(1, "0000:c3:00.0")));
    ASSERT_EQ(host.gpus.size(), 2U);
    EXPECT_EQ(host.gpus[0].hip_index.value(), 1U);
    EXPECT_EQ(host.gpus[1].hip_index.value(), 0U);
    EXPECT_EQ(host.gpus[0].rocr_index.value(), 0U);
    EXPECT_EQ(host.gpus[0].smi_index.value(), 0U);
    EXPECT_EQ(host.gpus[0].hip_index.source().reader, "hip");
    ASSERT_TRUE(host.runtimes);
    EXPECT_EQ(host.runtimes->front().devices, 2U);
    EXPECT_EQ(host.runtimes->front().version, "6.3.1");
}

TEST(Runtimes, tell_a_hidden_gpu_from_a_missing_one) {
    auto const host = joined(
        {first, second}, "env HIP_VISIBLE_DEVICES=1\n" + answer("hip", device(0, "0000:c3:00.0")));
    EXPECT_EQ(host.gpus[1].hip_index.value(), 0U);
    EXPECT_EQ(host.gpus[0].hip_index.reason(), Missing::absent);
    EXPECT_EQ(host.gpus[0].hip_index.detail(), "not listed by HIP under HIP_VISIBLE_DEVICES=1");
}

TEST(Runtimes, add_a_row_for_a_device_that_nobody_else_has_behind_the_others) {
    auto const host =
        joined({second},
               answer("hsa", device(0, "0000:03:00.0",
                                    R"("gcn_arch_name":"gfx1100","uuid":"GPU-0123456789abcdef")")) +
                   answer("hip", device(0, "0000:03:00.0", R"("name":"Radeon RX 7900 XT")")));
    ASSERT_EQ(host.gpus.size(), 2U);
    auto const& added = host.gpus[1];
    EXPECT_EQ(added.row.value(), 1U);
    EXPECT_EQ(added.pci_address.value(), "0000:03:00.0");
    EXPECT_EQ(added.pci_address.source().reader, "hsa");
    EXPECT_EQ(added.hip_index.value(), 0U) << "HIP's device is the same row";
    EXPECT_EQ(added.gfx_target.value(), "gfx1100");
    EXPECT_EQ(added.marketing_name.value(), "Radeon RX 7900 XT");
    EXPECT_EQ(added.vendor.value(), "AMD");
    EXPECT_EQ(added.driver.reason(), Missing::not_read);
    EXPECT_EQ(added.driver.detail(), "only ROCr reports this device");
}

TEST(Runtimes, without_an_address_are_joined_by_identifier) {
    Row known = first;
    known.unique_id = "0123456789abcdef";
    auto const host = joined(
        {second, known}, answer("hip", R"({"device":{"index":0,"uuid":"GPU-0123456789abcdef"}})"));
    ASSERT_EQ(host.gpus.size(), 2U);
    EXPECT_EQ(host.gpus[1].hip_index.value(), 0U);
    EXPECT_TRUE(host.gpus[1].pci_address.others().empty());
}

TEST(Runtimes, with_another_address_but_the_same_identifier_dispute_the_address) {
    Row known = first;
    known.unique_id = "0123456789abcdef";
    auto const host = joined(
        {known}, answer("hip", device(0, "0000:44:00.0", R"("uuid":"GPU-0123456789abcdef")")));
    ASSERT_EQ(host.gpus.size(), 1U);
    ASSERT_EQ(host.gpus[0].pci_address.others().size(), 1U);
    EXPECT_EQ(host.gpus[0].pci_address.others()[0].value, "0000:44:00.0");
}

std::vector<Row> partitions(std::uint64_t count) {
    std::vector<Row> rows;
    for (std::uint64_t i = 0; i < count; ++i)
        rows.push_back(
            {.address = "0000:05:00.0", .target = "gfx942", .partition = i, .partitions = count});
    return rows;
}

TEST(Runtimes, tell_partitions_by_function_bits_or_by_their_own_number) {
    auto const bits = joined(
        partitions(2), answer("hsa", device(0, "0000:05:00.1") + ',' + device(1, "0000:05:00.0")));
    EXPECT_EQ(bits.gpus[0].rocr_index.value(), 1U);
    EXPECT_EQ(bits.gpus[1].rocr_index.value(), 0U);
    auto const own = joined(partitions(2),
                            answer("rocm_smi", device(0, "0000:05:00.0") + ',' +
                                                   device(1, "0000:05:00.0", R"("partition":1)")));
    EXPECT_EQ(own.gpus[1].smi_index.value(), 1U);
}

TEST(Runtimes, that_name_only_the_card_are_in_order_if_they_list_all_partitions) {
    auto const all = joined(
        partitions(2), answer("hip", device(0, "0000:05:00.0") + ',' + device(1, "0000:05:00.0")));
    EXPECT_EQ(all.gpus[0].hip_index.value(), 0U);
    EXPECT_EQ(all.gpus[1].hip_index.value(), 1U);
    auto const one = joined(partitions(2), answer("hip", device(0, "0000:05:00.0")));
    ASSERT_EQ(one.gpus.size(), 2U);
    for (auto const& gpu : one.gpus) {
        EXPECT_FALSE(gpu.hip_index);
        EXPECT_EQ(gpu.hip_index.reason(), Missing::unsupported);
        EXPECT_THAT(gpu.hip_index.detail(), HasSubstr("not the partition"));
    }
}

TEST(Runtimes, that_list_one_gpu_twice_are_disputed) {
    auto const host = joined({first, second}, answer("rocm_smi", device(0, "0000:03:00.0") + ',' +
                                                                     device(1, "0000:03:00.0")));
    EXPECT_EQ(host.gpus[0].smi_index.others().size(), 1U);
}

TEST(Runtimes, of_a_virtual_function_may_print_function_0) {
    auto const host =
        joined({{.address = "0000:05:02.1"}}, answer("hip", device(0, "0000:05:02.0")));
    ASSERT_EQ(host.gpus.size(), 1U);
    EXPECT_EQ(host.gpus[0].hip_index.value(), 0U);
}

// ---- disputes -----------------------------------------------------------------------------------

TEST(Runtimes, dispute_the_target_only_without_an_override) {
    auto const reply = answer("hip", device(0, "0000:03:00.0", R"("gcn_arch_name":"gfx1030")"));
    auto const plain = joined({first}, reply);
    EXPECT_EQ(plain.gpus[0].gfx_target.value(), "gfx1100");
    ASSERT_EQ(plain.gpus[0].gfx_target.others().size(), 1U);
    EXPECT_EQ(plain.gpus[0].gfx_target.others()[0].value, "gfx1030");
    auto const overridden = joined({first}, "env HSA_OVERRIDE_GFX_VERSION=10.3.0\n" + reply);
    EXPECT_TRUE(overridden.gpus[0].gfx_target.others().empty());
    EXPECT_EQ(overridden.gpus[0].gfx_target_reported.value(), "gfx1030");
}

TEST(Runtimes, report_the_target_without_its_modes_and_with_them) {
    auto const host = joined(
        {{.target = "gfx90a"}},
        answer("hsa", device(0, "0000:03:00.0", R"("gcn_arch_name":"gfx90a")")) +
            answer("hip",
                   device(0, "0000:03:00.0", R"("gcn_arch_name":"gfx90a:sramecc+:xnack-")")));
    EXPECT_EQ(host.gpus[0].gfx_target_reported.value(), "gfx90a");
    EXPECT_TRUE(host.gpus[0].gfx_target_reported.others().empty());
    EXPECT_EQ(host.gpus[0].target_id.value(), "gfx90a:sramecc+:xnack-");
}

TEST(Runtimes, count_compute_units_of_rdna_in_pairs_which_is_no_dispute) {
    auto const reply = [](std::string_view target, int count) {
        return answer("hip", device(0, "0000:03:00.0",
                                    fmt::format(R"("gcn_arch_name":"{}","multiprocessors":{})",
                                                target, count)));
    };
    EXPECT_TRUE(joined({first}, reply("gfx1100", 42)).gpus[0].compute_units.others().empty());
    auto const cdna = joined({{.target = "gfx942", .compute_units = 304}}, reply("gfx942", 38));
    ASSERT_EQ(cdna.gpus[0].compute_units.others().size(), 1U);
    EXPECT_EQ(cdna.gpus[0].compute_units.others()[0].value, 38U);
}

TEST(Runtimes, may_differ_a_little_in_memory) {
    auto const with_memory = [](std::uint64_t bytes) {
        return joined({first},
                      answer("hip", device(0, "0000:03:00.0",
                                           fmt::format(R"("total_memory_bytes":{})", bytes))));
    };
    EXPECT_TRUE(with_memory(21458059264 - 200'000'000).gpus[0].vram_bytes.others().empty());
    EXPECT_EQ(with_memory(21458059264 / 2).gpus[0].vram_bytes.others().size(), 1U);
}

TEST(Runtimes, tell_of_the_memory_where_no_kernel_does) {
    auto const told = [](char const* numbers) {
        return joined({}, answer("hip", device(0, "0000:03:00.0", numbers))).gpus.at(0);
    };
    auto const gpu = told(R"("memory_bus_bits":384,"memory_clock_khz":1249500)");
    EXPECT_EQ(gpu.memory_bus_width_bits.value(), 384U);
    EXPECT_EQ(gpu.memory_clock_max_mhz.value(), 1250U);
    EXPECT_EQ(gpu.memory_clock_max_mhz.source().reader, "hip");
    for (auto const* const wrong : {"0", "-1249500", "1249", "1249500000", "1e300"}) {
        auto const doubtful =
            told(fmt::format(R"("memory_bus_bits":{0},"memory_clock_khz":{0})", wrong).c_str());
        EXPECT_FALSE(doubtful.memory_clock_max_mhz) << wrong;
        EXPECT_EQ(doubtful.memory_clock_max_mhz.reason(), Missing::invalid) << wrong;
        EXPECT_THAT(doubtful.memory_clock_max_mhz.detail(),
                    testing::StartsWith("memory clock by HIP: "));
    }
    EXPECT_FALSE(told(R"("memory_bus_bits":"384")").memory_bus_width_bits);
}

TEST(Runtimes, tell_nothing_of_a_memory_that_the_kernel_tells_of) {
    auto const host =
        joined({{.memory_clock_mhz = 1300}},
               answer("hip", device(0, "0000:03:00.0", R"("memory_clock_khz":900000)")));
    EXPECT_EQ(host.gpus[0].memory_clock_max_mhz.value(), 1300U);
    EXPECT_EQ(host.gpus[0].memory_clock_max_mhz.source().reader, "kfd");
    EXPECT_TRUE(host.gpus[0].memory_clock_max_mhz.others().empty());
}

TEST(Runtimes, dispute_an_identifier) {
    Row known = first;
    known.unique_id = "0123456789abcdef";
    auto const host = joined(
        {known}, answer("hsa", device(0, "0000:03:00.0", R"("uuid":"GPU-fedcba9876543210")")));
    EXPECT_EQ(host.gpus[0].uuid.value(), "GPU-fedcba9876543210");
    ASSERT_EQ(host.gpus[0].unique_id.others().size(), 1U);
    EXPECT_EQ(host.gpus[0].unique_id.others()[0].value, "fedcba9876543210");
}

TEST(Runtimes, in_two_versions_in_one_process_are_disputed) {
    auto const host = joined(
        {}, answer("hip", "",
                   R"({"loaded":["/opt/rocm-5/lib/libamdhip64.so.5","/opt/rocm/lib/lib.so.6"]})"));
    EXPECT_EQ(host.hip_runtime_loaded.value(), "/opt/rocm/lib/lib.so.6");
    ASSERT_EQ(host.hip_runtime_loaded.others().size(), 1U);
    EXPECT_EQ(host.hip_runtime_loaded.others()[0].value, "/opt/rocm-5/lib/libamdhip64.so.5");
}

// ---- failures never read as "no GPU" ------------------------------------------------------------

struct Failure {
    std::string_view status;
    Missing reason;
};

TEST(Runtimes, that_fail_give_their_reason) {
    for (auto const& [status, reason] :
         {Failure{"absent", Missing::absent}, Failure{"error", Missing::failed},
          Failure{"signal", Missing::failed}, Failure{"timeout", Missing::timeout},
          Failure{"unkillable", Missing::timeout}, Failure{"suspended", Missing::suspended},
          Failure{"skipped", Missing::not_read}}) {
        auto const host = joined({first}, failed("hip", status, "told why"));
        auto const& index = host.gpus[0].hip_index;
        EXPECT_EQ(index.reason(), reason) << status;
        EXPECT_EQ(index.detail(), fmt::format("HIP: {}, told why", status));
        if (reason > Missing::not_recorded) {
            EXPECT_EQ(host.gpus[0].target_id.reason(), reason) << "which only HIP could tell";
        }
        ASSERT_TRUE(host.runtimes);
        EXPECT_EQ(host.runtimes->front().status, status);
        EXPECT_FALSE(host.runtimes->front().devices) << "a failure counts no devices, not 0";
    }
}

TEST(Runtimes, that_die_half_way_keep_what_they_said) {
    auto const reply = fmt::format(
        "call worker.hip = "
        "{{\"status\":\"signal\",\"signal\":11,\"detail\":\"SIGSEGV\",\"answer\":[{}]}}\n",
        device(0, "0000:03:00.0"));
    auto const host = joined({first, second}, reply);
    EXPECT_EQ(host.gpus[0].hip_index.value(), 0U);
    EXPECT_EQ(host.gpus[1].hip_index.reason(), Missing::failed);
    EXPECT_EQ(host.gpus[1].hip_index.detail(), "HIP: signal, SIGSEGV");
}

TEST(Runtimes, that_see_nothing_because_of_rights_are_denied) {
    Host host;
    host.gpus.push_back(gpu_of(first, 0));
    host.kfd_access.offer(DeviceNode{.path = "/dev/kfd", .usable = false, .error = "EACCES"},
                          {"access", "test"});
    read_runtimes(
        recorded(answer("hip", "", R"({"note":"hipGetDeviceCount: 100 hipErrorNoDevice"})")), host);
    EXPECT_EQ(host.gpus[0].hip_index.reason(), Missing::denied);
    EXPECT_EQ(host.gpus[0].hip_index.detail(), "/dev/kfd: EACCES");
}

TEST(Runtimes, that_see_nothing_without_kfd_say_so) {
    Host host;
    host.gpus.push_back(gpu_of(first, 0));
    host.kfd_access.miss(Missing::absent, "/dev/kfd: no such file or directory (ENOENT)");
    read_runtimes(recorded(answer("hsa", "")), host);
    EXPECT_EQ(host.gpus[0].rocr_index.reason(), Missing::absent);
    EXPECT_THAT(host.gpus[0].rocr_index.detail(), HasSubstr("/dev/kfd"));
}

TEST(Runtimes, that_see_nothing_for_no_known_reason_quote_the_library) {
    auto const host =
        joined({first}, answer("hip", "", R"({"note":"hipGetDeviceCount: 100 hipErrorNoDevice"})"));
    EXPECT_EQ(host.gpus[0].hip_index.detail(),
              "not listed by HIP (hipGetDeviceCount: 100 hipErrorNoDevice)");
}

TEST(Runtimes, that_were_not_recorded_are_not_recorded) {
    auto const host = joined({first}, "");
    EXPECT_FALSE(host.runtimes);
    EXPECT_EQ(host.runtimes.reason(), Missing::not_recorded);
    EXPECT_EQ(host.gpus[0].hip_index.reason(), Missing::not_recorded);
    EXPECT_EQ(host.hip_runtime_loaded.reason(), Missing::not_recorded);
}

TEST(Runtimes, of_amd_smi_number_rows_only_where_rocm_smi_does_not) {
    auto const two = answer("amd_smi", device(1, "0000:03:00.0"));
    EXPECT_EQ(joined({first}, two + failed("rocm_smi", "absent", "")).gpus[0].smi_index.value(),
              1U);
    auto const both = joined({first}, two + answer("rocm_smi", device(0, "0000:03:00.0")));
    EXPECT_EQ(both.gpus[0].smi_index.value(), 0U);
    EXPECT_TRUE(both.gpus[0].smi_index.others().empty());
}

// ---- replies ------------------------------------------------------------------------------------

TEST(RuntimeAnswer, of_hostile_text_is_an_error) {
    for (auto const* text :
         {"", "[]", "{}", "nonsense", R"({"status":7})", R"({"status":"splendid"})"}) {
        auto const parsed = parse_runtime_answer("hip", text);
        EXPECT_EQ(parsed.record.status, "error") << text;
        EXPECT_EQ(parsed.reason, Missing::failed) << text;
        EXPECT_TRUE(parsed.devices.empty());
    }
}

TEST(RuntimeAnswer, with_members_of_odd_types_keeps_the_rest) {
    auto const parsed = parse_runtime_answer(
        "hip", R"({"status":"ok","detail":[],"answer":[7,{"device":8},{"device":
        {"index":"x","pci_address":9,"uuid":"GPU-XX","unique_id":"12","warp_size":-1}},{"library":[]},{"loaded":{}}]})");
    EXPECT_TRUE(parsed.complete());
    ASSERT_EQ(parsed.devices.size(), 2U);
    EXPECT_EQ(parsed.devices[1].index, 1U);
    EXPECT_FALSE(parsed.devices[1].address || parsed.devices[1].uuid ||
                 parsed.devices[1].unique_id || parsed.devices[1].wavefront_size);
}

TEST(RuntimeAnswer, names_the_candidates_that_are_there_but_do_not_load) {
    auto const parsed = parse_runtime_answer(
        "hip", R"({"status":"error","answer":[{"library":{"path":null,"candidates":[
        {"name":"libamdhip64.so.7","problem":"absent"},
        {"name":"/opt/rocm/lib/libamdhip64.so.6","problem":"broken-dependency","culprit":"libnuma.so.1"}]}}]})");
    EXPECT_THAT(parsed.record.candidates,
                ElementsAre("/opt/rocm/lib/libamdhip64.so.6: broken-dependency (libnuma.so.1)"));
}

TEST(RuntimeAnswer, names_the_file_that_ended_the_process_while_it_was_loaded) {
    auto const parsed =
        parse_runtime_answer("hip", R"({"status":"signal","detail":"SIGBUS","answer":[
        {"trying":"libamdhip64.so.7"},{"trying":"/opt/rocm/lib/libamdhip64.so.7"}]})");
    EXPECT_THAT(parsed.record.notes,
                ElementsAre("it ended while loading /opt/rocm/lib/libamdhip64.so.7"));
    auto const later = parse_runtime_answer("hip", R"({"status":"signal","answer":[
        {"trying":"libamdhip64.so.7"},{"library":{"path":"/opt/rocm/lib/libamdhip64.so.7"}}]})");
    EXPECT_THAT(later.record.notes, IsEmpty());
}

TEST(WorkerReply, is_read_back_as_what_came_of_the_worker) {
    WorkerOutcome outcome;
    outcome.name = "hip";
    outcome.status = WorkerStatus::ok;
    outcome.answer = {R"({"runtime":{"version":"6.3.1"}})", device(0, "0000:03:00.0")};
    outcome.evidence = "a line\n";
    auto const parsed = parse_runtime_answer("hip", worker_reply(outcome));
    EXPECT_TRUE(parsed.complete());
    EXPECT_EQ(parsed.record.version, "6.3.1");
    EXPECT_EQ(parsed.devices.size(), 1U);
    EXPECT_FALSE(parsed.record.evidence) << "what a sound library prints is of no interest";
}

TEST(WorkerReply, with_garbage_in_a_complete_answer_is_an_error) {
    WorkerOutcome outcome;
    outcome.status = WorkerStatus::ok;
    outcome.answer = {"\x01\x02"};
    EXPECT_EQ(parse_runtime_answer("hip", worker_reply(outcome)).record.status, "error");
}

TEST(WorkerReply, keeps_evidence_of_a_failure) {
    WorkerOutcome outcome;
    outcome.status = WorkerStatus::signal;
    outcome.signal = 6;
    outcome.detail = "SIGABRT";
    outcome.evidence = std::string(4000, '.') + "munmap_chunk(): invalid pointer\n";
    auto const parsed = parse_runtime_answer("hip", worker_reply(outcome));
    EXPECT_EQ(parsed.record.status, "signal");
    EXPECT_EQ(parsed.record.detail, "SIGABRT");
    EXPECT_THAT(parsed.record.evidence.value_or(""), testing::EndsWith("invalid pointer"));
    EXPECT_LT(parsed.record.evidence->size(), 600U);
}

TEST(Workers, have_distinct_names_and_smi_ones_run_alone) {
    std::vector<std::string_view> names;
    for (auto const& worker : all_workers()) names.push_back(worker.name);
    EXPECT_THAT(names,
                testing::UnorderedElementsAre("hip", "hiprtc", "hsa", "rocm_smi", "amd_smi"));
    EXPECT_EQ(names.back(), "amd_smi");
    EXPECT_TRUE(runs_alone("rocm_smi") && runs_alone("amd_smi"));
    EXPECT_FALSE(runs_alone("hip"));
    EXPECT_EQ(find_worker("hip")->name, "hip");
    EXPECT_EQ(find_worker("nobody"), nullptr);
}

TEST(Workers, of_libraries_that_load_one_another_share_the_process_of_hip) {
    EXPECT_EQ(host_of_worker("hsa"), "hip");
    EXPECT_EQ(host_of_worker("hiprtc"), "hip");
    for (auto const* name : {"hip", "rocm_smi", "amd_smi"}) EXPECT_EQ(host_of_worker(name), "");
}

}  // namespace
}  // namespace rocmtune::test
