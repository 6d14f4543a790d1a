# SPDX-License-Identifier: MIT
"""Objects that another thread ends and unmaps as soon as a call on them has taken effect: the profiler looks at none afterwards."""
from io_calls import Io
from support import check_laws, expect, expect_equal, expect_same, run, scratch

BESIDE = True  # no case asserts a time

ROUNDS = 200
STREAMS_WRITTEN = ("putc", "puts", "write", "flush", "print_line", "print_unbuffered", "print_many")
STREAMS_READ = ("getc", "gets", "getline", "read")
LOCKS = ("mutex_normal", "mutex_default", "mutex_recursive", "mutex_checking", "rwlock_written", "rwlock_read", "spinlock")
OTHERS = ("signal", "broadcast", "semaphore", "barrier", "once", "futex", "join")


def play(scene, rounds=ROUNDS):
    one = run("freed_objects", [scene, rounds], directory=scratch())
    print("%s: status %d, natively %d" % (scene, one.profiled.status, one.native.status))
    expect_same(one)
    expect(b"done" in one.profiled.stdout, "it did not end: %r", one.profiled.stdout)
    return one


def play_all(scenes):
    for scene in scenes:
        check_laws(play(scene).report)


def test_streams_closed_when_something_was_written():
    """The reader of what was written closes the writer's stream, which frees it."""
    play_all(STREAMS_WRITTEN)


def test_streams_closed_when_something_was_read():
    """The same with a writer, whose pipe has room again when something was read."""
    play_all(STREAMS_READ)


def test_streams_opened_anew():
    """freopen of a FIFO waits for its other end, which closes the stream; and frees the buffer in which lines are searched for."""
    play("reopen")
    play("lines", 20)


def test_locks_unmapped_when_they_are_free():
    play_all(LOCKS)


def test_what_threads_waited_for_is_unmapped():
    play_all(OTHERS)
    play("name", 50)


def test_bytes_of_streams_beside_other_threads():
    """Bytes are exact where the stream could not be looked at after the call: without a buffer, and of whole buffers."""
    for scene, operation, expected in (("putc", "FWRITE", 1), ("print_unbuffered", "PRINTF", None), ("puts", "FWRITE", 5),
                                       ("flush", "FFLUSH", 1), ("print_many", "PRINTF", 8192)):
        count, size, failed = Io(play(scene)).total(operation)
        expect_equal("%s: calls that failed" % scene, failed, 0)
        expect(count == ROUNDS, "%s: %d calls", scene, count)
        if expected:
            expect_equal("%s: bytes" % scene, size, expected * ROUNDS)


def test_streams_are_unlocked_when_their_calls_are_left():
    """Cancellation and longjmp give back the lock that is taken around a call on a stream; cancelled while it holds it, and left."""
    one = run("freed_objects", ["locks"], directory=scratch())
    expect_same(one)
    expect_equal("locks that others can take", one.profiled.stdout.count(b"lock 0"), 3)
