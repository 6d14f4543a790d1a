# SPDX-License-Identifier: MIT
"""Cost of OpenMP constructs under each runtime that is here; see tests/bench/openmp_operations.c for what is measured."""
import os
import random
import shutil
import subprocess

from measure import BUILD, ROOT, alternate, batches, best_of_batches, median, profiled, usage, verdict

# name, count, bar in ns added, text
WORKS = [
    ("region", 100000, 200, "empty parallel region"),
    ("barrier", 200000, 60, "explicit barrier"),
    ("critical", 1000000, 15, "critical, uncontended"),
    ("lock", 1000000, 15, "omp_set_lock + omp_unset_lock, uncontended"),
    ("task", 100000, 120, "task, made and run"),
]
RUNTIMES = [("gomp", "libgomp", ["gcc", "-fopenmp"]), ("libomp", "libomp", ["clang", "-fopenmp"])]
PROGRAM_BAR = 1.02
ENVIRONMENT = dict(os.environ, OMP_NUM_THREADS="2")


def build(runtime, compiler):
    """The program, or None where the compiler has no OpenMP."""
    program = BUILD / ("bench/openmp_operations." + runtime)
    program.parent.mkdir(parents=True, exist_ok=True)
    source = ROOT / "tests/bench/openmp_operations.c"
    if not shutil.which(compiler[0]):
        return None
    done = subprocess.run(compiler + ["-std=gnu11", "-O2", "-g", "-o", str(program), str(source)], stderr=subprocess.DEVNULL)
    return program if done.returncode == 0 else None


def bench_operation(work, title, program, rounds, scratch):
    """The bar is for the best batches."""
    name, count, bar, text = work
    command = [program, name, count]
    pairs = alternate(lambda: command, lambda: profiled(command, scratch / "openmp"), lambda words: batches(words, env=ENVIRONMENT), rounds)
    native, ours, of_medians = best_of_batches(pairs)
    print("| %s | %s | %.4g | %.4g | %+.4g | %+.4g | +%g ns | %s |" % (
        text, title, native, ours, ours - native, of_medians, bar, verdict(ours - native, bar)), flush=True)


def make_picture(scratch):
    path, noise = scratch / "picture.ppm", random.Random(2)
    if not path.exists():
        width, height = 2000, 1500
        path.write_bytes(b"P6\n%d %d\n255\n" % (width, height) + noise.randbytes(3 * width * height))
    return path


def bench_program(rounds, scratch):
    if not shutil.which("gm"):
        print("GraphicsMagick: not measured (gm is not installed)")
        return
    # long enough that start and end of the process (2 ms more) are a few thousandths of it
    command = ["gm", "convert", make_picture(scratch)] + ["-blur", "0x5", "-despeckle"] * 5 + ["ppm:" + str(scratch / "out.ppm")]
    pairs = alternate(lambda: command, lambda: profiled(command, scratch / "openmp"), lambda words: usage(words, env=ENVIRONMENT), rounds)
    native, ours = (min(p[side][0] for p in pairs) for side in (0, 1))
    elapsed, cpu = (median(b[i] / a[i] for a, b in pairs) for i in (0, 1))
    print("\nGraphicsMagick, five times blur and despeckle by 2 threads: native %.3f s, profiled %.3f s, added %.3f s (best of each); x%.3f elapsed, x%.3f CPU "
          "(bar: x%.2f, %s)" % (native, ours, ours - native, elapsed, cpu, PROGRAM_BAR, verdict(min(elapsed, ours / native), PROGRAM_BAR)), flush=True)


def bench_openmp(rounds, scratch):
    print("\n| OpenMP, 2 threads | runtime | native ns | profiled ns | added ns | added, of medians | bar | |\n|---|---|---|---|---|---|---|---|")
    programs = [(title, build(runtime, compiler)) for runtime, title, compiler in RUNTIMES]
    for work in WORKS:
        for title, program in programs:
            if program:
                bench_operation(work, title, program, rounds, scratch)
    for title, program in programs:
        if not program:
            print("OpenMP constructs on %s: not measured (no compiler with OpenMP)" % title)
    bench_program(rounds, scratch)
