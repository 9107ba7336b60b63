#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""kill -9 of a study in the middle of a trial, and whether it goes on as if nothing had happened.

    kill.py STUDY FATHOM assess ...      the command that starts the study

When one trial is done and another one has some units, everything is gone at once; then the study is resumed. What was
done must not be done again, what was begun must go on, and nothing may be left over.
"""
import glob
import hashlib
import os
import sqlite3
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../campaign"))
from kill import children, is_alive  # noqa: E402

study, command = os.path.abspath(sys.argv[1]), sys.argv[2:]


def units(folder):
    try:
        db = sqlite3.connect("file:%s/campaign/campaign.db?mode=ro" % folder, uri=True)
        return [r[0] for r in db.execute("select covered from unit where complete order by number")]
    except sqlite3.Error:
        return []


def trials():
    return sorted(glob.glob(study + "/trials/*/*"))


def done():
    return [t for t in trials() if os.path.exists(t + "/trial.json")]


def content(folder):
    return {f: hashlib.sha256(open(os.path.join(folder, f), "rb").read()).hexdigest()
            for f in ("trial.json", "estimates.json", "sessions.log")}, units(folder)


def family(pid):
    try:
        mine = children(pid)
    except OSError:
        return []
    return mine + [p for c in mine for p in family(c)]


process = subprocess.Popen(command)
end = time.monotonic() + 120
while not (done() and any(len(units(t)) >= 2 for t in trials() if t not in done())):
    assert process.poll() is None, "the study ended by itself, status %s" % process.returncode
    assert time.monotonic() < end, "no trial in the middle after 120 s"
    time.sleep(0.02)
everyone = family(process.pid)
assert len(everyone) >= 4, "too few processes: %s" % everyone # a trial, fathom fuzz, afl-fuzz, the fork server
process.kill()
process.wait()
end = time.monotonic() + 20
while any(is_alive(p) for p in everyone):
    assert time.monotonic() < end, "alive after the kill: %s" % [p for p in everyone if is_alive(p)]
    time.sleep(0.02)
before = {t: content(t) for t in done()}
begun = {t: units(t) for t in trials() if t not in before and units(t)}
assert begun, "nothing was in the middle"

options = command[command.index("-o"):command.index("-o") + 2]
status = subprocess.run(command[:2] + ["--resume", "-q"] + options).returncode
assert status == 0, "--resume ended with %d" % status
for t, was in before.items():
    assert content(t) == was, "%s was done, and is another now" % t
for t, was in begun.items():
    assert units(t)[:len(was)] == was, "%s did not go on" % t
    assert len(open(t + "/sessions.log").read().split()) == 2, "%s: %s" % (t, open(t + "/sessions.log").read())
for t in done():
    if t not in begun:
        assert len(open(t + "/sessions.log").read().split()) <= 2
print("resumed: %d done before, %d went on, %d in the end" % (len(before), len(begun), len(done())))
