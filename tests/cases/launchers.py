# SPDX-License-Identifier: MIT
"""Parallel jobs: one run directory and one line for all ranks, whatever launcher and shells start them."""
import json
import os
import re
import signal
import stat
import subprocess
import tempfile
import time

import mpi_job
import support
from support import RUN, clean_environment, execute, expect, expect_equal, full, need, part_skipped, scratch, skip, timed, timing

BESIDE = True  # no case asserts a time

EXITED = 3  # status of the rank that exits in MPI_PROGRAM
MPI_PROGRAM = r"""
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static volatile sig_atomic_t signals;
static void count(int number) { (void)number; signals++; }
int main(int argc, char **argv)
{
	const char *task = argc > 1 ? argv[1] : "";
	char text[100];
	ssize_t length;
	int rank, size;
	signal(SIGUSR1, count);
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 1 && !strcmp(task, "abort")) MPI_Abort(MPI_COMM_WORLD, 7);
	if (rank == 1 && !strcmp(task, "kill")) raise(SIGKILL);
	if (rank == 1 && !strcmp(task, "exit")) exit(3);
	if (!strcmp(task, "abort") || !strcmp(task, "kill") || !strcmp(task, "exit")) sleep(50);
	while (rank == 0 && !strcmp(task, "read") && (length = read(0, text, sizeof text)) > 0)
		if (write(1, text, (size_t)length) < 0) return 1;
	if (!strcmp(task, "signal")) {
		printf("ready\n"); fflush(stdout);
		for (int i = 0; i < 400 && !signals; i++) usleep(50000);
		for (int i = 0; i < 6; i++) usleep(50000);
		printf("signals %d\n", (int)signals); fflush(stdout);
	} else if (*task == 0) {
		printf("rank %d of %d\n", rank, size); fflush(stdout);
	}
	if (!strcmp(task, "late") && rank == size - 1) usleep(400000);
	MPI_Finalize();
	return 0;
}
"""

MPIS = {
    "Open MPI": ("mpicc.openmpi", ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe"]),
    "MPICH": ("mpicc.mpich", ["mpirun.mpich"]),
}

# A launcher that is none of those known by name: ranks, size and the job's name in variables, as Slurm sets them.
FAKE_SRUN = """#!/bin/sh
# srun COUNT STEP DELAY COMMAND...
count=$1 step=$2 delay=$3 rank=0
shift 3
while [ $rank -lt $count ]; do
	SLURM_JOB_ID=4711 SLURM_STEP_ID=$step SLURM_PROCID=$rank SLURM_STEP_NUM_TASKS=$count SLURM_NTASKS=99 "$@" &
	rank=$((rank + 1))
	sleep $delay
done
wait
"""


class Mpi:
    def __init__(self, name):
        if support.NATIVE_ONLY:
            skip("native only")
        compiler, self.launcher = MPIS[name]
        self.is_hydra = name == "MPICH"
        self.launcher = [need(self.launcher[0])] + self.launcher[1:]
        self.program = os.path.join(scratch(), "ranks")
        with open(self.program + ".c", "w") as file:
            file.write(MPI_PROGRAM)
        built = subprocess.run([need(compiler), "-O1", "-o", self.program, self.program + ".c"], stderr=subprocess.PIPE)
        expect_equal("status of %s, which says %r" % (compiler, built.stderr[-300:]), built.returncode, 0)


def with_each_mpi(check):
    """Runs check(mpi) for each MPI that is installed; a case that finds none is skipped."""
    missing = []
    for name in MPIS:
        try:
            mpi = Mpi(name)
        except support.Skip as reason:
            missing.append(str(reason))
            continue
        check(mpi)
    if len(missing) == len(MPIS):
        skip("; ".join(missing))
    for reason in missing:
        part_skipped(reason)


def runs_in(place):
    return sorted(d for d in os.listdir(place) if not d.startswith("."))


def profiles_in(directory):
    return sorted(f for f in os.listdir(directory) if f.endswith(".profile"))


def lines_of(result):
    return [l for l in result.stderr_text().splitlines() if l.startswith("ptrace-run: ")]


def expect_one_job(command, name, processes, ranks=None, environment=None):
    """The command leaves one directory of that name, with that many profiles (least, most), and says one line."""
    place = scratch()
    result = execute(command, clean_environment(environment), directory=place)
    expect_equal("status of %s, which says %r" % (" ".join(command), result.stderr_text()[-300:]), result.status, 0)
    expect_equal("entries after %s" % " ".join(command), os.listdir(place), [name])
    expect_equal("lines", len(lines_of(result)), 1)
    expect(lines_of(result)[0].endswith(os.path.join(os.path.realpath(place), name)), "the line is %r", lines_of(result)[0])
    directory = os.path.join(place, name)
    count = len(profiles_in(directory))
    expect(processes[0] <= count <= processes[1], "%d profiles, expected %d to %d", count, *processes)
    with open(os.path.join(directory, "run.json")) as file:
        expect_equal("ranks in run.json", json.load(file)["ranks"], ranks)
    modes = {stat.S_IMODE(os.stat(os.path.join(directory, f)).st_mode) for f in os.listdir(directory) if f != "symbols"}
    expect_equal("modes of files, of the directory", (modes, stat.S_IMODE(os.stat(directory).st_mode)), ({0o600}, 0o700))
    return result, directory


# One directory, one line

def test_launcher_starts_ptrace_run():
    def check(mpi):
        result, _ = expect_one_job(mpi.launcher + ["-n", "4", RUN, mpi.program], "ranks.ptrace.1", (4, 4), 4)
        expect_equal("output", sorted(result.stdout.split(b"\n"))[1:], [b"rank %d of 4" % r for r in range(4)])
    with_each_mpi(check)


@full
def test_shells_between():
    def check(mpi):
        expect_one_job(mpi.launcher + ["-n", "3", "sh", "-c", "%s %s; true" % (RUN, mpi.program)], "ranks.ptrace.1", (3, 3), 3)
        expect_one_job(mpi.launcher + ["-n", "2", RUN, "sh", "-c", mpi.program + "; true"], "sh.ptrace.1", (4, 4), 2)
    with_each_mpi(check)


def test_programs_of_different_names_are_one_job():
    def check(mpi):
        os.link(mpi.program, mpi.program + "2")
        place = scratch()
        result = execute(mpi.launcher + ["-n", "1", RUN, mpi.program, ":", "-n", "3", RUN, mpi.program + "2"],
                         clean_environment(), directory=place)
        expect_equal("status", result.status, 0)
        expect(runs_in(place) in (["ranks.ptrace.1"], ["ranks2.ptrace.1"]), "directories: %r", os.listdir(place))
        expect_equal("profiles", len(profiles_in(os.path.join(place, runs_in(place)[0]))), 4)
        expect_equal("lines", len(lines_of(result)), 1)
    with_each_mpi(check)


@full
def test_ptrace_run_starts_the_launcher():
    """Every rank inherits the library; the launcher, its proxies and shells leave profiles of their own."""
    def check(mpi):
        name = os.path.basename(mpi.launcher[0]) + ".ptrace.1"
        expect_one_job([RUN] + mpi.launcher + ["-n", "2", mpi.program], name, (3, 12))
        expect_one_job([RUN, "sh", "-c", " ".join(mpi.launcher + ["-n", "2", mpi.program]) + "; true"], "sh.ptrace.1", (4, 14))
        expect_one_job([RUN] + mpi.launcher + ["-n", "2", RUN, mpi.program], name, (3, 14))
    with_each_mpi(check)


@full
def test_report_of_the_job_comes_once():
    def check(mpi):
        result = execute(mpi.launcher + ["-n", "3", RUN, "-r", mpi.program, "late"], clean_environment(), directory=scratch())
        expect_equal("reports", result.stderr_text().count("@ overview"), 1)
        expect("run is incomplete" not in result.stderr_text(), "the report came before the last rank had ended")
    with_each_mpi(check)


def test_named_directory_is_of_one_job():
    """Its ranks share it, a line tells so once; the next job is refused by each of its ranks."""
    def check(mpi):
        place = scratch()
        command = mpi.launcher + ["-n", "3", RUN, "-o", "run", mpi.program]
        expect_equal("lines of the job", len(lines_of(execute(command, clean_environment(), directory=place))), 1)
        expect_equal("directories", runs_in(place), ["run"])
        expect_equal("profiles", len(profiles_in(os.path.join(place, "run"))), 3)
        second = execute(command, clean_environment(), directory=place)
        expect(second.status != 0 and b"remove it" in second.stderr, "the second job is not refused: %s", second.stderr_text())
        expect_equal("profiles", len(profiles_in(os.path.join(place, "run"))), 3)
    with_each_mpi(check)


@full
def test_jobs_one_after_the_other_and_at_a_time_do_not_mix():
    """Jobs at a time have temporary directories of their own: Open MPI removes that of its sessions while another job makes its own
    below it, and one of the two ends with status 1, natively as well."""
    def check(mpi):
        place = scratch()
        command = mpi.launcher + ["-n", "3", RUN, mpi.program]
        execute(command, clean_environment(), directory=place)
        jobs = [subprocess.Popen(command, cwd=place, env=clean_environment({"TMPDIR": tempfile.mkdtemp(prefix="j-")}),
                                 stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for _ in range(2)]
        for job in jobs:
            expect_equal("status", job.wait(support.TIMEOUT), 0)
        expect_equal("directories", runs_in(place), ["ranks.ptrace.%d" % n for n in (1, 2, 3)])
        for name in runs_in(place):
            expect_equal("profiles of " + name, len(profiles_in(os.path.join(place, name))), 3)
    with_each_mpi(check)


@full
def test_some_ranks_without_ptrace_run():
    """The last one to end says so, where ptrace-run is still there; the report does in any case."""
    def check(mpi):
        place = scratch()
        result = execute(mpi.launcher + ["-n", "1", RUN, "-r", mpi.program, ":", "-n", "2", mpi.program],
                         clean_environment(), directory=place)
        expect_equal("lines", len(lines_of(result)), 1)
        expect("1 of 3 ranks" in lines_of(result)[0], "the line is %r", lines_of(result)[0])
        execute(mpi.launcher + ["-n", "1", RUN, mpi.program, ":", "-n", "2", mpi.program], clean_environment(), directory=place)
        report = execute([support.REPORT, os.path.join(place, "ranks.ptrace.2")], clean_environment())
        expect_equal("status of the report", report.status, 1)
        expect(b"1 of 3" in report.stdout, "the report does not tell how many ranks there were")
    with_each_mpi(check)


@full
def test_ranks_with_and_without_a_report():
    """Those whose program has taken their place count, but nobody waits for them; the other speaks."""
    def check(mpi):
        for options, lines in ((["-q"], 0), ([], 1)):
            result = execute(mpi.launcher + ["-n", "1", RUN, "-r", mpi.program, ":", "-n", "2", RUN] + options + [mpi.program],
                             clean_environment(), directory=scratch())
            expect_equal("status", result.status, 0)
            expect_equal("reports", result.stderr_text().count("@ overview"), 1)
            expect_equal("lines of %r" % result.stderr_text()[:300], len(lines_of(result)), lines)
    with_each_mpi(check)


def test_program_that_does_not_exist_leaves_nothing():
    def check(mpi):
        place = scratch()
        with open(os.path.join(scratch(), "bad"), "w") as file:
            file.write("#!/nonexistent/interpreter\n")
        os.chmod(file.name, 0o755)
        result = execute(mpi.launcher + ["-n", "2", RUN, file.name], clean_environment(), directory=place)
        expect(result.status != 0, "status is 0")
        expect_equal("left behind", os.listdir(place), [])
    with_each_mpi(check)


# The fake Slurm

def fake_srun():
    if support.NATIVE_ONLY:
        skip("native only")
    path = os.path.join(scratch(), "srun")
    with open(path, "w") as file:
        file.write(FAKE_SRUN)
    os.chmod(path, 0o755)
    return path


def test_slurm_ranks_that_start_apart():
    """A third of a second apart, and each sleeps longer than the next one needs to start."""
    expect_one_job([fake_srun(), "3", "0", "0.3", RUN, "sleep", "1"], "sleep.ptrace.1", (3, 3), 3)


def test_slurm_steps_are_jobs():
    place, srun = scratch(), fake_srun()
    for step in ("0", "1"):
        result = execute([srun, "2", step, "0", RUN, "sleep", "0.2"], clean_environment(), directory=place)
        expect_equal("lines", len(lines_of(result)), 1)
    expect_equal("directories", runs_in(place), ["sleep.ptrace.1", "sleep.ptrace.2"])


def test_slurm_batch_script_and_single_task_are_no_job():
    """Without a step, in the step of a shell, or as its only task, one starts run after run by hand: each has its own
    directory. The step of an interactive shell has the number 0xfffffffa."""
    if support.NATIVE_ONLY:
        skip("native only")
    for variables in ({"SLURM_NTASKS": "8"}, {"SLURM_STEP_ID": "0", "SLURM_STEP_NUM_TASKS": "1", "SLURM_NTASKS": "8"},
                      {"SLURM_STEP_ID": str(0xfffffffa), "SLURM_STEP_NUM_TASKS": "8", "SLURM_NTASKS": "8"}):
        place = scratch()
        for _ in range(2):
            execute([RUN, "true"], clean_environment(dict(variables, SLURM_JOB_ID="4711", SLURM_PROCID="0")), directory=place)
        expect_equal("directories", runs_in(place), ["true.ptrace.1", "true.ptrace.2"])


def test_lock_of_a_killed_rank_is_broken():
    """A rank that was killed while it made the directory: the others wait a while, and are one job all the same."""
    srun, probe, place = fake_srun(), scratch(), scratch()
    command = [srun, "3", "0", "0", RUN, "sh", "-c", "sleep 0.3; exit 5"]
    execute(command, clean_environment(), directory=probe)
    name = [f for f in os.listdir(os.path.join(probe, "sh.ptrace.1")) if f.startswith(".job-")][0]
    open(os.path.join(place, name.replace(".job-", ".ptrace-lock-")), "w").close()
    result = execute(command, clean_environment(), directory=place)
    expect_equal("entries", os.listdir(place), ["sh.ptrace.1"])
    expect_equal("lines of %r" % result.stderr_text(), len(lines_of(result)), 1)


@timed("a process starts late")
def test_place_without_room_is_refused_at_once():
    """One inode is left, which the lock takes: no directory can be made. Nobody waits for a rank that has given up."""
    srun = fake_srun()
    if os.geteuid() != 0 or subprocess.run(["unshare", "-m", "true"], stderr=subprocess.DEVNULL).returncode != 0:
        skip("mounting needs root")
    place = scratch()
    script = "mount -t tmpfs -o nr_inodes=2 none %s && cd %s && %s 2 0 0 %s true; ls -A" % (place, place, srun, RUN)
    begin = time.monotonic()
    result = execute(["unshare", "-m", "sh", "-c", script], clean_environment())
    expect_equal("entries", result.stdout, b"")
    told = re.findall("(?:No space left on device|no inode left).*-o DIR\n", result.stderr_text())
    expect_equal("lines of %r" % result.stderr_text(), len(told), 2)
    with timing():  # the lock's own limit is 5 s
        expect(time.monotonic() - begin < 4.5, "a rank has waited for the lock of another that was gone")


# Without ptrace-run

def bare(command, place):
    """Runs a job whose ranks have LD_PRELOAD and no other setting; status 0, and what lies in the place afterwards."""
    command = [word if word != "BARE" else "LD_PRELOAD=" + os.path.realpath(support.LIBRARY) for word in command]
    expect_equal("status", execute(command, clean_environment(), directory=place).status, 0)
    return {name: len(profiles_in(os.path.join(place, name))) for name in runs_in(place)}


@full
def test_ranks_with_a_bare_preload_share_a_directory():
    """By the launcher's name of the job; the shells and programs that ranks start belong to it."""
    def check(mpi):
        place = scratch()
        found = bare(mpi.launcher + ["-n", "3", "env", "BARE", mpi.program], place)
        expect_equal("profiles", list(found.values()), [3])
        name = next(iter(found))
        expect(re.fullmatch("job[.]ptrace[.][0-9]{6,9}", name), "the directory is %s", name)
        mode = stat.S_IMODE(os.stat(os.path.join(place, name)).st_mode)
        expect_equal("mode", mode, 0o700)
        found = bare(mpi.launcher + ["-n", "2", "env", "BARE", "sh", "-c", mpi.program + "; true"], place)
        expect_equal("profiles of two jobs", sorted(found.values()), [3, 4])
        report = execute([support.REPORT, "--format", "json", os.path.join(place, name)], clean_environment())
        expect_equal("status of ptrace-report", report.status, 0)
        expect_equal("ranks", sorted(p["rank"] for p in json.loads(report.stdout)["processes"]), [0, 1, 2])
    with_each_mpi(check)


def test_slurm_steps_with_a_bare_preload_are_jobs():
    place, srun = scratch(), fake_srun()
    for step in ("0", "1"):
        bare([srun, "2", step, "0", "env", "BARE", "sleep", "0.2"], place)
    expect_equal("profiles", [len(profiles_in(os.path.join(place, n))) for n in runs_in(place)], [2, 2])
    for tasks, step in (("1", "0"), ("2", str(0xfffffffa))):
        place = scratch()
        for _ in range(2 // int(tasks)):
            found = bare([srun, tasks, step, "0", "env", "BARE", "sleep", "0"], place)
        expect_equal("runs of one task each, or in an interactive step", found, {"sleep.ptrace.1": 1, "sleep.ptrace.2": 1})


# The launcher is not disturbed

@full
def test_statuses_are_the_launchers_own():
    """MPI_Abort, exit and death of a rank: mpirun ends as it does natively, and no rank outlives it.

    When a rank exits without MPI_Finalize, hydra kills the others, and its own status is that of whoever it finds dead first.
    A rank by itself is quicker to end than the others, which have memory to give back. Below any process that waits for the rank
    (fork, exec, waitpid, no more), that process is as small as those of the others: the status is then 9 instead of 3 in a third
    of the runs (17 of 51 on a loaded machine; natively in none of 51, but once in a later one). So nothing stands between."""
    def check(mpi):
        for task in ("abort", "kill", "exit"):
            place = scratch()
            native = execute(mpi.launcher + ["-n", "2", mpi.program, task], clean_environment())
            profiled = execute(mpi.launcher + ["-n", "2", RUN, "-o", "run", mpi.program, task], clean_environment(),
                               directory=place)
            if task == "exit" and mpi.is_hydra:
                for status in (native.status, profiled.status):  # whoever is found dead first, natively as well
                    expect(status in (EXITED,) + mpi_job.HUNTED, "status after %s: %d", task, status)
            else:
                expect_equal("status after %s" % task, profiled.status, native.status)
            expect_equal("profiles after %s" % task, len(profiles_in(os.path.join(place, "run"))), 2)
            deadline = time.monotonic() + 10
            while survivors(mpi.program) and time.monotonic() < deadline:
                time.sleep(0.05)
            expect_equal("survivors of %s" % task, survivors(mpi.program), [])
    with_each_mpi(check)


def test_rank_that_ends_badly_is_named():
    """The launcher ends the others, and often their ptrace-run too, where they have one to print the report: who is first says
    where the profile is."""
    def check(mpi):
        place = scratch()
        result = execute(mpi.launcher + ["-n", "3", RUN, "-r", mpi.program, "kill"], clean_environment(), directory=place)
        told = [l for l in lines_of(result) if re.search("rank 1 of 3 was killed by SIGKILL", l)]
        expect_equal("lines of %r" % result.stderr_text(), len(told), 1)
        expect("ranks.ptrace.1" in told[0], "the line is %r", told[0])
        quiet = execute(mpi.launcher + ["-n", "3", RUN, "-q", mpi.program, "kill"], clean_environment(), directory=place)
        expect_equal("lines with -q", lines_of(quiet), [])
    with_each_mpi(check)


def test_status_that_ends_the_job_is_told():
    """Open MPI ends the job when a rank ends with a status; Slurm and hydra do not, and there the last rank speaks."""
    mpi, place = Mpi("Open MPI"), scratch()
    result = execute(mpi.launcher + ["-n", "3", RUN, "-r", mpi.program, "exit"], clean_environment(), directory=place)
    expect("rank 1 of 3 ended with status 3" in result.stderr_text(), "stderr is %r", result.stderr_text())
    status = 'test $SLURM_PROCID = 0 || sleep 0.4; exit 1'
    result = execute([fake_srun(), "3", "0", "0", RUN, "-r", "sh", "-c", status], clean_environment(), directory=scratch())
    expect_equal("lines of %r" % result.stderr_text(), lines_of(result), [])
    expect_equal("reports", result.stderr_text().count("@ overview"), 1)


def survivors(program):
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink("/proc/%s/exe" % pid) == os.path.realpath(program):
                found.append(int(pid))
        except OSError:
            pass
    return found


def test_standard_input_reaches_rank_0():
    def check(mpi):
        path = os.path.join(scratch(), "input")
        with open(path, "w") as file:
            file.write("a line\n" * 1000)
        with open(path) as file:
            result = execute(mpi.launcher + ["-n", "2", RUN, "-q", mpi.program, "read"], clean_environment(),
                             directory=scratch(), stdin=file)
        expect_equal("status", result.status, 0)
        expect_equal("output", result.stdout, b"a line\n" * 1000)
    with_each_mpi(check)


@full
def test_signals_of_the_launcher_come_once():
    """mpirun and hydra signal the process group, in which ptrace-run, where it stays, and the program are."""
    def check(mpi, option):
        with subprocess.Popen(mpi.launcher + ["-n", "2", RUN, option, mpi.program, "signal"], cwd=scratch(), env=clean_environment(),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as job:
            try:
                seen = b""
                while seen.count(b"ready") < 2:  # lines of two ranks may come mixed
                    part = os.read(job.stdout.fileno(), 100)
                    expect(part, "the program ended after %r", seen)
                    seen += part
                job.send_signal(signal.SIGUSR1)
                rest = job.communicate(timeout=support.TIMEOUT)[0]
            finally:
                job.kill()
        expect_equal("signals seen", re.findall(rb"signals \d+", rest), [b"signals 1", b"signals 1"])
    with_each_mpi(lambda mpi: [check(mpi, option) for option in ("-q", "-r")])
