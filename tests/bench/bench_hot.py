# SPDX-License-Identifier: MIT
"""Programs that do one small thing all the time: locks that are fought for, fine locks, threads for tiny tasks, small messages.

Each natively and profiled in turn; the part peers: also under uftrace (library calls) and coz, as many rounds and with a limit of
time, since they take many times as long, and uftrace writes gigabytes."""
import os
import shutil
import subprocess

from measure import BUILD, alternate, median, profiled, usage, verdict  # first: it says where the cases are

import causes

BAR = 1.05
PEER_LIMIT_S = 60

# name, what it is, arguments of a program that is none of tests/programs/causes
WORKS = [
    ("words", "the demo, 30 million locks of one mutex by two threads", ["2", "100"]),
    ("omp_words", "an OpenMP critical section for each word", None),
    ("hot", "two threads, sections of 0.3 and 3 us", ["shares"]),
    ("session_cache", "four threads, a cache behind one mutex", None),
    ("word_counters", "160 million locks that nobody else has", None),
    ("tile_renderer", "a thread for each tile of 25 us", None),
    ("mpi_cells", "960,000 messages of 8 bytes, Open MPI", None),
]
PLACES = {"words": BUILD / "example/words", "hot": BUILD / "tests/hot"}


def work_of(name, arguments):
    """(launcher, command, environment); None where it was not built."""
    if arguments is not None:
        return ([], [str(PLACES[name])] + arguments, dict(os.environ)) if PLACES[name].exists() else None
    program = causes.programs([name])[0]
    if not (BUILD / "programs/causes" / name).exists() or program.launch and "=" not in program.launch[0] and not shutil.which(program.launch[0]):
        return None
    launcher, command = causes.command_of(program)
    return launcher, command, causes.environment_of(program)


def bench_hot(rounds, scratch):
    print("\n| program | native s | elapsed | CPU | bar | |\n|---|---|---|---|---|---|")
    for name, text, arguments in WORKS:
        work = work_of(name, arguments)
        if not work:
            print("| %s: %s | | not built | | | |" % (name, text))
            continue
        launcher, command, environment = work
        pairs = alternate(lambda: launcher + command, lambda: launcher + profiled(command, scratch / "hot"),
                          lambda words: usage(words, env=environment), max(2, rounds // 2))
        elapsed, cpu = (median(b[i] / a[i] for a, b in pairs) for i in (0, 1))
        print("| %s: %s | %.3g | x%.3f | x%.3f | x%.2f | %s |" % (
            name, text, median(a[0] for a, _ in pairs), elapsed, cpu, BAR, verdict(max(elapsed, cpu), BAR)), flush=True)


def peers_of(scratch):
    return [("uftrace, library calls", ["uftrace", "record", "--force", "-d", str(scratch / "uftrace"), "--"]), ("coz", ["coz", "run", "---"])]


def bench_hot_peers(rounds, scratch):
    print("\n| program | tool | native s | elapsed |\n|---|---|---|---|")
    for name, _, arguments in WORKS:
        work = work_of(name, arguments)
        for peer, prefix in peers_of(scratch) if work else []:
            launcher, command, environment = work
            if not shutil.which(prefix[0]):
                print("| %s | %s | | not installed |" % (name, peer))
                continue
            try:
                pairs = alternate(lambda: launcher + command, lambda: launcher + prefix + command,
                                  lambda words: usage(words, env=environment, timeout=PEER_LIMIT_S, cwd=scratch), 1)
            except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as problem:
                print("| %s | %s | | %s |" % (name, peer, "more than %d s" % PEER_LIMIT_S if isinstance(problem, subprocess.TimeoutExpired)
                                              else "fails"), flush=True)
                continue
            finally:
                shutil.rmtree(scratch / "uftrace", ignore_errors=True)
            print("| %s | %s | %.3g | x%.2f |" % (name, peer, median(a[0] for a, _ in pairs), median(b[0] / a[0] for a, b in pairs)), flush=True)
