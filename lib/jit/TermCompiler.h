// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Terms as machine code, made in memory.
//
//   TermCompiler compiler;
//   RowLayout layout(roots);
//   if (const NativeTerms *code = compiler.compile({roots}, layout))
//     code->run(0, row, values);            // values: one word per root
//
// Several groups of roots become several functions: where roots depend on external operations, the
// caller computes what these get as input, executes them, and goes on (RowLayout::Application).
//
// For a search that evaluates the same terms thousands of times: compiling costs some microseconds
// per term and a millisecond at least, an evaluation some nanoseconds per ten terms.
// (BatchEvaluator needs next to nothing to compile, and Evaluator nothing.) Guarantee: agrees with
// Evaluator.
//
// Method: one function in LLVM IR (TermEmitter), LLVM's code generator without optimisation, and
// its linker for objects in memory. ORC's layers would add their own cost to each query and offer
// what single functions without names have no use for.
#ifndef FATHOM_JIT_TERMCOMPILER_H
#define FATHOM_JIT_TERMCOMPILER_H

#include "expr/RowLayout.h"
#include "jit/TermCode.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace fathom::jit {

using expr::ExprPtr;

/// Code that was compiled. Lives until its compiler compiles again.
class NativeTerms {
public:
  /// Computes all roots of a group for one row of layout.rowBytes() bytes.
  void run(size_t group, const uint8_t *row, uint64_t *values) const {
    functions_[group](row, values, calls_);
  }

  /// Whether code() calls nothing outside. Then a copy of it runs at any address, without
  /// TermCalls.
  bool isSelfContained() const { return selfContained_; }
  /// The machine code of all groups, with its constants.
  std::span<const uint8_t> code() const { return code_; }
  /// Where a group's TermFunction begins in code().
  uint64_t place(size_t group) const { return places_[group]; }

private:
  friend class TermCompiler;
  std::vector<TermFunction> functions_;
  std::vector<uint64_t> places_;
  std::span<const uint8_t> code_;
  bool selfContained_ = false;
  const TermCalls *calls_ = nullptr;
};

struct TermCompilerOptions {
  bool optimise = false;          ///< LLVM's -O1 code generation: slower to compile, faster to run.
  size_t maxTerms = 30'000;       ///< More are not compiled: it would take too long.
  size_t memoryBytes = 16u << 20; ///< For code and its constants.
};

/// Threads: one compiler belongs to one thread.
class TermCompiler {
public:
  explicit TermCompiler(const TermCompilerOptions &options = {});
  ~TermCompiler();

  /// Replaces what was compiled before. Null: a term is not supported or there are too many, or the
  /// machine has no code generator (error()).
  const NativeTerms *compile(std::span<const std::vector<ExprPtr>> groups,
                             const expr::RowLayout &layout);
  /// Why the last compile gave nothing.
  const std::string &error() const { return error_; }

private:
  struct Impl;
  TermCompilerOptions options_;
  std::unique_ptr<Impl> impl_;
  NativeTerms terms_;
  std::string error_;
};

} // namespace fathom::jit
#endif
