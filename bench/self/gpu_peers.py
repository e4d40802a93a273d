# SPDX-License-Identifier: MIT
"""What PyTorch gives on the GPU where `rocmtune bench` was measured: histograms and products."""

import statistics
import time

import torch

device = torch.device("cuda")


def seconds(function, count, warm_up=2):
    """Times of single calls, queued back to back, between events."""
    for _ in range(warm_up):
        function()
    marks = [torch.cuda.Event(enable_timing=True) for _ in range(count + 1)]
    marks[0].record()
    for mark in marks[1:]:
        function()
        mark.record()
    torch.cuda.synchronize()
    return [a.elapsed_time(b) * 1e-3 for a, b in zip(marks, marks[1:])]


def prices(kind, count, rows):
    """Whole ticks of 0.25 within `rows` rows, as rocmtune makes them."""
    if kind == "one-bin":
        tick = torch.full((count,), rows // 2, device=device)
    elif kind == "normal":
        tick = (torch.randn(count, device=device) * 10).round() + rows // 2
    elif kind == "walk":
        step = torch.rand(count, device=device)
        tick = ((step > 0.85).int() - (step < 0.15).int()).cumsum(0) + rows // 2
        tick = (tick % (2 * rows - 2) - (rows - 1)).abs()  # turns round at the ends
    else:
        tick = torch.randint(rows, (count,), device=device)
    return tick.clamp(0, rows - 1).float() * 0.25


def row_methods(rows):
    """Rows of prices: by the shortest expression that is right for these very data, and with what
    rocmtune's kernel does for any data, an offset, the division by the tick, rounding, and bounds
    kept, as one would write it for a price range."""
    return {
        "int64": lambda price: (price * 4).round().to(torch.int64),
        "int32": lambda price: (price * 4).round().to(torch.int32),
        "range": lambda price: ((price - 0.0) / 0.25).round().clamp(0, rows - 1).to(torch.int64),
    }


def histograms(count=100_000_000):
    volumes = torch.exp(torch.randn(count, device=device) + 3)
    for rows in (1000, 65536):
        for kind in ("uniform", "normal", "one-bin", "walk"):
            price = prices(kind, count, rows)
            for name, row in row_methods(rows).items():
                def run():
                    torch.bincount(row(price), weights=volumes, minlength=rows)

                rate = 8e-9 * count / statistics.median(seconds(run, 10))
                print(f"torch.bincount {rows} {kind} {name}: {rate:.1f} GB/s", flush=True)


def report(name, n, function):
    """Bursts after idling, as rocmtune makes them, then three seconds of which the last one counts."""
    burst = []
    for _ in range(5):
        time.sleep(0.3)
        burst += seconds(function, 12, 0)[2:]
    sustained = []
    start = time.perf_counter()
    while time.perf_counter() - start < 3:
        sustained += seconds(function, 10, 0)
    last = sustained[-len(sustained) // 3:]
    one, long = (2e-12 * n**3 / statistics.median(times) for times in (burst, last))
    print(f"torch {name}: burst {one:.2f} sustained {long:.2f} TFLOP/s", flush=True)


def products(n=8192):
    for name, dtype, tf32 in (("fp64", torch.float64, False), ("fp32", torch.float32, False),
                              ("tf32", torch.float32, True), ("fp16", torch.float16, False),
                              ("bf16", torch.bfloat16, False)):
        torch.backends.cuda.matmul.allow_tf32 = tf32
        # Rounded from fp32, as rocmtune's are: torch.rand of a short type has fewer bits, and
        # fewer bits take less power.
        drawn = torch.float64 if name == "fp64" else torch.float32
        a, b = ((torch.rand(n, n, device=device, dtype=drawn) * 2 - 1).to(dtype) for _ in range(2))
        report(f"mm {name}", n, lambda: torch.mm(a, b))
    a, b = (torch.randint(-128, 128, (n, n), device=device, dtype=torch.int8) for _ in range(2))
    report("_int_mm int8", n, lambda: torch._int_mm(a, b.t()))
    a, b = ((torch.rand(n, n, device=device) * 2 - 1).to(torch.float8_e4m3fn) for _ in range(2))
    one = torch.ones((), device=device)
    report("_scaled_mm fp8", n,
           lambda: torch._scaled_mm(a, b.t(), one, one, out_dtype=torch.bfloat16))


print(torch.cuda.get_device_name(), "torch", torch.__version__)
histograms()
products()
