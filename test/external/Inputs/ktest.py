#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ktest.py FILE NAME TEXT: a .ktest file with one object."""
import struct
import sys


def counted(data):
    return struct.pack(">I", len(data)) + data


with open(sys.argv[1], "wb") as file:
    file.write(b"KTEST" + struct.pack(">IIIII", 3, 0, 0, 0, 1) + counted(sys.argv[2].encode()) + counted(sys.argv[3].encode()))
