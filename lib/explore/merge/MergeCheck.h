// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Is a merged state the states that it is made from, no less and no more? Asked of Z3 alone.
//
// Source: [merging23] Thm. 3.7, in both directions, and for values.
#ifndef FATHOM_EXPLORE_MERGE_MERGECHECK_H
#define FATHOM_EXPLORE_MERGE_MERGECHECK_H

#include "expr/ExprContext.h"
#include "solver/Oracle.h"

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace fathom::explore {

using expr::ExprPtr;

/// What became one.
struct Merged {
  solver::PathCondition root; ///< of the state before the loop
  ExprPtr condition;          ///< what the merged state's path says beyond it
  struct Member {
    ExprPtr condition;  ///< what its own path says beyond the root's
    uint64_t count = 0; ///< of a pattern: the counter's value that stands for it
  };
  std::vector<Member> members;
  ExprPtr counter = nullptr; ///< its array; null: merged by the tree
  struct Value {
    std::vector<ExprPtr> each; ///< of each member
    ExprPtr merged;
  };
  std::vector<Value> values;
  void note(std::span<const ExprPtr> each, ExprPtr value) {
    values.push_back({{each.begin(), each.end()}, value});
  }
};

class MergeCheck {
public:
  /// timeout: of one question.
  MergeCheck(expr::ExprContext &context, std::chrono::milliseconds timeout);
  ~MergeCheck();

  struct Result {
    uint64_t open = 0; ///< questions without an answer
    std::string wrong; ///< the first thing that is; empty: nothing is
  };
  /// Three questions for each member, and one for all.
  Result check(const Merged &merged);

private:
  /// Can all of these hold?
  void ask(const Merged &merged, std::initializer_list<ExprPtr> conditions, const std::string &what,
           Result &result);

  expr::ExprContext &context_;
  std::chrono::milliseconds timeout_;
  std::unique_ptr<solver::FeasibilityOracle> reference_;
};

} // namespace fathom::explore
#endif
