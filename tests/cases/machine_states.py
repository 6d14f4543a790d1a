# SPDX-License-Identifier: MIT
"""Kinds of machines that can be had on this one: words in front of a command, and variables, that make it meet such a one.

tests/machines runs many cases in each; cases/machines.py some."""
import collections
import contextlib
import os
import re
import subprocess
import sys
import tempfile
import time

from support import BUILD, ROOT, built, burner, expect, need, skip

NOBODY = 65534
BURNERS, BURN_SECONDS = 8, 1800

# prefix(place): the words; variables(place): {name: value}; place: a directory of its own, in the directory `where`. burners: so many
# processes that compute meanwhile.
State = collections.namedtuple("State", "name text prefix variables where burners", defaults=(lambda place: [], lambda place: {}, "/tmp", 0))
Outcome = collections.namedtuple("Outcome", "status lines passed failed skipped seconds")


def need_root():
    if os.geteuid():
        skip("needs root")


def with_mounts(script, *words):
    """Runs the command after a script of sh, whose mounts nobody else sees; its $1, ... are words."""
    need_root()
    text = "%s || exit 125; shift %d; exec \"$@\"" % (script, len(words))
    return [need("unshare"), "-m", "sh", "-c", text, "sh"] + list(words)


# Another /dev, without shm.
DEVICES_ALONE = """mount -t tmpfs none "$1" &&
for name in null zero full random urandom tty fd stdin stdout stderr; do cp -a /dev/$name "$1" || exit; done &&
mkdir "$1/pts" && mount --bind /dev/pts "$1/pts" && ln -s pts/ptmx "$1/ptmx" && mount --move "$1" /dev"""


def processors(numbers):
    if not set(numbers) <= os.sched_getaffinity(0):
        skip("processors %s are not here" % numbers)
    return [need("taskset"), "-c", ",".join(map(str, numbers))]


def without_network():
    need_root()
    return [need("unshare"), "-n", "sh", "-c", "%s link set lo up || exit 125; exec \"$@\"" % need("ip"), "sh"]


def as_user(place):
    need_root()
    os.chmod(place, 0o777)
    reaches = subprocess.run([need("setpriv"), "--reuid=%d" % NOBODY, "--clear-groups", "test", "-x", built("counts")], check=False).returncode == 0
    if not reaches:
        skip("another user does not reach the build directory")
    return [need("setpriv"), "--reuid=%d" % NOBODY, "--regid=%d" % NOBODY, "--clear-groups"]


def elsewhere(place):
    return {"TMPDIR": place}


STATES = [
    State("one-processor", "one processor", lambda place: processors([0])),
    State("two-processors", "two processors", lambda place: processors([0, 1])),
    State("counter", "short times come from the processor's counter", variables=lambda place: {"TEST_CLOCK": "counter"}),
    State("no-counter", "short times come from the kernel's clock", variables=lambda place: {"TEST_CLOCK": "kernel"}),
    State("no-records", "perf_event_open is refused", lambda place: [built("no_perf")]),
    State("no-shm", "there is no /dev/shm", lambda place: with_mounts(DEVICES_ALONE, place)),
    State("lang-c", "LC_ALL=C, and no UTF-8", variables=lambda place: {"LC_ALL": "C", "LANG": "C", "TEST_LC_ALL": "C", "PYTHONUTF8": "0",
                                                                        "PYTHONCOERCECLOCALE": "0"}),
    State("elsewhere", "temporary files lie on the disk of the build", variables=elsewhere, where=BUILD),
    State("no-network", "no network but loopback", lambda place: without_network()),
    State("user", "an ordinary user", as_user, lambda place: dict(elsewhere(place), HOME=place)),
    State("busy", "beside %d processes that compute" % BURNERS, burners=BURNERS),
]


@contextlib.contextmanager
def burning(count):
    """So many processes use processors; they end by themselves, too."""
    burners = [burner(seconds=BURN_SECONDS) for _ in range(count)]
    try:
        yield
    finally:
        for process in burners:
            process.kill()
            process.wait()


def run_cases(state, names):
    """tests/run --quick NAME... in that state. Its directory is where others may reach it, as that of a case is not."""
    with tempfile.TemporaryDirectory(prefix="pt-", dir=state.where) as place:
        return run_at(place, state, names)


def run_at(place, state, names):
    environment = {key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}
    environment.update(state.variables(place), BUILD=BUILD)
    command = state.prefix(place) + [sys.executable, os.path.join(ROOT, "tests", "run"), "--quick"] + list(names)
    begin = time.monotonic()
    with burning(state.burners):
        result = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    lines = result.stdout.decode(errors="replace").splitlines()
    counts = re.fullmatch(r"(\d+) passed, (\d+) failed, (\d+) skipped", lines[-1] if lines else "")
    expect(counts, "in the state %s tests/run ended with status %d: %s", state.name, result.returncode, " | ".join(lines[-3:]))
    return Outcome(result.returncode, lines, *map(int, counts.groups()), time.monotonic() - begin)


def failures(outcome):
    return [line for line in outcome.lines if line.startswith("FAIL ")]
