// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/front/Predicates.h"

namespace fathom::statics {

Predicate oppositeOf(Predicate predicate) {
  switch (predicate) {
  case Predicate::Equal: return Predicate::Unequal;
  case Predicate::Unequal: return Predicate::Equal;
  case Predicate::Less: return Predicate::GreaterEqual;
  case Predicate::LessEqual: return Predicate::Greater;
  case Predicate::Greater: return Predicate::LessEqual;
  case Predicate::GreaterEqual: return Predicate::Less;
  case Predicate::Other: break;
  }
  return Predicate::Other;
}

Predicate mirroredOf(Predicate predicate) {
  switch (predicate) {
  case Predicate::Less: return Predicate::Greater;
  case Predicate::LessEqual: return Predicate::GreaterEqual;
  case Predicate::Greater: return Predicate::Less;
  case Predicate::GreaterEqual: return Predicate::LessEqual;
  default: return predicate;
  }
}

uint8_t ordersOf(Predicate predicate) {
  switch (predicate) {
  case Predicate::Equal: return kEqual;
  case Predicate::Unequal: return kLess | kGreater;
  case Predicate::Less: return kLess;
  case Predicate::LessEqual: return kLess | kEqual;
  case Predicate::Greater: return kGreater;
  case Predicate::GreaterEqual: return kGreater | kEqual;
  case Predicate::Other: break;
  }
  return kAnyOrder;
}

} // namespace fathom::statics
