#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The recipes of examples/ci do what docs/ci.md says.

    test/ci/run-recipe.py github|gitlab TMP

Runs the shell commands of the recipe, as they stand in it, on a small project: on the main branch, on a change that adds nothing, on one that adds a bug, and
twice on the main branch with that change. What the service does is done here: it sets the variables, restores the cache, and passes over steps that are for another branch. FATHOM_OPTIONS alone is
replaced: the runs end by what they find, and their time is a backstop.
"""
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
KEPT = ("fathom-last", "fathom-before", "fathom-run", "fathom-cache")
FORBIDDEN = re.compile(r"\$\{\{|<<:|&\w|\*\w")  # what no shell would understand


def lines_of(name):
    """Each line that is no comment: how far it is indented, and its text."""
    for line in open(os.path.join(ROOT, "examples", "ci", name)):
        if line.strip() and not line.lstrip().startswith("#"):
            yield len(line) - len(line.lstrip()), line.rstrip("\n")


def block(lines, at, indent):
    """The lines behind `at` that are indented more, without that."""
    out = []
    while at + 1 < len(lines) and lines[at + 1][0] > indent:
        at += 1
        out.append(lines[at][1])
    least = min(len(line) - len(line.lstrip()) for line in out)
    return [line[least:] for line in out]


def value(lines, at):
    """What follows `key:` or `- `: text on the line, or the block behind `|`."""
    indent, line = lines[at]
    text = re.match(r"\s*(?:- )?(?:\w+:)?\s*(.*)", line).group(1)
    return "\n".join(block(lines, at, indent)) if text == "|" else text


def mapping(lines, key):
    at = next(i for i, (_, line) in enumerate(lines) if line.strip() == key + ":")
    return dict(line.split(": ", 1) for line in block(lines, at, lines[at][0]))


def github():
    """(variables, [(condition, commands)]) of the steps that have commands."""
    lines = list(lines_of("github-actions.yml"))
    starts = [i for i, (_, line) in enumerate(lines) if line.strip().startswith("- name:")] + [len(lines)]
    steps = []
    for first, end in zip(starts, starts[1:]):
        condition, commands = "", None
        for i in range(first, end):
            text = lines[i][1].strip()
            if text.startswith("if:"):
                condition = text[3:].strip()
            if text.startswith("run:"):
                commands = value(lines, i)
        if commands is not None:
            steps.append((condition, commands))
    return mapping(lines, "env"), steps


def gitlab():
    """The same: scripts of the template, and of the job for the main branch alone."""
    lines = list(lines_of("gitlab-ci.yml"))
    scripts = {}
    for i, (indent, line) in enumerate(lines):
        key = line.strip().rstrip(":")
        if key not in ("before_script", "script", "after_script"):
            continue
        items, at = [], i
        while at + 1 < len(lines) and lines[at + 1][0] > indent:
            at += 1
            if lines[at][0] == lines[i + 1][0]:
                items.append(value(lines, at))
        scripts[key] = "\n".join(items)
    main = "github.ref == 'refs/heads/main'"
    steps = [("", scripts["before_script"] + "\n" + scripts["script"]), ("always() && " + main, scripts["after_script"])]
    return mapping(lines, "variables"), steps


def copy_kept(source, to):
    for name in KEPT:
        path = os.path.join(source, name)
        if os.path.isdir(path):
            shutil.copytree(path, os.path.join(to, name))
        elif os.path.exists(path):
            shutil.copy(path, to)


def job(recipe, source, cache, folder, options, branch, number):
    """Runs one job in a fresh checkout; its status. Main keeps its results in `cache`. `number`: of the run, the same where it is started again."""
    variables, steps = recipe
    shutil.copytree(source, folder)
    copy_kept(cache, folder)
    more = folder + ".env"  # what a step of GitHub sets for the next ones
    open(more, "w").close()
    env = dict(os.environ, GITHUB_ENV=more, GITHUB_RUN_ID=str(number))
    for key, text in variables.items():
        env[key] = text.replace("$CI_PROJECT_DIR", folder)
    env["FATHOM_OPTIONS"] = options
    status = 0
    for condition, commands in steps:
        assert not FORBIDDEN.search(commands), commands
        if "refs/heads/main" in condition and branch != "main":
            continue
        if status and "always()" not in condition:
            continue
        done = subprocess.run(["sh", "-e", "-c", commands], cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        print("--- %s, %s: status %d\n%s\n%s" % (os.path.basename(folder), condition or "a step", done.returncode, commands, done.stdout))
        status = status or done.returncode
        env.update(line.rstrip("\n").split("=", 1) for line in open(more))
    assert env["FATHOM_CACHE"] == os.path.join(folder, "fathom-cache"), env["FATHOM_CACHE"]
    if branch == "main" and os.path.exists(os.path.join(folder, "fathom-last")):
        shutil.rmtree(cache)
        os.makedirs(cache)
        copy_kept(folder, cache)
    return status


def main():
    which, tmp = sys.argv[1:]
    tmp = os.path.abspath(tmp)
    shutil.rmtree(tmp, ignore_errors=True)
    recipe = {"github": github, "gitlab": gitlab}[which]()
    assert recipe[0]["PROGRAM"] == "parser" and "--max-time" in recipe[0]["FATHOM_OPTIONS"], recipe[0]
    cache = os.path.join(tmp, "cache")
    os.makedirs(cache)
    sources = {}
    for name in ("same", "worse"):
        sources[name] = os.path.join(tmp, "source-" + name)
        shutil.copytree(os.path.join(HERE, "Inputs"), sources[name])
    file = os.path.join(sources["worse"], "parser.c")
    text = open(file).read()
    open(file, "w").write(re.sub(r"/\*CHANGE (.*)\*/", r"\1", text))

    def run(name, source, bugs, branch, number=0):
        options = "--no-scan --max-bugs %d --max-time 5m" % bugs
        return job(recipe, sources[source], cache, os.path.join(tmp, name), options, branch, number)

    assert run("main", "same", 1, "main") == 0
    assert os.path.exists(os.path.join(cache, "fathom-last", "suite", "inputs"))
    assert run("change-same", "same", 1, "change", 3) == 0
    assert not os.path.exists(os.path.join(tmp, "change-same", "fathom-last", "since")), "a change has replaced the last results"
    assert run("change-worse", "worse", 2, "change", 4) == 1
    changes = open(os.path.join(tmp, "change-worse", "changes.sarif")).read()
    assert '"baselineState": "new"' in changes and "division-by-zero" in changes, changes
    if which == "github":
        found = os.listdir(os.path.join(tmp, "change-worse", "findings"))
        assert {"explore-results.sarif", "fuzz-results.sarif"} <= set(found), found
    # The bug came in: the main branch fails once.
    assert run("main-worse", "worse", 2, "main", 1) == 1
    if which == "github":
        assert run("main-worse-started-again", "worse", 2, "main", 1) == 1, "starting a job again turns it green"
    assert run("main-again", "worse", 2, "main", 2) == 0
    print(which, "ok")


main()
