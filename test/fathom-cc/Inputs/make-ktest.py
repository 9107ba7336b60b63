#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""make-ktest.py FILE [NAME HEX]...: writes a test in KLEE's format, version 3."""
import struct
import sys


def block(data):
    return struct.pack(">I", len(data)) + data


path, *objects = sys.argv[1:]
pairs = list(zip(objects[::2], objects[1::2]))
with open(path, "wb") as out:
    out.write(b"KTEST" + struct.pack(">II", 3, 1) + block(b"program") + struct.pack(">III", 0, 0, len(pairs)))
    for name, value in pairs:
        out.write(block(name.encode()) + block(bytes.fromhex(value)))
