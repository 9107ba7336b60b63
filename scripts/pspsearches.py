# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Searches compared by the planted bugs that they find, and the sides of branches that they cover, in the same processor time.

    ./dev bench psp --searches [--programs cut,cjson,...] [--modes psp,covnew,random-path,pending] [--seconds 60] [--seeds 1,2,3] [--campaign 15] [--planted 12]
                               [--theta 0.9] [--seeded] [--jobs 1] [--time 2h] [--results FILE] [--list] [--table]
    ./dev bench psp --searches --program FILE --corpus DIR --bytes N ...      # a program of your own that reads standard input

Programs: of coreutils cut, uniq, od, base64 and sort, with fixed options, on symbolic standard input; the harnesses of cjson, json-c and libtasn1. Each has
--planted bugs, half of them branch sides that the seeds do not take, half of them one value of what a branch compares (scripts/plantedbugs.py); they are drawn
from the program's bitcode by its name, in functions that do not do the same for all seeds, and none is triggered by a seed. --list prints them. The list is made before anything is searched.

    psp          --search psp --campaign DIR, of a campaign on the program with the bugs (`fathom fuzz --state-samples=branches,paths`)
    covnew       --search covnew
    random-path  --search random-path
    pending      --search pending --branch-checks lazy: every branch side waits unasked until no feasible path is left, as in KLEE-pending

Time is processor time, with everything that a tool starts; after --seconds of it a run is interrupted. psp pays for its campaign: --campaign seconds of fuzzing are
taken from its --seconds. Bugs that the campaign itself finds do not count for psp; they are a column of their own. --seeded gives the seeds to every search as --seeds
(psp has them from its campaign anyway). A run has one worker, and 4 GB.

FILE (build/bench-psp/searches.jsonl) gets a line of JSON for each row as soon as it is there; rows that it has for the same options are not measured again, so the
same command goes on. A file with rows of another build, or of other bugs, is refused. With --jobs 2 two runs go side by side. At the end come the tables (scripts/searchtable.py):
bugs and sides after a quarter, a half and all of the time, medians over seeds; psp against each other search, in pairs of the same program and seed.
"""
import argparse
import concurrent.futures
import glob
import hashlib
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

import plantedbugs
from processortime import run_for
from searchtable import MODES, print_table

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.abspath(os.environ.get("FATHOM_BUILD", os.path.join(ROOT, "build")))
FATHOM = os.path.join(BUILD, "bin", "fathom")
FOLDER = os.path.join(BUILD, "bench-psp", "searches")
OPTIONS = {"psp": ["--search", "psp"], "covnew": ["--search", "covnew"], "random-path": ["--search", "random-path"], "pending": ["--search", "pending", "--branch-checks", "lazy"]}
JSON = [b'{"a":[1,2]}\n', b'[true,"x"]', b"-1.5e3 "]
LINES = [b"a,b,c\nd,e\n\n", b"x y\nx y\nz\n", b"aGVsbG8=\n"]

# name: (subject, program, its arguments, most bytes of input, seeds)
PROGRAMS = {
    "cut": ("coreutils", "src/cut", ["-d", ",", "-f", "2"], 12, LINES),
    "uniq": ("coreutils", "src/uniq", ["-c"], 12, LINES),
    "od": ("coreutils", "src/od", ["-t", "x1z"], 12, LINES),
    "base64": ("coreutils", "src/base64", ["-d"], 12, LINES),
    "sort": ("coreutils", "src/sort", [], 12, LINES),
    "cjson": ("cjson", "fuzz-cjson", None, 12, JSON),
    "json-c": ("json-c", "fuzz-json-c", None, 12, JSON),
    "libtasn1": ("libtasn1-6", "fuzz-libtasn1-6", None, 16, [bytes([4, 3, 97, 98, 99]), bytes([6, 3, 42, 134, 72]), bytes([3, 2, 4, 176]), bytes([12, 2, 104, 105])]),
}


def fail(text):
    print("bench psp: " + text, file=sys.stderr)
    sys.exit(2)


def must(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        fail("%s: exit status %d: %s" % (" ".join(command), done.returncode, done.stderr.strip()[-500:]))
    return done.stdout


def build_id():
    with open(FATHOM, "rb") as file:
        binary = hashlib.sha256(file.read()).hexdigest()[:12]
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short=10", "HEAD"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return binary, commit.stdout.strip()


def covered_by(program, arguments, corpus, out):
    """(function, line, side) that the inputs of a folder take natively, and the bugs that they trigger."""
    said = must([FATHOM, "fuzz", program, "--import", corpus, "--unit", "1000000000execs", "--force", "-q", "--json", "-o", out] + arguments)
    elements, places = elements_of_units(), {}
    with sqlite3.connect(os.path.join(out, "campaign.db")) as database:
        for number, function, line, side in database.execute("SELECT id, function, line, side FROM element WHERE kind = 'branch-side'"):
            places[number] = (function, line, side)
        covered = {e for row in database.execute("SELECT covered, covered_apart FROM unit") for part in row if part for e in elements(part)}
    return {places[e] for e in covered if e in places}, json.loads(said)["bugs"]


def elements_of_units():
    """bench/seeds reads what campaign.db has of a unit."""
    import importlib.machinery
    import importlib.util
    loader = importlib.machinery.SourceFileLoader("seeds", os.path.join(ROOT, "bench", "seeds"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("seeds", loader))
    loader.exec_module(module)
    return module.elements


class Program:
    """A program with planted bugs, and campaigns on it."""

    def __init__(self, name, options):
        self.name, self.lock = name, threading.Lock()
        if options.program:
            original, arguments, self.bytes = os.path.abspath(options.program), [], options.bytes
            seeds = [open(path, "rb").read() for path in sorted(glob.glob(os.path.join(options.corpus, "*")))]
        else:
            subject, path, arguments, self.bytes, seeds = PROGRAMS[name]
            done = subprocess.run([os.path.join(ROOT, "scripts", "subject"), subject], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=dict(os.environ, FATHOM_SUBJECT_VARIANTS="fathom"))
            if done.returncode:
                fail("%s does not build: %s" % (subject, (done.stdout.strip().splitlines() or ["?"])[-1]))
            original = os.path.join(BUILD, "subjects", subject, path)
        self.isHarness, self.isTool = arguments is None, bool(arguments) or name in PROGRAMS and PROGRAMS[name][0] == "coreutils"
        self.arguments = ["--"] + arguments if arguments else []
        self.folder = os.path.join(FOLDER, name)
        self.corpus, self.path = os.path.join(self.folder, "corpus"), os.path.join(self.folder, "planted.bc")
        self.plant(original, seeds, options.planted)

    def isOwn(self, function, file):
        """Of a tool its own source, and not the library of all of them; of a library everything but our harness."""
        return os.path.basename(os.path.dirname(file)) == "src" if self.isTool else "/drivers/" not in file and "/runtime/" not in file

    def plant(self, original, seeds, count):
        """Makes the program with its bugs; the same one is not made twice."""
        with open(original + ".bc", "rb") as file:
            bitcode = file.read()
        which = hashlib.sha256(bitcode + repr((count, seeds, open(plantedbugs.__file__).read())).encode()).hexdigest()
        stamp = os.path.join(self.folder, "planted.json")
        if os.path.exists(stamp):
            was = json.load(open(stamp))
            if was["which"] == which:
                self.bugs, self.digest = was["bugs"], was["digest"]
                return
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.corpus)
        for number, data in enumerate(seeds):
            with open(os.path.join(self.corpus, "%03d" % number), "wb") as file:
                file.write(data)
        text, without, scratch = plantedbugs.disassembled(original + ".bc"), set(), os.path.join(self.folder, "imported")
        covered = []
        for number in range(len(seeds)):
            alone = os.path.join(self.folder, "seed")
            os.makedirs(alone)
            shutil.copy(os.path.join(self.corpus, "%03d" % number), alone)
            covered.append(covered_by(original, self.arguments, alone, scratch)[0])
            shutil.rmtree(alone)
        while True:
            bugs = plantedbugs.chosen(text, self.isOwn, covered, count, "planted in " + self.name, without)
            if not bugs:
                fail("%s: no branch in it where a bug could be" % self.name)
            plantedbugs.assembled(plantedbugs.planted(text, bugs), self.path)
            _, found = covered_by(self.path, self.arguments, self.corpus, scratch)
            triggered, _ = plantedbugs.numbers_of(found)
            if not triggered:
                break
            for number in triggered:
                kind, branch, side, _ = bugs[number - 1]
                without.add((kind, branch.function, branch.line, side))
        shutil.rmtree(scratch, ignore_errors=True)
        self.bugs = [{"number": n, "kind": kind, "function": b.function, "file": os.path.basename(b.file), "line": b.line, "side": side, "value": value} for n, (kind, b, side, value) in enumerate(bugs, 1)]
        self.digest = hashlib.sha256(json.dumps(self.bugs).encode()).hexdigest()[:12]
        with open(stamp, "w") as file:
            json.dump({"which": which, "bugs": self.bugs, "digest": self.digest}, file)

    def input(self):
        return ["--fuzz-size", str(self.bytes)] if self.isHarness else ["--sym-stdin", str(self.bytes)]

    def campaign(self, seed, seconds, build):
        """The folder of a campaign, what it took, and the planted bugs that it found; each is made once."""
        with self.lock:
            folder = os.path.join(self.folder, "campaign%d" % seed)
            stamp, which = folder + ".json", "%s %s %g" % (build, self.digest, seconds)
            if os.path.exists(stamp):
                was = json.load(open(stamp))
                if was["which"] == which:
                    return folder, was["cpu"], was["bugs"]
            command = [FATHOM, "fuzz", self.path, "--corpus", self.corpus, "--state-samples=branches,paths", "--seed", str(seed), "-q", "--json", "--force", "-o", folder]
            must(command + ["--max-executions", "1"] + self.arguments)  # the variants that it needs are there from then on
            status, said, cpu, _ = run_for(command + self.arguments, seconds, folder + ".said", folder + ".errors")
            if status not in (0, 130):  # 130: by SIGINT
                fail("%s: the campaign of seed %d ends with status %d: %s" % (self.name, seed, status, open(folder + ".errors", errors="replace").read().strip()[-300:]))
            bugs = plantedbugs.numbers_of(json.loads(said)["bugs"])[0]
            with open(stamp, "w") as file:
                json.dump({"which": which, "cpu": cpu, "bugs": bugs}, file)
            return folder, cpu, bugs


class Watch:
    """What a run has found, whenever somebody looks: planted bugs, and sides as the engine counts them."""

    def __init__(self, out, before):
        self.out, self.before, self.bugs, self.sides, self.read = out, before, {}, [], set()

    def __call__(self, cpu):
        now = round(self.before + cpu, 2)
        for path in glob.glob(os.path.join(self.out, "bugs", "*", "bug.json")):
            if path not in self.read:
                try:
                    found, _ = plantedbugs.numbers_of([json.load(open(path))])
                except ValueError:
                    continue  # half written
                self.read.add(path)
                for number in found:
                    self.bugs.setdefault(str(number), now)
        try:
            with open(os.path.join(self.out, "stats.csv")) as file:
                rows = file.read().splitlines()
            covered = int(rows[-1].split(",")[rows[0].split(",").index("branches_covered")])
        except (OSError, IndexError, ValueError):
            return
        self.saw(covered, cpu)

    def saw(self, covered, cpu):
        if not self.sides or self.sides[-1][1] != covered:
            self.sides.append([round(self.before + cpu, 2), covered])


def measure(program, mode, seed, options, build):
    with tempfile.TemporaryDirectory() as scratch:
        out, row, before = os.path.join(scratch, "out"), {"load": os.getloadavg()[0]}, 0
        command = [FATHOM, "explore", program.path, *OPTIONS[mode], "--seed", str(seed), "--jobs", "1", "--max-memory", "4G", "--tests", "new", "--check-leaks=0", "-q", "--json", "-o", out]
        command += program.input() + (["--seeds", program.corpus] if options.seeded else [])
        if mode == "psp":
            campaign, before, found = program.campaign(seed, options.campaign, build)
            row.update(campaign_cpu=round(before, 2), campaign_bugs=found)
            if before >= options.seconds:
                return dict(row, failed="the campaign took %.1f s, which is all of the time" % before)
            command += ["--campaign", campaign, "--theta", str(options.theta)]
        watch = Watch(out, before)
        status, said, cpu, wall = run_for(command + program.arguments, options.seconds - before, os.path.join(scratch, "said"), os.path.join(scratch, "errors"), watch=watch)
        if status not in (0, 130):
            with open(os.path.join(scratch, "errors"), errors="replace") as file:
                return dict(row, failed="status %d: %s" % (status, (file.read().strip().splitlines() or ["no message"])[-1][:300]))
        watch(cpu)
        stats = json.loads(said)
        found, others = plantedbugs.numbers_of(stats["bugs"])
        for number in found:
            watch.bugs.setdefault(str(number), round(before + cpu, 2))
        watch.saw(stats["branches_covered"], cpu)
        return dict(row, stop=stats["stop"], cpu=round(before + cpu, 2), wall=round(wall, 2), bugs=watch.bugs, other_bugs=others, sides=watch.sides, total=stats["branches_total"],
                    paths=stats["paths_completed"], queries=stats["queries"], solver=stats["solver_seconds"], instructions=stats["instructions"])


def positive(text):
    if not re.fullmatch(r"[1-9]\d*", text):
        raise argparse.ArgumentTypeError("%s: expected a number from 1 on" % text)
    return int(text)


def check_known(name, values, known):
    for value in values.split(","):
        if value not in known:
            fail("%s %s: expected some of %s" % (name, value, " ".join(known)))


def check_own_program(options):
    """--program and --corpus, if they are given."""
    if options.program and not os.path.exists(options.program + ".bc"):
        fail("--program %s: no %s.bc beside it; expected what fathom-cc links" % (options.program, os.path.basename(options.program)))
    if options.program and not glob.glob(os.path.join(options.corpus, "*")):
        fail("--corpus %s: no seeds in it; --program needs some" % options.corpus)


def read_options(arguments):
    parser = argparse.ArgumentParser(prog="bench psp --searches", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    parser.add_argument("--programs", default=",".join(PROGRAMS))
    parser.add_argument("--program", default="", metavar="FILE")
    parser.add_argument("--corpus", default="", metavar="DIR")
    parser.add_argument("--bytes", type=positive, default=8)
    parser.add_argument("--modes", default=",".join(MODES))
    parser.add_argument("--seconds", type=positive, default=60)
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--campaign", type=float, default=None, metavar="SECONDS", help="a quarter of --seconds")
    parser.add_argument("--planted", type=positive, default=12)
    parser.add_argument("--theta", type=float, default=0.9)
    parser.add_argument("--seeded", action="store_true")
    parser.add_argument("--jobs", type=positive, default=1)
    parser.add_argument("--time", default="")
    parser.add_argument("--results", default=os.path.join(BUILD, "bench-psp", "searches.jsonl"))
    parser.add_argument("--list", action="store_true", help="print the planted bugs, and measure nothing")
    parser.add_argument("--table", action="store_true", help="print the tables of what is there, and measure nothing")
    options = parser.parse_args(arguments)
    check_known("--programs", options.programs, PROGRAMS)
    check_known("--modes", options.modes, MODES)
    for value in options.seeds.split(","):
        if not re.fullmatch(r"[1-9]\d*", value):
            fail("--seeds %s: expected numbers from 1 on" % value)
    options.campaign = options.seconds / 4 if options.campaign is None else options.campaign
    if not 0 < options.campaign < options.seconds:
        fail("--campaign %g: expected less than the %d --seconds, and more than 0" % (options.campaign, options.seconds))
    check_own_program(options)
    found = re.fullmatch(r"(\d+)([smh])|", options.time)
    if not found:
        fail("--time %s: expected a time like 90s, 10m or 2h" % options.time)
    options.limit = int(found[1]) * {"s": 1, "m": 60, "h": 3600}[found[2]] if found[1] else None
    return options


def read_rows(path):
    rows = []
    with open(path) as file:
        for number, text in enumerate(file, 1):
            try:
                rows.append(json.loads(text))
            except ValueError:
                fail("%s:%d: no row of results; a run that was killed may leave half of one: remove the line" % (path, number))
    return rows


def main(arguments):
    options = read_options(arguments)
    rows = read_rows(options.results) if os.path.exists(options.results) else []
    if options.table:
        return print_table(rows)
    names = [os.path.basename(options.program)] if options.program else options.programs.split(",")
    programs = [Program(name, options) for name in names]
    if options.list:
        for program in programs:
            for bug in program.bugs:
                value = "" if bug["value"] is None else ", value %d" % bug["value"]
                print("%s %d: %s in %s at %s:%d, side %d%s" % (program.name, bug["number"], bug["kind"], bug["function"], bug["file"], bug["line"], bug["side"], value))
        return
    binary, commit = build_id()
    same = {"seconds": options.seconds, "campaign": options.campaign, "theta": options.theta, "seeded": options.seeded}
    key = lambda r: (r["program"], r["mode"], r["seed"], *(r[name] for name in same))
    known, modes, missing = {key(r) for r in rows if "failed" not in r}, options.modes.split(","), []
    for seed in map(int, options.seeds.split(",")):
        for at, program in enumerate(programs):
            if any(r["program"] == program.name and r["digest"] != program.digest for r in rows):
                fail("%s has rows of %s with other bugs: take another file" % (options.results, program.name))
            # Each time beginning with another one, so what else the machine does meets all of them.
            first = (at + seed) % len(modes)
            missing += [(program, mode, seed) for mode in modes[first:] + modes[:first] if (program.name, mode, seed, *same.values()) not in known]
    if missing and any(r["build"] != binary for r in rows):
        fail("%s has rows of another build (this one is %s): take another file" % (options.results, binary))
    os.makedirs(os.path.dirname(os.path.abspath(options.results)), exist_ok=True)
    end, lock, left = None if options.limit is None else time.monotonic() + options.limit, threading.Lock(), []

    def one(what):
        program, mode, seed = what
        if end is not None and time.monotonic() >= end:
            left.append(what)
            return
        row = {"program": program.name, "mode": mode, "seed": seed, **same, "planted": len(program.bugs), "digest": program.digest, "build": binary, "commit": commit}
        row.update(measure(program, mode, seed, options, binary))
        with lock:
            rows.append(row)
            with open(options.results, "a") as file:
                file.write(json.dumps(row) + "\n")
            told = row.get("failed") or "%d of %d bugs, %d of %d sides, %.1f s" % (len(row["bugs"]), row["planted"], row["sides"][-1][1], row["total"], row["cpu"])
            print("%s, %s, seed %d: %s" % (program.name, mode, seed, told), file=sys.stderr, flush=True)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(one, missing))
    if left:
        print("%d rows are missing: the same command goes on\n" % len(left), flush=True)
    print_table(rows)
    sys.exit(1 if any("failed" in r for r in rows) else 0)
