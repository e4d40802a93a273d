"""What servers with Instinct cards have in common."""

from .compose import BOOT, RENDER
from .machine import Cpu, Machine, User
from .pci import Link

EPYC_9534 = Cpu("AuthenticAMD", 25, 17, 1, "AMD EPYC 9534 64-Core Processor", 3718)
EPYC_7763 = Cpu("AuthenticAMD", 25, 1, 1, "AMD EPYC 7763 64-Core Processor", 3529)
EPYC_7A53 = Cpu("AuthenticAMD", 25, 48, 1, "AMD EPYC 7A53 64-Core Processor", 2000)
MI300A_CPU = Cpu("AuthenticAMD", 25, 144, 0, "AMD Instinct MI300A Accelerator", 3700)

SERVER_BUILD = (
    "(buildd@lcy02-amd64-058) (x86_64-linux-gnu-gcc-12 (Ubuntu 12.3.0-1ubuntu1~22.04) "
    "12.3.0, GNU ld (GNU Binutils for Ubuntu) 2.38) #63~22.04.1-Ubuntu SMP "
    "PREEMPT_DYNAMIC Tue Apr 22 19:00:15 UTC 2"
)
ADMIN = User("ops", 1001, (1001, 27, 44, RENDER))
GROUPS = {"render": (RENDER, "ops"), "video": (44, "ops")}
GEN5, GEN4 = Link("32.0", 16), Link("16.0", 16)


def server(hostname, cpu, cores, sockets, memory_gib, kernel, dmi, options, **changes):
    """A machine with hyper-threading off and one NUMA node for each socket."""
    values = {
        "threads": 1,
        "numa_nodes": sockets,
        "distribution": "ubuntu-22.04",
        "build": SERVER_BUILD,
        "user": ADMIN,
        "groups": GROUPS,
        "governor": "performance",
        "numa_balancing": 0,
        "memlock": "unlimited unlimited",
        "nofile": "65536 1048576",
        "cmdline": BOOT.format(kernel, options),
    } | changes
    return Machine(
        hostname,
        kernel,
        cpu=cpu,
        memory_kib=memory_gib * 1048576 - 7_340_032 * sockets,
        cores=cores,
        sockets=sockets,
        dmi=dmi,
        **values,
    )


def hide_nodes(tree, numbers):
    """What the device cgroup forbids answers EPERM; `name` does not ask it."""
    for number in numbers:
        path = f"/sys/devices/virtual/kfd/kfd/topology/nodes/{number}"
        below = [entry for entry in tree.entries if entry.startswith(path + "/")]
        for entry in below:
            if not entry.endswith("/name"):
                tree.replace_with_error(entry, "EPERM")


def remove_host_files(tree, box):
    """Modules of the host's kernel are not installed inside a container."""
    tree.remove(f"/lib/modules/{box.kernel}")
    if any(path.startswith("/var/lib/dkms") for path in tree.entries):
        tree.remove("/var/lib/dkms")


def infiniband(tree, count):
    for index in range(count):
        path = f"/sys/class/infiniband/mlx5_{index}"
        tree.files(
            f"{path}/ports/1",
            {"state": "4: ACTIVE", "rate": "400 Gb/sec (4X NDR)", "link_layer": "InfiniBand"},
        )
        tree.file(f"{path}/node_type", "1: CA")
