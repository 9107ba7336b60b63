// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the value of a term cannot be told, because it depends on a byte that is not given. The
// value in such a lane is arbitrary. Over-approximates: an operation that would give the same for
// every value of its unknown operand counts as unknown, unless it is a choice.
#include "expr/BatchCompiler.h"

namespace fathom::expr {

using SlotId = BatchCompiler::SlotId;

SlotId BatchCompiler::addBits(Kind kind, SlotId a, SlotId b) {
  return add({.kind = kind,
              .from = LaneType::U8,
              .to = LaneType::U8,
              .width = 1,
              .outWidth = 1,
              .a = offset(a),
              .b = offset(b)},
             LaneType::U8);
}

SlotId BatchCompiler::eitherUnknown(SlotId a, SlotId b) {
  if (a == kNone) std::swap(a, b);
  if (a == kNone) return kNone;
  return b == kNone || a == b ? hold(a) : addBits(Kind::Or, a, b);
}

SlotId BatchCompiler::chosenUnknown(SlotId condition, SlotId then, SlotId otherwise) {
  if (then == otherwise) return then == kNone ? kNone : hold(then);
  return addIte(condition, then == kNone ? zero() : then, otherwise == kNone ? zero() : otherwise);
}

/// Any kind but Read.
SlotId BatchCompiler::emitUnknown(ExprPtr e) {
  SlotId unknown[3] = {kNone, kNone, kNone};
  bool some = false;
  for (unsigned i = 0; i < e->numOps(); ++i) {
    unknown[i] = unknownOf(e->op(i));
    some |= unknown[i] != kNone;
  }
  if (!some) return kNone;

  if (e->kind() == Kind::Ite) {
    SlotId chosen = chosenUnknown(valueOf(e->op(0)), unknown[1], unknown[2]);
    SlotId result = eitherUnknown(unknown[0], chosen);
    releaseIfAny(chosen);
    return result;
  }
  if (e->isBool() && (e->kind() == Kind::And || e->kind() == Kind::Or)) {
    // One side is enough when it is known to be false (And), true (Or): unknown where one side is
    // and the other is unknown too or does not decide.
    const bool isAnd = e->kind() == Kind::And;
    SlotId result = kNone;
    for (unsigned i = 0; i < 2; ++i) {
      if (unknown[i] == kNone) continue;
      const SlotId other = valueOf(e->op(1 - i));
      SlotId undecided = isAnd ? chosenUnknown(other, unknown[i], unknown[1 - i])
                               : chosenUnknown(other, unknown[1 - i], unknown[i]);
      SlotId both = undecided == kNone ? kNone : addBits(Kind::And, unknown[i], undecided);
      releaseIfAny(undecided);
      SlotId more = eitherUnknown(result, both);
      releaseIfAny(result);
      releaseIfAny(both);
      result = more;
    }
    return result;
  }
  SlotId result = kNone;
  for (SlotId u : unknown) {
    SlotId more = eitherUnknown(result, u);
    releaseIfAny(result);
    result = more;
  }
  return result;
}

} // namespace fathom::expr
