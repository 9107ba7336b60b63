#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records a real exploration with workers that connect by TCP: how long the work takes, and how large messages are.

    bench/workers/record.py PROGRAM OUT.json [--workers N] [--build DIR] [-- OPTIONS OF EXPLORE]

Workers connect through this process, which passes everything on and reads the head of each message. OUT.json gets

  paths                  completed
  path_seconds           processor time of a worker's process for one path
  units                  how often paths were handed to a worker
  messages               for each kind: number and bytes
  coordinator_seconds    processor time of the coordinator from the moment when it sends the program
  result_seconds, status_seconds
                         its processor time for a test or a bug, and for a progress message, when it has much to do: after the exploration, another
                         coordinator gets the recorded messages as fast as it takes them. The results are those of the exploration's second half:
                         those that cover something new, which cost more (a folder each), come in the first minutes
  seconds, program_bytes, load_seconds (of a worker: from the program to being ready)

bench/workers/cluster.py simulates other numbers of workers from it.
"""
import argparse
import collections
import glob
import json
import os
import re
import select
import socket
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "scripts"))
from workerprotocol import HEAD, frame, kinds, proof, receive, take_texts, texts

KEY = b"0123456789abcdef"
KINDS = kinds()
NAMES = {number: name for name, number in KINDS.items()}


def processor_seconds(pid):
    return sum(int(open(path).read().split()[0]) for path in glob.glob("/proc/%d/task/*/schedstat" % pid)) / 1e9


class Recorder:
    def __init__(self, explorer, address):
        self.explorer, self.address = explorer, address
        self.lock = threading.Lock()
        self.messages = collections.Counter()
        self.bytes = collections.Counter()
        self.before = self.load = 0.0
        self.units = 0
        self.results, self.status, self.ready, self.build = [], b"", b"", b""
        self.server = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            worker, _ = self.server.accept()
            threading.Thread(target=self.serve, args=(worker,), daemon=True).start()

    def serve(self, worker):
        coordinator = socket.create_connection(self.address)
        for side in (worker, coordinator):
            side.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        other = {worker: coordinator, coordinator: worker}
        rest = {worker: b"", coordinator: b""}
        skip = {worker: 0, coordinator: 0}
        times = {}
        while True:
            for side in select.select([worker, coordinator], [], [])[0]:
                data = side.recv(1 << 16)
                if not data:
                    for end in other:
                        end.close()
                    return
                other[side].sendall(data)
                data = rest[side] + data
                while len(data) > skip[side]:
                    data = data[skip[side]:]
                    skip[side] = 0
                    if len(data) < HEAD.size:
                        break
                    size, kind = HEAD.unpack_from(data)
                    if side is worker and NAMES[kind] in ("Test", "Bug", "Progress", "Ready", "Hello") and len(data) < HEAD.size + size:
                        break  # what is kept is kept whole
                    self.note(NAMES[kind], size + HEAD.size, times)
                    self.keep(NAMES[kind], data[:HEAD.size + size])
                    skip[side] = size + HEAD.size
                if len(data) <= skip[side]:
                    skip[side] -= len(data)
                    data = b""
                rest[side] = data

    def keep(self, name, frame):
        with self.lock:
            if name in ("Test", "Bug"):
                self.results.append(frame)
            elif name == "Progress":
                self.status = frame
            elif name == "Ready":
                self.ready = frame
            elif name == "Hello":
                self.build = take_texts(frame[HEAD.size:])[1]

    def note(self, name, size, times):
        now = time.monotonic()
        with self.lock:
            self.messages[name] += 1
            self.bytes[name] += size
            if name == "Program":
                times[name] = now
                self.before = self.before or processor_seconds(self.explorer.pid)
            elif name == "Ready":
                self.load = max(self.load, now - times["Program"])
            elif name == "Work":
                self.units += 1


def join(address, build, ready):
    """A worker that has greeted and says that it has the program."""
    connection = socket.create_connection(address)
    nonce = os.urandom(32)
    connection.sendall(frame(KINDS["Hello"], texts(b"fathom-worker", build, nonce, b"")))
    theirs = take_texts(receive(connection)[1])[0]
    connection.sendall(frame(KINDS["Proof"], proof(KEY, b"worker", theirs, nonce)))
    receive(connection)
    connection.sendall(ready)
    receive(connection)
    return connection


def flood(start, folder, recorder):
    """What a result and a progress message cost a coordinator that has much to do."""
    explorer, address = start(folder)
    connections = [join(address, recorder.build, recorder.ready) for _ in range(8)]

    def cost(frames):
        before = processor_seconds(explorer.pid)

        def send(i):
            connections[i].sendall(b"".join(frames[i::8]) + frame(KINDS["HostQuestion"], b"\x08" + texts(b"") + bytes(16)))
            while receive(connections[i])[0] != KINDS["HostAnswer"]:
                pass

        threads = [threading.Thread(target=send, args=(i,)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return (processor_seconds(explorer.pid) - before) / len(frames)

    half = len(recorder.results) // 2
    cost(recorder.results[:half])
    costs = cost(recorder.results[half:]), cost([recorder.status] * 20000)
    explorer.kill()
    explorer.wait()
    return costs


def main():
    words = sys.argv[1:]
    more = words[words.index("--") + 1:] if "--" in words else []
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program")
    parser.add_argument("out")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    options = parser.parse_args(words[:words.index("--")] if "--" in words else words)
    fathom = os.path.join(options.build, "bin", "fathom")
    def start(folder):
        key, log = folder + "/key", folder + "/log"
        with open(key, "wb") as file:
            file.write(KEY)
        with open(log, "w") as errors:
            explorer = subprocess.Popen([fathom, "explore", options.program, "-o", folder + "/out", "--force", "--listen", "127.0.0.1:0", "--key", key, "--jobs",
                                         "0", "--json"] + more, stdout=subprocess.PIPE, stderr=errors)
        while not (found := re.search(r"workers connect to (\S+):(\d+)", open(log).read())):
            if explorer.poll() is not None:
                sys.exit(open(log).read())
            time.sleep(0.01)
        return explorer, (found.group(1), int(found.group(2)))

    with tempfile.TemporaryDirectory() as folder:
        key = folder + "/key"
        explorer, address = start(folder)
        recorder = Recorder(explorer, address)
        own = "127.0.0.1:%d" % recorder.server.getsockname()[1]
        workers = [subprocess.Popen([fathom, "worker", "--connect", own, "--key", key, "-q"]) for _ in range(options.workers)]
        spent, worked = 0.0, {}
        reader = []
        reading = threading.Thread(target=lambda: reader.append(explorer.stdout.read()))
        reading.start()
        while explorer.poll() is None:
            try:
                spent = max(spent, processor_seconds(explorer.pid))
                for worker in workers:
                    for child in open("/proc/%d/task/%d/children" % (worker.pid, worker.pid)).read().split():
                        worked[child] = processor_seconds(int(child))
            except (OSError, IndexError):
                pass
            time.sleep(0.01)
        reading.join()
        for worker in workers:
            worker.wait()
        stats = json.loads(reader[0])
        result_seconds, status_seconds = flood(start, folder, recorder)
    paths = stats["paths_completed"]
    result = {
        "program": os.path.basename(options.program), "options": more, "workers": options.workers, "stop": stats["stop"], "paths": paths, "tests": stats["tests"],
        "seconds": round(stats["wall_seconds"], 3), "path_seconds": sum(worked.values()) / max(1, paths), "units": recorder.units,
        "coordinator_seconds": round(spent - recorder.before, 3), "result_seconds": result_seconds, "status_seconds": status_seconds, "program_bytes": recorder.bytes["Program"] // max(1, recorder.messages["Program"]), "load_seconds": round(recorder.load, 3),
        "messages": {name: {"number": n, "bytes": recorder.bytes[name]} for name, n in sorted(recorder.messages.items())},
    }
    with open(options.out, "w") as file:
        json.dump(result, file, indent=1)
        file.write("\n")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
