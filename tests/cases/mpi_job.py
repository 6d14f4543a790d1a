# SPDX-License-Identifier: MIT
"""Jobs of several ranks: how each MPI's launcher is called, and how a report is compared with what the ranks record themselves.

The programs of tests/programs/mpi write one JSON file for each rank: every call with its count, its time and its bytes,
every message to or from another rank, and facts of their own. Counts and bytes must agree exactly."""
import json
import os
import shutil

import support
from support import (BUILD, RUN, clean_environment, execute, expect, expect_equal, expect_near, fail, part_skipped, report_json, scratch, shared,
                     skip, timing)

LIBRARIES = ("openmpi", "mpich")
# Tests run as root in containers, with more ranks than processors; Open MPI wants to be told that this is meant. Its
# component osc/rdma (4.1.4) dies in MPI_Compare_and_swap on one host, without any profiler. The installed BLAS may use
# OpenMP: for the threads of its teams, which spin, ranks have no processors here.
ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_osc": "^rdma", "OMP_NUM_THREADS": "1"}
# MPICH's launcher takes a rank that leaves without MPI_Finalize for dead, and kills the others with what has started them, if they are still
# there then; its status is 9, or 1 where its own parts lose each other over that, or 0 where the first one had ended well.
HUNTED = (0, 1, 9)
COUNTED = ("count", "bytes_sent", "bytes_received")
TRAFFIC = ("messages", "bytes", "received_messages", "received_bytes")


def job_environment():
    """With a directory of the job's own for Open MPI's session: of two launchers at once one removes the common one while the other makes its
    own below it, and fails."""
    return dict(ENVIRONMENT, OMPI_MCA_orte_tmpdir_base=scratch())


def launcher(library, ranks):
    command = "mpirun." + library
    if not shutil.which(command):
        skip("%s is not installed" % command)
    return [command, "-n", str(ranks)]


def built(library, name):
    path = os.path.join(BUILD, "programs", "mpi", library, name)
    if not os.path.exists(path):
        skip("%s was not built for %s" % (name, library))
    return path


class Job:
    """A program under one MPI, natively and profiled; each is run when it is asked for. What a job says and what is reported of it are only
    read where it ended with status 0, or where it is meant to fail (dies): of ranks that the launcher ends because another failed they are
    half there, or not, as it happens. What a job says natively is the same for all cases, and is run once; one that is_shared is run once
    under the profiler as well, for cases that only read its profiles."""

    def __init__(self, library, ranks, command, options=(), environment=None, timeout=None, dies=False, is_shared=False):
        self.library, self.ranks, self.command, self.options = library, ranks, command, list(options)
        self.dies, self.is_shared = dies, is_shared
        self.key = library, ranks, command, self.options, sorted((environment or {}).items())
        self.environment, self.timeout = dict(job_environment(), **(environment or {})), timeout
        self.directory = os.path.join(scratch(), "run")
        self._native = self._profiled = self._report = None

    def _execute(self, tool):
        """(result, truths by rank)"""
        truths = scratch()
        environment = clean_environment(dict(self.environment, MPI_TRUTH=truths, SCRATCH=scratch()))
        start = launcher(self.library, self.ranks) if self.ranks else []
        result = execute(start + tool + self.command, environment=environment, timeout=self.timeout)
        if result.status and not self.dies:
            fail("%s ended with status %d; stderr: %s", " ".join(start + tool + self.command)[-200:], result.status, result.stderr_text()[-300:])
        return result, read_truths(truths)

    @property
    def native(self):
        if not self._native:
            self._native = self._execute([]) if self.dies else shared(("native",) + self.key, lambda _: self._execute([]))[0]
        return self._native[0]

    def _profile(self, directory):
        self.directory = os.path.join(directory, "run")
        return self._execute([RUN, "-q", "-o", self.directory] + self.options + ["--"])

    @property
    def profiled(self):
        if not self._profiled:
            if support.NATIVE_ONLY:
                skip("native only: status %d, %d truths" % (self.native.status, len(self._native[1])))
            if self.is_shared:
                self._profiled, directory = shared(("profiled",) + self.key, self._profile)
                self.directory = os.path.join(directory, "run")
            else:
                self._profiled = self._profile(scratch())
        return self._profiled[0]

    @property
    def truths(self):
        """What the ranks of the profiled job said, by rank."""
        self.profiled
        return self._profiled[1]

    @property
    def report(self):
        if self._report is None:
            self.profiled
            self._report = report_json(self.directory)
        return self._report

    @property
    def mpi(self):
        part = self.report.get("mpi")
        return part if part is not None else fail("%s: the report has no part \"mpi\"", self.library)


def read_truths(directory):
    truths = {}
    for name in os.listdir(directory):
        with open(os.path.join(directory, name)) as file:
            truth = json.load(file)
        truths[truth["rank"]] = truth
    return truths


def each_library(function):
    """Runs a check under every MPI that is here; skips when there is none. A failure names the library."""
    reasons = []
    for library in LIBRARIES:
        try:
            function(library)
        except support.Skip as reason:
            reasons.append(str(reason))
        except support.Failure as failure:
            raise type(failure)("%s: %s" % (library, failure)) from failure
    if len(reasons) == len(LIBRARIES):
        skip("; ".join(reasons))
    for reason in reasons:
        part_skipped(reason)


def check_native(job):
    """The program itself is right under this MPI."""
    expect_equal("status without the profiler; stderr: %s" % job.native.stderr_text()[-300:], job.native.status, 0)
    expect_equal("ranks that told their truth", len(job._native[1]), job.ranks or 1)


def check_same(job):
    expect_equal("status; stderr: %s" % job.profiled.stderr_text()[-300:], job.profiled.status, job.native.status)
    expect_equal("stdout", job.profiled.stdout, job.native.stdout)
    expect_equal("ranks that told their truth", sorted(job.truths), list(range(job.ranks or 1)))


def sum_truths(truths, part, fields):
    """{name: {field: sum over ranks}}"""
    total = {}
    for truth in truths.values():
        for name, values in truth[part].items():
            row = total.setdefault(name, dict.fromkeys(fields, 0))
            for field in fields:
                row[field] += values[field]
    return total


def check_calls(job):
    """Counts and bytes of every call, over all ranks; and no call that the program did not make."""
    wanted = sum_truths(job.truths, "calls", COUNTED)
    got = {row["call"]: row for row in job.mpi["calls"]}
    wrong = []
    for name in sorted(set(wanted) | set(got)):
        told, found = wanted.get(name, dict.fromkeys(COUNTED, 0)), got.get(name, dict.fromkeys(COUNTED, 0))
        wrong += ["%s: %s %r, expected %r" % (name, f, found[f], told[f]) for f in COUNTED if found[f] != told[f]]
    expect(not wrong, "%d of %d figures differ: %s", len(wrong), 3 * len(wanted), "; ".join(wrong[:8]))


def check_sites(job):
    """The figures of the places of a call add up to those of the call."""
    for row in job.mpi["calls"]:
        sites = [s for s in job.mpi["sites"] if s["call"] == row["call"]]
        for field in COUNTED:
            expect_equal("%s: sum of sites' %s" % (row["call"], field), sum(s[field] for s in sites), row[field])


def check_peers(job):
    got = {(r["rank"], r["peer"]): r for r in job.mpi["peers"]}
    wanted = {(t["rank"], int(p)): v for t in job.truths.values() for p, v in t["peers"].items()}
    wrong = []
    for pair in sorted(set(got) | set(wanted)):
        for field in TRAFFIC:
            found, told = got.get(pair, {}).get(field, 0), wanted.get(pair, {}).get(field, 0)
            if found != told:
                wrong.append("rank %d with %d: %s %r, expected %r" % (pair + (field, found, told)))
    expect(not wrong, "%d figures of peers differ: %s", len(wrong), "; ".join(wrong[:8]))


def check_lost(job):
    """No more time is lost to late ranks than was spent in the call."""
    spent = {row["call"]: row["seconds"] for row in job.mpi["calls"]}
    for name in {row["call"] for row in job.mpi["collectives"]}:
        lost = sum(row["lost_seconds"] or 0 for row in job.mpi["collectives"] if row["call"] == name)
        expect(lost <= spent[name] * 1.000001 + 1e-9, "%s: %.9f s lost to late ranks of %.9f s in it", name, lost, spent[name])


def check_sizes(job):
    """Messages by size fit to the bytes: of a call that both gives and gets, the larger counts."""
    moved = {row["call"]: row["bytes_sent"] + row["bytes_received"] for row in job.mpi["calls"]}
    for row in job.mpi["sizes"]:
        least = sum(b["count"] * (b["above_bytes"] + 1 if b["above_bytes"] else 0) for b in row["sizes"])
        most = sum(b["count"] * (b["at_most_bytes"] or 1 << 62) for b in row["sizes"])
        expect(least <= moved[row["call"]] <= 2 * most, "%s: %d bytes, by sizes %d to %d", row["call"], moved[row["call"]], least, most)
        expect_equal("messages of %s" % row["call"], sum(b["count"] for b in row["sizes"]), row["messages"])


def check_seconds(job, least=0.02):
    """Time in each call, over all ranks: never more than the program saw around it, and within 3 %, or 1 ms and 2 us a call. `least`:
    shorter sums are not compared. MPI_Init starts threads and processes, and is not compared.

    Within a check that is tried again: a rank may lose its processor between the program's clock and the recorder's."""
    wanted = sum_truths(job.truths, "calls", ("count", "seconds"))
    got = {row["call"]: row for row in job.mpi["calls"]}
    for name, told in wanted.items():
        if told["seconds"] < least or name not in got or name == "MPI_Init":
            continue
        expect(got[name]["seconds"] <= told["seconds"] + 2e-6 * told["count"], "%s: %.6f s, around it passed %.6f", name,
               got[name]["seconds"], told["seconds"])
        with timing():
            expect_near("%s: seconds" % name, got[name]["seconds"], told["seconds"], floor=0.001 + 2e-6 * told["count"])


def site(job, call, routine):
    """The one place of a call in a routine."""
    rows = [s for s in job.mpi["sites"] if s["call"] == call and s["routine"] == routine]
    expect(len(rows) == 1, "%s in %s: %d sites, expected 1; there are %s", call, routine, len(rows),
           ", ".join("%s in %s" % (s["call"], s["routine"]) for s in job.mpi["sites"]))
    return rows[0]


def told(job, rank, call, field="seconds"):
    return job.truths[rank]["calls"][call][field]


def job_of(library, name, ranks, *arguments, **settings):
    return Job(library, ranks, [built(library, name)] + [str(a) for a in arguments], **settings)


def check_job(library, name, ranks, *arguments, peers=True):
    """What holds for every program: same result, exact counts and bytes. Returns the job."""
    job = job_of(library, name, ranks, *arguments)
    check_native(job)
    check_same(job)
    check_calls(job)
    check_sites(job)
    check_lost(job)
    check_sizes(job)
    if peers:
        check_peers(job)
    return job
