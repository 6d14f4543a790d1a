# SPDX-License-Identifier: MIT
"""Cost of calls on descriptors and of `syscall` that do not wait (tests/bench/io_operations.cc), and of programs that make many."""
import os
import random
import shutil
import signal
import socket
import subprocess
import time

from measure import BUILD, ROOT, alternate, batches, best_of_batches, median, profiled, server_pair, usage, verdict
from support import free_port

# name, count in a batch, bar in ns added, text
WORKS = [
    ("read", 100000, 25, "read of a byte"),
    ("pread", 100000, 25, "pread of a byte from the page cache"),
    ("write", 100000, 25, "write of a byte to /dev/null"),
    ("getpid", 100000, 3, "`syscall` that is no futex"),
    ("wake", 100000, 10, "FUTEX_WAKE for which nobody waits"),
    ("semaphore", 1000000, 10, "acquire + release of a free std::counting_semaphore"),
]
PROGRAM_BAR = 1.02
REQUESTS = 20000


def build():
    """The program, or None where there is no compiler for C++20."""
    program = BUILD / "bench/io_operations"
    program.parent.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(["g++", "-std=c++20", "-O2", "-g", "-o", str(program), str(ROOT / "tests/bench/io_operations.cc"), "-pthread"],
                          stderr=subprocess.DEVNULL)
    return program if done.returncode == 0 else None


def bench_operation(work, program, rounds, scratch):
    """The bar is for the best batches. Without samples, which cost the same per second of any call."""
    name, count, bar, text = work
    command = [program, name, count]
    pairs = alternate(lambda: command, lambda: profiled(command, scratch / "io", ["-s", "0"]), batches, rounds)
    native, ours, of_medians = best_of_batches(pairs)
    print("| %s | %.4g | %.4g | %+.3g | %+.3g | +%g ns | %s |" % (text, native, ours, ours - native, of_medians, bar, verdict(ours - native, bar)),
          flush=True)


class Nginx:
    """One process on a port of its own, for as many requests as ab makes."""

    def __init__(self, scratch, prefix):
        home = scratch / "nginx"
        home.mkdir(exist_ok=True)
        home.chmod(0o755)
        (home / "index.html").write_text("nothing\n" * 100)
        self.port = free_port()
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        (home / "conf").write_text("daemon off; master_process off; pid %s/pid; error_log %s/errors;\nevents {}\nhttp { access_log off; %s\n"
                                   "server { listen 127.0.0.1:%d; root %s; } }\n" % (
                                       home, home, " ".join("%s_temp_path %s/temp;" % (kind, home) for kind in kinds), self.port, home))
        self.process = subprocess.Popen([str(word) for word in prefix + ["nginx", "-c", home / "conf", "-e", home / "errors"]],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    self.server = int((home / "pid").read_text())
                    return
            time.sleep(0.05)
        raise RuntimeError("nginx did not come up")

    def load(self, requests):
        return usage(["ab", "-q", "-k", "-c", "8", "-n", requests, "http://127.0.0.1:%d/index.html" % self.port])[0]

    def cpu(self):
        """The scheduler's clock of the server's only thread: of a nanosecond, where utime and stime of /proc are of a tick."""
        return int(open("/proc/%d/schedstat" % self.server).read().split()[0]) / 1e9

    def measure(self):
        self.load(REQUESTS // 10)
        before = self.cpu()
        elapsed = self.load(REQUESTS)
        return elapsed, self.cpu() - before

    def close(self):
        os.kill(self.server, signal.SIGTERM)
        self.process.wait(10)


def make_tree(scratch):
    """20,000 small files, of the kind that a search reads whole."""
    tree, words = scratch / "tree", random.Random(7)
    if not tree.exists():
        for directory in range(200):
            (tree / str(directory)).mkdir(parents=True)
            for name in range(100):
                text = " ".join("%x" % words.getrandbits(40) for _ in range(words.randrange(20, 500)))
                (tree / str(directory) / str(name)).write_text(text)
    return tree


def print_program(name, pairs):
    elapsed, cpu = (median(b[i] / a[i] for a, b in pairs) for i in (0, 1))
    best = min(b[1] for _, b in pairs) / min(a[1] for a, _ in pairs)
    print("| %s | %.3g | x%.3f | x%.3f | x%.3f | x%.2f | %s |" % (name, median(a[0] for a, _ in pairs), elapsed, cpu, best, PROGRAM_BAR,
                                                             verdict(max(elapsed, min(cpu, best)), PROGRAM_BAR)), flush=True)


def bench_programs(rounds, scratch):
    reads = ["fio", "--name=read", "--filename=" + str(scratch / "fio"), "--rw=randread", "--bs=4k", "--size=64m", "--ioengine=psync", "--invalidate=0",
             "--loops=30", "--thread", "--randrepeat=1"]
    search = ["rg", "-c", "--no-ignore", "deadb"] + [make_tree(scratch)] * 5
    for name, needs, command in [("fio, 490,000 random reads of 4 KiB from the page cache", ["fio"], reads), ("ripgrep, five times over 20,000 files", ["rg"], search),
                                 ("nginx, %d requests of ab" % REQUESTS, ["nginx", "ab"], None)]:
        if not all(shutil.which(need) for need in needs):
            print("| %s | not installed | | | | | |" % name)
        elif command:
            print_program(name, alternate(lambda: command, lambda: profiled(command, scratch / "io"), usage, rounds))
        else:
            print_program(name, [server_pair(Nginx, scratch, scratch / "io") for _ in range(rounds)])


def bench_io(rounds, scratch):
    program = build()
    print("\n| call that does not wait | native ns | profiled ns | added ns | added, of medians | bar | |\n|---|---|---|---|---|---|---|")
    for work in WORKS if program else []:
        bench_operation(work, program, rounds, scratch)
    if not program:
        print("| not measured: no compiler for C++20 | | | | | | |")
    print("\n| program | native s | elapsed | CPU | CPU, best of each | bar | |\n|---|---|---|---|---|---|---|")
    bench_programs(rounds, scratch)
