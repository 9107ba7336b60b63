# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a tool for some processor time, so that other work on the machine costs wall time only."""
import glob
import os
import signal
import subprocess
import time

STUCK = 600  # seconds of wall time beyond ten times the processor time that is asked for


def processor_time(root):
    """Seconds of a process and all its descendants, those that have ended included (as far as somebody waited for them)."""
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


def run_for(command, seconds, out, errors=None):
    """Runs it until it has taken so much processor time, then sends SIGINT. Its standard output goes to the file `out`, and what it says on standard
    error to the file `errors` (None: where ours goes). Returns its status, its output, processor time and wall time."""
    begun, asked, cpu = time.monotonic(), False, 0
    with open(out, "w+") as output, open(errors or os.devnull, "w") as said:
        process = subprocess.Popen(command, stdout=output, stderr=said if errors else None)
        while True:
            ended, status, used = os.wait4(process.pid, os.WNOHANG)
            if ended:
                break
            cpu = max(cpu, processor_time(process.pid))
            left = seconds - cpu
            if not asked and left <= 0:
                process.send_signal(signal.SIGINT)
                asked = True
            if time.monotonic() > begun + 10 * seconds + STUCK:
                process.kill()
            time.sleep(min(0.5, max(0.02, left / 8)))  # looking takes milliseconds
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        return process.returncode, output.read(), max(cpu, used.ru_utime + used.ru_stime), time.monotonic() - begun
