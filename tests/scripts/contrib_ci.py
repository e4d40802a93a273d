# SPDX-License-Identifier: MIT
"""Runs what contrib/ has for GitHub, GitLab and pre-commit as those do, from the files themselves.

    contrib_ci.py CONTRIB ARCHIVE WORK
"""
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys

import yaml

contrib, archive, work = map(pathlib.Path, sys.argv[1:])
VERSION = re.fullmatch(r"rocmtune-(.*)-linux-x86_64\.tar\.xz", archive.name).group(1)
SUM = hashlib.sha256(archive.read_bytes()).hexdigest()
RELEASES = archive.parent.as_uri()
MI300X = contrib.parent / "tests/hosts/mi300x-x8/host"
DEGRADED = contrib.parent / "tests/hosts/mi300x-degraded/host"
# Nothing of ours is on this PATH.
BARE = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(work / "home"), "LC_ALL": "C.UTF-8"}
assert shutil.which("rocmtune", path=BARE["PATH"]) is None, "rocmtune is installed"


def workspace(name, text):
    folder = work / name
    folder.mkdir()
    (folder / "train.sh").write_text(text)
    return folder


def bash(script, folder, variables, options=("--noprofile", "--norc", "-eo", "pipefail")):
    return subprocess.run(["bash", *options, "-c", script], cwd=folder, env={**BARE, **variables},
                          capture_output=True, text=True)


class Action:
    """A composite action: the part of GitHub's runner that this one needs."""

    def __init__(self, path):
        self.action = yaml.safe_load(path.read_text())
        assert self.action["runs"]["using"] == "composite"
        for name, one in self.action["inputs"].items():
            assert one["description"] and one.get("required", False) != ("default" in one), name

    def run(self, folder, **given):
        needed = {name for name, one in self.action["inputs"].items() if one.get("required")}
        assert needed <= set(given) <= set(self.action["inputs"])
        self.inputs = {name: one.get("default") for name, one in self.action["inputs"].items()} | given
        files = {name: folder.parent / f"{folder.name}.{name}" for name in ("path", "summary")}
        for file in files.values():
            file.write_text("")
        failed, said, used = False, "", []
        for step in self.action["runs"]["steps"]:
            if not self.holds(step.get("if", "true"), folder, failed):
                continue
            if "uses" in step:
                used.append((step["uses"], step["with"]))
                continue
            assert step["shell"] == "bash" and "${{" not in step["run"], step
            variables = {name: self.filled(value) for name, value in step.get("env", {}).items()}
            variables |= {"GITHUB_PATH": str(files["path"]), "GITHUB_STEP_SUMMARY": str(files["summary"]),
                          "RUNNER_TEMP": str(folder.parent / f"{folder.name}.temp"),
                          "PATH": ":".join([*reversed(files["path"].read_text().split("\n")[:-1]), BARE["PATH"]])}
            pathlib.Path(variables["RUNNER_TEMP"]).mkdir(exist_ok=True)
            done = bash(step["run"], folder, variables)
            said += done.stdout + done.stderr
            failed = failed or done.returncode != 0
        return failed, said, used, files["summary"].read_text()

    def filled(self, value):
        return re.sub(r"\$\{\{ inputs\.([a-z0-9-]+) \}\}", lambda found: self.inputs[found[1]], value)

    def holds(self, condition, folder, failed):
        """Comparisons that are joined by &&. Without always() a failed step ends the job."""
        terms = [term.strip() for term in condition.split("&&")]
        return ("always()" in terms or not failed) and all(self.term(term, folder) for term in terms)

    def term(self, term, folder):
        if term in ("true", "always()"):
            return True
        if found := re.fullmatch(r"inputs\.([a-z0-9-]+) == '(.*)'", term):
            return self.inputs[found[1]] == found[2]
        found = re.fullmatch(r"hashFiles\('(.*)'\) != ''", term)
        return bool(found) and (folder / found[1]).exists()


def github():
    action = Action(contrib / "github/action.yml")
    release = {"releases": RELEASES, "version": VERSION, "sha256": SUM}

    dirty = workspace("dirty", "export PYTORCH_ROCM_DEVICE=0\n")
    failed, said, used, _ = action.run(dirty, arguments="--fail-on warn", **release)
    assert failed and "::warning file=" in said and "PYTORCH_ROCM_DEVICE" in said, said
    assert used == [("github/codeql-action/upload-sarif@v3", {"sarif_file": "rocmtune.sarif"})], used
    assert (dirty / "rocmtune.sarif").stat().st_size > 0
    failed, said, used, _ = action.run(workspace("kept", "export PYTORCH_ROCM_DEVICE=0\n"), **release, **{"upload-sarif": "false"})
    assert not failed and not used, said
    failed, said, *_ = action.run(workspace("clean", "echo\n"), arguments="--fail-on warn", **release)
    assert not failed, said

    # Inputs are words, and no part of a script.
    hostile = workspace("hostile", "echo\n")
    action.run(hostile, paths="; touch pwned $(touch pwned)", **release)
    assert not list(hostile.glob("pwned*"))

    # Another archive than the one that was meant is not unpacked.
    wrong = workspace("wrong", "echo\n")
    failed, said, used, _ = action.run(wrong, **{**release, "sha256": "0" * 64})
    assert failed and "rocmtune lint" not in said and not used and "FAILED" in said, said
    assert not list((work / "wrong.temp").glob("rocmtune-*/bin")), "unpacked"

    for host, expected in ((MI300X, False), (DEGRADED, True)):
        folder = workspace(f"check-{host.parent.name}", "")
        failed, said, used, summary = action.run(folder, command="check", arguments=f"--replay {host}", **release)
        assert failed == expected and not used, said
        assert (folder / "rocmtune.xml").exists() and "GPUs judged" in summary, summary

    # The workflows name this action with inputs that it has.
    for name, command in (("rocm-lint.yml", "lint"), ("rocm-check.yml", "check")):
        workflow = yaml.safe_load((contrib / "github" / name).read_text())
        [step] = [step for job in workflow["jobs"].values() for step in job["steps"]
                  if step["uses"] == "OWNER/rocmtune/contrib/github@TAG"]
        assert set(step["with"]) <= set(action.inputs) and step["with"].get("command", "lint") == command


def gitlab():
    jobs = yaml.safe_load((contrib / "gitlab/rocmtune.gitlab-ci.yml").read_text())
    release = {"ROCMTUNE_RELEASES": RELEASES, "ROCMTUNE_VERSION": VERSION, "ROCMTUNE_SHA256": SUM}

    def run(name, folder, shell=("bash", "-eo", "pipefail", "-c"), **variables):
        job = {**jobs[jobs[name]["extends"]], **jobs[name]}
        script = "\n".join(job["before_script"] + job["script"])
        return subprocess.run([*shell, script], cwd=folder, env={**BARE, **release, **variables},
                              capture_output=True, text=True), job

    for shell in (("bash", "-eo", "pipefail", "-c"), ("sh", "-ec")):
        folder = workspace(f"gitlab-{shell[0]}", "export PYTORCH_ROCM_DEVICE=0\n")
        done, job = run("rocm-settings", folder, shell)
        assert done.returncode == 1 and "PYTORCH_ROCM_DEVICE" in done.stdout, done
        assert all((folder / path).exists() for path in job["artifacts"]["paths"])
    folder = workspace("gitlab-clean", "echo\n")
    done, _ = run("rocm-settings", folder)
    assert done.returncode == 0, done
    done, _ = run("rocm-settings", folder, ROCMTUNE_SHA256="0" * 64)
    assert done.returncode != 0 and "setting" not in done.stdout, done
    # There is no GPU here: 4, and the report says so.
    done, job = run("rocm-gpus", folder)
    assert done.returncode in (1, 3, 4), done
    assert (folder / job["artifacts"]["reports"]["junit"]).exists()
    assert jobs["rocm-gpus"]["rules"] == [{"if": "$ROCMTUNE_GPU_TAG"}]


def pre_commit():
    if not shutil.which("pre-commit", path=BARE["PATH"]):
        print("  pre-commit is not installed: hooks not run by it")
        return
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"]
    ours = work / "ours"
    (ours / "contrib/pre-commit").mkdir(parents=True)
    shutil.copy(contrib.parent / ".pre-commit-hooks.yaml", ours)
    shutil.copy(contrib / "pre-commit/rocmtune-lint", ours / "contrib/pre-commit")
    theirs = workspace("theirs", "export PYTORCH_ROCM_DEVICE=0\n")

    def call(*words, folder):
        return subprocess.run(words, cwd=folder, capture_output=True, text=True,
                              env={**BARE, "PRE_COMMIT_HOME": str(work / "hooks"), "GIT_CONFIG_GLOBAL": "/dev/null"})

    def done(*words, folder):
        result = call(*words, folder=folder)
        assert result.returncode == 0, result

    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "hooks"], ["tag", "v1"]):
        done(*git, *words, folder=ours)
    done(*git, "clone", "-q", "--bare", str(ours), str(work / "bare.git"), folder=work)
    done(*git, "init", "-q", folder=theirs)

    def hook(checksum):
        arguments = [f"--release={RELEASES}/{archive.name}", f"--sha256={checksum}", "--fail-on=warn"]
        (theirs / ".pre-commit-config.yaml").write_text(yaml.safe_dump({"repos": [{
            "repo": (work / "bare.git").as_uri(), "rev": "v1", "hooks": [{"id": "rocmtune-lint", "args": arguments}]}]}))
        done(*git, "add", ".", folder=theirs)
        return call("pre-commit", "run", "--all-files", folder=theirs)

    result = hook("0" * 64)
    assert result.returncode == 1 and "has another checksum" in result.stdout, result
    assert not list((work / "home/.cache/rocmtune-releases").iterdir()), "something of it is kept"
    result = hook(SUM)
    assert result.returncode == 1 and "PYTORCH_ROCM_DEVICE" in result.stdout, result
    (theirs / "train.sh").write_text("echo\n")
    # Now from the cache.
    kept = archive.rename(work / "away")
    result = hook(SUM)
    kept.rename(archive)
    assert result.returncode == 0 and "Passed" in result.stdout, result


(work / "home").mkdir()
github()
gitlab()
pre_commit()
