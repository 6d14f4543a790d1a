# SPDX-License-Identifier: MIT
"""The laws of conservation, for any report (docs/report.md): what must hold for every run, whatever the program.

No tolerance depends on what the tool says of its own figures: which of them may be unknown, or less certain, is decided by the
case or by the kernel (kernel.py)."""
import re
import math

import kernel
from verdict import close, expect, fail

def ready_seconds(report):
    """Time for which other programs had the processors of this one: by so much two clocks that are read one after the other may differ."""
    return sum(thread["ready_seconds"] or 0 for thread in report["threads"])


def check_laws(report, sampling=True, complete=True, records=True):
    """complete=False: the program was killed, so that threads may end at different instants in the profile.
    records=False: there are no context-switch records, by what the case did; T_i may be off then."""
    check_numbers(report)
    check_threads(report, complete)
    if complete:
        check_short_lives(report)
    check_concurrency(report, complete, records)
    check_routines(report, sampling)
    check_elapsed(report, complete)
    check_blame(report)


# Of the job's efficiency; its other members are seconds, ranks and threads.
FRACTIONS = ("parallel", "load_balance", "communication", "inner_load_balance", "outer_load_balance", "timeline_parallel")


def check_numbers(value, path="report"):
    """No NaN, no infinity, nothing negative where time or counts are meant, percentages below 100."""
    if isinstance(value, dict):
        for key, item in value.items():
            check_numbers(item, "%s.%s" % (path, key))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            check_numbers(item, "%s[%d]" % (path, number))
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        expect(math.isfinite(value), "%s is %r", path, value)
        last = path.rsplit(".", 1)[-1]
        if last.endswith("_seconds") or last in ("seconds", "count", "contended", "samples", "efficiency_percent", "ceff_percent"):
            expect(value >= 0, "%s is negative: %r", path, value)
        if last in ("efficiency_percent", "sequential_percent", "ceff_percent", "percent"):
            expect(value <= 100.000001, "%s is above 100: %r", path, value)
        if ".efficiency." in path and last in FRACTIONS:
            expect(-1e-9 <= value <= 1 + 1e-9, "%s is no fraction of 1: %r", path, value)


def thread_cpu(report):
    return sum((t["user_seconds"] or 0) + (t["system_seconds"] or 0) for t in report["threads"])


PARTS = ("user_seconds", "system_seconds", "ready_seconds", "blocked_seconds")


SHORT_LIFE = 0.02


def check_threads(report, complete):
    """A thread's time has four parts. All are known, unless the kernel does not tell how long a thread was ready, or the
    thread ended while a standard descriptor was closed; then there is a note.""" 
    may_lack_ready = not kernel.knows_ready_time() or any("standard input" in note for note in report["notes"])
    for thread in report["threads"]:
        what = "thread %s %s" % (thread["tid"], thread["name"])
        check_split(what, thread)
        parts = [thread[k] for k in PARTS]
        unknown = [k for k in PARTS + ("elapsed_seconds",) if thread[k] is None]
        check_begin(what, thread, report, complete)
        expect(not complete or not unknown or unknown == ["ready_seconds"] and may_lack_ready, "%s: unknown: %s", what, unknown)
        if unknown or thread["elapsed_seconds"] <= SHORT_LIFE:
            continue
        # What a killed program did after its last update is not known.
        allowed, floor = (0.01, 0.001) if complete else (0.1, 0.03)
        expect(close(sum(parts), thread["elapsed_seconds"], allowed, floor),
               "%s: user+system+ready+blocked = %s = %.6f, elapsed %.6f (%g %%, at least %g)", what, "+".join("%.6f" % p for p in parts),
               sum(parts), thread["elapsed_seconds"], 100 * allowed, floor)


def check_begin(what, thread, report, complete):
    """A life is within the run. Of a row of several short threads it is not known when they began."""
    begin, elapsed = thread["begin_seconds"], report["run"]["elapsed_seconds"]
    is_one_clock = report["run"]["hosts"] == 1 and not any("clocks of processes" in note for note in report["notes"])
    expect((begin is None) == (thread["lives"] > 1), "%s: %d lives begin at %s", what, thread["lives"], begin)
    expect(begin is None or 0 <= begin <= elapsed, "%s begins at %s of a run of %.9f s", what, begin, elapsed)
    if complete and begin is not None and is_one_clock:
        end = begin + thread["elapsed_seconds"]
        expect(end <= elapsed + 1e-6, "%s ends at %.9f s of a run of %.9f s", what, end, elapsed)


def check_split(what, thread):
    """CPU time is exact, and never more so than by that: kernels sample which part of it is the program's. Of a thread that was killed in
    its first wait nobody has read it."""
    cpu, split = thread["cpu_seconds"], thread["user_seconds"] + thread["system_seconds"]
    expect(close(cpu, split, 0, 2e-9), "%s: CPU time %.9f, user + system %.9f", what, cpu, split)
    expect(thread["user_system_grade"] in (("sampled",) if cpu else ("exact", "estimated")), "%s: the split of %.9f s is %s", what, cpu, thread["user_system_grade"])


def check_short_lives(report):
    """The parts of short lives are too small to be judged one by one, and a row may hold many of them. A host that takes a processor
    away in the middle of a switch has that time counted twice, as CPU time and off the processor: 1 ms, as of any thread."""
    short = [t for t in report["threads"] if all(t[k] is not None for k in PARTS) and t["elapsed_seconds"] is not None
             and t["elapsed_seconds"] <= SHORT_LIFE]
    elapsed = sum(t["elapsed_seconds"] for t in short)
    parts = sum(t[k] for t in short for k in PARTS)
    lives = sum(t["lives"] for t in short)
    expect(close(parts, elapsed, 0.02, 0.001 + 1e-5 * lives), "%d short lives: user+system+ready+blocked = %.6f, elapsed %.6f",
           lives, parts, elapsed)


def check_concurrency(report, complete, records):
    for name, part in report["concurrency"].items():
        levels = part and part.get("levels")
        if not levels:
            continue
        process = process_of_levels(report, name, part, sum(level["seconds"] for level in levels))
        check_executing(name, part)
        check_bound(report, name, part, process)
        if name in ("on_processor", "process_on_processor") and complete and records and not kernel.switch_records_refused():
            check_processor_time(report, part, process)


def check_bound(report, name, part, process):
    """Of a killed program as well: levels by their number are no more than the CPU time, of which useful time is a part."""
    busy, cpu = sum(level["active"] * level["seconds"] for level in part["levels"]), process["cpu_seconds"]
    allowed = 1.01 * cpu + end_in_kernel(process)
    expect(busy <= allowed, "%s: sum of i*T_i = %.6f, CPU time of the process %.6f (at most %.6f; %s)", name, busy, cpu, allowed, part["grade"])


def end_in_kernel(process):
    """A thread's end in the kernel comes after the last reading of its CPU clock."""
    return 0.003 + 50e-6 * process["threads"]


def nanoseconds(seconds):
    return round((seconds or 0) * 1e9)


def check_executing(name, part):
    """Malony's figures, of the time in which any thread was active: E = T - T_0, CU_i = T_i / E, CAVG = sum(i CU_i), limit = 1 / CU_1."""
    executing = [level for level in part["levels"] if level["active"]]
    whole = sum(level["seconds"] for level in executing)
    expect(nanoseconds(part["virtual_seconds"]) == sum(nanoseconds(level["seconds"]) for level in executing),
           "%s: virtual_seconds = %r, T - T_0 = %.9f", name, part["virtual_seconds"], whole)
    if not whole:
        return
    utilization = dict(enumerate(part["cu"], 1))
    for level in executing:
        expect(close(utilization[level["active"]], level["seconds"] / whole, 1e-6, 1e-6), "%s: CU_%d = %r of %.9f s in %.9f", name,
               level["active"], utilization[level["active"]], level["seconds"], whole)
    expect(close(sum(part["cu"]), 1, 1e-6, 1e-6), "%s: sum of CU_i = %.9f", name, sum(part["cu"]))
    expect(close(part["cavg"], sum(i * share for i, share in utilization.items()), 1e-6, 1e-6), "%s: CAVG = %r, CU_i %s", name,
           part["cavg"], part["cu"])
    limit = part["executing_limit"]
    # CU_1 has nine decimals: few significant digits for a program that hardly ever runs alone
    expect(limit is None or close(limit * utilization[1], 1, 1e-6 + limit * 1e-9, 0), "%s: limit %r, CU_1 %r", name, limit, utilization[1])


HOST_SLICE = 0.03


def check_processor_time(report, part, process):
    """Levels by their number are CPU time; and they were recorded, not only made to agree with it afterwards, as the analyzer does with
    what it estimates. T_i of a job is always made of the ranks' own."""
    busy, cpu = sum(level["active"] * level["seconds"] for level in part["levels"]), process["cpu_seconds"]
    floor = end_in_kernel(process)
    expect(close(busy, cpu, 0.01, floor), "sum of i*T_i = %.6f, CPU time of the process %.6f (1 %%, at least %g; %s)", busy, cpu, floor, part["grade"])
    if part.get("ranks") or part.get("processes") or report["concurrency"]["on_processor"].get("ranks"):
        return
    # A switch takes some 10 us, which records and CPU clocks share out in their own ways; and where the host of a virtual machine takes a
    # processor away, records go on and CPU clocks stop: for a time slice of the host now and then that the kernel did not count, and what
    # it counted, in ticks. How far records and clocks are apart is in no report: exact.py reads it from the profiles.
    stolen = report["run"].get("stolen_seconds") or 0
    missing = HOST_SLICE + (stolen + 0.01 if stolen else 0)
    may_differ = part["grade"] == "sampled" and 0.01 * cpu <= floor + 20e-6 * switches(report) + missing
    expect(part["grade"] == "exact" or may_differ or may_be_in_windows(report),
           "T_i is %s, although the kernel gives switch records and %d switches are few; notes: %s", part["grade"], switches(report), report["notes"])


def switches(report):
    return sum((t["voluntary_switches"] or 0) + (t["involuntary_switches"] or 0) for t in report["threads"])


def may_be_in_windows(report):
    """Thousands of records are expensive; a switch makes two. A short program may end before its first window."""
    if any("was not started by a wrapped call" in note for note in report["notes"]):
        return True  # nobody foresaw the second thread: records begin late, and further threads come meanwhile
    return switches(report) >= 400 and any("in windows" in note for note in report["notes"])


def job_of_levels(report):
    """The ranks of a job together, or all processes, as if they were one process."""
    return {"elapsed_seconds": report["run"]["elapsed_seconds"], "threads": report["run"]["threads"],
            "cpu_seconds": sum(p["cpu_seconds"] or 0 for p in report["processes"])}


def process_of_levels(report, name, part, total):
    """T_i is that of one process image, whose pid it has, of a job, or of all; its sum is exactly the elapsed time of that one."""
    images = [p for p in report["processes"] if part.get("pid") in (None, p["pid"])]
    if part.get("ranks") or part.get("processes"):
        images = [job_of_levels(report)]
    for process in images:
        if close(total, process["elapsed_seconds"], 1e-6, 2e-6):
            return process
    return fail("sum of T_i (%s) = %.9f, elapsed %s (1e-6)", name, total, ", ".join("%.9f" % p["elapsed_seconds"] for p in images))


def slowed_period(report):
    """Seconds between samples, where a note says that they would have exceeded the budget."""
    said = [re.search(r"lengthened to (\d+) us", note) for note in report["notes"]]
    return max([int(found.group(1)) / 1e6 for found in said if found], default=0)


# CPU time up to a thread's next sample: one period, which ends on a tick of the kernel; where the thread shares a processor, so that ticks
# meet others, three of them.
NEXT_SAMPLE, NEXT_SAMPLE_SHARED = 0.009, 0.027


def unsampled_seconds(report):
    """CPU time that no sample claims: beside other programs ticks find a thread seldom, and what it does after the last one may be 5 %."""
    return sum(r["self_seconds"] or 0 for r in report["routines"] if r["name"] == "[unsampled]")


def unsampled_at_most(thread, slowed):
    """What follows a thread's last sample, up to where the next one would be. A thread that is short or shares a processor may run between
    ticks alone (it yields), so that its samples are as far apart as they are, and as irregular: ten times their mean distance, which one distance of 20,000 exceeds
    if they come at random (six times: one of 400, and a thread that blocks in 50 calls beside two loops met it)."""
    cpu, ready = (thread["user_seconds"] or 0) + (thread["system_seconds"] or 0), thread["ready_seconds"] or 0
    is_undisturbed = cpu > 0.2 and ready < 0.1 * cpu
    tail = NEXT_SAMPLE if is_undisturbed else max(NEXT_SAMPLE_SHARED, 10 * cpu / (1 + thread["samples"]))
    return min(cpu, max(0.02 * cpu, tail, 3 * slowed))


def check_routines(report, sampling):
    cpu = thread_cpu(report)
    own = sum(r["self_seconds"] or 0 for r in report["routines"])
    expect(close(own, cpu, 1e-6, 2e-6), "sum of routines' self time = %.9f, CPU time of all threads %.9f (1e-6)", own, cpu)
    check_shares(report)
    if not sampling:
        return
    unsampled = unsampled_seconds(report)
    slowed = slowed_period(report)
    allowed = sum(unsampled_at_most(thread, slowed) for thread in report["threads"])
    expect(unsampled <= allowed + 1e-6, "[unsampled] = %.6f, allowed %.6f (2 %% of a thread's CPU time, 9 or 27 ms at least, or 10 samples)", unsampled, allowed)


def check_shares(report):
    """Routines have shares of elapsed time, and of the part with one thread on a processor, that sum to what T_i of the process images says,
    to the nanosecond; of a job these are the sums over its images."""
    images = report["processes"]
    for row in report["routines"]:
        elapsed, alone = row["elapsed_seconds"] or 0, row["alone_seconds"] or 0
        expect(0 <= alone <= elapsed, "%s: alone %.9f of its share of elapsed time, %.9f", row["name"], alone, elapsed)
        expect(row["average_concurrency"] is None or row["average_concurrency"] >= 1 - 1e-6 or elapsed < 1e-6,
               "%s: average concurrency %r", row["name"], row["average_concurrency"])
    if any(image["executing_seconds"] is None for image in images):
        return
    for part, whole, what in (("elapsed_seconds", "executing_seconds", "T - T_0"), ("alone_seconds", "sequential_seconds", "T_1")):
        shares = sum(nanoseconds(row[part]) for row in report["routines"])
        wanted = sum(nanoseconds(image[whole]) for image in images)
        expect(shares == wanted, "sum of routines' %s = %d ns, %s of %d images %d ns", part, shares, what, len(images), wanted)


def check_elapsed(report, complete=True):
    """Waits are added to CPU time, and what waits used of it counts once: no routine took longer than its threads lived, nor all by
    themselves (but for what no sample claimed, which may lie in their waits). Clocks of a thread are read one after the other, and a host
    may stop one of them; of a killed program neither was read at its end."""
    rows, threads = report["routines"], report["threads"]
    for row in rows:
        what = {part: nanoseconds(row[part]) for part in ("self_seconds", "total_seconds", "elapsed_self_seconds", "elapsed_total_seconds")}
        expect(row["elapsed_self_seconds"] is not None and row["elapsed_total_seconds"] is not None, "%s: elapsed time is unknown", row["name"])
        own, with_calls = what["elapsed_self_seconds"] - what["self_seconds"], what["elapsed_total_seconds"] - what["total_seconds"]
        expect(0 <= own <= with_calls, "%s: waits added to self %d ns, to total %d ns", row["name"], own, with_calls)
    if any(t[part] is None for t in threads for part in ("elapsed_seconds", "cpu_seconds")):
        return
    lives = sum(max(t["elapsed_seconds"], t["cpu_seconds"]) for t in threads)
    allowed = lives + (1e-6 if complete else 0.03) * (1 + sum(t["lives"] for t in threads))
    for row in rows:
        expect(row["elapsed_total_seconds"] <= allowed, "%s: elapsed total %.9f, its threads lived %.9f", row["name"], row["elapsed_total_seconds"], lives)
    unsampled = sum(row["self_seconds"] for row in rows if row["name"] == "[unsampled]")
    spent = sum(row["elapsed_self_seconds"] for row in rows)
    expect(spent <= allowed + unsampled, "sum of elapsed_self_seconds = %.9f, the threads lived %.9f, unsampled %.9f", spent, lives, unsampled)


# What a descriptor stands for: nobody is blamed for waits for it.
BLAMELESS = {"file", "directory", "pipe", "socket", "terminal", "device", "eventfd", "timerfd", "signalfd", "epoll", "inotify", "queue",
             "descriptor"}


def check_blame(report):
    waited, blamed = {}, {}
    for row in report["synchronization"]:
        key = (row["kind"], row["object"], row["name"], row["created_at"])
        waited[key] = waited.get(key, 0) + (row["wait_seconds"] or 0)
        blamed[key] = blamed.get(key, 0) + sum(b["seconds"] for b in row["blame"])
        told = sum(w["seconds"] for w in row["waiters"])
        expect(close(told, row["wait_seconds"] or 0, 1e-6, 2e-6), "%s %s: sum of waiters = %.9f, wait_seconds %.9f (1e-6)",
               row["kind"], row["name"] or row["object"], told, row["wait_seconds"] or 0)
    for key, seconds in waited.items():
        if key[0] in BLAMELESS:
            expect(not blamed[key], "blame for a %s: %.9f", key[0], blamed[key])
            continue
        expect(close(blamed[key], seconds, 1e-6, 2e-6), "%s %s: sum of blame = %.9f, sum of wait_seconds %.9f (1e-6)",
               key[0], key[2] or key[1], blamed[key], seconds)
