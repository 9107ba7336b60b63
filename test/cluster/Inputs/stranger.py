#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One side of the greeting, played wrong: what a coordinator says to strangers, and what a worker says to one that is no coordinator.

    stranger.py worker FATHOM PROGRAM OUT       # strange workers at a coordinator, and then a right one
    stranger.py coordinator FATHOM OUT          # a right worker at strange coordinators
"""
import os
import re
import socket
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "scripts"))
from workerprotocol import frame, kinds, proof, receive, take_texts, texts

KEY = b"0123456789abcdef0123456789abcdef"
KINDS = kinds()
NAMES = {number: name for name, number in KINDS.items()}


def build_of(hello):
    return take_texts(hello)[1]


def coordinator_of(fathom, program, out):
    with open(out + ".key", "wb") as file:
        file.write(KEY)
    with open(out + ".log", "w") as log:
        explorer = subprocess.Popen([fathom, "explore", program, "-o", out, "--force", "--listen", "127.0.0.1:0", "--key", out + ".key", "--jobs", "0"],
                                    stdout=subprocess.DEVNULL, stderr=log)
    while True:
        found = re.search(r"workers connect to \S+:(\d+)", open(out + ".log").read())
        if found:
            return explorer, int(found.group(1))
        if explorer.poll() is not None:
            sys.exit(open(out + ".log").read())
        time.sleep(0.02)


def hello_of(fathom, out):
    """What a worker of this build says first."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        worker = subprocess.Popen([fathom, "worker", "--connect", "127.0.0.1:%d" % server.getsockname()[1], "--key", out + ".key"], stderr=subprocess.DEVNULL)
        connection, _ = server.accept()
        hello = receive(connection)[1]
        connection.close()
        worker.wait()
        return hello


def tell(what, answer):
    print("%s: %s" % (what, "closed" if answer is None else NAMES[answer[0]] + " " + answer[1].decode(errors="replace")))


def greet(port, build, key, has=b""):
    connection = socket.create_connection(("127.0.0.1", port))
    nonce = os.urandom(32)
    connection.sendall(frame(KINDS["Hello"], texts(b"fathom-worker", build, nonce, has)))
    answer = receive(connection)
    if answer is None or answer[0] != KINDS["Challenge"]:
        return connection, answer
    theirs, said = take_texts(answer[1])
    assert said == proof(KEY, b"coordinator", nonce, theirs), "the coordinator does not prove that it has the key"
    connection.sendall(frame(KINDS["Proof"], proof(key, b"worker", theirs, nonce)))
    return connection, receive(connection)


def strange_workers(fathom, program, out):
    explorer, port = coordinator_of(fathom, program, out)
    build = build_of(hello_of(fathom, out))
    web = socket.create_connection(("127.0.0.1", port))
    web.sendall(b"GET / HTTP/1.0\r\n\r\n")
    tell("a browser", receive(web))
    tell("another version", greet(port, b"fathom 0.0.1, build 00", KEY)[1])
    tell("another key", greet(port, build, b"another")[1])
    tell("another exploration's program", greet(port, build, KEY, has=b"x" * 32)[1])
    connection, answer = greet(port, build, KEY)
    print("the same build and key:", NAMES[answer[0]], len(answer[1]) > 1000)
    connection.sendall(frame(KINDS["Ready"], b"\1" + b"\0" * 7 + b"12345678"))
    tell("another program", receive(connection))
    # None of them has disturbed it.
    worker = subprocess.run([fathom, "worker", "--connect", "127.0.0.1:%d" % port, "--key", out + ".key"], stderr=subprocess.PIPE, text=True)
    print("a worker: status", worker.returncode, worker.stderr.strip().splitlines()[-1])
    print("the explorer: status", explorer.wait())
    print(open(out + ".log").read().replace("\r", "\n"))


def strange_coordinators(fathom, out):
    with open(out + ".key", "wb") as file:
        file.write(KEY)

    def run(play):
        with socket.create_server(("127.0.0.1", 0)) as server:
            def serve():
                connection, _ = server.accept()
                with connection:
                    play(connection)

            thread = threading.Thread(target=serve)
            thread.start()
            worker = subprocess.run([fathom, "worker", "--connect", "127.0.0.1:%d" % server.getsockname()[1], "--key", out + ".key"], stderr=subprocess.PIPE,
                                    text=True)
            thread.join()
            print("status", worker.returncode, re.sub(r"127.0.0.1:\d+", "HOST", worker.stderr.strip()))

    def another_key(connection):
        _, hello = receive(connection)
        connection.sendall(frame(KINDS["Challenge"], texts(b"n" * 32, proof(b"another", b"coordinator", take_texts(hello)[2], b"n" * 32))))
        receive(connection)

    def another_service(connection):
        receive(connection)
        connection.sendall(frame(KINDS["Bug"], b"220 mail"))
        receive(connection)

    def a_broken_program(connection):
        _, hello = receive(connection)
        connection.sendall(frame(KINDS["Challenge"], texts(b"n" * 32, proof(KEY, b"coordinator", take_texts(hello)[2], b"n" * 32))))
        receive(connection)
        connection.sendall(frame(KINDS["Program"], texts(b"name", b"no program")))
        receive(connection)

    def closes(connection):
        receive(connection)

    for play in (another_key, another_service, a_broken_program, closes):
        run(play)


if __name__ == "__main__":
    {"worker": strange_workers, "coordinator": strange_coordinators}[sys.argv[1]](*sys.argv[2:])
