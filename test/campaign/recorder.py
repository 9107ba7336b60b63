#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The recorder against an exact, slow one.

    recorder.py VARIANT [--executions N] [--servers N] [--unit N|time]

Plays afl-fuzz and the driver at once: starts fork servers of the fuzzing variant, gives each random inputs over
AFL++'s protocol, and ends sampling units while executions are in flight. Every input also runs alone, with a map of its
own in a file (FATHOM_MAP_FILE). What the recorder has for a unit must be exactly the union of what the inputs that
began in that unit hit alone, and each execution's map must be the one of its run alone.

With units of time an execution that begins while the unit changes may belong to either: this script ends units only
between requests, so that it knows.
"""
import argparse
import ctypes
import mmap
import os
import random
import struct
import subprocess
import sys
import tempfile

KEPT = 16
MAGIC = 0x31736E5568746146
IDLE = (1 << 64) - 1
HEAD, SLOT_HEAD = 16 * 8, 8 * 8 + KEPT * 8
libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p


def counters_of(variant):
    """Sides and markers of the layout that lies beside the variant."""
    text = open(variant + ".layout", errors="replace").read()
    head = text[text.index("fathom-map-layout"):].split("\n", 1)[0].split()
    return int(head[4]) + int(head[5])


class Units:
    """units.map, written from the description in runtime/native/fuzz.h."""

    def __init__(self, path, counters, slots, unit_executions):
        self.counters, self.slots = counters, slots
        self.map_bytes = (counters + 63) // 64 * 64
        self.slot_bytes = SLOT_HEAD + KEPT * self.map_bytes
        size = HEAD + slots * self.slot_bytes
        with open(path, "wb") as out:
            out.write(struct.pack("<16Q", MAGIC, size, slots, counters, self.map_bytes, unit_executions,
                                  *[0] * 10).ljust(size, b"\0"))
            for slot in range(slots):
                out.seek(HEAD + slot * self.slot_bytes)
                out.write(struct.pack("<2Q", 0, IDLE))
        self.memory = mmap.mmap(os.open(path, os.O_RDWR), size)

    def set_unit(self, number):
        struct.pack_into("<Q", self.memory, 7 * 8, number)

    def set_stored(self, number):
        struct.pack_into("<Q", self.memory, 8 * 8, number)

    def take(self, unit):
        """Executions and counters of a unit, and its place cleared."""
        place, executions, hit = unit % KEPT, 0, set()
        for slot in range(self.slots):
            at = HEAD + slot * self.slot_bytes
            executions += struct.unpack_from("<Q", self.memory, at + 64 + 8 * place)[0]
            start = at + SLOT_HEAD + place * self.map_bytes
            hit |= {i for i in range(self.counters) if self.memory[start + i]}
            self.memory[start:start + self.map_bytes] = bytes(self.map_bytes)
            struct.pack_into("<Q", self.memory, at + 64 + 8 * place, 0)
        return executions, hit


class Server:
    """One fork server, spoken to as afl-fuzz does."""

    def __init__(self, variant, units_file, counters, folder, number):
        self.counters = counters
        self.segment = libc.shmget(0, max(counters, 64), 0o1600)  # IPC_PRIVATE, IPC_CREAT
        self.address = libc.shmat(self.segment, None, 0)
        self.input = os.open(os.path.join(folder, "input%d" % number), os.O_RDWR | os.O_CREAT, 0o600)
        control_r, self.control = os.pipe()
        self.status, status_w = os.pipe()

        def place():
            os.dup2(control_r, 198)
            os.dup2(status_w, 199)

        self.process = subprocess.Popen([variant], stdin=self.input, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, preexec_fn=place, close_fds=False,
                                        env={"__AFL_SHM_ID": str(self.segment), "FATHOM_UNITS": units_file})
        os.close(control_r)
        os.close(status_w)
        hello = struct.unpack("<I", self.read())[0]
        assert hello & 0xC0000000 == 0xC0000000, "the fork server says %x" % hello
        assert ((hello & 0x00FFFFFE) >> 1) + 1 == counters, "it announces a map of another size"

    def read(self):
        data = os.read(self.status, 4)
        assert len(data) == 4, "the fork server is gone"
        return data

    def begin(self, data):
        os.ftruncate(self.input, 0)
        os.pwrite(self.input, data, 0)
        os.lseek(self.input, 0, os.SEEK_SET)
        ctypes.memset(self.address, 0, self.counters)
        os.write(self.control, struct.pack("<I", 0))
        self.read()  # the process's number: it has begun

    def end(self):
        status = struct.unpack("<i", self.read())[0]
        return status, {i for i, c in enumerate(ctypes.string_at(self.address, self.counters)) if c}

    def close(self):
        os.close(self.control)
        self.process.wait(10)
        libc.shmctl(self.segment, 0, None)


def alone(variant, data, counters, folder):
    path = os.path.join(folder, "map")
    with open(path, "wb") as out:
        out.write(bytes(counters))
    done = subprocess.run([variant], input=data, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          env={"FATHOM_MAP_FILE": path})
    return done.returncode, {i for i, c in enumerate(open(path, "rb").read()) if c}


def random_input(rng):
    words = [b"(", b"((", b"12", b"13", b"0", b'"', b"save", b"load", b"boom", b"#\n", b"zzz", b"\n", b" "]
    return b"".join(rng.choice(words) for _ in range(rng.randint(0, 5)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("variant")
    parser.add_argument("--executions", type=int, default=400)
    parser.add_argument("--servers", type=int, default=2)
    parser.add_argument("--unit", default="time")
    options = parser.parse_args()
    rng = random.Random(7)
    counters = counters_of(options.variant)
    size = 0 if options.unit == "time" else int(options.unit)
    with tempfile.TemporaryDirectory() as folder:
        units_file = os.path.join(folder, "units.map")
        units = Units(units_file, counters, options.servers + 1, size)
        servers = [Server(options.variant, units_file, counters, folder, i) for i in range(options.servers)]
        expected, counts, unit, stored, crashed, done = {}, {}, 0, 0, 0, 0
        inflight = []
        while done < options.executions:
            # All servers begin before any of them is asked how it ended; the unit changes in between.
            for server in servers:
                data = random_input(rng)
                begins = done // size if size else unit
                server.begin(data)
                inflight.append((server, data, begins))
                done += 1
                if not size and rng.random() < 0.1:
                    unit += 1
                    units.set_unit(unit)
            for server, data, begins in inflight:
                status, seen = server.end()
                code, hit = alone(options.variant, data, counters, folder)
                assert seen == hit, "%r: the map has %s, alone %s" % (data, sorted(seen), sorted(hit))
                assert (status & 127) == (-code if code < 0 else 0), "%r ends otherwise alone" % data
                crashed += code < 0
                expected.setdefault(begins, set()).update(hit)
                counts[begins] = counts.get(begins, 0) + 1
            inflight.clear()
            # What is over is compared and its place given back.
            current = done // size if size else unit
            while stored < current:
                executions, hit = units.take(stored)
                assert executions == counts.get(stored, 0), "unit %d: %d executions, %d recorded" % (
                    stored, counts.get(stored, 0), executions)
                assert hit == expected.get(stored, set()), "unit %d: recorded %s, exactly %s" % (
                    stored, sorted(hit), sorted(expected.get(stored, set())))
                stored += 1
                units.set_stored(stored)
        for server in servers:
            server.close()
        assert crashed and stored > 5, "nothing was tested"
        print("%d executions in %d units agree, %d crashed" % (done, stored, crashed))


if __name__ == "__main__":
    try:
        main()
    except AssertionError as wrong:
        print("recorder.py: %s" % wrong, file=sys.stderr)
        sys.exit(1)
