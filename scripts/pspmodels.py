# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of states, compared by what they say of states that they have not seen: [psp23] Sec. VI-E, Table V.

    ./dev bench psp --models [--programs cut,cjson,...] [--sources variables,conditions,...] [--samples 100000] [--points 200] [--executions 40000] [--campaigns 2]
                             [--rounds 4] [--seed 1] [--results FILE] [--table]
    ./dev bench psp --models --program FILE --corpus DIR ...      # a program of your own that reads standard input

The models are those of lib/psp with its defaults: forest + diffusion (what Fathom uses), forest + kernel density, forest, diffusion, and kernel density alone.
A state exists for a model if its probability is above 0.5.

    variables    one variable at one point, for --points of each program, drawn at random: as in the paper. Points are those of `fathom fuzz --state-samples`
    conditions   the two or three variables of a point's condition together: as Fathom asks; a tenth as many points
    characters   characters of strings at one point: variables called *p or s[i] whose values are all bytes
    positions    (i, s[i]), where i was sampled, too: a string as the places of its characters
    words        words of at most eight bytes that a program of coreutils writes for the inputs of the campaigns' queues, as numbers (the last character is the lowest byte)
    patterns     generated ones (lib/psp/Patterns.h), of another seed than those that the forest was trained on; each twice: every value seen 100 times, and once

**Truth.** A state exists if any of --campaigns (each of --executions, with its own seed) saw it; of patterns, if it belongs. That a state was seen shows that it
exists. That none saw it does not show that it does not, except for patterns: a campaign twice as long may have it. The paper does not say what its truth is.
**held out**: the states of all campaigns are cut into four parts by chance, and the models see three; what exists among the questions is of the fourth. A pattern
says itself what was seen. **later**: the models see the first campaign; what exists is what only others saw.
**near**: a seen state is drawn, and then one that was not seen, at most 20 away from it in every variable, which is as far as any of the models looks; truth comes
as it comes. **balanced**: half of the questions are states that exist, near or far, the other half are near ones that do not.
**sparse, dense**: a point is dense if at least half of its seen states have 100 samples within distance 20 (Eq. 3). A second table tells states apart instead.
Points have at least four states; of points with the same states one counts.

Besides the models: constant 0 (it is what `seen or not` says here, since no question is about a seen state), constant 1, the more frequent of the two, and whether
the state lies between the least and the greatest seen value in every variable. Cells: right %, then of states that do not exist those said to, and of states that exist those said not to.
FILE (build/bench-psp/models.json) has all counts, after each source those so far; --table prints it again. Campaigns are kept below build/bench-psp/models; the same build and options take them from there.
"""
import argparse
import collections
import glob
import hashlib
import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import threading

from pspsearches import PROGRAMS, build_id, check_known, check_own_program, positive

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.abspath(os.environ.get("FATHOM_BUILD", os.path.join(ROOT, "build")))
FATHOM = os.path.join(BUILD, "bin", "fathom")
ASKED = os.path.join(BUILD, "bench", "psp-models")
FOLDER = os.path.join(BUILD, "bench-psp", "models")
MODELS = ["forest + diffusion", "forest + density", "forest", "diffusion", "density"]
TRIVIAL = ["constant 0", "constant 1", "between"]
SOURCES = ["variables", "conditions", "characters", "positions", "words", "patterns"]
TARGETS = {"sparse": 99.8, "dense": 99.3}  # of forest and diffusion on programs' variables
REACH = 20   # lib/psp looks no further: k_s, and the radius of heat; kernels end before
FOLDS = 4
LEAST = 4    # states of a point, such that each fold has one


def fail(text):
    print("bench psp: " + text, file=sys.stderr)
    sys.exit(2)


def must(command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)
    if done.returncode not in (0, 1):
        fail("%s: exit status %d: %s" % (" ".join(command), done.returncode, done.stderr.strip()[-500:]))
    return done.stdout


class Unit:
    """What is known of one point: `states` maps those that exist to how often they were seen, `first` those of the first campaign. A pattern says what it `shows`, and where it is known."""

    def __init__(self, source, name, states, first=None, shown=None, bounds=None):
        self.source, self.name, self.states, self.first, self.shown, self.bounds = source, name, states, first, shown, bounds


# ---- Where states come from -------------------------------------------------------------------------------------------------------------------------------

def values_of(blob):
    """The values of a state's bindings (docs/fuzz.md)."""
    found, number, shift = [], 0, 0
    for byte in blob:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            found.append((number >> 1) ^ -(number & 1))
            number = shift = 0
    return tuple(found)


class Program:
    """A program and its campaigns."""

    def __init__(self, name, options):
        self.name, self.isTool = name, False
        if options.program:
            self.path, self.arguments = os.path.abspath(options.program), []
            seeds = [open(path, "rb").read() for path in sorted(glob.glob(os.path.join(options.corpus, "*")))]
        else:
            subject, path, arguments, _, seeds = PROGRAMS[name]
            done = subprocess.run([os.path.join(ROOT, "scripts", "subject"), subject], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=dict(os.environ, FATHOM_SUBJECT_VARIANTS="fathom"))
            if done.returncode:
                fail("%s does not build: %s" % (subject, (done.stdout.strip().splitlines() or ["?"])[-1]))
            self.path, self.arguments, self.isTool = os.path.join(BUILD, "subjects", subject, path), arguments or [], subject == "coreutils"
        self.folder = os.path.join(FOLDER, name)
        self.corpus = os.path.join(self.folder, "corpus")
        with open(self.path + ".bc", "rb") as file:
            self.digest = hashlib.sha256(file.read() + repr((seeds, self.arguments)).encode()).hexdigest()[:12]
        shutil.rmtree(self.corpus, ignore_errors=True)
        os.makedirs(self.corpus)
        for number, data in enumerate(seeds):
            with open(os.path.join(self.corpus, str(number)), "wb") as file:
                file.write(data)

    def campaign(self, seed, executions, build):
        """Its folder, and how many samples found no room in the table. Each is made once."""
        folder = os.path.join(self.folder, "campaign%d" % seed)
        stamp, which = folder + ".json", "%s %s %d" % (build, self.digest, executions)
        if os.path.exists(stamp):
            was = json.load(open(stamp))
            if was["which"] == which:
                return folder, was["states"]
        command = [FATHOM, "fuzz", self.path, "--corpus", self.corpus, "--state-samples", "--max-executions", str(executions), "--test-time", "10s", "--seed", str(seed), "-q", "--json", "--force", "-o", folder]
        states = json.loads(must(command + (["--"] + self.arguments if self.arguments else [])))["states"]
        print("%s, seed %d: %d states at %d points" % (self.name, seed, states["distinct"], states["points"]), file=sys.stderr, flush=True)
        with open(stamp, "w") as file:
            json.dump({"which": which, "states": states}, file)
        return folder, states


def points_of(folder):
    """[(name, condition, variables, {values: count})] of a campaign, in the order of its points; the same for all campaigns on one program."""
    with sqlite3.connect("file:%s?mode=ro" % os.path.join(folder, "campaign.db"), uri=True) as database:
        points = {number: ("%s %s:%d:%d %s" % (function, os.path.basename(file), line, column, kind), condition, names.split("\t"), {})
                  for number, kind, function, file, line, column, condition, names in
                  database.execute("SELECT id, kind, function, file, line, column, condition, variables FROM state_point ORDER BY id")}
        for number, blob, count in database.execute("SELECT point, bindings, count FROM state"):
            values = values_of(blob)
            if len(values) == len(points[number][2]):
                points[number][3][values] = count
    return [points[number] for number in sorted(points)]


def in_condition(condition, names):
    """The columns of the names that a condition has; the i of s[i] is none of its own."""
    found = set()
    for column in sorted(range(len(names)), key=lambda c: -len(names[c])):
        rest = re.sub(r"(?<![\w>.\]])" + re.escape(names[column]) + r"(?![\w\[]|\.\w|->)", " ", condition)
        if rest != condition:
            found.add(column)
        condition = rest
    return tuple(sorted(found))


def projected(states, columns):
    out = collections.Counter()
    for values, count in states.items():
        out[tuple(values[c] for c in columns)] += count
    return out


def choices(condition, names):
    """(source, columns) of the questions that a point gives; whether a variable is a character, its values decide."""
    for column in range(len(names)):
        yield "variables", (column,)
        index = re.search(r"\[(.*)\]$", names[column])
        if index and index[1] in names:
            yield "positions", (names.index(index[1]), column)
    together = in_condition(condition, names)
    if 2 <= len(together) <= 3:
        yield "conditions", together


def is_text(name, states, column):
    return (name.startswith("*") or name.endswith("]")) and all(-128 <= values[column] <= 255 for values in states)


def units_of(program, folders):
    """Of a program: every point's variables; of those with the same states one."""
    campaigns, known = [points_of(folder) for folder in folders], set()
    for number, (name, condition, names, _) in enumerate(campaigns[0]):
        for source, columns in choices(condition, names):
            each = [projected(points[number][3], columns) for points in campaigns]
            states = sum(each, collections.Counter())
            text = is_text(names[columns[-1]], states, len(columns) - 1)
            if source == "positions" and not text:
                continue
            source = "characters" if source == "variables" and text else source
            key = (source, frozenset(states))
            if len(states) < LEAST or key in known:
                continue
            known.add(key)
            yield Unit(source, "%s %s %s" % (program.name, name, ", ".join(names[c] for c in columns)), states, each[0])


def words_of(program, folders):
    """The words that it writes for the inputs of its campaigns, as numbers."""
    counts = collections.Counter()
    for folder in folders:
        for path in sorted(glob.glob(os.path.join(folder, "afl", "main", "queue", "id:*"))):
            with open(path, "rb") as file:
                try:
                    said = subprocess.run([program.path] + program.arguments, stdin=file, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=10).stdout
                except subprocess.TimeoutExpired:
                    continue
            for word in said[:1 << 16].split():
                if len(word) <= 8:
                    counts[(int.from_bytes(word.rjust(8, b"\0"), "big", signed=True),)] += 1
    if len(counts) >= LEAST:
        yield Unit("words", program.name, counts)


def patterns(seed, count):
    """Each as a dense and as a sparse point. Asked is the middle, whose surroundings are known."""
    for number, line in enumerate(must([ASKED, "--patterns", str(seed), str(count)]).splitlines()):
        kind, belongs, seen = line.split()
        states = {(at,): 1 for at, bit in enumerate(belongs) if bit == "1"}
        for times in (1, 100):
            shown = {(at,): times for at, bit in enumerate(seen) if bit == "1"}
            if shown:
                yield Unit("patterns", "%s %d %d" % (kind, number, times), states, shown=shown, bounds=(REACH, len(belongs) - 1 - REACH))


# ---- What is asked ----------------------------------------------------------------------------------------------------------------------------------------

def is_inside(unit, state):
    low, high = unit.bounds or (-1 << 63, (1 << 63) - 1)
    return all(low <= value <= high for value in state)


def near(unit, seen, wanted, count, rng):
    """Up to so many different states near seen ones, as chance has them; `wanted` decides which are taken."""
    places, found = sorted(seen), {}
    for _ in range(6 * count):  # of a small point there are not so many
        if len(found) == count:
            break
        state = tuple(value + int(rng.random() * (2 * REACH + 1)) - REACH for value in places[int(rng.random() * len(places))])
        if state not in seen and is_inside(unit, state) and wanted(state):
            found[state] = None
    return list(found)


class Question:
    """What the models of one point see, and which states they are asked about: {mix: [(state, whether it exists)]}."""

    def __init__(self, unit, how, seen, most, rng):
        self.unit, self.how, self.seen = unit, how, seen
        held = sorted(state for state in unit.states if state not in seen and is_inside(unit, state))
        if unit.bounds:  # the forest is not asked about a pattern of which nothing is in sight
            held = [state for state in held if any(abs(state[0] - s[0]) <= REACH for s in seen)]
        self.mixes = {"near": [(state, state in unit.states) for state in near(unit, seen, lambda s: True, most, rng)]}
        absent = near(unit, seen, lambda s: s not in unit.states, min(most // 2, len(held)), rng)
        self.mixes["balanced"] = [(s, True) for s in rng.sample(held, len(absent))] + [(s, False) for s in absent]

    def states(self):
        return list(dict.fromkeys(state for asked in self.mixes.values() for state, _ in asked))


def questions(unit, most, number, rng):
    """Of one round. `later` does not depend on chance, so it has one round."""
    if unit.shown:
        if not number:
            yield Question(unit, "held out", unit.shown, most, rng)
        return
    order = sorted(unit.states)
    rng.shuffle(order)
    for fold in range(FOLDS if unit.source != "conditions" else 1):  # heat in three variables takes seconds
        held = set(order[fold::FOLDS])
        yield Question(unit, "held out", {s: c for s, c in unit.states.items() if s not in held}, most, rng)
    if unit.first and not number:
        yield Question(unit, "later", dict(unit.first), most, rng)


def answers(asked):
    """For each question the share of dense places, and {state: (is dense, the models' probabilities)}."""
    process = subprocess.Popen([ASKED], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    for question in asked:
        states = question.states()
        if not states:
            continue
        text = ["point %d" % len(states[0])] + ["seen %d %s" % (count, " ".join(map(str, state))) for state, count in question.seen.items()]
        text += ["ask " + " ".join(map(str, state)) for state in states]
        out = exchange(process, "\n".join(text) + "\n", len(states) + 1)
        if len(out) != len(states) + 1 or not out[0].startswith("point "):
            fail("%s does not answer: %s" % (ASKED, out[:1]))
        found = {}
        for state, line in zip(states, out[1:]):
            words = line.split()
            found[state] = words[0] == "1", [float(word) for word in words[1:]]
        yield question, float(out[0].split()[1]), found
    process.stdin.close()
    if process.wait():
        fail("%s: exit status %d" % (ASKED, process.returncode))


def exchange(process, text, lines):
    """Writes and reads side by side, since a pipe holds little."""
    def write():
        try:
            process.stdin.write(text)
            process.stdin.flush()
        except BrokenPipeError:
            pass  # it said why, and its lines are missing

    writer = threading.Thread(target=write)
    writer.start()
    out = []
    for _ in range(lines):
        line = process.stdout.readline()
        if not line:
            break
        out.append(line)
    writer.join()
    return out


# ---- Measuring --------------------------------------------------------------------------------------------------------------------------------------------

def judged(question, state, probabilities):
    """What each model and trivial answer says: one bit for each."""
    says = [p > 0.5 for p in probabilities] + [False, True]
    low, high = question.hull
    says.append(all(a <= value <= b for a, value, b in zip(low, state, high)))
    return sum(1 << at for at, said in enumerate(says) if said)


def ask_all(units, most, number, seed, pools, classes):
    """Adds to pools {(told by, class, how, mix): [(exists, bits, unit)]}, and to classes {class of a point: units}."""
    asked = (q for unit in units for q in questions(unit, most, number, random.Random("%d %s %d" % (seed, unit.name, number))))
    for question, share, found in answers(asked):
        columns = list(zip(*question.seen))
        question.hull = [min(c) for c in columns], [max(c) for c in columns]
        of = "dense" if share >= 0.5 else "sparse"
        classes[of].add(question.unit)
        for mix, states in question.mixes.items():
            for state, exists in states:
                isDense, probabilities = found[state]
                entry = (exists, judged(question, state, probabilities), question.unit)
                pools["point", of, question.how, mix].append(entry)
                pools["state", "dense" if isDense else "sparse", question.how, mix].append(entry)


def rows_of(source, pools, samples, seed, same):
    for (told, of, how, mix), pool in sorted(pools.items()):
        rng = random.Random("%d %s %s %s %s %s" % (seed, source, told, of, how, mix))
        parts, most = [pool], samples
        if mix == "balanced":  # told apart by states, the two halves of a point's questions need not be in one class
            parts = [[entry for entry in pool if entry[0] == exists] for exists in (True, False)]
            most = min(samples // 2, *map(len, parts))
        entries = [entry for part in parts for entry in rng.sample(part, min(most, len(part)))]
        if not entries:
            continue
        counts = {}
        for at, model in enumerate(MODELS + TRIVIAL):
            said = collections.Counter((exists, bool(bits >> at & 1)) for exists, bits, _ in entries)
            counts[model] = {"tp": said[True, True], "fn": said[True, False], "fp": said[False, True], "tn": said[False, False]}
        yield {"source": source, "told": told, "class": of, "how": how, "mix": mix, "samples": len(entries), "points": len({unit for _, _, unit in entries}),
               "exist": sum(exists for exists, _, _ in entries), "counts": counts, **same}


def measure(source, units, options, same):
    """All rows of one source. Rounds with other folds go on while a class has too few samples, with the points of that class."""
    pools, classes = collections.defaultdict(list), {"sparse": set(), "dense": set()}
    each = max(40, options.samples // max(len(units), 1))
    ask_all(units, each, 0, options.seed, pools, classes)
    for number in range(1, options.rounds if source not in ("conditions", "patterns") else 1):
        short = set().union(*(classes[of] for of in classes for mix in ("near", "balanced") if len(pools["point", of, "held out", mix]) < options.samples))
        if not short:
            break
        ask_all([unit for unit in units if unit in short], each, number, options.seed, pools, classes)
    return list(rows_of(source, pools, options.samples, options.seed, same))


# ---- Tables -----------------------------------------------------------------------------------------------------------------------------------------------

def right(c):
    return 100 * (c["tp"] + c["tn"]) / max(sum(c.values()), 1)


def cell(c):
    return "%.1f (%s, %s)" % (right(c), "%.1f" % (100 * c["fp"] / (c["fp"] + c["tn"])) if c["fp"] + c["tn"] else "-", "%.1f" % (100 * c["fn"] / (c["fn"] + c["tp"])) if c["fn"] + c["tp"] else "-")


def verdicts(rows):
    """The paper's figures are those of forest and diffusion on programs' variables, by points."""
    for row in rows:
        if row["source"] != "variables" or row["told"] != "point":
            continue
        now, constant = right(row["counts"][MODELS[0]]), max(right(row["counts"][c]) for c in TRIVIAL[:2])
        target = TARGETS[row["class"]]
        print("%s, %s, %s: %.1f %% of %d, the paper %.1f %%: **%s**%s" % (row["class"], row["how"], row["mix"], now, row["samples"], target, "reached" if now >= target else "missed",
              "" if now > constant else "; no better than a constant (%.1f %%)" % constant))


def print_table(rows, options):
    if not rows:
        fail("%s has no rows" % options.results)
    print("commit %(commit)s, build %(build)s, %(campaigns)d campaigns of %(executions)d executions, %(points_drawn)d points of a program at most, seed %(seed)d: %(programs)s; %(dropped)d samples found no room" % rows[0])
    order = lambda row: (SOURCES.index(row["source"]), row["class"] != "sparse")
    for told, title in (("point", "by points"), ("state", "by states")):
        for how, mix in (("held out", "near"), ("held out", "balanced"), ("later", "near"), ("later", "balanced")):
            chosen = sorted((r for r in rows if (r["told"], r["how"], r["mix"]) == (told, how, mix)), key=order)
            if not chosen:
                continue
            print("\n**%s, %s**, sparse and dense %s:\n" % (how, mix, title))
            print("| states | samples | points | exist | " + " | ".join(MODELS) + " | constant 0, seen or not | constant 1 | majority | between |")
            print("|---|" + "---:|" * (len(MODELS) + 7))
            for r in chosen:
                zero, one = right(r["counts"]["constant 0"]), right(r["counts"]["constant 1"])
                cells = ["%s, %s" % (r["source"], r["class"]), str(r["samples"]), str(r["points"]), "%.1f %%" % (100 * r["exist"] / r["samples"])] + [cell(r["counts"][m]) for m in MODELS]
                print("| " + " | ".join(cells + ["%.1f" % zero, "%.1f" % one, "%.1f" % max(zero, one), cell(r["counts"]["between"])]) + " |")
    print()
    verdicts(sorted(rows, key=order))


# ---- The command ------------------------------------------------------------------------------------------------------------------------------------------

def read_options(arguments):
    parser = argparse.ArgumentParser(prog="bench psp --models", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    parser.add_argument("--programs", default=",".join(PROGRAMS))
    parser.add_argument("--program", default="", metavar="FILE")
    parser.add_argument("--corpus", default="", metavar="DIR")
    parser.add_argument("--sources", default=",".join(SOURCES))
    parser.add_argument("--samples", type=positive, default=100000)
    parser.add_argument("--points", type=positive, default=200)
    parser.add_argument("--executions", type=positive, default=40000)
    parser.add_argument("--campaigns", type=positive, default=2)
    parser.add_argument("--rounds", type=positive, default=4, help="while samples are too few, hold out other parts")
    parser.add_argument("--seed", type=positive, default=1)
    parser.add_argument("--results", default=os.path.join(BUILD, "bench-psp", "models.json"))
    parser.add_argument("--table", action="store_true", help="print the tables of what is there, and measure nothing")
    options = parser.parse_args(arguments)
    check_known("--programs", options.programs, PROGRAMS)
    check_known("--sources", options.sources, SOURCES)
    check_own_program(options)
    return options


def drawn(units, options):
    """At most --points of each source, a tenth of that of conditions."""
    out = []
    for source in SOURCES:
        of = [unit for unit in units if unit.source == source]
        most = max(1, options.points // 10) if source == "conditions" else options.points
        out += random.Random("%d %s" % (options.seed, source)).sample(of, min(most, len(of)))
    return out


def collect(options, binary, sources):
    """The units of all programs, and how many samples their campaigns dropped."""
    units, dropped = [], 0
    if set(sources) <= {"patterns"}:
        return units, dropped
    for name in [os.path.basename(options.program)] if options.program else options.programs.split(","):
        program = Program(name, options)
        folders = []
        for seed in range(options.seed, options.seed + options.campaigns):
            folder, states = program.campaign(seed, options.executions, binary)
            folders.append(folder)
            dropped += states["dropped"]
        units += drawn(list(units_of(program, folders)), options)
        if program.isTool or options.program:
            units += words_of(program, folders)
    return units, dropped


def main(arguments):
    options = read_options(arguments)
    if options.table:
        if not os.path.exists(options.results):
            fail("%s is not there; measure first" % options.results)
        with open(options.results) as file:
            return print_table(json.load(file), options)
    if not os.path.exists(ASKED):
        fail("%s is missing; ./dev build makes it" % ASKED)
    binary, commit = build_id()
    sources = options.sources.split(",")
    units, dropped = collect(options, binary, sources)
    if "patterns" in sources:
        # A pattern gives some thirty questions. The forest that ships was trained with seed 1.
        units += patterns(options.seed + 1000, max(140, options.samples // 25))
    programs = "no programs" if set(sources) <= {"patterns"} else os.path.basename(options.program) or options.programs.replace(",", " ")
    same = {"build": binary, "commit": commit, "campaigns": options.campaigns, "executions": options.executions, "points_drawn": options.points, "seed": options.seed, "programs": programs, "dropped": dropped}
    rows = []
    os.makedirs(os.path.dirname(os.path.abspath(options.results)), exist_ok=True)
    for source in sources:
        mine = [unit for unit in units if unit.source == source]
        rows += measure(source, mine, options, same)
        print("%s: %d points asked" % (source, len(mine)), file=sys.stderr, flush=True)
        with open(options.results, "w") as file:  # after each source: a run that is stopped leaves what it has
            file.write("[\n" + ",\n".join(map(json.dumps, rows)) + "\n]\n")
    print_table(rows, options)
