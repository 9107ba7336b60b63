// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a term points to: a guarded list of objects and offsets, read off the term.
#ifndef FATHOM_BMC_POINTERS_H
#define FATHOM_BMC_POINTERS_H

#include "bmc/Objects.h"

#include <unordered_map>
#include <vector>

namespace fathom::bmc {

/// Where `guard` holds, the address is `offset` bytes from the beginning of the object.
struct Target {
  ExprPtr guard;
  ObjectId object;        ///< kNoObject: a number that is no address of an object, null above all
  ExprPtr offset;         ///< 64 bits; of no object: the address
  bool isCallers = false; ///< the address is one of callers (Objects::isOfCallers)
};

class Pointers {
public:
  Pointers(expr::ExprContext &context, Objects &objects) : context_(context), objects_(objects) {}

  /// The guards are exclusive and cover everything. Empty: there are more than kMaxTargets.
  std::vector<Target> targetsOf(ExprPtr address);
  static constexpr size_t kMaxTargets = 64;
  /// The objects of the program whose addresses occur in the term, ascending. Linear in the term.
  const std::vector<ObjectId> &objectsIn(ExprPtr term);

private:
  bool add(ExprPtr address, ExprPtr offset, ExprPtr guard, std::vector<Target> &out);
  bool addSum(ExprPtr sum, ExprPtr offset, ExprPtr guard, std::vector<Target> &out);
  void addRoot(ExprPtr root, ExprPtr offset, ExprPtr guard, std::vector<Target> &out);

  expr::ExprContext &context_;
  Objects &objects_;
  std::unordered_map<ExprPtr, std::vector<ObjectId>> mentions_; ///< objectsIn
};

} // namespace fathom::bmc
#endif
