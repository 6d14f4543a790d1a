# SPDX-License-Identifier: MIT
"""OpenMP left out, other tools beside, other runtimes than the program was built for, several of them in one process."""
import glob
import json
import os
import shutil
import subprocess

import support
from openmp_job import Job, each_runtime, expect_count
from support import BUILD, built, expect, expect_equal, expect_same, full, need, part_skipped, scratch, skip

BESIDE = True  # no case asserts a time

PLACE = os.path.join(BUILD, "programs", "openmp")


def check_nothing(job):
    """The program runs as always, and nothing is reported about OpenMP."""
    expect_same(job.run, stderr=True)
    job.check_laws()
    tables = job.profiles[0][1]
    for name in [t for t in tables if t.startswith("omp_")]:
        expect_equal("rows of %s" % name, len(job.rows(name)), 0)
    expect_equal("the report's part", job.run.report["openmp"], None)
    expect("@ openmp:" not in job.run.text, "the text has a section openmp")
    for row in job.rows("waits") + job.rows("tallies"):
        expect(row["operation"] not in (42, 43, 44, 45, 46), "a lock of OpenMP was recorded")


def left_out(runtime):
    for program in ("critical", "tasks"):
        check_nothing(Job(runtime, program, options=["--no-openmp"]))
        check_nothing(Job(runtime, program, environment={"PTRACE_OPENMP": "0"}))


@full
def test_openmp_left_out():
    """--no-openmp and PTRACE_OPENMP=0."""
    each_runtime(left_out)


@full
def test_openmp_option_wins_over_variable():
    def check(runtime):
        check_nothing(Job(runtime, "ramp", options=["--no-openmp"], environment={"PTRACE_OPENMP": "1"}))

    each_runtime(check)


def notes_of(job):
    return " | ".join(job.run.report["notes"])


def test_openmp_tools_are_disabled():
    """OMP_TOOL=disabled: LLVM's runtime calls no tool. The program runs, its regions are not seen, and that is said."""
    job = Job("libomp", "ramp", environment={"OMP_TOOL": "disabled"})
    expect_same(job.run, stderr=True)
    job.check_laws()
    expect_equal("regions", len(job.rows("omp_executions")), 0)
    expect("OMP_TOOL" in notes_of(job) or "OpenMP" in notes_of(job), "no note says that OpenMP was not seen; notes: %s", notes_of(job))


def test_openmp_tools_disabled_does_not_matter_to_libgomp():
    job = Job("gomp", "ramp", environment={"OMP_TOOL": "disabled"})
    expect_same(job.run, stderr=True)
    expect_count(job, "executions", job.sum("omp_executions", "count"), 6)


def tool_job(program, environment):
    """(job, what the other tool counted)"""
    path = os.path.join(scratch(), "tool")
    job = Job("libomp", program, environment=dict(environment, TOOL_FILE=path))
    expect_same(job.run, stderr=True)
    expect_equal("status", job.run.profiled.status, 0)
    job.check_laws()
    if not os.path.exists(path):
        support.fail("the other tool was not called")
    with open(path) as file:
        return job, json.load(file)


def test_openmp_tool_of_the_user():
    """OMP_TOOL_LIBRARIES names a tool: it is called, and a note says why no region is seen."""
    library = os.path.join(PLACE, "libomp", "libtool.so")
    if not os.path.exists(library):
        skip("libtool.so was not built")
    job, counted = tool_job("ramp", {"OMP_TOOL_LIBRARIES": library})
    expect_equal("what the tool counted", counted, {"begun": 1, "regions": 6, "members": 12})
    expect("another tool" in notes_of(job), "no note says that another tool is used; notes: %s", notes_of(job))


def test_openmp_tool_of_the_user_that_is_none():
    """A library that cannot be used as a tool does no harm."""
    job = Job("libomp", "ramp", environment={"OMP_TOOL_LIBRARIES": "/nonexistent/libnone.so"})
    expect_same(job.run, stderr=True)
    job.check_laws()


def test_openmp_tool_of_the_program():
    """A program that defines ompt_start_tool itself: its own tool is called, once."""
    job, counted = tool_job("own_tool", {})
    expect_equal("what the tool counted", counted, {"begun": 1, "regions": 7, "members": 14})
    expect("another tool" in notes_of(job), "no note says that another tool is used; notes: %s", notes_of(job))


def test_openmp_sections_of_another_library():
    """A library in front of libgomp whose sections do more than to take a lock: each entry reaches it."""
    job = Job("gomp", "critical", environment={"LD_PRELOAD": built("libsection_owner.so")})
    expect_same(job.run, stderr=True)
    expect_equal("status", job.run.profiled.status, 0)
    job.check_laws()


# Sanitizers

def test_openmp_under_thread_sanitizer():
    """It has a tool of its own for OMPT (Archer), which the runtime takes only where there is no other: ours leaves it the place."""
    job = Job("libomp", "critical_tsan", environment={"TSAN_OPTIONS": "ignore_noninstrumented_modules=1"})
    expect_same(job.run, stderr=True)
    expect(b"WARNING" not in job.run.profiled.stderr, "reports of races: %s", job.run.profiled.stderr_text()[:300])
    expect("another tool" in notes_of(job), "no note says that another tool is used; notes: %s", notes_of(job))


def address_sanitizer(runtime):
    # Whether libgomp's team has let go of its memory when the program ends is chance: natively, too, one of 25 runs tells of a leak.
    job = Job(runtime, "tasks_asan", environment={"ASAN_OPTIONS": "detect_leaks=0"})
    expect_same(job.run, stderr=True)
    expect_equal("status", job.run.profiled.status, 0)
    expect_equal("tasks made, executed", [job.sum("omp_tasks", k) for k in ("created", "executed")], [2073] * 2)


def test_openmp_under_address_sanitizer():
    each_runtime(address_sanitizer)


# Another runtime than the program was built for

def library_of(name):
    """Where the loader finds it."""
    found = glob.glob("/usr/lib/*/%s" % name) + glob.glob("/usr/lib/llvm-*/lib/%s" % name)
    return os.path.realpath(found[0]) if found else skip("%s is not installed" % name)


def substituted():
    """A directory in which libgomp.so.1 is LLVM's runtime."""
    place = scratch()
    os.symlink(library_of("libomp.so.5"), os.path.join(place, "libgomp.so.1"))
    return place


@full
def test_openmp_program_of_gcc_on_libomp():
    """LLVM's runtime serves the calls of gcc: each region, task and lock is counted once, not by both ways."""
    place = substituted()
    for program, executions in (("ramp", 6), ("critical", 5), ("nested", 17), ("tasks", 6), ("sections", 12), ("schedules", 90)):
        job = Job("gomp", program, environment={"LD_LIBRARY_PATH": place})
        expect_same(job.run, stderr=True)
        expect_equal("%s: runtime" % program, job.truth["runtime"], "libomp")
        expect_equal("%s: executions" % program, job.sum("omp_executions", "count"), executions)
        job.check_laws()
        for row in job.rows("omp_executions"):
            parts = [row[k] for k in ("fork_ns", "work_ns", "wait_ns", "join_ns")]
            expect_equal("%s: parts of the time" % program, sum(parts), row["team"] * row["elapsed_ns"])
        expect_equal("%s: routines of regions" % program, {r["routine"] for r in job.openmp["regions"]},
                     {r["routine"] for r in job.truth["regions"]})
        if program == "critical":
            told = job.truth["counts"]
            expect_equal("critical", job.calls("CRITICAL"), told["critical"] + told["critical_till"] + told["critical_solitude"])
            expect_equal("omp_set_lock", job.calls("OMP_SET_LOCK"), told["lock"] + told["nest_lock"])
        if program == "tasks":
            expect_equal("tasks", [job.sum("omp_tasks", k) for k in ("created", "executed")], [2073] * 2)


# Several runtimes in one process

def copies_of_gomp(count):
    """Directories, each with a plug-in and a copy of libgomp of its own, which has a name of its own as well: the loader takes
    libraries of one name for one."""
    patchelf, library = need("patchelf"), library_of("libgomp.so.1")
    plugin = os.path.join(PLACE, "gomp", "libplugin.so")
    if not os.path.exists(plugin):
        skip("libplugin.so was not built for gomp")
    paths = []
    for number in range(count):
        place, name = scratch(), "libgomp_%d.so.1" % number
        copy, path = os.path.join(place, name), os.path.join(place, "libplugin_%d.so" % number)
        shutil.copy(library, copy)
        shutil.copy(plugin, path)
        # One after the other: patchelf 0.14 mixes the texts up when it does both at once.
        for command in (["--set-soname", name, copy], ["--set-rpath", "$ORIGIN", path], ["--replace-needed", "libgomp.so.1", name, path]):
            subprocess.run([patchelf] + command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        paths.append(path)
    return paths


def check_copies(paths, executions, least):
    job = Job("", os.path.join(PLACE, "copies"), paths)
    expect_same(job.run, stderr=True)
    expect_equal("status", job.run.profiled.status, 0)
    expect_equal("answers", job.run.profiled.stdout, b"5502005 2200802\n" * len(paths))
    job.check_laws()
    found = job.sum("omp_executions", "count")
    expect(least <= found <= executions, "executions: %d, expected %d .. %d", found, least, executions)
    for row in job.rows("omp_executions"):
        expect_equal("members", row["members"], row["team"] * row["count"])
    return job


def test_openmp_two_copies_of_libgomp():
    """Two plug-ins, loaded out of each other's sight, with a copy of libgomp each: every call goes to its own."""
    job = check_copies(copies_of_gomp(2), 14, 14)
    expect_equal("regions", sorted((r["routine"], r["count"]) for r in job.openmp["regions"]), [("use_openmp", 7)] * 2)


def test_openmp_two_runtimes():
    """A plug-in on libgomp and one on libomp; the program itself uses no OpenMP."""
    paths = [os.path.join(PLACE, r, "libplugin.so") for r in ("gomp", "libomp")]
    if not all(map(os.path.exists, paths)):
        skip("libplugin.so was not built for both runtimes")
    for order in (paths, paths[::-1]):
        check_copies(order, 14, 7)


def test_openmp_plugin_that_only_it_uses():
    """dlopen with RTLD_LOCAL: the runtime is in no global scope."""
    for runtime in ("gomp", "libomp"):
        path = os.path.join(PLACE, runtime, "libplugin.so")
        if os.path.exists(path):
            check_copies([path], 7, 7)
        else:
            part_skipped("libplugin.so was not built for %s" % runtime)


def test_openmp_plugin_that_is_unloaded():
    """dlclose, then the same again. Not on libgomp: without any profiler, its threads run code that is gone."""
    path = os.path.join(PLACE, "libomp", "libplugin.so")
    if not os.path.exists(path):
        skip("libplugin.so was not built for libomp")
    job = Job("", os.path.join(PLACE, "copies"), ["-c"] + 3 * [path])
    expect_same(job.run, stderr=True)
    expect_equal("status", job.run.profiled.status, 0)
    job.check_laws()
    expect_equal("executions", job.sum("omp_executions", "count"), 21)


def test_openmp_plugin_of_another_runtime():
    """A program of gcc has had a region when a plug-in of clang is loaded, whose loop asks LLVM's runtime for its pieces."""
    program, plugin = os.path.join(PLACE, "copies_gomp"), os.path.join(PLACE, "libomp", "libplugin.so")
    if not os.path.exists(program) or not os.path.exists(plugin):
        skip("copies_gomp or libomp/libplugin.so was not built")
    for options in ((), ("--no-openmp",)):
        job = Job("", program, [plugin], options=options)
        expect_same(job.run, stderr=True)
        expect_equal("status, answer", (job.run.profiled.status, job.run.profiled.stdout), (0, b"5502005 2200802\n"))


def test_openmp_team_in_a_constructor():
    """The thread that loads a library holds the loader's lock while a constructor's team works: no member may wait for it."""
    for runtime in ("gomp", "libomp"):
        plugin = os.path.join(PLACE, runtime, "libearly.so")
        if not os.path.exists(plugin):
            skip("%s/libearly.so was not built" % runtime)
        job = Job("", os.path.join(PLACE, "copies"), [plugin])
        expect_same(job.run, stderr=True)
        expect_equal("status, answers", (job.run.profiled.status, job.run.profiled.stdout), (0, b"3301203\n5502005 2200802\n"))
