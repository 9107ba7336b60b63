// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %fathom-c++ -g %s -o %t.exceptions
// RUN: %explore %t.exceptions %t.a paths_completed=12 paths_terminated_early=0 stop=exhausted
// RUN: %fathom-c++ -g -DORDERED=3 %s -o %t.map3
// RUN: %explore %t.map3 %t.b paths_completed=13 paths_terminated_early=0 stop=exhausted
// RUN: %fathom-c++ -g -DORDERED=4 %s -o %t.map4
// RUN: %explore %t.map4 %t.c paths_completed=75 paths_terminated_early=0 stop=exhausted
// RUN: %fathom-c++ -g -DSHAPES %s -o %t.shapes
// RUN: %explore %t.shapes %t.d paths_completed=3 paths_terminated_early=0 stop=exhausted
//
// Programs whose number of paths is known: an exception of each of 3 types at each of 4 depths; the
// orders of 3 and 4 keys in a red-black tree, of which some may be equal (the ordered Bell
// numbers); a virtual call through a symbolic choice of 3 objects.
#include <cstdio>
#include <fathom.h>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>

struct Noisy {
  int depth;
  ~Noisy() { printf("~%d ", depth); }
};

static void throwAt(unsigned depth, unsigned kind) {
  Noisy noisy{static_cast<int>(depth)};
  if (depth) return throwAt(depth - 1, kind);
  if (kind == 0) throw 1;
  if (kind == 1) throw std::string("text");
  throw std::runtime_error("error");
}

static void exceptions() {
  unsigned char in[2];
  fathom_symbolic(in, sizeof in, "in");
  fathom_assume(in[1] < 3);
  unsigned depth = 0;
  while (depth < 3 && depth < in[0]) depth++;
  try {
    throwAt(depth, in[1]);
  } catch (int n) {
    printf("int %d\n", n);
  } catch (const std::string &text) {
    printf("string %s\n", text.c_str());
  } catch (const std::exception &error) {
    printf("exception %s\n", error.what());
  }
}

template <int keys> static void ordered() {
  unsigned char in[keys];
  fathom_symbolic(in, sizeof in, "in");
  std::map<unsigned char, int> map;
  for (int i = 0; i < keys; i++) map[in[i]] = i;
}

struct Shape {
  virtual ~Shape() = default;
  virtual int area() const = 0;
};
struct Square : Shape {
  int area() const override { return 4; }
};
struct Circle : Shape {
  int area() const override { return 3; }
};
struct Line : Shape {
  int area() const override { return 0; }
};

static void shapes() {
  unsigned char choice;
  fathom_symbolic(&choice, 1, "choice");
  fathom_assume(choice < 3);
  Square square;
  Circle circle;
  Line line;
  const Shape *all[] = {&square, &circle, &line};
  printf("%d\n", all[choice]->area());
}

int main() {
#if defined(ORDERED)
  ordered<ORDERED>();
#elif defined(SHAPES)
  shapes();
#else
  exceptions();
#endif
  return 0;
}
