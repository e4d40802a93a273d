"""The host around the GPUs: processors, memory, kernel, distribution, user, container."""

from dataclasses import dataclass, field

_DISTRIBUTIONS = {
    "ubuntu-18.04": ("Ubuntu", "18.04.6 LTS (Bionic Beaver)", "ubuntu", "18.04", "bionic"),
    "ubuntu-22.04": ("Ubuntu", "22.04.5 LTS (Jammy Jellyfish)", "ubuntu", "22.04", "jammy"),
    "ubuntu-24.04": ("Ubuntu", "24.04.3 LTS (Noble Numbat)", "ubuntu", "24.04", "noble"),
    "debian-12": ("Debian GNU/Linux", "12 (bookworm)", "debian", "12", "bookworm"),
    "debian-13": ("Debian GNU/Linux", "13 (trixie)", "debian", "13", "trixie"),
    "fedora-42": ("Fedora Linux", "42 (Workstation Edition)", "fedora", "42", ""),
    "rhel-9.4": ("Red Hat Enterprise Linux", "9.4 (Plow)", "rhel", "9.4", ""),
    "sles-15.5": ("SLES", "15-SP5", "sles", "15.5", ""),
    "arch": ("Arch Linux", "", "arch", "", ""),
}


@dataclass(frozen=True)
class Cpu:
    vendor: str
    family: int
    model: int
    stepping: int
    name: str
    max_mhz: int


@dataclass(frozen=True)
class User:
    name: str
    uid: int
    gids: tuple  # the effective group first


@dataclass(frozen=True)
class Machine:
    hostname: str
    kernel: str
    build: str  # what /proc/version says after the release
    distribution: str
    cpu: Cpu
    memory_kib: int
    cores: int  # of one socket
    sockets: int = 1
    threads: int = 2
    numa_nodes: int = 1
    dmi: tuple = ()  # vendor, product, BIOS version, BIOS date
    cmdline: str = "quiet splash"
    user: User = User("user", 1000, (1000,))
    groups: dict = field(default_factory=dict)  # name: (gid, members)
    governor: str = "powersave"
    huge_pages: str = "madvise"
    numa_balancing: int | None = None
    memlock: str = "8388608 8388608"
    nofile: str = "1024 1048576"
    cpu_quota: str = "max"  # or microseconds and their period
    shared_memory_bytes: int | None = None  # /dev/shm; default half of the memory
    home_filesystem: str = "0xef53"  # statfs(2): ext4
    dmesg_restrict: int = 1
    full_topology: bool = False  # all processors in sysfs, also when there are many

    @property
    def logical_cpus(self):
        return self.sockets * self.cores * self.threads

    def node_numbers(self, node):
        """The processors of a NUMA node: all cores are numbered first, then their siblings."""
        physical = self.sockets * self.cores
        width = physical // self.numa_nodes
        return [
            thread * physical + node * width + core
            for thread in range(self.threads)
            for core in range(width)
        ]

    def node_cpus(self, node):
        """The processors of a NUMA node in the kernel's list form."""
        return cpu_list(self.node_numbers(node))

    def node_mask(self, node):
        """The same as the kernel's hexadecimal mask."""
        return cpu_mask(self.node_numbers(node), self.logical_cpus)

    @property
    def ttm_bytes(self):
        """What TTM lets GPUs use of the memory by default: half of it."""
        return self.memory_kib * 512 // 4096 * 4096

    @property
    def node_memory_kib(self):
        return self.memory_kib // self.numa_nodes


def cpu_list(numbers):
    """Numbers as the kernel prints a list: 0-7,64-71."""
    ranges = []
    for number in sorted(numbers):
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in ranges)


def cpu_mask(numbers, count):
    """Numbers as the kernel prints a mask: 32 bits a group, the highest first."""
    value = sum(1 << number for number in numbers)
    groups = [f"{value >> shift & 0xFFFFFFFF:08x}" for shift in range(0, count, 32)]
    groups[-1] = groups[-1][-(-(-(count % 32 or 32) // 4)) :]
    return ",".join(reversed(groups))


def write(tree, machine):
    """Everything about the host that has nothing to do with GPUs."""
    _write_identity(tree, machine)
    _write_kernel(tree, machine)
    _write_cpus(tree, machine)
    _write_memory(tree, machine)
    _write_nodes(tree, machine)
    _write_process(tree, machine)
    if machine.dmi:
        names = ("sys_vendor", "product_name", "bios_version", "bios_date")
        tree.files("/sys/class/dmi/id", dict(zip(names, machine.dmi)))


def _write_identity(tree, machine):
    user = machine.user
    tree.call("uname.release", machine.kernel)
    tree.call("uname.machine", "x86_64")
    tree.call("uname.nodename", machine.hostname)
    tree.call("identity.uid", user.uid)
    tree.call("identity.gids", " ".join(map(str, user.gids)))
    tree.call("limit.memlock", machine.memlock)
    tree.call("limit.nofile", machine.nofile)
    tree.call("cgroup.cpu", machine.cpu_quota)
    shared = machine.shared_memory_bytes or machine.memory_kib * 512 // 4096 * 4096
    tree.call("filesystem./dev/shm", shared)
    tree.call("home.filesystem", machine.home_filesystem)
    tree.file("/etc/hostname", machine.hostname)
    tree.lines("/etc/os-release", _os_release(*_DISTRIBUTIONS[machine.distribution]))
    base = {
        "root": (0, ""),
        "adm": (4, "syslog"),
        "tty": (5, ""),
        "sudo": (27, ""),
        "video": (44, ""),
    } | machine.groups
    if user.uid:
        base[user.name] = (user.uid, "")
    tree.lines("/etc/group", [f"{name}:x:{gid}:{members}" for name, (gid, members) in base.items()])


def _os_release(name, version, identifier, number, codename):
    lines = [
        f'PRETTY_NAME="{(name + " " + version).strip()}"',
        f'NAME="{name}"',
        f"ID={identifier}",
    ]
    if number:
        lines += [f'VERSION_ID="{number}"', f'VERSION="{version}"']
    return lines + ([f"VERSION_CODENAME={codename}"] if codename else [])


def _write_kernel(tree, machine):
    tree.file("/proc/version", f"Linux version {machine.kernel} {machine.build}")
    tree.file("/proc/cmdline", machine.cmdline)
    tree.file("/proc/sys/kernel/osrelease", machine.kernel)
    tree.file("/proc/sys/kernel/dmesg_restrict", machine.dmesg_restrict)
    if machine.numa_balancing is not None:
        tree.file("/proc/sys/kernel/numa_balancing", machine.numa_balancing)
    tree.file("/proc/sys/vm/compaction_proactiveness", 20)
    words = ("always", "madvise", "never")
    tree.file(
        "/sys/kernel/mm/transparent_hugepage/enabled",
        " ".join(f"[{word}]" if word == machine.huge_pages else word for word in words),
    )


def _write_cpus(tree, machine):
    count = machine.logical_cpus
    tree.lines("/proc/cpuinfo", [line for cpu in range(count) for line in _cpuinfo(machine, cpu)])
    root = "/sys/devices/system/cpu"
    whole = f"0-{count - 1}"
    tree.files(root, {"online": whole, "possible": whole, "present": whole})
    tree.files(
        f"{root}/smt",
        {
            "active": int(machine.threads > 1),
            "control": "on" if machine.threads > 1 else "notsupported",
        },
    )
    if machine.governor:
        tree.files(
            f"{root}/cpu0/cpufreq",
            {
                "scaling_driver": "amd-pstate-epp"
                if machine.governor == "powersave"
                else "acpi-cpufreq",
                "scaling_governor": machine.governor,
                "cpuinfo_max_freq": machine.cpu.max_mhz * 1000,
            },
        )
    for cpu in range(count if count <= 64 or machine.full_topology else 1):
        tree.files(f"{root}/cpu{cpu}/topology", _cpu_topology(machine, cpu))


def _cpu_topology(machine, cpu):
    """Core, socket and their other processors: what hwloc and lscpu need."""
    physical = machine.sockets * machine.cores
    core, count = cpu % physical, machine.logical_cpus
    package = core // machine.cores
    threads = range(core, count, physical)
    neighbours = [
        number for number in range(count) if number % physical // machine.cores == package
    ]
    return {
        "core_id": core % machine.cores,
        "physical_package_id": package,
        "core_cpus": cpu_mask(threads, count),
        "package_cpus": cpu_mask(neighbours, count),
        "thread_siblings_list": cpu_list(threads),
    }


def _cpuinfo(machine, cpu):
    """One processor of /proc/cpuinfo, reduced to what tells processors and sockets apart."""
    core = cpu % (machine.sockets * machine.cores)
    model = machine.cpu
    lines = [f"processor\t: {cpu}", f"vendor_id\t: {model.vendor}"]
    if machine.logical_cpus <= 64:
        lines += [f"cpu family\t: {model.family}", f"model\t\t: {model.model}"]
    lines.append(f"model name\t: {model.name}")
    if machine.logical_cpus <= 64:
        lines.append(f"stepping\t: {model.stepping}")
    return lines + [
        f"physical id\t: {core // machine.cores}",
        f"siblings\t: {machine.cores * machine.threads}",
        f"core id\t\t: {core % machine.cores}",
        f"cpu cores\t: {machine.cores}",
        "",
    ]


def _write_memory(tree, machine):
    total = machine.memory_kib
    values = {
        "MemTotal": total,
        "MemFree": total // 2,
        "MemAvailable": total * 4 // 5,
        "Buffers": 412_340,
        "Cached": total // 4,
        "SwapTotal": 2_097_148,
        "SwapFree": 2_097_148,
        "Shmem": 183_204,
    }
    lines = [f"{name + ':':<15}{kib:>9} kB" for name, kib in values.items()]
    lines += [f"{name + ':':<16}{0:>8}" for name in ("HugePages_Total", "HugePages_Free")]
    tree.lines("/proc/meminfo", lines + [f"{'Hugepagesize:':<15}{2048:>9} kB"])


def _write_nodes(tree, machine):
    root = "/sys/devices/system/node"
    count = machine.numa_nodes
    whole = f"0-{count - 1}" if count > 1 else "0"
    tree.files(root, {"online": whole, "possible": whole})
    for node in range(count):
        distances = ["10" if node == other else "32" for other in range(count)]
        tree.files(
            f"{root}/node{node}",
            {
                "cpulist": machine.node_cpus(node),
                "cpumap": machine.node_mask(node),
                "distance": " ".join(distances),
                "meminfo": [
                    f"Node {node} {name + ':':<15}{kib:>9} kB"
                    for name, kib in (
                        ("MemTotal", machine.node_memory_kib),
                        ("MemFree", machine.node_memory_kib // 2),
                    )
                ],
            },
        )


# PROC_PID_INIT_INO and its kin in include/linux/proc_ns.h: the namespaces of the first process.
_FIRST_NAMESPACES = {"pid": 4026531836, "cgroup": 4026531835, "user": 4026531837}


def _write_process(tree, machine, pid=4242):
    """The probing process, outside of any container."""
    tree.file("/proc/1/cgroup", "0::/init.scope")
    scope = f"user.slice/user-{machine.user.uid}.slice/session-3.scope"
    tree.file("/proc/self/cgroup", f"0::/{scope}")
    tree.lines("/proc/self/status", self_status(machine, pid, seccomp=0))
    _write_namespaces(tree, _FIRST_NAMESPACES)


def _write_namespaces(tree, numbers):
    for kind, number in numbers.items():
        tree.link(f"/proc/self/ns/{kind}", f"{kind}:[{number}]")


def self_status(machine, pid, seccomp):
    """/proc/self/status, reduced. NSpid begins at the namespace of the mounted /proc."""
    user = machine.user
    uid, gid = user.uid, user.gids[0]
    return [
        "Name:\trocmtune",
        "Umask:\t0022",
        "State:\tR (running)",
        f"Tgid:\t{pid}",
        f"Pid:\t{pid}",
        "PPid:\t1",
        "TracerPid:\t0",
        f"Uid:\t{uid}\t{uid}\t{uid}\t{uid}",
        f"Gid:\t{gid}\t{gid}\t{gid}\t{gid}",
        "FDSize:\t64",
        "Groups:\t" + "".join(f"{group} " for group in user.gids),
        f"NSpid:\t{pid}",
        "Threads:\t1",
        f"Seccomp:\t{seccomp}",
        f"Seccomp_filters:\t{1 if seccomp else 0}",
        f"Cpus_allowed_list:\t0-{machine.logical_cpus - 1}",
        f"Mems_allowed_list:\t{'0' if machine.numa_nodes == 1 else f'0-{machine.numa_nodes - 1}'}",
    ]


def in_container(tree, machine, kind, cgroup, shared_memory_bytes):
    """Turns the host into what a process inside a container of it sees."""
    for path in ("/proc/1/cgroup", "/proc/self/cgroup", "/proc/self/status"):
        tree.remove(path)
    tree.file("/proc/1/cgroup", cgroup)
    tree.file("/proc/self/cgroup", cgroup)
    tree.lines("/proc/self/status", self_status(machine, 37, seccomp=2))
    for name in ("pid", "cgroup"):
        tree.remove(f"/proc/self/ns/{name}")
        tree.link(f"/proc/self/ns/{name}", f"{name}:[{_FIRST_NAMESPACES[name] + 396_000}]")
    tree.calls = [call for call in tree.calls if call[0] != "filesystem./dev/shm"]
    tree.call("filesystem./dev/shm", shared_memory_bytes)
    if kind == "docker":
        tree.lines("/.dockerenv", [])
    elif kind == "cri-o":
        tree.lines("/run/.containerenv", [])
    else:
        tree.file("/run/systemd/container", kind)
