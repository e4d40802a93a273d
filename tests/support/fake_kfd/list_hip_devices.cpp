// SPDX-License-Identifier: MIT
// list_hip_devices [LIBRARY]: what the HIP runtime sees under the present masks, one device a line:
// index, PCI address, name. Exit 3 with the status of hipGetDeviceCount where it says no device.
#include <array>
#include <cstdio>

#include <dlfcn.h>

namespace {

void* library = nullptr;

template <class Function>
Function* function(char const* name) {
    auto* const found = reinterpret_cast<Function*>(::dlsym(library, name));
    if (found == nullptr) std::fprintf(stderr, "%s\n", ::dlerror());
    return found;
}

int list() {
    auto* const count_of = function<int(int*)>("hipGetDeviceCount");
    auto* const name_of = function<int(char*, int, int)>("hipDeviceGetName");
    auto* const address_of = function<int(char*, int, int)>("hipDeviceGetPCIBusId");
    if (count_of == nullptr || name_of == nullptr || address_of == nullptr) return 1;
    int count = 0;
    if (int const status = count_of(&count); status != 0) {
        std::printf("hipGetDeviceCount %d\n", status);
        return 3;
    }
    for (int device = 0; device < count; ++device) {
        std::array<char, 256> name{};
        std::array<char, 64> address{};
        if (name_of(name.data(), 256, device) != 0 || address_of(address.data(), 64, device) != 0)
            return 1;
        std::printf("%d %s %s\n", device, address.data(), name.data());
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    library = ::dlopen(argc > 1 ? argv[1] : "libamdhip64.so.5", RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr) return list();
    std::fprintf(stderr, "%s\n", ::dlerror());
    return 2;
}
