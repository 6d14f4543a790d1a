# SPDX-License-Identifier: MIT
"""Some cases on each kind of machine that can be had here (machine_states.py); tests/machines runs many more."""
from machine_states import STATES, failures, run_cases
from support import expect

BESIDE = True  # none of those cases asserts a time
FULL = "cases of make check, on other kinds of machines"

# Of waits, counts, calls, input and output, cancellation, OpenMP, processes, and an attached process.
CASES = ("test_every_wrapped_operation_is_counted", "test_mutex_two_waiters", "test_calls_and_times_of_one_thread",
         "test_counts_and_bytes_are_exact", "test_cancellation_runs_destructors", "test_openmp_counts_of_tasks", "test_vfork",
         "test_calls_that_wait_go_on")


def case_of(state):
    def case():
        outcome = run_cases(state, CASES)
        expect(outcome.status == 0, "%d of %d cases fail: %s", outcome.failed, len(CASES), " | ".join(failures(outcome)))
        expect(outcome.passed > len(CASES) / 2, "only %d cases could be run: %s", outcome.passed, " | ".join(outcome.lines[:len(CASES)]))
    case.__doc__ = state.text
    return case


for _state in STATES:
    globals()["test_machine_" + _state.name.replace("-", "_")] = case_of(_state)
