"""The list of hosts: a host is one function, and one row here."""

from . import instinct_hosts, mi300_hosts, radeon_hosts, special_hosts

# Embedded in the program as `example:NAME`; the others serve tests only.
EXAMPLES = (
    "rx7900xt-x2",
    "mi300x-x8",
    "mi210-x8",
    "strix-halo",
    "igpu-and-dgpu",
    "broken-permissions",
    "no-gpu",
)

HOSTS = {
    "rx7900xt-x2": radeon_hosts.rx7900xt_x2,
    "mi300x-x8": mi300_hosts.mi300x_x8,
    "mi210-x8": instinct_hosts.mi210_x8,
    "strix-halo": radeon_hosts.strix_halo,
    "igpu-and-dgpu": radeon_hosts.igpu_and_dgpu,
    "broken-permissions": radeon_hosts.broken_permissions,
    "no-gpu": radeon_hosts.no_gpu,
    "container-fewer-devices": instinct_hosts.container_fewer_devices,
    "debian-rocm": special_hosts.debian_rocm,
    "kubernetes-pod": mi300_hosts.kubernetes_pod,
    "laptop-suspended": radeon_hosts.laptop_suspended,
    "link-downtrained": radeon_hosts.link_downtrained,
    "mi250x-x4": instinct_hosts.mi250x_x4,
    "mi300a-x4": mi300_hosts.mi300a_x4,
    "mi300x-cpx": mi300_hosts.mi300x_cpx,
    "mi300x-cpx-linux7": mi300_hosts.mi300x_cpx_linux7,
    "mi300x-degraded": mi300_hosts.mi300x_degraded,
    "mi300x-vf": mi300_hosts.mi300x_vf,
    "mixed-generations": radeon_hosts.mixed_generations,
    "old-kernel": special_hosts.old_kernel,
    "override-and-dispute": radeon_hosts.override_and_dispute,
    "permission-eperm": special_hosts.permission_eperm,
    "phoenix": radeon_hosts.phoenix,
    "radeon-driver-and-vfio": special_hosts.radeon_driver_and_vfio,
    "rocm-many": special_hosts.rocm_many,
    "rx7900xt": radeon_hosts.rx7900xt,
    "rx9070xt": radeon_hosts.rx9070xt,
    "vega-apu": special_hosts.vega_apu,
    "wsl": special_hosts.wsl,
}
