#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A Slurm of one machine: munged, slurmctld and slurmd on loopback, gone when the command has ended and its jobs with it.

    slurm.py [--nodes N] TMP COMMAND...

Runs COMMAND with SLURM_CONF set, waits until no job is left, and ends with COMMAND's status. Needs root. Each node is a slurmd of its
own, and has two processors for jobs, whatever the machine has.
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
StateSaveLocation={tmp}/state
SlurmdSpoolDir={tmp}/spool.%n
SlurmctldPidFile={tmp}/slurmctld.pid
SlurmdPidFile={tmp}/slurmd.%n.pid
SlurmctldLogFile={tmp}/slurmctld.log
SlurmdLogFile={tmp}/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
MailProg=/bin/true
ReturnToService=2
SlurmdParameters=config_overrides
{nodes}
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
    words = sys.argv[1:]
    number = int(words[1]) if words[0] == "--nodes" else 1
    words = words[2:] if words[0] == "--nodes" else words
    tmp, command = os.path.abspath(words[0]), words[1:]
    names = ["node%d" % i for i in range(1, number + 1)]
    shutil.rmtree(tmp, ignore_errors=True)
    for folder in ["", "state"] + ["spool." + name for name in names]:
        os.makedirs(os.path.join(tmp, folder), mode=0o755)
    host = socket.gethostname().split(".")[0]
    nodes = "\n".join("NodeName=%s NodeHostname=%s NodeAddr=127.0.0.1 Port=%d CPUs=2 State=UNKNOWN" % (name, host, free_port()) for name in names)
    open(tmp + "/slurm.conf", "w").write(CONF.format(tmp=tmp, host=host, port0=free_port(), nodes=nodes))
    open(tmp + "/munge.key", "wb").write(os.urandom(128))
    os.chmod(tmp + "/munge.key", 0o600)
    os.environ["SLURM_CONF"] = tmp + "/slurm.conf"
    daemons = []

    def start(*words):
        log = open(os.path.join(tmp, "%s.%d.out.log" % (os.path.basename(words[0]), len(daemons))), "w")
        daemons.append(subprocess.Popen(words, stdout=log, stderr=log))

    try:
        start("munged", "--foreground", "--force", "--key-file=%s/munge.key" % tmp, "--socket=%s/munge.socket" % tmp,
              "--pid-file=%s/munged.pid" % tmp, "--seed-file=%s/munge.seed" % tmp, "--log-file=%s/munged.log" % tmp)
        wait_for("munged", lambda: os.path.exists(tmp + "/munge.socket"), 20, tmp)
        start("slurmctld", "-D", "-c")
        for name in names:
            start("slurmd", "-D", "-c", "-N", name)
        wait_for("idle nodes", lambda: output("sinfo", "-h", "-N", "-o", "%T").split() == ["idle"] * number, 60, tmp)
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
