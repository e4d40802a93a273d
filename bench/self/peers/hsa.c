// SPDX-License-Identifier: MIT
#include <stdint.h>
#include <stdio.h>
int hsa_init(void), hsa_iterate_agents(int (*)(uint64_t, void*), void*), hsa_agent_get_info(uint64_t, int, void*);
static int print(uint64_t agent, void* unused) {
    char name[64] = "";
    uint32_t type = 0;
    hsa_agent_get_info(agent, 17 /* HSA_AGENT_INFO_DEVICE */, &type);
    if (hsa_agent_get_info(agent, 0 /* HSA_AGENT_INFO_NAME */, name) == 0) printf("%u %s\n", type, name);
    return unused != NULL;
}
int main(void) { return hsa_init() != 0 || hsa_iterate_agents(print, NULL) != 0; }
