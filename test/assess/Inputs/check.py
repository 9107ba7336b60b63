#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds a finished study against its campaigns, and against itself computed another way.

    check.py STUDY FATHOM

    trials      each is there once; its units are numbered 0, 1, ..., complete, and as many as planned
    estimates   what `fathom estimate` says of the same units, at the end and with units joined
    truth       of generated programs, line by line what truth.json says
    figures     bias, imprecision, interval coverage, shifts and overlaps of results.json from the trials' estimates
    plots       are XML, and all there
"""
import glob
import json
import os
import sqlite3
import subprocess
import sys
import xml.etree.ElementTree as xml

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../campaign"))
from check import covered  # noqa: E402

study, fathom = os.path.abspath(sys.argv[1]), sys.argv[2]
plan = json.load(open(study + "/study.json"))
results = json.load(open(study + "/results.json"))
near = lambda a, b: (a is None and b is None) or abs(a - b) <= 1e-9 * max(1, abs(a), abs(b))
compared = 0


def units_of(folder):
    db = sqlite3.connect(folder + "/campaign/campaign.db")
    sides = db.execute("select count(*) from element where kind='branch-side'").fetchone()[0]
    possible = [e for e, in db.execute("select id from element where kind='branch-side' and unreachable is null")]
    rows = db.execute("select number, complete, covered, unknown + fuzzing from unit order by number").fetchall()
    assert [r[0] for r in rows] == list(range(len(rows))), folder
    complete = [r for r in rows if r[1]]
    assert len(complete) >= plan["units"], "%s: %d units" % (folder, len(complete))
    first = complete[:plan["units"]]
    return possible, [{e for e in covered(r[2], 1 << 30) if e < sides} for r in first], sum(r[3] for r in first)


def check_estimates(folder, sides, units, stored):
    """With `fathom estimate`, which reads a matrix that was written here."""
    global compared
    matrix = folder + "/check.csv"
    with open(matrix, "w") as out:
        out.write("element," + ",".join("unit%d" % (i + 1) for i in range(len(units))) + "\n")
        for e in sides:
            out.write("e%d," % e + ",".join("1" if e in u else "0" for u in units) + "\n")
    joined = [(j["unit_size"], j) for j in stored["by_unit_size"] if not j["shuffled"]]
    assert len(units) % max(s for s, _ in joined) == 0, "the check needs units that every size divides"
    for size, mine in [(1, stored["over_time"][-1])] + joined:
        text = subprocess.run([fathom, "estimate", matrix, "--json", "--unit", str(size), "--replicates",
                               str(plan["replicates"]), "--seed", str(plan["seed"])], stdout=subprocess.PIPE, check=True).stdout
        theirs = json.loads(text)
        assert mine["observed"] == theirs["observed"]
        assert sorted(mine["estimators"]) == sorted(theirs["estimators"])
        for key, e in theirs["estimators"].items():
            m = mine["estimators"][key]
            assert m["status"] == e["status"] and near(m["estimate"], e["estimate"]), (key, m, e)
            for level in ("0.90", "0.95"):
                for name in ("ci", "ci_blocks"):
                    a, b = m[name][level], e[name] and e[name].get(level)
                    assert (not a and not b) or (near(a[0], b[0]) and near(a[1], b[1])), (key, name, a, b)
            compared += 1
    os.remove(matrix)


def check_truth(program, folder, trial):
    truth = json.load(open(folder + "/truth.json"))
    reachable = set(json.load(open(folder + "/reachable.json"))["branch_sides"])
    assert len(reachable) == program["reachable"]
    says = {}
    for half in ("reachable", "unreachable"):
        for b in truth["branches"][half]:
            says[b["file"], b["line"], b["outcome"]] = half == "reachable"
    db = sqlite3.connect(trial + "/campaign/campaign.db")
    # Conditions stand alone on their lines; which of the two sides is "true" is the compiler's choice.
    sides, lines = 0, {}
    for element, file, line in db.execute("select id, file, line from element where kind='branch-side'"):
        at = os.path.basename(file), line
        sides += 1
        if at + ("true",) in says: # not a switch, whose sides are at the labels
            lines.setdefault(at, []).append(element in reachable)
    for at, mine in lines.items():
        assert sorted(mine) == sorted(says[at + (outcome,)] for outcome in ("true", "false")), (at, mine)
    assert len(lines) > sides / 4, "%d lines of %d sides compared" % (len(lines), sides)
    assert sides == program["elements"]


def check_accuracy(name, program, trials):
    truth = program["reachable"]
    found = next(p for p in results["programs"] if p["name"] == name)
    for key, over_time in (found["rq1"] or {}).items():
        assert len(over_time) == plan["points"]
        for i, at in enumerate(over_time):
            said = [t["over_time"][i]["estimators"][key] for t in trials]
            biases = [s["estimate"] / truth - 1 for s in said if s["estimate"] is not None]
            assert at["with_value"] == len(biases)
            if not biases:
                continue
            mean = sum(biases) / len(biases)
            assert near(at["mean_bias"], mean), (key, at["mean_bias"], mean)
            if len(biases) > 1:
                assert near(at["imprecision"], sum((b - mean) ** 2 for b in biases) / (len(biases) - 1))
            for kind, stored in (("published", "ci"), ("blocks", "ci_blocks")):
                for level in ("0.90", "0.95"):
                    intervals = [s[stored][level] for s in said if s[stored][level]]
                    share = at["coverage"][kind][level]
                    assert (share["hits"], share["of"]) == (sum(a <= truth <= b for a, b in intervals), len(intervals))


def check_sizes(name, trials):
    found = next(p for p in results["programs"] if p["name"] == name)
    for key, pairs in found["rq2"].items():
        assert len(pairs) == len(plan["unit_sizes"]) * (len(plan["unit_sizes"]) - 1) // 2
        for pair in pairs:
            a, b = pair["unit_sizes"]
            at = lambda t, size: next(j for j in t["by_unit_size"] if j["unit_size"] == size and not j["shuffled"])["estimators"][key]
            both = [(at(t, a), at(t, b)) for t in trials]
            both = [(x, y) for x, y in both if x["estimate"] is not None and y["estimate"] is not None]
            assert pair["trials"] == len(both)
            shifts = [y["estimate"] / x["estimate"] - 1 for x, y in both if x["estimate"]]
            assert near(pair["mean_shift"], sum(shifts) / len(shifts) if shifts else None), (key, pair)
            meet = [(x["ci"]["0.90"], y["ci"]["0.90"]) for x, y in both if x["ci"]["0.90"] and y["ci"]["0.90"]]
            assert pair["overlap"] ["of"] == len(meet)
            assert pair["overlap"]["hits"] == sum(x[0] <= y[1] and y[0] <= x[1] for x, y in meet)


def main():
    executions = 0
    assert len(glob.glob(study + "/trials/*/*/trial.json")) == plan["trials"] * len(plan["programs"])
    names = {"bias.svg", "coverage.svg"} if any(p["reachable"] for p in plan["programs"]) else set()
    for program in plan["programs"]:
        name, trials = program["name"], []
        names |= {name + "-unit-sizes.svg", name + "-accumulation.svg"} | ({name + "-bias.svg"} if program["reachable"] else set())
        for k in range(1, plan["trials"] + 1):
            folder = "%s/trials/%s/%04d" % (study, name, k)
            sides, units, ran = units_of(folder)
            facts, stored = json.load(open(folder + "/trial.json")), json.load(open(folder + "/estimates.json"))
            assert facts["executions"] == ran and facts["beyond_truth"] == 0
            seen, curve = set(), []
            for unit in units:
                seen |= unit
                curve.append(len(seen))
            assert stored["accumulation"] == curve
            check_estimates(folder, sides, units, stored)
            executions += ran
            trials.append(stored)
        if program["reachable"]:
            check_truth(program, study + "/programs/" + name, folder)
        check_accuracy(name, program, trials)
        check_sizes(name, trials)
    assert results["executions"] == executions and not results["contradictions"]
    found = {os.path.basename(f) for f in glob.glob(study + "/plots/*")}
    assert found == names, found ^ names
    for file in found:
        assert xml.parse(study + "/plots/" + file).getroot().tag.endswith("svg")
    print("%d trials, %d estimates agree" % (plan["trials"] * len(plan["programs"]), compared))


main()
