// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From LLVM assembly to value flow, for tests.
#ifndef FATHOM_UNITTESTS_STATICS_ANALYSED_H
#define FATHOM_UNITTESTS_STATICS_ANALYSED_H

#include "statics/front/BuildFacts.h"
#include "statics/valueflow/ValueFlow.h"

#include "program/Load.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

namespace fathom::statics {

struct Analysed {
  explicit Analysed(const std::string &text) {
    llvm::SMDiagnostic error;
    std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(
        "target datalayout = "
        "\"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"\n"
        "target triple = \"x86_64-unknown-linux-gnu\"\n" +
            text,
        error, context);
    EXPECT_TRUE(module) << error.getMessage().str();
    EXPECT_FALSE(llvm::errorToBool(program::prepareModule(*module, {})));
    llvm::Expected<Facts> built = buildFacts(*module, "");
    EXPECT_TRUE(bool(built));
    facts = std::move(*built);
    const std::atomic<bool> stop{false};
    pts = std::make_unique<PointsTo>(facts);
    EXPECT_TRUE(analysePointers(*pts, stop));
    modRef = std::make_unique<ModRef>(*pts);
    flow = std::make_unique<ValueFlow>(*pts, *modRef);
    EXPECT_TRUE(flow->build(stop));
  }
  /// The n-th statement of this kind in the function.
  const Statement &statement(const char *function, StatementKind kind, unsigned n = 0) const {
    const Function &f = facts.functions[facts.findFunction(function)];
    for (BlockId b = f.firstBlock; b < f.firstBlock + f.numBlocks; b++)
      for (StatementId s = facts.blocks[b].firstStatement; s < facts.blocks[b].end(); s++) {
        const Statement &found = facts.statements[s];
        if (found.kind == kind && n-- == 0) return found;
      }
    ADD_FAILURE() << "no such statement in " << function;
    return facts.statements[0];
  }
  StatementId idOf(const Statement &s) const {
    return static_cast<StatementId>(&s - facts.statements.data());
  }

  llvm::LLVMContext context;
  Facts facts;
  std::unique_ptr<PointsTo> pts;
  std::unique_ptr<ModRef> modRef;
  std::unique_ptr<ValueFlow> flow;
};

} // namespace fathom::statics
#endif
