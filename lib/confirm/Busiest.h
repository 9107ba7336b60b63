// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In which function a search decided most. A search that its time ended tells that: whoever reads
// the report sees which loop or parser the paths were lost in. What libc and the environment model
// decide is told by the call that the program makes: their own functions are nothing for readers.
#ifndef FATHOM_CONFIRM_BUSIEST_H
#define FATHOM_CONFIRM_BUSIEST_H

#include "evidence/LedgerCategory.h"
#include "explore/policy/Policy.h"

#include <cstdint>
#include <string>
#include <unordered_map>

namespace fathom::confirm {

/// The ledger's category for a function's decisions that had another way; the location is what it
/// is called (publicName), or for a call of libc "strlen, which f calls". Nothing is left out by
/// one.
inline constexpr auto kDecidesCategory = evidence::LedgerCategory::Decides;

class CountsDecisions final : public explore::Policy {
public:
  bool keepsDecisions() const override { return true; }
  void decided(explore::Engine &engine, explore::State &s,
               const explore::Decision &decision) override;

private:
  /// Of the innermost of the program's own calls, and of the call of libc that it makes.
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
