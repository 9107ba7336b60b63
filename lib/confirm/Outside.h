// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Paths that ask the system something to which the model of the environment has one answer: the
// time, a variable of the environment, whether a file is there. Natively the answer may be another
// one, and lead to the defect; so a search with such a path refutes nothing.
#ifndef FATHOM_CONFIRM_OUTSIDE_H
#define FATHOM_CONFIRM_OUTSIDE_H

#include "evidence/LedgerCategory.h"
#include "explore/policy/Policy.h"

namespace fathom::confirm {

/// The ledger's category; the detail says which function asked for what.
inline constexpr auto kOutsideCategory = evidence::LedgerCategory::OutsideAnswer;

/// A policy that enters into the ledger which functions of libc paths call whose results come from
/// the system. Functions that read input are not among them (CallGraph::readsInput), and neither
/// are those of memory.
class OutsideNotes final : public explore::Policy {
public:
  std::vector<explore::PointSite> points(const program::Program &program) const override;
  Answer at(explore::Engine &engine, explore::State &s) override;
};

} // namespace fathom::confirm
#endif
