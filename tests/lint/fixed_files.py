#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes files of every kind with settings to mend, lets lint --fix change them, and asks their own tools
whether they are still valid. In each text {d} is a name that nothing reads, {b} has a value that its reader
takes in another way, {r} is right."""

import json
import pathlib
import py_compile
import re
import shutil
import subprocess
import sys

DEAD, BAD, RIGHT = "PYTORCH_ROCM_DEVICE", "HIP_FORCE_DEV_KERNARG", "NCCL_DEBUG"

SHELL = """#!/bin/bash
set -e
export {d}=0
export A=1 {d}=0 B=2
export {b}=True {r}=WARN
if [ -n "$A" ]; then
    export {d}=0
fi
if [ -n "$A" ]; then
    export {d}=0
    export {d}=1
    echo yes
else
    export {d}=0   # why
fi
for i in 1 2; do export {d}=0; done
f() {{
    export {d}=0
}}
g() {{ {d}=0; }}
export {d}=0; echo a
export {d}=0 && echo a
[ -n "$A" ] && export {d}=0
[ -n "$A" ] &&
    export {d}=0
case "$A" in
    1) export {d}=0 ;;
    2)
        export {d}=0
        ;;
esac
export A=1 \\
    {d}=0 \\
    B=2
export A=1 \\
    {d}=0
{d}=0 A=1 true
env {d}=0 true
docker run --rm \\
    -e {d}=0 \\
    -e A=1 \\
    image true
cat > other.sh << 'EOF'
export {d}=0
echo a
EOF
( export {d}=0; echo b )
"""

FILES = {
    "train.sh": SHELL,
    "job.sbatch": SHELL.replace("set -e\n", "#SBATCH -N 1\nset -e\n"),
    "win.sh": "export {d}=0\r\nexport A=1 {b}=True\r\n",
    "end.sh": "A=1\nexport {d}=0",
    "config.fish": "if true\n    set -gx {d} 0\nend\nset -gx {b} True\n",
    "x.csh": "setenv {d} 0\nif (1) then\n    setenv {d} 0\nendif\nsetenv {b} True\n",
    ".env": "A=1\n{d}=0 # why\nexport {b}=\"True\"\n{r}=WARN\n",
    "Dockerfile": """FROM a
ENV {d}=0
ENV A=1 {d}=0 B=2
ENV A=1 \\
    {d}=0 \\
    {b}="True"
ENV {d}=0 \\
    A=1
ENV {d} 0
RUN export {d}=0 && echo a
RUN {d}=0 A=1 true && \\
    echo b
RUN export {d}=0
""",
    "a.service": """[Unit]
Description=a
[Service]
ExecStart=/bin/true
Environment={d}=0
Environment="A=1" "{d}=0" {b}=True
Environment=A=1 \\
    {d}=0
""",
    "mod.tcl": "#%Module\nif {{ 1 }} {{\n    setenv {d} 0\n}}\nsetenv {b} True\n",
    "mod.lua": "if true then\n   setenv(\"{d}\", \"0\")\nend\nsetenv(\"{b}\", \"True\")\n",
    "train.py": """import os
os.environ["{d}"] = "0"
def f(a,
      b):
    os.environ["{d}"] = "0"
class A:
    os.environ.setdefault('{d}', '0')  # why
if os.environ.get("A"):
    os.environ["{b}"] = "True"
else:
    os.environ["{d}"] = '0'
try:
    print()
    os.putenv("{d}", "0")
except OSError:
    pass
""",
    "compose.yaml": """services:
  a:
    image: a
    environment:
      {d}: "0"
      {b}: True
  b:
    image: b
    environment:
      # why
      - {d}=0
  c:
    image: c
    environment:
    - "{d}=0"
    - {b}=True
    - {r}=WARN
""",
    "pod.yaml": """apiVersion: v1
kind: Pod
spec:
  containers:
    - name: a
      env:
        - name: {d}
          value: "0"
        - name: {b}
          value: 'True'
    - name: b
      env:
      - name: {d}
        value: "0"
      command: ["bash", "-c"]
      args:
        - |
          export {d}=0
""",
    "flow.yml": """on: push
env:
  {d}: 0
jobs:
  a:
    runs-on: x
    env:
      {b}: "True"
      {d}: 0
    steps:
      - run: |
          export {d}=0
      - run: |
          echo a
          export {d}=0
      - env:
          {d}: 0
        run: echo a
""",
    "values.yaml": "a:\n  env:\n    - name: {d}\n      value: \"0\"\n  extraEnvVars:\n    {b}: \"True\"\n",
    "shell.nix": "{{\n  environment.variables.{d} = \"0\";\n  x = {{\n    {b} = \"True\";\n    {d} = \"0\";\n  }};\n}}\n",
    "README.md": "# a\n\n```bash\n$ export {d}=0\n$ python x.py\n```\n\n```sh\nexport {b}=True\n```\n",
    "guide.rst": "a\n=\n\n.. code-block:: bash\n\n   export {d}=0\n   python x.py\n",
}


def run(*words, folder, code=(0,)):
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode not in code:
        sys.exit(f"{' '.join(map(str, words))}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def check_yaml(path):
    try:
        import yaml
    except ImportError:
        return
    with open(path, encoding="utf-8") as file:
        tree = yaml.safe_load(file)

    def walk(node):
        if isinstance(node, dict):
            for key, value in node.items():
                if key in ("environment", "env") and value is None:
                    sys.exit(f"{path}: {key} is null")
                walk(value)
        if isinstance(node, list):
            for one in node:
                walk(one)

    walk(tree)


def check(path):
    """Whether its own tool takes the file."""
    name, folder = path.name, path.parent
    tools = {".sh": ["bash", "-n"], ".sbatch": ["bash", "-n"], ".fish": ["fish", "-n"], ".csh": ["csh", "-n"],
             ".service": ["systemd-analyze", "verify"], ".nix": ["nix-instantiate", "--parse"],
             ".lua": ["luac", "-p"]}
    tool = tools.get(path.suffix)
    if tool and shutil.which(tool[0]):
        run(*tool, path, folder=folder)
    if path.suffix == ".py":
        py_compile.compile(str(path), cfile=str(path) + "c", doraise=True)
    if path.suffix in (".yaml", ".yml"):
        check_yaml(path)
    if name == "Dockerfile":
        # Joined lines; each has an instruction with something behind it.
        for line in re.sub(r"\\\n", " ", path.read_text(encoding="utf-8")).splitlines():
            if not re.fullmatch(r"(FROM|RUN) \S.*|ENV( +\w+=(\"[^\"]*\"|\S+))+ *|ENV \w+ \S+", line):
                sys.exit(f"Dockerfile: {line}")


def main():
    program, work = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    for folder in ("fixed", "patched"):
        for name, text in FILES.items():
            path = work / folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(text.format(d=DEAD, b=BAD, r=RIGHT).encode("utf-8"))
    fixed = work / "fixed"
    for name in FILES:
        check(fixed / name)
    names = sorted(FILES)
    report = json.loads(run(program, "lint", "--json", "--fail-on", "never", *names, folder=fixed))
    mendable = sum(bool(finding["changes"]) for finding in report["findings"])
    certain = [finding for finding in report["findings"] if finding["certain"] and finding["verdict"] != "info"]
    print(f"{len(certain)} certain findings, {mendable} of them with a change")
    # As bytes: some of the files end their lines as Windows does.
    diff = subprocess.run([program, "lint", "--diff", *names], cwd=fixed, stdout=subprocess.PIPE, check=False).stdout
    run(program, "lint", "--fix", *names, folder=fixed, code=(0, 1))
    for name in FILES:
        check(fixed / name)
    report = json.loads(run(program, "lint", "--json", "--fail-on", "never", *names, folder=fixed))
    left = [f"{one['file']}:{one['line']} {one['name']}" for one in report["findings"]
            if one["name"] in (DEAD, BAD) and one["certain"]]
    if left:
        sys.exit("found again: " + ", ".join(left))
    before = {name: (fixed / name).read_bytes() for name in FILES}
    run(program, "lint", "--fix", *names, folder=fixed, code=(0, 1))
    if before != {name: (fixed / name).read_bytes() for name in FILES}:
        sys.exit("the second run changed a file")
    if shutil.which("patch"):
        (work / "x.patch").write_bytes(diff)
        run("patch", "--binary", "-p1", "-s", "-i", work / "x.patch", folder=work / "patched")
        for name in FILES:
            if (work / "patched" / name).read_bytes() != before[name]:
                sys.exit(f"{name}: --diff is not what --fix does")


if __name__ == "__main__":
    main()
