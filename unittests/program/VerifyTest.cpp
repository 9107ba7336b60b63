// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The verifier finds what it is meant to find, and finds nothing in what the decoder makes of real
// and generated programs.
#include "program/Verify.h"

#include "Support.h"

#include "program/Operands.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace fathom::program;
using namespace fathom::program::test;

namespace {

const char *const kProgram = R"(
declare i32 @printf(ptr, ...)
define i32 @g(i32 %x) {
  ret i32 %x
}
define i32 @f(i32 %n, ptr %p) {
entry:
  %a = alloca i32
  store ptr %a, ptr %p
  switch i32 %n, label %head [ i32 1, label %done
                               i32 2, label %other ]
other:
  %t = add i32 %n, 3
  %u = mul i32 %t, %t
  br label %done
head:
  %i = phi i32 [ 0, %entry ], [ %j, %head ]
  %k = xor i32 %i, 1
  %1 = call i32 @g(i32 %k)
  %2 = call i32 (ptr, ...) @printf(ptr %p, i32 %1)
  %j = udiv i32 %i, 10
  %c = icmp slt i32 %j, %n
  br i1 %c, label %head, label %done
done:
  %r = phi i32 [ 0, %entry ], [ %j, %head ], [ %u, %other ]
  ret i32 %r
}
)";

Inst &find(Program &p, Op op) {
  for (Inst &inst : p.functions[p.functionIndex["f"]].code)
    if (inst.op == op) return inst;
  ADD_FAILURE() << "no " << opName(op);
  static Inst none{Op::Count};
  return none;
}

/// Decodes a good program, spoils it, and returns the verifier's complaints.
template <class Spoil> std::string complaint(Spoil spoil) {
  Program p = decodeText(kProgram);
  spoil(p, p.functions[p.functionIndex["f"]]);
  std::string all;
  for (const std::string &problem : verify(p)) all += problem + "\n";
  return all;
}

TEST(Verify, AcceptsWhatIsRight) {
  EXPECT_EQ(complaint([](Program &, FunctionCode &) {}), "");
}

TEST(Verify, FindsSlotsOutOfRange) {
  EXPECT_NE(complaint([](Program &p, FunctionCode &f) {
              find(p, Op::Store64).b = f.slots;
            }).find("operand slot"),
            std::string::npos);
  EXPECT_NE(complaint([](Program &p, FunctionCode &f) {
              find(p, Op::UDiv).dst = f.slots;
            }).find("result slot"),
            std::string::npos);
  EXPECT_NE(
      complaint([](Program &, FunctionCode &f) { f.pool[0] = f.slots; }).find("argument slot"),
      std::string::npos);
  EXPECT_NE(complaint([](Program &, FunctionCode &f) {
              f.varArgs[0][0].slot = f.slots;
            }).find("variable argument slot"),
            std::string::npos);
}

TEST(Verify, FindsTargetsOutOfRange) {
  EXPECT_NE(complaint([](Program &p, FunctionCode &f) {
              find(p, Op::Jmp).c = static_cast<uint32_t>(f.code.size());
            }).find("target"),
            std::string::npos);
  EXPECT_NE(complaint([](Program &, FunctionCode &f) {
              f.switches[0].targets[0] = 10000;
            }).find("target"),
            std::string::npos);
  EXPECT_NE(complaint([](Program &, FunctionCode &f) {
              f.code.back().op = Op::AsmBarrier;
            }).find("falls off the end"),
            std::string::npos);
}

TEST(Verify, FindsTablesOutOfRange) {
  EXPECT_NE(complaint([](Program &p, FunctionCode &) { find(p, Op::Alloca).d = 7; }).find("alloca"),
            std::string::npos);
  EXPECT_NE(
      complaint([](Program &p, FunctionCode &) { find(p, Op::Alloca).c = 3; }).find("alignment"),
      std::string::npos);
  EXPECT_NE(complaint([](Program &p, FunctionCode &) {
              find(p, Op::Switch).imm = 1;
            }).find("switch table"),
            std::string::npos);
  EXPECT_NE(complaint([](Program &p, FunctionCode &) { find(p, Op::Call).c = 99; }).find("callee"),
            std::string::npos);
  EXPECT_NE(complaint([](Program &p, FunctionCode &) {
              find(p, Op::CallExternal).imm = 1000;
            }).find("pool range"),
            std::string::npos);
  EXPECT_NE(complaint([](Program &, FunctionCode &f) { f.locs[0] = 10000; }).find("location"),
            std::string::npos);
}

TEST(Verify, FindsWrongCalls) {
  EXPECT_NE(
      complaint([](Program &p, FunctionCode &) { find(p, Op::Call).b = 0; }).find("argument slots"),
      std::string::npos);
  EXPECT_NE(complaint([](Program &p, FunctionCode &) { find(p, Op::Call).d = 0; }).find("variadic"),
            std::string::npos);
  EXPECT_NE(complaint([](Program &p, FunctionCode &) {
              find(p, Op::XorI).w = 31;
            }).find("argument of another width"),
            std::string::npos);
}

TEST(Verify, FindsWrongWidths) {
  EXPECT_NE(complaint([](Program &p, FunctionCode &) {
              find(p, Op::Add32I).imm = uint64_t(1) << 32;
            }).find("immediate"),
            std::string::npos);
  EXPECT_NE(complaint([](Program &p, FunctionCode &) { find(p, Op::Mul32).w = 31; }).find("32-bit"),
            std::string::npos);
  EXPECT_NE(complaint([](Program &p, FunctionCode &) { find(p, Op::UDiv).w = 0; }).find("width"),
            std::string::npos);
}

TEST(Verify, FindsWrongBranches) {
  EXPECT_NE(complaint([](Program &p, FunctionCode &) {
              find(p, Op::CondJmp).imm = 77;
            }).find("does not exist"),
            std::string::npos);
  EXPECT_NE(complaint([](Program &p, FunctionCode &) {
              find(p, Op::CondJmp).flags = 0;
            }).find("whose code"),
            std::string::npos);
  EXPECT_NE(complaint([](Program &p, FunctionCode &) {
              p.branches[1].sideBase++;
            }).find("sides are not consecutive"),
            std::string::npos);
  EXPECT_NE(complaint([](Program &, FunctionCode &f) {
              std::swap(f.switches[0].values[0], f.switches[0].values[1]);
            }).find("ascending"),
            std::string::npos);
}

TEST(Verify, FindsLocalSlotsReadBeforeTheyAreWritten) {
  EXPECT_NE(complaint([](Program &p, FunctionCode &f) {
              // The comparison's result, moved into the pool of block-local slots, is read where
              // nothing wrote it.
              find(p, Op::CondJmp).a = f.slots++;
            }).find("read before it is written"),
            std::string::npos);
}

TEST(Operands, EveryOperationIsKnown) {
  // An operation that forEachSlot does not list would have no operands at all.
  for (uint16_t op = 0; op < static_cast<uint16_t>(Op::Count); ++op) {
    Inst inst{static_cast<Op>(op)};
    inst.w = 1;
    inst.d = 1;
    inst.b = 1;
    bool any = false;
    forEachSlot(inst, [&](const uint32_t &, uint32_t, bool) { any = true; });
    switch (inst.op) {
    case Op::Jmp:
    case Op::RetVoid:
    case Op::Point:
    case Op::Unreachable:
    case Op::Unsupported:
    case Op::SurplusArguments:
    case Op::AsmBarrier: EXPECT_FALSE(any) << opName(inst.op); break;
    default: EXPECT_TRUE(any) << opName(inst.op); break;
    }
  }
}

/// Loads, prepares, decodes and verifies a file. Returns the program, empty on failure.
Program decodeFile(const std::string &path) {
  llvm::LLVMContext context;
  LoadOptions options;
  auto module = loadProgram(context, {path}, options);
  if (!module) {
    ADD_FAILURE() << toString(module.takeError());
    return {};
  }
  if (llvm::Error e = prepareModule(**module, options)) {
    ADD_FAILURE() << toString(std::move(e));
    return {};
  }
  auto program = decode(**module);
  if (!program) {
    ADD_FAILURE() << path << ": " << toString(program.takeError());
    return {};
  }
  std::vector<std::string> problems = verify(*program);
  for (size_t i = 0; i < problems.size() && i < 5; ++i)
    ADD_FAILURE() << path << ": " << problems[i];
  return std::move(*program);
}

bool runTool(const std::string &name, const std::vector<std::string> &args,
             const std::string &output) {
  auto path = llvm::sys::findProgramByName(name);
  if (!path) return false;
  std::vector<llvm::StringRef> argv{*path};
  argv.insert(argv.end(), args.begin(), args.end());
  return llvm::sys::ExecuteAndWait(
             *path, argv, std::nullopt,
             {llvm::StringRef(""), llvm::StringRef(output), llvm::StringRef("")}) == 0;
}

class GeneratedPrograms : public testing::TestWithParam<int> {};

TEST_P(GeneratedPrograms, AreWellFormedAtEveryLevel) {
  if (!llvm::sys::findProgramByName("csmith")) GTEST_SKIP() << "csmith is not installed";
  Scratch scratch;
  const std::string source = scratch.path("p.c");
  // It leaves a file where it runs.
  ASSERT_TRUE(runTool("sh",
                      {"-c", "cd \"$0\" && exec csmith \"$@\"", scratch.path("."), "--seed",
                       std::to_string(GetParam()), "--no-argc", "--float", "--max-funcs", "8"},
                      source));
  for (const char *level : {"-O0", "-O1", "-O2", "-O3"}) {
    const std::string bitcode = scratch.path("p.bc");
    std::vector<std::string> args{"-w",
                                  level,
                                  "-g",
                                  "-Xclang",
                                  "-disable-O0-optnone",
                                  "-I",
                                  FATHOM_PROGRAM_INPUTS,
                                  "-emit-llvm",
                                  "-c",
                                  source,
                                  "-o",
                                  bitcode};
    if (std::string(level) == "-O3") args.push_back("-mavx2"); // wide vectors, masked accesses
    ASSERT_TRUE(runTool("clang-19", args, scratch.path("log"))) << level;
    Program program = decodeFile(bitcode);
    EXPECT_NE(program.find("main"), nullptr) << level;
    // What is not supported: bit-fields of packed structures that clang accesses as one integer of
    // more than 128 bits.
    for (const std::string &message : program.messages)
      EXPECT_NE(message.find("(at most 128)"), std::string::npos) << level << ": " << message;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, GeneratedPrograms, testing::Values(2, 3, 8, 13, 34, 55, 89));

TEST(Subjects, CoreutilsAreWellFormed) {
  const std::string folder = std::string(FATHOM_SUBJECTS) + "/coreutils/src";
  if (!std::filesystem::exists(folder))
    GTEST_SKIP() << "coreutils is not built (./dev subject coreutils)";
  for (const char *tool : {"cut", "sort", "ls", "wc", "od", "printf", "factor", "stat"}) {
    const std::string path = folder + "/" + tool + ".bc";
    if (!std::filesystem::exists(path)) continue;
    Program program = decodeFile(path);
    ASSERT_NE(program.find("main"), nullptr) << tool;
    EXPECT_TRUE(program.find("main")->own) << tool;
    EXPECT_GT(program.ownBranches, 0u) << tool;
    EXPECT_LT(program.ownBranches, program.branches.size()) << tool;
  }
}

} // namespace
