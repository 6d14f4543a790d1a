# SPDX-License-Identifier: MIT
"""What other programs took of the processors: measured, whether there are any or not, and never including the run itself."""
import json
import os
import resource
import subprocess
import sys
import time

from support import (REPORT, RUN, clean_environment, execute, expect, expect_between, expect_equal, expect_near, report_json, report_text,
                     scratch, skip)

BESIDE = True  # whoever runs beside it is one of the others, and is counted here as well

SECONDS = 1.0
BURN = "import time\nend = time.monotonic() + %g\nwhile time.monotonic() < end: pass\n"


def cpu_of(pid):
    """CPU time so far of a process with one thread (s)."""
    with open("/proc/%d/schedstat" % pid) as file:
        return int(file.read().split()[0]) / 1e9


def idle_and_stolen(processors):
    tick, seconds = 1 / os.sysconf("SC_CLK_TCK"), 0.0
    with open("/proc/stat") as file:
        for line in file:
            words = line.split()
            if words[0].startswith("cpu") and words[0][3:].isdigit() and int(words[0][3:]) in processors:
                seconds += (int(words[4]) + int(words[5]) + int(words[8])) * tick
    return seconds


def own_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measured(command, processors):
    """(report of the profiled command, CPU time of others meanwhile by the test's own reading, by how much that may be wrong)

    Elapsed time goes around the counts: on a busy machine this process loses the processor between the two, and what is used then
    is neither idle nor its own."""
    out = os.path.join(scratch(), "run")
    everybody = os.sched_getaffinity(0)
    os.sched_setaffinity(0, processors)
    try:
        begin, own, before = time.monotonic(), own_seconds(), idle_and_stolen(processors)
        result = execute([RUN, "-q", "-o", out, "--"] + command)
        idle, own, elapsed = idle_and_stolen(processors) - before, own_seconds() - own, time.monotonic() - begin
    finally:
        os.sched_setaffinity(0, everybody)
    expect_equal("status", result.status, 0)
    report = report_json(out)
    others = len(processors) * elapsed - idle - own
    outside = len(processors) * (elapsed - report["run"]["elapsed_seconds"])  # before and after the program
    return report, others, outside


def check(report, others, outside):
    got, error = report["run"]["others_seconds"], report["run"]["others_error_seconds"]
    if got is None:
        skip("this kernel does not tell what its processors did")
    expect_between("time of others", got, max(0, others - outside), max(0, others), 0, 2 * error)
    return got, error


# Until a process has used so much more CPU time (s).
AWAIT = """
import time
def used(): return int(open("/proc/%d/schedstat").read().split()[0]) / 1e9
end, most = used() + %g, time.monotonic() + 60
while used() < end and time.monotonic() < most: time.sleep(0.01)
"""
BURNT = 0.3


def test_a_foreign_program_is_seen():
    """A program sleeps until another one has burnt the processor that both may use: its CPU time is that of others."""
    processor = {min(os.sched_getaffinity(0))}
    burner = subprocess.Popen(["taskset", "-c", str(min(processor)), sys.executable, "-c", BURN % 90])
    try:
        before = cpu_of(burner.pid)
        report, others, outside = measured([sys.executable, "-c", AWAIT % (burner.pid, BURNT)], processor)
        burnt = cpu_of(burner.pid) - before
    finally:
        burner.kill()
        burner.wait()
    got, error = check(report, others, outside)
    expect(got >= burnt - outside - error, "others had %.3f s, one of them alone %.3f s", got, burnt)
    expect(burnt >= BURNT, "the other program had no processor: %.3f s in a minute", burnt)


def test_others_are_of_the_run_alone():
    """The profile ends at an exec that is not profiled, the program much later: others had no more than the run's own time."""
    processors = os.sched_getaffinity(0)
    burners = [subprocess.Popen([sys.executable, "-c", BURN % (4 * SECONDS)]) for _ in processors]
    try:
        report, _, _ = measured(["/usr/bin/env", "-u", "LD_PRELOAD", "sleep", str(SECONDS)], processors)
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()
    run = report["run"]
    if run["others_seconds"] is None:
        skip("this kernel does not tell what its processors did")
    most = run["processors"] * run["elapsed_seconds"] - run["cpu_seconds"]
    expect(run["others_seconds"] <= max(0, most) + 1e-6, "others had %.6f s, there were %.6f", run["others_seconds"], most)


def test_the_program_is_no_other():
    """It burns the processors, half of it in a process that is not profiled: by the test's own reading that is no other either."""
    processors = os.sched_getaffinity(0)
    busy = "%s -c '%s' & env -u LD_PRELOAD %s -c '%s'; wait" % (sys.executable, BURN % SECONDS, sys.executable, BURN % SECONDS)
    report, others, outside = measured(["sh", "-c", busy], processors)
    check(report, others, outside)


def test_what_no_profile_has_is_said():
    """Processes that do nothing: what they use for exec, loading and exit is more than their profiles have."""
    out = os.path.join(scratch(), "run")
    before = own_seconds()
    result = execute([RUN, "-q", "-o", out, "--", "sh", "-c", "i=0; while [ $i -lt 100 ]; do /bin/true; i=$((i+1)); done"])
    used = own_seconds() - before
    expect_equal("status", result.status, 0)
    with open(os.path.join(out, "processors.json")) as file:
        children = json.load(file)["children_cpu_ns"] / 1e9
    run = report_json(out)["run"]
    found, profiles = run["unprofiled_cpu_seconds"], run["cpu_seconds"] + run["beyond_cpu_seconds"]
    expect_near("CPU time of the profiles and of none", found + profiles, children, 1e-6, 1e-6)
    expect(children <= used + 1e-3, "the processes used %g s, with ptrace-run it is %g s", children, used)
    expect(found > profiles, "%g s in no profile, of processes that do nothing; %g s in profiles", found, profiles)
    expect_between("of it the profiler's start (s)", run["unprofiled_start_seconds"], 1e-3, found)
    expect("of CPU time in no other figure" in report_text(out), "it is not said")


def test_of_a_program_that_computes_all_is_in_the_profile():
    out = os.path.join(scratch(), "run")
    execute([RUN, "-q", "-o", out, "--", sys.executable, "-c", "import time\nwhile time.process_time() < %g: pass" % SECONDS])
    run = report_json(out)["run"]
    expect(run["unprofiled_cpu_seconds"] is not None, "it is not known")
    expect("of CPU time in no other figure" not in report_text(out), "%g s in no profile are said", run["unprofiled_cpu_seconds"])


def test_of_a_run_that_was_joined_nothing_is_known():
    """A start that joined its own run, as it took its own place: what the second measured does not cover the first."""
    out = os.path.join(scratch(), "run")
    joined = execute([RUN, "-q", "--exec", "-o", out, "/usr/bin/env", "-i", RUN, "-q", "-o", out, "/bin/true"])
    expect_equal("status", joined.status, 0)
    expect("processors.json" in os.listdir(out), "the second has measured nothing: %s", os.listdir(out))
    expect_equal("others", report_json(out)["run"]["others_seconds"], None)


def test_a_killed_launcher_leaves_it_unknown():
    """SIGKILL for ptrace-run ends the program, and nobody has read what the processors did."""
    out = os.path.join(scratch(), "run")
    process = subprocess.Popen([RUN, "-q", "-o", out, "sleep", "60"], env=clean_environment())
    end = time.monotonic() + 20
    while time.monotonic() < end and execute([REPORT, out]).status not in (0, 1):
        time.sleep(0.01)
    process.kill()
    process.wait()
    time.sleep(0.2)
    expect_equal("others", report_json(out)["run"]["others_seconds"], None)
