#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a campaign's folder with many branch sides, and the sources that they are in.

    test/report/make-stress.py FOLDER [SIDES]
"""
import json
import os
import random
import sqlite3
import sys

BRANCHES_OF_FILE, UNITS = 2500, 200
TABLES = """
create table meta (name text primary key, value text not null);
create table element (id integer primary key, kind text not null, function text not null, file text not null, line integer not null,
  column integer not null, branch integer, side integer, unreachable text);
create table statement (id integer primary key, function text not null, file text not null, line integer not null);
create table statement_block (statement integer not null, block integer not null);
create table edge (source integer not null, target integer not null, side integer);
create table unit (number integer primary key, complete integer not null, seconds real not null, covered blob not null, covered_apart blob not null,
  unknown integer not null, fuzzing integer not null, calibration integer not null, trimming integer not null, comparisons integer not null, sync integer not null);
create table state_point (id integer primary key, kind text not null, function text not null, file text not null, line integer not null,
  column integer not null, condition text not null, variables text not null);
create table state (point integer not null, bindings blob not null, count integer not null);
"""


def bitmap(elements, count):
    out = bytearray((count + 7) // 8)
    for element in elements:
        out[element // 8] |= 1 << (element % 8)
    return b"b" + bytes(out)


def main():
    folder, sides = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 50000
    chance = random.Random(1)
    branches = sides // 2
    os.makedirs(os.path.join(folder, "src"))
    db = sqlite3.connect(os.path.join(folder, "campaign.db"))
    db.executescript(TABLES)
    db.executemany("insert into meta values (?,?)", [("schema", "5"), ("unit", "10s"), ("program_key", "x"), ("bitcode", "x"), ("arguments", "")])
    places = []
    for branch in range(branches):
        file, at = divmod(branch, BRANCHES_OF_FILE)
        places.append(("f%d_%d" % (file, at // 50), os.path.abspath(os.path.join(folder, "src", "part%d.c" % file)), 3 * at + at // 50 * 3 + 3))
    for file in range((branches + BRANCHES_OF_FILE - 1) // BRANCHES_OF_FILE):
        with open(os.path.join(folder, "src", "part%d.c" % file), "w") as out:
            for at in range(min(BRANCHES_OF_FILE, branches - file * BRANCHES_OF_FILE)):
                if at % 50 == 0:
                    out.write("%sint f%d_%d(int x)\n{\n" % ("  return x;\n}\n" if at else "", file, at // 50))
                out.write("  if (x %% %d == %d)\n    x += %d;\n  /* next */\n" % (at + 2, at, at))
            out.write("  return x;\n}\n")
    rows, blocks, edges, statements = [], [], [], []
    for branch, (function, file, line) in enumerate(places):
        for side in (0, 1):
            rows.append((2 * branch + side, "branch-side", function, file, line, 7, branch, side, "condition" if chance.random() < 0.01 else None))
        # Of each branch: the block that ends in it, and the one of its true side.
        head, body = sides + 2 * branch, sides + 2 * branch + 1
        blocks += [(head, "block", function, file, line, 7, None, None, None), (body, "block", function, file, line + 1, 5, None, None, None)]
        edges.append((head, body, 2 * branch + 1))
        if (branch + 1) % 50 and branch + 1 < branches:
            edges += [(head, head + 2, 2 * branch), (body, head + 2, None)]
        statements += [(2 * branch, function, file, line, head), (2 * branch + 1, function, file, line + 1, body)]
    db.executemany("insert into element values (?,?,?,?,?,?,?,?,?)", rows + blocks)
    db.executemany("insert into edge values (?,?,?)", edges)
    db.executemany("insert into statement values (?,?,?,?)", [s[:4] for s in statements])
    db.executemany("insert into statement_block values (?,?)", [(s[0], s[4]) for s in statements])
    likely = [chance.random() ** 6 for _ in range(branches)]
    for number in range(UNITS):
        covered = set()
        for branch in range(branches):
            if chance.random() < likely[branch]:
                covered |= {sides + 2 * branch, 2 * branch}
                if chance.random() < 0.4:
                    covered |= {sides + 2 * branch + 1, 2 * branch + 1}
        db.execute("insert into unit values (?,1,10,?,?,0,1000,0,0,0,0)", (number, bitmap(covered, 2 * sides), b"g"))
    db.commit()
    db.close()
    with open(os.path.join(folder, "run.json"), "w") as file:
        json.dump({"schema": 1, "subcommand": "fuzz", "program": ["/p/many"], "command": ["fathom", "fuzz", "many"], "started": "2026-01-01T00:00:00Z",
                   "ended": "2026-01-01T01:00:00Z", "how_ended": "time budget spent (--max-time)"}, file)


if __name__ == "__main__":
    main()
