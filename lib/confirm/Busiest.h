// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In which function a search decided most. A search that its time ended tells that: whoever reads
// the report sees which loop or parser the paths were lost in.
#ifndef FATHOM_CONFIRM_BUSIEST_H
#define FATHOM_CONFIRM_BUSIEST_H

#include "explore/policy/Policy.h"

#include <string>

namespace fathom::confirm {

/// The ledger's category for a function's decisions that had another way; the location is its name.
/// Nothing is left out by one.
inline constexpr const char *kDecidesCategory = "decides";

class CountsDecisions final : public explore::Policy {
public:
  bool keepsDecisions() const override { return true; }
  void decided(explore::Engine &engine, explore::State &s,
               const explore::Decision &decision) override;
};

/// "8 of 12 decisions were made in f"; "": none was counted.
std::string busiestText(const explore::Ledger &ledger);

} // namespace fathom::confirm
#endif
