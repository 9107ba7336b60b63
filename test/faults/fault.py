#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One exploration in which something is made to go wrong from outside, and what came of it, as one line.

    test/faults/fault.py PROGRAM OUT [--preload LIBRARY] [--set NAME=VALUE]... [--stop-a-worker | --kill-a-worker] [--checks FILE] [--memory]
                         [--errors FILE] [--interrupt-after SECONDS] [-- OPTIONS OF EXPLORE]

PROGRAM has been linked. --preload loads a library into the engine, --set is for its environment. --stop-a-worker sends a worker SIGSTOP as
soon as there is a test, --kill-a-worker SIGKILL. --checks FILE: solver-fault.c's log; says how long the longest check lasted that came to an end only with its process.
--memory: says the largest sum of the proportional set sizes of all processes, looked at ten times a second.
--interrupt-after: so many seconds later SIGINT is sent, once.
--errors: where the engine's messages go until they are shown; otherwise beside OUT.

Prints   status S stop REASON paths N tests N ledger CATEGORY=N,...   where each test is whole and no two are of one path: that is checked.
Partial tests (of paths that had not ended) are not counted.
"""
import argparse
import glob
import json
import os
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from script import BIN, SECONDS, split_arguments, tests_of

LOOK, SOON = 0.02, 0.001
MEMORY_LOOK = 0.1


def children(pid):
    try:
        return [int(c) for c in open("/proc/%d/task/%d/children" % (pid, pid)).read().split()]
    except OSError:
        return []


def proportional(pid):
    try:
        for line in open("/proc/%d/smaps_rollup" % pid):
            if line.startswith("Pss:"):
                return int(line.split()[1]) << 10
    except OSError:
        pass
    return 0


class Checks:
    """When checks began, from the log, and when their processes ended."""

    def __init__(self, log):
        self.log, self.began, self.longest = log, {}, 0.0
        if os.path.exists(log):
            os.unlink(log)

    def look(self):
        now = time.monotonic()
        lines = open(self.log).read().split("\n")[:-1] if os.path.exists(self.log) else []
        for line in lines:
            pid, start = line.split()
            key = int(pid), float(start)
            if key not in self.began:
                self.began[key] = True
            if self.began[key] and not alive(key[0]):
                self.began[key] = False
                self.longest = max(self.longest, now - key[1])


def alive(pid):
    try:
        return open("/proc/%d/stat" % pid).read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def main():
    own, more = split_arguments()
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program")
    parser.add_argument("out")
    parser.add_argument("--preload")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--stop-a-worker", dest="signal", action="store_const", const=signal.SIGSTOP)
    parser.add_argument("--kill-a-worker", dest="signal", action="store_const", const=signal.SIGKILL)
    parser.add_argument("--interrupt-after", type=float)
    parser.add_argument("--checks")
    parser.add_argument("--errors")
    parser.add_argument("--memory", action="store_true")
    options = parser.parse_intermixed_args(own)

    environment = dict(os.environ, **dict(pair.split("=", 1) for pair in options.set))
    if options.preload:
        environment["LD_PRELOAD"] = options.preload
    checks = None
    if options.checks:
        environment["Z3_FAULT_LOG"] = options.checks
        checks = Checks(options.checks)
    if "--resume" not in more:
        shutil.rmtree(options.out, ignore_errors=True)
    errors = open(options.errors or options.out + ".errors", "w+")
    started = time.monotonic()
    run = subprocess.Popen([os.path.join(BIN, "fathom"), "explore", options.program, "-o", options.out, "-q", *more], env=environment,
                           stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors)
    stopped, peak, next_memory = None, 0, 0
    while run.poll() is None:
        now = time.monotonic()
        if now > started + SECONDS:
            for child in children(run.pid):
                os.kill(child, signal.SIGKILL)
            run.kill()
            sys.exit("killed after %d s" % SECONDS)
        if options.interrupt_after and now > started + options.interrupt_after:
            options.interrupt_after = None
            run.send_signal(signal.SIGINT)
        if checks:
            checks.look()
        if options.memory and now >= next_memory:
            next_memory = now + MEMORY_LOOK
            workers = children(run.pid)
            peak = max(peak, sum(map(proportional, [run.pid, *workers, *(c for w in workers for c in children(w))])))
        if options.signal and not stopped and glob.glob(os.path.join(options.out, "tests", "0*")):
            stopped = children(run.pid)[0]
            os.kill(stopped, options.signal)
        time.sleep(LOOK if stopped or not options.signal else SOON)
    seconds = time.monotonic() - started
    if options.signal and not stopped:
        sys.exit("there was no test in time, so no worker got a signal")
    errors.seek(0)
    sys.stderr.write(errors.read())

    def read(name):
        return json.load(open(os.path.join(options.out, name)))

    run_file = read("run.json")  # whatever happens, it can be read
    for test in sorted(glob.glob(os.path.join(options.out, "tests", "*"))):
        for name in ("args.json", "exit.json", "path.json"):
            json.load(open(os.path.join(test, name)))
        if not os.path.exists(os.path.join(test, "test.ktest")):
            sys.exit("%s is not whole" % test)
    tests = tests_of(options.out)
    paths, partial = {t["path"] for t in tests}, sum(t["end"] == "partial" for t in tests)
    if [t["number"] for t in tests] != list(range(1, len(tests) + 1)):
        sys.exit("the numbers of the tests have gaps")
    if len(paths) != len(tests):
        sys.exit("%d tests of %d paths" % (len(tests), len(paths)))
    text = "status %d" % run.returncode
    if run_file["ended"]:
        stats, counts = read("stats.json"), {}
        for entry in read("ledger.json")["entries"]:
            if entry["category"] in ("allocation-failure", "missing-file"):  # assumptions
                continue
            counts[entry["category"]] = counts.get(entry["category"], 0) + entry["count"]
        text += " stop %s paths %d tests %d ledger %s" % (stats["stop"], stats["paths_completed"], len(tests) - partial,
                                                         ",".join("%s=%d" % c for c in sorted(counts.items())) or "empty")
    else:
        text += " not ended, tests %d" % (len(tests) - partial)
    print(text)
    print("seconds %.1f" % seconds)
    if checks:
        checks.look()
        print("faulty checks %d longest %.2f" % (len(checks.began), checks.longest))
    if options.memory:
        print("memory %d MB" % (peak >> 20))


if __name__ == "__main__":
    main()
