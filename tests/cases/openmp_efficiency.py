# SPDX-License-Identifier: MIT
"""Serial part, parallel efficiency and its factors, and the average concurrency of OpenMP programs.

Efficiencies by the definitions of DLB's TALP, computed here from what the programs measured themselves."""
from openmp_job import TEAM, Job, each_of, each_runtime, first_floor, told_region, undisturbed
from support import expect, expect_equal, expect_near, full, timing


def stretches(told, clock="elapsed_seconds"):
    return [t[clock] for t in told["threads"]]


def serial_time(runtime):
    job = Job(runtime, "serial")
    facts = job.truth["facts"]
    regions = sum(r["elapsed_seconds"] for r in job.truth["regions"])
    process = job.run.report["processes"][0]
    with timing():
        expect_near("time in regions", job.openmp["region_seconds"], regions, floor=first_floor(runtime))
        # All of the first thread's life but the regions: the parts between them, and the program's start and end.
        expect_near("serial part", job.openmp["serial_seconds"], process["elapsed_seconds"] - regions, floor=first_floor(runtime))
    least = facts["serial_seconds"] + facts["asleep_seconds"]
    expect(job.openmp["serial_seconds"] >= 0.97 * least, "serial part %.6f, the parts between regions %.6f", job.openmp["serial_seconds"], least)


def test_openmp_serial_part():
    each_runtime(undisturbed(serial_time))


def expected_efficiency(job):
    """(load balance, scheduling, serialization), from the truth of `serial`: a balanced region and a serialized one."""
    together, alone = told_region(job, "together"), told_region(job, "serialized")
    serial = job.run.report["processes"][0]["elapsed_seconds"] - together["elapsed_seconds"] - alone["elapsed_seconds"]
    work = sum(stretches(together)) + sum(stretches(alone))
    useful = work + serial
    not_parallel = (TEAM - 1) * serial + (TEAM - 1) * alone["elapsed_seconds"]
    lost = TEAM * together["elapsed_seconds"] + alone["elapsed_seconds"] - work
    return useful, not_parallel, lost


def efficiency(runtime):
    job = Job(runtime, "serial")
    useful, not_parallel, lost = expected_efficiency(job)
    found = job.openmp["efficiency"]
    with timing():
        expect_near("serialization", found["serialization"], useful / (useful + not_parallel), floor=0.01)
        expect_near("load balance x scheduling", found["load_balance"] * found["scheduling"], (useful + not_parallel) / (useful + not_parallel + lost),
                    floor=0.01)
        expect_near("parallel efficiency", found["parallel"], useful / (useful + not_parallel + lost), floor=0.01)
    expect_equal("efficiencies of MPI, without MPI", (found["hybrid_parallel"], found["mpi_parallel"]), (None, None))


def test_openmp_efficiency_of_serial_program():
    """Two thirds of the time in a balanced region, the rest alone: serialization is what is lost."""
    each_runtime(undisturbed(efficiency))


def ramp(runtime):
    job = Job(runtime, "ramp")
    told, found = told_region(job, "ramp"), job.openmp["efficiency"]
    work, whole = stretches(told), TEAM * told["elapsed_seconds"]
    serial = job.run.report["processes"][0]["elapsed_seconds"] - told["elapsed_seconds"]
    useful, not_parallel, lost = sum(work) + serial, (TEAM - 1) * serial, whole - sum(work)
    with timing():
        expect_near("parallel efficiency", found["parallel"], useful / (useful + not_parallel + lost), floor=0.01)
    # Nearly all of it is imbalance: the member with most work has hardly anything else.
    busy = (useful + not_parallel) / (useful + not_parallel + whole - TEAM * (told["elapsed_seconds"] - max(work)) - sum(work))
    with timing():
        expect_near("load balance", found["load_balance"], busy, floor=0.03)


def test_openmp_load_balance_of_a_ramp():
    each_runtime(undisturbed(ramp))


def average(runtime):
    """On a processor and in no wait: the stretches' CPU time, and what the first thread does alone."""
    for program in ("ramp", "serial"):
        job = Job(runtime, program)
        regions = job.truth["regions"]
        useful = sum(sum(stretches(r, "cpu_seconds")) for r in regions)
        concurrency = job.run.report["concurrency"]["useful"]
        process = job.run.report["processes"][0]
        if program == "serial":
            useful += 10 * 0.004  # what it burns between regions
        elapsed = process["elapsed_seconds"]
        # Start and end of the program and the runtime come to it: some milliseconds of CPU time.
        with timing():
            expect_near("%s: average useful threads" % program, concurrency["average"], useful / elapsed, relative=0.05, floor=0.012 / elapsed)


@full
def test_openmp_average_concurrency():
    """Waiting in the runtime, spinning or not, is not useful."""
    each_runtime(undisturbed(average))


def crowded(runtime):
    # Records of every switch: threads that yield while they wait make so many that they are taken in windows, which may miss the waits.
    job = Job(runtime, "oversubscribed", environment={"PTRACE_BUDGET": "100"})
    facts, told = job.truth["facts"], told_region(job, "crowd")
    useful = sum(stretches(told, "cpu_seconds"))
    elapsed = job.run.report["processes"][0]["elapsed_seconds"]
    expect_equal("threads", job.openmp["threads"], 8)
    levels = job.run.report["concurrency"]["useful"]
    with timing():
        expect(levels["average"] <= 1.05 * useful / elapsed + 0.02 / elapsed, "average useful threads %.4f, the program's own work %.4f",
               levels["average"], useful / elapsed)
    expect(useful >= 8 * facts["work_per_thread"], "the program's work %.6f", useful)
    found = {f["id"] for f in job.run.report["findings"]}
    if job.truth["processors"] < 8:
        expect(found & {"omp-oversubscription"}, "no finding says that 8 threads are too many; there are %s",
               sorted(found))


@full
def test_openmp_more_threads_than_processors():
    """Ready threads without a processor are no work; a finding says that the team is too large."""
    each_runtime(undisturbed(crowded))


NOT_SMALL = {"omp-short-regions", "omp-small-pieces", "omp-small-tasks"}
# Program: findings of OpenMP that it has to have, and those that would be wrong
FINDINGS = {
    "ramp": ({"omp-imbalance"}, NOT_SMALL | {"omp-serial", "omp-lock"}),
    "serial": ({"omp-serial"}, NOT_SMALL | {"omp-lock"}),
    "critical": ({"omp-lock"}, {"omp-small-tasks", "omp-small-pieces"}),
}


@undisturbed
def findings_of(runtime, program):
    """If other programs take the processors, they may cause unequal work, and the findings say that instead."""
    wanted, wrong = FINDINGS[program]
    job = Job(runtime, program)
    job.truth
    found = {f["id"] for f in job.run.report["findings"]}
    with timing():
        expect(wanted <= found, "%s: findings %s, expected %s", program, sorted(found), sorted(wanted))
        expect(not found & wrong, "%s: findings that do not apply: %s", program, sorted(found & wrong))
        if program != "serial":  # which sleeps
            expect("blocked" not in found, "%s: its waiting threads are blocked in something else", program)


def findings(runtime):
    each_of(FINDINGS, lambda program: findings_of(runtime, program))


@full
def test_openmp_findings():
    """The problem of each program is found, and no other of its kind."""
    each_runtime(findings)
