#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Links of the documentation, of comments and of messages.

    test/docs/check-links.py [ROOT]

- Every relative link of a Markdown file leads to a file that is in the repository. If it has an anchor, that file has such a heading.
- Every page `docs/NAME.md` that a source file or a script names is there, with the anchor if one is named.
- Every [key] of a source comment that looks like a reference is in references.bib.
- No page names a folder of the machine that it was written on.
"""
import functools
import os
import re
import subprocess
import sys

ROOT = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)")
PAGE = re.compile(r"(?<![\w/])docs/([\w./-]+\.md)(?:#([\w-]+))?")
SOURCE = re.compile(r"\.(h|cpp|c|def|py|test|sh|txt|cmake)$|^(scripts|bench|test)/[\w/.-]+$")


def slug(heading):
    """The anchor of the first heading with this text."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


@functools.lru_cache(maxsize=None)
def anchors(path):
    """The anchors of a page's headings, as GitHub and CommonMark's renderers make them; a heading that occurs again gets -1, -2, ..."""
    found, seen, fenced = set(), {}, False
    for line in open(path, errors="replace"):
        fenced ^= line.startswith("```")
        heading = re.match(r"#+ +(.*?) *#* *$", line)
        if fenced or not heading:
            continue
        name = slug(heading[1])
        found.add(name + ("-%d" % seen[name] if name in seen else ""))
        seen[name] = seen.get(name, 0) + 1
    return found


def wrong(path, anchor):
    """What is wrong with a link to a file or folder; "" if nothing is."""
    if not path.startswith(ROOT):
        return "leads out of the repository"
    if not os.path.exists(path):
        return "does not exist"
    if anchor and path.endswith(".md") and anchor not in anchors(path):
        return "has no heading #" + anchor
    return ""


def main():
    problems, seen = [], 0
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout.decode().split("\0")
    for name in names:
        path = os.path.join(ROOT, name)
        if not name.endswith(".md") or not os.path.exists(path):
            continue
        for number, line in enumerate(open(path), 1):
            if re.search(r"(?<![\w/])/(home|root|work|Users)/", line):
                problems.append("%s:%d: names a folder of one machine" % (name, number))
            for target, anchor in LINK.findall(line):
                if "://" in target or not target + anchor:
                    continue
                there = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
                why = wrong(there, anchor)
                seen += bool(anchor)
                if why:
                    problems.append("%s:%d: %s %s" % (name, number, target or os.path.basename(path), why))
    for name in names:
        path = os.path.join(ROOT, name)
        if not SOURCE.search(name) or name.endswith(".md") or name.startswith("test/docs/") or not os.path.isfile(path):
            continue  # test/docs has wrong links on purpose
        for number, line in enumerate(open(path, errors="replace"), 1):
            for page, anchor in PAGE.findall(line):
                why = "" if page == "NAME.md" else wrong(os.path.join(ROOT, "docs", page), anchor)
                if why:
                    problems.append("%s:%d: docs/%s %s" % (name, number, page, why))
    keys = set(re.findall(r"^@\w+\{(\w+),", open(os.path.join(ROOT, "docs", "references.bib")).read(), re.M))
    for name in names:
        path = os.path.join(ROOT, name)
        if not re.search(r"\.(h|cpp)$", name) or not os.path.exists(path):
            continue
        for number, line in enumerate(open(path, errors="replace"), 1):
            match = re.search(r"// Source: +\[(\w+)\]", line)
            if match and match[1] not in keys:
                problems.append("%s:%d: [%s] is not in docs/references.bib" % (name, number, match[1]))
    if seen < 100:
        problems.append("not understood: only %d links with an anchor" % seen)
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
