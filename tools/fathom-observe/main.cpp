// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom-observe instrument PROGRAM.bc OBJECT.o     an object file of the program that tells what
// it does fathom-observe check PROGRAM.bc OBSERVED [BREAK]  what it told, against the static result
//
// BREAK leaves out one kind of constraint (store, copy, gep or chi), to see that a check can fail.
// Exit status: 0 all observations are in the static result, 1 some are not, 2 wrong usage.
#include "Observe.h"

#include "program/Load.h"
#include "statics/pointers/ModRef.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/MemoryBuffer.h"

#include <fmt/format.h>

using namespace fathom;

static int fail(llvm::Error error) {
  fmt::print(stderr, "fathom-observe: {}\n", llvm::toString(std::move(error)));
  return 2;
}

/// Statements of one kind do nothing.
static bool breakFacts(statics::Facts &facts, const std::string &what) {
  using Kind = statics::StatementKind;
  const Kind kind = what == "store" ? Kind::Store : what == "gep" ? Kind::Gep : Kind::Copy;
  if (what != "store" && what != "gep" && what != "copy") return false;
  for (statics::Statement &s : facts.statements)
    if (s.kind == kind && facts.functions[facts.functionOf(s)].isOwn) {
      s.kind = Kind::Arithmetic;
      s.extra = 0;
    }
  return true;
}

int main(int argc, char **argv) {
  const std::string command = argc > 3 ? argv[1] : "", program = argc > 3 ? argv[2] : "";
  if (command != "instrument" && command != "check") {
    fmt::print(stderr, "fathom-observe: expected instrument or check, a program and a file\n");
    return 2;
  }
  llvm::LLVMContext context;
  program::LoadOptions load;
  load.assembly = program::LoadOptions::Assembly::Declared;
  auto module = program::loadProgram(context, {program}, load);
  if (!module) return fail(module.takeError());
  if (llvm::Error e = program::prepareModule(**module, load)) return fail(std::move(e));
  statics::FactsOrigin origin;
  auto facts = statics::buildFacts(**module, "", &origin);
  if (!facts) return fail(facts.takeError());
  if (argc > 4 && !breakFacts(*facts, argv[4])) return 2;
  const std::atomic<bool> stop{false};
  statics::PointsTo pts(*facts);
  statics::analysePointers(pts, stop);
  if (command == "instrument") {
    if (llvm::Error e = observe::instrument(**module, *facts, pts, origin, argv[3]))
      return fail(std::move(e));
    return 0;
  }
  statics::ModRef modRef(pts);
  statics::ValueFlow flow(pts, modRef);
  flow.build(stop);
  auto file =
      llvm::MemoryBuffer::getFile(argv[3], /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file) return fail(llvm::createStringError(file.getError(), "cannot read %s", argv[3]));
  const observe::Verdict v = observe::check(flow, (*file)->getBuffer().str());
  for (const std::string &m : v.missing) fmt::print("missing: {}\n", m);
  fmt::print("{} accesses, {} pointers, {} calls, {} def-use pairs: {} missing\n", v.addresses,
             v.pointers, v.calls, v.defUses, v.missing.size());
  return v.missing.empty() ? 0 : 1;
}
