# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""What Python adds: importing percute, one resolve() and a loop of many, beside C++ alone.

PYTHONPATH=build/dev/python python bench/python_overhead.py
"""

import os
import subprocess
import sys
import time

import numpy as np

import percute
from percute import _core


def best(work, repeats=9):
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return min(times)


def main():
    cost = best(lambda: subprocess.run([sys.executable, "-c", "import percute"], check=True), 5)
    bare = best(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True), 5)
    numpy = best(lambda: subprocess.run([sys.executable, "-c", "import numpy"], check=True), 5)
    print(
        f"import       {cost - bare:8.3f} s    (of which NumPy {numpy - bare:.3f} s; at most 0.2 s)"
    )

    problem = percute.cradle(3)
    count = 20_000
    for law in ("newton", "lzb"):
        made = percute.make_law(law)
        resolve = percute.resolve
        cpp = best(lambda: _core._time_resolve(problem, made, count)) / count
        loop = range(count)

        def python():
            for _ in loop:
                resolve(problem, made)

        both = best(python) / count
        print(
            f"{law:<12} {1e6 * both:8.2f} µs   C++ alone {1e6 * cpp:.2f} µs, "
            f"Python adds {1e6 * (both - cpp):.2f} µs (at most 3 µs)"
        )

    count = 100_000
    velocity = np.tile([1.0, 0.0, 0.0], (count, 1))
    alone = best(lambda: _core._time_resolve(problem, "lzb", count), 3)
    one = best(lambda: percute.resolve_many(problem, "lzb", velocity=velocity, threads=1), 3)
    all_cores = best(lambda: percute.resolve_many(problem, "lzb", velocity=velocity), 3)
    print(
        f"many         {one:8.3f} s    C++ loop {alone:.3f} s, ratio {one / alone:.3f} (at most 1.1); "
        f"on {os.cpu_count()} cores {all_cores:.3f} s, {one / all_cores:.2f} times faster"
    )


if __name__ == "__main__":
    main()
