// SPDX-License-Identifier: MIT
#include <stdio.h>
int hipGetDeviceCount(int*), hipDeviceGetName(char*, int, int), hipDeviceGetPCIBusId(char*, int, int);
int main(void) {
    int count = 0;
    char name[256], address[64];
    if (hipGetDeviceCount(&count) != 0) return 1;
    for (int i = 0; i < count; ++i)
        if (hipDeviceGetName(name, 256, i) == 0 && hipDeviceGetPCIBusId(address, 64, i) == 0)
            printf("%d %s %s\n", i, address, name);
}
