# SPDX-License-Identifier: MIT
"""Hostile surroundings: no descriptors, no signals, no disk, other allocators and tools, odd programs."""
import glob
import os
import resource
import shutil
import stat
import subprocess

import support
from profile_file import profiles
from support import (LIBRARY, RUN, built, check_laws, check_same, clean_environment, execute, expect, expect_equal, expect_same,
                     full, need, report_json, run, scratch, short_or_long, skip, soaks)

BESIDE = True  # no case asserts a time


def profile_by_preload(command, environment, libraries, timeout=None):
    """Runs the command with LD_PRELOAD as given, without ptrace-run; returns (result, run directory)."""
    if support.NATIVE_ONLY:
        others = [l for l in libraries if l != LIBRARY]
        skip("native only: status %d" % execute(command, clean_environment(dict(environment, LD_PRELOAD=" ".join(others)))).status)
    directory = os.path.join(scratch(), "run")
    extra = dict(environment, LD_PRELOAD=" ".join(libraries), PTRACE_OUTPUT=directory, PTRACE_QUIET="1")
    return execute(command, clean_environment(extra), timeout=timeout), directory


def expect_refusal(command, status, *words):
    """ptrace-run does not start the program, and says why in words that hold one of these."""
    if support.NATIVE_ONLY:
        skip("native only")
    result = execute([RUN, "-o", os.path.join(scratch(), "run"), "--"] + command)
    expect_equal("status of ptrace-run for %s" % command[0], result.status, status)
    text = result.stderr_text().lower()
    expect(any(w in text for w in words), "the message %r holds none of %s", text[-300:], words)
    return result


# Descriptors, signals, memory

def test_sixteen_descriptors():
    """RLIMIT_NOFILE of 16, with pthread_exit, which opens libgcc_s. covers: E68"""
    check_same("exceptions", ["exit"], limits={resource.RLIMIT_NOFILE: 16})


def test_descriptors_for_many_threads():
    """200 threads with 32 descriptors. covers: F75"""
    one = check_same("threads", ["crowd", 200], limits={resource.RLIMIT_NOFILE: 32})
    expect_equal("locks", sum(p.counts()["MUTEX_LOCK"] for p in profiles(one)), 200)


def test_four_descriptors_left():
    """The program begins with four descriptors to open: it measures less, and says so."""
    if support.NATIVE_ONLY:
        skip("native only: status %d" % execute([built("resources"), "left", "4", built("equal")]).status)
    directory = os.path.join(scratch(), "run")
    result = execute([RUN, "-q", "-o", directory, "--", built("resources"), "left", "4", built("equal")])
    expect_equal("status", result.status, 0)
    check_laws(report_json(directory), sampling=False)


def test_descriptors_are_the_programs():
    """The tool leaves a program with a limit of 64 at least 40 descriptors. covers: F75"""
    check_same("resources", ["free"])


def test_all_descriptors_closed():
    """close_range from 3 on, then threads, locks, a fork: nothing is written into the program's files. covers: D56"""
    one = check_same("resources", ["close"], laws=False)
    locks = profiles(one)[0].counts()["MUTEX_LOCK"] if len(one.profiles()) == 1 else max(p.counts()["MUTEX_LOCK"] for p in profiles(one))
    expect_equal("locks of the parent", locks, int(one.truth["locks"]))


@full
def test_no_pending_signals_allowed():
    """RLIMIT_SIGPENDING of 0: timer_create fails, the rest goes on. covers: F74"""
    one = check_same("equal", laws=False, limits={getattr(resource, "RLIMIT_SIGPENDING", 11): 0})
    # Samples also take the switch records out of the kernel's ring, which may overflow without them.
    check_laws(one.report, sampling=False, records=False)


@full
def test_fork_with_much_memory_under_samples():
    """fork of a large process takes longer than a sampling period. covers: C44"""
    check_same("resources", ["big"], options=["--sample", "1000"])


def test_smallest_stacks():
    """Threads with the smallest stacks, sampled. covers: C40"""
    check_same("threads", ["small", 5], options=["--sample", "1000"])


# Disk

def test_output_cannot_be_created():
    """An impossible directory: a message, and no half-profiled run."""
    if support.NATIVE_ONLY:
        skip("native only")
    result = execute([RUN, "-o", "/proc/nowhere/run", "--", "/bin/echo", "ran"])
    expect_equal("status", result.status, 125)
    expect(b"ran" not in result.stdout and result.stderr, "stdout %r, stderr %r", result.stdout, result.stderr)


def test_foreign_directory_is_refused():
    """A non-empty directory that is not a run is left alone."""
    if support.NATIVE_ONLY:
        skip("native only")
    directory = scratch()
    with open(os.path.join(directory, "precious"), "w") as file:
        file.write("mine")
    result = execute([RUN, "-o", directory, "--", "/bin/echo", "ran"])
    expect_equal("status; stderr: %s" % result.stderr_text(), (result.status, result.stdout), (125, b""))
    expect_equal("content", os.listdir(directory), ["precious"])


def test_symbolic_link_is_not_followed():
    """The run directory is a link to a directory of someone else."""
    if support.NATIVE_ONLY:
        skip("native only")
    directory, link = scratch(), os.path.join(scratch(), "run")
    os.symlink(directory, link)
    result = execute([RUN, "-o", link, "--", "/bin/echo", "ran"])
    expect_equal("status; stderr: %s" % result.stderr_text(), (result.status, result.stdout), (125, b""))
    expect("symbolic link" in result.stderr_text(), "the message does not say why: %s", result.stderr_text())
    expect_equal("content of the directory behind the link", os.listdir(directory), [])


def test_permissions_of_the_run():
    """Directory 0700, files 0600."""
    one = check_same("threads", ["keys", 1])
    expect_equal("mode of the directory", stat.S_IMODE(os.stat(one.directory).st_mode), 0o700)
    modes = {f: oct(stat.S_IMODE(os.stat(os.path.join(one.directory, f)).st_mode)) for f in os.listdir(one.directory) if f != "symbols"}
    modes.update({f: oct(stat.S_IMODE(os.stat(os.path.join(place, f)).st_mode))
                  for place, _, files in os.walk(os.path.join(one.directory, "symbols")) for f in files})
    expect(set(modes.values()) == {"0o600"}, "modes of the files: %s, expected 0600", modes)


def on_full_disk(kibibytes, check):
    """check(run) of a program with 300 threads, whose run directory is on a file system of that size."""
    place = scratch()
    if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=%dk" % kibibytes, "tmpfs", place],
                                           stderr=subprocess.DEVNULL).returncode:
        skip("a small file system cannot be mounted here")
    try:
        one = run("threads", ["crowd", 300])
        one.directory = os.path.join(place, "run")
        expect_same(one)
        check(one)
    finally:
        subprocess.run(["umount", "-l", place])


def what_is_left(one):
    expect_equal("profiles", len(one.profiles()), 1)
    expect(any("tables of its profile were full" in note for note in one.report["notes"]), "no note says that rows were lost: %s", one.report["notes"])
    # More threads than have rows: what T_i should be is not known.
    check_laws(one.report, sampling=False, complete=False, records=False)


@full
def test_disk_full():
    """The profile begins, and then the disk is full: the program runs as ever (no SIGBUS), the report says that rows are lost, and what it
    has of them adds up."""
    for kibibytes in 256, 512, 1024:
        on_full_disk(kibibytes, what_is_left)


def nothing_is_left(one):
    expect_equal("profiles", one.profiles(), [])
    said = one.profiled.stderr_text()
    expect(said.count("\n") == 1 and "no space left" in said and "-o DIR" in said, "the message does not say that the disk is full: %s", said)


def test_no_inode_left():
    """The same error of the kernel as for a full disk, and another remedy: the directory can be made, and no file in it."""
    place = scratch()
    if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "nr_inodes=2", "tmpfs", place],
                                           stderr=subprocess.DEVNULL).returncode:
        skip("a small file system cannot be mounted here")
    try:
        result = execute([RUN, "-o", os.path.join(place, "run"), "--", "/bin/echo", "ran"])
    finally:
        subprocess.run(["umount", "-l", place])
    expect_equal("status and output", (result.status, result.stdout), (0, b"ran\n"))
    said = result.stderr_text()
    expect("no inode left" in said and "space" not in said, "the message does not say what is used up: %s", said)


def test_disk_full_from_the_beginning():
    """No profile fits at all: the program runs as ever, and the message says why there is none."""
    on_full_disk(40, nothing_is_left)


# No privileges

def test_no_perf_events():
    """perf_event_open fails with EPERM: T_i is estimated, and says so; the rest is as ever."""
    if support.NATIVE_ONLY:
        skip("native only: status %d" % execute([built("no_perf"), built("equal")]).status)
    directory = os.path.join(scratch(), "run")
    result = execute([built("no_perf"), RUN, "-q", "-o", directory, "--", built("equal")])
    expect_equal("status", result.status, 0)
    report = report_json(directory)
    check_laws(report, records=False)
    expect_equal("grade without switch records", report["concurrency"]["on_processor"]["grade"], "estimated")
    expect(any("switch" in note for note in report["notes"]), "no note says why: %s", report["notes"])
    expect(any("seccomp filter" in note and "--cap-add PERFMON" in note for note in report["notes"]), "no remedy: %s", report["notes"])
    expect(not any("paranoid" in note for note in report["notes"]), "a remedy that is none: %s", report["notes"])


def check_killing_filter(command, directory):
    """The program is unharmed, and a note has the remedy. Returns the report."""
    result = execute(command, environment=clean_environment({"PTRACE_OUTPUT": directory}))
    expect_equal("status", result.status, 0)
    report = report_json(directory)
    expect_equal("grade without switch records", report["concurrency"]["on_processor"]["grade"], "estimated")
    expect(any("kills for perf_event_open" in note and "SystemCallFilter" in note for note in report["notes"]), "no remedy: %s", report["notes"])
    return report


@full
def test_filter_that_kills_for_perf_events():
    """As a systemd unit's SystemCallFilter=, by a kill or a signal: of ptrace-run, of a program below it, of the library alone."""
    if support.NATIVE_ONLY:
        skip("native only: status %d" % execute([built("no_perf"), "--kill", built("equal")]).status)
    place, killing = scratch(), [built("no_perf"), "--kill"]
    counting = [RUN, "-q", "-e", "page-faults", "-o", os.path.join(place, "outside"), "--", built("equal")]
    check_killing_filter([*killing, *counting], os.path.join(place, "outside"))
    inner = os.path.join(place, "inside")
    check_killing_filter([RUN, "-q", "-o", inner, "--", built("no_perf"), "--trap", built("equal")], inner)
    check_killing_filter([*killing, "/usr/bin/env", "LD_PRELOAD=" + LIBRARY, built("equal")], os.path.join(place, "alone"))
    listed = execute([*killing, RUN, "--list-events"])
    expect_equal("status of --list-events", listed.status, 0)


# Programs that cannot be preloaded, or not as they are

def check_unprofiled(name):
    """Refused with 125 and a reason; --force, or PTRACE_FORCE=1, runs it."""
    program, directory = built(name), os.path.join(scratch(), "run")
    expect_refusal([program], 125, "static")
    for options, variables in (["--force"], {}), ([], {"PTRACE_FORCE": "1"}):
        forced = execute([RUN, "-q", *options, "-o", directory, "--", program], environment=clean_environment(variables))
        expect_equal("status with %s %s" % (options, variables), forced.status, 0)


@full
def test_static_program():
    """No interpreter. covers: D61"""
    check_unprofiled("equal_static")


@full
def test_static_pie_program():
    """The same, position-independent. covers: D61"""
    check_unprofiled("equal_static_pie")


def test_setuid_program():
    """The loader ignores preloads of setuid programs; for root's own it does not. covers: D60"""
    if os.geteuid() != 0:
        skip("only root can make a setuid program")
    with open("/proc/self/status") as file:
        if "NoNewPrivs:\t1" in file.read():
            skip("a setuid program is an ordinary one for this process (PR_SET_NO_NEW_PRIVS)")
    path = os.path.join(scratch(), "equal")
    shutil.copy(built("equal"), path)
    os.chmod(os.path.dirname(path), 0o755)
    os.chown(path, 65534, 65534)
    os.chmod(path, 0o4755)
    expect_refusal([path], 125, "setuid", "set-user", "set user")


def test_program_of_other_word_size():
    """A 32-bit program. covers: D62"""
    expect_refusal([built("equal_32")], 125, "32")


def test_missing_program():
    """127, as a shell says."""
    expect_refusal([os.path.join(scratch(), "nothing")], 127, "no such file", "not found")


def test_program_that_may_not_be_executed():
    """126, as a shell says."""
    path = os.path.join(scratch(), "plain")
    with open(path, "w") as file:
        file.write("text\n")
    os.chmod(path, 0o644)
    expect_refusal([path], 126, "permission", "cannot execute", "not executable")


def test_script():
    """A script is run by its interpreter, which is profiled."""
    path = os.path.join(scratch(), "script")
    with open(path, "w") as file:
        file.write("#!/bin/sh\necho \"script $1\"\nexit 7\n")
    os.chmod(path, 0o755)
    one = check_same(path, ["argument"])
    expect_equal("status", one.profiled.status, 7)


def test_program_found_by_path():
    """A name without a slash is looked for in PATH."""
    if support.NATIVE_ONLY:
        skip("native only")
    result = execute([RUN, "-q", "-o", os.path.join(scratch(), "run"), "--", "sh", "-c", "exit 3"])
    expect_equal("status", result.status, 3)


def test_environment_is_the_programs():
    """The program sees its own environment, apart from what the tool needs. covers: D55"""
    one = run(need("env"))
    def own(text):
        lines = sorted(text.split(b"\n"))
        return [l for l in lines if not l.startswith((b"PTRACE_", b"LD_PRELOAD=", b"TRUTH_FILE=", b"_="))]
    expect_equal("environment", own(one.profiled.stdout), own(one.native.stdout))


def test_library_missing():
    """An installation without libptrace.so says so, and does not run the program unprofiled. covers: F84"""
    if support.NATIVE_ONLY:
        skip("native only")
    place = scratch()
    os.mkdir(os.path.join(place, "bin"))
    shutil.copy(RUN, os.path.join(place, "bin"))
    result = execute([os.path.join(place, "bin", "ptrace-run"), "-o", os.path.join(place, "run"), "--", "/bin/echo", "ran"])
    expect_equal("status", result.status, 125)
    expect(b"ran" not in result.stdout and b"libptrace" in result.stderr, "stdout %r, stderr %r", result.stdout, result.stderr)


# The library as such

def symbols(option):
    if support.NATIVE_ONLY:
        skip("native only")
    text = subprocess.run([need("nm"), "-D", option, LIBRARY], stdout=subprocess.PIPE, check=True).stdout.decode()
    return {line.split()[-1].split("@")[0] for line in text.splitlines()}


def test_library_needs_libc_alone():
    """No unwinder, no libgcc_s, no libpthread among what it needs. covers: B19, E65, E67"""
    if support.NATIVE_ONLY:
        skip("native only")
    text = subprocess.run([need("readelf"), "-d", LIBRARY], stdout=subprocess.PIPE, check=True).stdout.decode()
    needed = {line.split("[")[1].rstrip("]") for line in text.splitlines() if "(NEEDED)" in line}
    expect(needed <= {"libc.so.6"}, "NEEDED is %s, expected libc.so.6 alone", needed)


def test_library_maps_memory_by_system_calls():
    """UCX patches the C library's mmap, and takes locks there: a sample that came while such a lock was held, and made the
    profile grow, waited for itself (one in 20 runs of an MPICH program with windows). covers: A8"""
    bad = symbols("--undefined-only") & {"mmap", "mmap64", "munmap", "mremap", "madvise", "brk", "sbrk", "shmat", "shmdt"}
    expect(not bad, "the library calls %s of the C library", bad)


def test_library_wraps_nothing_dangerous():
    """It does not define dlopen, dlsym, vfork, malloc, mmap. (What allocators open and read while they start goes to the kernel:
    io_wrapper.h, wrap_io_open.c.) covers: A2, B20, D52, F85"""
    bad = symbols("--defined-only") & {"dlopen", "dlsym", "dlvsym", "dlclose", "vfork", "malloc", "calloc", "realloc", "free",
                                       "mmap", "getenv", "_Unwind_RaiseException"}
    expect(not bad, "the library defines %s", bad)


def test_library_has_no_dynamic_thread_storage():
    """No __tls_get_addr (it allocates at first touch), no pthread_once, no atexit. covers: A6, A7, C37"""
    bad = symbols("--undefined-only") & {"__tls_get_addr", "pthread_once", "atexit", "__cxa_atexit"}
    expect(not bad, "the library imports %s", bad)


def test_plain_preload_without_settings():
    """LD_PRELOAD alone, without any PTRACE_ variable: a run directory in the current one. covers: A14"""
    if support.NATIVE_ONLY:
        skip("native only")
    place = scratch()
    result = execute([built("equal")], clean_environment({"LD_PRELOAD": LIBRARY}), directory=place)
    expect_equal("status", result.status, 0)
    found = glob.glob(os.path.join(place, "*.ptrace.*"))
    expect_equal("run directories", [os.path.basename(f) for f in found], ["equal.ptrace.1"])
    check_laws(report_json(found[0]))


def test_preloaded_twice():
    """The library is in LD_PRELOAD twice. covers: A12"""
    result, directory = profile_by_preload([built("equal")], {}, [LIBRARY, LIBRARY])
    expect_equal("status", result.status, 0)
    check_laws(report_json(directory))


# Other libraries in the same program

def library(pattern):
    found = sorted(glob.glob("/usr/lib/*/" + pattern))
    return found[0] if found else skip("%s is not installed" % pattern)


def check_beside(other, environment, program, arguments, first=True):
    """The program with another preloaded library, before or behind the profiler."""
    command = [built(program)] + arguments
    native = execute(command, clean_environment(dict(environment, LD_PRELOAD=other)))
    libraries = [other, LIBRARY] if first else [LIBRARY, other]
    result, directory = profile_by_preload(command, environment, libraries)
    expect_equal("status", result.status, native.status)
    expect_equal("stdout", result.stdout, native.stdout)
    check_laws(report_json(directory))


def test_jemalloc_before():
    """covers: A1, A2, A13"""
    check_beside(library("libjemalloc.so.2"), {}, "threads", ["churn", "5000"])


def test_jemalloc_behind():
    """covers: A1, A2, A13"""
    check_beside(library("libjemalloc.so.2"), {}, "exceptions", ["throw"], first=False)


def test_jemalloc_profiling():
    """Its heap profiler unwinds inside malloc, under samples. covers: A3, C38"""
    check_beside(library("libjemalloc.so.2"), {"MALLOC_CONF": "prof:true,lg_prof_sample:10", "PTRACE_SAMPLE": "1000"}, "exceptions", ["locks"])


def test_tcmalloc_before():
    """covers: A1, A4, A5"""
    check_beside(library("libtcmalloc.so.4"), {}, "threads", ["churn", "5000"])


def test_tcmalloc_behind():
    """covers: A1, A4, A5"""
    check_beside(library("libtcmalloc.so.4"), {}, "exceptions", ["throw"], first=False)


@full
def test_tcmalloc_profiling():
    """Its heap profiler takes a lock and unwinds inside malloc, under samples. covers: A3, A5, C32, C38"""
    environment = {"HEAPPROFILE": os.path.join(scratch(), "heap"), "PTRACE_SAMPLE": "1000"}
    check_beside(library("libtcmalloc.so.4"), environment, "exceptions", ["throw"])


def test_allocator_that_locks():
    """An allocator whose own mutex is a wrapped one: wrappers must not allocate. covers: A4, A6, A7, A8, A9"""
    check_beside(built("liblockmalloc.so"), {"PTRACE_SAMPLE": "1000"}, "exceptions", ["throw"])


def test_allocator_that_locks_while_threads_fork():
    """covers: A8, D57, D59"""
    check_beside(built("liblockmalloc.so"), {}, "threads", ["churn", "2000"], first=False)


def test_other_interposer_before():
    """Another tool wraps the same calls and sees as much as natively. covers: B18, B25"""
    check_beside(built("libinterposer.so"), {}, "threads", ["churn", "2000"])


def test_other_interposer_behind():
    """Behind the profiler it sees the threads; locks that are tried first it may miss. covers: B18, B25"""
    command = [built("threads"), "churn", "2000"]
    result, directory = profile_by_preload(command, {}, [LIBRARY, built("libinterposer.so")])
    expect_equal("status", result.status, 0)
    expect(b"2001 threads" in result.stdout, "stdout %r, expected 2001 threads", result.stdout)
    check_laws(report_json(directory))


def test_own_locks_behind():
    """A library has C11 locks of its own, whose data differs from libc's."""
    check_beside(built("libtickets.so"), {}, "served", [], first=False)


def test_own_syscall():
    """Only the program calls its own syscall()."""
    one = run("own_syscall")
    expect_same(one)
    check_laws(one.report)
    expect_equal("calls", one.profiled.stdout, b"0 calls of syscall\n")


@full
def test_other_sampling_profiler():
    """gperftools' profiler in the same process. covers: E72"""
    other = library("libprofiler.so.0")
    check_beside(other, {"CPUPROFILE": os.path.join(scratch(), "cpu.prof")}, "equal", [])


@full
def test_address_sanitizer():
    """The preloaded library follows the sanitizer's runtime. covers: B24"""
    check_same("equal_asan")


def test_thread_sanitizer():
    """The sanitizer wraps the same calls. covers: B18, B24, B25"""
    check_same("holder_tsan", ["mutex", "2"])


@full
def test_gprof_program():
    """A program made with -pg owns SIGPROF, and still writes its gmon.out. covers: E71"""
    place = scratch()
    one = check_same("equal_pg", directory=place)
    expect(os.path.exists(os.path.join(place, "gmon.out")), "gmon.out was not written")
    expect(sum(t["samples"] for t in one.report["threads"]) > 0, "no samples beside gprof")


# The loader

def test_locks_before_main_and_after():
    """A library's constructor and destructor use what is wrapped. covers: A10, A11, A12"""
    check_same("loader", ["early"])


def test_plugin_found_by_runpath():
    """covers: F85"""
    check_same("loader", ["runpath"])


def test_plugin_bound_deeply():
    """RTLD_DEEPBIND. covers: B26"""
    check_same("loader", ["deepbind"])


def test_second_namespace():
    """dlmopen. covers: F83"""
    check_same("loader", ["namespace"])


@soaks
def test_storm_of_the_loader():
    """dlopen, dlclose, dlsym, dl_iterate_phdr in four threads, under samples. covers: C29, C30, C31, C34, C35, F79, F80"""
    for _ in range(short_or_long(1, 100)):
        check_same("loader", ["storm"], options=["--sample", "1000"])


@soaks
def test_threads_at_the_highest_rate():
    """Threads begin and end under samples. covers: C35, C36, C37, C41"""
    check_same("threads", ["churn", short_or_long(20000, 400000)], options=["--sample", "10000"], timeout=short_or_long(None, 600))
