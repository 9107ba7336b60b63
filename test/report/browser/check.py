#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Uses a page of `fathom report` in a headless browser, as a reader would.

    test/report/browser/check.py use PAGE          clicks, filters, keys, dark and light, narrow windows; PAGE is of a whole run with a bug and reports
    test/report/browser/check.py axe PAGE AXE.js   axe-core finds nothing wrong with any section, in both themes
    test/report/browser/check.py open PAGE SECONDS opens every section in that much processor time
"""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from webdriver import Browser  # noqa: E402

SHOWN = "document.querySelector('main > section:not([hidden])')"
problems = []


def expect(holds, text):
    if not holds:
        problems.append(text)


def sections(browser):
    return browser.run("return [...document.querySelectorAll('nav a')].map(a => a.getAttribute('href'))")


def quiet(browser, where):
    for message in browser.messages():
        problems.append("%s: the console says %s" % (where, message))


def use(path):
    with Browser() as browser:
        browser.open(path)
        expect(browser.run("return document.querySelector('h1').textContent").startswith("Fathom found"), "the first sentence")
        expect(browser.run("return performance.getEntriesByType('resource').length") == 0, "the page fetched something")
        for href in sections(browser):
            browser.click("nav a[href='%s']" % href)
            expect(browser.run("return %s.getAttribute('aria-labelledby')" % SHOWN) == "title-" + href[1:], "%s is not shown" % href)
            expect(browser.run("return location.hash") == href, "%s is not in the URL" % href)
        use_bugs(browser, path)
        use_reports(browser, path)
        use_source(browser, path)
        use_keys(browser, path)
        use_themes(browser, path)
        use_narrow(browser, path)
        quiet(browser, "use")


def use_bugs(browser, path):
    browser.open(path, "#bugs?kind=division-by-zero")
    expect(browser.run("return document.getElementById('filter-bugs-kind').value") == "division-by-zero", "the filter of the URL is not visible")
    expect(browser.run("return document.querySelectorAll('.cards > details').length") == 1, "one card")
    browser.open(path, "#bugs?find=nothing-has-this")
    expect(browser.run("return document.querySelectorAll('.cards > details').length") == 0, "a search that nothing fits")
    browser.open(path, "#bugs?item=1")
    expect(browser.run("return document.querySelector('#bug-1').open"), "the bug of the URL is not open")
    expect("replay.sh" in browser.run("return document.querySelector('#bug-1 .command').textContent"), "no command")
    expect(browser.run("return document.querySelector('#bug-1 .line.here code').textContent").strip() == "return 100 / (text[2] - text[3]);", "the source of the bug")
    expect(browser.run("return document.title") .endswith("Fathom's report"), "text of the program became markup")
    # Steps, by buttons and by keys.
    browser.run("document.querySelector('#bug-1 .steps button').click()")
    status = "return document.querySelector('#bug-1 .stepper [role=status]').textContent"
    expect(browser.run(status).startswith("Step 1 of "), "the first step")
    browser.run("document.querySelector('#bug-1 .steps button').focus()")
    browser.press("ArrowRight")
    expect(browser.run(status).startswith("Step 2 of "), "a step forward by key")
    browser.press("ArrowLeft")
    expect(browser.run(status).startswith("Step 1 of "), "a step back by key")


def use_reports(browser, path):
    browser.open(path, "#reports")
    rows = "document.querySelectorAll('section[aria-labelledby=title-reports] tbody tr').length"
    expect(browser.run("return " + rows) == 1, "one report")
    browser.open(path, "#reports?verdict=refuted")
    expect(browser.run("return " + rows) == 0, "no refuted report")
    browser.run("const s = document.getElementById('filter-reports-verdict'); s.value = 'confirmed'; s.dispatchEvent(new Event('change'))")
    expect(browser.run("return location.hash") in ("#reports?verdict=confirmed",), "the filter is not in the URL: " + browser.run("return location.hash"))
    browser.click("section[aria-labelledby=title-reports] tbody button.link")
    expect("an input of the program shows it" in browser.run("return document.querySelector('section[aria-labelledby=title-reports] .detail').textContent"), "the reason")
    browser.run("history.back()")
    browser.wait("document.querySelector('section[aria-labelledby=title-reports] .detail').hidden")


def use_source(browser, path):
    browser.open(path, "#source?find=three")
    expect("three </script>" in browser.run("return document.querySelector('.source-view').textContent"), "a search in the source")
    browser.click("section[aria-labelledby=title-source] .hit")
    browser.wait("document.querySelector('.source-view .line.here')")
    expect("three" in browser.run("return document.querySelector('.source-view .line.here').textContent"), "the line that was found")
    kinds = browser.run("return ['covered', 'uncovered'].map(k => { document.querySelectorAll('.function-block').forEach(d => { d.open = true; d.fill(); }); return document.querySelectorAll('.source-view .line.' + k).length; })")
    expect(all(kinds), "covered and uncovered lines: %s" % kinds)


def use_keys(browser, path):
    browser.open(path)
    browser.press("Tab")
    expect(browser.run("return document.activeElement.className") == "skip", "the first stop skips to the content")
    browser.press("2")
    expect(browser.run("return location.hash") == "#bugs", "2 is not the second section")
    browser.press("/")
    expect(browser.run("return document.activeElement.id") == "filter-bugs-find", "/ does not search")
    browser.type("#filter-bugs-find", "zero")
    expect(browser.run("return location.hash") == "#bugs?find=zero", "the search is not in the URL")
    # A term is explained, and the explanation goes with Escape.
    browser.run(SHOWN + ".querySelector('.term').focus()")
    browser.press("Enter")
    expect((browser.run("return document.querySelector('.definition:popover-open')?.textContent.length") or 0) > 20, "no definition")
    browser.press("Escape")
    expect(browser.run("return !document.querySelector('.definition:popover-open')"), "the definition stays")
    # Everything that can be clicked can be reached by Tab.
    expect(browser.run("return [...document.querySelectorAll('[tabindex=\"-1\"]')].every(e => e.matches('h2, h3, main, .hit'))"), "something cannot be reached by Tab")


def use_themes(browser, path):
    browser.open(path)
    paper = "return getComputedStyle(document.documentElement).backgroundColor"
    before = browser.run(paper)
    browser.click("#theme")
    expect(browser.run(paper) != before, "the switch changes nothing")
    browser.run("localStorage.clear()")
    browser.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    browser.open(path)
    expect(browser.run("return document.documentElement.dataset.theme") == "dark", "the system's dark is not followed")
    browser.devtools("Emulation.setEmulatedMedia", features=[])


def use_narrow(browser, path):
    """1280 pixels at 400 %."""
    browser.devtools("Emulation.setDeviceMetricsOverride", width=320, height=256, deviceScaleFactor=1, mobile=False)
    for href in sections(browser):
        browser.open(path, href)
        wide = browser.run("return document.documentElement.scrollWidth")
        expect(wide <= 320, "%s is %d pixels wide in a window of 320" % (href, wide))
    browser.devtools("Emulation.clearDeviceMetricsOverride")


def axe(path, script):
    with open(script) as file:
        code = file.read()
    with Browser() as browser:
        for theme in ("light", "dark"):
            browser.open(path)
            for view in sections(browser) + ["#bugs?item=1", "#reports?item=1", "#blocked?item=1", "#source?file=1"]:
                browser.open(path, view)
                browser.run("if (document.documentElement.dataset.theme !== arguments[0]) document.getElementById('theme').click()", theme)
                browser.run(code + "; window.axe = axe")
                found = browser.run_async("const done = arguments[0]; axe.run().then(r => done(r.violations.map(v => [v.id, v.help, v.nodes.slice(0, 3).map(n => n.html + ' ' + n.failureSummary)])))")
                for name, text, nodes in found:
                    problems.append("%s, %s: %s: %s\n    %s" % (view, theme, name, text, "\n    ".join(nodes)))
        quiet(browser, "axe")


def opens(path, seconds):
    """Few elements, whatever the page holds, and little processor time: neither depends on what else the machine does."""
    with Browser() as browser:
        for view in ["", "#tests", "#source", "#blocked"]:
            started = browser.processor_seconds()
            browser.open(path, view)
            browser.run_async("const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(done))")
            took = browser.processor_seconds() - started
            elements = browser.run("return document.querySelectorAll('*').length")
            print("%-10s %.2f s, %d elements" % (view or "overview", took, elements))
            expect(took < seconds, "%s took %.2f s" % (view or "the page", took))
            expect(elements < 2000, "%s has %d elements" % (view or "the page", elements))
        browser.open(path, "#tests?end=exit+0&sort=-instructions&page=3")
        started = browser.processor_seconds()
        browser.run("location.hash = '#tests?sort=-branches'")
        browser.wait("document.querySelectorAll('section[aria-labelledby=title-tests] tbody tr').length === 50")
        took = browser.processor_seconds() - started
        print("sorting    %.2f s" % took)
        expect(took < seconds, "sorting is slow")
        quiet(browser, "open")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.strip())
    what, path = sys.argv[1:3]
    if what == "use":
        use(path)
    elif what == "axe":
        axe(path, sys.argv[3])
    else:
        opens(path, float(sys.argv[3]))
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
