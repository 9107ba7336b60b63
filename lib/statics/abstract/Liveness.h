// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which variables a block need not know any more. States stay small, and relational domains relate
// what matters, if dead variables are forgotten at the start of each block.
#ifndef FATHOM_STATICS_ABSTRACT_LIVENESS_H
#define FATHOM_STATICS_ABSTRACT_LIVENESS_H

#include "statics/abstract/Program.h"

namespace fathom::statics::abstract {

/// Fills Block::dead of every function: variables of the function that a predecessor may know and
/// nothing reads from the block on. Cost: O(blocks * variables) bits per function.
void findDead(AbstractProgram &program);

/// Calls use(variable) for everything that the statement reads.
template <class Use> void forEachUse(const Condition &condition, Use use) {
  if (!condition.a.isConstant()) use(condition.a.var);
  if (!condition.b.isConstant()) use(condition.b.var);
  for (const Condition &part : condition.parts) forEachUse(part, use);
}
template <class Use> void forEachUse(const Statement &s, Use use) {
  for (const Operand *operand : {&s.a, &s.b, &s.c})
    if (!operand->isConstant()) use(operand->var);
  for (const Operand &operand : s.arguments)
    if (!operand.isConstant()) use(operand.var);
  forEachUse(s.condition, use);
}

} // namespace fathom::statics::abstract
#endif
