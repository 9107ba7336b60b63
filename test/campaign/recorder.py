#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The recorder against an exact, slow one.

    recorder.py VARIANT [--executions N] [--servers N] [--unit N|time] [--iterations N [--memory]]

Plays afl-fuzz and the driver at once: starts fork servers of the fuzzing variant, gives each random inputs over
AFL++'s protocol, and ends sampling units while executions are in flight. Every input also runs alone, in a process of its
own, with a map of its own in a file (FATHOM_MAP_FILE). What the recorder has for a unit must be exactly the union of what
the inputs that began in that unit hit alone, and each execution's map must be the one of its run alone. Some executions
are said to be calibration: they are recorded apart.

--iterations N is for harnesses: a process takes N inputs, with --memory from shared memory. Sometimes AFL++ ends it in
between, as it does when the time of a test is over.

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
MAGIC = 0x32736E5568746146
STAGES, FUZZING, CALIBRATION = 6, 1, 2
INSTANCES = 64
IDLE = (1 << 64) - 1
HEAD, SLOT_HEAD = 16 * 8 + INSTANCES * 64, 8 * 8 + KEPT * STAGES * 8
libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p


def counters_of(variant):
    """Sides and markers of the layout that lies beside the variant."""
    text = open(variant + ".layout", errors="replace").read()
    head = text[text.index("fathom-map-layout"):].split("\n", 1)[0].split()
    return int(head[5]) + int(head[6])


class Units:
    """units.map, written from the description in runtime/native/fuzz.h."""

    def __init__(self, path, counters, slots, unit_executions):
        self.counters, self.slots = counters, slots
        self.map_bytes = (counters + 63) // 64 * 64
        self.slot_bytes = SLOT_HEAD + KEPT * 2 * self.map_bytes
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

    def set_stage(self, instance, stage):
        struct.pack_into("<Q", self.memory, 16 * 8 + instance * 64, stage)

    def take(self, unit):
        """By stage, executions and counters of a unit; its place is cleared."""
        place, executions, hit = unit % KEPT, [0, 0], [set(), set()]
        for slot in range(self.slots):
            at = HEAD + slot * self.slot_bytes
            counts = at + 64 + 8 * STAGES * place
            for group, stage in enumerate((FUZZING, CALIBRATION)):
                executions[group] += struct.unpack_from("<Q", self.memory, counts + 8 * stage)[0]
                start = at + SLOT_HEAD + (place * 2 + group) * self.map_bytes
                hit[group] |= {i for i in range(self.counters) if self.memory[start + i]}
                self.memory[start:start + self.map_bytes] = bytes(self.map_bytes)
            self.memory[counts:counts + 8 * STAGES] = bytes(8 * STAGES)
        return executions, hit


class Server:
    """One fork server, spoken to as afl-fuzz does."""

    def __init__(self, variant, units_file, counters, folder, number, iterations, in_memory):
        self.counters = counters
        self.segment = libc.shmget(0, max(counters, 64), 0o1600)  # IPC_PRIVATE, IPC_CREAT
        self.address = libc.shmat(self.segment, None, 0)
        self.input = os.open(os.path.join(folder, "input%d" % number), os.O_RDWR | os.O_CREAT, 0o600)
        env = {"__AFL_SHM_ID": str(self.segment), "FATHOM_INSTANCE": str(number)}
        if units_file:
            env["FATHOM_UNITS"] = units_file
        if iterations:
            env["FATHOM_ITERATIONS"] = str(iterations)
        self.input_segment = None
        if in_memory:
            self.input_segment = libc.shmget(0, 4 + 4096, 0o1600)
            self.input_address = libc.shmat(self.input_segment, None, 0)
            env["__AFL_SHM_FUZZ_ID"] = str(self.input_segment)
        self.was_killed = False
        control_r, self.control = os.pipe()
        self.status, status_w = os.pipe()

        def place():
            os.dup2(control_r, 198)
            os.dup2(status_w, 199)

        self.process = subprocess.Popen([variant], stdin=self.input, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, preexec_fn=place, close_fds=False, env=env)
        os.close(control_r)
        os.close(status_w)
        hello = struct.unpack("<I", self.read())[0]
        assert hello & 0xC0000000 == 0xC0000000, "the fork server says %x" % hello
        assert ((hello & 0x00FFFFFE) >> 1) + 1 == counters, "it announces a map of another size"
        assert bool(hello & 0x01000000) == in_memory, "the fork server says %x about inputs in memory" % hello
        if in_memory:
            os.write(self.control, struct.pack("<I", 0x81000001))

    def read(self):
        data = os.read(self.status, 4)
        assert len(data) == 4, "the fork server is gone"
        return data

    def begin(self, data):
        if self.input_segment is not None:
            ctypes.memmove(self.input_address, struct.pack("<I", len(data)) + data, 4 + len(data))
        else:
            os.ftruncate(self.input, 0)
            os.pwrite(self.input, data, 0)
            os.lseek(self.input, 0, os.SEEK_SET)
        ctypes.memset(self.address, 0, self.counters)
        os.write(self.control, struct.pack("<I", self.was_killed))
        self.was_killed = False
        self.child = struct.unpack("<I", self.read())[0]  # it has begun

    def end(self):
        status = struct.unpack("<i", self.read())[0]
        return status, {i for i, c in enumerate(ctypes.string_at(self.address, self.counters)) if c}

    def kill(self):
        """As afl-fuzz does when the time of a test is over, here just after its end."""
        os.kill(self.child, 9)
        self.was_killed = True

    def close(self):
        os.close(self.control)
        self.process.wait(10)
        libc.shmctl(self.segment, 0, None)
        if self.input_segment is not None:
            libc.shmctl(self.input_segment, 0, None)


def alone(variant, data, counters, folder):
    path = os.path.join(folder, "map")
    with open(path, "wb") as out:
        out.write(bytes(counters))
    done = subprocess.run([variant], input=data, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          env={"FATHOM_MAP_FILE": path})
    return done.returncode, {i for i, c in enumerate(open(path, "rb").read()) if c}


def random_input(rng):
    words = [b"(", b"((", b"12", b"13", b"0", b'"', b"save", b"load", b"boom", b"#\n", b"zzz", b"\n", b" ", b"z", b"3"]
    return b"".join(rng.choice(words) for _ in range(rng.randint(0, 5)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("variant")
    parser.add_argument("--executions", type=int, default=400)
    parser.add_argument("--servers", type=int, default=2)
    parser.add_argument("--unit", default="time")
    parser.add_argument("--iterations", type=int, default=0)
    parser.add_argument("--memory", action="store_true")
    options = parser.parse_args()
    rng = random.Random(7)
    counters = counters_of(options.variant)
    size = 0 if options.unit == "time" else int(options.unit)
    known = {}
    with tempfile.TemporaryDirectory() as folder:
        units_file = os.path.join(folder, "units.map")
        units = Units(units_file, counters, options.servers + 1, size)
        servers = [Server(options.variant, units_file, counters, folder, i, options.iterations, options.memory)
                   for i in range(options.servers)]
        expected, counts, unit, stored, crashed, done, numbered, continued, killed = {}, {}, 0, 0, 0, 0, 0, 0, 0
        inflight = []
        while done < options.executions:
            # All servers begin before any of them is asked how it ended; the unit changes in between.
            for instance, server in enumerate(servers):
                data = random_input(rng)
                group = int(rng.random() < 0.3)
                begins = numbered // size if size else unit
                units.set_stage(instance, CALIBRATION if group else FUZZING)
                server.begin(data)
                inflight.append((server, data, begins, group))
                done += 1
                numbered += not group
                if not size and rng.random() < 0.1:
                    unit += 1
                    units.set_unit(unit)
            for server, data, begins, group in inflight:
                status, seen = server.end()
                if data not in known:
                    known[data] = alone(options.variant, data, counters, folder)
                code, hit = known[data]
                assert seen == hit, "%r: the map has %s, alone %s" % (data, sorted(seen), sorted(hit))
                if status & 0xFF == 0x7F:  # it waits for the next input
                    continued += 1
                    assert code >= 0, "%r crashes alone" % data
                    if rng.random() < 0.02:
                        server.kill()
                        killed += 1
                else:
                    assert (status & 127) == (-code if code < 0 else 0), "%r ends otherwise alone" % data
                crashed += code < 0
                expected.setdefault((begins, group), set()).update(hit)
                counts[begins, group] = counts.get((begins, group), 0) + 1
            inflight.clear()
            # What is over is compared and its place given back.
            current = numbered // size if size else unit
            while stored < current:
                executions, hit = units.take(stored)
                for group in (0, 1):
                    key = (stored, group)
                    assert executions[group] == counts.get(key, 0), "unit %d, group %d: %d executions, %d recorded" % (
                        stored, group, counts.get(key, 0), executions[group])
                    assert hit[group] == expected.get(key, set()), "unit %d, group %d: recorded %s, exactly %s" % (
                        stored, group, sorted(hit[group]), sorted(expected.get(key, set())))
                stored += 1
                units.set_stored(stored)
        for server in servers:
            server.close()
        assert crashed and stored > 5, "nothing was tested"
        assert bool(continued) == (options.iterations > 1) == bool(killed), "%d processes went on" % continued
        print("%d executions in %d units agree, %d crashed, %d in processes that went on" % (
            done, stored, crashed, continued))


if __name__ == "__main__":
    try:
        main()
    except AssertionError as wrong:
        print("recorder.py: %s" % wrong, file=sys.stderr)
        sys.exit(1)
