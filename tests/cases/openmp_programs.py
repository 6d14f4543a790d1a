# SPDX-License-Identifier: MIT
"""Real programs that use OpenMP, as the distribution ships them: the same output and status, laws hold, regions are found.

They are stripped: a region is known by its library and offset, which stands for a routine."""
import glob
import json
import os
import random
import re

from openmp_job import Job
from support import BUILD, clean_environment, execute, expect, expect_equal, expect_near, expect_same, need, scratch, skip

BESIDE = True  # no case asserts a time
FULL = "programs of packages of their own, each for many seconds"

MEGABYTE = 1 << 20
THREADS = {"OMP_NUM_THREADS": "2"}


def check_profile(job):
    """What holds for every program that uses OpenMP."""
    job.check_laws()
    for row in job.rows("omp_executions"):
        parts = [row[k] for k in ("fork_ns", "work_ns", "wait_ns", "join_ns")]
        expect_equal("members", row["members"], row["team"] * row["count"])
        expect_equal("parts of the time", sum(parts), row["team"] * row["elapsed_ns"])
    found = job.openmp["efficiency"]
    expect(0 < found["parallel"] <= 1, "parallel efficiency %r", found["parallel"])
    for path in job.run.profiles():
        expect(os.path.getsize(path) < MEGABYTE, "%s has %d bytes, expected less than 1 MiB", os.path.basename(path), os.path.getsize(path))


def check_regions(job, module, least):
    """Regions of that library, each at a place of its own."""
    names = [(r["routine"], r["parent"] and r["parent"]["routine"]) for r in job.openmp["regions"]]
    expect(len(names) >= least, "regions: %d, expected %d or more", len(names), least)
    expect(all(re.match(r"[\w.+-]+(\+0x[0-9a-f]+)?$", n) and "[" not in n for n, _ in names), "names of regions: %r", names)
    expect(any(module in n or "+0x" not in n for n, _ in names), "no region is in %s: %r", module, names)
    # One routine may hold several; a stripped one stands for one place.
    stripped = [n for n in names if "+0x" in n[0]]
    expect_equal("places that stand twice", len(stripped), len(set(stripped)))
    for row in job.openmp["regions"]:
        expect(row["count"] > 0 and row["elapsed_seconds"] > 0, "%s: %d executions, %r s", row["routine"], row["count"], row["elapsed_seconds"])
        expect(row["team_max"] <= 2, "%s: a team of %d", row["routine"], row["team_max"])


def picture():
    """A pattern with noise; always the same."""
    noise, path = random.Random(2), os.path.join(scratch(), "in.ppm")
    width, height = 300, 240
    with open(path, "wb") as file:
        file.write(b"P6\n%d %d\n255\n" % (width, height))
        file.write(b"".join(bytes(((x * y + noise.randrange(40)) % 256, (x + y) % 256, (x ^ y) % 256)) for y in range(height) for x in range(width)))
    return path


def counted(job):
    """Calls of libgomp, as a library that does nothing else counts them in a run without the profiler."""
    library, path = os.path.join(BUILD, "programs", "openmp", "gomp", "libcounter.so"), os.path.join(scratch(), "counts")
    if not os.path.exists(library):
        skip("libcounter.so was not built")
    environment = dict(job.run.settings["environment"], LD_PRELOAD=library, COUNTER_FILE=path)
    expect_equal("status beside the counter", execute(job.run.command, environment=environment).status, job.run.native.status)
    expect(os.path.exists(path), "the counter saw no call of libgomp")
    with open(path) as file:
        return json.load(file)


def check_calls(job, relative=0):
    """relative: of programs in which some counts depend on who was faster. Not where libgomp is loaded out of sight, as by python: the
    counter does not find it there."""
    calls = counted(job)
    pairs = [("executions", job.sum("omp_executions", "count"), sum(n for name, n in calls.items() if name.startswith("GOMP_parallel"))),
             ("critical sections", job.calls("CRITICAL"), calls["GOMP_critical_start"] + calls["GOMP_critical_name_start"]),
             ("omp_set_lock", job.calls("OMP_SET_LOCK"), calls["omp_set_lock"])]
    pairs += [(name, job.met(construct), calls[name]) for construct, name in (
        ("BARRIER", "GOMP_barrier"), ("SINGLE", "GOMP_single_start"), ("SECTIONS_END", "GOMP_sections_end"), ("LOOP_END", "GOMP_loop_end"))]
    expect(pairs[0][2] > 0, "the counter saw no region")
    for name, got, wanted in pairs:
        expect_near("%s, and calls that the counter saw" % name, got, wanted, relative=relative, floor=0 if not relative else 2)


# gm's operations, each with the fewest regions that it has to have
OPERATIONS = {"blur": (["-blur", "0x3"], 2), "resize": (["-resize", "60%"], 2), "sharpen": (["-sharpen", "0x2"], 1), "despeckle": (["-despeckle"], 1),
              "rotate": (["-rotate", "17"], 1), "median": (["-median", "2"], 1), "colors": (["-modulate", "110,90", "-gamma", "1.3", "-normalize"], 1),
              "quantize": (["-colors", "16"], 1)}


def graphics_magick(name):
    options, least = OPERATIONS[name]
    job = Job("gomp", need("gm"), ["convert", picture()] + options + ["ppm:-"], environment=THREADS)
    expect_same(job.run)
    expect_equal("status", job.run.profiled.status, 0)
    expect(len(job.run.profiled.stdout) > 1000, "the picture has %d bytes", len(job.run.profiled.stdout))
    check_profile(job)
    check_regions(job, "libGraphicsMagick", least)
    check_calls(job)


def test_openmp_graphics_magick():
    """Eight operations on a picture: the same picture, byte by byte."""
    for name in OPERATIONS:
        graphics_magick(name)


def test_openmp_graphics_magick_twice():
    """The same picture again: the same regions, as often."""
    found = []
    for _ in range(2):
        job = Job("gomp", need("gm"), ["convert", picture(), "-blur", "0x3", "-despeckle", "ppm:-"], environment=THREADS)
        expect_same(job.run)
        found.append(sorted((r["routine"], r["count"], r["team_max"]) for r in job.openmp["regions"]))
    expect_equal("regions of two runs", found[1], found[0])


def sequences():
    """Relatives of relatives."""
    noise, path = random.Random(3), os.path.join(scratch(), "sequences")
    base = [noise.choice("ACGT") for _ in range(300)]
    with open(path, "w") as file:
        for number in range(60):
            for place in noise.sample(range(300), 30 if number % 20 == 0 else 0):
                base[place] = noise.choice("ACGT")
            own = base[:]
            for place in noise.sample(range(300), 20):
                own[place] = noise.choice("ACGT")
            file.write(">s%d\n%s\n" % (number, "".join(own)))
    return path


def test_openmp_fasttree():
    """A tree of likelihood: sections, loops, nested serialized regions, a critical section, locks; the same numbers to the last digit."""
    job = Job("gomp", need("fasttreeMP"), ["-nt", "-quiet", sequences()], environment=THREADS)
    expect_same(job.run)
    expect_equal("status", job.run.profiled.status, 0)
    check_profile(job)
    check_regions(job, "fasttreeMP", 4)
    expect(job.met("SECTIONS_END") and job.met("LOOP"), "no end of sections, or no loop was met")
    check_calls(job, relative=0.03)
    locks = sum(r["count"] for r in job.run.report["synchronization"] if r["kind"] == "omp_lock")
    expect_equal("locks in the tables and in the report", locks, job.calls("OMP_SET_LOCK") + job.calls("OMP_TEST_LOCK"))


NUMPY = """
import numpy
rng = numpy.random.RandomState(7)
a, b = rng.rand(400, 400), rng.rand(400, 400)
for i in range(3):
    c = a @ b
    a = c / numpy.abs(c).max()
x = numpy.linalg.solve(b + 400 * numpy.eye(400), a[:, :3])
print("%.17g %.17g" % (a.sum(), x.sum()))
print(numpy.linalg.eigvalsh(b[:150, :150] + b[:150, :150].T)[:3].tolist())
"""


def blas_of_openmp():
    """Where the BLAS lies that uses OpenMP; it may not be the one that is chosen on this machine."""
    found = glob.glob("/usr/lib/*/openblas-openmp")
    return found[0] if found else skip("libopenblas0-openmp is not installed")


def test_openmp_numpy():
    """python3 with numpy on OpenBLAS: the same numbers to the last digit."""
    path = os.path.join(scratch(), "script.py")
    with open(path, "w") as file:
        file.write(NUMPY)
    python = "/usr/bin/python3"
    environment = dict(THREADS, LD_LIBRARY_PATH=blas_of_openmp())
    if execute([python, "-I", "-c", "import numpy"], environment=clean_environment(environment)).status:
        skip("numpy is not installed")
    job = Job("gomp", python, ["-I", path], environment=environment)
    expect_same(job.run)
    expect_equal("status", job.run.profiled.status, 0)
    check_profile(job)
    check_regions(job, "openblas", 1)
    expect(job.openmp["serial_seconds"] > 0, "python has no serial part")


LAMMPS = """
units lj
atom_style charge
lattice fcc 0.8442
region box block 0 4 0 4 0 4
create_box 1 box
create_atoms 1 box
mass 1 1.0
group half id <= 128
set group all charge 0.1
set group half charge -0.1
velocity all create 1.44 87287 loop geom
pair_style lj/cut/coul/long 2.5
pair_coeff 1 1 1.0 1.0 2.5
kspace_style pppm 1e-4
kspace_modify mesh 32 32 32
fix 1 all nve
thermo 2
run 6
"""


def without_times(text):
    """Steps with energies and pressures as they were; not what the run took."""
    return [line for line in text.decode(errors="replace").splitlines() if re.match(r"\s+\d+(\s+-?[\d.e+-]+){5}\s*$", line)]


def test_openmp_lammps():
    """Molecular dynamics: MPI with one rank, and OpenMP in its Fourier transforms; energies to the last digit that is printed."""
    path = os.path.join(scratch(), "in.lj")
    with open(path, "w") as file:
        file.write(LAMMPS)
    environment = dict(THREADS, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    job = Job("gomp", need("lmp"), ["-in", path, "-log", "none"], environment=environment)
    expect_equal("status", (job.run.native.status, job.run.profiled.status), (0, 0))
    lines = without_times(job.run.native.stdout)
    expect_equal("energies of 4 steps", len(lines), 4)
    expect_equal("energies", without_times(job.run.profiled.stdout), lines)
    check_profile(job)
    check_regions(job, "fftw3_omp", 1)
    found = job.openmp["efficiency"]
    check_calls(job)
    expect(job.run.report["mpi"] is not None, "the report has no part of MPI")
    for name in ("hybrid_parallel", "mpi_parallel"):
        expect(found[name] is not None and 0 < found[name] <= 1, "%s = %r", name, found[name])
    expect(found["hybrid_parallel"] <= found["mpi_parallel"], "MPI and OpenMP together %r, MPI alone %r", found["hybrid_parallel"],
           found["mpi_parallel"])
