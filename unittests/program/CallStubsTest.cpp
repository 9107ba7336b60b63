// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/CallStubs.h"

#include "Support.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace fathom::program;
using namespace fathom::program::test;

namespace {

struct Result {
  std::unique_ptr<llvm::LLVMContext> context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> module;
  std::vector<ForeignFunction> foreign;

  /// The text of a function's body.
  std::string body(const std::string &name) const {
    std::string text;
    llvm::raw_string_ostream out(text);
    if (const llvm::Function *f = module->getFunction(name)) f->print(out);
    return text;
  }
};

Result stubsOf(const std::string &assembly, const std::string &linked = "") {
  Result r;
  r.module = parse(*r.context, assembly);
  r.foreign = defineCallStubs(*r.module, [&](llvm::StringRef name) { return name == linked; });
  std::string why;
  llvm::raw_string_ostream out(why);
  EXPECT_FALSE(llvm::verifyModule(*r.module, &out)) << why;
  return r;
}

TEST(CallStubs, ArgumentsAndResults) {
  Result r = stubsOf(R"(
    declare signext i8 @f(i16 signext, i32, ptr, float, double)
    define i8 @main(ptr %p) {
      %r = call signext i8 @f(i16 signext 1, i32 2, ptr %p, float 1.0, double 2.0)
      ret i8 %r
    })");
  ASSERT_EQ(r.foreign.size(), 1u);
  EXPECT_EQ(r.foreign[0].name, "f");
  EXPECT_EQ(r.foreign[0].refused, "");
  const std::string text = r.body("f");
  for (const char *part :
       {"sext i16 %0 to i64", "zext i32 %1 to i64", "ptrtoint ptr %2 to i64",
        "bitcast float %3 to i32", "bitcast double %4 to i64",
        "@__fathom_external_call(ptr @0, i32 1, i32 5, ptr", "ptr null)", "trunc i64"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(CallStubs, WhatIsLeftAlone) {
  Result r = stubsOf(R"(
    declare ptr @malloc(i64)
    declare void @unused()
    declare extern_weak void @perhaps()
    declare void @llvm.trap()
    define ptr @main() {
      %c = icmp eq ptr @perhaps, null
      br i1 %c, label %a, label %b
    a:
      call void @llvm.trap()
      unreachable
    b:
      %p = call ptr @malloc(i64 1)
      ret ptr %p
    })",
                     "malloc");
  EXPECT_TRUE(r.foreign.empty());
  for (const char *name : {"malloc", "unused", "perhaps"})
    EXPECT_TRUE(r.module->getFunction(name)->isDeclaration()) << name;
}

TEST(CallStubs, WhatCannotBePassed) {
  Result r = stubsOf(R"(
    declare void @byValue(ptr byval([4 x i64]))
    declare x86_fp80 @wide()
    declare void @vector(<2 x float>)
    define void @main(ptr %p) {
      call void @byValue(ptr byval([4 x i64]) %p)
      %w = call x86_fp80 @wide()
      call void @vector(<2 x float> zeroinitializer)
      ret void
    })");
  ASSERT_EQ(r.foreign.size(), 3u);
  EXPECT_EQ(r.foreign[0].refused, "a parameter of a type that cannot be passed");
  EXPECT_EQ(r.foreign[1].refused, "a result of a type that cannot be passed");
  EXPECT_EQ(r.foreign[2].refused, "a parameter of a type that cannot be passed");
  for (const char *name : {"byValue", "wide", "vector"})
    EXPECT_NE(r.body(name).find("@__fathom_external_refused"), std::string::npos) << name;
}

TEST(CallStubs, VariableArguments) {
  Result r = stubsOf(R"(
    declare i32 @sum(i32, ...)
    define i32 @main(ptr %p) {
      %a = call i32 (i32, ...) @sum(i32 1, double 2.0)
      %b = call i32 (i32, ...) @sum(i32 1, double 3.0)
      %c = call i32 (i32, ...) @sum(i32 2, ptr %p, i64 4)
      ret i32 %c
    })");
  ASSERT_EQ(r.foreign.size(), 1u);
  EXPECT_EQ(r.foreign[0].name, "sum");
  EXPECT_EQ(r.foreign[0].refused, "");
  EXPECT_EQ(r.module->getFunction("sum"), nullptr);
  std::vector<const llvm::Function *> called;
  for (const llvm::Instruction &i : llvm::instructions(*r.module->getFunction("main")))
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&i))
      called.push_back(call->getCalledFunction());
  ASSERT_EQ(called.size(), 3u);
  EXPECT_EQ(called[0], called[1]); // the same types
  EXPECT_NE(called[0], called[2]);
  EXPECT_FALSE(called[2]->isVarArg());
  EXPECT_EQ(called[2]->arg_size(), 3u);
}

TEST(CallStubs, VariableArgumentsThroughAPointer) {
  Result r = stubsOf(R"(
    declare i32 @sum(i32, ...)
    define ptr @main() {
      %a = call i32 (i32, ...) @sum(i32 1, x86_fp80 0xK3FFF8000000000000000)
      ret ptr @sum
    })");
  ASSERT_EQ(r.foreign.size(), 1u);
  EXPECT_EQ(r.foreign[0].refused, "a parameter of a type that cannot be passed");
  EXPECT_NE(r.body("sum").find("@__fathom_external_refused"), std::string::npos);
}

} // namespace
