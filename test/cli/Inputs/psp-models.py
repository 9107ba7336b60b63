#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What scripts/pspmodels.py draws: no question is about a state that was seen, and its truth is that of the point.

    psp-models.py SCRIPTS                  questions about points made here
    psp-models.py SCRIPTS ROWS.json        counts of a measurement: they add up, and the trivial answers are what they must be
"""
import json
import random
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import pspmodels  # noqa: E402


def drawn():
    states = {(2 * v,): 1 + v for v in range(40)} | {(100000,): 1}
    unit = pspmodels.Unit("variables", "p", states, first={(0,): 1, (2,): 5})
    asked = list(pspmodels.questions(unit, 60, 0, random.Random(1)))
    assert [q.how for q in asked] == ["held out"] * 4 + ["later"]
    held = []
    for question in asked:
        assert question.seen and set(question.seen) < set(states)
        assert all(states[s] == count for s, count in question.seen.items()) or question.how == "later"
        for mix, wanted in (("near", None), ("balanced", 0.5)):
            answers = question.mixes[mix]
            assert len(answers) >= 2 and len({s for s, _ in answers}) == len(answers), (question.how, mix)
            for state, exists in answers:
                assert state not in question.seen and exists == (state in states)
                near = any(abs(state[0] - s[0]) <= pspmodels.REACH for s in question.seen)
                assert near or (exists and mix == "balanced"), state
            if wanted:
                assert sum(exists for _, exists in answers) == len(answers) * wanted
        if question.how == "held out":
            held += [s for s in states if s not in question.seen]
    assert sorted(held) == sorted(states), "every state is held out once"
    assert any(state == (100000,) for q in asked for state, _ in q.mixes["balanced"]), "also one that is far from all others"

    pattern = pspmodels.Unit("patterns", "even", {(v,): 1 for v in range(0, 81, 2)}, shown={(v,): 1 for v in range(0, 81, 4)}, bounds=(20, 60))
    question, = pspmodels.questions(pattern, 100, 0, random.Random(1))
    assert {s for s, _ in question.mixes["near"]} == {(v,) for v in range(20, 61) if v % 4}, "all of the middle"
    assert not list(pspmodels.questions(pattern, 100, 1, random.Random(1))), "chance changes nothing about it"

    assert list(pspmodels.choices("s[i] < n", ["s[i]", "n", "i", "k"])) == [
        ("variables", (0,)), ("positions", (2, 0)), ("variables", (1,)), ("variables", (2,)), ("variables", (3,)), ("conditions", (0, 1))]
    print("questions are as they should be")


def counted():
    rows, seen = json.load(open(sys.argv[2])), set()
    assert rows
    for row in rows:
        seen.add((row["source"], row["class"]))
        assert row["samples"] > 0 and 0 <= row["exist"] <= row["samples"]
        for model in pspmodels.MODELS + pspmodels.TRIVIAL:
            c = row["counts"][model]
            assert c["tp"] + c["fn"] == row["exist"] and sum(c.values()) == row["samples"], (row, model)
        assert row["counts"]["constant 0"]["tp"] == row["counts"]["constant 0"]["fp"] == row["counts"]["constant 1"]["fn"] == 0
        if row["mix"] == "balanced":
            assert 2 * row["exist"] == row["samples"], row
        if row["told"] == "state":
            of = row["counts"]
            same = ("forest", "density") if row["class"] == "dense" else ("diffusion", "forest")
            assert of["forest + diffusion"] == of[same[0]], "Eq. 3 takes one of them"
            if row["class"] == "dense":
                assert of["forest + density"] == of["forest"]
            else:
                assert of["forest + density"] == of["density"]
    print(" ".join("%s-%s" % pair for pair in sorted(seen)))


counted() if len(sys.argv) > 2 else drawn()
