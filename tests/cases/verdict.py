# SPDX-License-Identifier: MIT
"""How a case fails, and what may be tried again.

Counts and laws are asserted once: what is wrong once is wrong. Only what other programs can change in a run, and what is marked
as such (timing), is tried again (retry_time), and every such attempt is printed. Figures that are compared with a tolerance
(expect_near, expect_between) are mostly times: if they differ in a case that runs beside others, the runner has the case
once more, alone, and that counts (case_runner). Cases import all of it from support."""
import contextlib
import functools
import os
import resource
import time

# In the running case: assertions of time that were tried again, and parts of it that could not be run.
RETRIES, PARTS_SKIPPED = [], []


class Skip(Exception):
    """The case cannot be run here; the text says why."""


class Failure(Exception):
    """The text says what was compared, with which tolerance."""


def skip(reason):
    raise Skip(reason)


def fail(text, *values, kind=Failure):
    raise kind(text % values if values else text)


class TimeFailure(Failure):
    """An assertion that another program on the machine can make fail."""


class Apart(Failure):
    """Two figures differ by more than a tolerance."""


class Unmet(TimeFailure):
    """By its own truth the program did not do what the case examines: that says nothing about the tool."""


def premise(condition, text, *values):
    """Within timing(). Tried again like other assertions of time, and skipped if it is never met."""
    if not condition:
        raise Unmet(text % values if values else text)


def part_skipped(reason):
    """The case continues without a part of what it checks: printed, and counted."""
    PARTS_SKIPPED.append(str(reason))


def expect(condition, text, *values):
    if not condition:
        fail(text, *values)


def expect_equal(what, got, wanted):
    expect(got == wanted, "%s: %r, expected %r", what, got, wanted)


def close(a, b, relative, floor=0.0):
    return abs(a - b) <= max(relative * max(abs(a), abs(b)), floor)


def expect_near(what, got, wanted, relative=0.03, floor=0.005):
    """|got - wanted| <= max(relative * |wanted|, floor), in seconds or whatever unit both have."""
    expect(got is not None, "%s: unknown, expected %.6f", what, wanted)
    allowed = max(relative * abs(wanted), floor)
    if not abs(got - wanted) <= allowed:
        fail("%s: %.6f, expected %.6f +- %.6f (%g %%, at least %g)", what, got, wanted, allowed, 100 * relative, floor, kind=Apart)


def expect_between(what, got, least, most, relative=0.03, floor=0.005):
    """The truth is known to lie in [least, most]; the tolerance applies at both ends."""
    expect(got is not None, "%s: unknown, expected %.6f .. %.6f", what, least, most)
    low, high = least - max(relative * least, floor), most + max(relative * most, floor)
    if not low <= got <= high:
        fail("%s: %.6f, expected %.6f .. %.6f (truth %.6f .. %.6f, %g %%, at least %g)",
             what, got, low, high, least, most, 100 * relative, floor, kind=Apart)


# Assertions of time

@contextlib.contextmanager
def timing():
    """A failure within is one of time: retry_time may try it again."""
    try:
        yield
    except TimeFailure:
        raise
    except Failure as failure:
        raise TimeFailure(str(failure)) from failure


def used_seconds():
    """Processor time of this case, and of its programs that have ended and were awaited."""
    return sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


def processor_seconds():
    """(idle, used by this case's programs that have ended, used by whoever else) of all processors, since the machine was started."""
    with open("/proc/stat") as file:
        user, nice, system, idle, waiting, interrupts, soft, stolen = (int(n) / os.sysconf("SC_CLK_TCK") for n in file.readline().split()[1:9])
    used = used_seconds()
    return idle + waiting, used, user + nice + system + interrupts + soft + stolen - used


def await_free_processors(most):
    """Waits until two processors are idle, at most so many seconds."""
    end = time.monotonic() + most
    while time.monotonic() < end:
        started, idle = time.monotonic(), processor_seconds()[0]
        time.sleep(0.25)
        if processor_seconds()[0] - idle > 0.85 * 2 * (time.monotonic() - started):
            return


PAUSES = (2, 6)
# Processors of other programs, on average: with more, a failed check of times is not due to the tool.
DISTURBANCE = 0.25


def others_had(check, *arguments):
    """(the failure of check(*arguments) or None, its result, processors that other programs had meanwhile, on average)"""
    begin, before, failure, result = time.monotonic(), processor_seconds()[2], None, None
    try:
        result = check(*arguments)
    except TimeFailure as error:
        failure = error
    return failure, result, (processor_seconds()[2] - before) / max(time.monotonic() - begin, 0.01)


def retry_time(reason, check, *arguments):
    """check(*arguments), up to twice more when an assertion of time failed, each when processors are free for it, or after a pause. Any other
    failure is final at once. reason: what another program does to it. When processors were never free, by the kernel's own count,
    nothing is known, and the check is skipped."""
    for pause in PAUSES + (0,):
        failure, result, others = others_had(check, *arguments)
        if failure is None:
            return result
        what = "%s (%s; others had %.1f processors): %s" % (getattr(check, "__name__", "check"), reason, others, failure)
        if pause:
            RETRIES.append(what)
            await_free_processors(pause)
    if others <= DISTURBANCE and not isinstance(failure, Unmet):
        raise failure
    raise Skip(what)


def timed(reason):
    """The same for a function, as a decorator."""
    def decorate(check):
        @functools.wraps(check)
        def repeated(*arguments, **named):
            return retry_time(reason, functools.wraps(check)(functools.partial(check, **named)), *arguments)
        return repeated
    return decorate
