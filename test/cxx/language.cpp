// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %fathom-c++ -std=c++23 %s -o %t && %differential %t
// The language: order of construction, virtual bases, RTTI, coroutines, member pointers, placement.
#include <coroutine>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <typeinfo>
#include <vector>
struct Order {
  const char *n;
  Order(const char *s) : n(s) { printf("+%s\n", n); }
  ~Order() { printf("-%s\n", n); }
};
Order first("first"), second("second");
Order &lazy() {
  static Order o("lazy");
  return o;
}
struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
  virtual Shape *clone() const = 0;
};
struct Square : virtual Shape {
  double s;
  Square(double x) : s(x) {}
  double area() const override { return s * s; }
  Square *clone() const override { return new Square(*this); }
};
struct Named {
  std::string name;
  virtual std::string say() const { return "I am " + name; }
  virtual ~Named() {}
};
struct NamedSquare : Square, Named {
  NamedSquare(double x) : Square(x) { name = "square"; }
  std::string say() const override { return Named::say() + " of " + std::to_string(s); }
};
template <class T> struct Generator {
  struct promise_type {
    T value;
    Generator get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(T v) {
      value = v;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { throw; }
  };
  std::coroutine_handle<promise_type> h;
  ~Generator() { h.destroy(); }
  bool next() {
    h.resume();
    return !h.done();
  }
};
Generator<int> count(int n) {
  for (int i = 0; i < n; i++) {
    if (i == 3) throw std::string("three");
    co_yield i *i;
  }
}
struct Pair {
  int a, b;
  int sum() const { return a + b; }
};
thread_local Order tl("thread");
// What the condition declares lives on both sides.
static int declaredInCondition(Shape *shape) {
  if (auto *named = dynamic_cast<Named *>(shape))
    return static_cast<int>(named->name.size());
  else
    return named == nullptr ? -1 : -2;
}

int main() {
  printf("main\n");
  lazy();
  lazy();
  (void)&tl;
  tl.n = "thr";
  std::unique_ptr<Shape> s(new NamedSquare(1.5));
  std::unique_ptr<Shape> c(s->clone());
  printf("%g %g %d\n", s->area(), c->area(), dynamic_cast<Named *>(s.get()) != nullptr);
  printf("%s %d\n", dynamic_cast<Named &>(*s).say().c_str(),
         dynamic_cast<Named *>(c.get()) == nullptr);
  printf("%s %s\n", typeid(*s).name(), typeid(*c).name());
  auto g = count(5);
  try {
    while (g.next()) printf("%d\n", g.h.promise().value);
  } catch (std::string &e) {
    puts(e.c_str());
  }
  int Pair::*m = &Pair::b;
  int (Pair::*f)() const = &Pair::sum;
  Pair p{3, 4};
  printf("%d %d\n", p.*m, (p.*f)());
  double (Shape::*v)() const = &Shape::area;
  printf("%g\n", ((*s).*v)());
  std::function<int(int)> fn = [k = 10](int x) mutable { return k += x; };
  fn(1);
  printf("%d\n", fn(2));
  alignas(64) char room[64];
  auto *o = new (room) Order("placed");
  o->~Order();
  auto *al = new (std::align_val_t(128)) int(5);
  printf("%d\n", int(reinterpret_cast<unsigned long>(al) % 128));
  ::operator delete(al, std::align_val_t(128));
  std::shared_ptr<int> sp = std::make_shared<int>(7);
  std::weak_ptr<int> w = sp;
  sp.reset();
  printf("%d\n", w.expired());
  printf("%d %d\n", declaredInCondition(s.get()), declaredInCondition(c.get()));
  return 0;
}
