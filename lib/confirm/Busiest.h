// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function in which a search decided most. A search that ran out of time reports it: the report
// shows in which loop or parser the paths were lost. Decisions of libc and of the environment model
// count for the program's call: readers do not know their functions.
#ifndef FATHOM_CONFIRM_BUSIEST_H
#define FATHOM_CONFIRM_BUSIEST_H

#include "evidence/LedgerCategory.h"
#include "explore/policy/Policy.h"

#include <cstdint>
#include <string>
#include <unordered_map>

namespace fathom::confirm {

/// Policies of confirm report to their search by categories of the ledger that no results folder
/// has (LedgerCategoryRow::isOfConfirm). This one counts a function's decisions that had another
/// way; the location is what it is called (publicName), or for a call of libc "strlen, which f
/// calls". Nothing is left out by one.
inline constexpr auto kDecidesCategory = evidence::LedgerCategory::Decides;

/// A policy that counts decisions by function, in the ledger.
class DecisionCounter final : public explore::Policy {
public:
  bool keepsDecisions() const override { return true; }
  void decided(explore::Engine &engine, explore::State &s,
               const explore::Decision &decision) override;

private:
  /// The place is the innermost of the program's own calls, with the call of libc that it makes.
  const std::string &placeOf(const program::Program &program, const explore::State &s);
  std::unordered_map<uint64_t, std::string> places_; ///< by both functions; looked up only
};

/// What users call a function of libc. Libc's name for it may be another: an alias without an
/// underscore in front is the public one. Names of the environment model: "the environment model".
/// Cost: O(functions).
std::string publicName(const program::Program &program, uint32_t function);

/// "8 of 12 decisions were made in f"; "": none was counted.
std::string busiestText(const explore::Ledger &ledger);

} // namespace fathom::confirm
#endif
