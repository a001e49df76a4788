"""What instrumentation costs: loops that hold nothing but conditions, plain and instrumented.

python suites/cost.py

Ratios of CPU time, the best of five repeats each: the fixed places where a service spends time in
its framework are not in them, so that services pay less.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))

from wallace_driver.rewriting.module import identity_of, rewrite_source
from wallace_driver.runtime.install import install, register

_SOURCE = b"""
def primes(n):
    found = []
    for i in range(2, n):
        is_prime = True
        for p in found:
            if p * p > i:
                break
            if i % p == 0:
                is_prime = False
                break
        if is_prime:
            found.append(i)
    return len(found)


def collatz(n):
    longest = 0
    for start in range(1, n):
        x, steps = start, 0
        while x != 1:
            x = x // 2 if x % 2 == 0 else 3 * x + 1
            steps += 1
        if steps > longest:
            longest = steps
    return longest


def words(n):
    counts = {}
    for i in range(n):
        word = "w%d" % (i % 97)
        if word in counts:
            counts[word] += 1
        else:
            counts[word] = 1
        if word == "w5" or word.startswith("w9"):
            counts[word] += 1
    return len(counts)


def triangles(n):
    found = 0
    for a in range(1, n):
        for b in range(1, n):
            if a + b > 10 and a != b and 3 < a < 90:
                found += 1
    return found


def everything(_):
    return primes(6000), collatz(1500), words(20000), triangles(200)
"""
_SIZES = {"primes": 6_000, "collatz": 1_500, "words": 20_000, "triangles": 200, "everything": 0}


def seconds(run: Callable[[int], Any], size: int) -> float:
    """The best of five repeats."""
    times = []
    for _ in range(5):
        begun = time.process_time()
        run(size)
        times.append(time.process_time() - begun)
    return min(times)


def main() -> None:
    install()
    rewritten = rewrite_source(_SOURCE, "/loops.py", "loops")
    register(identity_of("loops", "/loops.py"), "loops", "/loops.py", rewritten.sites)
    instrumented: dict[str, Any] = {"__name__": "loops"}
    plain: dict[str, Any] = {"__name__": "loops"}
    exec(rewritten.code, instrumented)
    exec(compile(_SOURCE, "/loops.py", "exec"), plain)
    print(sys.version.split()[0])
    for name, size in _SIZES.items():
        ratio = seconds(instrumented[name], size) / seconds(plain[name], size)
        print(f"  {name:12}{ratio:5.1f} times plain")


if __name__ == "__main__":
    main()
