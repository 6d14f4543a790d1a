# SPDX-License-Identifier: MIT
"""What the cases on tables of calls use: the script that checks a table, run on the table itself and on damaged copies of it."""
import os

from support import ROOT, execute, expect, expect_equal, fail, scratch, skip


class CallTable:
    """script: in scripts/; table: below preload/; missing: what is printed if there is nothing to compare with."""

    def __init__(self, script, table, missing):
        self.script, self.missing = os.path.join(ROOT, "scripts", script), missing
        self.table = os.path.join(ROOT, "preload", table)

    def text(self):
        """The table's, if there is something to compare it with."""
        if b"skipped" in execute([self.script]).stdout:
            skip(self.missing)
        with open(self.table) as file:
            return file.read()

    def checked(self, text):
        path = os.path.join(scratch(), os.path.basename(self.table))
        with open(path, "w") as file:
            file.write(text)
        return execute([self.script, path])

    def without_path(self):
        """If no program is found to compare with."""
        return execute(["/usr/bin/python3", self.script], environment={"PATH": scratch()})

    def expect_agrees(self):
        result = self.checked(self.text())
        expect_equal("status", (result.status, result.stderr), (0, b""))
        expect(b" 0 mistakes" in result.stdout, "the script said %r", result.stdout)

    def expect_found(self, damages):
        """damages: (which text of the table is replaced by what, what must be printed about it)."""
        text = self.text()
        for old, new, said in damages:
            expect(old in text, "the table has no longer %r", old)
            result = self.checked(text.replace(old, new, 1))
            expect_equal("status after %r became %r" % (old, new), result.status, 1)
            if said.encode() not in result.stderr:
                fail("after %r became %r, expected %r in %r", old, new, said, result.stderr.decode()[-400:])
