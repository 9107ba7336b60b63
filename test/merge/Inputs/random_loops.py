# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random C programs with loops over symbolic bytes: Program(seed).source(), explored with Program(seed).options.

A function has one to three loops over two buffers and a length, which end early (break, goto, return), skip rounds, nest, and leave
counters of many types, pointers, and bytes in memory behind. The results are told by branches without a loop, so merged states that
hold too much, too little or wrong values show in the outputs. Few programs have abort(), a division by zero or an access out of bounds.
"""
import random

TYPES = ["unsigned char", "signed char", "short", "unsigned short", "int", "unsigned", "long", "float", "double"]
INDEX_TYPES = ["int", "unsigned", "size_t", "unsigned char", "signed char", "short"]
CHARACTERS = ["' '", "'a'", "'b'", "'1'", "'/'", "0"]
NUMBERS = ["0", "1", "2", "3", "-1", "4", "7"]
COUNTERS = ["a", "b", "acc", "s.k"]

# Templates: {i} the loop's variable, {t} a buffer, {c} a character, {n} a number, {v} and {w} counters.
CONDITIONS = [
    "{t}[{i}] == {c}", "{t}[{i}] == {c}", "{t}[{i}] != {c}", "(signed char){t}[{i}] < {c}", "t[{i}] == u[{i}]", "t[{i}] == t[0]", "t[{i}] > t[{i} + 1]",
    "{t}[{i}] - '0' < 10u", "({t}[{i}] | 32) == 'q'", "({t}[{i}] & 0x80)", "*p == {c}", "store[{i} & 3] == {t}[{i}]", "{v} < {n}",
]
STATEMENTS = [
    "{v}++;", "{v}++;", "{v}--;", "{v} += 2;", "acc = acc * 2 + 1;", "{v} = {i};", "{v} = {w};", "{v} += {t}[{i}] & 1;", "{v} += {t}[{i}] == {c};",
    "{v} = kind({t}[{i}]);", "{v} = {t}[{i}] == {c} ? {w} : {n};", "total += kind({t}[{i}]);", "s.last = {i};", "s.flag ^= {t}[{i}] & 1;",
    "store[s.k & 3] = {t}[{i}];", "o[{i} & 7] = s.k;", "{{ int next = {i} + 1; o[next & 7] = b; }}", "p++; if (p > t + MOST) p = t;",
    "switch ({t}[{i}]) {{ case 'a': {v}++; break; case 'b': {w} += 2; break; default: s.flag = 3; }}",
    "if ({v} == {n} && {t}[{i}] == {c}) abort();", "if ({t}[{i}] == {c}) {v} = 12 / (s.k - 2);", "if ({t}[{i}] == {c}) o[s.k + 4] = 1;",
]
EXITS = ["break;", "break;", "continue;", "goto out;", "return {v};"]
# What a loop looks like: {type} and {step} of its variable, {when} a condition, {body} the statements. No body changes the loop's variable.
LOOPS = [
    "for ({type} {i} = 0; {i} < n; {i} += {step}) {{\n{body}\n}}",
    "for ({type} {i} = 1; {i} < n && {when}; {i}++) {{\n{body}\n}}",
    "for ({type} {i} = 0; {i} < MOST && t[{i}]; {i}++) {{\n{body}\n}}",
    "{{ int {i} = n;\nwhile ({i}-- > 0) {{\n{body}\n}}\n{v} += {i}; }}",
    "{{ {type} {i} = 0;\nfor (; {i} < n && {when}; {i}++) {{\n{body}\n}}\n{v} = {i}; }}",
    "{{ int {i} = 0;\nif (n) do {{\n{body}\n}} while (++{i} < n && {when});\ntotal += {i}; }}",
    "{{ unsigned char {i} = 0;\nwhile ({i} < MOST && t[{i}] == ' ') {{ {i}++; {v}++; }}\nn = {i} < n ? {i} : n; total += {i}; }}",
    "for (int {i} = 0, before; {i} < n; {i}++) {{\nfor (before = 0; before < {i} && t[before] != t[{i}]; before++) ;\nif (before == {i}) s.k++;\n{body}\n}}",
]


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.most = self.pick(3, 3, 4)
        self.marks = self.chance(0.25)
        self.sized = self.chance(0.3)
        # With the option, the size of a block stays a term; without it, a path has one size.
        self.options = ["--memory", "symbolic-size=8"] if self.sized and self.chance(0.5) else []

    def pick(self, *items):
        return self.random.choice(items)

    def chance(self, share):
        return self.random.random() < share

    def fill(self, template, i, **more):
        v, w = self.random.sample(COUNTERS, 2)
        return template.format(i=i, t=self.pick("t", "t", "t", "u"), c=self.pick(*CHARACTERS), n=self.pick(*NUMBERS), v=v, w=w, **more)

    def condition(self, i):
        one = self.fill(self.pick(*CONDITIONS), i)
        if self.chance(0.85):
            return one
        return "(%s %s %s)" % (one, self.pick("&&", "||"), self.fill(self.pick(*CONDITIONS), i))

    def statement(self, i, depth=0):
        what = self.random.random()
        if what < 0.15:
            return "if (%s) %s" % (self.condition(i), self.fill(self.pick(*EXITS), i))
        if what < 0.35 and depth < 2:
            other = " else {\n%s\n}" % self.block(i, depth + 1) if self.chance(0.5) else ""
            return "if (%s) {\n%s\n}%s" % (self.condition(i), self.block(i, depth + 1), other)
        text = self.fill(self.pick(*STATEMENTS), i)
        # Markers are for code that every path leaves at its end: not around an exit of the loop.
        return "fathom_open_merge();\n%s\nfathom_close_merge();" % text if self.marks and depth == 0 else text

    def block(self, i, depth):
        return "\n".join(self.statement(i, depth) for _ in range(self.pick(1, 1, 2)))

    def loop(self, i, inner=False):
        body = "\n".join(self.statement(i) for _ in range(self.pick(1, 2, 2, 3)))
        if not inner and self.chance(0.15):
            body += "\n" + self.loop(i + "j", inner=True)
        return self.fill(self.pick(*LOOPS), i, type=self.pick(*INDEX_TYPES), step=self.pick(1, 1, 1, 2), when=self.condition(i), body=body)

    def function(self):
        loops = "\n".join(self.loop("i%d" % number) for number in range(self.pick(1, 1, 2, 2)))
        return FUNCTION % {"type": self.pick(*TYPES), "loops": loops, "result": self.pick("a", "b", "total", "a + m")}

    def calls(self):
        """One call, or a second one with what the first one said."""
        again = "fputs(\"| \", stdout); n = n > 1 ? 2 : n; m = scan(t + %s, u, n, o, m & 3); tell(m);\n" % self.pick("0", "1")
        return "int m = scan(t, u, n, o, 0); tell(m);\n" + (again if self.chance(0.4) else "")

    def source(self):
        function, calls = self.function(), self.calls()
        return PROGRAM % {"most": self.most, "cases": CASES, "function": function, "buffers": SIZED if self.sized else FIXED, "calls": calls}


CASES = "\n".join("case %d: fputs(\"%d \", stdout); break;" % (i, i) for i in range(16))

FIXED = """unsigned char t[MOST + 3], u[MOST + 3]; int n;
fathom_symbolic(t, sizeof t, "t"); fathom_symbolic(u, sizeof u, "u"); fathom_symbolic(&n, sizeof n, "n");
fathom_assume(n >= 0 && n <= MOST);"""

SIZED = """size_t size = fathom_size("n"); fathom_assume(size <= MOST); int n = size;
unsigned char *t = malloc(size + 3), *u = malloc(MOST + 3); if (!t || !u) return 99;
fathom_symbolic(t, size + 3, "t"); fathom_symbolic(u, MOST + 3, "u");"""

FUNCTION = """static int scan(const unsigned char *t, const unsigned char *u, int n, unsigned char *o, int m) {
struct Counts s = {0}; static char store[4]; %(type)s acc = 0; int a = 0, b = 0, total = 0; const unsigned char *p = t;
%(loops)s
out:
tell(a); tell(b); tell((long)acc); tell(s.k); tell(s.last); tell(s.flag); tell(store[1] == 'a'); tell(p - t);
return %(result)s;
}"""

PROGRAM = """#include <fathom.h>
#include <stdio.h>
#include <stdlib.h>
enum { MOST = %(most)d };
struct Counts { int k, last; unsigned char flag; };
static int kind(unsigned char c) { if (c == 'a' || c == '/') return 1; if (c > 200) return 2; return 0; }
static void tell(long n) { switch (n & 15) {
%(cases)s
} }
%(function)s
int main(void) {
unsigned char o[8] = {0};
%(buffers)s
%(calls)stell(o[1]); tell(o[3]); if (o[2] == 3) abort();
return 0;
}
"""
