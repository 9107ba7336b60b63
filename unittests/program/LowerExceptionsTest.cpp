// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Support.h"

#include "program/MayThrow.h"
#include "program/Prepare.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

namespace fathom::program {
namespace {

/// What libc++abi of the sysroot brings along, as far as the pass looks at it.
constexpr const char *kRuntime = R"(
@__fathom_cxx_regions = thread_local global ptr null
@__fathom_cxx_unwinding = thread_local global ptr null
@int = external constant ptr
declare i32 @__gxx_personality_v0(...)
declare i32 @_Unwind_RaiseException(ptr)
define i32 @__fathom_cxx_raise(ptr %e) {
  store ptr %e, ptr @__fathom_cxx_unwinding
  ret i32 0
}
declare i32 @__fathom_cxx_land(ptr)
declare i32 @llvm.eh.typeid.for(ptr)
declare void @harmless()
define noundef nonnull ptr @throws(ptr %e) noreturn uwtable {
  %1 = call i32 @_Unwind_RaiseException(ptr %e)
  unreachable
}
)";

class LowerExceptions : public testing::Test {
protected:
  llvm::Function &lowered(const std::string &functions) {
    module_ = test::parse(context_, kRuntime + functions);
    lowerExceptions(*module_);
    EXPECT_FALSE(llvm::verifyModule(*module_, &llvm::errs()));
    return *module_->getFunction("f");
  }
  static std::string textOf(const llvm::Function &function) {
    std::string text;
    llvm::raw_string_ostream(text) << function;
    return text;
  }
  static size_t countUnwindBranches(const llvm::Function &function) {
    size_t count = 0;
    for (const llvm::BasicBlock &block : function) count += isUnwindBranch(*block.getTerminator());
    return count;
  }

  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
};

constexpr const char *kCatches = R"(
define i32 @f(ptr %e) uwtable personality ptr @__gxx_personality_v0 {
  %1 = invoke ptr @throws(ptr %e) to label %ok unwind label %bad
ok:
  ret i32 0
bad:
  %2 = landingpad { ptr, i32 } catch ptr @int
  %3 = extractvalue { ptr, i32 } %2, 1
  %4 = call i32 @llvm.eh.typeid.for(ptr @int)
  %5 = icmp eq i32 %3, %4
  br i1 %5, label %caught, label %on
caught:
  ret i32 1
on:
  resume { ptr, i32 } %2
}
)";

TEST_F(LowerExceptions, ACallWithHandlersIsARegionWhileItRuns) {
  llvm::Function &f = lowered(kCatches);
  const std::string text = textOf(f);
  EXPECT_NE(text.find("store ptr @fathom.clauses"), std::string::npos) << text;
  EXPECT_EQ(text.find("invoke"), std::string::npos) << text;
  EXPECT_EQ(text.find("landingpad"), std::string::npos) << text;
  EXPECT_EQ(text.find("typeid"), std::string::npos) << text;
  // After the call; and in the landing pad, which is not for exceptions of other types.
  EXPECT_EQ(countUnwindBranches(f), 2u) << text;
}

TEST_F(LowerExceptions, PromisesOfWhatMayThrowAreDropped) {
  lowered(kCatches);
  const llvm::Function &throws = *module_->getFunction("throws");
  EXPECT_FALSE(throws.doesNotReturn());
  EXPECT_FALSE(throws.getAttributes().hasRetAttr(llvm::Attribute::NonNull));
  EXPECT_NE(textOf(throws).find("ret ptr null"), std::string::npos);
}

TEST_F(LowerExceptions, ItsBranchesAreNotTheProgramsOwn) {
  llvm::Function &f = lowered(kCatches);
  size_t own = 0;
  for (const llvm::BasicBlock &block : f)
    if (block.getTerminator()->getNumSuccessors() == 2) own += isOwnBranch(*block.getTerminator());
  EXPECT_EQ(own, 1u);
}

TEST_F(LowerExceptions, WhatCannotThrowIsLeftAlone) {
  llvm::Function &f = lowered(R"(
define i32 @f() personality ptr @__gxx_personality_v0 {
  invoke void @harmless() to label %ok unwind label %bad
ok:
  call void @harmless()
  ret i32 0
bad:
  %1 = landingpad { ptr, i32 } cleanup
  br i1 true, label %a, label %b
a:
  resume { ptr, i32 } %1
b:
  resume { ptr, i32 } %1
}
)");
  EXPECT_EQ(countUnwindBranches(f), 0u);
  // The branch in the dead landing pad stays: it has a number in every variant of the program.
  EXPECT_NE(textOf(f).find("br i1 true"), std::string::npos);
}

TEST_F(LowerExceptions, AnExceptionGoesThroughCUnlessItHasNoTables) {
  llvm::Function &f = lowered(R"(
define i32 @f(ptr %e) nounwind uwtable {
  %1 = call ptr @throws(ptr %e)
  call void @harmless()
  ret i32 2
}
define i32 @g(ptr %e) nounwind {
  %1 = call ptr @throws(ptr %e)
  call void @harmless()
  ret i32 2
}
)");
  EXPECT_NE(textOf(f).find("ret i32 0"), std::string::npos) << textOf(f);
  EXPECT_NE(textOf(*module_->getFunction("g")).find("@fathom.barrier"), std::string::npos);
}

TEST_F(LowerExceptions, ACallThatIsReturnedAtOnceNeedsNoCheck) {
  llvm::Function &f = lowered(R"(
define ptr @f(ptr %e) uwtable {
  %1 = call ptr @throws(ptr %e)
  ret ptr %1
}
)");
  EXPECT_EQ(countUnwindBranches(f), 0u);
}

TEST_F(LowerExceptions, SetjmpRemembersTheRegions) {
  llvm::Function &f = lowered(R"(
declare i32 @setjmp(ptr) returns_twice
define i32 @f(ptr %e) uwtable {
  %1 = call i32 @setjmp(ptr %e) returns_twice
  ret i32 %1
}
define i32 @g(ptr %e) uwtable personality ptr @__gxx_personality_v0 {
  %1 = call i32 @setjmp(ptr %e) returns_twice
  %2 = invoke ptr @throws(ptr %e) to label %ok unwind label %bad
ok:
  ret i32 %1
bad:
  %3 = landingpad { ptr, i32 } catch ptr null
  ret i32 1
}
define i32 @inTry(ptr %e) uwtable personality ptr @__gxx_personality_v0 {
  %1 = invoke i32 @setjmp(ptr %e) returns_twice to label %ok unwind label %bad
ok:
  ret i32 %1
bad:
  %3 = landingpad { ptr, i32 } catch ptr null
  ret i32 1
}
)");
  (void)f;
  for (const char *name : {"f", "g", "inTry"}) {
    const std::string text = textOf(*module_->getFunction(name));
    const size_t call = text.find("@setjmp");
    EXPECT_NE(text.rfind("load ptr", call), std::string::npos) << text;
    EXPECT_NE(text.find("store ptr", call), std::string::npos) << text;
  }
}

TEST(MayThrow, LibcCallsBackOnlyWhatItIsGiven) {
  llvm::LLVMContext context;
  auto module = test::parse(context, std::string(kRuntime) + R"(
@table = global ptr @compares
define i32 @compares(ptr %a, ptr %b) {
  %1 = call ptr @throws(ptr %a)
  ret i32 0
}
define i32 @sorts(ptr %compare, ptr %a) nounwind "fathom-libc" {
  %1 = call i32 %compare(ptr %a, ptr %a)
  ret i32 %1
}
define i32 @writes(ptr %file, ptr %a) nounwind "fathom-libc" {
  %1 = load ptr, ptr %file
  %2 = call i32 %1(ptr %a, ptr %a)
  ret i32 %2
}
define i32 @own(ptr %file, ptr %a) nounwind {
  %1 = load ptr, ptr %file
  %2 = call i32 %1(ptr %a, ptr %a)
  ret i32 %2
}
define i32 @unprototyped(ptr %f, i32 %a) uwtable {
  %1 = call i32 (i32, ...) %f(i32 %a)
  ret i32 %1
}
define i32 @other(ptr %file, i32 %a) {
  %1 = load ptr, ptr %file
  %2 = call i32 %1(ptr %file, i32 %a)
  ret i32 %2
}
)");
  const MayThrow mayThrow(*module, module->getFunction("_Unwind_RaiseException"));
  EXPECT_TRUE(mayThrow.function(*module->getFunction("compares")));
  EXPECT_TRUE(mayThrow.function(*module->getFunction("sorts")));
  EXPECT_FALSE(mayThrow.function(*module->getFunction("writes")));
  EXPECT_TRUE(mayThrow.function(*module->getFunction("own")));
  EXPECT_TRUE(mayThrow.function(*module->getFunction("unprototyped")));
  EXPECT_FALSE(mayThrow.function(*module->getFunction("other"))) << "of another type";
}

TEST(SeparateExceptions, ALandingPadIsEnteredFromBeforeTheCall) {
  llvm::LLVMContext context;
  auto module = test::parse(context, std::string(kRuntime) + kCatches);
  separateExceptions(*module);
  EXPECT_FALSE(llvm::verifyModule(*module, &llvm::errs()));
  const llvm::Function &f = *module->getFunction("f");
  const auto *branch = llvm::dyn_cast<llvm::BranchInst>(f.getEntryBlock().getTerminator());
  ASSERT_TRUE(branch && branch->isConditional());
  EXPECT_TRUE(isUnwindBranch(*branch));
  EXPECT_EQ(branch->getSuccessor(0)->getName(), "bad");
  for (const llvm::Instruction &i : f.getEntryBlock())
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&i))
      EXPECT_EQ(call->getCalledFunction()->getName(), "__fathom_cxx_throws");
}

} // namespace
} // namespace fathom::program
