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


def best(work, repeats=9, clock=time.perf_counter):
    times = []
    for _ in range(repeats):
        begin = clock()
        work()
        times.append(clock() - begin)
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
        cpp = best(lambda: _core._time_resolve(problem, made, count), 9, time.process_time) / count
        loop = range(count)

        def python():
            for _ in loop:
                resolve(problem, made)

        both = best(python, 9, time.process_time) / count
        print(
            f"{law:<12} {1e6 * both:8.2f} µs   C++ alone {1e6 * cpp:.2f} µs, "
            f"Python adds {1e6 * (both - cpp):.2f} µs (at most 3 µs)"
        )

    # Processor time, so that what else the machine does matters little.
    count = 100_000
    velocity = np.tile([1.0, 0.0, 0.0], (count, 1))
    resolve_many = percute.resolve_many
    alone = best(lambda: _core._time_resolve(problem, "lzb", count), 5, time.process_time)
    one = best(
        lambda: resolve_many(problem, "lzb", velocity=velocity, threads=1), 5, time.process_time
    )
    begin = time.perf_counter(), time.process_time()
    resolve_many(problem, "lzb", velocity=velocity)
    wall, busy = time.perf_counter() - begin[0], time.process_time() - begin[1]
    print(
        f"many         {one:8.3f} s    C++ loop {alone:.3f} s, ratio {one / alone:.3f} (at most 1.1); "
        f"with threads {busy / wall:.2f} of {os.cpu_count()} cores busy, {wall:.3f} s"
    )


if __name__ == "__main__":
    main()
