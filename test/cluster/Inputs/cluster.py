#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Explores with workers that connect by TCP, and says how all of them ended.

    cluster.py FATHOM PROGRAM OUT [--workers N] [--jobs N] [--kill agent|child|job|coordinator] [--late N] [--cd FOLDER] [--worker-env NAME=VALUE] [--equals OTHER-OUT] [-- OPTIONS]

--kill: when the workers' processes have used 0.3 s of processor time together, one is killed with SIGKILL: a `fathom worker` with all it
has (agent), the process that works for it (child), or the explorer (coordinator). job:
SIGTERM instead, to both of the first, as Slurm sends it to take a task away. --late: so many more workers start after that.
--equals: prints whether the tests take the same paths as those of another folder.
"""
import argparse
import json
import os
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "scripts"))
from testfolders import tests_of


def children(pid):
    try:
        return [int(p) for p in open("/proc/%d/task/%d/children" % (pid, pid)).read().split()]
    except FileNotFoundError:
        return []


def seconds(pid):
    """Of processor time."""
    try:
        fields = open("/proc/%d/stat" % pid).read().rsplit(")", 1)[1].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def paths_of(out):
    return sorted((t["hash"], t["branches"], t["end"], t["status"], t["decisions"]) for t in tests_of(out))


def wait_until(condition):
    end = time.monotonic() + 200
    while not condition():
        if time.monotonic() > end:
            sys.exit("cluster.py: nothing happens")
        time.sleep(0.02)


def main():
    words = sys.argv[1:]
    more = words[words.index("--") + 1:] if "--" in words else []
    parser = argparse.ArgumentParser(usage=__doc__)
    for name in ("fathom", "program", "out"):
        parser.add_argument(name)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--late", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=0)
    parser.add_argument("--jobs-of-worker", type=int, default=1)
    parser.add_argument("--kill", choices=("agent", "child", "job", "coordinator"))
    parser.add_argument("--cd")
    parser.add_argument("--worker-env", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--equals")
    options = parser.parse_args(words[:words.index("--")] if "--" in words else words)
    key = options.out + ".key"
    with open(key, "w") as file:
        file.write("0123456789abcdef0123456789abcdef\n")
    log = options.out + ".log"
    with open(log, "w") as errors:
        explorer = subprocess.Popen([options.fathom, "explore", options.program, "-o", options.out, "--force", "--json", "--listen", "127.0.0.1:0",
                                     "--key", key, "--jobs", str(options.jobs)] + more, stdout=subprocess.PIPE, stderr=errors)

    def address():
        found = re.search(r"workers connect to (\S+)", open(log).read())
        return found and found.group(1)

    wait_until(lambda: address() or explorer.poll() is not None)
    if not address():
        sys.exit(open(log).read())

    def start():
        return subprocess.Popen([options.fathom, "worker", "--connect", address(), "--key", os.path.abspath(key), "--jobs", str(options.jobs_of_worker)],
                                stderr=subprocess.PIPE, cwd=options.cd, text=True, env={**os.environ, **dict(e.split("=", 1) for e in options.worker_env)})

    workers = [start() for _ in range(options.workers)]
    if options.kill:
        begun = lambda: options.kill != "coordinator" or os.path.exists(os.path.join(options.out, "checkpoint"))
        wait_until(lambda: (sum(seconds(c) for w in workers for c in children(w.pid)) > 0.3 and begun()) or explorer.poll() is not None)
        working = [w for w in workers if children(w.pid)]
        if options.kill == "job":
            for pid in children(working[0].pid) + [working[0].pid]:
                os.kill(pid, signal.SIGTERM)
        pid = options.kill != "job" and {"agent": lambda: working[0].pid, "child": lambda: children(working[0].pid)[0], "coordinator": lambda: explorer.pid}[options.kill]()
        if pid:
            os.kill(pid, signal.SIGKILL)
        workers += [start() for _ in range(options.late)]
    output = explorer.communicate(timeout=300)[0]
    if options.kill == "coordinator":
        print("explorer killed")
    else:
        stats = json.loads(output)
        print("status", explorer.returncode, "stop", stats["stop"], "paths", stats["paths_completed"], "tests", len(tests_of(options.out)), "ledger",
              sorted({e["category"] for e in json.load(open(options.out + "/ledger.json"))["entries"]}))
    if options.equals:
        mine, others = paths_of(options.out), paths_of(options.equals)
        print("the same", len(mine), "tests" if mine == others else "and not the same: %d others" % len(set(mine) ^ set(others)))
    for line in open(log).read().replace("\r", "\n").splitlines():
        if "fathom: " in line:
            print("explorer:", line[line.index("fathom: "):])
    for worker in workers:
        said = worker.communicate(timeout=60)[1].strip().splitlines()
        print("worker: status", worker.returncode, "|".join(said))


if __name__ == "__main__":
    main()
