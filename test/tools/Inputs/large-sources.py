# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""large-sources.py FOLDER: sources at the bounds of scripts/check-size, and beyond them."""
import sys


def cls(name, functions):
    return "class %s final : public Base {\npublic:\n%s  std::function<void(int)> callback = g(1); // int no();\n  void (*pointer)(int) = nullptr;\n  int sum = f(1);\n};\n" % (
        name, "".join("  virtual int f%d(std::function<void(int)> g = {}, int n = h(2)) const { if (n) { g(n); } return n; }\n" % i for i in range(functions)))


folder = sys.argv[1]
with open(folder + "/lib/explore/Large.h", "w") as out:
    out.write(cls("Large", 41) + cls("FitsExactly", 40) + cls("Outer::Inner", 42))
for name, lines in (("Long", 501), ("Fits", 500)):
    with open("%s/lib/solver/%s.cpp" % (folder, name), "w") as out:
        out.write("\n" * lines)
