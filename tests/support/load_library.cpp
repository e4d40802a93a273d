// SPDX-License-Identifier: MIT
// Loads a library as every program does, for tests that compare: load_library NAME
#include <cstdio>

#include <dlfcn.h>

int main(int count, char** words) {
    if (count == 2 && ::dlopen(words[1], RTLD_NOW | RTLD_LOCAL) != nullptr) return 0;
    std::fprintf(stderr, "%s\n", count == 2 ? ::dlerror() : "usage: load_library NAME");
    return 1;
}
