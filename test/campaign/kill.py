#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""kill -9 of everything that a campaign consists of.

    kill.py DIR FATHOM fuzz ...

Starts the command, and when it has stored some units kills, one after the other and with more units in between: the
fork server, afl-fuzz (the campaign goes on after either), and Fathom itself. Nothing of the campaign may be alive
afterwards. Prints how many processes were killed.
"""
import os
import signal
import sqlite3
import subprocess
import sys
import time


def children(pid):
    """Of a process that ends while it is looked at: those that were seen until then."""
    out = []
    try:
        for task in os.listdir("/proc/%d/task" % pid):
            out += [int(p) for p in open("/proc/%d/task/%s/children" % (pid, task)).read().split()]
    except OSError:
        pass
    return out


def name(pid):
    try:
        return open("/proc/%d/comm" % pid).read()
    except OSError:
        return ""


def is_alive(pid):
    try:
        return open("/proc/%d/stat" % pid).read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def units(folder):
    try:
        db = sqlite3.connect("file:%s/campaign.db?mode=ro" % folder, uri=True)
        return db.execute("select count(*) from unit").fetchone()[0]
    except sqlite3.Error:
        return 0


def wait_for(what, condition, process):
    end = time.monotonic() + 100
    while not condition():
        if process.poll() is not None:
            sys.exit("kill.py: the campaign ended by itself, status %d" % process.returncode)
        if time.monotonic() > end:
            process.kill()
            sys.exit("kill.py: no %s after 100 s" % what)
        time.sleep(0.02)


def family(pid):
    """afl-fuzz instances and their fork servers, as (instance, server) pairs."""
    return [(a, s) for a in children(pid) for s in children(a) if "afl-fuzz" in name(a)]


def main():
    folder, command = sys.argv[1], sys.argv[2:]
    process = subprocess.Popen(command)
    more = lambda: units(folder) >= wanted
    wanted = 3
    wait_for("units", more, process)
    killed = []
    for which in (1, 0):
        wait_for("fork server", lambda: family(process.pid), process)
        victim = family(process.pid)[0][which]
        os.kill(victim, signal.SIGKILL)
        killed.append(victim)
        wait_for("end of what was killed", lambda: not is_alive(victim), process)
        wanted = units(folder) + 3
        wait_for("units after a kill", more, process)
    wait_for("fork server", lambda: family(process.pid), process)
    rest = [p for pair in family(process.pid) for p in pair]
    process.kill()
    process.wait()
    killed.append(process.pid)
    end = time.monotonic() + 20
    while any(is_alive(p) for p in rest):
        if time.monotonic() > end:
            sys.exit("kill.py: alive after the driver's end: %s" % [p for p in rest if is_alive(p)])
        time.sleep(0.02)
    print("%d killed, %d units" % (len(killed), units(folder)))


if __name__ == "__main__":
    main()
