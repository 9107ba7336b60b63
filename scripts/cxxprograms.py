# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random C++ programs: classes with one, several and virtual bases, virtual calls, exceptions of several types that are thrown at any depth, caught,
rethrown and nested, and that pass through C, destructors that say when they run, templates, containers. Each says on standard output what it does, ends by itself, and
has no undefined behaviour.

    program(seed, name) -> source text: namespace `name` with a function int run()

HEADER comes before all of them.
"""
import random

HEADER = """\
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <exception>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <unordered_map>
#include <variant>
#include <vector>
static unsigned steps;
static bool spent() { return ++steps > 4000; }
struct Error : std::runtime_error { int code; Error(int c) : std::runtime_error("error " + std::to_string(c)), code(c) {} };
struct SpecialError : Error { using Error::Error; const char *what() const noexcept override { return "special"; } };
struct Guard { const char *name; int n; Guard(const char *s, int i) : name(s), n(i) { std::printf("+%s%d ", name, n); } ~Guard() { std::printf("-%s%d/%d ", name, n, std::uncaught_exceptions()); } };
"""

THROWN = ["{e}", "(long){e}", "Error({e})", "SpecialError({e})", "std::string(\"text that does not fit into the string itself \") + std::to_string({e})", "std::out_of_range(\"range\")", "&token", "nullptr"]
CAUGHT = [("int x", 'std::printf("int %d ", x);'), ("long x", 'std::printf("long %ld ", x);'), ("const Error &x", 'std::printf("%s %d ", x.what(), x.code);'),
          ("SpecialError &x", 'std::printf("special %d ", x.code++);'), ("std::exception &x", 'std::printf("what %s ", x.what());'),
          ("std::string x", 'std::printf("string %zu ", x.size());'), ("const int *x", 'std::printf("pointer %d ", x ? *x : -1);'), ("...", 'std::printf("any ");')]


class Program:
    def __init__(self, seed, name):
        self.random = random.Random(seed)
        self.name = name
        self.classes = []  # (name, bases)
        self.manifold = self.random.random() < 0.4  # several bases, all virtual
        self.virtual = self.manifold or self.random.random() < 0.2
        self.functions = self.random.randint(2, 5)
        self.quiet = [self.random.random() < 0.1 for _ in range(self.functions)]  # noexcept
        self.depth = 0

    def pick(self, *choices):
        return self.random.choice(choices)

    def number(self):
        return str(self.random.randint(-9, 99))

    def expression(self, depth=0):
        kind = self.random.random()
        if depth > 2 or kind < 0.3:
            return self.pick("n", "n", self.number(), "(int)(steps % 7)")
        a, b = self.expression(depth + 1), self.expression(depth + 1)
        return self.pick("((%s) %% 1000 + (%s) %% 1000)", "((%s) %% 1000 - (%s) %% 1000)", "((%s) ^ (%s))", "((%s) < (%s) ? 3 : n)", "((%s) & (%s))", "std::max<int>(%s, %s)") % (a, b)

    def throw(self):
        return "throw %s;" % self.random.choice(THROWN).format(e=self.expression(2))

    def catches(self):
        kinds = self.random.sample(CAUGHT[:-1], self.random.randint(1, 3)) + ([CAUGHT[-1]] if self.random.random() < 0.5 else [])
        # A base class before a class that derives from it would catch both: allowed, and a warning.
        text = ""
        for declared, says in kinds:
            more = self.random.random()
            text += " catch (%s) { %s %s}" % (declared, says, "throw; " if more < 0.12 else self.throw() + " " if more < 0.2 else "")
        return text

    def container(self):
        e, f = self.expression(1), self.expression(1)
        return self.pick(
            "{ std::vector<int> v{n, %s, 5}; v.insert(v.begin() + 1, %s); std::sort(v.begin(), v.end()); for (int x : v) std::printf(\"%%d,\", x); }" % (e, f),
            "{ std::map<std::string, int> m; for (int i = 0; i < 5; i++) m[std::to_string((n + i * 7) %% 4)] += %s; for (auto &[k, x] : m) std::printf(\"%%s:%%d,\", k.c_str(), x); }" % e,
            "{ std::unordered_map<int, std::string> m; m[%s] = \"one\"; m[%s] += \"two, which is longer than what fits\"; std::printf(\"%%zu,\", m.size()); }" % (e, f),
            "{ std::list<long> l{n, %s}; l.push_front(%s); l.sort(); std::printf(\"%%ld,\", l.back()); }" % (e, f),
            "{ std::deque<int> d; for (int i = 0; i < 9; i++) i %% 2 ? d.push_back(i ^ n) : d.push_front(%s); std::printf(\"%%d,\", d[4]); }" % e,
            "{ std::set<int> s{%s, %s, n}; std::printf(\"%%zu %%d,\", s.size(), *s.begin()); }" % (e, f),
            "{ std::string s(\"ab\"); for (int i = 0; i < (n & 15); i++) s += char('a' + i); std::printf(\"%%s %%zu,\", s.substr(1).c_str(), s.find(\"cd\")); std::printf(\"%%d,\", s.at(%s & 15)); }" % e,
            "{ std::variant<int, std::string> v; if (%s & 1) v = \"text\"; else v = n; std::printf(\"%%zu,\", v.index()); std::printf(\"%%d,\", std::get<int>(v)); }" % e,
            "{ std::optional<int> o; if (%s & 2) o = n; std::printf(\"%%d,\", o.value()); }" % e,
            "{ std::vector<std::unique_ptr<Guard>> g; for (int i = 0; i < 3; i++) g.push_back(std::make_unique<Guard>(\"u\", i)); if (%s %% 3 == 0) throw 4; g.erase(g.begin() + 1); }" % e,
            "{ int v[] = {n, %s, 3, 8}; static int limit; limit = n; std::qsort(v, 4, sizeof *v, [](const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; "
            "if ((x ^ y ^ limit) %% 13 == 5) throw Error(x); return (x > y) - (x < y); }); std::printf(\"%%d,\", v[0]); }" % e,
            "{ int k = n; std::function<int(int)> f = [&k, n](int a) { if (a > 50) throw Error(a); return k += a - n; }; std::printf(\"%%d,\", f(%s)); }" % e)

    def virtual_call(self):
        return 'if (depth < 4) { std::unique_ptr<Root> r = make(%s); std::printf("%%d ", r->m%d(%s, depth + 1)); %s}' % (
            self.expression(1), self.random.randint(0, 1), self.expression(1),
            "if (auto *p = dynamic_cast<%s *>(r.get())) std::printf(\"is %%d \", p->own()); " % self.random.choice(self.classes)[0] if self.random.random() < 0.5 else "")

    def statement(self, depth):
        kind = self.random.random()
        if depth > 3:
            kind *= 0.5
        if kind < 0.12:
            return 'Guard g%d("%s", n & 7);' % (self.random.randint(0, 10 ** 6), self.pick("a", "b", "c"))
        if kind < 0.2:
            return "if (%s %% 5 == 1) %s" % (self.expression(1), self.throw())
        if kind < 0.33:
            return self.container()
        if kind < 0.42:
            return self.virtual_call()
        if kind < 0.5:
            return "if (depth < 4) n ^= f%d(%s, depth + 1);" % (self.random.randrange(self.functions), self.expression(1))
        if kind < 0.6:
            return "n = %s;" % self.expression()
        if kind < 0.8:
            return "try { %s }%s" % (self.statements(depth + 1), self.catches())
        if kind < 0.9:
            return "for (int i = 0; i < %d; i++) { %s }" % (self.random.randint(1, 3), self.statements(depth + 1))
        return "if (%s > n) { %s } else { %s }" % (self.expression(1), self.statements(depth + 1), self.statements(depth + 1))

    def statements(self, depth):
        return " ".join(self.statement(depth) for _ in range(self.random.randint(1, 3)))

    def body(self):
        return "{ if (spent()) return 0; %s return n; }" % self.statements(0)

    def a_class(self, number):
        name = "C%d" % number
        count = self.pick(1, 2) if self.manifold and number > 1 else 1
        bases = self.random.sample([c for c, _ in self.classes], min(count, len(self.classes))) if number else []
        mixin = self.random.random() < 0.3
        how = "virtual public " if self.virtual else "public "
        derived = [how + b for b in bases] or [how + "Root"]
        text = ""
        if mixin:
            text += "struct M%d { Guard g{\"M\", %d}; virtual ~M%d() = default; virtual int mix() { return %s; } };\n" % (number, number, number, self.number())
            derived.append("public M%d" % number)
        self.classes.append((name, bases))
        text += "struct %s : %s { Guard g%d{\"C\", %d}; int v;\n" % (name, ", ".join(derived), number, number)
        text += "  %s(int n) : %sv(n) { std::printf(\"%s(%%d) \", n); %s }\n" % (
            name, "".join("%s(n + 1), " % b for b in (self.all_bases(bases) if self.virtual else bases)), name,
            "if (n %% 11 == %d) %s" % (self.random.randint(0, 10), self.throw()) if self.random.random() < 0.4 else "")
        text += "  ~%s() override { std::printf(\"~%s \"); }\n" % (name, name)
        for m in range(2):
            if self.manifold or not bases or self.random.random() < 0.6:
                text += "  int m%d(int n, int depth) override %s\n" % (m, self.body())
        return text + "  int own() const { return v * %d; }\n};\n" % self.random.randint(2, 9)

    def all_bases(self, bases):
        known = dict(self.classes)
        out = []
        for b in bases:
            for other in self.all_bases(known[b]) + [b]:
                if other not in out:
                    out.append(other)
        return out

    def text(self):
        out = "namespace %s {\nstatic const int token = %s;\n" % (self.name, self.number())
        out += "struct Root { virtual ~Root() = default; virtual int m0(int n, int depth) = 0; virtual int m1(int n, int) { return n + 1; } };\n"
        out += "std::unique_ptr<Root> make(int n);\n"
        out += "".join("int f%d(int n, int depth)%s;\n" % (i, " noexcept" * self.quiet[i]) for i in range(self.functions))
        for i in range(self.random.randint(2, 5)):
            out += self.a_class(i)
        out += "std::unique_ptr<Root> make(int n) { switch ((unsigned)n %% %du) {\n" % len(self.classes)
        out += "".join("case %d: return std::make_unique<%s>(n %% 50);\n" % (i, c) for i, (c, _) in enumerate(self.classes))
        out += "} return nullptr; }\n"
        for i in range(self.functions):
            body = self.body() if not self.quiet[i] else "try %s catch (...) { return -7; }" % self.body()
            out += "int f%d(int n, int depth)%s %s\n" % (i, " noexcept" * self.quiet[i], body)
        out += "int run() { int n = 0; for (int i = 0; i < 6; i++) { n = i * %d; try { std::printf(\"\\n%%d: \", i); n = f%d(i * 13, 0); std::printf(\"= %%d\", n); }" % (
            self.random.randint(3, 40), 0)
        for declared, says in CAUGHT:
            if declared not in ("SpecialError &x",):
                out += " catch (%s) { %s }" % (declared, says)
        return out + " } return 0; }\n}\n"


def program(seed, name):
    return Program(seed, name).text()
