#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program with marked bugs: exactly those are found, they are real, and the fixed twin has none.

    test/check-bugs.py SOURCE TMP [--sanitize address,undefined | memory | none] [--replay] [--cc OPTION]... [-- OPTIONS OF EXPLORE]

A line that a bug is to be reported at carries a comment `BUG kind` (or `BUG kind, kind`). The same source compiled with
-DFIXED is the twin. The program reads its input from standard input (--sym-stdin 4 unless the options say otherwise) and ends by itself.

Checked
  1. the bugs that `explore --json` reports are the marked ones: kind, CWE, file, line, function;
  2. each one's input makes clang's sanitizers complain about the same thing: a third opinion that knows nothing of us;
  3. on the inputs of all other tests the sanitizers are silent, but for places already reported: what we call fine is fine; a test
     that is said to end in a known bug shows that bug;
  4. the twin: no bug, and silence on all its tests;
  5. every exploration was exhaustive with an empty ledger, so that "none" means none;
  6. with --replay: bugs/N/replay.sh ends the native program by a signal.
"""
import argparse
import glob
import json
import os
import re
import shutil
import subprocess
import sys

from script import ASSUMPTIONS, BIN, EXPLORE, ROOT, test_folders

# Kind: CWE as the documentation has it (written down again here: a table compared with itself proves nothing), and what a
# sanitizer says.
KINDS = {
    "out-of-bounds-read": (125, r"(buffer-overflow|buffer-underflow|SEGV|container-overflow|out of bounds|global-buffer|insufficient space)"),
    "out-of-bounds-write": (787, r"(buffer-overflow|buffer-underflow|SEGV|negative-size-param|out of bounds|insufficient space)"),
    "use-after-free": (416, r"(heap-use-after-free|stack-use-after-return|stack-use-after-scope)"),
    "double-free": (415, r"double-free"),
    "invalid-free": (763, r"(bad-free|attempting free on address which was not malloc|SEGV)"),
    "null-dereference": (476, r"(SEGV|null pointer)"),
    "division-by-zero": (369, r"division by zero"),
    "overshift": (1335, r"shift exponent|shift amount"),
    "assertion": (617, r"(Assertion|assert)"),
    "abort": (617, r"ABRT"),
    "unreachable": (561, r"(unreachable program point|execution reached|program reached)"),
    "signed-overflow": (190, r"(signed integer overflow|cannot be represented)"),
    "uninitialized-read": (457, r"use-of-uninitialized-value"),
    "stack-overflow": (674, r"stack-overflow"),
    "leak": (401, r"(LeakSanitizer|leaked)"),
    "uncaught-exception": (248, r"(terminate called|terminating)"),
    "pure-virtual-call": (758, r"pure virtual"),
    "library-check": (628, r"(buffer-overflow|container-overflow|assertion)"),
    "mismatched-free": (762, r"(alloc-dealloc-mismatch|not malloc)"),
    "bad-call": (628, r"(SEGV|incorrect function type|call to function|through pointer to|memcpy-param-overlap)"),
}


class Failure(Exception):
    pass


def plain(function):
    """Shape::init() is init."""
    return function.split("(")[0].split("::")[-1]


def compiler(source, c, cxx):
    return cxx if source.endswith(".cpp") else c


def marked(source):
    """{(kind, line)}"""
    out = set()
    for number, line in enumerate(open(source), 1):
        match = re.search(r"(?://|/\*) BUG ([a-z, -]+)", line)
        if match:
            for kind in re.split(r",\s*", match[1].strip()):
                if kind.strip() not in KINDS:
                    raise Failure("%s:%d: no such kind: %s" % (source, number, kind))
                out.add((kind.strip(), number))
    return out


def function_at(source, line):
    """The function whose body holds the line: a definition starts in column 0 and ends in `}` in column 0."""
    name = None
    for number, text in enumerate(open(source), 1):
        match = re.match(r"[a-zA-Z_].*?\**\b(\w+)\([^;]*\{", text)
        if match:
            name = match[1]
        if number == line:
            return name
    return None


def run(command, **more):
    more.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)


def explore(binary, out, options):
    done = run(EXPLORE + [binary, "-o", out, "--force", "--json"] + options, timeout=150)
    if done.returncode != 0:
        raise Failure("explore ended with status %d: %s" % (done.returncode, done.stderr.decode(errors="replace")))
    summary = json.loads(done.stdout)
    ledger = json.load(open(os.path.join(out, "ledger.json")))
    if summary["stop"] != "exhausted":
        raise Failure("explore stopped early: %s" % summary["stop"])
    return summary, [e for e in ledger["entries"] if e["category"] not in ASSUMPTIONS]


class Native:
    """The program with sanitizers, from the host's clang and libc."""

    def __init__(self, source, tmp, sanitize, cc, defines):
        self.binary = None
        if sanitize == "none":
            return
        self.binary = tmp + ".sanitized" + ("-fixed" if defines else "")
        flags = ["-fsanitize=" + sanitize, "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"]
        if "undefined" in sanitize:
            flags.append("-fno-sanitize=null,alignment,pointer-overflow" if "address" in sanitize else "-fno-sanitize=alignment")
        done = run([compiler(source, "clang-19", "clang++-19"), "-g", "-O0", "-w", "-I" + os.path.join(ROOT, "runtime", "include")] + flags + defines + cc + [source, "-o", self.binary, "-lm"])
        if done.returncode != 0:
            raise Failure("clang: " + done.stderr.decode())

    def run(self, folder):
        arguments = json.load(open(os.path.join(folder, "args.json")))["args_hex"][1:]
        work = self.binary + ".work"
        shutil.rmtree(work, ignore_errors=True)
        os.mkdir(work)
        for name in glob.glob(os.path.join(folder, "files", "*")):
            shutil.copy(name, work)
        env = {"ASAN_SYMBOLIZER_PATH": "/usr/bin/llvm-symbolizer-19", "MSAN_SYMBOLIZER_PATH": "/usr/bin/llvm-symbolizer-19", "ASAN_OPTIONS": "detect_stack_use_after_return=1:handle_abort=1:detect_leaks=1:allocator_may_return_null=1",
               "UBSAN_OPTIONS": "print_stacktrace=0:handle_abort=1", "MSAN_OPTIONS": "handle_abort=1"}
        done = run([self.binary.encode()] + [bytes.fromhex(a) for a in arguments], stdin=open(os.path.join(folder, "stdin"), "rb"), env=env, timeout=60, cwd=work)
        return done.returncode, done.stderr.decode(errors="replace")


COMPLAINT = re.compile(r"(ERROR: \w+Sanitizer|WARNING: MemorySanitizer|runtime error:|Assertion)")


def silent_on_tests(native, out, problems, what, source, known):
    if not native.binary:
        return
    for folder in test_folders(out):
        status, said = native.run(folder)
        end = json.load(open(os.path.join(folder, "exit.json")))
        if end["end"] == "bug":
            kind = json.load(open(os.path.join(out, end["bug"], "bug.json")))["kind"]
            if not re.search(KINDS[kind][1], said):
                problems.append("%s: %s is said to end in %s, a %s, which its input does not show to the sanitizers (status %d):\n%s" %
                                (what, os.path.relpath(folder, out), end["bug"], kind, status, "\n".join(said.splitlines()[:8])))
            continue
        # Bugs are reported once per call stack, and paths go on behind some of them (an overflow, a leak).
        places = {int(line) for line in re.findall(re.escape(os.path.basename(source)) + r":(\d+)", said)}
        if COMPLAINT.search(said) and not places & known:
            stdin = open(os.path.join(folder, "stdin"), "rb").read()
            problems.append("%s: %s is called fine, but on its input %r a sanitizer says:\n%s" %
                            (what, os.path.relpath(folder, out), stdin, "\n".join(said.splitlines()[:6])))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("source")
    parser.add_argument("tmp")
    parser.add_argument("--sanitize", default="address,undefined")
    parser.add_argument("--replay", action="store_true")
    parser.add_argument("--cc", action="append", default=[])
    parser.add_argument("--no-twin", action="store_true", help="the program has no fixed form")
    parser.add_argument("--ledger", action="store_true", help="ledger entries are expected")
    if "--" in sys.argv:
        at = sys.argv.index("--")
        options, more = parser.parse_args(sys.argv[1:at]), sys.argv[at + 1:]
    else:
        options, more = parser.parse_args(), []
    if not any(o.startswith("--sym-") for o in more):
        more = ["--sym-stdin", "4"] + more
    problems = []
    source = os.path.abspath(options.source)
    for twin in [False] if options.no_twin else [False, True]:
        defines = ["-DFIXED"] if twin else []
        binary = options.tmp + (".fixed" if twin else ".program")
        out = options.tmp + (".fixed-out" if twin else ".out")
        done = run([os.path.join(BIN, compiler(source, "fathom-cc", "fathom-c++")), "-g", "-w", source, "-o", binary] + defines + options.cc)
        if done.returncode != 0:
            raise Failure("fathom-cc: " + done.stderr.decode())
        summary, ledger = explore(binary, out, more)
        if ledger and not options.ledger:
            problems.append("ledger: " + "; ".join("%(category)s %(location)s %(detail)s" % e for e in ledger))
        native = Native(source, options.tmp, options.sanitize, options.cc, defines)
        found = set()
        for bug in summary["bugs"]:
            found.add((bug["kind"], bug["line"]))
            where = "%(kind)s at %(file)s:%(line)s in %(function)s (%(message)s)" % bug
            if bug["kind"] not in KINDS or bug["cwe"] != KINDS[bug["kind"]][0]:
                problems.append("%s: wrong CWE %s" % (where, bug["cwe"]))
            if os.path.basename(bug["file"]) != os.path.basename(source):
                problems.append("%s: not in %s" % (where, source))
            elif plain(bug["function"]) != function_at(source, bug["line"]):
                problems.append("%s: that line is in %s" % (where, function_at(source, bug["line"])))
            if twin:
                problems.append("false alarm in the fixed twin: " + where)
                continue
            folder = os.path.join(out, bug["dir"])
            if native.binary and bug["kind"] in KINDS:
                status, said = native.run(folder)
                if not re.search(KINDS[bug["kind"]][1], said):
                    stdin = open(os.path.join(folder, "stdin"), "rb").read()
                    problems.append("%s: its input %r does not show it to the sanitizers (status %d):\n%s" %
                                    (where, stdin, status, "\n".join(said.splitlines()[:8])))
            if options.replay:
                done = run(["sh", os.path.join(folder, "replay.sh")])
                if done.returncode < 128:
                    problems.append("%s: replay.sh ended with status %d, expected death by a signal\n%s" % (where, done.returncode, done.stderr.decode(errors="replace")[-300:]))
        if not twin:
            expected = marked(source)
            if not expected:
                problems.append("no line is marked with BUG")
            for kind, line in sorted(expected - found):
                problems.append("missed: %s at line %d" % (kind, line))
            for kind, line in sorted(found - expected):
                problems.append("false alarm: %s at line %d: %s" % (kind, line, [b["message"] for b in summary["bugs"] if b["line"] == line and b["kind"] == kind][0]))
        known = set() if twin else {line for _, line in found}
        silent_on_tests(native, out, problems, "twin" if twin else "program", source, known)
        if twin and not test_folders(out):
            problems.append("twin: no test was written")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        print(failure)
        sys.exit(1)
