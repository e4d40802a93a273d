// SPDX-License-Identifier: MIT
#include "judge/rules/kernel_argument.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/host.hpp"
#include "base/text.hpp"

namespace rocmtune {

bool has_program(Host const& host, std::string_view name) {
    return host.programs && std::ranges::count(*host.programs, name) > 0;
}

bool boots_from_ostree(Host const& host) {
    return kernel_argument(host, "ostree").has_value();
}

bool has_grubby(Host const& host) {
    return has_program(host, "grubby") ||
           is_one_of(host.distribution_id.value_or(""), {"fedora", "nobara", "ultramarine", "rhel",
                                                         "centos", "rocky", "almalinux", "ol"});
}

std::string argument_off_step(Host const& host, std::string_view name, std::string_view better) {
    auto const then = better.empty() ? std::string("and reboot")
                                     : fmt::format("add {}=VALUE in its place, and reboot", better);
    if (in_container(host))
        return fmt::format("grep -o '{}=*[^ ]*' /proc/cmdline   # on the host: take it off, {}",
                           name, then);
    if (boots_from_ostree(host))
        return fmt::format("sudo rpm-ostree kargs --editor   # take {} off, {}", name, then);
    if (has_grubby(host))
        return fmt::format("sudo grubby --update-kernel=ALL --remove-args={}   # {}", name, then);
    if (host.distribution_id.value_or("") == "nixos")
        return fmt::format(
            "nixos-option boot.kernelParams   # take {} off, then: sudo nixos-rebuild boot, {}",
            name, then);
    return fmt::format(
        "grep -rs {} /etc/default/grub /etc/default/grub.d /etc/kernel/cmdline /boot/loader   # "
        "take it off there (GRUB: then sudo update-grub or grub-mkconfig), {}",
        name, then);
}

}  // namespace rocmtune
