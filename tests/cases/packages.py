# SPDX-License-Identifier: MIT
"""Real programs, as the distribution ships them: same output, same status, laws hold, small profiles."""
import os
import random
import re
import time

import support
from support import (RUN, check_laws, clean_environment, execute, expect, expect_equal, expect_same, need, report_json, run, scratch,
                     short_or_long, skip, soaks)

BESIDE = True  # no case asserts a time
FULL = "programs of packages, each for many seconds"

MEGABYTE = 1 << 20


def data_file():
    """Half noise, half text; always the same."""
    size = short_or_long(4, 48) * MEGABYTE
    path = os.path.join(scratch(), "data")
    noise = random.Random(1)
    with open(path, "wb") as file:
        while file.tell() < size:
            file.write(noise.randbytes(2000) + b"some text that repeats itself, as text does; " * 44)
    return path


def check_profiles(one):
    check_laws(one.report)
    for path in one.profiles():
        expect(os.path.getsize(path) < MEGABYTE, "%s has %d bytes, expected less than 1 MiB", os.path.basename(path), os.path.getsize(path))


def compress(command, *options):
    one = run(need(command), list(options) + [data_file()])
    expect_same(one)
    expect_equal("status", one.profiled.status, 0)
    check_profiles(one)
    return one


@soaks
def test_pigz():
    """Mutexes and conditions."""
    one = compress("pigz", "-p2", "-c", "-n")
    expect(one.report["run"]["threads"] >= 3, "threads: %r, expected 3 or more", one.report["run"]["threads"])


@soaks
def test_pbzip2():
    """C++, conditions with time-outs."""
    compress("pbzip2", "-p2", "-c")


@soaks
def test_xz():
    """liblzma's threads, conditions with clocks."""
    compress("xz", "-T2", "-0", "-c", "--block-size=1MiB")


def without_times(text):
    """sysbench prints times and rates; the rest is fixed."""
    return [line for line in text.decode().splitlines() if not re.search(r"\d\.\d|events/s|seconds", line)]


def sysbench(*arguments):
    one = run(need("sysbench"), arguments)
    expect_equal("status", one.profiled.status, one.native.status)
    expect_equal("output without times", without_times(one.profiled.stdout), without_times(one.native.stdout))
    check_profiles(one)
    return one


def test_sysbench_threads():
    """Four threads that yield around mutexes."""
    sysbench("threads", "--threads=4", "--events=100", "--thread-yields=200", "--time=0", "run")


def test_sysbench_mutex():
    """Two threads, one mutex."""
    sysbench("mutex", "--threads=2", "--mutex-num=1", "--mutex-locks=20000", "--mutex-loops=100", "run")


PYTHON = """
import threading, hashlib, queue, sys, subprocess
q, lock, total = queue.Queue(4), threading.Lock(), [0]
def worker():
    while True:
        item = q.get()
        if item is None: return
        n = int(hashlib.sha256(b'%d' % item * 20000).hexdigest()[:8], 16)
        with lock: total[0] += n
threads = [threading.Thread(target=worker) for _ in range(3)]
for t in threads: t.start()
for i in range(300): q.put(i)
for t in threads: q.put(None)
for t in threads: t.join()
print(total[0], subprocess.run(['true'], close_fds=True).returncode)
sys.exit(6)
"""


def test_python():
    """Threads, a queue, a lock held long, a child with all descriptors closed. covers: D56"""
    path = os.path.join(scratch(), "script.py")
    with open(path, "w") as file:
        file.write(PYTHON)
    one = run(need("python3"), ["-I", path])
    expect_same(one)
    expect_equal("status", one.profiled.status, 6)
    check_profiles(one)


def redis(server_command):
    """Starts a server on a socket of its own, asks it for a while, shuts it down; returns what it answered."""
    import subprocess
    place = scratch()
    path = os.path.join(place, "redis.sock")
    command = server_command + ["--port", "0", "--unixsocket", path, "--save", "", "--dir", place, "--io-threads", "2", "--daemonize", "no"]
    server = subprocess.Popen(command, env=clean_environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        for _ in range(200):
            if os.path.exists(path):
                break
            time.sleep(0.05)
        client = [need("redis-cli"), "-s", path]
        execute([need("redis-benchmark"), "-s", path, "-q", "-n", "1500", "-c", "10", "-t", "set,get,incr"])
        answer = execute(client + ["get", "counter:__rand_int__"]).stdout
        execute(client + ["shutdown", "nosave"])
        return server.wait(20), answer
    finally:
        if server.poll() is None:
            os.killpg(server.pid, 9)
            server.wait()


def test_redis():
    """A server under load on a unix socket, shut down by its client."""
    path = need("redis-server")
    native = redis([path])
    if support.NATIVE_ONLY:
        skip("native only: %r" % (native,))
    directory = os.path.join(scratch(), "run")
    expect_equal("status and answer", redis([RUN, "-q", "-o", directory, "--", path]), native)
    report = report_json(directory)
    check_laws(report)
    for name in os.listdir(directory):
        expect(os.path.getsize(os.path.join(directory, name)) < MEGABYTE, "%s has %d bytes", name, os.path.getsize(os.path.join(directory, name)))
