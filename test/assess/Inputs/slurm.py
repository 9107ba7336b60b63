#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A Slurm of one machine: munged, slurmctld and slurmd on loopback, gone when the command has ended and its jobs with it.

    slurm.py TMP COMMAND...

Runs COMMAND with SLURM_CONF set, waits until no job is left, and ends with COMMAND's status. Needs root.
"""
import os
import shutil
import socket
import subprocess
import sys
import time

CONF = """
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={tmp}/munge.socket
CredType=cred/munge
SlurmctldPort={port0}
SlurmdPort={port1}
StateSaveLocation={tmp}/state
SlurmdSpoolDir={tmp}/spool
SlurmctldPidFile={tmp}/slurmctld.pid
SlurmdPidFile={tmp}/slurmd.pid
SlurmctldLogFile={tmp}/slurmctld.log
SlurmdLogFile={tmp}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
MailProg=/bin/true
ReturnToService=2
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def wait_for(what, condition, seconds, tmp):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            for name in sorted(os.listdir(tmp)):
                if name.endswith(".log"):
                    print("--- " + name, file=sys.stderr)
                    sys.stderr.write(open(os.path.join(tmp, name), errors="replace").read()[-3000:])
            sys.exit("slurm.py: no %s after %d s" % (what, seconds))
        time.sleep(0.2)


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout


def main():
    tmp, command = os.path.abspath(sys.argv[1]), sys.argv[2:]
    shutil.rmtree(tmp, ignore_errors=True)
    for folder in ("", "state", "spool"):
        os.makedirs(os.path.join(tmp, folder), mode=0o755)
    host = socket.gethostname().split(".")[0]
    open(tmp + "/slurm.conf", "w").write(CONF.format(tmp=tmp, host=host, port0=free_port(), port1=free_port()))
    open(tmp + "/munge.key", "wb").write(os.urandom(128))
    os.chmod(tmp + "/munge.key", 0o600)
    os.environ["SLURM_CONF"] = tmp + "/slurm.conf"
    daemons = []

    def start(*words):
        log = open(os.path.join(tmp, os.path.basename(words[0]) + ".out.log"), "w")
        daemons.append(subprocess.Popen(words, stdout=log, stderr=log))

    try:
        start("munged", "--foreground", "--force", "--key-file=%s/munge.key" % tmp, "--socket=%s/munge.socket" % tmp,
              "--pid-file=%s/munged.pid" % tmp, "--seed-file=%s/munge.seed" % tmp, "--log-file=%s/munged.log" % tmp)
        wait_for("munged", lambda: os.path.exists(tmp + "/munge.socket"), 20, tmp)
        start("slurmctld", "-D", "-c")
        start("slurmd", "-D", "-c", "-N", host)
        wait_for("idle node", lambda: "idle" in output("sinfo", "-h", "-o", "%T"), 60, tmp)
        status = subprocess.run(command).returncode
        if status == 0:
            wait_for("end of the jobs", lambda: not output("squeue", "-h").strip(), 150, tmp)
        return status
    finally:
        output("scancel", "--user=root")
        for daemon in reversed(daemons):
            daemon.terminate()
        for daemon in daemons:
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()


if __name__ == "__main__":
    sys.exit(main())
