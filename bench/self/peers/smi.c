// SPDX-License-Identifier: MIT
#include <stdint.h>
#include <stdio.h>
int rsmi_init(uint64_t), rsmi_num_monitor_devices(uint32_t*), rsmi_dev_name_get(uint32_t, char*, size_t);
int main(void) {
    uint32_t count = 0;
    char name[256];
    if (rsmi_init(0) != 0 || rsmi_num_monitor_devices(&count) != 0) return 1;
    for (uint32_t i = 0; i < count; ++i)
        if (rsmi_dev_name_get(i, name, 256) == 0) printf("%u %s\n", i, name);
}
