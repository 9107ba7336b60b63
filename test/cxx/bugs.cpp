// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check-bugs %s %t --sanitize address
// What only C++ programs do wrong: each is found at its line, and its twin is silent.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

struct Shape {
  Shape() { init(); }
  virtual ~Shape() = default;
  void init();
  virtual void draw() = 0;
  static bool bad;
};
bool Shape::bad;
void Shape::init() {
#ifndef FIXED
  if (bad) draw(); // BUG pure-virtual-call
#endif
}
struct Circle : Shape {
  void draw() override { puts("circle"); }
};

static void leaves(int c) {
  if (c == 'e')
#ifdef FIXED
    try {
      throw std::runtime_error("no such thing");
    } catch (const std::exception &) {
    }
#else
    throw std::runtime_error("no such thing"); // BUG uncaught-exception
#endif
}

static void quiet(int c) noexcept {
  std::string s = "four";
#ifdef FIXED
  if (c - 'A' > 3) return;
#endif
  if (c >= 'A' && c < 'H') (void)s.at(c - 'A'); // BUG uncaught-exception
}

static int element(int c) {
  std::vector<int> v{1, 2, 3};
#ifdef FIXED
  if (c >= 3) return 0;
#endif
  if (c < 0 || c > 4) return 0;
  return v[c]; // BUG library-check
}

static void mixed(int c) {
  int *p = new int[4];
#ifndef FIXED
  if (c == 'd')
    delete p; // BUG mismatched-free
  else
#endif
    delete[] p;
  std::string *strings = new std::string[2];
#ifndef FIXED
  if (c == 'g')
    delete strings; // BUG mismatched-free
  else
#endif
    delete[] strings;
  int *q = new int;
#ifndef FIXED
  if (c == 'f')
    free(q); // BUG mismatched-free
  else
#endif
    delete q;
}

static int dangles(int c) {
  std::vector<int> v{1};
  int &first = v[0];
  if (c == 'r') {
    v.push_back(2);
#ifndef FIXED
    return first; // BUG use-after-free
#endif
  }
  return v[0];
}

int main() {
  unsigned char in[2];
  if (read(0, in, 2) != 2) return 0;
  switch (in[0]) {
  case 0: leaves(in[1]); break;
  case 1: quiet(in[1]); break;
  case 2: element(in[1]); break;
  case 3: mixed(in[1]); break;
  case 4: dangles(in[1]); break;
  case 5: {
    Shape::bad = in[1] == 'v';
    Circle circle;
    circle.draw();
  }
  }
  return 0;
}
