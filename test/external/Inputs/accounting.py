# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""accounting.py FATHOM PROGRAM OUT [OPTIONS]: explores in two parts, and checks the counts of external functions and of the fuzz solver."""
import json
import shutil
import subprocess
import sys

fathom, program, out = sys.argv[1:4]
shutil.rmtree(out, ignore_errors=True)
command = [fathom, "explore", program, "-o", out, "--solver-timeout", "60s", "--external", "defer-strict",
           "--external-functions", "strcmp,strchr"] + sys.argv[4:]


def run(*more):
    text = subprocess.run(command + list(more), stdout=subprocess.PIPE, timeout=100, check=True).stdout.decode()
    return text, json.load(open(out + "/stats.json"))


_, first = run("--max-forks", "6")
text, stats = run("--resume")
stages = {s["name"]: s for s in stats["solver_stages"]}
fuzz = stats["fuzz_solver"]
as_said = {"queries": stages["fuzz"]["asked"] + stages["predictor"]["unknown"], "solved": stages["fuzz"]["sat"], "refuted": stages["fuzz"]["unsat"],
           "refuted_candidates": fuzz["refuted_candidates"],
           "predicted_unsat": stages["predictor"]["unknown"], "evaluations": stages["fuzz"]["evaluations"], "seconds": stages["fuzz"]["seconds"]}
print("fuzz_solver: %s" % ("as the stages say" if fuzz == as_said else "is %s, expected %s" % (fuzz, as_said)))
print("fuzz_solver: %s" % ("some asked, some solved" if 0 < fuzz["solved"] <= fuzz["queries"] and fuzz["evaluations"] else fuzz))
external = stats["external"]
print("external: %s" % ("some deferred, some opened" if external["deferred_calls"] and 0 < external["opened_states"] <= stats["states"] else external))
smaller = ["%s.%s" % (part, name) for part in ("external", "fuzz_solver") for name, n in first[part].items() if stats[part][name] < n]
if not first["external"]["deferred_calls"]:
    smaller.append("the first part deferred nothing")
print("resumed: %s" % (", ".join(smaller) or "none of the counts is smaller"))
print(text)
