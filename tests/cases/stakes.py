# SPDX-License-Identifier: MIT
"""What is at stake, and where: the same whether other programs use the processors or not."""
import contextlib
import os

from findings import check_findings
from support import burner, check_laws, expect, expect_equal, run, waits

BESIDE = True  # no case asserts a time that the machine decides

BURNERS = 3


@contextlib.contextmanager
def on_one_processor(burners=0):
    """All that is started meanwhile; so many other programs have the same processor."""
    everybody = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(everybody)})
    others = [burner() for _ in range(burners)]
    try:
        yield
    finally:
        os.sched_setaffinity(0, everybody)
        for other in others:
            other.kill()
            other.wait()


def found(scene):
    one = run("stakes", [scene])
    check_laws(one.report, sampling=False)
    check_findings(one.report)
    return one, {f["id"]: f for f in one.report["findings"]}


def test_what_others_took_stays_taken():
    """A main thread waits at the barrier of the only worker, which shares its processor with other programs: there is nothing to gain."""
    with on_one_processor(BURNERS):
        one, all_of_them = found("barrier")
    expect("barrier-wait" not in all_of_them, "the barrier has %s at stake", all_of_them.get("barrier-wait"))
    first = one.report["findings"][0]
    expect_equal("first of %s" % list(all_of_them), (first["id"], first["kind"]), ("oversubscription", "environment"))


def test_who_has_no_processor_spins_nothing_away():
    """Eight threads on one processor wait for a spinlock: no more can be lost by spinning than they spun, on it."""
    with on_one_processor():
        one, all_of_them = found("spin")
    finding = all_of_them["spin-wait"]
    expect(finding["elapsed_seconds"] <= 1.25 * one.truth["spun"], "%.3f s at stake, %.3f s spun: %s", finding["elapsed_seconds"],
           one.truth["spun"], finding["evidence"])
    expect("without a processor" in finding["evidence"], "evidence: %s", finding["evidence"])
    crowd = all_of_them.get("oversubscription")
    expect(not crowd or crowd["kind"] == "environment", "on one processor threads take turns: %s", crowd)
    expect_equal("grade", finding["grade"], "estimated")


def test_a_routine_has_all_that_it_waits_for():
    """One routine waits for twelve locks: it has all of the waiting, each lock a twelfth; or one most of it, whose holder had no processor."""
    one, all_of_them = found("objects")
    finding = all_of_them["lock-contention"]
    where = {step["level"]: step for step in finding["where"]}
    expect(where["routine"]["name"].startswith("put ") and where["routine"]["share_percent"] > 99, "where: %s", finding["where"])
    waited = [row["wait_seconds"] for row in waits(one.report, "mutex")]
    if max(waited) > 0.5 * sum(waited):
        expect("object" in where, "where: %s, of waits of %s s", finding["where"], waited)
    else:
        expect_equal("locks", {step["level"]: step for step in finding["spread"]}["object"]["among"], 12)
