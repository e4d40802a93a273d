#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes reports of N synthetic hosts, one a line, for rocmtune fleet.

Usage: fleet_reports.py N [--rocmtune PROGRAM] [--example NAME] [--corrupt] [--alone | --differing] > fleet.ndjson

Every host is the built-in example (eight MI300X) with a name, chips and figures of its own, in the
compact form: without the objects that say where each fact was read, and without links. Some are odd,
by their number, so that a test knows what has to be found:
  host 7 of every 1000  another vbios_version on GPU 3
  host 17               GPU 5 is 12 % slower than the others
  host 27               one GPU is missing
  host 37               NCCL_P2P_DISABLE=1
With --corrupt line 100 ends in the middle. With --alone nothing but truth values is equal on two hosts,
so that each is a group of its own; with --differing the same, in one group: product and model are equal.
"""
import argparse
import json
import random
import subprocess
import sys

LIMIT = 64 * 1024


def template(program, example):
    """The report of the example with marks where hosts differ, split at the marks."""
    text = subprocess.run([program, "probe", "--replay", f"example:{example}", "--format", "ndjson"],
                          check=True, capture_output=True, text=True).stdout
    report = json.loads(text)
    host = report["host"]
    host["hostname"] = "@HOST@"
    host["links"] = []
    host.pop("_sources", None)
    for row, gpu in enumerate(host["gpus"]):
        gpu.pop("_sources", None)
        gpu["unique_id"] = f"@CHIP{row}@"
        gpu["uuid"] = f"GPU-@CHIP{row}@"
        gpu["serial_number"] = f"@CHIP{row}@"
        gpu["vbios_version"] = f"@VBIOS{row}@"
    report["measurements"] = [
        {"benchmark": benchmark, "metric": metric, "unit": unit, "value": f"@{metric}{row}@", "low": None,
         "high": None, "samples": [], "parameters": {"dtype": dtype, "index": row}, "backend": "hip",
         "gpu": row, "verified": True, "status": "ok", "labels": []}
        for row in range(len(host["gpus"]))
        for benchmark, metric, unit, dtype in (("bandwidth", "triad", "GB/s", "fp64"),
                                               ("gemm", "bf16", "TFLOP/s", "bf16"))]
    return report


def line_of(text, gpus, number, random_numbers):
    place = number % 1000
    values = {"@HOST@": f"node{number:06}"}
    for row in range(gpus):
        values[f"@CHIP{row}@"] = f"{number * 8 + row:016x}"
        values[f"@VBIOS{row}@"] = "113-M3000100-101" if place == 7 and row == 3 else "113-M3000100-102"
        slow = 0.88 if place == 17 and row == 5 else 1
        values[f'"@triad{row}@"'] = f"{random_numbers.gauss(4010, 8) * slow:.3f}"
        values[f'"@bf16{row}@"'] = f"{random_numbers.gauss(640, 4) * slow:.3f}"
    for mark, value in values.items():
        text = text.replace(mark, value)
    return text


def differing(value, number):
    """The value as no other host has it; keys stay."""
    if isinstance(value, dict):
        return {key: differing(each, number) for key, each in value.items()}
    if isinstance(value, list):
        return [differing(each, number) for each in value]
    if isinstance(value, str):
        return f"{value} {number:06}"
    return value if value is None or isinstance(value, bool) else value * 1000003 + number


def differing_line(report, number, alone):
    host = differing(report["host"], number)
    host["gpus"] = [dict(gpu, row=row) for row, gpu in enumerate(host["gpus"])]
    if not alone:
        host["system_product"] = report["host"]["system_product"]
        for gpu, origin in zip(host["gpus"], report["host"]["gpus"]):
            gpu.update((key, origin[key]) for key in ("pci_device_id", "pci_revision"))
    return json.dumps(dict(report, host=host), separators=(",", ":"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("hosts", type=int)
    parser.add_argument("--rocmtune", default="build/release/rocmtune")
    parser.add_argument("--example", default="mi300x-x8")
    parser.add_argument("--corrupt", action="store_true")
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--differing", action="store_true")
    arguments = parser.parse_args()
    report = template(arguments.rocmtune, arguments.example)
    if arguments.alone or arguments.differing:
        for number in range(arguments.hosts):
            print(differing_line(report, number, arguments.alone))
        return
    gpus = len(report["host"]["gpus"])
    whole = json.dumps(report, separators=(",", ":"))
    report["host"]["environment"]["NCCL_P2P_DISABLE"] = "1"
    lone = json.dumps(report, separators=(",", ":"))
    del report["host"]["environment"]["NCCL_P2P_DISABLE"]
    missing = report["host"]["gpus"].pop()
    report["measurements"] = [one for one in report["measurements"] if one["gpu"] != missing["row"]]
    fewer = json.dumps(report, separators=(",", ":"))
    random_numbers = random.Random(20261122)
    for number in range(arguments.hosts):
        kind = {27: fewer, 37: lone}.get(number % 1000, whole)
        line = line_of(kind, gpus, number, random_numbers)
        if len(line) > LIMIT:
            sys.exit(f"a report has {len(line)} bytes, the limit is {LIMIT}")
        if arguments.corrupt and number == 99:
            line = line[:len(line) // 2]
        sys.stdout.write(line + "\n")


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:
        sys.stderr.close()
