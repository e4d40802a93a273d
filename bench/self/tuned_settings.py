#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does `rocmtune tune` name real settings whose direction is known? Each experiment runs several times.

    bench/self/tuned_settings.py PROGRAM [--runs N] [--only NAME]...

PROGRAM is rocmtune. Needs a C++ compiler with OpenMP; experiments that need numpy, numactl, PyTorch, nvcc and a
GPU, or LLAMA_SERVER (the program) with LLAMA_MODEL (a file, see made_up_model.py), are left out without them, and
that is said. One line an experiment: how often the answer was the
expected one, and each answer that was another.
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
PRODUCT = ("import numpy as n, time; a = n.random.default_rng(1).random((1500, 1500)); "
           "a @ a; t = time.time(); [a @ a for _ in range(5)]; "
           "print('product', 5 / (time.time() - t), 'products/s')")
PORT = 18091
LOAD = """import json, time, urllib.request
def ask(tokens):
    body = {"prompt": "Once", "n_predict": tokens, "ignore_eos": True, "temperature": 0, "cache_prompt": False}
    urllib.request.urlopen("http://127.0.0.1:PORT/completion", json.dumps(body).encode()).read()
ask(16)
start = time.time()
ask(300)
print("tokens/s:", 300 / (time.time() - start))
""".replace("PORT", str(PORT))

# answers: of `nothing` also that it was not decided is right, as long as nothing wins.
WINNER, NOTHING = {"winner"}, {"nothing", "not-decided"}
WORSE = {"slower", "not-better", "not-decided"}
Experiment = collections.namedtuple(
    "Experiment", "name needs command options environment answers verdicts", defaults=({}, NOTHING, {}))


def experiments():
    program = ["./real_programs"]
    python = [sys.executable, "-c"]
    trusted = ["--assume-read", "PLANTED", "--assume-read", "OTHER"]
    server = [os.environ.get("LLAMA_SERVER", ""), "-m", os.environ.get("LLAMA_MODEL", ""), "-ngl", "99",
              "-c", "1024", "--port", str(PORT)]
    served = ["--ready", "starting the main loop", "--load", f"{sys.executable} load.py", "--metric", "tokens/s",
              "--assume-read", "GGML_CUDA_DISABLE_GRAPHS", "--assume-read", "CUDA_LAUNCH_BLOCKING"]
    no_graphs = {"GGML_CUDA_DISABLE_GRAPHS": "1"}
    return [
        Experiment("MALLOC_ARENA_MAX", "", program + ["arenas"],
                   ["--metric", "arenas", "--setting", "MALLOC_ARENA_MAX=16"], {"MALLOC_ARENA_MAX": "1"},
                   WINNER, {"MALLOC_ARENA_MAX=16": {"winner"}}),
        Experiment("MALLOC_ARENA_MAX, the other way", "", program + ["arenas"],
                   ["--metric", "arenas", "--setting", "MALLOC_ARENA_MAX=1"], {}, NOTHING,
                   {"MALLOC_ARENA_MAX=1": WORSE}),
        Experiment("OMP_PROC_BIND", "", program + ["places"],
                   ["--metric", "places", "--setting", "OMP_PROC_BIND=spread"],
                   {"OMP_PROC_BIND": "master", "OMP_PLACES": "cores"}, WINNER,
                   {"OMP_PROC_BIND=spread": {"winner"}}),
        Experiment("OMP_PROC_BIND, the other way", "", program + ["places"],
                   ["--metric", "places", "--setting", "OMP_PROC_BIND=master"],
                   {"OMP_PROC_BIND": "spread", "OMP_PLACES": "cores"}, NOTHING,
                   {"OMP_PROC_BIND=master": WORSE}),
        Experiment("OPENBLAS_NUM_THREADS, large ones", "numpy", python + [PRODUCT],
                   ["--metric", "product", "--setting", "OPENBLAS_NUM_THREADS=4"],
                   {"OPENBLAS_NUM_THREADS": "1"}, WINNER, {"OPENBLAS_NUM_THREADS=4": {"winner"}}),
        Experiment("OPENBLAS_NUM_THREADS, the other way", "numpy", python + [PRODUCT],
                   ["--metric", "product", "--setting", "OPENBLAS_NUM_THREADS=1"],
                   {"OPENBLAS_NUM_THREADS": "4"}, NOTHING, {"OPENBLAS_NUM_THREADS=1": WORSE}),
        Experiment("torchrun, two ranks", "torch",
                   [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2",
                    "--no-python", *program, "arenas"],
                   ["--metric", "arenas", "--setting", "MALLOC_ARENA_MAX=16"], {"MALLOC_ARENA_MAX": "1"}, WINNER,
                   {"MALLOC_ARENA_MAX=16": {"winner"}}),
        Experiment("llama-server, launches that wait", "llama", server,
                   [*served, "--setting", "CUDA_LAUNCH_BLOCKING=0"], {**no_graphs, "CUDA_LAUNCH_BLOCKING": "1"},
                   WINNER, {"CUDA_LAUNCH_BLOCKING=0": {"winner"}}),
        Experiment("llama-server, without graphs", "llama", server,
                   [*served, "--setting", "GGML_CUDA_DISABLE_GRAPHS=1"], {}, NOTHING,
                   {"GGML_CUDA_DISABLE_GRAPHS=1": WORSE}),
        Experiment("llama-server, queues of streams", "llama", server,
                   [*served, "--setting", "CUDA_DEVICE_MAX_CONNECTIONS=1,32"], {}, NOTHING),
        Experiment("numactl, one processor", "numactl", program + ["places"],
                   ["--metric", "places", "--launch", "numactl --physcpubind=0"], {}, NOTHING,
                   {"launch:=numactl --physcpubind=0": WORSE}),
        Experiment("5 % planted", "", program + ["planted"],
                   ["--metric", "planted", "--better", "lower", "--setting", "PLANTED=1",
                    "--setting", "OTHER=1,2", *trusted], {}, WINNER, {"PLANTED=1": {"winner"}}),
        Experiment("nothing planted", "", program + ["planted"],
                   ["--metric", "planted", "--better", "lower", "--setting", "OTHER=1,2,3", *trusted]),
        Experiment("CUDA_DEVICE_MAX_CONNECTIONS", "cuda", ["./streams"],
                   ["--metric", "streams", "--setting", "CUDA_DEVICE_MAX_CONNECTIONS=1,32"], {}, WINNER,
                   {"CUDA_DEVICE_MAX_CONNECTIONS=32": {"winner"}, "CUDA_DEVICE_MAX_CONNECTIONS=1": WORSE}),
        Experiment("CUDA_MODULE_LOADING", "cuda", ["./products"],
                   ["--setting", "CUDA_MODULE_LOADING=EAGER"], {}, NOTHING,
                   {"CUDA_MODULE_LOADING=EAGER": WORSE}),
        Experiment("TF32, results not compared", "cuda", ["./products"],
                   ["--metric", "products", "--setting", "NVIDIA_TF32_OVERRIDE=1"], {}, WINNER,
                   {"NVIDIA_TF32_OVERRIDE=1": {"winner"}}),
        Experiment("TF32, results compared", "cuda", ["./products"],
                   ["--metric", "products", "--setting", "NVIDIA_TF32_OVERRIDE=1",
                    "--check-file", "products.txt", "--tolerance", "0.001"], {}, NOTHING,
                   {"NVIDIA_TF32_OVERRIDE=1": {"wrong-result"}}),
    ]


def can_import(module):
    return subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True).returncode == 0


def build(folder):
    subprocess.run(["c++", "-O2", "-fopenmp", "-pthread", "-o", folder / "real_programs",
                    HERE / "real_programs.cpp"], check=True)
    there = {""}
    if shutil.which("nvcc") and shutil.which("nvidia-smi"):
        for name in ("streams", "products"):
            subprocess.run(["nvcc", "-O2", "-std=c++17", "-o", folder / name, HERE / f"{name}.cu", "-lcublas"],
                           check=True)
        there.add("cuda")
    (folder / "load.py").write_text(LOAD)
    there |= {module for module in ("numpy", "torch") if can_import(module)}
    there |= {"llama"} if os.environ.get("LLAMA_SERVER") and os.environ.get("LLAMA_MODEL") else set()
    return there | ({"numactl"} if shutil.which("numactl") else set())


def tune(program, it, folder, budget):
    environment = {**os.environ, **it.environment, "XDG_CACHE_HOME": str(folder / "cache")}
    outcome = subprocess.run(
        [program, "tune", "--json", "--budget", str(budget), *it.options, "--", *it.command],
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
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp())
    there = build(folder)
    program = os.path.abspath(options.program)
    for it in experiments():
        if options.only and not any(word in it.name for word in options.only):
            continue
        if it.needs not in there:
            print(f"{it.name}: left out, {it.needs} is not here", flush=True)
            continue
        right, runs, effects, others = 0, 0, [], []
        for _ in range(options.runs):
            tuning = tune(program, it, folder, options.budget)
            verdicts = verdicts_of(tuning)
            if tuning["answer"] in it.answers and all(verdicts.get(k) in v for k, v in it.verdicts.items()):
                right += 1
            else:
                others.append(say(it, tuning))
            if options.verbose:
                print("    " + say(it, tuning), flush=True)
            runs += tuning.get("runs", 0)
            if tuning.get("winner"):
                effects.append(tuning["winner"]["effect"])
        middle = f", {100 * sorted(effects)[len(effects) // 2]:+.1f} %" if effects else ""
        print(f"{it.name}: {right} of {options.runs} {' or '.join(sorted(it.answers))}{middle}, "
              f"{runs / options.runs:.0f} runs each", flush=True)
        for text in others:
            print(f"    otherwise: {text}", flush=True)
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
