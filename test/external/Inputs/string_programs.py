# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random C programs over string functions: Program(seed, size).source().

A program reads `size` bytes and takes branches on what string functions say of them, on numbers in them, and on their own values; between the branches
string functions change a buffer. It writes the way it took: a digit for each branch. With -DENUMERATE it prints the ways of all inputs, or, with an
argument, those of the inputs on its standard input (one a line, in hexadecimal).
"""
import random

LITERALS = ['""', '"a"', '"ab"', '"-"', '"-x"', '"7"', '"+3"', '"xyz"', '"\\t "', '"b-"']
CHARS = ["'a'", "'-'", "'x'", "'7'", "0", "' '", "'b'"]


class Program:
    def __init__(self, seed, size):
        self.r = random.Random(seed)
        self.size = size
        self.lines = []
        self.ints = []  # variables of the outermost block

    def pick(self, *items):
        return self.r.choice(items)

    def place(self):
        return self.pick("in", "in", "in + 1", "buf", "buf + 1")

    def literal(self):
        return self.r.choice(LITERALS)

    def char(self):
        r = self.r.random()
        if r < 0.2:
            return "in[%d]" % self.r.randrange(self.size)
        return self.r.choice(CHARS)

    def string_value(self):
        p, q = self.place(), self.place()
        second = self.literal() if self.r.random() < 0.75 else q
        return self.pick(
            "(int)strlen(%s)" % p,
            "SIGN(strcmp(%s, %s))" % (p, second),
            "SIGN(strncmp(%s, %s, %d))" % (p, second, self.r.randrange(0, 4)),
            "SIGN(memcmp(%s, \"a-x\", %d))" % (p, self.r.randrange(0, 3)),
            "AT(strchr(%s, %s), %s)" % (p, self.char(), p),
            "AT(strrchr(%s, %s), %s)" % (p, self.char(), p),
            "AT(memchr(%s, %s, %d), %s)" % (p, self.char(), self.r.randrange(0, 3), p),
            "AT(strstr(%s, %s), %s)" % (p, second, p),
            "AT(strpbrk(%s, %s), %s)" % (p, second, p),
            "(int)strspn(%s, %s)" % (p, second),
            "(int)strcspn(%s, %s)" % (p, second),
            "(int)strnlen(%s, %d)" % (p, self.r.randrange(0, 4)),
            "SIGN(strcasecmp(%s, %s))" % (p, second),
            "(int)strtol(%s, 0, %s)" % (p, self.pick("0", "10", "16")),
            "number(%s, %s)" % (p, self.pick("0", "10", "16")),
            "atoi(%s)" % p,
        )

    def value(self):
        r = self.r.random()
        if r < 0.2:
            return "in[%d]" % self.r.randrange(self.size)
        if r < 0.35 and self.ints:
            return self.r.choice(self.ints)
        if r < 0.5:
            return "(%s %s %s)" % (self.value(), self.pick("+", "-", "*", "^"), self.value())
        return self.string_value()

    def condition(self):
        return "%s %s %s" % (self.value(), self.pick("==", "==", "!=", "<", ">"),
                             self.value() if self.r.random() < 0.15 else self.pick("0", "1", "2", "-1", "7", "97", "45"))

    def statement(self, indent):
        r = self.r.random()
        pad = "  " * indent
        if r < 0.25:
            name = "v%d" % len(self.lines)
            self.lines.append("%sint %s = %s;" % (pad, name, self.value()))
            if indent == 1:
                self.ints.append(name)
        elif r < 0.5:
            self.lines.append(pad + self.pick(
                "strcpy(buf, %s);" % self.pick("in", "in + 1", self.literal()),
                "strcat(buf, %s);" % self.pick("in", self.literal()),
                "strncpy(buf, in, %d);" % self.r.randrange(0, 4),
                "memmove(buf + 1, buf, %d);" % self.r.randrange(1, 6),
                "memmove(buf, buf + 1, %d);" % self.r.randrange(1, 6),
                "memcpy(buf, in, %d);" % (1 + self.r.randrange(self.size)),
                "memset(buf + %d, %s, 2);" % (self.r.randrange(3), self.char()),
                "strncat(buf, in, 1);",
                "*stpcpy(buf, in) = %s;" % self.char(),
                "buf[%d] = (char)(%s);" % (self.r.randrange(3), self.value()),
            ) + " buf[12] = 0;")
        else:
            self.lines.append("%sif (BRANCH(%s)) {" % (pad, self.condition()))
            if indent < 3 and self.r.random() < 0.5:
                self.statement(indent + 1)
            self.lines.append(pad + "}")

    def source(self):
        for _ in range(7):
            self.statement(1)
        body = "\n".join(self.lines)
        return TEMPLATE % {"size": self.size, "body": body}


TEMPLATE = r"""#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { SIZE = %(size)d };
static char way[64];
static int steps;
#define BRANCH(c) ((c) ? (way[steps++] = '1') : (way[steps++] = '0', 0))
#define SIGN(x) ((x) < 0 ? -1 : (x) > 0)
#define AT(p, base) ((p) ? (int)((char *)(p) - (base)) : -1)

static int number(char *from, int base) {
  char *end = 0;
  long value = strtol(from, &end, base);
  return (int)value * 8 + (int)(end - from);
}

static void program(char *in) {
  char buf[32] = {0};
  steps = 0;
%(body)s
  way[steps] = 0;
}

#ifdef ENUMERATE
int main(int argc, char **argv) {
  char in[SIZE + 1];
  unsigned v[SIZE];
  if (argc > 1) {
    for (;;) {
      for (int i = 0; i < SIZE; i++) {
        if (scanf("%%2x", &v[i]) != 1) return 0;
        in[i] = (char)v[i];
      }
      in[SIZE] = 0;
      program(in);
      puts(way);
    }
  }
  static unsigned char seen[1 << 24];
  for (unsigned long n = 0; n < 1ul << 8 * SIZE; n++) {
    for (int i = 0; i < SIZE; i++) in[i] = (char)(n >> 8 * i);
    in[SIZE] = 0;
    program(in);
    unsigned key = 1;
    for (int i = 0; i < steps; i++) key = key * 2 + (way[i] == '1');
    if (steps > 22 || seen[key]++) continue;
    puts(way);
  }
  return 0;
}
#else
int main(void) {
  char in[SIZE + 1] = {0};
  read(0, in, SIZE);
  program(in);
  write(1, way, steps);
  return 0;
}
#endif
"""
