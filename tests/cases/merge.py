# SPDX-License-Identifier: MIT
"""Merging: a merged run has the same report as its parts, whoever merged it, and says what is missing."""
import json
import os
import shutil
import sys

from support import BUILD, ROOT, built, clean_environment, execute, expect, expect_equal, fail, full, need, report_json, run, scratch

sys.path.insert(0, os.path.join(ROOT, "tests"))
from format_reader import read_profile  # noqa: E402

BESIDE = True  # no case asserts a time

MERGE = os.path.join(BUILD, "bin", "ptrace-merge")
RANKS = 60


def many(count=RANKS):
    """A run of so many processes, made of two real profiles."""
    source, out = scratch(), os.path.join(scratch(), "many")
    for profile in run("phases").profiles() + run("processes").profiles():
        shutil.copy(profile, source)
    result = execute([built("multiply_profiles"), source, str(count), out])
    expect_equal("status of multiply_profiles", result.status, 0)
    return out


def merged(run_directory, *options, prefix=(), environment=None, status=0):
    out = os.path.join(scratch(), "merged")
    result = execute(list(prefix) + [MERGE, "-o", out] + list(options) + [run_directory], environment=environment)
    if result.status != status:
        fail("ptrace-merge ended with status %d: %s", result.status, result.stderr_text()[-300:])
    expect_equal("parts that were left", [n for n in os.listdir(out) if n.startswith("parts")], [])
    return out


def exact_part(value):
    """What must be identical in two reports of one run: everything but fractions."""
    if isinstance(value, dict):
        return {k: exact_part(v) for k, v in value.items() if not isinstance(v, float)}
    if isinstance(value, list):
        return [exact_part(v) for v in value]
    return None if isinstance(value, float) else value


def paired(rows):
    """In an order that does not depend on the last digits of fractions."""
    return sorted(rows, key=lambda row: (json.dumps(exact_part(row), sort_keys=True), json.dumps(row, sort_keys=True)))


def difference(a, b, at=""):
    """Where two reports differ, and how; None: nowhere. Not compared: the directory, the order of equals, the last digits."""
    if isinstance(a, dict) and isinstance(b, dict):
        keys = sorted((set(a) | set(b)) - {"directory", "report_status"})
        return next(filter(None, (difference(a.get(k), b.get(k), at + "." + k) for k in keys)), None)
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        return next(filter(None, (difference(x, y, "%s[%d]" % (at, i)) for i, (x, y) in enumerate(zip(paired(a), paired(b))))), None)
    if isinstance(a, float) and isinstance(b, float):
        # seconds are told in ns: a mean that lies between two may be rounded either way
        is_close = abs(a - b) <= max(2e-6 * max(abs(a), abs(b)), 1.01e-9)
        return None if is_close else "%s is %r instead of %r" % (at, b, a)
    return None if a == b else "%s is %s instead of %s" % (at, str(b)[:300], str(a)[:300])


def expect_same_report(a, b):
    found = difference(a, b)
    expect(found is None, "in the merged run %s", found)


def status_of(directory):
    return report_json(directory)["report_status"]


@full
def test_merged_run_reports_the_same():
    """One process, two processes, and a merge of merged halves."""
    whole = many()
    status = status_of(whole)
    for by in "thread", "process":
        expected = report_json(whole, "--by", by)
        expect_same_report(expected, report_json(merged(whole, status=status), "--by", by))
        expect_same_report(expected, report_json(merged(whole, "-j", "2", status=status), "--by", by))
    names, halves = sorted(os.listdir(whole)), []
    for part in range(2):
        directory = scratch()
        for name in names[part::2]:
            shutil.copy(os.path.join(whole, name), directory)
        halves.append(merged(directory, status=status))
    expect_same_report(report_json(whole), report_json(merged(halves[0], halves[1], status=status)))


def test_merged_totals_are_the_sums_of_the_parts():
    """Added up by a reader that knows docs/dev/format.md only."""
    whole = many()
    cpu = calls = 0
    for name in os.listdir(whole):
        _, rows = read_profile(os.path.join(whole, name))
        cpu += sum(t["user_ns"] + t["system_ns"] for t in rows["threads"] if t["tid"])
        calls += sum(r["count"] for r in rows["tallies"] + rows["waits"])
    report = report_json(merged(whole, "-j", "3", status=status_of(whole)))
    expect_equal("processes", len(report["processes"]), RANKS)
    expect_equal("CPU time of processes", round(sum(p["cpu_seconds"] for p in report["processes"]) * 1e9), cpu)
    expect_equal("CPU time of routines", round(sum(r["self_seconds"] for r in report["routines"]) * 1e9), cpu)
    # waits that had not ended are counted by the report, and are none of the tables
    counted = sum(r["count"] for r in report["synchronization"] + report["io"]["rows"] + report["calls"])
    expect(counted >= calls > 0, "%d calls are fewer than the parts' %d", counted, calls)


@full
def test_ranks_of_a_launcher_merge():
    """mpirun of either library, as the same program."""
    whole = many()
    for launcher in ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe"], ["mpirun.mpich"]:
        prefix = [need(launcher[0])] + launcher[1:] + ["-n", "3"]
        out = merged(whole, prefix=prefix, environment=dict(clean_environment()), status=status_of(whole))
        expect_same_report(report_json(whole), report_json(out))


# What launchers leave to rank %s of 2. srun starts the helpers of others, whose ranks have its variables as well.
STEP = dict(SLURM_JOB_ID="4711", SLURM_STEP_ID="0")
VARIABLES = {
    "Open MPI": dict(OMPI_COMM_WORLD_RANK="%s", OMPI_COMM_WORLD_SIZE="2", PMIX_NAMESPACE="1", SLURM_PROCID="0",
                     SLURM_NTASKS="1", **STEP),
    "hydra": dict(PMI_RANK="%s", PMI_SIZE="2", PMI_JOBID="a", SLURM_PROCID="0", SLURM_NTASKS="1", **STEP),
    "hydra below PALS": dict(PMI_RANK="%s", PMI_SIZE="2", PALS_RANKID="0", PALS_APID="a"),
    "PALS": dict(PALS_RANKID="%s", PALS_SIZE="2", PALS_APID="a"),
    "PALS, size by PMI": dict(PALS_RANKID="%s", PMI_SIZE="2", PALS_APID="a"),
    "Flux": dict(FLUX_TASK_RANK="%s", FLUX_JOB_SIZE="2", FLUX_JOB_ID="f", SLURM_PROCID="0", SLURM_NTASKS="1", **STEP),
    "Slurm": dict(SLURM_PROCID="%s", SLURM_NTASKS="2", **STEP),
    "Slurm, step of a larger job": dict(SLURM_PROCID="%s", SLURM_STEP_NUM_TASKS="2", SLURM_NTASKS="9", **STEP),
}


@full
def test_variables_of_each_launcher():
    """Rank 1 writes its part, rank 0 combines: each knows of the other."""
    whole = many(6)
    status = status_of(whole)
    for name, variables in VARIABLES.items():
        out = os.path.join(scratch(), "merged")
        ended = [execute([MERGE, "--patience", "1", "-o", out, whole], environment=dict(
            clean_environment(), **{key: value.replace("%s", rank) for key, value in variables.items()})) for rank in "10"]
        expect_equal("statuses of ranks 1, 0 by %s: %s" % (name, ended[1].stderr_text()), [e.status for e in ended], [0, status])
        expect_equal("what is left by %s" % name, [n for n in os.listdir(out) if n.startswith("parts")], [])


def test_a_shell_of_slurm_merges_alone():
    """A batch script is rank 0 of all tasks that it could start, and has no step; an interactive shell has a special one."""
    whole = many(6)
    batch = dict(clean_environment(), SLURM_JOB_ID="4711", SLURM_PROCID="0", SLURM_NTASKS="3")
    for environment in batch, dict(batch, SLURM_STEP_ID=str(0xfffffffa)):
        merged(whole, "--patience", "1", environment=environment, status=status_of(whole))


def test_a_missing_rank_of_the_merge_is_named():
    """Rank 0 of 3 waits in vain, but not forever."""
    environment = dict(clean_environment(), PMI_RANK="0", PMI_SIZE="3")
    out = os.path.join(scratch(), "merged")
    result = execute([MERGE, "--patience", "1", "-o", out, many(6)], environment=environment)
    expect_equal("status", result.status, 2)
    expect("ranks 1-2" in result.stderr_text(), "no word of the ranks: %s", result.stderr_text())


def test_a_damaged_profile_is_named_and_the_rest_merged():
    """Exit status 1, the file's name, and the others' figures."""
    whole = many(8)
    victim = sorted(os.listdir(whole))[3]
    with open(os.path.join(whole, victim), "wb") as file:
        file.write(b"no profile")
    out = os.path.join(scratch(), "merged")
    result = execute([MERGE, "-j", "2", "-o", out, whole])
    expect_equal("status", result.status, 1)
    report = report_json(out)
    expect(any(victim in note for note in report["notes"]), "%s is not in the notes", victim)
    expect_equal("processes", len(report["processes"]), 7)


def test_wrong_usage_of_merge():
    """No output, nothing to merge, a run that is there already."""
    whole = many(2)
    out = merged(whole, status=status_of(whole))
    for words in [whole], ["-o", "x"], ["-o", out, whole], ["-o", os.path.join(scratch(), "y"), "/nowhere"]:
        result = execute([MERGE] + words, directory=scratch())
        expect_equal("status of %s" % words, result.status, 2)
        expect_equal("lines of error", len(result.stderr_text().strip().splitlines()), 1)


def patched(directory, name, old, new):
    """A copy of a run; a text of the same length is in the place of another."""
    copy = os.path.join(scratch(), "patched")
    shutil.copytree(directory, copy)
    changed = 0
    for path in (os.path.join(copy, n) for n in os.listdir(copy) if n.endswith(name)):
        with open(path, "r+b") as file:
            data = file.read()
            expect(data.count(old) == 1 and len(old) == len(new), "%s has %r %d times", path, old, data.count(old))
            file.seek(0)
            file.write(data.replace(old, new))
        changed += 1
    expect(changed > 0, "nothing ends in %s", name)
    return copy


def check_said(command, status):
    """In one line: which file, which column, and what to do."""
    result = execute(command)
    said = [line for line in result.stderr_text().splitlines() if "causez32" in line]
    expect_equal("status of %s" % os.path.basename(command[0]), result.status, status)
    expect(len(said) == 1 and all(word in said[0] for word in ("patched", "by_cause_ns of table", "or a newer one")), "it said %s",
           result.stderr_text())


def test_a_column_of_a_newer_version():
    """Its table cannot be read, and its rows would be missing without a word: no program ends with 0."""
    one = run("phases")
    one.profiled
    tools = os.path.join(BUILD, "bin")
    profile = patched(one.directory, ".profile", b"column causes32 off_by_cause_ns", b"column causez32 off_by_cause_ns")
    check_said([MERGE, "-o", os.path.join(scratch(), "of-profile"), profile], 1)
    check_said([os.path.join(tools, "ptrace-report"), profile], 1)
    check_said([os.path.join(tools, "ptrace-export"), "--format", "folded", "-o", "/dev/null", profile], 1)
    whole = merged(one.directory)
    title = b"table processes: one row for each process image\ncolumn "
    newer = patched(whole, ".tables", title + b"u64 pid", title + b"z64 pid")
    result = execute([os.path.join(tools, "ptrace-report"), newer])
    expect_equal("status", result.status, 2)
    expect("cannot be read: column pid of table processes has the type z64" in result.stderr_text(), "it said %s", result.stderr_text())
