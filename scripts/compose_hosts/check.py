"""Consistency of a composed host: what must hold between its files."""

import posixpath
import struct

_KFD = "/sys/devices/virtual/kfd/kfd/topology/nodes"
_COUNTS = {
    "caches_count": "caches",
    "mem_banks_count": "mem_banks",
    "io_links_count": "io_links",
    "p2p_links_count": "p2p_links",
}


def problems(tree):
    """One line for each contradiction found in the host."""
    directories = _directories(tree)
    return [
        *_nesting(tree),
        *_links(tree, directories),
        *_topology(tree, directories),
        *_pci(tree),
        *_metrics(tree),
        *_order(tree),
    ]


def _parents(path):
    while (path := posixpath.dirname(path)) != "/":
        yield path


def _directories(tree):
    found = {parent for path in tree.entries for parent in _parents(path)}
    return found | {path for path, (kind, _) in tree.entries.items() if kind == "dir"} | {"/"}


def _nesting(tree):
    """Nothing may lie below an entry; an empty directory may have no entries."""
    for path in tree.entries:
        for parent in _parents(path):
            if parent in tree.entries:
                yield f"{path}: lies below the entry {parent}"


def _resolve(tree, directories, path, depth=0):
    """The path with all links followed, or None when it leads nowhere."""
    done = "/"
    for part in path.strip("/").split("/"):
        done = posixpath.normpath(posixpath.join(done, part))
        kind, target = tree.entries.get(done, (None, None))
        if kind == "link":
            if depth > 20:
                return None
            done = _resolve(
                tree, directories, posixpath.join(posixpath.dirname(done), target), depth + 1
            )
            if done is None:
                return None
        elif kind is None and done not in directories:
            return None
    return done


def _links(tree, directories):
    for path, (kind, target) in tree.entries.items():
        # The links of /proc/PID/ns name a namespace, not a path.
        if path.startswith("/proc/self/ns/"):
            continue
        if kind == "link" and _resolve(tree, directories, path) is None:
            yield f"{path}: leads nowhere ({target})"


def _lines(tree, path):
    kind, value = tree.entries.get(path, (None, None))
    return value if kind == "lines" else None


def _properties(tree, path):
    lines = _lines(tree, path)
    return lines and {
        key: int(value)
        for key, value in (line.split(" ", 1) for line in lines)
        if value.lstrip("-").isdigit()
    }


def _children(directories, path):
    return {
        name[len(path) + 1 :]
        for name in directories
        if name.startswith(path + "/") and "/" not in name[len(path) + 1 :]
    }


def _topology(tree, directories):
    nodes = sorted(_children(directories, _KFD), key=int)
    if nodes != [str(number) for number in range(len(nodes))]:
        yield f"KFD nodes are not numbered without gaps: {nodes}"
    links = {}
    for node in nodes:
        path = f"{_KFD}/{node}"
        values = _properties(tree, f"{path}/properties")
        if values is None:
            continue
        for key, directory in _COUNTS.items():
            count = len(_children(directories, f"{path}/{directory}"))
            if values.get(key, count) != count:
                yield f"{path}: {key} is {values[key]}, but {count} are there"
        yield from _gpu_node(tree, path, values)
        for directory in ("io_links", "p2p_links"):
            for link in _children(directories, f"{path}/{directory}"):
                found = _properties(tree, f"{path}/{directory}/{link}/properties")
                if found:
                    links[found["node_from"], found["node_to"]] = found
                    if str(found["node_from"]) != node or str(found["node_to"]) not in nodes:
                        yield f"{path}/{directory}/{link}: names a wrong node"
    yield from _symmetry(tree, links)


def _symmetry(tree, links):
    for (first, second), link in links.items():
        back = links.get((second, first))
        readable = _lines(tree, f"{_KFD}/{second}/properties") is not None
        if readable and (
            back is None or back["type"] != link["type"] or back["weight"] != link["weight"]
        ):
            yield f"KFD link {first} -> {second} has no equal way back"


def _gpu_node(tree, path, values):
    if not values.get("simd_count"):
        return
    minor = values.get("drm_render_minor")
    if minor and f"/sys/class/drm/renderD{minor}" not in tree.entries:
        yield f"{path}: renderD{minor} is missing"
    if values["simd_count"] % values["simd_per_cu"]:
        yield f"{path}: simd_count is no multiple of simd_per_cu"
    if (
        values["simd_count"]
        > values["array_count"] * values["cu_per_simd_array"] * values["simd_per_cu"]
    ):
        yield f"{path}: more SIMDs than the arrays hold"
    location = values["location_id"]
    address = (
        f"{values.get('domain', 0):04x}:{location >> 8 & 0xff:02x}:" f"{location >> 3 & 0x1f:02x}.0"
    )
    device = _lines(tree, f"{_target(tree, f'/sys/bus/pci/devices/{address}')}/device")
    if device is None and "domain" in values:
        yield f"{path}: no PCI function {address}"
    elif device and int(device[0], 16) != values["device_id"]:
        yield f"{path}: device id differs from {address}"


def _target(tree, link):
    kind, target = tree.entries.get(link, (None, ""))
    return posixpath.normpath(posixpath.join(posixpath.dirname(link), target)) if kind else ""


def _pci(tree):
    for path in tree.entries:
        if path.startswith("/sys/bus/pci/devices/"):
            target = _target(tree, path)
            if posixpath.basename(target) != posixpath.basename(path):
                yield f"{path}: leads to another address"
            uevent = _lines(tree, f"{target}/uevent") or []
            driver = [line[7:] for line in uevent if line.startswith("DRIVER=")]
            bound = [posixpath.basename(_target(tree, f"{target}/driver"))]
            if (driver or [""]) != bound:
                yield f"{target}: driver {bound} differs from uevent {driver}"


def _metrics(tree):
    for path, (kind, value) in tree.entries.items():
        if kind == "binary" and path.endswith("/gpu_metrics"):
            if struct.unpack_from("<H", value)[0] != len(value):
                yield f"{path}: the header's size is not the table's"


def _order(tree):
    """The written text names every entry once and in order."""
    paths = [line.split(" ")[0] for line in tree.text().splitlines() if line.startswith("/")]
    if paths != [path.replace(" ", "\\040") for path in sorted(tree.entries)]:
        yield "the text does not name every entry once and in order"
