# SPDX-License-Identifier: MIT
"""Jobs of MPI, merged: the same figures as the ranks' own profiles give, whoever merged which of them."""
import json
import math
import os
import shutil

import mpi_job
from merge import expect_same_report, merged
from mpi_job import Job, check_native, each_library
from support import (REPORT, built, execute, expect, expect_equal, expect_near, full, profile_paths, report_json, scratch,
                     short_or_long, skip, soaks)
from format_reader import read_profile

BESIDE = True  # no case asserts a time

SECTIONS = "mpi,mpi_calls,mpi_sites,ranks,collectives,peers,concurrency"  # notes come in the order of the files
ADDED_UP = 60  # ranks that a slow, independent reader adds up


def text(directory):
    result = execute([REPORT, "--top", "0", "--section", SECTIONS, directory])
    expect(result.status in (0, 1), "status %d: %s", result.status, result.stderr_text()[-300:])
    return result.stdout.decode()


def status_of(directory):
    return report_json(directory)["report_status"]


def part_of(directory, index, count):
    """A run of every count-th profile, with what is known of the whole."""
    part = scratch()
    if os.path.exists(os.path.join(directory, "run.json")):
        shutil.copy(os.path.join(directory, "run.json"), part)
    for profile in profile_paths(directory)[index::count]:
        shutil.copy(profile, part)
    return part


def multiplied(source, count, *options):
    """(run of so many ranks, the sums that multiply_profiles says it wrote)"""
    out = os.path.join(scratch(), "many")
    result = execute([built("multiply_profiles"), source, str(count), out] + [str(o) for o in options])
    expect_equal("status of multiply_profiles; stderr: %s" % result.stderr_text()[-200:], result.status, 0)
    return out, json.loads(result.stdout)


def job_of(library, name, ranks=4):
    job = Job(library, ranks, [mpi_job.built(library, name)], is_shared=True)
    check_native(job)
    expect_equal("status; stderr: %s" % job.profiled.stderr_text()[-300:], job.profiled.status, 0)
    return job


def some_job(name="communicators"):
    """Of whichever MPI is here."""
    library = next((each for each in mpi_job.LIBRARIES if shutil.which("mpirun." + each)), None)
    return job_of(library or skip("no MPI is installed"), name)


# ---- the same figures

class Unmerged:
    """A run that merged ones are compared with: its report, read once."""

    def __init__(self, directory):
        self.directory, self.report, self.lines = directory, report_json(directory), text(directory).splitlines()

    def check(self, *parts, **settings):
        """What these are merged to is reported the same."""
        out = merged(*parts, status=self.report["report_status"], **settings)
        expect_same_report(self.report, report_json(out))
        for got, wanted in zip(text(out).splitlines(), self.lines):
            expect_equal("line of the merged run's text", got, wanted)


def merges_alike(library):
    """One process; two ranks of a launcher; halves with every second rank, merged again; threads; windows."""
    whole = Unmerged(job_of(library, "communicators").directory)
    whole.check(whole.directory)
    whole.check(whole.directory, prefix=mpi_job.launcher(library, 2), environment=mpi_job.clean_environment(mpi_job.job_environment()))
    whole.check(*[merged(part_of(whole.directory, i, 2), status=1) for i in range(2)])
    for name in "hybrid", "windows":
        whole = Unmerged(job_of(library, name).directory)
        whole.check(whole.directory, "-j", "3")


@full
def test_merged_job_reports_the_same():
    each_library(merges_alike)


def test_half_a_job_names_its_missing_ranks():
    """Ranks that are in no part are reported as missing; once the parts are combined, none is missing any more."""
    directory = some_job().directory
    ranks = {}
    for profile in profile_paths(directory):
        ranks[read_profile(profile)[1]["mpi_process"][0]["rank"]] = profile
    part = scratch()
    for rank in 0, 2:
        shutil.copy(ranks[rank], part)
    report = report_json(merged(part, status=1))
    expect(any(note.startswith("ranks 1, 3 of 4 left no profile") for note in report["notes"]),
           "no note of ranks 1 and 3: %s", report["notes"])
    expect_equal("ranks in the report", sorted(r["rank"] for r in report["mpi"]["ranks"]), [0, 2])
    whole = report_json(merged(directory, status=status_of(directory)))
    expect(not any("left no profile" in note for note in whole["notes"]), "missing ranks: %s", whole["notes"])


# ---- sums

def sums_of(directory):
    """{table.column: sum} of the profiles, read by a program that knows docs/dev/format.md only."""
    sums = {}
    for profile in profile_paths(directory):
        for table, rows in read_profile(profile)[1].items():
            for row in rows:
                for column, value in row.items():
                    values = value if isinstance(value, list) else [value] if isinstance(value, int) else []
                    sums[table + "." + column] = sums.get(table + "." + column, 0) + sum(values)
    return sums


def total(rows, key):
    """Nanoseconds of times, which a report rounds to them."""
    return sum(round(r[key] * 1e9) if "seconds" in key else r[key] for r in rows)


def check_totals(report, sums, count):
    mpi = report["mpi"]
    expect_equal("ranks", sorted(r["rank"] for r in mpi["ranks"]), list(range(count)))
    for key, column in (("count", "count"), ("seconds", "sum_ns"), ("bytes_sent", "bytes_sent"), ("failed", "failed"),
                        ("bytes_received", "bytes_received"), ("completed", "completed"), ("flight_seconds", "flight_ns")):
        for table in "calls", "sites":
            expect_equal("%s of mpi.%s" % (key, table), total(mpi[table], key), sums["mpi_calls." + column])
    for key, column in (("messages", "messages_sent"), ("bytes", "bytes_sent"), ("wait_seconds", "wait_ns"),
                        ("received_messages", "messages_received"), ("received_bytes", "bytes_received")):
        expect_equal("%s of the peers" % key, total(mpi["peers"], key), sums["mpi_peers." + column])
    cpu = sums["threads.user_ns"] + sums["threads.system_ns"]
    expect_equal("CPU time of processes", total(report["processes"], "cpu_seconds"), cpu)
    expect_equal("CPU time of ranks", total(mpi["ranks"], "cpu_seconds"), cpu)
    expect_equal("time of ranks in MPI", total(mpi["ranks"], "mpi_seconds"), sums["mpi_calls.sum_ns"])
    expect_equal("self time of routines", total(report["routines"], "self_seconds"), cpu)
    waits, io = report["synchronization"], report["io"]["rows"]
    expect_equal("waits", total(waits, "contended") + total(io, "waits"), sums["waits.count"])
    expect_equal("waiting time", total(waits, "wait_seconds") + total(io, "wait_seconds"), sums["waits.sum_ns"])
    expect_equal("blame", sum(total(r["blame"], "seconds") for r in waits), sums["blame.time_ns"])
    expect_equal("calls that did not wait", total(waits, "count") + total(report["calls"], "count") + total(io, "waits"),
                 sums["tallies.count"] + sums["waits.count"])
    expect_equal("calls on descriptors", total(io, "count"), sums["io_calls.count"])
    expect_equal("their bytes", total(io, "bytes"), sums["io_calls.bytes"])


@full
def test_sums_of_multiplied_profiles():
    """What multiply_profiles says it wrote is what the other reader finds."""
    whole, sums = multiplied(some_job().directory, ADDED_UP, 8, 5)
    found = sums_of(whole)
    for name, value in sums.items():
        expect_equal(name, found.get(name, 0), value)


@full
@soaks
def test_thousands_of_ranks_are_the_sum_of_their_profiles():
    """Hundreds in the short form: the report on the profiles, and on the run that two processes merged."""
    ranks = short_or_long(400, 4000)
    whole, sums = multiplied(some_job().directory, ranks, 64, 20)
    check_totals(report_json(whole), sums, ranks)
    status = status_of(whole)
    report = report_json(merged(whole, "-j", "2", status=status))
    check_totals(report, sums, ranks)
    expect_equal("hosts", report["run"]["hosts"], -(-ranks // 64))


# ---- collective calls

def lateness(directory):
    """{call: (occurrences, time lost)} of the calls in which all wait for all, on one host."""
    entries = {}
    for profile in profile_paths(directory):
        _, rows = read_profile(profile)
        names = {r["number"]: r["name"] for r in rows["mpi_names"]}
        groups = {r["number"]: r for r in rows["mpi_communicators"]}
        for row in rows["mpi_collectives"]:
            group = groups[row["communicator"]]
            key = row["instance"], group["leader"], row["sequence"], names[row["call"]], group["size"]
            entries.setdefault(key, []).append((row["enter_ns"], row["leave_ns"] or math.inf))
    lost = {}
    for (_, _, _, call, size), moments in entries.items():
        if call.startswith(("MPI_Barrier", "MPI_All")) and len(moments) == size > 1:
            count, seconds = lost.get(call, (0, 0))
            last = max(enter for enter, _ in moments)
            lost[call] = count + 1, seconds + sum(min(last, leave) - enter for enter, leave in moments) / 1e9
    return lost


@full
def test_collectives_of_many_ranks_are_united():
    """Ranks of a communicator in different parts; what was lost is what the enters say."""
    whole, _ = multiplied(some_job("late_rank").directory, ADDED_UP)
    truth = lateness(whole)
    expect(truth, "no collective calls were recorded")
    parts = [merged(part_of(whole, i, 3), status=1) for i in range(3)]
    for report in report_json(whole), report_json(merged(parts[0], *parts[1:], status=status_of(whole))):
        for call, (count, seconds) in truth.items():
            rows = [r for r in report["mpi"]["collectives"] if r["call"] == call]
            expect_equal("recorded %s" % call, total(rows, "recorded"), count)
            # scaled by the calls that were made (multiplied profiles say more than they have records of), but not beyond the
            # time in these calls
            scaled = seconds * total(rows, "count") / total(rows, "recorded")
            spent = sum(r["seconds"] for r in report["mpi"]["calls"] if r["call"] == call)
            expect_near("lost in %s" % call, sum(r["lost_seconds"] for r in rows), min(scaled, spent), relative=1e-6, floor=1e-8)


@full
def test_hosts_of_merged_jobs():
    """Clocks are compared again when parts of several hosts come together: the same within their reading."""
    whole, _ = multiplied(some_job().directory, ADDED_UP, 7)
    status = status_of(whole)
    a, b = report_json(whole), report_json(merged(whole, "-j", "3", status=status))
    # Of each call the instants of two ranks are compared, whose clocks may both be off by so much.
    reading = 2 * a["mpi"]["efficiency"]["clock_error_seconds"] * total(a["mpi"]["collectives"], "recorded")
    floor = max(1e-4, reading)
    lost = [sum(r["lost_seconds"] or 0 for r in report["mpi"].pop("collectives")) for report in (a, b)]
    # What is found in collective calls is ranked by that time; and who was last is a matter of the clocks' reading.
    found = [{f["id"]: f for f in report.pop("findings")} for report in (a, b)]
    for name in ("late-rank", "communication"):
        stakes = [by_id.pop(name, {}).get("elapsed_seconds", 0) for by_id in found]
        expect_near("at stake by %s" % name, stakes[1], stakes[0], relative=0.01, floor=floor)
    expect_same_report(*found)
    expect_same_report(a, b)
    expect_near("time lost in collective calls", lost[1], lost[0], relative=0.01, floor=floor)
    expect(a["mpi"]["efficiency"]["outer_load_balance"] is not None, "several hosts have no outer load balance")
