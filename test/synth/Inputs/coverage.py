#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""coverage.py clang|gcc PROGRAM-DIR TMP: does what compilers measure equal truth.json?

Builds the program with coverage, runs it on all witnesses (PROGRAM-DIR/witnesses), and compares, element by element:
functions, statements (lines) and, with clang, branches, of which the truth and the tool have to list the same.
"""
import glob
import json
import os
import re
import subprocess
import sys

tool, folder, tmp = sys.argv[1], os.path.abspath(sys.argv[2]), os.path.abspath(sys.argv[3])
LLVM = "/usr/lib/llvm-19/bin/"
problems = []


def run(command, **more):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **more).stdout


def wrong(text):
    problems.append(text)


def execute():
    """Runs the program on every witness; profiles land in tmp."""
    inputs = sorted(glob.glob(folder + "/witnesses/*"))
    assert inputs, "no witnesses"
    for i in range(0, len(inputs), 4000):
        env = dict(os.environ, LLVM_PROFILE_FILE="%s/%d.profraw" % (tmp, i))
        status = subprocess.run([tmp + "/program"] + inputs[i:i + 4000], env=env).returncode
        assert status in (0, 1), "the program ended with %d" % status
    accepted = subprocess.run([tmp + "/program"] + sorted(glob.glob(folder + "/seeds/*")),
                              env=dict(os.environ, LLVM_PROFILE_FILE="/dev/null")).returncode
    assert accepted == 0, "a seed is rejected"


def build(cc, flags):
    os.makedirs(tmp, exist_ok=True)
    env = dict(os.environ, CC=cc, CFLAGS=flags, LDFLAGS=flags)
    run([folder + "/build.sh", tmp + "/program"], env=env)


def measure_clang():
    build(LLVM + "clang", "-O0 -g -fprofile-instr-generate -fcoverage-mapping")
    execute()
    run([LLVM + "llvm-profdata", "merge", "-o", tmp + "/all.profdata"] + glob.glob(tmp + "/*.profraw"))
    cov = [LLVM + "llvm-cov", "export", tmp + "/program", "-instr-profile", tmp + "/all.profdata"]
    exported = json.loads(run(cov))["data"][0]
    branches, functions, lines = {}, {}, {}
    for file in exported["files"]:
        name = os.path.basename(file["filename"])
        for b in file["branches"]:
            source = SOURCES.get(name)
            if source is None:
                continue
            text = source[b[0] - 1].strip()
            if text.startswith(("case ", "default:")):
                branches[name, b[0], text.split()[0].strip(":")] = b[4] > 0
            else:
                branches[name, b[0], "true"], branches[name, b[0], "false"] = b[4] > 0, b[5] > 0
    for f in exported["functions"]:
        functions[f["name"]] = f["count"] > 0
    name = None
    for line in run(cov + ["-format=lcov"]).splitlines():
        if line.startswith("SF:"):
            name = os.path.basename(line[3:])
        elif line.startswith("DA:"):
            number, count = line[3:].split(",")[:2]
            lines[name, int(number)] = int(count) > 0
    return functions, lines, branches


def measure_gcc():
    build("gcc", "-O0 -g --coverage")
    execute()
    functions, lines = {}, {}
    for data in glob.glob(tmp + "/program.objects/*.gcda"):
        report = json.loads(run(["gcov", "--json-format", "--stdout", data], cwd=tmp).splitlines()[0])
        for file in report["files"]:
            name = os.path.basename(file["file"])
            for f in file["functions"]:
                functions[f["name"]] = f["execution_count"] > 0
            for line in file["lines"]:
                lines[name, line["line_number"]] = line["count"] > 0
    return functions, lines, None


def expected(kind, key):
    both = {}
    for reachable in (True, False):
        for e in truth[kind]["reachable" if reachable else "unreachable"]:
            assert reachable or e["reason"] in truth["reasons"], e
            assert key(e) not in both, "twice: %s" % (key(e),)
            both[key(e)] = reachable
    return both


def compare(kind, wanted, measured):
    for key, reachable in wanted.items():
        if key not in measured:
            wrong("%s %s: not measured" % (kind, key))
        elif measured[key] != reachable:
            wrong("%s %s: %s, but %s" % (kind, key, "reachable" if reachable else "unreachable",
                                         "covered" if measured[key] else "not covered"))


truth = json.load(open(folder + "/truth.json"))
SOURCES = {os.path.basename(p): open(p).read().split("\n") for p in glob.glob(folder + "/*.[ch]")
           if os.path.basename(p) != "main.c"}
functions, lines, branches = {"clang": measure_clang, "gcc": measure_gcc}[tool]()

wanted = expected("functions", lambda e: e["name"])
compare("function", wanted, functions)
for name in set(functions) - set(wanted) - {"main", "run"}:
    if not name.endswith(":run"):
        wrong("function %s: not in the truth" % name)
statements = expected("statements", lambda e: (e["file"], e["line"]))
compare("statement", statements, lines)
if tool == "gcc":
    # Lines that have code and are no statements: a function's head and braces, labels.
    for (name, number), _ in lines.items():
        if name in SOURCES and (name, number) not in statements:
            text = SOURCES[name][number - 1].strip()
            if not re.fullmatch(r"(_Noreturn )?(int|void) \w+\(.*\) \{|\}|default:|case ('.'|0x[0-9a-f]+):( \{)?", text):
                wrong("line %s:%d has code and is not in the truth: %s" % (name, number, text))
if branches is not None:
    wanted = expected("branches", lambda e: (e["file"], e["line"], e["outcome"]))
    compare("branch", wanted, branches)
    for key in set(branches) - set(wanted):
        wrong("branch %s: not in the truth" % (key,))

# Complexity, counted in the text.
for f in json.load(open(folder + "/grammar.json"))["functions"]:
    text = SOURCES[f["file"]][f["line"] - 1:f["line"] - 1 + f["lines"]]
    count = 1 + sum(len(re.findall(r"\b(if|while) \(|^\s*case ", line)) for line in text)
    if count != f["complexity"]:
        wrong("%s: complexity %d, counted %d" % (f["name"], f["complexity"], count))

for problem in problems[:20]:
    print(problem)
if problems:
    sys.exit("%d differences" % len(problems))
print("coverage equals truth: %d functions, %d statements, %s branches" %
      (len(functions), len(statements), len(branches) if branches is not None else "no"))
