# SPDX-License-Identifier: MIT
"""What the cases on tables of calls use: the script that checks a table, run on the table itself and on damaged copies of it."""
import contextlib
import importlib.machinery
import importlib.util
import io
import os
import sys

from support import ROOT, execute, expect, expect_equal, fail, scratch, skip


def module_of(script):
    """The script as a module, and what it imports from beside it."""
    sys.path.insert(0, os.path.dirname(script))
    loader = importlib.machinery.SourceFileLoader(os.path.basename(script).replace("-", "_"), script)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def answer_of(check, *arguments):
    """(status, what it says of mistakes) of a script's check()."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as said:
        try:
            status = check(*arguments)
        except SystemExit as ended:
            return 1, str(ended.code)
    return status, said.getvalue()


class CallTable:
    """script: in scripts/; table: below preload/; missing: what is printed if there is nothing to compare with."""

    def __init__(self, script, table, missing, *defaults):
        """defaults: what the script's check() is given beside the table."""
        self.script, self.missing, self.defaults = os.path.join(ROOT, "scripts", script), missing, defaults
        self.table = os.path.join(ROOT, "preload", table)

    def text(self):
        """The table's, if there is something to compare it with."""
        if b"skipped" in execute([self.script]).stdout:
            skip(self.missing)
        with open(self.table) as file:
            return file.read()

    def written(self, text):
        path = os.path.join(scratch(), os.path.basename(self.table))
        with open(path, "w") as file:
            file.write(text)
        return path

    def without_path(self):
        """If no program is found to compare with."""
        return execute(["/usr/bin/python3", self.script], environment={"PATH": scratch()})

    def expect_agrees(self):
        result = execute([self.script, self.written(self.text())])
        expect_equal("status", (result.status, result.stderr), (0, b""))
        expect(b" 0 mistakes" in result.stdout, "the script said %r", result.stdout)

    def expect_found(self, damages):
        """damages: (which text of the table is replaced by what, what must be printed about it). One process for all of them, which
        reads once what they are compared with."""
        text, check = self.text(), module_of(self.script).check
        for old, new, said in damages:
            expect(old in text, "the table has no longer %r", old)
            status, answer = answer_of(check, self.written(text.replace(old, new, 1)), *self.defaults)
            expect_equal("status after %r became %r" % (old, new), status, 1)
            if said not in answer:
                fail("after %r became %r, expected %r in %r", old, new, said, answer[-400:])
