// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to lib/solver: the branch distances of constraints for many rows at once. The
// constraints' distances, and the inputs of the external operations that they depend on, are
// machine code (jit::TermCompiler). Where all operations are executed by one process, that code
// runs there too (expr::RowHost), so that one exchange is for all rows; otherwise, and on rows on
// which that process ends, the operations are executed level by level, each input once.
#ifndef FATHOM_SOLVER_ROWASSESSOR_H
#define FATHOM_SOLVER_ROWASSESSOR_H

#include "expr/ExprContext.h"
#include "expr/RowHost.h"
#include "expr/RowLayout.h"
#include "jit/TermCompiler.h"
#include "solver/Deadline.h"

#include <string>
#include <utility>
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
  /// False: the deadline came first; some rows and distances are not filled in.
  bool assess(uint8_t *rows, size_t count, uint64_t *distances, const Deadline &deadline = {});

private:
  /// An application, and its results for the inputs of late: a hash table without a list, since
  /// rows come by the million.
  struct Operation {
    const expr::RowLayout::Application *application = nullptr;
    std::vector<std::pair<uint32_t, uint32_t>> copied; // place in the key, offset in the row
    std::vector<uint32_t> computed;                    // places in the key, of the group's roots
    size_t group = 0;                                  // 0: nothing is computed
    std::vector<uint32_t> slots;                       // entry + 1; 0: empty
    std::vector<uint8_t> keys, results;                // of all entries
    size_t entries = 0;
  };
  void loadIntoHost();
  void assessHere(uint8_t *rows, size_t count, uint64_t *distances);
  void execute(Operation &operation, uint8_t *rows, size_t count);
  /// The entry of this key (the input's variable bytes); made, without results, if there is none.
  static size_t find(Operation &operation, const uint8_t *key);

  expr::ExprContext &context_;
  const expr::RowLayout &layout_;
  jit::TermCompiler &compiler_;
  const jit::NativeTerms *code_ = nullptr;
  expr::RowHost *host_ = nullptr; // evaluates whole rows; null: we do
  unsigned failures_ = 0;
  size_t constraints_ = 0;
  std::vector<Operation> operations_;
  std::vector<uint64_t> values_;
  std::vector<uint8_t> in_, key_;
  std::vector<size_t> found_;
};

} // namespace fathom::solver
#endif
