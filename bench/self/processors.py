#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rocmtune bench on processors beside its peers, in turn, as medians of ROUNDS (3) rounds: a plain
program with streaming stores (stream_peer.cpp, built here or named by STREAM_PEER), OpenBLAS through
rocmtune (set OPENBLAS_CORETYPE where it does not know the processor), numpy's bincount and matmul
where numpy is. With a second program both are measured. Ends with 1 if a
goal is missed by the first.

    bench/self/processors.py ROCMTUNE [OLDER_ROCMTUNE]
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict

rounds = int(os.environ.get("ROUNDS", "3"))
here = os.path.dirname(os.path.realpath(__file__))
work = tempfile.TemporaryDirectory()


def stream_peer():
    if "STREAM_PEER" in os.environ:
        return os.environ["STREAM_PEER"]
    program = os.path.join(work.name, "stream_peer")
    subprocess.run(["g++", "-std=c++20", "-O3", "-march=native", "-fopenmp",
                    os.path.join(here, "stream_peer.cpp"), "-o", program], check=True)
    return program


def bench(program, *arguments):
    """{metric: measurement} of one run."""
    text = subprocess.run([program, "bench", *arguments, "--backend", "cpu", "--json"],
                          stdout=subprocess.PIPE, check=False).stdout
    return {it["metric"]: it for it in json.loads(text)["measurements"]}


def matmul(side=2048):
    """TFLOP/s of numpy's product in fp32, with the OpenBLAS that it brings; median of seven."""
    try:
        import numpy
    except ImportError:
        return None
    a, b = (numpy.random.default_rng(i).random((side, side), numpy.float32) for i in (1, 2))
    seconds = []
    for _ in range(7):
        start = time.perf_counter()
        a @ b
        seconds.append(time.perf_counter() - start)
    return 2e-12 * side**3 / statistics.median(seconds)


def bincount(ticks=20_000_000, rows=1000):
    """GB/s of 8 bytes a tick, the index computed; median of five."""
    try:
        import numpy
    except ImportError:
        return None
    prices = numpy.random.default_rng(1).integers(0, rows, ticks).astype(numpy.float32) * 0.25
    volumes = numpy.ones(ticks, numpy.float32)
    seconds = []
    for _ in range(5):
        start = time.perf_counter()
        numpy.bincount(numpy.rint(prices * 4).astype(numpy.int64), volumes, rows)
        seconds.append(time.perf_counter() - start)
    return 8e-9 * ticks / statistics.median(seconds)


figures = defaultdict(list)  # (whose, metric): values
labels = defaultdict(set)
programs = dict(zip(("rocmtune", "older"), sys.argv[1:3]))
peer = stream_peer()
for _ in range(rounds):
    for name, program in programs.items():
        for benchmark in (["bandwidth"], ["vpoc"], ["gemm", "--dtype", "fp32"]):
            for metric, it in bench(program, *benchmark).items():
                if it["value"] is None:
                    continue
                figures[name, metric].append(it["value"])
                labels[name, metric].update(it["labels"])
                size = it["parameters"].get("bytes") or 0
                if metric == "write":
                    mebibytes = size >> 20
    answer = subprocess.run([peer, str(mebibytes)], stdout=subprocess.PIPE, check=True).stdout
    for metric, value in json.loads(answer).items():
        figures["peer", metric].append(value)
    for metric, peer_of in (("1000-bins-uniform", bincount), ("fp32-openblas", matmul)):
        if (value := peer_of()) is not None:
            figures["peer", metric].append(value)

median = {key: statistics.median(values) for key, values in figures.items()}
print(f"arrays of {mebibytes} MiB, medians of {rounds} rounds (least to most)")
for metric in dict.fromkeys(metric for _, metric in median):
    line = [f"{metric:24}"]
    for whose in (*programs, "peer"):
        values = figures.get((whose, metric))
        line.append(f"{median[whose, metric]:9.3f} ({min(values):.4g}-{max(values):.4g})"
                    if values else "")
    marks = sorted(one for one in labels["rocmtune", metric] if one.startswith("slower-than"))
    marks += ["older: " + one for one in sorted(labels["older", metric]) if one.startswith("slower")]
    print(" | ".join(line), *marks)

goals = [("write / plain loop", median["rocmtune", "write"] / median["peer", "write"], 0.9),
         ("write / device-fill", median["rocmtune", "write"] / median["rocmtune", "device-fill"], 0.8),
         ("vpoc uniform / read",
          median["rocmtune", "1000-bins-uniform"] / median["rocmtune", "read"], 0.65)]
if ("rocmtune", "fp32-openblas") in median:
    goals.append(("gemm own / OpenBLAS",
                  median["rocmtune", "fp32-own"] / median["rocmtune", "fp32-openblas"], 0.9))
for name, ratio, least in goals:
    print(f"{name}: {ratio:.2f} (goal {least}) {'met' if ratio >= least else 'MISSED'}")
sys.exit(any(ratio < least for _, ratio, least in goals))
