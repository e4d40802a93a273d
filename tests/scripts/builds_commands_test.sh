#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every line that builds proposes is one that its program takes: pip resolves the lines of pip against
# indexes that are made here of the names, versions and Pythons that the data has, for the newest of these
# Pythons and not for one that has no build; Python's TOML reader and uv's documented keys judge the
# sections of uv, podman and docker parse the lines of containers, sh the others. No document proposes
# `pip install rocmtune`, whose name is nobody's. No network.
set -euo pipefail
python3 -c 'import tomllib, pip._vendor.packaging' 2> /dev/null ||
    { echo "python3 has no tomllib (3.11) or no pip"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for installer in pip uv docker podman apt; do
    for target in gfx900 gfx906 gfx90a gfx942 gfx950 gfx1010 gfx1031 gfx1100 gfx1103 gfx1151 gfx1201; do
        "$ROCMTUNE" builds $target --with $installer --json > "$work/$installer-$target.json"
    done
done
for target in gfx906 gfx1100 gfx1151; do
    "$ROCMTUNE" builds "$target" --json --python 3.12 > "$work/any-$target.json"
    "$ROCMTUNE" builds "$target" --json --python 3.12 --with uv > "$work/uv312-$target.json"
done
python3 - "$work" << 'EOP'
import glob, html, json, os, pathlib, re, shlex, shutil, subprocess, sys, tempfile, tomllib
import zipfile
import pip._internal.cli.main, pip._internal.commands.install
from pip._vendor.packaging.markers import Marker
from pip._vendor.packaging.requirements import Requirement
from pip._vendor.packaging.specifiers import SpecifierSet

work = pathlib.Path(sys.argv[1])
wrong, counts = [], {}
commands = {}  # installer: {command}
pythons = {}  # line of pip: releases of Python that have a build of it
for path in glob.glob(f"{work}/*.json"):
    for build in json.load(open(path))["builds"]:
        if build["command"]:
            commands.setdefault(build["installer"], set()).add(build["command"])
            for line in build["command"].split("\n"):
                line = re.sub(r"gfx[0-9a-f]{3,4}\b", "gfx1100", line)
                pythons.setdefault(line, set()).update(build["python"] or [])


def general(command):
    """Lines that differ in their target only are one line."""
    return re.sub(r"gfx[0-9a-f]{3,4}\b", "gfx1100", command)


# ---- pip: an index for each address, with the versions that the lines ask for ---------------------
def version_for(requirement):
    """A version that the requirement takes, of ROCm where it names one."""
    for spec in requirement.specifier:
        if spec.operator == "==":
            return spec.version.replace("*", "0")
        if spec.operator == ">=":
            return spec.version
    return "1.0"


compiled = {"torch", "torchvision", "torchaudio", "vllm"}  # a wheel for each Python


def add_wheel(index, name, version, extras, tag):
    folder = index / re.sub(r"[-_.]+", "-", name).lower()
    folder.mkdir(parents=True, exist_ok=True)
    plain = re.sub(r"[-_.]+", "_", name)
    file = f"{plain}-{version}-{tag}.whl"
    info = f"{plain}-{version}.dist-info"
    with zipfile.ZipFile(folder / file, "w") as wheel:
        lines = [f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}"]
        lines += [f"Provides-Extra: {extra}" for extra in sorted(extras)]
        wheel.writestr(f"{info}/METADATA", "\n".join(lines) + "\n")
        wheel.writestr(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: {tag}\n")
        wheel.writestr(f"{info}/RECORD", "")
    names = sorted(p.name for p in folder.glob("*.whl"))
    (folder / "index.html").write_text("".join(f'<a href="{html.escape(n)}">{n}</a>' for n in names))


def pip_lines():
    for command in commands["pip"]:
        for line in general(command).split("\n"):
            if line.startswith("python"):
                yield tuple(shlex.split(line)), tuple(sorted(pythons[line], key=lambda p: int(p.split(".")[1])))


flags = {"--index-url", "--extra-index-url", "--find-links"}
lines = sorted(set(pip_lines()))
indexes = {"pypi": work / "pypi"}
for words, releases in lines:
    url = next((words[i + 1] for i, word in enumerate(words) if word in flags), "pypi")
    index = indexes.setdefault(url, work / f"index{len(indexes)}")
    asked = [Requirement(w) for i, w in enumerate(words[4:], 4) if "=" in w or "[" in w or i == len(words) - 1
             if not w.startswith("-") and words[i - 1] not in flags]
    for requirement in asked:
        tags = ["py3-none-any"]
        if requirement.name in compiled and releases:
            tags = [f"cp{r.replace('.', '')}-cp{r.replace('.', '')}-manylinux_2_28_x86_64" for r in releases]
        for tag in tags:
            add_wheel(index, requirement.name, version_for(requirement), requirement.extras, tag)
        # PyPI has the build for another maker under the same version without a label.
        if "+" in version_for(requirement):
            add_wheel(indexes["pypi"], requirement.name, version_for(requirement).split("+")[0], set(), "py3-none-any")
environment = dict(os.environ, PIP_CONFIG_FILE="/dev/null", PIP_DISABLE_PIP_VERSION_CHECK="1", PIP_NO_CACHE_DIR="1",
                   PIP_INDEX_URL=f"file://{indexes['pypi']}")


def pip_run(words):
    """Exit code and what it says on stderr, of a child that has pip loaded: a start takes a second."""
    with tempfile.TemporaryFile("w+") as said:
        child = os.fork()
        if child == 0:
            os.environ.update(environment)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.dup2(said.fileno(), 2)
            os._exit(pip._internal.cli.main.main(words))
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        said.seek(0)
        return code, said.read()


def asked_of_pip(words, python):
    """As the line stands, for another Python than the one that runs this."""
    replaced = [f"file://{indexes[w]}" if w in indexes else w for w in words]
    options = ["-q", "--dry-run", "--ignore-installed", "--no-deps", "--report", str(work / "report.json"),
               "--target", str(work / "target"), "--only-binary=:all:", "--implementation", "cp",
               "--python-version", python, "--platform", "manylinux_2_28_x86_64"]
    return pip_run(replaced[3:4] + options + replaced[4:])


refused = 0
for words, releases in lines:
    code, said = asked_of_pip(words, releases[-1] if releases else "3.12")
    if code:
        wrong.append(f"pip refuses {shlex.join(words)}: {said[-300:]}")
        continue
    is_compiled = any(re.split(r"[\[=<>]", word)[0] in compiled for word in words[4:])
    if is_compiled and releases and refused < 10:
        refused += 1
        if not asked_of_pip(words, "3.7")[0]:
            wrong.append(f"pip finds a wheel for Python 3.7: {shlex.join(words)}")
    got = {r["metadata"]["name"]: r["metadata"]["version"] for r in json.load(open(work / "report.json"))["install"]}
    for word in words[4:]:
        if "==" in word and "+" in word:
            name = Requirement(word).name
            if got.get(name) not in (None, word.split("==")[1]):
                wrong.append(f"pip takes {name} {got[name]} for {word}")
    if not any(w in words for w in flags) and any(w.startswith("torch") for w in words):
        wrong.append(f"torch from PyPI is for another maker: {shlex.join(words)}")
counts["lines of pip"] = len(lines)
counts["of them refused for a Python without build"] = refused

# ---- uv: the keys of https://docs.astral.sh/uv/reference/settings ---------------------------------
for command in commands["uv"]:
    try:
        document = tomllib.loads(command)
    except tomllib.TOMLDecodeError as error:
        wrong.append(f"no TOML: {error}: {command}")
        continue
    uv = document["tool"]["uv"]
    names = {index["name"] for index in uv.get("index", [])}
    bad = set(document) - {"dependency-groups", "tool"} | set(uv) - {"environments", "prerelease", "index", "sources"}
    for index in uv.get("index", []):
        bad |= set(index) - {"name", "url", "format", "default", "explicit"}
        if not re.fullmatch(r"[A-Za-z0-9._-]+", index["name"]) or not index["url"].startswith("https://"):
            bad.add(str(index))
    asked = [Requirement(text) for text in document["dependency-groups"]["rocm"]]
    for name, source in uv.get("sources", {}).items():
        if set(source) != {"index"} or source["index"] not in names or name not in {r.name for r in asked}:
            bad.add(f"source of {name}")
    for marker in uv["environments"]:
        Marker(marker)
    if uv.get("prerelease", "allow") not in ("disallow", "allow", "if-necessary", "explicit",
                                             "if-necessary-or-explicit"):
        bad.add("prerelease")
    if bad or not asked:
        wrong.append(f"uv: {bad}: {command}")
counts["sections of uv"] = len(commands["uv"])

# ---- containers, and shells -----------------------------------------------------------------------
for program in ("podman", "docker"):
    if not shutil.which(program):
        print(f"{program} is not installed: its lines are not parsed")
        continue
    # A line for each form: names of images differ, which no option asks for.
    for command in {re.sub(r"\S+/\S+:\S+", "", line): line for line in sorted(commands[program])}.values():
        # An image that does not exist: nothing is pulled, and the options were understood before that.
        words = shlex.split(command)
        if program == "podman":
            words.insert(2, "--pull=never")
        done = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)
        if re.search(r"unknown (shorthand )?flag|invalid argument|Usage:", done.stderr):
            wrong.append(f"{program} does not understand {command}: {done.stderr[:300]}")
    counts[f"lines of {program}"] = len(commands[program])
for installer in ("apt", "shell", "pip", "docker"):
    for command in commands.get(installer, []):
        done = subprocess.run(["sh", "-n", "-c", command], capture_output=True, text=True)
        if done.returncode:
            wrong.append(f"sh refuses {command}: {done.stderr}")
# ---- documents ------------------------------------------------------------------------------------
source = pathlib.Path(os.environ["ROCMTUNE_SOURCE"])
documents = [p for kind in ("*.md", "*.1", "*.5", "*.txt", "*.json", "*.yaml", "*.yml", "*.sh")
             for folder in ("", "man/", "contrib/**/", "profiles/", "debian/", ".github/**/")
             for p in source.glob(folder + kind)]
for path in documents:
    if match := re.search(r"\b(?:pip3?|pipx|uv(?:x| tool| pip| add)?)\s+(?:install\s+)?rocmtune\b", path.read_text(errors="replace")):
        wrong.append(f"{path.relative_to(source)} proposes '{match[0]}', a name that is nobody's")
counts["documents"] = len(documents)
print("\n".join(wrong) or ", ".join(f"{number} {what}" for what, number in counts.items()))
sys.exit(bool(wrong) or counts["lines of pip"] < 20 or counts["sections of uv"] < 50 or counts["documents"] < 20
         or refused < 5)
EOP
