# SPDX-License-Identifier: MIT
"""Calls on descriptors: how often, how many bytes, how long they waited and for what; and programs that make them as hostile
programs do, which must not notice."""
import re

from profile_file import causes, operations, profiles, source
from support import alone, check_laws, expect, expect_between, expect_equal, expect_near, expect_same, full, run, scratch, timed, timing

BESIDE = True

LATE = "waiters lost their processors before they waited"
# A wait that a jump left is noticed at the next sample of its thread.
NOTICED = 0.015


def kinds():
    return re.findall(r'\bKIND\((\w+), "', source("vocabulary.h"))


class Io:
    """The rows of a run's first process."""

    def __init__(self, one, processes=1):
        found = sorted(profiles(one), key=lambda profile: profile.pid)
        expect_equal("profiles", len(found), processes)
        self.profile, self.names = found[0], operations()
        self.objects = {row["number"]: (kinds()[row["kind"]], self.profile.text(row["name"])) for row in self.profile.rows["objects"]}

    def calls(self, operation):
        """[(kind and name, or None, count, bytes, failed)] with the rows of one object added up"""
        sums = {}
        for row in self.profile.rows["io_calls"]:
            if self.names[row["operation"]] == operation:
                one = sums.setdefault(self.objects.get(row["object"]), [0, 0, 0])
                for i, column in enumerate(("count", "bytes", "failed")):
                    one[i] += row[column]
        return sums

    def total(self, operation):
        return [sum(one[i] for one in self.calls(operation).values()) for i in range(3)]

    def waits(self, operation, kind=None):
        return [row for row in self.profile.rows["waits"] if self.names[row["operation"]] == operation and
                (kind is None or self.objects.get(row["object"], ("",))[0] == kind)]

    def seconds(self, operation, kind=None):
        return sum(row["sum_ns"] for row in self.waits(operation, kind)) / 1e9


def test_counts_and_bytes_are_exact():
    one = run("io_calls", ["counts"], directory=scratch())
    expect_same(one)
    check_laws(one.report, sampling=False)
    io = Io(one)
    # what the first read up to the end gets is what was written before, less what was read
    size = 7 * 100 + 5 * 30
    rest = size - 8 * 20 - 3 * 30
    truth = {"WRITE": [7, 700, 0], "PWRITE": [6, 300, 0], "WRITEV": [5, 150, 0], "PWRITEV": [4, 120, 0],
             "READ": [8 + 1 + 1 + 3, 160 + rest, 3], "PREAD": [9, 360, 0], "READV": [3, 90, 0], "PREADV": [2, 60, 0],
             "FSYNC": [1, 0, 0], "FDATASYNC": [1, 0, 0], "FLOCK": [1, 0, 0],
             "SEND": [5, 50, 0], "RECV": [6, 50, 1], "SENDTO": [1, 30, 0], "RECVFROM": [1, 30, 0], "SENDMSG": [1, 64, 0],
             "RECVMSG": [1, 64, 0], "SENDMMSG": [1, 128, 0], "RECVMMSG": [1, 128, 0], "POLL": [11, 0, 0]}
    for operation, expected in truth.items():
        expect_equal("%s: calls, bytes, failed" % operation, io.total(operation), expected)
    expect_equal("waits by poll with a time-out of zero", io.waits("POLL"), [])


@timed(LATE)
def test_waits_are_as_long_as_the_waiters_say():
    one = run("io_calls", ["waits"])
    check_laws(one.report)
    io = Io(one)
    expect_equal("calls of read", io.total("READ")[:2], [10, 10])
    names = {io.objects[row["object"]][1].split("[")[0] for row in io.waits("READ", "PIPE")}
    expect_equal("names of the pipe", names, {"pipe:"})
    by_cause = [0] * 32
    for row in io.profile.rows["threads"]:
        by_cause = [a + b for a, b in zip(by_cause, row["off_by_cause_ns"])]
    with timing():
        for operation, kind, key in (("READ", "PIPE", "reading"), ("RECV", "SOCKET", "receiving"), ("POLL", "SOCKET", "polling")):
            expect_near("waiting in %s" % operation, io.seconds(operation, kind), one.truth[key], 0.03, 0.003)
        expect_near("off the processor by read", by_cause[causes().index("READ")] / 1e9,
                    one.truth["reading"] + one.truth["receiving"], 0.03, 0.005)
        expect_near("off the processor by events", by_cause[causes().index("EVENTS")] / 1e9, one.truth["polling"], 0.03, 0.005)


@timed(LATE)
def test_poll_for_room_is_a_wait_to_write():
    one = run("io_calls", ["room"])
    check_laws(one.report)
    io = Io(one)
    waits = io.waits("POLL")
    expect_equal("what was waited for", {io.objects[row["object"]] for row in waits}, {("PIPE", "pipe:[%d]" % one.truth["pipe"])})
    expect_equal("causes of the waits", {causes()[row["cause"]] for row in waits}, {"WRITE"})
    with timing():
        expect_near("waiting in poll", io.seconds("POLL"), one.truth["waiting"], 0.03, 0.003)


@timed("the reader lost its processor in the middle of a copy")
def test_copies_from_the_page_cache_are_no_waits():
    one = run("io_calls", ["cache"], directory=scratch())
    check_laws(one.report)
    io = Io(one)
    expect_equal("calls of pread", io.total("PREAD"), [30, 30 * (8 << 20), 0])
    with timing():
        expect_between("waiting in pread", io.seconds("PREAD"), 0, 0, 0, 0.02 * one.truth["copying"])


def test_work_in_the_kernel_is_no_wait():
    """However long it takes: the thread does not give up its processor. (It does now and then, as any program may.)"""
    one = run("io_calls", ["work"], directory=scratch())
    check_laws(one.report)
    io = Io(one)
    expect_equal("calls of poll and pread", (io.total("POLL")[0], io.total("PREAD")[0]), (500, 1000))
    waits = sum(row["count"] for operation in ("POLL", "PREAD") for row in io.waits(operation))
    expect(waits <= 20, "%d of 1500 calls waited", waits)


def none_waits_after_a_sleep(who):
    one = run("rested", [who], directory=scratch())
    expect_same(one)
    rows = [r for r in one.report["io"]["rows"] if r["operation"] not in ("open", "write")]
    counts = {name: sum(r["count"] for r in rows if r["operation"] == name) for name in {r["operation"] for r in rows}}
    expect_equal("calls", counts, {"semop": 20, "msgsnd": 20, "msgrcv": 20, "fcntl_lock": 20, "flock": 40, "poll": 20, "read": 20})
    expect_equal("calls that waited", {r["operation"]: r["waits"] for r in rows if r["waits"]}, {})


def test_calls_after_a_sleep_do_not_wait_for_it():
    """Calls that find what they want, by a thread that slept before: that it gave up its processor is not theirs."""
    none_waits_after_a_sleep("thread")


def test_calls_of_a_fork_child_after_a_sleep_do_not_wait_for_it():
    """The same in a process for which the kernel counts from zero."""
    none_waits_after_a_sleep("child")


@timed(LATE)
def test_nonblocking_descriptors_wait_as_soon_as_the_flag_has_gone():
    """However long the calls before took, and although the thread slept between them."""
    one = run("io_calls", ["flag"])
    expect_same(one)
    check_laws(one.report)
    io = Io(one)
    expect_equal("calls of send: calls, bytes, failed", io.total("SEND"), [20 + 200 + 10, 20 + 200 * 65536 + 10, 0])
    expect_equal("waits to send", io.waits("SEND"), [])
    waits = [row for row in io.waits("RECV") if io.objects.get(row["object"]) == ("SOCKET", "socket:[%d]" % one.truth["socket"])]
    expect(waits, "no wait to receive")
    with timing():
        expect_equal("waits to receive", sum(row["count"] for row in waits), 10)
        expect_near("waiting in recv", sum(row["sum_ns"] for row in waits) / 1e9, one.truth["receiving"], 0.03, 0.003)


def test_children_that_only_read_and_write_are_seen():
    one = run("io_calls", ["child"])
    expect_equal("status", one.profiled.status, 0)
    for operation, of_whom in (("write", "the child"), ("read", "its parent")):
        rows = [row for row in one.report["io"]["rows"] if row["operation"] == operation]
        expect_equal("calls and bytes of %s" % of_whom, [sum(row[key] for row in rows) for key in ("count", "bytes")],
                     [5000, 100 * 5000])


def test_children_that_do_little_are_counted():
    """Fewer calls than wake a fork child, and some more; what the pipe was used for stands beside it."""
    for calls in (3, 63, 64, 65, 300):
        one = run("io_calls", ["child", calls])
        expect_equal("status", one.profiled.status, 0)
        rows = [row for row in one.report["io"]["rows"] if row["operation"] == "write"]
        expect_equal("calls and bytes of %d" % calls, [sum(row[key] for row in rows) for key in ("count", "bytes")],
                     [calls, 100 * calls])
        expect_equal("processes", len(one.report["processes"]), 2)


def test_objects_have_the_names_of_the_kernel():
    one = run("io_calls", ["names"], directory=scratch())
    io = Io(one)
    files = {name.rsplit("/", 1)[-1]: count for (kind, name), (count, _, _) in
             [(key, value) for key, value in io.calls("PREAD").items() if key] if kind == "FILE"}
    # 16 calls, and then the number is looked up; closed numbers stand for something else
    expect_equal("files read by one number", sorted(files), ["first", "second", "third"])
    expect(all(count >= 24 for count in files.values()), "calls with a name: %s", files)
    expect_equal("calls of pread", io.total("PREAD")[0], 120)
    port = int(one.truth["port"]) if one.truth else 0
    with_name = {operation: {key for key in io.calls(operation) if key} for operation in ("WRITE", "READ", "EPOLL_WAIT")}
    names = re.compile(r"tcp 127\.0\.0\.1:\d+(, accepted)?$")
    expect(port > 0, "no port")
    expect(any(kind == "EVENTFD" for kind, _ in with_name["WRITE"]), "no eventfd: %s", with_name)
    expect(any(kind == "EPOLL" for kind, _ in with_name["EPOLL_WAIT"]), "no epoll: %s", with_name)
    expect(any(kind == "SOCKET" and names.match(name) and not name.endswith("accepted") for kind, name in with_name["WRITE"]),
           "no connected socket: %s", with_name)
    expect(any(kind == "SOCKET" and names.match(name) and name.endswith("accepted") for kind, name in with_name["READ"]),
           "no accepted socket: %s", with_name)


def test_a_number_that_was_closed_unseen_is_looked_up_again():
    one = run("io_calls", ["unseen"], directory=scratch())
    io = Io(one)
    names = sorted(io.objects[row["object"]][1] for row in io.waits("READ", "PIPE"))
    expect_equal("pipes that were waited for", names, sorted("pipe:[%d]" % one.truth[key] for key in ("first", "second")))


def harm(scene):
    one = run("io_harm", [scene], directory=scratch())
    expect_same(one, stderr=True)
    return one


def test_cancellation_runs_the_clean_up_handlers():
    harm("cancel")


def test_handlers_interrupt_what_they_did():
    harm("eintr")


def test_errno_is_the_programs():
    harm("errors")


def test_vfork_children_leave_nothing_behind():
    one = harm("vfork")
    io = Io(one, processes=2)  # and the program that a child became
    # the computing comes after a wait that its child could not end
    by_events = sum(row["off_by_cause_ns"][causes().index("EVENTS")] for row in io.profile.rows["threads"]) / 1e9
    expect_between("time in the wait of the killed child", by_events, 0, 0.15, 0, NOTICED)


def test_fork_in_the_middle_of_a_read():
    harm("fork")


def test_handlers_may_write():
    harm("handler")


def test_handlers_on_a_stack_that_is_just_enough():
    harm("cramped")


def test_standard_streams_are_opened_again():
    harm("closed")


@full
@alone
@timed("the thread that jumped had no processor, so no sample")
def test_a_jump_out_of_read_ends_the_wait():
    one = run("io_harm", ["jump"])
    check_laws(one.report, sampling=False)
    io = Io(one)
    with timing():
        expect_between("time in the read that was left", io.seconds("READ"), one.truth["waited"], one.truth["waited"], 0.05, NOTICED)
