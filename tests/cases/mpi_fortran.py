# SPDX-License-Identifier: MIT
"""Fortran's three bindings: each call is counted once, with its bytes, at the user's line.

The profiler interposes C functions. Bindings call them, but also others on the way (how many ranks are there?), and some
calls use no C function; tests/programs/mpi/traffic.F90 has calls of all these kinds."""
from mpi_job import check_job, each_library
from support import expect, full

BESIDE = True  # no case asserts a time

RANKS = 3


def check_places(job):
    """Every place is a routine of the program, none is in a library."""
    strange = [s for s in job.mpi["sites"] if not (s["file"] or "").endswith("traffic.F90")]
    expect(not strange, "places outside the program: %s", ", ".join("%s in %s" % (s["call"], s["routine"]) for s in strange))


def traffic(library, binding):
    check_places(check_job(library, "traffic_" + binding, RANKS))


@full
def test_mpi_fortran_include():
    """include 'mpif.h'"""
    each_library(lambda library: traffic(library, "mpifh"))


@full
def test_mpi_fortran_module():
    """use mpi"""
    each_library(lambda library: traffic(library, "use"))


def test_mpi_fortran_2008():
    """use mpi_f08: handles of their own types, no error codes, sections of arrays."""
    each_library(lambda library: traffic(library, "f08"))
