// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of callers as [satracer] has it: every pointer leads to a location of its own. So it is
// never null (here), and no two lead to one (EntryMemory::Lazy).
#ifndef FATHOM_CONFIRM_PAPERINIT_H
#define FATHOM_CONFIRM_PAPERINIT_H

#include "explore/policy/Policy.h"

namespace fathom::confirm {

/// Unknown pointers among the parameters of the function where paths begin, and those that the
/// program's own code loads, are not null. A path that says otherwise by then keeps what it says.
class PaperInit final : public explore::Policy {
public:
  explicit PaperInit(uint32_t entry) : entry_(entry) {}
  std::vector<explore::PointSite> points(const program::Program &program) const override;
  Answer at(explore::Engine &engine, explore::State &s) override;

private:
  uint32_t entry_;
};

} // namespace fathom::confirm
#endif
