# SPDX-License-Identifier: MIT
"""A browser without a screen, for cases that look at pages: Chromium by its driver's WebDriver interface (W3C), with nothing but
Python's own library. It gets a profile of its own, asks nobody on the network for anything, and ends with the case."""
import base64
import json
import os
import signal
import subprocess
import time
import urllib.error
import urllib.request

import support

ARGUMENTS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-sync", "--disable-extensions", "--disable-dev-shm-usage", "--hide-scrollbars",
             "--force-device-scale-factor=1", "--disable-default-apps", "--no-proxy-server",
             "--host-resolver-rules=MAP * ~NOTFOUND")


class Browser:
    """with Browser() as browser: browser.open(path)"""

    def __init__(self, size=(1280, 900), javascript=True):
        self.driver_path = support.need("chromedriver")
        self.chromium = support.need("chromium")
        self.size, self.javascript = size, javascript

    def __enter__(self):
        port = support.free_port()
        self.address = "http://127.0.0.1:%d" % port
        self.driver = subprocess.Popen([self.driver_path, "--port=%d" % port], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        try:
            self._ask("DELETE", self.session)
        except (AttributeError, OSError, support.Failure):
            pass
        try:
            os.killpg(self.driver.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.driver.wait()

    def _start(self):
        profile = os.path.join(support.scratch(), "browser")
        arguments = list(ARGUMENTS) + ["--user-data-dir=" + profile, "--window-size=%d,%d" % self.size]
        preferences = {} if self.javascript else {"profile.managed_default_content_settings.javascript": 2}
        options = {"binary": self.chromium, "args": arguments, "prefs": preferences}
        capabilities = {"alwaysMatch": {"browserName": "chrome", "goog:chromeOptions": options,
                                        "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}}
        for _ in range(100):
            try:
                self._ask("GET", "/status")
                break
            except OSError:
                time.sleep(0.1)
        answer = self._ask("POST", "/session", {"capabilities": capabilities})
        self.session = "/session/" + answer["sessionId"]

    def _ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"}, method=method)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            support.fail("the browser refused %s: %s", path, error.read().decode(errors="replace")[:300])

    # What a page is asked

    def open(self, path):
        self._ask("POST", self.session + "/url", {"url": "file://" + os.path.abspath(path)})

    def run(self, script, *arguments):
        """The value that a script returns."""
        return self._ask("POST", self.session + "/execute/sync", {"script": script, "args": list(arguments)})

    def devtools(self, command, **parameters):
        return self._ask("POST", self.session + "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def logs(self, kind="browser"):
        return self._ask("POST", self.session + "/se/log", {"type": kind})

    def emulate(self, scheme="light", media=""):
        self.devtools("Emulation.setEmulatedMedia", media=media, features=[{"name": "prefers-color-scheme", "value": scheme}])

    def screenshot(self, path, whole=False):
        """The window, or the whole page; for documents and for people."""
        parameters = {"format": "png", "captureBeyondViewport": whole}
        if whole:
            size = self.devtools("Page.getLayoutMetrics")["cssContentSize"]
            parameters["clip"] = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.devtools("Page.captureScreenshot", **parameters)["data"]))

    def print_pdf(self):
        return base64.b64decode(self.devtools("Page.printToPDF", printBackground=True)["data"])
