# SPDX-License-Identifier: MIT
"""The analyzer on damaged profiles: the corpus of tests/fuzz, and mutations of it."""
import os

from support import BUILD, ROOT, execute, expect, skip

BESIDE = True  # no case asserts a time
FULL = "a third of a minute of one processor; unit tests read damaged files"

# They reach 98 of 100 places that 1,500 do, in 40 of 100 of the time.
MUTATIONS = 600


def test_the_analyzer_on_damaged_profiles():
    """Every input in every output, and so many mutations, the same ones in each run (tests/fuzz/check)."""
    program = os.path.join(BUILD, "asan", "fuzz_profile")
    if not os.path.exists(program):
        skip("the fuzzer was not built (clang is not installed)")
    kept = os.path.join(BUILD, "fuzz")  # what fails stays there
    os.makedirs(kept, exist_ok=True)
    result = execute([os.path.join(ROOT, "tests", "fuzz", "check"), program, kept, str(MUTATIONS)], timeout=600)
    expect(result.status == 0, "%s", result.stdout.decode(errors="replace")[-3000:])
