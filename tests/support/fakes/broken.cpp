// SPDX-License-Identifier: MIT
// Libraries that the loader refuses, or that load without what they should have.
#if defined(FAKE_STUB)
// What another library is linked with, and never finds: a library that is nowhere installed, or a
// libc of the future (its version script names it GLIBC_9.99).
extern "C" __attribute__((visibility("default"))) int fake_rocm_core() {
    return 0;
}
#elif defined(FAKE_EMPTY)
// Loads, and has none of the functions.
extern "C" __attribute__((visibility("default"))) int fake_nothing() {
    return 0;
}
#else
extern "C" int fake_rocm_core();
extern "C" __attribute__((visibility("default"))) int hipGetDeviceCount(int* count) {
    return *count = fake_rocm_core();
}
#endif
