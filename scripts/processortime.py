# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a tool for some processor time, so that other work on the machine costs wall time only."""
import glob
import os
import signal
import subprocess
import time

STUCK = 600  # seconds of wall time beyond ten times the processor time that is asked for


def processor_time(root):
    """Seconds of a process and all its descendants, those that have ended included (as far as their parents waited for them)."""
    tick, parents, spent = os.sysconf("SC_CLK_TCK"), {}, {}
    for folder in glob.glob("/proc/[0-9]*"):
        try:
            words = open(folder + "/stat").read().rpartition(")")[2].split()
        except OSError:
            continue  # has just ended
        number = int(os.path.basename(folder))
        parents.setdefault(int(words[1]), []).append(number)
        spent[number] = sum(int(w) for w in words[11:15]) / tick
    total, todo = 0, [root]
    while todo:
        number = todo.pop()
        total += spent.get(number, 0)
        todo += parents.get(number, [])
    return total


def own_time(number):
    """Seconds of a process alone, also of a zombie, which has ended without a parent that waited for it."""
    with open("/proc/%d/stat" % number) as file:
        words = file.read().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def has_children(number):
    with open("/proc/%d/task/%d/children" % (number, number)) as file:
        return bool(file.read().strip())


def run_for(command, seconds, out, errors=None, loads=False, watch=None):
    """Runs it until it has taken so much processor time, then sends SIGINT. Its standard output goes to the file `out`, and what it says on standard
    error to the file `errors` (None: where ours goes). With `loads`, what it takes before it starts its first process does not count, nor what it itself
    does later. `watch` is called at every look, with the time so far. Returns its status, its output, processor time and wall time."""
    begun, asked, cpu, loading = time.monotonic(), False, 0, 0
    started = not loads
    with open(out, "w+") as output, open(errors or os.devnull, "w") as said:
        process = subprocess.Popen(command, stdout=output, stderr=said if errors else None)
        while not os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            if loads:
                started, loading = started or has_children(process.pid), own_time(process.pid)
            cpu = max(cpu, processor_time(process.pid) - loading)
            left = seconds - cpu
            if watch:
                watch(cpu)
            if started and not asked and left <= 0:
                process.send_signal(signal.SIGINT)
                asked = True
            if time.monotonic() > begun + 10 * seconds + STUCK:
                process.kill()
            time.sleep(min(0.5, max(0.02, left / 8)))  # looking takes milliseconds
        loading = own_time(process.pid) if loads else 0
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        return process.returncode, output.read(), max(cpu, used.ru_utime + used.ru_stime - loading), time.monotonic() - begun
