#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does `rocmtune tune` name real settings whose direction is known? Each experiment runs several times.

    bench/self/tuned_settings.py PROGRAM [--runs N] [--only NAME,...]

PROGRAM is rocmtune. Needs a C++ compiler with OpenMP; experiments that need numpy, numactl, nvcc and a
GPU, or PyTorch are left out without them, and that is said. One line an experiment: how often the answer
was the expected one, and each answer that was another.
"""
import argparse
import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
EIGEN = ("import numpy as n, time; a = n.random.default_rng(1).random((100, 100)); a = a + a.T; "
         "n.linalg.eigh(a); t = time.time(); [n.linalg.eigh(a) for _ in range(60)]; "
         "print('eigen', 60 / (time.time() - t), 'solves/s')")
PRODUCT = ("import numpy as n, time; a = n.random.default_rng(1).random((1500, 1500)); "
           "a @ a; t = time.time(); [a @ a for _ in range(4)]; "
           "print('product', 4 / (time.time() - t), 'products/s')")
TF32 = ("import torch, time; torch.manual_seed(1); a = torch.randn(4096, 4096, device='cuda'); b = a @ a; "
        "torch.cuda.synchronize(); t = time.time(); [a @ a for _ in range(50)]; torch.cuda.synchronize(); "
        "print('products', 50 / (time.time() - t), 'products/s'); "
        "print('sum', ' '.join(f'{float(x):.9e}' for x in b[0, :8]), file=open('products.txt', 'w'))")
START = "import torch; a = torch.ones(64, 64, device='cuda'); print(float((a @ a).sum()))"

Experiment = collections.namedtuple(
    "Experiment", "name needs command options environment answer verdicts", defaults=({}, "nothing", {}))


def experiments():
    program = ["./real_programs"]
    python = [sys.executable, "-c"]
    return [
        Experiment("MALLOC_ARENA_MAX", "", program + ["arenas"],
                   ["--metric", "arenas", "--setting", "MALLOC_ARENA_MAX=1,16"], {"MALLOC_ARENA_MAX": "1"},
                   "winner", {"MALLOC_ARENA_MAX=16": "winner"}),
        Experiment("MALLOC_ARENA_MAX, the other way", "", program + ["arenas"],
                   ["--metric", "arenas", "--setting", "MALLOC_ARENA_MAX=1"], {}, "nothing",
                   {"MALLOC_ARENA_MAX=1": "slower"}),
        Experiment("OMP_PROC_BIND", "", program + ["places"],
                   ["--metric", "places", "--setting", "OMP_PROC_BIND=master,spread"],
                   {"OMP_PROC_BIND": "master", "OMP_PLACES": "cores"}, "winner",
                   {"OMP_PROC_BIND=spread": "winner"}),
        Experiment("OMP_PROC_BIND, the other way", "", program + ["places"],
                   ["--metric", "places", "--setting", "OMP_PROC_BIND=master"],
                   {"OMP_PROC_BIND": "spread", "OMP_PLACES": "cores"}, "nothing",
                   {"OMP_PROC_BIND=master": "slower"}),
        Experiment("OPENBLAS_NUM_THREADS, small matrices", "numpy", python + [EIGEN],
                   ["--metric", "eigen", "--setting", "OPENBLAS_NUM_THREADS=1"], {}, "winner",
                   {"OPENBLAS_NUM_THREADS=1": "winner"}),
        Experiment("OPENBLAS_NUM_THREADS, large ones", "numpy", python + [PRODUCT],
                   ["--metric", "product", "--setting", "OPENBLAS_NUM_THREADS=1"], {}, "nothing",
                   {"OPENBLAS_NUM_THREADS=1": "slower"}),
        Experiment("numactl, one processor", "numactl", program + ["places"],
                   ["--metric", "places", "--launch", "numactl --physcpubind=0",
                    "--launch", "numactl --localalloc"], {}, "nothing",
                   {"launch:=numactl --physcpubind=0": "slower"}),
        Experiment("5 % planted", "", program + ["planted"],
                   ["--metric", "planted", "--better", "lower", "--setting", "PLANTED=1",
                    "--setting", "OTHER=1,2", "--assume-read", "PLANTED", "--assume-read", "OTHER"], {},
                   "winner", {"PLANTED=1": "winner"}),
        Experiment("nothing planted", "", program + ["planted"],
                   ["--metric", "planted", "--better", "lower", "--setting", "OTHER=1,2,3",
                    "--assume-read", "OTHER"], {}, "nothing"),
        Experiment("CUDA_DEVICE_MAX_CONNECTIONS", "cuda", ["./streams"],
                   ["--metric", "streams", "--setting", "CUDA_DEVICE_MAX_CONNECTIONS=1,32"], {}, "winner",
                   {"CUDA_DEVICE_MAX_CONNECTIONS=32": "winner", "CUDA_DEVICE_MAX_CONNECTIONS=1": "slower"}),
        Experiment("CUDA_MODULE_LOADING", "torch", python + [START],
                   ["--setting", "CUDA_MODULE_LOADING=EAGER"], {}, "nothing",
                   {"CUDA_MODULE_LOADING=EAGER": "slower"}),
        Experiment("TF32, results not compared", "torch", python + [TF32],
                   ["--metric", "products", "--setting", "TORCH_ALLOW_TF32_CUBLAS_OVERRIDE=1"], {}, "winner",
                   {"TORCH_ALLOW_TF32_CUBLAS_OVERRIDE=1": "winner"}),
        Experiment("TF32, results compared", "torch", python + [TF32],
                   ["--metric", "products", "--setting", "TORCH_ALLOW_TF32_CUBLAS_OVERRIDE=1",
                    "--check-file", "products.txt", "--tolerance", "1e-5"], {}, "nothing",
                   {"TORCH_ALLOW_TF32_CUBLAS_OVERRIDE=1": "wrong-result"}),
    ]


def can_import(module):
    return subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True).returncode == 0


def build(folder):
    subprocess.run(["c++", "-O2", "-fopenmp", "-pthread", "-o", folder / "real_programs",
                    HERE / "real_programs.cpp"], check=True)
    there = {""}
    if shutil.which("nvcc") and shutil.which("nvidia-smi"):
        subprocess.run(["nvcc", "-O2", "-o", folder / "streams", HERE / "streams.cu"], check=True)
        there.add("cuda")
    there |= {module for module in ("numpy", "torch") if can_import(module)}
    return there | ({"numactl"} if shutil.which("numactl") else set())


def tune(program, it, folder, budget):
    environment = {**os.environ, **it.environment, "XDG_CACHE_HOME": str(folder / "cache")}
    outcome = subprocess.run(
        [program, "tune", "--json", "--quiet", "--budget", str(budget), *it.options, "--", *it.command],
        cwd=folder, env=environment, capture_output=True, text=True)
    try:
        return json.loads(outcome.stdout)["tuning"]
    except (ValueError, KeyError):
        return {"answer": f"exit code {outcome.returncode}", "reason": outcome.stderr[-300:]}


def verdicts_of(tuning):
    return {f"{name}={value}": one["verdict"]
            for one in tuning.get("candidates", []) + tuning.get("left_out", [])
            for name, value in one["settings"].items()}


def say(it, tuning):
    winner = tuning.get("winner") or {}
    effect = f" {100 * winner['effect']:+.1f} %" if winner.get("effect") is not None else ""
    return (f"{tuning['answer']}{effect} after {tuning.get('runs')} runs, {tuning.get('seconds', 0):.0f} s; "
            f"{verdicts_of(tuning)} {tuning.get('reason') or ''}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--budget", type=float, default=60)
    parser.add_argument("--only", default="")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp())
    there = build(folder)
    program = os.path.abspath(options.program)
    for it in experiments():
        if options.only and not any(word in it.name for word in options.only.split(",")):
            continue
        if it.needs not in there:
            print(f"{it.name}: left out, {it.needs} is not here", flush=True)
            continue
        right, runs, effects, others = 0, 0, [], []
        for _ in range(options.runs):
            tuning = tune(program, it, folder, options.budget)
            verdicts = verdicts_of(tuning)
            if tuning["answer"] == it.answer and all(verdicts.get(k) == v for k, v in it.verdicts.items()):
                right += 1
            else:
                others.append(say(it, tuning))
            if options.verbose:
                print("    " + say(it, tuning), flush=True)
            runs += tuning.get("runs", 0)
            if tuning.get("winner"):
                effects.append(tuning["winner"]["effect"])
        middle = f", {100 * sorted(effects)[len(effects) // 2]:+.1f} %" if effects else ""
        print(f"{it.name}: {right} of {options.runs} {it.answer}{middle}, {runs / options.runs:.0f} runs each",
              flush=True)
        for text in others:
            print(f"    otherwise: {text}", flush=True)
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
