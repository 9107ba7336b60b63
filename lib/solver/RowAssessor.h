// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to lib/solver: the branch distances of constraints for many rows at once. The
// constraints' distances, and the inputs of the external operations that they depend on, are
// machine code (jit::TermCompiler); the operations are executed level by level, each input once.
#ifndef FATHOM_SOLVER_ROWASSESSOR_H
#define FATHOM_SOLVER_ROWASSESSOR_H

#include "expr/ExprContext.h"
#include "expr/RowLayout.h"
#include "jit/TermCompiler.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace fathom::solver {

class RowAssessor {
public:
  RowAssessor(expr::ExprContext &context, const expr::RowLayout &layout,
              jit::TermCompiler &compiler)
      : context_(context), layout_(layout), compiler_(compiler) {}

  /// False: cannot be compiled; why() says why.
  bool compile(std::span<const expr::ExprPtr> constraints);
  const std::string &why() const { return compiler_.error(); }

  /// `rows`: count rows of layout.rowBytes() bytes, whose results of operations are filled in.
  /// `distances`: for each row, one for each constraint; 0: it holds.
  void assess(uint8_t *rows, size_t count, uint64_t *distances);

private:
  struct Operation {
    const expr::RowLayout::Application *application;
    size_t group;
    std::unordered_map<std::string, uint32_t> known; // input -> where its results are in `results`
    std::vector<uint8_t> results;
  };
  void execute(Operation &operation, uint8_t *rows, size_t count);

  expr::ExprContext &context_;
  const expr::RowLayout &layout_;
  jit::TermCompiler &compiler_;
  const jit::NativeTerms *code_ = nullptr;
  size_t constraints_ = 0;
  std::vector<Operation> operations_;
  std::vector<uint64_t> values_;
  std::vector<uint8_t> in_, out_;
};

} // namespace fathom::solver
#endif
