# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The parts of bench/seeds: bench-seeds.py ROOT parts | measure HARNESS SCRATCH."""
import argparse
import contextlib
import importlib.machinery
import importlib.util
import io
import os
import struct
import sys
import time
import zlib

sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("seeds", os.path.join(sys.argv[1], "bench", "seeds"))
seeds = importlib.util.module_from_spec(importlib.util.spec_from_loader("seeds", loader))
loader.exec_module(seeds)


def choice():
    assert seeds.chosen([b"b", b"", b"aa", b"b", b"x" * 1001]) == [b"b", b"aa"]
    many = seeds.chosen([b"x" * n for n in range(1, 102)])
    assert [len(s) for s in many] == [1, 11, 21, 31, 41, 51, 61, 71, 81, 91, 101], many


def sets():
    assert seeds.elements(b"b\x05\x80") == {0, 2, 15}
    assert seeds.elements(b"g\x02\x00\xac\x02") == {2, 3, 304}
    assert seeds.elements(b"g") == set()


def ktest():
    field = lambda data: struct.pack(">I", len(data)) + data
    test = lambda objects: b"KTEST" + struct.pack(">II", 3, 1) + field(b"program") + struct.pack(">III", 0, 0, len(objects)) + b"".join(field(n) + field(d) for n, d in objects)
    assert seeds.harness_input(test([(b"fuzz_size", b"\2\0\0\0"), (b"fuzz_data", b"abcd")])) == b"ab"
    assert seeds.harness_input(test([(b"stdin", b"abcd")])) is None


def missing():
    rows = [{"subject": "a", "tool": "explore", "beyond": [1]}, {"subject": "a", "tool": "fuzz", "beyond": [1, 2, 3, 4]}, {"subject": "a", "tool": "fuzz", "beyond": [2, 4]},
            {"subject": "b", "tool": "fuzz", "beyond": [5]}]
    places = {1: ["f", "d/a.c", 1, 0], 2: ["g", "d/a.c", 9, 1], 3: ["g", "d/a.c", 9, 0], 4: ["f", "d/a.c", 2, 1]}
    with io.StringIO() as out, contextlib.redirect_stdout(out):
        seeds.print_missing("a", rows, places)
        told = out.getvalue().splitlines()
    assert told == ["a: 3 sides by fuzz and not by explore", "    2 g, a.c: 9:0 (1) 9:1 (2)", "    1 f, a.c: 2:1 (2)"], told


def images():
    """Eleven valid files: checksums are right, and there are as many rows as the head says, with all filters."""
    module = seeds.other("png-seeds")
    images, filters = module.seeds(), set()
    assert len(images) == 11 and len(set(images.values())) == 11
    for name, data in images.items():
        assert len(data) < 200 and data.startswith(b"\x89PNG\r\n\x1a\n"), name
        at, chunks = 8, {}
        while at < len(data):
            size, kind = struct.unpack_from(">I4s", data, at)
            body = data[at + 8:at + 8 + size]
            assert struct.unpack_from(">I", data, at + 8 + size)[0] == zlib.crc32(kind + body), name
            chunks[kind], at = body, at + 12 + size
        assert list(chunks)[0] == b"IHDR" and list(chunks)[-1] == b"IEND", name
        width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
        rows, at = zlib.decompress(chunks[b"IDAT"]), 0
        for left, top, right, down in module.ADAM7 if interlaced else [(0, 0, 1, 1)]:
            columns = -(-(width - left) // right)
            for _ in range(-(-(height - top) // down) if columns > 0 else 0):
                filters.add(rows[at])
                at += 1 + (columns * module.CHANNELS[colour] * depth + 7) // 8
        assert at == len(rows), name
    assert filters == {0, 1, 2, 3, 4}


def processor_time():
    """A process and its child, which sleep a third of a second and then are busy, until the child is told to end."""
    program = ("import os, signal, sys, time\n"
               "time.sleep(0.3)\n"
               "child = os.fork()\n"
               "signal.signal(signal.SIGINT, lambda *_: (os.kill(child, 9), os.wait(), print('done'), sys.exit(130)) if child else None)\n"
               "while True: pass\n")
    begun = time.monotonic()
    status, output, cpu, wall = seeds.run_for([sys.executable, "-c", program], 1, os.path.join(os.environ.get("TMPDIR", "/tmp"), "bench-seeds-%d" % os.getpid()))
    assert status == 130 and output == "done\n", (status, output)
    assert 1 <= cpu < 2 and 0.3 < wall <= time.monotonic() - begun, (cpu, wall)


def measure(harness, scratch):
    os.makedirs(scratch)
    subject = seeds.Subject(harness, [b"F...", b"F"], os.path.join(scratch, "subject"))
    options = argparse.Namespace(seconds=2, options="--search dfs")
    rows = {tool: subject.measure(tool, 1, options, os.path.join(scratch, tool)) for tool in seeds.TOOLS}
    print(rows)
    # Of eight sides: too short and not, F, no A, no T.
    assert rows["concrete"]["sides"] == 5, rows["concrete"]
    for tool in ("explore", "fuzz"):
        assert rows[tool]["with_seeds"] == 8 and len(rows[tool]["beyond"]) == 3 and rows[tool]["own"] == 8, rows[tool]
    assert rows["explore"]["seeds_followed"] == 2 and 0 < rows["explore"]["last_seed_seconds"] < rows["explore"]["wall"], rows["explore"]
    assert rows["explore"]["stop"] == "exhausted" and rows["fuzz"]["how_ended"] == "interrupted" and 2 <= rows["fuzz"]["cpu"] < 4, rows


if sys.argv[2] == "measure":
    measure(*sys.argv[3:])
else:
    for part in (choice, sets, ktest, missing, images, processor_time):
        part()
