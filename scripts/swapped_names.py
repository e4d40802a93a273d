#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Root writes where another user exchanges a file and a link all the time; each run is judged.

The link leads to what is root's alone. A run may write its file or refuse (exit code 2); it must
change nothing behind the link and leave no temporary file. Every fourth run is that of an ordinary
user who fills a cache there: lint's list of readers or, with --fakes, kernels that a stand-in for
the HIP runtime has compiled; it says the same with and without its cache. Half of the runs have their system calls
slowed down (strace --inject), which widens every gap between a look and a use, and half of these
have no openat2(2).
Needs root. A run is made again by its number: --seed SEED --only NUMBER.
"""
import argparse
import collections
import ctypes
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent
HOST = str(SOURCE / "tests/hosts/rx7900xt/host")
STRANGER = 65534
PRECIOUS = b"precious"
AT_FDCWD = -100       # linux/fcntl.h
RENAME_EXCHANGE = 2   # linux/fs.h
FAKE_GPU = "0000:03:00.0 gfx1100 42 21458059264 1a2b3c4d5e6f7081 Radeon RX 7900 XTX"
SLOW_CALLS = "openat,readlink,readlinkat,newfstatat,fstat,statx,rename,renameat"

WRITERS = (
    ["completion", "bash", "-o", "{}"],
    ["probe", "--replay", HOST, "--also", "json:{}"],
    ["check", "--replay", HOST, "--learn", "{}"],
    ["probe", "--sources", "sysfs", "--record", "{}"],
    ["probe", "--sources", "sysfs", "--bug-report", "{}"],
    ["cache", "clear"],
)
CACHE_USER = 1001
CACHE_WRITERS = (
    ["lint", "--readers", "--sources", "sysfs"],
    ["bench", "bandwidth", "--backend", "hip", "--size", "65536", "--quick", "--time", "0.001"],
)
# What the stand-in computes is wrong, and the bench says so.
CACHE_CODES = {"lint": 0, "bench": 1}
DIRECTORIES = ("sticky", "open", "group", "access list", "his own")
SWAPS = ("last name", "new file", "directory")
CACHE_SWAPS = ("cache", "directory")


# ---- places ---------------------------------------------------------------------------------------

def mounted(words):
    """Why a mount failed, or nothing."""
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return (done.stderr.strip().splitlines() or ["failed"])[-1] if done.returncode else None


def mount_ext4(work, place):
    image = work / "ext4.image"
    with open(image, "wb") as file:
        file.truncate(32 << 20)
    mkfs = shutil.which("mkfs.ext4", path="/sbin:/usr/sbin:/bin:/usr/bin")
    if not mkfs:
        return "mkfs.ext4 is not installed"
    return mounted([mkfs, "-q", "-F", image]) or mounted(["mount", "-o", "loop", image, place])


def mount_tmpfs(_work, place):
    return mounted(["mount", "-t", "tmpfs", "none", place])


def mount_overlay(work, place):
    layers = work / "layers"
    layers.mkdir()
    why = mount_tmpfs(work, layers)
    if why:
        return why
    for name in ("lower", "upper", "work"):
        (layers / name).mkdir()
    options = ",".join(f"{name}dir={layers / name}" for name in ("lower", "upper", "work"))
    return mounted(["mount", "-t", "overlay", "none", "-o", options, place])


def places_in(work):
    """Mount points by the name of their file system; what cannot be mounted is said."""
    places = {}
    for name, mount in (("ext4", mount_ext4), ("tmpfs", mount_tmpfs), ("overlayfs", mount_overlay)):
        place = work / name
        place.mkdir()
        why = mount(work, place)
        if why:
            print(f"no {name}: {why}")
        else:
            places[name] = place
    if not places:
        here = subprocess.run(["stat", "-f", "-c", "%T", work], capture_output=True, text=True, check=True)
        places[here.stdout.strip()] = work
    return places


def give(path, owner):
    os.chown(path, owner, owner, follow_symlinks=False)


class Scene:
    """A directory of the stranger's choice, a name that he exchanges, and what it must not reach."""

    def __init__(self, place, directory, swap, user):
        self.user = user
        self.root = pathlib.Path(tempfile.mkdtemp(dir=place))
        self.root.chmod(0o755)
        self.private = self.root / "private"
        self.private.mkdir(mode=0o700)
        self.victim = self.private / "victim"
        self.victim.write_bytes(PRECIOUS)
        self.victim.chmod(0o600)
        (self.private / "cache").mkdir(mode=0o700)
        (self.private / "cache/readers.tsv").write_bytes(PRECIOUS)  # what cache clear removes
        for path in (self.private, *self.private.rglob("*")):
            give(path, user)
        self.before = self.listing()
        self.shared = self.root / "shared"
        self.shared.mkdir()
        self.open_to_stranger(directory)
        self.bait, self.trap = self.shared / "bait", self.shared / "trap"
        self.written = self.plant(swap)

    def open_to_stranger(self, directory):
        modes = {"sticky": 0o1777, "open": 0o777, "group": 0o775, "access list": 0o755, "his own": 0o755}
        if directory == "his own":
            give(self.shared, STRANGER)
        if directory == "group":
            os.chown(self.shared, 0, STRANGER)
        self.shared.chmod(modes[directory])
        if directory == "access list":
            subprocess.run(["setfacl", "-m", f"u:{STRANGER}:rwx", self.shared], check=True)

    def plant(self, swap):
        if swap == "cache":
            self.bait = self.shared / "cache"
            self.bait.mkdir(mode=0o700)
            self.trap.symlink_to(self.private / "cache")
            give(self.bait, self.user)
            give(self.trap, STRANGER)
            return self.bait
        if swap == "directory":
            self.bait.mkdir()
            self.bait.chmod(0o777)
            self.trap.symlink_to(self.private)
        else:
            self.bait.write_text("bait", encoding="utf-8")
            self.trap.symlink_to(self.victim if swap == "last name" else self.private / "new")
        give(self.bait, STRANGER)
        give(self.trap, STRANGER)
        return self.bait / "victim" if swap == "directory" else self.bait

    def listing(self):
        return sorted(str(path.relative_to(self.private)) for path in self.private.rglob("*"))

    def damage(self):
        """What a run has done that it must not."""
        found = []
        if self.listing() != self.before:
            found.append(f"private has {self.listing()}")
        if self.victim.is_file() and self.victim.read_bytes() != PRECIOUS:
            found.append("the victim was overwritten")
        kept = self.private / "cache/readers.tsv"
        if kept.is_file() and kept.read_bytes() != PRECIOUS:
            found.append("the cache behind the link was overwritten")
        for folder, _, names in os.walk(self.shared):
            found += [f"left {folder}/{name}" for name in names
                      if name.rpartition(".")[0].endswith(("bait", "victim", ".tsv", ".code"))]
        return found

    def keeps(self):
        """Whether a cache was filled where the user wanted it."""
        return any(name.endswith((".tsv", ".code")) for _, _, names in os.walk(self.shared)
                   for name in names)

    def remove(self):
        shutil.rmtree(self.root)


# ---- runs -----------------------------------------------------------------------------------------

def start_swapper(scene):
    """A process of the stranger that exchanges bait and trap until it is killed."""
    pid = os.fork()
    if pid:
        return pid
    os.setgroups([])
    os.setresgid(STRANGER, STRANGER, STRANGER)
    os.setresuid(STRANGER, STRANGER, STRANGER)
    exchange = ctypes.CDLL(None).renameat2
    bait, trap = os.fsencode(scene.bait), os.fsencode(scene.trap)
    while True:
        exchange(AT_FDCWD, bait, AT_FDCWD, trap, RENAME_EXCHANGE)


def command_of(program, words, scene, delay):
    command = [program, *(word.format(scene.written) for word in words)]
    if not delay:
        return command
    slowly, openat2 = delay
    return ["strace", "-qq", "-o", "/dev/null", "-e", f"trace={SLOW_CALLS},openat2",
            "-e", f"inject={SLOW_CALLS}:delay_exit={slowly}", "-e", f"inject=openat2:{openat2}", *command]


def environment_of(scene, fakes):
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8",
                   "ROCMTUNE_CACHE": str(scene.written.parent / "cache")}
    if fakes:
        environment |= {"ROCMTUNE_LIBAMDHIP64": str(fakes / "libamdhip64.so.7"), "FAKE_GPUS": FAKE_GPU}
    return environment


def judge(program, scene, words, delay, fakes):
    """The exit code and what was wrong."""
    swapper = start_swapper(scene)
    try:
        done = subprocess.run(command_of(program, words, scene, delay), capture_output=True, text=True,
                              timeout=60, env=environment_of(scene, fakes), check=False,
                              user=scene.user, group=scene.user, extra_groups=[])
    finally:
        os.kill(swapper, signal.SIGKILL)
        os.waitpid(swapper, 0)
    wrong = scene.damage()
    if scene.user == CACHE_USER:
        if done.returncode != CACHE_CODES[words[0]]:
            wrong.append(f"exit code {done.returncode}: {done.stderr}")
        return done.returncode, wrong
    if done.returncode not in (0, 2):
        wrong.append(f"exit code {done.returncode}: {done.stderr}")
    if done.returncode == 2 and not any(
            text in done.stderr for text in ("cannot write", "is not used", "of this user alone")):
        wrong.append(f"no reason: {done.stderr}")
    return done.returncode, wrong


def can_delay():
    """Whether strace works here; says why not."""
    if not shutil.which("strace"):
        print("no delays: strace is not installed")
        return False
    done = subprocess.run(["strace", "-qq", "-o", "/dev/null", "true"], capture_output=True,
                          text=True, check=False)
    if done.returncode:
        print("no delays:", done.stderr.strip())
    return done.returncode == 0


def programs_for_everybody(arguments, work):
    """Copies of the program and the stand-ins: others cannot reach what was built below /root."""
    program = shutil.copy(arguments.program, work)
    if not arguments.fakes:
        print("no kernels are cached: --fakes names no stand-ins")
        return program, None
    fakes = work / "fakes"
    fakes.mkdir()
    for name in ("libamdhip64.so.7", "libhiprtc.so.7"):
        shutil.copy(pathlib.Path(arguments.fakes) / "rocm-7/lib" / name, fakes)
    return program, fakes


def run_all(arguments, places, program, fakes):
    delays = [(slowly, openat2) for slowly in (200, 1000, 3000)  # microseconds
              for openat2 in (f"delay_exit={slowly}", "error=ENOSYS")] if can_delay() else []
    kinds = [kind for kind in DIRECTORIES if kind != "access list" or shutil.which("setfacl")]
    cache_writers = CACHE_WRITERS if fakes else CACHE_WRITERS[:1]
    names = sorted(places)
    counts = collections.Counter()
    failures = 0
    for number in range(arguments.runs):
        choose = random.Random(f"{arguments.seed}.{number}")
        place = names[number % len(names)]
        is_cache = number % 4 == 3
        kind, swap, words = (choose.choice(kinds), choose.choice(CACHE_SWAPS if is_cache else SWAPS),
                             choose.choice(cache_writers if is_cache else WRITERS))
        delay = choose.choice(delays) if delays and number // len(names) % 2 else None
        if arguments.only is not None and number != arguments.only:
            continue
        scene = Scene(places[place], kind, swap, CACHE_USER if is_cache else 0)
        code, wrong = judge(program, scene, words, delay, fakes)
        counts[place, "refused" if code == 2 else "written"] += not is_cache
        counts[place, "caches filled" if scene.keeps() else "not filled"] += is_cache
        scene.remove()
        if wrong:
            failures += 1
            print(f"run {number} ({place}, {kind}, {swap}, {words[0]} {words[-2]}, {delay}): "
                  + "; ".join(wrong))
    for place in names:
        print(f"{place}: " + ", ".join(f"{counts[place, what]} {what}" for what in (
            "written", "refused", "caches filled", "not filled")))
    if arguments.only is None and not sum(counts[place, "caches filled"] for place in names):
        failures += 1
        print("no cache was filled")
    print(f"{sum(counts.values())} runs, {failures} wrong, seed {arguments.seed}")
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--fakes", help="folder of the stand-ins for GPU libraries, as tests build them")
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--only", type=int)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        work.chmod(0o755)
        places = places_in(work)
        try:
            failures = run_all(arguments, places, *programs_for_everybody(arguments, work))
        finally:
            for mount in (*places.values(), work / "layers"):
                if os.path.ismount(mount):
                    subprocess.run(["umount", mount], check=False)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
