# SPDX-License-Identifier: MIT
"""Readers of exports that are pages, in a browser without a screen: speedscope, and the trace viewer of chrome://tracing.
Each is asked what it made of a file; nothing here knows what should come out."""
import base64
import glob
import json
import os
import time

from browser import Browser
from support import BUILD, execute, fail, need, scratch, skip


class Speedscope:
    """with Speedscope() as speedscope: speedscope.read(path). The version that scripts/install-deps put into the build."""

    PAGE = os.path.join(BUILD, "readers", "node_modules", "speedscope", "dist", "release", "index.html")

    def __init__(self):
        if not os.path.exists(self.PAGE):
            skip("speedscope is not installed (scripts/install-deps check-all installs it where npm works)")
        self.browser, self.reads = Browser(), 0

    def __enter__(self):
        self.browser.__enter__()
        return self

    def __exit__(self, *error):
        self.browser.__exit__(*error)

    def read(self, path):
        """(text of the page, [(title, unit, {stack of names, the root first: weight})])"""
        self._load(path)
        return self.browser.run("return document.body.innerText"), [self._stacks(p) for p in self._saved()]

    def _load(self, path):
        """As its command line does: a script calls the page. Another query makes the browser load the page once more."""
        script = os.path.join(scratch(), "profile.js")
        with open(path, "rb") as file:
            words = os.path.basename(path), base64.b64encode(file.read()).decode()
        with open(script, "w") as file:
            file.write("speedscope.loadFileFromBase64(%s, %s)" % tuple(map(json.dumps, words)))
        self.reads += 1
        self.browser.open("%s?%d#view=sandwich&localProfilePath=%s" % (self.PAGE, self.reads, script))
        self._wait("return document.body.innerText.includes('Symbol Name')", path)

    def _wait(self, script, path):
        for _ in range(200):
            answer = self.browser.run(script)
            if answer:
                return answer
            time.sleep(0.1)
        logs = [entry["message"] for entry in self.browser.logs()]
        return fail("speedscope did not read %s: %s", path, "; ".join(logs)[-500:])

    def _saved(self):
        """Its button Export writes what it read in its own format: the file is caught when it is made."""
        self.browser.run("""
            URL.createObjectURL = blob => { blob.text().then(text => { window.saved = text }); return "" };
            HTMLAnchorElement.prototype.click = () => {};
            window.dispatchEvent(new KeyboardEvent("keydown", {key: "s", ctrlKey: true}))""")
        saved = json.loads(self._wait("return window.saved", "back"))
        self.frames = [frame["name"] for frame in saved["shared"]["frames"]]
        return saved["profiles"]

    def _stacks(self, profile):
        stack, stacks, then = [], {}, profile["startValue"]
        for event in profile["events"]:
            if event["at"] > then:
                stacks[tuple(stack)] = stacks.get(tuple(stack), 0) + event["at"] - then
            then = event["at"]
            if event["type"] == "O":
                stack.append(self.frames[event["frame"]])
            else:
                stack.pop()
        if stack or then != profile["endValue"]:
            fail("speedscope: %s ends at %s with %s open", profile["name"], then, stack)
        return profile["name"], profile["unit"], stacks


# `go tool trace` brings the page along; where it stands depends on Go's version.
VIEWERS = ("src/internal/trace/traceviewer/static", "src/cmd/trace/static", "misc/trace")

# Times in the model are milliseconds since the first event. A process' instants are not in the model's list.
READ_TRACE = """
const model = new tr.Model();
const options = new tr.importer.ImportOptions();
options.shiftWorldToZero = false;
new tr.importer.Import(model, options).importTraces([arguments[0]]);
const end = (event) => [event.title, event.parentContainer.parent.pid, event.start];
return {
    warnings: model.importWarnings.map(w => w.type + ": " + w.message),
    flows: model.flowEvents.map(f => [f.startSlice && end(f.startSlice), f.endSlice && end(f.endSlice)]),
    processes: Object.values(model.processes).map(p => ({
        pid: p.pid, name: p.name, labels: p.labels, instants: p.instantEvents.map(i => i.title),
        threads: Object.values(p.threads).map(t => ({
            tid: t.tid, name: t.name, slices: t.sliceGroup.slices.map(s => [s.title, s.category, s.start, s.duration, s.args])})),
        counters: Object.values(p.counters).map(c => ({
            name: c.name, points: c.series[0].samples.map(s => [s.timestamp, s.value])}))}))}
"""


def trace_viewer(path):
    """What chrome://tracing makes of a trace: an object as READ_TRACE returns it."""
    root = execute([need("go"), "env", "GOROOT"]).stdout.decode().strip()
    found = [d for v in VIEWERS for d in glob.glob(os.path.join(root, v)) if os.path.exists(os.path.join(d, "trace_viewer_full.html"))]
    if not found:
        skip("this Go has no page of the trace viewer")
    page = os.path.join(scratch(), "viewer.html")
    with open(os.path.join(found[0], "trace_viewer_full.html"), encoding="utf-8") as file:
        viewer = file.read()
    with open(page, "w", encoding="utf-8") as file:
        # The viewer is older than today's browsers: it wants the elements that this script brings.
        file.write('<!DOCTYPE html><meta charset="utf-8"><script src="file://%s/webcomponents.min.js"></script>%s' % (found[0], viewer))
    with open(path, encoding="utf-8") as file, Browser() as browser:
        browser.open(page)
        return browser.run(READ_TRACE, file.read())
