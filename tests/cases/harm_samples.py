# SPDX-License-Identifier: MIT
"""Programs that a sample harmed where it found them: tests/programs/harm_samples.c."""
from support import expect_same, run, skip

BESIDE = True  # no case asserts a time


def same(mode):
    one = run("harm_samples", [mode])
    if one.native.status == 77:
        skip("not on this architecture")
    expect_same(one)


def test_code_that_is_not_there():
    """A call of an address where nothing is mapped, and of a page that nothing may read: handlers repair both."""
    same("unmapped")
    same("lazy")


def test_a_stack_without_a_word():
    """At the end of a mapping."""
    same("edge")


def test_accesses_must_be_aligned():
    """The program has said so to the processor."""
    same("aligned")


def test_coroutines_that_handlers_made():
    """Jumps lead back into frames of handlers on alternate stacks that have returned."""
    same("coroutines")
