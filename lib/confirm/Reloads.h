// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Paths that meet a freed object of callers again, through a pointer which they load from memory
// after it was freed, although they wrote pointers through pointers of callers. Two such pointers
// lead to objects of their own there, so a list can have any shape: a loop that unlinks the first
// node by `n->prev->next = n->next`, and frees it, finds it first again, unless callers made a list
// in which `n->prev` is the head. Such a path shows the defect only if callers make what no program
// with lists makes.
//
// Guarantee: neither. A path may meet the object again in spite of what it wrote.
#ifndef FATHOM_CONFIRM_RELOADS_H
#define FATHOM_CONFIRM_RELOADS_H

#include "explore/policy/Policy.h"
#include "explore/Results.h"

namespace fathom::confirm {

/// A policy that adds a note to such paths.
class ReloadNotes final : public explore::Policy {
public:
  std::vector<explore::PointSite> points(const program::Program &program) const override;
  Answer at(explore::Engine &engine, explore::State &s) override;
};

/// Is the test's path one?
bool reloads(const explore::TestCase &test);

} // namespace fathom::confirm
#endif
