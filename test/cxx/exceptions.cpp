// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %fathom-c++ -std=c++20 %s -o %t
// RUN: %differential %t
// RUN: %t | FileCheck %s
//
// Exceptions: types, order of destruction, rethrown and nested ones, through C, past setjmp.
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <typeinfo>
struct A {
  int id;
  A(int i) : id(i) { printf("A%d\n", id); }
  A(const A &o) : id(o.id + 100) { printf("copy A%d\n", id); }
  ~A() { printf("~A%d\n", id); }
};
struct Base {
  virtual ~Base() {}
  virtual int v() { return 1; }
};
struct Other {
  virtual ~Other() {}
  int o = 7;
};
struct Derived : Other, Base {
  int v() override { return 2; }
};
static int depth(int n) {
  A a(n);
  if (n == 0) throw Derived();
  return depth(n - 1) + 1;
}
static void nested() {
  try {
    try {
      throw std::runtime_error("inner");
    } catch (...) {
      std::throw_with_nested(std::logic_error("outer"));
    }
  } catch (const std::exception &e) {
    printf("%s\n", e.what());
    try {
      std::rethrow_if_nested(e);
    } catch (const std::exception &i) {
      printf(" <- %s\n", i.what());
    }
  }
}
static void rethrows() {
  std::exception_ptr p;
  try {
    throw 5;
  } catch (int &i) {
    i++;
    p = std::current_exception();
  }
  try {
    std::rethrow_exception(p);
  } catch (int i) {
    printf("again %d\n", i);
  }
  try {
    try {
      throw A(1);
    } catch (A &a) {
      a.id = 9;
      throw;
    }
  } catch (A &a) {
    printf("got %d\n", a.id);
  }
}
struct Thrower {
  int n;
  ~Thrower() noexcept(false) {
    printf("uncaught %d\n", std::uncaught_exceptions());
    if (n && !std::uncaught_exceptions()) throw n;
  }
};
static int compare(const void *a, const void *b) {
  if (*static_cast<const int *>(a) + *static_cast<const int *>(b) == 7)
    throw "compared 3 and 4";
  return *static_cast<const int *>(a) - *static_cast<const int *>(b);
}
static void throughC() {
  A a(50);
  int v[] = {3, 4, 1}, key = 3;
  try {
    qsort(v, 3, sizeof *v, compare);
  } catch (const char *s) {
    printf("%s in qsort\n", s);
  }
  int sorted[] = {1, 4, 9};
  try {
    bsearch(&key, sorted, 3, sizeof *sorted, compare);
  } catch (const char *s) {
    printf("%s in bsearch\n", s);
  }
}
static int functionTry(int x) try {
  if (x) throw x;
  return 0;
} catch (int y) {
  return y * 2;
}
struct M {
  A a, b;
  M(int x) try : a(x), b(x ? throw 3 : 8) {
  } catch (int i) {
    printf("ctor %d\n", i);
  }
};
static jmp_buf env;
static void jumps() {
  int n = setjmp(env);
  printf("jump %d\n", n);
  if (n < 2) {
    try {
      longjmp(env, n + 1);
    } catch (...) {
      printf("never\n");
    }
  } else {
    try {
      throw 1.5;
    } catch (double d) {
      printf("%g\n", d);
    }
  }
}
/// setjmp within a try block, and a jump out of others.
static jmp_buf inTry;
static void jumpsOut(int n) {
  try {
    try {
      if (n > 100)
        throw n;
      longjmp(inTry, 1);
    } catch (char) {
    }
  } catch (long) {
  }
}
static void jumpsIntoTry() {
  try {
    if (setjmp(inTry) == 0)
      jumpsOut(1);
    else
      throw 6;
  } catch (int n) {
    printf("after a jump %d\n", n);
  }
}

int main() {
  try {
    depth(3);
  } catch (Base &b) {
    printf("Base %d\n", b.v());
  }
  try {
    depth(1);
  } catch (Other &b) {
    printf("Other %d\n", b.o);
  }
  try {
    Derived d;
    Derived *p = &d;
    throw p;
  } catch (Base *b) {
    printf("ptr %d\n", b->v());
  }
  try {
    throw nullptr;
  } catch (Base *b) {
    printf("null %d\n", b == nullptr);
  }
  nested();
  rethrows();
  throughC();
  try {
    Thrower t{4};
  } catch (int i) {
    printf("dtor %d\n", i);
  }
  try {
    Thrower t{4};
    throw 8;
  } catch (int i) {
    printf("dtor2 %d\n", i);
  }
  printf("%d %d\n", functionTry(0), functionTry(21));
  try {
    M m(5);
  } catch (int i) {
    printf("M %d\n", i);
  }
  try {
    std::string s;
    s.at(3);
  } catch (const std::out_of_range &e) {
    printf("%s\n", e.what());
  }
  try {
    Base b;
    (void)dynamic_cast<Derived &>(b);
  } catch (const std::bad_cast &e) {
    printf("%s\n", e.what());
  }
  try {
    Base *b = nullptr;
    printf("%s\n", typeid(*b).name());
  } catch (const std::bad_typeid &e) {
    printf("%s\n", e.what());
  }
  try {
    (void)operator new(size_t(-1) / 2);
  } catch (const std::bad_alloc &e) {
    printf("%s\n", e.what());
  }
  try {
    int n = -1;
    (void)new int[n];
  } catch (const std::bad_alloc &e) {
    printf("%s\n", e.what());
  }
  jumps();
  jumpsIntoTry();
  printf("%d\n", std::uncaught_exceptions());
  return 0;
}
// CHECK: outer
// CHECK-NEXT: <- inner
// CHECK: compared 3 and 4 in qsort
// CHECK-NEXT: compared 3 and 4 in bsearch
// CHECK: jump 2
// CHECK: after a jump 6
