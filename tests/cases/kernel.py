# SPDX-License-Identifier: MIT
"""What this kernel allows, found out by system calls of our own: relying on the tool would excuse it whenever it fails."""
import ctypes
import functools
import os
import platform
import struct

PERF_EVENT_OPEN = {"x86_64": 298, "aarch64": 241}
PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY, PERF_FLAG_FD_CLOEXEC = 1, 9, 8
ATTRIBUTES_BYTES = 112  # PERF_ATTR_SIZE_VER5
DISABLED, EXCLUDE_KERNEL, EXCLUDE_HV, CONTEXT_SWITCH = 1 << 0, 1 << 5, 1 << 6, 1 << 26


def open_switch_records():
    """(descriptor of the records of this process's own context switches, None), or (None, why there are none)"""
    number = PERF_EVENT_OPEN.get(platform.machine())
    if number is None:
        return None, "the number of perf_event_open on %s is not known here" % platform.machine()
    attributes = bytearray(ATTRIBUTES_BYTES)
    struct.pack_into("=IIQ", attributes, 0, PERF_TYPE_SOFTWARE, ATTRIBUTES_BYTES, PERF_COUNT_SW_DUMMY)
    struct.pack_into("=Q", attributes, 40, DISABLED | EXCLUDE_KERNEL | EXCLUDE_HV | CONTEXT_SWITCH)
    call = ctypes.CDLL(None, use_errno=True).syscall
    buffer = (ctypes.c_char * ATTRIBUTES_BYTES).from_buffer(attributes)
    descriptor = call(ctypes.c_long(number), buffer, ctypes.c_int(0), ctypes.c_int(-1), ctypes.c_int(-1),
                      ctypes.c_ulong(PERF_FLAG_FD_CLOEXEC))
    return (descriptor, None) if descriptor >= 0 else (None, "perf_event_open: %s" % os.strerror(ctypes.get_errno()))


@functools.lru_cache(maxsize=None)
def switch_records_refused():
    """Why the records of its own context switches are refused to this process; None: they are not."""
    descriptor, reason = open_switch_records()
    if descriptor is not None:
        os.close(descriptor)
    return reason


def keep_awake():
    """The first such event on an idle machine takes the kernel 4 to 30 ms, for which the program waits in its first parallel region: the
    tool leaves that out of its figures, the program's own truth has it in. An event that stays open spares all cases the wait."""
    open_switch_records()


@functools.lru_cache(maxsize=None)
def knows_ready_time():
    """Whether the kernel counts for how long a thread waited for a processor (CONFIG_SCHEDSTATS or CONFIG_SCHED_INFO)."""
    return os.path.exists("/proc/self/schedstat")


def host_ticks():
    """What the host of a virtual machine took of its processors, and all of their time, in ticks since the start of the machine."""
    with open("/proc/stat") as stat:
        ticks = [int(word) for word in stat.readline().split()[1:9]]
    return ticks[7], sum(ticks)


def taken_since(before):
    """The share that the host took. It counts whole ticks: less than there was."""
    taken, whole = (now - then for now, then in zip(host_ticks(), before))
    return taken / whole if whole else 0
