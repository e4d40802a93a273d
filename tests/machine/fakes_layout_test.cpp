// SPDX-License-Identifier: MIT
// The fake GPU libraries have the functions and layouts of the real ones. Tests of our workers are
// worth as much as these fakes, so the numbers here come from the headers of the ROCm releases and
// not from the fakes' or the workers' sources.
#include <dlfcn.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <gtest/gtest.h>

// The real header fights with strict warnings, and Debian's package is optional.
#if __has_include(<hip/hip_runtime_api.h>)
#define __HIP_PLATFORM_AMD__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include <hip/hip_runtime_api.h>
#pragma GCC diagnostic pop
#endif

namespace {

constexpr char const* two_gpus =
    "0000:03:00.0 gfx1100 42 21458059264 1a2b3c4d5e6f7081 Radeon RX 7900 XTX;"
    "0001:c1:00.0 gfx90a:sramecc+:xnack- 104 68702699520 0 Instinct MI210";
constexpr std::byte untouched{0xAA};

class Library {
  public:
    explicit Library(std::string const& file) {
        ::setenv("FAKE_GPUS", two_gpus, 1);
        handle_ =
            ::dlopen((std::string(ROCMTUNE_FAKES_DIR) + '/' + file).c_str(), RTLD_NOW | RTLD_LOCAL);
        if (handle_ == nullptr) error_ = ::dlerror();
    }
    ~Library() {
        if (handle_ != nullptr) ::dlclose(handle_);
        ::unsetenv("FAKE_GPUS");
    }
    Library(Library const&) = delete;
    Library& operator=(Library const&) = delete;

    std::string const& error() const { return error_; }
    bool has(char const* name) const { return ::dlsym(handle_, name) != nullptr; }
    template <class... Arguments>
    int call(char const* name, Arguments... arguments) const {
        auto* const function = reinterpret_cast<int (*)(Arguments...)>(::dlsym(handle_, name));
        return function != nullptr ? function(arguments...) : -1;
    }

  private:
    void* handle_ = nullptr;
    std::string error_;
};

/// Memory that shows which bytes a call wrote.
struct Room {
    Room() { bytes.fill(untouched); }
    void* data() { return bytes.data(); }
    std::size_t written() const {
        auto used = bytes.size();
        while (used > 0 && bytes[used - 1] == untouched) --used;
        return used;
    }
    template <class T>
    T at(std::size_t offset) const {
        T value;
        std::memcpy(&value, bytes.data() + offset, sizeof value);
        return value;
    }
    std::string text(std::size_t offset) const {
        return reinterpret_cast<char const*>(bytes.data()) + offset;
    }
    alignas(16) std::array<std::byte, 16384> bytes;
};

class FakeHip : public testing::TestWithParam<int> {
  protected:
    Library library{"rocm-" + std::to_string(GetParam()) + "/lib/libamdhip64.so." +
                    std::to_string(GetParam())};
};

TEST_P(FakeHip, counts_the_devices_of_the_environment) {
    int count = 0;
    EXPECT_EQ(library.call("hipGetDeviceCount", &count), 0);
    EXPECT_EQ(count, 2);
    ::setenv("FAKE_GPUS", "", 1);
    EXPECT_EQ(library.call("hipGetDeviceCount", &count), 100);
    EXPECT_EQ(count, 0);
}

TEST_P(FakeHip, fills_the_structure_of_hip_5_under_the_old_name_in_every_release) {
    Room room;
    ASSERT_EQ(library.call("hipGetDeviceProperties", room.data(), 1), 0);
    EXPECT_EQ(room.written(), 792U);
    EXPECT_EQ(room.text(0), "Instinct MI210");
    EXPECT_EQ(room.at<std::uint64_t>(256), 68702699520U);
    EXPECT_EQ(room.at<int>(276), 64);
    EXPECT_EQ(room.at<int>(336), 104);
    EXPECT_EQ(room.at<int>(364), 1);
    EXPECT_EQ(room.at<int>(368), 0xC1);
    EXPECT_EQ(room.text(396), "gfx90a:sramecc+:xnack-");
}

TEST_P(FakeHip, fills_the_structure_of_hip_6_from_that_release_on) {
    Room room;
    if (GetParam() < 6) {
        EXPECT_FALSE(library.has("hipGetDevicePropertiesR0600"));
        return;
    }
    ASSERT_EQ(library.call("hipGetDevicePropertiesR0600", room.data(), 0), 0);
    EXPECT_EQ(room.written(), 1472U);
    EXPECT_EQ(room.text(0), "Radeon RX 7900 XTX");
    EXPECT_EQ(room.at<std::uint64_t>(288), 21458059264U);
    EXPECT_EQ(room.at<int>(308), 32);
    EXPECT_EQ(room.at<int>(388), 42);
    EXPECT_EQ(room.at<int>(584), 3);
    EXPECT_EQ(room.text(1160), "gfx1100");
}

TEST_P(FakeHip, contains_hiprtc_before_release_7) {
    EXPECT_EQ(library.has("hiprtcCreateProgram"), GetParam() < 7);
}

INSTANTIATE_TEST_SUITE_P(Releases, FakeHip, testing::Values(5, 6, 7, 9));

#ifdef __HIP_PLATFORM_AMD__
#if HIP_VERSION_MAJOR < 6
TEST(FakeHipLayout, has_the_offsets_of_the_installed_header) {
    EXPECT_EQ(sizeof(hipDeviceProp_t), 792U);
    EXPECT_EQ(offsetof(hipDeviceProp_t, totalGlobalMem), 256U);
    EXPECT_EQ(offsetof(hipDeviceProp_t, warpSize), 276U);
    EXPECT_EQ(offsetof(hipDeviceProp_t, multiProcessorCount), 336U);
    EXPECT_EQ(offsetof(hipDeviceProp_t, pciDomainID), 364U);
    EXPECT_EQ(offsetof(hipDeviceProp_t, pciBusID), 368U);
    EXPECT_EQ(offsetof(hipDeviceProp_t, gcnArchName), 396U);
}
#endif
#endif

TEST(FakeRocmSmi, has_the_clock_table_of_release_5) {
    Library const library("rocm-5/lib/librocm_smi64.so.5");
    EXPECT_FALSE(library.has("rsmi_dev_activity_metric_get"));
    ASSERT_EQ(library.call("rsmi_init", std::uint64_t{0}), 0);
    Room room;
    ASSERT_EQ(library.call("rsmi_dev_gpu_clk_freq_get", 0U, 0, room.data()), 0);
    EXPECT_EQ(room.written(), 264U);
    EXPECT_EQ(room.at<std::uint32_t>(0), 3U);
    EXPECT_EQ(room.at<std::uint32_t>(4), 1U);
    EXPECT_EQ(room.at<std::uint64_t>(8), 500'000'000U);
}

TEST(FakeRocmSmi, has_the_clock_table_of_release_6_under_the_number_that_debian_gives_release_5) {
    Library const library("rocm-7/lib/librocm_smi64.so.1");
    EXPECT_TRUE(library.has("rsmi_dev_activity_metric_get"));
    ASSERT_EQ(library.call("rsmi_init", std::uint64_t{0}), 0);
    Room room;
    ASSERT_EQ(library.call("rsmi_dev_gpu_clk_freq_get", 0U, 0, room.data()), 0);
    EXPECT_EQ(room.written(), 280U);
    EXPECT_EQ(room.at<std::uint32_t>(4), 3U);
    EXPECT_EQ(room.at<std::uint32_t>(8), 1U);
    EXPECT_EQ(room.at<std::uint64_t>(16), 500'000'000U);
}

TEST(FakeRocmSmi, gives_addresses_with_the_domain_in_the_upper_half) {
    Library const library("rocm-6/lib/librocm_smi64.so.6");
    ASSERT_EQ(library.call("rsmi_init", std::uint64_t{0}), 0);
    std::uint64_t id = 0;
    ASSERT_EQ(library.call("rsmi_dev_pci_id_get", 1U, &id), 0);
    EXPECT_EQ(id, 0x1'0000'C100U);
    EXPECT_EQ(library.call("rsmi_dev_unique_id_get", 1U, &id), 2);
    EXPECT_EQ(library.call("rsmi_dev_pci_id_get", 2U, &id), 1);
}

int remember_agent(std::uint64_t agent, void* agents) {
    static_cast<std::vector<std::uint64_t>*>(agents)->push_back(agent);
    return 0;
}

TEST(FakeHsa, lists_a_processor_and_the_gpus) {
    Library const library("rocm-6/lib/libhsa-runtime64.so.1");
    ASSERT_EQ(library.call("hsa_init"), 0);
    std::vector<std::uint64_t> agents;
    ASSERT_EQ(library.call("hsa_iterate_agents", &remember_agent, static_cast<void*>(&agents)), 0);
    ASSERT_EQ(agents.size(), 3U);
    Room uuid;
    ASSERT_EQ(library.call("hsa_agent_get_info", agents[1], 0xA011, uuid.data()), 0);
    EXPECT_EQ(uuid.written(), 21U);
    EXPECT_EQ(uuid.text(0), "GPU-1a2b3c4d5e6f7081");
    ASSERT_EQ(library.call("hsa_agent_get_info", agents[2], 0xA011, uuid.data()), 0);
    EXPECT_EQ(uuid.text(0), "GPU-XX");
    Room location;
    ASSERT_EQ(library.call("hsa_agent_get_info", agents[2], 0xA006, location.data()), 0);
    EXPECT_EQ(location.written(), 4U);
    EXPECT_EQ(location.at<std::uint32_t>(0), 0xC100U);
}

TEST(FakeAmdSmi, gives_addresses_as_one_number) {
    Library const library("rocm-7/lib/libamd_smi.so.26");
    ASSERT_EQ(library.call("amdsmi_init", std::uint64_t{2}), 0);
    std::uint32_t count = 0;
    ASSERT_EQ(library.call("amdsmi_get_socket_handles", &count, static_cast<void**>(nullptr)), 0);
    ASSERT_EQ(count, 2U);
    std::array<void*, 2> sockets{};
    ASSERT_EQ(library.call("amdsmi_get_socket_handles", &count, sockets.data()), 0);
    void* processor = nullptr;
    count = 1;
    ASSERT_EQ(library.call("amdsmi_get_processor_handles", sockets[1], &count, &processor), 0);
    std::uint64_t address = 0;
    ASSERT_EQ(library.call("amdsmi_get_gpu_device_bdf", processor, &address), 0);
    EXPECT_EQ(address, 0x1C100U);
}

struct Broken {
    char const* kind;
    char const* words;  ///< of dlerror
};

class FakeBroken : public testing::TestWithParam<Broken> {};

TEST_P(FakeBroken, library_is_refused_by_the_loader_in_these_words) {
    Library const library(std::string("broken/") + GetParam().kind + "/lib/libamdhip64.so.7");
    EXPECT_NE(library.error().find(GetParam().words), std::string::npos) << library.error();
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, FakeBroken,
    testing::Values(Broken{"empty", "file too short"}, Broken{"truncated-header", "file too short"},
                    Broken{"text", "invalid ELF header"},
                    Broken{"wrong-class", "wrong ELF class: ELFCLASS32"},
                    Broken{"wrong-machine", "cannot open shared object file"},
                    Broken{"directory", "Is a directory"},
                    Broken{"dependency", "librocm-core.so.1: cannot open shared object file"},
                    Broken{"glibc", "version `GLIBC_9.99' not found"},
                    Broken{"symbol", "undefined symbol: fake_rocm_core"}),
    [](auto const& test) {
        std::string name = test.param.kind;
        for (auto& c : name) c = c == '-' ? '_' : c;
        return name;
    });

// An interrupted download: the headers promise pages that the file does not have.
TEST(FakeBrokenLibraryDeathTest, cut_after_its_headers_kills_the_process_that_loads_it) {
    EXPECT_DEATH(Library("broken/truncated/lib/libamdhip64.so.7"), "");
}

TEST(FakeBrokenLibrary, without_functions_loads) {
    Library const library("broken/no-functions/lib/libamdhip64.so.7");
    EXPECT_EQ(library.error(), "");
    EXPECT_FALSE(library.has("hipGetDeviceCount"));
}

}  // namespace
