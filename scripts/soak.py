#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs probe and check of rocmtune under random faults and judges each run.

A run is a subject (a command over the live host with fake GPU libraries, a recorded host or a tree)
and one or two faults. Its judgements: it ends by its deadline, with one of its exit codes; what it
wrote is one whole document or nothing; what was bad without the fault is not good with it, and
what was there is not silently gone; no process, temporary file or descriptor is left.
A run is made again by its number: --seed SEED --only NUMBER.
"""
import argparse
import collections
import ctypes
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parent.parent
GPUS = ("0000:03:00.0 gfx1100 42 21458059264 1a2b3c4d5e6f7081 Radeon RX 7900 XTX;"
        "0000:83:00.0 gfx90a:sramecc+:xnack- 104 68702699520 0 Instinct MI210")
NOBODY = 65534
PR_SET_CHILD_SUBREAPER = 36
SLACK = 4.0    # seconds beyond --timeout: starting, ending children, printing, on a busy machine
MERCY = 2.0    # seconds for children to be gone after their parent
BAD = ("fail", "warn", "unknown", "timeout")

Subject = collections.namedtuple("Subject", "name words tree live")
Fault = collections.namedtuple("Fault", "name kind change")


def subjects(work):
    """What is run; `tree` is copied for a run that takes parts of it away."""
    made = []
    for host in ("mi210-x8", "mi300x-degraded", "rx7900xt-x2"):
        file = str(SOURCE / "tests/hosts" / host / "host")
        for command in ("probe", "check"):
            made.append(Subject(f"{command} --replay {host}", [command, "--replay", file], None, False))
            made.append(Subject(f"{command} --root {host}", [command], work / "trees" / host, False))
    # Only the live host has libraries, and most of the processes.
    for _ in range(3):
        made.append(Subject("probe", ["probe"], None, True))
        made.append(Subject("check", ["check"], None, True))
    made.append(Subject("probe --watch", ["probe", "--watch", "0.05", "--count", "20"], None, True))
    return made


# ---- processes ------------------------------------------------------------------------------------

def children_of(pid):
    found = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            text = pathlib.Path(f"/proc/{pid}/task/{task}/children").read_text()
            found += [int(word) for word in text.split()]
    except OSError:
        pass
    return found


def descendants_of(pid):
    found = children_of(pid)
    for child in list(found):
        found += descendants_of(child)
    return found


def reap():
    """Ends what the program has left; how many were alive."""
    end = time.monotonic() + MERCY
    while time.monotonic() < end:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                time.sleep(0.005)
        except ChildProcessError:
            return 0
    left = descendants_of(os.getpid())
    for pid in left:
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            pass
    while True:
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return len(left)


def send(pid, number):
    try:
        os.kill(pid, number)
        return True
    except OSError:
        return False


# ---- faults ---------------------------------------------------------------------------------------
# Each is given the run before it starts (`prepare`) or while it lives (`act`), and says in the run
# what it has made uncertain.

def is_about_to_be(pid, parent):
    """A child of vfork that is stopped before exec keeps its parent in the kernel for good, and no
    program can help it: the parent is in state D."""
    end = time.monotonic() + 0.01
    while time.monotonic() < end:
        try:
            if pathlib.Path(f"/proc/{parent}/stat").read_text().rsplit(")", 1)[1].split()[0] != "D":
                return False
        except OSError:
            return False
        time.sleep(0.001)
    send(pid, signal.SIGCONT)
    return True


def at_children(number, every):
    def act(run, process):
        end = time.monotonic() + 0.3
        while time.monotonic() < end and process.poll() is None:
            found = descendants_of(process.pid)
            if found:
                for child in found if every else [run.random.choice(found)]:
                    run.send_child(child, number)
                    if number == signal.SIGSTOP and is_about_to_be(child, process.pid):
                        run.hit = False
                if run.hit:
                    return
            time.sleep(0.0005)
    return act


def at_parent(number):
    def act(run, process):
        run.hit |= send(process.pid, number)
        run.signals.add(number)
    return act


def again_and_again(run, process):
    """Every child that shows up within the run, one after the other."""
    end = time.monotonic() + run.timeout
    while time.monotonic() < end and process.poll() is None:
        for child in descendants_of(process.pid):
            run.send_child(child, signal.SIGKILL)
        time.sleep(0.002)


def vanish(run, _process):
    gone = [path for path in ("sys/class/drm", "sys/class/kfd/kfd/topology/nodes", "sys/module/amdgpu",
                              "sys/bus/pci/devices", "dev/dri") if (run.tree / path).is_dir()]
    gone += sorted((run.tree / "sys/devices").glob("pci*"))
    if not gone:
        return
    shutil.rmtree(run.tree / run.random.choice(gone), ignore_errors=True)
    run.hit = run.truth_changed = True


def odd_files(run):
    """Files of the tree become pipes that nobody writes, directories, endless or unreadable."""
    files = [path for path in (run.tree / "sys").rglob("*") if path.is_file() and not path.is_symlink()]
    for path in run.random.sample(files, min(len(files), 12)):
        path.unlink()
        kind = run.random.choice(("fifo", "directory", "endless", "loop", "none"))
        if kind == "fifo":
            os.mkfifo(path)
        elif kind == "directory":
            path.mkdir()
        elif kind == "endless":
            with open(path, "wb") as file:
                file.truncate(1 << 40)
        elif kind == "loop":
            path.symlink_to(path.name)
    run.hit = run.truth_changed = True


def limited(which, least, most):
    def prepare(run):
        value = run.random.randint(run.least.get(which, least), most)
        run.limits.append((which, (value, value)))
        run.hit = True
    return prepare


def few_processes(run):
    # Of root the kernel does not count them.
    if os.geteuid() != 0:
        return
    run.user = NOBODY
    value = run.random.randint(0, 6)
    run.limits.append((resource.RLIMIT_NPROC, (value, value)))
    run.hit = True


def full_output(run):
    run.out = run.random.choice([place for place in (run.work / "full/report.json", pathlib.Path("/dev/full"))
                                 if place.parent.is_dir()])
    run.full = run.hit = True
    run.stdout = "pipe"


def standard_output(kind):
    def prepare(run):
        run.stdout = kind
        run.out = None
        run.full = False  # of two places for the output the later fault has its way
        run.hit = True
    return prepare


def no_standard_error(run):
    run.closed.append(2)
    run.hit = True


def sick_library(run):
    what = run.random.choice(("sigsegv", "abort", "exit=0", "hang", "stubborn", "stop", "error=1", "garbage",
                              "meddle", "flood", "endless", f"slow={run.random.randint(1, 3000)}"))
    where = run.random.choice(("hipGetDeviceCount", "hsa_init", "rsmi_init", "amdsmi_init", "HIP_load",
                               "hipMemcpy", "hiprtcCompileProgram", "hipMalloc"))
    run.environment["FAKE_FAULT"] = f"{what}@{where}"
    run.detail = f"{what}@{where}"
    run.hit = run.truth_changed = True


def slow_files(run):
    run.environment["LD_PRELOAD"] = str(run.build / "tests/fakes/preload/libslow_read.so")
    run.environment["FAKE_SLOW_FILE"] = run.random.choice(("meminfo", "cpuinfo", "mem_busy_percent", "uevent", "status"))
    run.environment["FAKE_SLOW_MS"] = str(run.random.randint(1, 4000))
    run.hit = True


BEFORE, DURING = "before", "during"
ANY, LIVE, TREE = "any", "live", "tree"
FAULTS = [
    (ANY, Fault("none", BEFORE, lambda run: None)),
    (ANY, Fault("child killed", DURING, at_children(signal.SIGKILL, False))),
    (ANY, Fault("all children killed", DURING, at_children(signal.SIGKILL, True))),
    (ANY, Fault("every child killed at once", DURING, again_and_again)),
    (ANY, Fault("child stopped", DURING, at_children(signal.SIGSTOP, False))),
    (ANY, Fault("all children stopped", DURING, at_children(signal.SIGSTOP, True))),
    (ANY, Fault("child ended", DURING, at_children(signal.SIGTERM, False))),
    (ANY, Fault("SIGINT", DURING, at_parent(signal.SIGINT))),
    (ANY, Fault("SIGTERM", DURING, at_parent(signal.SIGTERM))),
    (ANY, Fault("SIGHUP", DURING, at_parent(signal.SIGHUP))),
    (ANY, Fault("SIGQUIT", DURING, at_parent(signal.SIGQUIT))),
    (ANY, Fault("SIGKILL", DURING, at_parent(signal.SIGKILL))),
    (ANY, Fault("few files", BEFORE, limited(resource.RLIMIT_NOFILE, 4, 24))),
    (ANY, Fault("little memory", BEFORE, limited(resource.RLIMIT_AS, 1 << 24, 1 << 28))),
    (ANY, Fault("small files", BEFORE, limited(resource.RLIMIT_FSIZE, 0, 60000))),
    (ANY, Fault("few processes", BEFORE, few_processes)),
    (ANY, Fault("full disk", BEFORE, full_output)),
    (ANY, Fault("output full", BEFORE, standard_output("full"))),
    (ANY, Fault("output closed", BEFORE, standard_output("closed"))),
    (ANY, Fault("reader gone", BEFORE, standard_output("gone"))),
    (ANY, Fault("errors closed", BEFORE, no_standard_error)),
    (ANY, Fault("slow files", BEFORE, slow_files)),
    *[(LIVE, Fault("sick library", BEFORE, sick_library))] * 3,
    (TREE, Fault("vanishing", DURING, vanish)),
    (TREE, Fault("odd files", BEFORE, odd_files)),
]


# ---- one run --------------------------------------------------------------------------------------

class Run:
    """One start of the program, and all that is known of it."""

    def __init__(self, soak, number):
        self.random = random.Random(soak.options.seed * 1_000_003 + number)
        self.number, self.build, self.least = number, soak.build, soak.least
        self.subject = self.random.choice(soak.subjects)
        fitting = [fault for where, fault in FAULTS
                   if where == ANY or (where == LIVE and self.subject.live) or (where == TREE and self.subject.tree)]
        # Two of one kind that both want the same thing would be one.
        self.faults = list(dict.fromkeys(self.random.sample(fitting, self.random.choice((1, 1, 2)))))
        self.timeout = self.random.choice((1, 2))
        self.work = soak.work
        self.place = soak.work / "run"
        self.environment = soak.environment(self.subject)
        self.limits, self.closed, self.signals = [], [], set()
        self.user, self.detail, self.stdout = None, "", "pipe"
        self.hit = self.truth_changed = self.full = self.child_killed = False
        self.out = self.place / "report.json" if self.random.random() < 0.5 else None
        self.old = self.random.random() < 0.5
        self.tree = None
        self.baseline = soak.baselines[self.subject.name]
        self.fds = []

    def send_child(self, child, number):
        if send(child, number):
            self.hit = True
            self.child_killed |= number == signal.SIGKILL

    def name(self):
        return f"run {self.number}: {self.subject.name}: " + ", ".join(fault.name for fault in self.faults) + \
            (f" ({self.detail})" if self.detail else "")

    def prepare(self):
        shutil.rmtree(self.place, ignore_errors=True)
        self.place.mkdir()
        self.place.chmod(0o777)
        self.tree = self.subject.tree
        if any(fault.change in (vanish, odd_files) for fault in self.faults):
            self.tree = self.work / "tree"
            shutil.rmtree(self.tree, ignore_errors=True)
            subprocess.run(["cp", "-al", str(self.subject.tree), str(self.tree)], check=True)
        for fault in self.faults:
            if fault.kind == BEFORE:
                fault.change(self)
        if self.out and self.out.parent == self.place and self.old:
            self.out.write_text('"old"')
            if self.user:
                os.chown(self.out, self.user, -1)

    def words(self):
        words = self.subject.words + ["--json", "--timeout", str(self.timeout)]
        if self.tree:
            words += ["--root", str(self.tree)]
        if "--watch" in words:
            self.out = None
        return words + (["-o", str(self.out)] if self.out else [])

    def become(self):
        # A shell that starts this in the background ignores some of them for us.
        for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        # Who becomes a user with too many processes may not exec (execve(2), EAGAIN).
        if self.user:
            os.setresuid(self.user, self.user, self.user)
        for which, value in self.limits:
            resource.setrlimit(which, value)
        for number in self.closed:
            os.close(number)

    def start(self, program):
        words = [str(program), *self.words()]
        self.output = open(self.work / "output", "w+b")
        self.errors = open(self.work / "errors", "w+b")
        target = self.output
        if self.stdout == "full":
            target = open("/dev/full", "wb")
        if self.stdout == "closed":
            self.closed.append(1)
        reader = None
        if self.stdout == "gone":
            reader, target = os.pipe()
        self.begin = time.monotonic()
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=target, stderr=self.errors,
                                   env=self.environment, cwd=self.place, preexec_fn=self.become)
        if reader is not None:
            os.close(target)
            os.close(reader)
        return process

    def go(self, program):
        process = self.start(program)
        if any(fault.kind == DURING for fault in self.faults):
            time.sleep(self.random.uniform(0, 1.1 * self.baseline.seconds))
        for fault in self.faults:
            if fault.kind == DURING:
                fault.change(self, process)
        watched = "--watch" in self.subject.words
        bound = self.bound()
        while process.poll() is None and time.monotonic() - self.begin < bound + 20:
            if watched:
                self.count_files(process.pid)
            time.sleep(0.002)
        self.seconds = time.monotonic() - self.begin
        if process.poll() is None:
            process.kill()
        self.code = process.wait()
        self.left = reap()
        self.output.seek(0)
        self.errors.seek(0)
        self.said = self.output.read().decode("utf-8", "replace")
        self.complaint = self.errors.read().decode("utf-8", "replace")

    def count_files(self, pid):
        try:
            self.fds.append(len(os.listdir(f"/proc/{pid}/fd")))
        except OSError:
            pass

    def bound(self):
        """A document of --watch has its time each."""
        looks = 20 if "--watch" in self.subject.words else 1
        return looks * (self.timeout + 0.05) + SLACK


# ---- judgement ------------------------------------------------------------------------------------

def document_of(text):
    try:
        document = json.loads(text)
        return document if isinstance(document, dict) else None
    except ValueError:
        return None


def findings_of(document):
    """The worst verdict of each finding at each subject."""
    worst = {}
    for one in document.get("findings", []):
        key = (one["id"], one["subject"])
        if worst.get(key) not in BAD:
            worst[key] = one["verdict"]
    return worst


def judge_end(run):
    if run.seconds > run.bound():
        yield f"took {run.seconds:.1f} s of {run.bound():.1f}"
    if run.left:
        yield f"{run.left} children are left"
    if run.code < 0 and -run.code not in run.signals:
        yield f"killed by signal {-run.code}"
    if run.code > 5 and not run.not_loaded:
        yield f"exit code {run.code}: {run.complaint[:200]}"
    allowed = {"report.json", "home"}
    left = sorted(path.name for path in run.place.iterdir() if path.name not in allowed)
    if left and signal.SIGKILL not in run.signals:
        yield f"left behind: {left}"
    if len(run.fds) > 20 and max(run.fds[-3:]) > max(run.fds[: len(run.fds) // 2]) + 2:
        yield f"files grow: {run.fds[0]} to {run.fds[-1]}"


def writer_was_lost(run):
    """The process that writes the file was killed after the last byte and before it said so: all is
    written, and the program is right not to believe it. It says so where it has somewhere to say it."""
    said = "report.json: the process that writes it ended early" in run.complaint
    return run.code == 2 and run.out and run.child_killed and (said or 2 in run.closed) and \
        run.document["exit_code"] in (0, 1, 3, 4)


def judge_output(run):
    """The document that counts, in run.document; nothing if there is none."""
    run.document = None
    if run.out and not run.full:
        text = run.out.read_text() if run.out.exists() else ""
        if text not in ("", '"old"'):
            run.document = document_of(text)
            if run.document is None:
                yield f"half a document in the file: {text[:80]!r} ... {text[-40:]!r}"
        if run.code == 0 and run.document is None:
            yield "exit code 0 and no document in the file"
    elif run.stdout == "pipe" and "--watch" not in run.subject.words and run.code >= 0:
        run.document = document_of(run.said)
        small = any(which == resource.RLIMIT_FSIZE for which, _ in run.limits)
        if run.said and run.document is None and not small:
            yield f"half a document on standard output: {run.said[:80]!r}"
        if not run.said and run.code in (0, 1, 3, 4) and not run.out:
            yield f"exit code {run.code} and no document"
    if (run.full or run.stdout in ("full", "closed")) and run.code in (0, 1, 3, 4) and \
            "--watch" not in run.subject.words:
        yield f"exit code {run.code}, and the output could not be written"
    if run.document and run.code >= 0 and run.document["exit_code"] != run.code and not writer_was_lost(run):
        yield f"the document says exit code {run.document['exit_code']}, it was {run.code}"
    if run.document and run.code < 0 and run.document["exit_code"] not in \
            {*range(6), *(128 + number for number in run.signals)}:
        yield f"the document says exit code {run.document['exit_code']}, signal {-run.code} ended it"


def says_why(document):
    """Something could not be read, and the document says so."""
    missing = document.get("summary", {}).get("missing", {})
    return bool(document.get("errors")) or any(missing.get(word) for word in ("failed", "timeout", "denied", "unreached"))


def judge_truth(run):
    now, before = run.document, run.baseline.document
    if not now or not before or "host" not in now:
        return
    gpus, were = len(now["host"].get("gpus", [])), len(before["host"].get("gpus", []))
    if now["exit_code"] == 4 and were and not run.truth_changed:
        yield "there are GPUs, and it says that there is none"
    if gpus < were and not run.truth_changed and not says_why(now):
        yield f"{gpus} of {were} GPUs, and no reason"
    for runtime in now["host"].get("runtimes") or []:
        if runtime["status"] != "ok" and runtime.get("devices") is not None:
            yield f"{runtime['name']} is {runtime['status']} and counts {runtime['devices']} devices"
        if runtime["status"] == "ok" and runtime.get("devices") == 0:
            yield f"{runtime['name']} is ok and counts no devices"
    bad, good = findings_of(before), findings_of(now)
    for key, verdict in good.items():
        if verdict == "pass" and bad.get(key) in BAD and \
                not (run.truth_changed and (key[1] == "host" or gpus < were)):
            yield f"{key} passes, and was {bad[key]}"
    summary = now.get("summary", {})
    if now["command"] == "check" and now["exit_code"] == 0:
        if summary["gpus_judged"] < summary["gpus_to_test"] or (gpus < were and not run.truth_changed):
            yield "exit code 0, and not every GPU was tested"
        if before["exit_code"] != 0 and not run.truth_changed:
            yield f"exit code 0, and it was {before['exit_code']} without the fault"


def judge(run):
    # What the dynamic loader says before there is a program of ours.
    run.not_loaded = run.code == 127 and "shared librar" in run.complaint
    wrong = list(judge_end(run))
    wrong += judge_output(run)
    wrong += judge_truth(run)
    return wrong


# ---- the whole ------------------------------------------------------------------------------------

Baseline = collections.namedtuple("Baseline", "seconds document")


class Soak:
    def __init__(self, options, work):
        self.options, self.work = options, work
        self.build = pathlib.Path(options.build).resolve()
        work.chmod(0o711)
        # A build that goes on meanwhile does not matter.
        self.program = pathlib.Path(shutil.copy2(options.program, work / "rocmtune"))
        self.full = self.mount_small()
        for host in ("mi210-x8", "mi300x-degraded", "rx7900xt-x2"):
            subprocess.run([str(self.build / "tests/unpack_host"), str(SOURCE / "tests/hosts" / host / "host"),
                            str(work / "trees" / host)], check=True, stderr=subprocess.DEVNULL)
        self.subjects = subjects(work)
        self.least = {}
        self.find_least_memory()
        self.baselines = {one.name: self.baseline(one) for one in self.subjects}

    def mount_small(self):
        """A file system of a few pages; /dev/full alone does where none can be mounted."""
        place = self.work / "full"
        place.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8k,mode=777", "tmpfs", str(place)],
                                 capture_output=True).returncode == 0
        if not mounted:
            place.rmdir()
        return place if mounted else None

    def environment(self, subject):
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(self.work / "run/home"), "TMPDIR": str(self.work / "run")}
        if subject.live:
            environment |= {"ROCM_PATH": str(self.build / "tests/fakes/rocm-7"), "FAKE_GPUS": GPUS}
        return environment

    def find_least_memory(self):
        """Below it the dynamic loader fails, which is no test of ours."""
        least, most = 1 << 22, 1 << 30
        while most - least > 1 << 18:
            middle = (least + most) // 2
            done = subprocess.run([str(self.program), "--version"], capture_output=True, check=False,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (middle, middle)))
            least, most = (least, middle) if done.returncode == 0 else (middle, most)
        self.least[resource.RLIMIT_AS] = most

    def baseline(self, subject):
        words = [str(self.program), *subject.words, "--json", "--timeout", "20"]
        if subject.tree:
            words += ["--root", str(subject.tree)]
        (self.work / "run").mkdir(exist_ok=True)
        begin = time.monotonic()
        done = subprocess.run(words, capture_output=True, text=True, check=False, env=self.environment(subject))
        return Baseline(time.monotonic() - begin, document_of(done.stdout))

    def close(self):
        if self.full:
            subprocess.run(["umount", str(self.full)], check=False)

    def go(self, numbers):
        table, outcomes, late, failures, hit = collections.Counter(), collections.Counter(), 0.0, 0, 0
        for number in numbers:
            run = Run(self, number)
            run.prepare()
            run.go(self.program)
            late = max(late, run.seconds - run.bound() + SLACK)
            wrong = judge(run)
            for line in wrong:
                print(f"{run.name()}: {line}", flush=True)
            failures += bool(wrong)
            hit += run.hit
            for fault in run.faults:
                table[fault.name] += 1
            outcomes["not loaded" if run.not_loaded else run.code if run.code >= 0 else signal.Signals(-run.code).name] += 1
        print("faults: " + ", ".join(f"{name} {count}" for name, count in sorted(table.items())))
        print("ended with: " + ", ".join(f"{code}: {count}" for code, count in sorted(outcomes.items(), key=str)))
        print(f"{len(numbers)} runs, seed {self.options.seed}: {failures} judged wrong; in {hit} the fault met something; "
              f"at most {max(late, 0):.2f} s beyond --timeout ({SLACK:.0f} allowed)")
        return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--build", required=True, help="build folder with tests/fakes and tests/unpack_host")
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--first", type=int, default=0, help="number of the first run")
    parser.add_argument("--only", type=int, help="one run, by its number")
    options = parser.parse_args()
    # Whoever outlives the program becomes our child, and is seen.
    if ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        sys.exit("no subreaper: leftover processes could not be seen")
    # Cleans up like after an interrupt, also where a shell in the background has that ignored.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: sys.exit("interrupted"))
    print(f"seed {options.seed}", flush=True)
    numbers = [options.only] if options.only is not None else range(options.first, options.first + options.runs)
    with tempfile.TemporaryDirectory(prefix="rocmtune-soak-") as work:
        soak = Soak(options, pathlib.Path(work))
        try:
            failures = soak.go(numbers)
        finally:
            soak.close()
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
