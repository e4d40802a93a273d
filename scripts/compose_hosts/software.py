"""Installed software: ROCm trees, distribution packages, Python environments, caches."""

import struct

# Soname and file version of each library in the releases we compose.
_RELEASES = {
    "5.2.3": (
        "5.2.3-109",
        {
            "libamdhip64": "5.2.50203",
            "libhsa-runtime64": "1.5.50203",
            "librocm_smi64": "5.0.50203",
            "librocblas": "0.1.50203",
            "librccl": "1.0.50203",
        },
    ),
    "6.2.4": (
        "6.2.4-139",
        {
            "libamdhip64": "6.2.60204",
            "libhiprtc": "6.2.60204",
            "libhsa-runtime64": "1.14.60204",
            "librocm_smi64": "7.3.60204",
            "libamd_smi": "24.6.60204",
            "librocblas": "4.2.60204",
            "libhipblas": "2.2.60204",
            "libhipblaslt": "0.8.60204",
            "librccl": "1.0.60204",
            "libMIOpen": "1.0.60204",
            "libamd_comgr": "2.8.60204",
        },
    ),
    "6.3.0": (
        "6.3.0-39",
        {
            "libamdhip64": "6.3.60300",
            "libhiprtc": "6.3.60300",
            "libhsa-runtime64": "1.14.60300",
            "librocm_smi64": "7.4.60300",
            "libamd_smi": "24.7.60300",
            "librocblas": "4.3.60300",
            "libhipblas": "2.3.60300",
            "libhipblaslt": "0.10.60300",
            "librccl": "1.0.60300",
            "libMIOpen": "1.0.60300",
            "libamd_comgr": "2.8.60300",
        },
    ),
    "6.4.1": (
        "6.4.1-83",
        {
            "libamdhip64": "6.4.60401",
            "libhiprtc": "6.4.60401",
            "libhsa-runtime64": "1.15.60401",
            "librocm_smi64": "7.5.60401",
            "libamd_smi": "25.4.60401",
            "librocblas": "4.4.60401",
            "libhipblas": "2.4.60401",
            "libhipblaslt": "0.12.60401",
            "librccl": "1.0.60401",
            "libMIOpen": "1.0.60401",
            "libamd_comgr": "3.0.60401",
        },
    ),
    "7.0.2": (
        "7.0.2-56",
        {
            "libamdhip64": "7.0.70002",
            "libhiprtc": "7.0.70002",
            "libhsa-runtime64": "1.18.70002",
            "librocm_smi64": "1.0.70002",
            "libamd_smi": "26.0.70002",
            "librocblas": "5.0.70002",
            "libhipblas": "3.0.70002",
            "libhipblaslt": "1.0.70002",
            "librccl": "1.0.70002",
            "libMIOpen": "1.0.70002",
            "libamd_comgr": "3.0.70002",
        },
    ),
    "7.2.0": (
        "7.2.0-43",
        {
            "libamdhip64": "7.2.70200",
            "libhiprtc": "7.2.70200",
            "libhsa-runtime64": "1.18.70200",
            "librocm_smi64": "1.0.70200",
            "libamd_smi": "26.2.70200",
            "librocblas": "5.2.70200",
            "libhipblas": "3.2.70200",
            "libhipblaslt": "1.2.70200",
            "librccl": "1.0.70200",
            "libMIOpen": "1.0.70200",
            "libamd_comgr": "3.0.70200",
        },
    ),
    "7.14.0": (
        "7.14.0",
        {
            "libamdhip64": "7.14.0",
            "libhiprtc": "7.14.0",
            "libhsa-runtime64": "1.19.0",
            "librocm_smi64": "1.1.0",
            "libamd_smi": "26.4.0",
            "librocblas": "5.4.0",
            "libhipblas": "3.4.0",
            "libhipblaslt": "1.4.0",
            "librccl": "1.0.0",
            "libMIOpen": "1.0.0",
            "libamd_comgr": "3.1.0",
        },
    ),
}


def libraries(release):
    """The libraries of a release with their file versions."""
    return _RELEASES[release][1]


def rocm(tree, version, prefix=None, targets=("gfx1100",), version_rocm=True):
    """A ROCm tree such as /opt/rocm-6.3.0, with Tensile files for the given targets."""
    prefix = prefix or f"/opt/rocm-{version}"
    build, _ = _RELEASES[version]
    tree.file(f"{prefix}/.info/version", build)
    if version_rocm:
        tree.file(f"{prefix}/.info/version-rocm", build)
    tree.listed(*[f"{prefix}/bin/{tool}" for tool in ("amd-smi", "hipcc", "rocm-smi", "rocminfo")])
    shared_libraries(tree, f"{prefix}/lib", libraries(version))
    tree.listed(
        *[f"{prefix}/lib/rocblas/library/TensileLibrary_lazy_{target}.dat" for target in targets]
    )
    return prefix


def shared_libraries(tree, directory, libraries, development=True):
    """NAME.so -> NAME.so.MAJOR -> NAME.so.FULL for each library."""
    for name, full in libraries.items():
        major = full.split(".")[0]
        tree.listed(f"{directory}/{name}.so.{full}")
        if full != major:
            tree.link(f"{directory}/{name}.so.{major}", f"{name}.so.{full}")
        if development:
            tree.link(f"{directory}/{name}.so", f"{name}.so.{major}")


def default_rocm(tree, prefix):
    """/opt/rocm by way of update-alternatives, as the packages make it."""
    tree.link("/opt/rocm", "/etc/alternatives/rocm")
    tree.link("/etc/alternatives/rocm", prefix)


def loader(tree, directories=(), name="rocm.conf"):
    """The loader's configuration, with directories that someone added for ROCm."""
    tree.file("/etc/ld.so.conf", "include /etc/ld.so.conf.d/*.conf")
    tree.lines("/etc/ld.so.conf.d/libc.conf", ["# libc default configuration", "/usr/local/lib"])
    tree.lines(
        "/etc/ld.so.conf.d/x86_64-linux-gnu.conf",
        [
            "# Multiarch support",
            "/usr/local/lib/x86_64-linux-gnu",
            "/lib/x86_64-linux-gnu",
            "/usr/lib/x86_64-linux-gnu",
        ],
    )
    tree.listed("/etc/ld.so.cache")
    if directories:
        tree.lines(f"/etc/ld.so.conf.d/{name}", directories)


def dpkg(tree, packages):
    """An excerpt of the dpkg database: (package, version) pairs, all installed."""
    lines = []
    for package, version in sorted(packages):
        lines += [
            f"Package: {package}",
            "Status: install ok installed",
            "Priority: optional",
            "Section: libs",
            "Architecture: amd64",
            f"Version: {version}",
            "",
        ]
    tree.lines("/var/lib/dpkg/status", lines)


def rocm_packages(version, distribution="24.04"):
    """AMD's package names and versions of a release."""
    number = "".join(f"{int(part):02d}" for part in version.split("."))[1:]
    build = _RELEASES[version][0].split("-")[1]
    own = {
        "rocm-core": f"{version}.{number}",
        "hip-runtime-amd": "6.3.42131.60300",
        "rocm-smi-lib": "7.4.0.60300",
        "rocblas": "4.3.0.60300",
        "rccl": "2.21.5.60300",
    }
    return [(package, f"{text}-{build}~{distribution}") for package, text in own.items()]


def venv(tree, prefix, python="3.12"):
    """A virtual environment; returns its site-packages."""
    tree.lines(
        f"{prefix}/pyvenv.cfg",
        [
            "home = /usr/bin",
            "include-system-site-packages = false",
            f"version = {python}.3",
            f"executable = /usr/bin/python{python}",
            f"command = /usr/bin/python3 -m venv {prefix}",
        ],
    )
    tree.listed(f"/usr/bin/python{python}")
    tree.link(f"{prefix}/bin/python", f"/usr/bin/python{python}")
    return f"{prefix}/lib/python{python}/site-packages"


def wheel(tree, site, name, version, requires=()):
    """The metadata of one installed distribution."""
    tree.lines(
        f"{site}/{name}-{version}.dist-info/METADATA",
        ["Metadata-Version: 2.1", f"Name: {name.replace('_', '-')}", f"Version: {version}"]
        + [f"Requires-Dist: {text}" for text in requires],
    )
    tree.file(f"{site}/{name}-{version}.dist-info/INSTALLER", "pip")


def torch(
    tree,
    site,
    version,
    hip,
    git="a8d6afb511a69687bbb2b7e88a3cf67917e1697e",
    libraries=None,
    requires=(),
):
    """A PyTorch wheel for ROCm with the libraries it brings along."""
    wheel(tree, site, "torch", version, requires)
    tree.lines(
        f"{site}/torch/version.py",
        [
            "from typing import Optional",
            "",
            "__all__ = ['__version__', 'debug', 'cuda', 'git_version', 'hip']",
            f"__version__ = '{version}'",
            "debug = False",
            "cuda: Optional[str] = None",
            f"git_version = '{git}'",
            f"hip: Optional[str] = '{hip}'",
        ],
    )
    tree.listed(
        f"{site}/torch/_C.cpython-312-x86_64-linux-gnu.so",
        f"{site}/torch/lib/libtorch_hip.so",
        f"{site}/torch/lib/libc10_hip.so",
    )
    for name in libraries or ():
        tree.listed(f"{site}/torch/lib/{name}")


def amdgpu_ids(tree, rows):
    """An excerpt of libdrm's table: device, revision and name."""
    tree.lines(
        "/usr/share/libdrm/amdgpu.ids",
        [
            "# List of AMDGPU IDs",
            "#",
            "# Syntax:",
            "# device_id,\trevision_id,\tproduct_name",
            "",
            "1.0.0",
        ]
        + [f"{device:04X},\t{revision:02X},\t{name}" for device, revision, name in rows],
    )


def sqlite_head(pages, size=None):
    """The answer to head.PATH for a database with so many pages of 4 KiB; size as it really is."""
    header = bytearray(512)
    header[:24] = b"SQLite format 3\0" + struct.pack(">H6B", 4096, 1, 1, 0, 64, 32, 32)
    struct.pack_into(">II", header, 24, 7, pages)  # change counter, pages
    struct.pack_into(">II", header, 92, 7, 3040001)  # the counter they hold for, version
    size = 4096 * pages if size is None else size
    return f"{size}\n".encode() + bytes(header[:size])


def caches(tree, home, stem, owner):
    """What MIOpen and Triton have left below a home directory on ext4; stem: target and CUs."""
    tree.env("HOME", home)
    databases = f"{home}/.config/miopen"
    kernels = f"{home}/.cache/miopen"
    for directory in (databases, kernels, f"{home}/.triton/cache"):
        tree.call(f"directory.{directory}", f"0xef53 0755 {owner} {owner}")
    tree.listed(f"{databases}/{stem}.HIP.3_3_0_5fcfbcc8f.ufdb.txt", f"{databases}/{stem}.udb")
    tree.listed(f"{kernels}/3.3.0.5fcfbcc8f/{stem}.ukdb")
    tree.call_binary(f"head.{databases}/{stem}.udb", sqlite_head(5))
    tree.call_binary(f"head.{kernels}/3.3.0.5fcfbcc8f/{stem}.ukdb", sqlite_head(310))
