// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structures of functions, written as
//
//   s            straight-line code          name()        a call
//   [a | b : c]  a branch: ways, `:` else    { a }         a loop
//
// The assembly has the shape that clang gives at -O0.
#include "Support.h"

#include "program/ControlFlow.h"

#include <gtest/gtest.h>

using namespace fathom;
using namespace fathom::program::test;

namespace {

std::string text(const ControlFlow &program, const Flow &flow);

std::string sequenceText(const ControlFlow &program, const Flow &flow) {
  std::string out;
  for (const Flow &child : flow.children) out += (out.empty() ? "" : " ") + text(program, child);
  return out;
}

std::string text(const ControlFlow &program, const Flow &flow) {
  switch (flow.kind) {
  case Flow::Sequence: return sequenceText(program, flow);
  case Flow::Statements: return "s";
  case Flow::Call: return program.functions[flow.value].name + "()";
  case Flow::Indirect: {
    std::string out = "*(";
    for (uint32_t target : program.targets[flow.value]) out += program.functions[target].name + " ";
    out.back() = ')';
    return out;
  }
  case Flow::Loop: return "{ " + text(program, flow.children[0]) + " }";
  case Flow::Choice: {
    std::string out = flow.isSwitch ? "switch[" : "[";
    for (size_t i = 0; i < flow.children.size(); ++i) {
      if (i) out += i == flow.labels.size() ? " : " : " | ";
      if (i < flow.labels.size() && flow.labels[i] > 1) out += std::to_string(flow.labels[i]) + "x";
      out += text(program, flow.children[i]);
    }
    return out + "]";
  }
  }
  return "";
}

/// Statements are stores; x is a global.
ControlFlow read(const std::string &assembly) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = parse(context, R"(
@x = global i32 0
declare void @library()
declare void @with(ptr)
define void @a() { ret void }
define void @b() { ret void }
)" + assembly);
  llvm::Expected<ControlFlow> flow = program::controlFlowOf(*module);
  if (!flow) {
    ADD_FAILURE() << llvm::toString(flow.takeError());
    return {};
  }
  return *flow;
}
std::string mainOf(const std::string &assembly) {
  ControlFlow flow = read(assembly);
  return flow.functions.empty() ? "" : text(flow, flow.functions[0].body);
}

TEST(ControlFlow, IfElseAndCalls) {
  EXPECT_EQ(mainOf(R"(
define i32 @main(i1 %c, i1 %d) {
  store i32 1, ptr @x
  call void @a()
  br i1 %c, label %then, label %else
then:
  call void @a()
  call void @library()
  br label %end
else:
  call void @b()
  br label %end
end:
  br i1 %d, label %last, label %out
last:
  store i32 2, ptr @x
  br label %out
out:
  ret i32 0
})"),
            "s a() [a() : b()] [s]");
}

// Statements behind a branch that leaves are behind it, not in its else.
TEST(ControlFlow, EarlyReturn) {
  EXPECT_EQ(mainOf(R"(
define i32 @main(i1 %c, i1 %d) {
  br i1 %c, label %leave, label %go
leave:
  call void @a()
  br label %out
go:
  call void @b()
  br i1 %d, label %leave2, label %go2
leave2:
  unreachable
go2:
  call void @b()
  call void @a()
  br label %out
out:
  ret i32 0
})"),
            "[a() : b() [] b() a()]");
}

TEST(ControlFlow, ShortCircuitAndGoto) {
  // if (c && d) a(); else b();  each block once, and the shared else where c fails
  EXPECT_EQ(mainOf(R"(
define i32 @main(i1 %c, i1 %d) {
  br i1 %c, label %and, label %else
and:
  br i1 %d, label %then, label %else
then:
  call void @a()
  br label %end
else:
  call void @b()
  br label %end
end:
  ret i32 0
})"),
            "[[a()] : b()]");
  // if (c) goto error; if (d) goto error; a(); return; error: b();
  EXPECT_EQ(mainOf(R"(
define i32 @main(i1 %c, i1 %d) {
  br i1 %c, label %error, label %second
second:
  br i1 %d, label %error, label %fine
fine:
  call void @a()
  br label %out
error:
  call void @b()
  br label %out
out:
  ret i32 0
})"),
            "[b() : [a()]]");
}

/// Figure 2 of [assess25].
TEST(ControlFlow, BinarySearch) {
  ControlFlow flow = read(R"(
define i32 @main(i1 %c, i1 %less, i1 %more) {
  store i32 2, ptr @x
  br label %while
while:
  br i1 %c, label %body, label %end
body:
  store i32 4, ptr @x
  br i1 %less, label %then, label %else
then:
  store i32 6, ptr @x
  br label %if.end
else:
  br i1 %more, label %then2, label %else2
then2:
  store i32 9, ptr @x
  br label %if.end
else2:
  store i32 11, ptr @x
  br label %return
if.end:
  br label %while
end:
  store i32 12, ptr @x
  br label %return
return:
  ret i32 0
})");
  EXPECT_EQ(text(flow, flow.functions[0].body), "s { s [s : [s] s] } s");
  EXPECT_EQ(flow.functions[0].complexity, 4u);
  EXPECT_EQ(flow.functions[0].loops, 1u);
}

TEST(ControlFlow, Loops) {
  // do a(); while (c);  the latch's branch is the loop's own
  EXPECT_EQ(mainOf(R"(
define i32 @main(i1 %c) {
  br label %body
body:
  call void @a()
  br i1 %c, label %body, label %end
end:
  call void @b()
  ret i32 0
})"),
            "{ a() } b()");
  // for (;;) { if (c) break; if (d) { a(); return; } } b();  nested in another
  EXPECT_EQ(mainOf(R"(
define i32 @main(i1 %c, i1 %d, i1 %e) {
  br label %outer
outer:
  br i1 %e, label %inner, label %return
inner:
  br i1 %c, label %end, label %go
go:
  br i1 %d, label %leave, label %next
next:
  br label %inner
leave:
  call void @a()
  br label %return
end:
  call void @b()
  br label %outer
return:
  ret i32 0
})"),
            "{ { [a()] } b() }");
}

TEST(ControlFlow, Switches) {
  ControlFlow flow = read(R"(
define i32 @main(i32 %v) {
  switch i32 %v, label %default [
    i32 1, label %one
    i32 2, label %two
    i32 3, label %two
    i32 4, label %end
  ]
one:
  call void @a()
  br label %two
two:
  call void @b()
  br label %end
default:
  call void @a()
  br label %end
end:
  ret i32 0
})");
  EXPECT_EQ(text(flow, flow.functions[0].body), "switch[a() | 2xb() |  : a()]");
  EXPECT_EQ(flow.functions[0].complexity, 5u);
}

TEST(ControlFlow, IndirectCalls) {
  // By type; a comparison function for libc counts as called where it is handed over; an address
  // that fits no call is called at the end of main; a function without references is not.
  ControlFlow flow = read(R"(
@table = global [2 x ptr] [ptr @one, ptr @two]
@other = global ptr @lonely
define i32 @one(i32 %x) { ret i32 1 }
define i32 @two(i32 %x) { ret i32 1 }
define i32 @lonely(i64 %x) { ret i32 1 }
define void @compare() { ret void }
define void @forgotten() { ret void }
define i32 @main(ptr %p) {
  %r = call i32 %p(i32 1)
  call void @with(ptr @compare)
  ret i32 0
})");
  EXPECT_EQ(text(flow, flow.functions[0].body), "*(one two) compare() *(lonely)");
}

TEST(ControlFlow, LibraryIsLeftOut) {
  ControlFlow flow = read(R"(
define void @strcpy() "fathom-libc" { call void @a() ret void }
define i32 @main() {
  call void @strcpy()
  ret i32 0
})");
  EXPECT_EQ(text(flow, flow.functions[0].body), "");
  EXPECT_EQ(flow.functions.size(), 3u);
}

// A cycle with two entries is no loop; its blocks are still there once.
TEST(ControlFlow, Irreducible) {
  EXPECT_EQ(mainOf(R"(
define i32 @main(i1 %c, i1 %d) {
  br i1 %c, label %left, label %right
left:
  call void @a()
  br label %right
right:
  call void @b()
  br i1 %d, label %left, label %end
end:
  ret i32 0
})"),
            "[a()] b() []");
}

TEST(ControlFlow, NoMain) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = parse(context, "define void @a() { ret void }");
  llvm::Expected<ControlFlow> flow = program::controlFlowOf(*module);
  ASSERT_FALSE(!!flow);
  EXPECT_EQ(llvm::toString(flow.takeError()),
            "no function main or LLVMFuzzerTestOneInput in its own code");
}

} // namespace
