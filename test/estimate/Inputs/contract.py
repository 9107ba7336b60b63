#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""contract.py matrix|counts: holds `fathom estimate --json` of the cottontail data (stdin) against the contract of the
command line, and its values against published packages' (six digits)."""
import json
import sys

kind = sys.argv[1]
out = json.load(sys.stdin)
KEYS = "all_elements calibrated constant_share chao2 chao2_bc ichao2 jk1 jk2 ice ice1 zelterman bootstrap chao_bunge unpmle pnpmle".split()
STATUSES = {"ok", "fallback", "below_observed", "variance_unavailable", "not_estimable", "insufficient_units", "capped"}

expected = {"units": 18, "observed": 76, "incidences": 142, "singletons": 43, "doubletons": 16}
for key, value in expected.items():
    assert out[key] == value, (key, out[key])
assert abs(out["sample_coverage"] - 0.7098831521) < 1e-9, out["sample_coverage"]
assert out["stop_rule"]["singletons_le_doubletons"] is False
assert sorted(out["estimators"]) == sorted(KEYS), sorted(out["estimators"])
for key, e in out["estimators"].items():
    assert e["status"] in STATUSES, (key, e["status"])
    assert {"status", "estimate", "raw", "se", "ci"} <= set(e), (key, e)
    if e["ci"] is not None:
        (low90, high90), (low95, high95) = e["ci"]["0.90"], e["ci"]["0.95"]
        assert 76 <= low95 <= low90 <= e["estimate"] <= high90 <= high95, (key, e)

PUBLISHED = {  # value, standard error
    "chao2": (130.5711806, 22.75349587), "chao2_bc": (126.1666667, 20.71756731), "jk1": (116.6111111, 8.886284341),
    "jk2": (141.4477124, 14.8719171), "ice": (133.5945459, 20.79325208), "ice1": (155.1841745, 34.2754181),
    "zelterman": (144.7952405, 30.77248644), "chao_bunge": (212.184949, 124.3452096), "ichao2": (139.9012459, 24.94833435),
}
for key, (value, se) in PUBLISHED.items():
    e = out["estimators"][key]
    assert abs(e["estimate"] / value - 1) < 1e-6 and abs(e["se"] / se - 1) < 1e-6, (key, e)
assert abs(out["estimators"]["unpmle"]["estimate"] - 151.8635165) < 0.01
assert abs(out["estimators"]["pnpmle"]["estimate"] - 150.0083933) < 0.01
bootstrap = out["estimators"]["bootstrap"]
assert abs(bootstrap["estimate"] / 93.65634384 - 1) < 1e-6
if kind == "matrix":
    assert abs(bootstrap["se"] / 7.233911504 - 1) < 1e-6
    assert out["dependence"]["units_with_singleton"] == 13 and "ci_blocks" in out["estimators"]["chao2"]
else:
    assert bootstrap["status"] == "variance_unavailable" and bootstrap["se"] is None and bootstrap["ci"] is None
    assert out["dependence"] is None and out["drift"] is None and out["stop_rule"]["since_unit"] is None
print("contract kept")
