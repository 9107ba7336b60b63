# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check-sarif.py FILE [--no-lines] [--verdicts]: is it SARIF 2.1.0, as far as we use it?

The schema below says of every member that we write what the standard (OASIS, SARIF 2.1.0, section 3) says of it: type, allowed values, and which
members an object must have. A member that the schema does not name is an error, so a new one has to be looked up and added here. --no-lines: the program had
no debug lines, so results have no regions. --verdicts: of fathom confirm, with results of other analysers: every result has a verdict, and what goes with it.
"""
import json
import re
import sys

text, integer, flag = ("string",), ("integer",), ("boolean",)


def obj(required, **members):
    return ("object", members, required.split())


def one_of(*values):
    return ("enum", values)


message = obj("text", text=text)
region = obj("startLine", startLine=integer, startColumn=integer, endLine=integer, endColumn=integer)
artifact_location = obj("", uri=("uri",), uriBaseId=text, index=integer)
location = obj("", id=integer, message=message,
               physicalLocation=obj("artifactLocation", artifactLocation=artifact_location, region=region),
               logicalLocations=("array", obj("name", name=text, kind=text)))
# Section 3.38.8.
place_kind = one_of("acquire", "release", "enter", "exit", "call", "return", "branch", "implicit", "false", "true", "caution", "danger", "unknown", "unreachable",
                    "taint", "function", "handler", "lock", "memory", "resource", "scope", "value")
flow = obj("locations", locations=("array", obj("location", location=location, executionOrder=integer, kinds=("array", place_kind),
                                                 importance=one_of("important", "essential", "unimportant"), properties=("bag",))))
result = obj("message", ruleId=text, ruleIndex=integer, level=one_of("none", "note", "warning", "error"), message=message,
             locations=("array", location), relatedLocations=("array", location),
             codeFlows=("array", obj("threadFlows", threadFlows=("array", flow), message=message)), kind=text,
             suppressions=("array", obj("kind", kind=one_of("inSource", "external"), justification=text)),
             partialFingerprints=("strings",), baselineState=one_of("new", "unchanged", "updated", "absent"), properties=("bag",))
rule = obj("id", id=text, name=text, shortDescription=message, fullDescription=message, helpUri=("uri",), properties=("bag",),
           defaultConfiguration=obj("", enabled=flag, level=one_of("none", "note", "warning", "error"), rank=("number",)))
notification = obj("message", level=one_of("none", "note", "warning", "error"), message=message)
artifact = obj("", location=artifact_location, length=integer, mimeType=text, roles=("array", text))
run = obj("tool", properties=("bag",), artifacts=("array", artifact), originalUriBaseIds=("dictionary", artifact_location), columnKind=one_of("utf16CodeUnits", "unicodeCodePoints"), results=("array", result),
          tool=obj("driver", driver=obj("name", name=text, fullName=text, language=text, version=text, informationUri=("uri",), semanticVersion=text, rules=("array", rule))),
          invocations=("array", obj("executionSuccessful", executionSuccessful=flag, toolExecutionNotifications=("array", notification))))
log = obj("version runs", version=one_of("2.1.0"), runs=("array", run), **{"$schema": ("uri",)})


def check(value, schema, at):
    kind = schema[0]

    def need(condition, what):
        if not condition:
            sys.exit("%s: %s, not %r" % (at, what, value))
    if kind == "object":
        need(isinstance(value, dict), "an object is expected")
        for name in schema[2]:
            need(name in value, "member %s is missing" % name)
        for name, member in value.items():
            need(name in schema[1], "member %s is not in the schema" % name)
            check(member, schema[1][name], "%s.%s" % (at, name))
    elif kind == "array":
        need(isinstance(value, list), "an array is expected")
        for i, element in enumerate(value):
            check(element, schema[1], "%s[%d]" % (at, i))
    elif kind == "enum":
        need(value in schema[1], "one of %s is expected" % (schema[1],))
    elif kind == "integer":
        need(isinstance(value, int) and not isinstance(value, bool) and value >= 0, "a number is expected")
    elif kind == "boolean":
        need(isinstance(value, bool), "true or false is expected")
    elif kind == "uri":
        need(isinstance(value, str) and re.fullmatch(r"[A-Za-z0-9/:_.~+%#?=&-]+", value), "a URI is expected")
    elif kind == "number":
        need(isinstance(value, (int, float)) and not isinstance(value, bool), "a number is expected")
    elif kind == "dictionary":
        need(isinstance(value, dict), "an object is expected")
        for name, member in value.items():
            check(member, schema[1], "%s.%s" % (at, name))
    elif kind == "strings":
        need(isinstance(value, dict) and all(isinstance(v, str) for v in value.values()), "strings are expected")
    elif kind == "bag":
        need(isinstance(value, dict), "an object is expected")
    else:
        need(isinstance(value, str), "a string is expected")


def check_verdict(result):
    """What docs/confirm.md says of a result with a verdict."""
    properties = result["properties"]
    verdict = properties["verdict"]
    if verdict not in ("confirmed", "refuted", "open") or not properties["reason"]:
        sys.exit("no verdict or reason: %r" % properties)
    if ("openBecause" in properties) != (verdict == "open") or (verdict == "refuted" and not result["suppressions"]):
        sys.exit("verdict %s: %r" % (verdict, result))
    if verdict == "confirmed" and not result["codeFlows"][-1]["threadFlows"][0]["locations"]:
        sys.exit("confirmed without a path")
    return verdict


document = json.load(open(sys.argv[1]))
check(document, log, "$")
for r in document["runs"]:
    rules = r["tool"]["driver"].get("rules", [])
    prints = [tuple(x["partialFingerprints"].items()) for x in r["results"]]
    if len(set(prints)) != len(prints):
        sys.exit("two results have one fingerprint")
    for x in r["results"]:
        if "ruleIndex" in x and rules[x["ruleIndex"]]["id"] != x["ruleId"]:
            sys.exit("ruleIndex %d is not %s" % (x["ruleIndex"], x["ruleId"]))
        if "--verdicts" in sys.argv:
            continue
        if x.get("baselineState") != "absent" and (not x["codeFlows"] or "--no-lines" not in sys.argv and x["locations"][0]["physicalLocation"]["region"]["startLine"] < 1):
            sys.exit("a result without a place or a code flow")
    states, verdicts = {}, {}
    for x in r["results"]:
        states[x.get("baselineState", "none")] = states.get(x.get("baselineState", "none"), 0) + 1
        if "--verdicts" in sys.argv:
            verdict = check_verdict(x)
            verdicts[verdict] = verdicts.get(verdict, 0) + 1
    print("%d results, %s%s" % (len(r["results"]), ", ".join("%s %d" % s for s in sorted(states.items())),
                                "; " + ", ".join("%d %s" % (n, v) for v, n in sorted(verdicts.items())) if verdicts else ""))
