#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The program of [psp23] Fig. 1a from end to end, for several campaign seeds: the alarm is false, so its probability is to be below 0.8.

    triage.py FATHOM PROGRAM CORPUS WORK SEED...
"""
import json
import os
import subprocess
import sys
import xml.etree.ElementTree

fathom, program, corpus, work = sys.argv[1:5]
for seed in sys.argv[5:]:
    out, pictures = os.path.join(work, "seed" + seed), os.path.join(work, "pictures" + seed)
    subprocess.run([fathom, "fuzz", program, "--corpus", corpus, "--state-samples", "--max-executions", "10000", "--max-time", "60s",
                    "--seed", seed, "-o", out, "-q"], check=True)
    triage = json.loads(subprocess.run([fathom, "psp", "triage", program, "--campaign", out, "-o", pictures, "--json"], check=True,
                                       capture_output=True, text=True).stdout)
    assertions = [a for a in triage["alarms"] if a["what"].startswith("assertion")]
    assert len(assertions) == 1, triage
    alarm = assertions[0]
    estimate = alarm["estimate"]
    assert alarm["condition"] == "b[i] <= (((3 * i) * i) + (3 * i))", alarm
    assert 0 < estimate["probability"] < 0.8 and not estimate["seen"], estimate
    assert 0 < estimate["raw"] < 0.8, "the model's own number, which no calibration has lowered: %s" % estimate
    assert estimate["raw"] <= estimate["independent"] + 1e-9 <= estimate["upper"] + 2e-9, estimate
    assert not alarm["reported"], alarm
    assert triage["alarms"][0] is alarm, "those without an estimate come last"
    # The picture has cells, the sampled states and the condition.
    root = xml.etree.ElementTree.parse(os.path.join(pictures, alarm["picture"])).getroot()
    kinds = [e.tag.split("}")[1] for e in root]
    assert kinds.count("rect") > 500 and kinds.count("circle") >= 1 + min(estimate["states"], 4000) and kinds.count("path") == 1, kinds
    print("seed %s: %.4f" % (seed, estimate["probability"]))
print("all below 0.8")
