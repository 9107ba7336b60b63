# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A headless Chromium by the WebDriver protocol (Debian's chromium and chromium-driver): no package beyond Python is needed.

    with Browser() as browser:
        browser.open("/path/page.html")
        browser.run("return document.title")
"""
import base64
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))
from processortime import processor_time  # noqa: E402

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the standard's name for a reference
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Escape": "\ue00c", "ArrowLeft": "\ue012", "ArrowRight": "\ue014", "Space": " "}


class Failed(Exception):
    pass


class Browser:
    def __init__(self, width=1280, height=900, dark=False):
        self.profile = tempfile.TemporaryDirectory(prefix="fathom-browser-")
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.session = ""
        self.base = ""
        for line in self.driver.stdout:
            port = re.search(r"started successfully on port (\d+)", line)
            if port:
                self.base = "http://127.0.0.1:" + port[1]
                break
        if not self.base:
            raise Failed("chromedriver did not start")
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--user-data-dir=" + self.profile.name,
                     "--window-size=%d,%d" % (width, height), "--force-color-profile=srgb"] + (["--force-dark-mode"] if dark else [])
        made = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": {"args": arguments}, "goog:loggingPrefs": {"browser": "ALL"}}}})
        self.session = "/session/" + made["sessionId"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            if self.session:
                self.call("DELETE", self.session)
        finally:
            self.driver.terminate()
            self.driver.wait(10)
            self.driver.stdout.close()
            self.profile.cleanup()

    def processor_seconds(self):
        """That all processes of the browser have used until now."""
        return processor_time(self.driver.pid)

    def call(self, method, path, body=None):
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        # The proxy of the environment has nothing to do with this machine.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as wrong:
            raise Failed(json.load(wrong)["value"]["message"].split("\n")[0]) from None

    def open(self, path, hash=""):
        self.call("POST", self.session + "/url", {"url": "about:blank"})
        self.call("POST", self.session + "/url", {"url": "file://" + os.path.abspath(path) + hash})
        self.wait("document.documentElement.dataset.ready === 'yes'")

    def run(self, script, *arguments):
        return self.call("POST", self.session + "/execute/sync", {"script": script, "args": list(arguments)})

    def run_async(self, script, *arguments):
        return self.call("POST", self.session + "/execute/async", {"script": script, "args": list(arguments)})

    def wait(self, condition, seconds=20):
        end = time.monotonic() + seconds
        while not self.run("return Boolean(%s)" % condition):
            if time.monotonic() > end:
                raise Failed("never true: " + condition)
            time.sleep(0.05)

    def find(self, selector):
        return self.call("POST", self.session + "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        self.call("POST", "%s/element/%s/click" % (self.session, self.find(selector)), {})

    def type(self, selector, text):
        self.call("POST", "%s/element/%s/value" % (self.session, self.find(selector)), {"text": text})

    def press(self, *keys):
        actions = []
        for key in keys:
            value = KEYS.get(key, key)
            actions += [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
        self.call("POST", self.session + "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def resize(self, width, height):
        self.call("POST", self.session + "/window/rect", {"width": width, "height": height})

    def devtools(self, command, **parameters):
        return self.call("POST", self.session + "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def messages(self):
        """What the console says: errors of the page among it."""
        return [entry["message"] for entry in self.call("POST", self.session + "/se/log", {"type": "browser"}) if entry["level"] in ("SEVERE", "WARNING")]

    def screenshot(self, path, whole=False):
        if whole:
            size = self.devtools("Page.getLayoutMetrics")["cssContentSize"]
            shot = self.devtools("Page.captureScreenshot", captureBeyondViewport=True, clip={"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 6000), "scale": 1})["data"]
        else:
            shot = self.call("GET", self.session + "/screenshot")
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot))
