# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How good are the probabilities of `fathom psp triage` on libraries? Alarms at planted assertions whose truth is known.

    ./dev bench alarms --planted [--programs libpng,tiff,...] [--draw 400] [--most 80] [--reference 60m] [--max-time 30m] [--snapshots 15s,30s,1m,...]
                       [--scan-time 2m] [--seed N] [--labels FILE.csv] [--results FILE.jsonl] [--summary]
    ./dev bench alarms --planted --program FILE --corpus DIR ...       # a program of your own that reads standard input

For each program, in this order:

    1  --draw assertions are drawn by a seed from its bitcode (scripts/plantedassertions.py), in functions that a seed enters: half of them say again
       what a branch has decided, half of them a changed version of it. Not taken are those that a seed of 3 violates, and those that `fathom scan --assertions`
       proves; of the others the first --most are planted. So all are alarms. What fails does not end the program.
    2  the reference: all seeds, and a campaign from them. A changed assertion that it violates is real. A kept one holds by construction, and so does a changed
       one of which Fathom's solver shows that its failing side cannot be reached (docs/fuzz.md). The others are undecided and left out.
    3  the campaign that is judged: from every fourth seed, with another seed of AFL++, --max-time long, with samples. Its findings decide no truth.
    4  `fathom psp triage` judges the alarms; with --snapshots also as they were after so much fuzzing.

The default times are those of the study, an hour and a half for each program. They are processor time of `fathom fuzz` with all its processes, so that other work on
the machine costs wall time only. Everything has a fixed seed, from --seed and the program's name. An assertion that holds and was violated by any campaign ends the
run: something is wrong then.

FILE.jsonl (build/bench-alarms/planted.jsonl) gets a line for each program; what it has for the same options is not measured again, and a file of another build is
refused. FILE.csv (--labels) gets a line for each alarm whose truth is known, as `./dev bench alarms` writes it, with the form of the assertion as its kind.
--summary measures nothing. `campaign` in the tables is exact: whether any execution took the failing side. Triage knows only the states that were sampled.
"""
import argparse
import glob
import hashlib
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time

import plantedassertions
import plantedbugs
from plantedassertions import FIRST_COLUMN, number_of
from processortime import run_for
from pspsearches import build_id, covered_by, elements_of_units, positive

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.abspath(os.environ.get("FATHOM_BUILD", os.path.join(ROOT, "build")))
FATHOM = os.path.join(BUILD, "bin", "fathom")
FOLDER = os.path.join(BUILD, "bench-alarms")
THETAS = [0.1, 0.5, 0.7]
DURATION = re.compile(r"(\d+)(s|m|h)")
# name: (subject, program, whose seeds of bench/seeds)
PROGRAMS = {
    "cjson": ("cjson", "fuzz-cjson", "json-c"),
    "json-c": ("json-c", "fuzz-json-c", "json-c"),
    "libtasn1": ("libtasn1-6", "fuzz-libtasn1-6", "libtasn1"),
    "libpng": ("libpng1.6", "fuzz-libpng1.6", "libpng"),
    "tiff": ("tiff", "fuzz-tiff", "tiff"),
    "libxml2": ("libxml2", "fuzz-libxml2", "libxml2"),
    "sqlite3": ("sqlite3", "fuzz-sqlite3", "sqlite3"),
}


def fail(text):
    print("bench alarms: " + text, file=sys.stderr)
    sys.exit(2)


def must(command, where):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        fail("%s: %s: exit status %d: %s" % (where, " ".join(command), done.returncode, done.stderr.strip()[-500:]))
    return done.stdout


def seconds(text):
    found = DURATION.fullmatch(text)
    if not found:
        raise argparse.ArgumentTypeError("%s: expected a time such as 30s or 5m" % text)
    return int(found[1]) * {"s": 1, "m": 60, "h": 3600}[found[2]]


def times(text):
    out = [seconds(word) for word in text.split(",") if word]
    if out != sorted(set(out)):
        raise argparse.ArgumentTypeError("%s: expected ascending times" % text)
    return out


def seeds_of(name):
    import importlib.machinery
    import importlib.util
    loader = importlib.machinery.SourceFileLoader("seeds", os.path.join(ROOT, "bench", "seeds"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("seeds", loader))
    loader.exec_module(module)
    return module.seeds_of(name)


def planted_sides(campaign):
    """Of the planted assertions by number: which sides executions of a campaign took, and why the failing one cannot be taken (None: not known)."""
    elements, sides = elements_of_units(), {}
    with sqlite3.connect(os.path.join(campaign, "campaign.db")) as database:
        rows = database.execute('SELECT id, "column", side, unreachable FROM element WHERE kind = \'branch-side\' AND "column" > ?', (FIRST_COLUMN,)).fetchall()
        covered = {e for row in database.execute("SELECT covered, covered_apart FROM unit") for part in row if part for e in elements(part)}
    for element, column, side, why in rows:
        taken, unreachable = sides.setdefault(column - FIRST_COLUMN, (set(), []))
        if element in covered:
            taken.add(side)
        if side == 0 and why:
            unreachable.append(why)
    return {number: (taken, unreachable[0] if unreachable else None) for number, (taken, unreachable) in sides.items()}


class Program:
    def __init__(self, name, options):
        self.name, self.options, self.folder = name, options, os.path.join(FOLDER, name)
        if options.program:
            self.original = os.path.abspath(options.program)
            self.seeds = [open(path, "rb").read() for path in sorted(glob.glob(os.path.join(options.corpus, "*")))]
            self.isOwn = lambda function, file: True
        else:
            subject, program, seeds = PROGRAMS[name]
            done = subprocess.run([os.path.join(ROOT, "scripts", "subject"), subject], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=dict(os.environ, FATHOM_SUBJECT_VARIANTS="fathom"))
            if not done.returncode and name == "cjson":  # its seeds are those of json-c, of which the source is enough
                done = subprocess.run([os.path.join(ROOT, "scripts", "apt-source"), "json-c", os.path.join(BUILD, "subjects", "src", "json-c")], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if done.returncode:
                fail("%s does not build: %s" % (subject, (done.stdout.strip().splitlines() or ["?"])[-1]))
            self.original, self.seeds = os.path.join(BUILD, "subjects", subject, program), seeds_of(seeds)
            self.isOwn = lambda function, file: "/drivers/" not in file and "/runtime/" not in file
        if not os.path.exists(self.original + ".bc"):
            fail("no %s.bc beside it; expected what fathom-cc links" % os.path.basename(self.original))
        if len(self.seeds) < 2:
            fail("%s: expected two seeds or more" % name)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.all = self.write(self.seeds, "all")
        self.some = self.write(self.seeds[::4], "some")
        self.path = os.path.join(self.folder, "planted.bc")

    def write(self, seeds, which):
        folder = os.path.join(self.folder, which)
        os.makedirs(folder)
        for number, data in enumerate(seeds):
            with open(os.path.join(folder, "%03d" % number), "wb") as file:
                file.write(data)
        return folder

    def in_folder(self, name):
        return os.path.join(self.folder, name)

    def say(self, text):
        print("%s: %s" % (self.name, text), file=sys.stderr, flush=True)

    def plant(self):
        """Draws the assertions, and keeps those that are alarms and that no seed violates."""
        text, options = plantedbugs.disassembled(self.original + ".bc"), self.options
        covered, _ = covered_by(self.original, [], self.all, self.in_folder("imported"))
        drawn = plantedassertions.drawn(text, self.isOwn, {c[0] for c in covered}, options.draw, "assertions in %s %d" % (self.name, options.seed))
        if not drawn:
            fail("%s: no branch in it where an assertion could be" % self.name)
        plantedbugs.assembled(plantedassertions.planted(text, drawn), self.path)
        covered_by(self.path, [], self.some, self.in_folder("imported"))
        sides = planted_sides(self.in_folder("imported"))
        violated = {n for n, (taken, _) in sides.items() if 0 in taken}
        self.check({n: a.kind for n, a in enumerate(drawn, 1)}, sides, "a seed")
        begin = time.time()
        verdicts = self.scanned()
        alarms = [n for n in range(1, len(drawn) + 1) if verdicts.get(n) in ("alarm", "definite") and n not in violated]
        self.assertions = [drawn[n - 1] for n in alarms[:options.most]]
        self.counts = {"drawn": {k: sum(a.kind == k for a in drawn) for k in ("kept", "changed")}, "violated_by_seed": len(violated), "scan_seconds": round(time.time() - begin, 1), "scan_partial": self.isPartial,
                       "proved": {k: sum(a.kind == k and n not in violated and verdicts.get(n) not in ("alarm", "definite") for n, a in enumerate(drawn, 1)) for k in ("kept", "changed")},
                       "planted": {k: sum(a.kind == k for a in self.assertions) for k in ("kept", "changed")}}
        self.say("%s" % self.counts)
        if not self.assertions:
            fail("%s: fathom scan --assertions proves all that is left of %d assertions" % (self.name, len(drawn)))
        plantedbugs.assembled(plantedassertions.planted(text, self.assertions), self.path)

    def scanned(self):
        """The verdict about each planted assertion."""
        said = json.loads(must([FATHOM, "scan", "--assertions", self.path, "--max-time", "%ds" % self.options.scan_time, "-q", "--json"], self.name))
        self.isPartial = said["partial"]
        return {number_of(c["what"]): c["verdict"] for c in said["checks"] if c["kind"] == "assertion" and number_of(c["what"])}

    def check(self, kinds, sides, who):
        for number, (taken, why) in sides.items():
            if 0 in taken and (kinds[number] == "kept" or why == "condition"):
                fail("%s: assertion %d holds, and %s violates it" % (self.name, number, who))

    def fuzz(self, corpus, which, limit, more):
        """Fuzzes for so much processor time, and returns what fathom fuzz says."""
        out = self.in_folder(which)
        command = [FATHOM, "fuzz", self.path, "-q", "--json", "-o", out] + more
        if "--resume" not in more:
            command += ["--force", "--corpus", corpus]
            must(command + ["--max-executions", "1"], self.name)  # the variants that it needs are there from then on
        status, said, _, _ = run_for(command, limit, out + ".said", out + ".errors")
        if status not in (0, 130):  # 130: by SIGINT
            fail("%s: the %s ends with status %d: %s" % (self.name, which, status, open(out + ".errors", errors="replace").read().strip()[-300:]))
        return json.loads(said)

    def seed(self, what):
        return str(int(hashlib.sha256(("%s %s %d" % (what, self.name, self.options.seed)).encode()).hexdigest()[:7], 16))

    def truths(self):
        """Of each assertion: (does it fail?, why that is known); (None, ...): not known."""
        self.fuzz(self.all, "reference", self.options.reference, ["--seed", self.seed("reference")])
        sides, out = planted_sides(self.in_folder("reference")), {}
        self.check({n: a.kind for n, a in enumerate(self.assertions, 1)}, sides, "the reference")
        for number, a in enumerate(self.assertions, 1):
            taken, why = sides.get(number, (set(), None))
            if a.kind == "kept":
                out[number] = False, "construction"
            elif 0 in taken:
                out[number] = True, "reference"
            elif why == "condition":
                out[number] = False, "solver"
            else:
                out[number] = None, "reached, never violated" if taken else "never reached"
        return out

    def judged(self):
        """[(seconds of fuzzing, executions, what triage says by number, sides by number, seconds of triage)], of every snapshot; the last is the whole campaign."""
        out, before = [], 0
        for until in [s for s in self.options.snapshots if s < self.options.max_time] + [self.options.max_time]:
            said = self.fuzz(self.some, "campaign", until - before, ["--seed", self.seed("campaign"), "--state-samples=" + self.options.samples] + (["--resume"] if before else []))
            begin = time.time()
            told = json.loads(must([FATHOM, "psp", "triage", self.path, "--campaign", self.in_folder("campaign"), "-o", self.in_folder("pictures"), "--max-time", "%ds" % self.options.scan_time, "--json"], self.name))
            alarms = {number_of(a["what"]): a for a in told["alarms"] if number_of(a["what"])}
            sides = planted_sides(self.in_folder("campaign"))
            self.check({n: a.kind for n, a in enumerate(self.assertions, 1)}, sides, "the campaign")
            out.append((until, said["executions"], alarms, sides, round(time.time() - begin, 1), len(told["alarms"])))
            self.say("after %d s, %d executions: %d of %d alarms have an estimate, %d violated; triage took %.0f s"
                     % (until, said["executions"], sum(bool(a["estimate"]) for a in alarms.values()), len(alarms), sum(0 in taken for taken, _ in sides.values()), out[-1][4]))
            before = until
        return out

    def measure(self):
        self.plant()
        truths = self.truths()
        self.say("reference: %d real, %d hold, %d undecided" % tuple(sum(t[0] is v for t in truths.values()) for v in (True, False, None)))
        rounds, rows = self.judged(), []
        for number, a in enumerate(self.assertions, 1):
            row = {"number": number, "form": a.form, "file": os.path.basename(a.branch.file), "function": a.branch.function, "line": a.branch.line, "side": a.side,
                   "real": truths[number][0], "known_by": truths[number][1], "is_alarm": number in rounds[-1][2], "after": []}
            for _, _, alarms, sides, _, _ in rounds:
                alarm, taken = alarms.get(number), sides.get(number, (set(), None))[0]
                estimate = (alarm or {}).get("estimate") or {}
                row["after"].append({"raw": estimate.get("raw"), "probability": estimate.get("probability"), "seen": bool(estimate.get("seen")), "source": estimate.get("source"),
                                     "contradictions": estimate.get("contradictions", 0), "why_not": (alarm or {}).get("no_estimate"), "reached": bool(taken), "violated": 0 in taken})
            rows.append(row)
        return {"counts": self.counts, "snapshots": [r[0] for r in rounds], "executions": [r[1] for r in rounds], "triage_seconds": [r[4] for r in rounds], "alarms_in_all": rounds[-1][5], "seeds": len(self.seeds), "assertions": rows}


# ---- What comes of it ---------------------------------------------------------------------------------


def judged_rows(programs):
    """(program, assertion) of alarms whose truth is known."""
    return [(p["program"], a) for p in programs for a in p["assertions"] if a["is_alarm"] and a["real"] is not None]


def write_labels(programs, path):
    with open(path, "w") as out:
        out.write("program,line,kind,raw,seen,real\n")
        for program, a in judged_rows(programs):
            now = a["after"][-1]
            out.write("%s,%d,%s,%s,%d,%d\n" % (program, a["line"], a["form"], "" if now["raw"] is None else repr(now["raw"]), now["seen"], a["real"]))


def scores(rows, isReported):
    """true, false, F1, MCC of what is reported."""
    tp = sum(a["real"] and isReported(a) for a in rows)
    fp = sum(not a["real"] and isReported(a) for a in rows)
    fn, tn = sum(a["real"] for a in rows) - tp, sum(not a["real"] for a in rows) - fp
    f1 = 2 * tp / (2 * tp + fp + fn) if tp + fp + fn else 0
    below = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    return tp, fp, f1, (tp * tn - fp * fn) / below ** 0.5 if below else 0


def reported_at(theta, at=-1):
    return lambda a: a["after"][at]["probability"] is not None and a["after"][at]["probability"] >= theta


def summary(programs):
    print("| program | seeds | drawn: kept, changed | violated by a seed | proved | planted: kept, changed | real | hold: construction, solver | undecided: reached, not | no alarm any more | executions | triage, s |")
    print("|---|" + "---:|" * 11)
    for p in programs:
        c, of = p["counts"], p["assertions"]
        known = lambda why: sum(a["known_by"] == why for a in of)
        print("| %s | %d | %d, %d | %d | %d | %d, %d | %d | %d, %d | %d, %d | %d | %d | %.0f |" % (
            p["program"], p["seeds"], c["drawn"]["kept"], c["drawn"]["changed"], c["violated_by_seed"], sum(c["proved"].values()), c["planted"]["kept"], c["planted"]["changed"], known("reference"),
            known("construction"), known("solver"), known("reached, never violated"), known("never reached"), sum(not a["is_alarm"] for a in of), p["executions"][-1], p["triage_seconds"][-1]))
    rows = [a for _, a in judged_rows(programs)]
    reached = [a for a in rows if a["after"][-1]["reached"]]
    print("\n%d alarms of %s, %d real; the campaigns reached %d (%d real) and violated %d; %d have an estimate, %d were seen to fail in a sample; %d states contradict A_f\n" % (
        len(rows), "1 program" if len(programs) == 1 else "%d programs" % len(programs), sum(a["real"] for a in rows), len(reached), sum(a["real"] for a in reached), sum(a["after"][-1]["violated"] for a in rows),
        sum(a["after"][-1]["raw"] is not None for a in rows), sum(a["after"][-1]["seen"] for a in rows), sum(a["after"][-1]["contradictions"] for a in rows)))
    print("| | all: true | false | F1 | MCC | reached: true | false | F1 | MCC |\n|---|" + "---:|" * 8)
    for name, isReported in [("abstract interpreter alone", lambda a: True), ("campaign alone", lambda a: a["after"][-1]["violated"])] + [("theta %g" % t, reported_at(t)) for t in THETAS]:
        print("| %s | " % name + " | ".join("%d | %d | %.3f | %.3f" % scores(of, isReported) for of in (rows, reached)) + " |")
    real = [a for a in reached if a["real"]]
    if real:
        print("\nOf the %d real alarms that the campaigns reached, theta 0.7 reports %d (%.1f %%), the campaigns alone %d (%.1f %%)." % (
            len(real), sum(map(reported_at(0.7), real)), 100 * sum(map(reported_at(0.7), real)) / len(real), sum(a["after"][-1]["violated"] for a in real), 100 * sum(a["after"][-1]["violated"] for a in real) / len(real)))
    convergence(programs)


def convergence(programs):
    """Of programs with the same snapshots: how many verdicts at theta 0.7 are not yet those of the end."""
    for snapshots in sorted({tuple(p["snapshots"]) for p in programs if len(p["snapshots"]) > 1}):
        of = [p for p in programs if tuple(p["snapshots"]) == snapshots]
        rows = [a for _, a in judged_rows(of)]
        print("\n%s: %d alarms\n\n| seconds | executions | with an estimate | reported at 0.7 | not yet the verdict of the end | largest change of a probability since the last line | F1 | MCC |\n|---:|" % (", ".join(p["program"] for p in of), len(rows)) + "---:|" * 7)
        for at, until in enumerate(snapshots):
            value = lambda a, at: a["after"][at]["probability"] or 0
            print("| %d | %s | %d | %d | %d | %s | %.3f | %.3f |" % (
                until, ", ".join(str(p["executions"][at]) for p in of), sum(a["after"][at]["raw"] is not None for a in rows), sum(map(reported_at(0.7, at), rows)),
                sum(reported_at(0.7, at)(a) != reported_at(0.7)(a) for a in rows), "%.2f" % max((abs(value(a, at) - value(a, at - 1)) for a in rows), default=0) if at else "", *scores(rows, reported_at(0.7, at))[2:]))


def read_options(arguments):
    parser = argparse.ArgumentParser(prog="bench alarms --planted", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    parser.add_argument("--programs", default=",".join(PROGRAMS))
    parser.add_argument("--program", default="", metavar="FILE")
    parser.add_argument("--corpus", default="", metavar="DIR")
    parser.add_argument("--draw", type=positive, default=400)
    parser.add_argument("--most", type=positive, default=80)
    parser.add_argument("--reference", type=seconds, default="60m")
    parser.add_argument("--max-time", type=seconds, default="30m")
    parser.add_argument("--snapshots", type=times, default="")
    parser.add_argument("--scan-time", type=seconds, default="2m")
    parser.add_argument("--samples", default="alarms", help="where states are sampled: alarms, or assertions, which is faster")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--labels", default="", metavar="FILE")
    parser.add_argument("--results", default=os.path.join(FOLDER, "planted.jsonl"), metavar="FILE")
    parser.add_argument("--summary", action="store_true")
    options = parser.parse_args(arguments)
    if bool(options.program) != bool(options.corpus):
        parser.error("--program and --corpus belong together")
    if options.program:
        options.names = [os.path.basename(options.program)]
    else:
        options.names = options.programs.split(",")
        for name in options.names:
            if name not in PROGRAMS:
                parser.error("--programs %s: expected some of %s" % (name, " ".join(PROGRAMS)))
    return options


def read_results(path):
    if not os.path.exists(path):
        return []
    with open(path) as file:
        return [json.loads(line) for line in file]


def main(arguments):
    options = read_options(arguments)
    same = {k: getattr(options, k) for k in ("draw", "most", "reference", "max_time", "snapshots", "scan_time", "samples", "seed")}
    programs = read_results(options.results)
    if not options.summary:
        build, commit = build_id()
        os.makedirs(os.path.dirname(os.path.abspath(options.results)), exist_ok=True)
        for name in options.names:
            if any(p["program"] == name and p["options"] == same for p in programs):
                continue
            if any(p["build"] != build for p in programs):
                fail("%s: has programs of another build; expected a new file" % options.results)
            measured = {"program": name, "options": same, "build": build, "commit": commit, **Program(name, options).measure()}
            with open(options.results, "a") as file:
                print(json.dumps(measured), file=file)
            programs.append(measured)
    programs = [p for p in programs if p["program"] in options.names and (options.summary or p["options"] == same)]
    if not programs:
        fail("%s: none of the programs in it" % options.results)
    if options.labels:
        write_labels(programs, options.labels)
    summary(programs)
