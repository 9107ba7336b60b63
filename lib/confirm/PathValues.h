// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values that decide a confirmed path, for people. A path from the middle of a program begins
// with hundreds of unknown values, of which its branches ask for a few. A policy notes in the
// ledger which parts of which symbols the decisions at each line speak of; what the lines of the
// path speak of comes first, the nearest to the sink before the others.
//
// What libc's code decides for a call (strcmp's loop over its bytes) is noted at the call.
//
// Guarantee: neither. A line may ask for a value on another path only, and of a line that asks for
//            very many only the first are noted.
#ifndef FATHOM_CONFIRM_PATHVALUES_H
#define FATHOM_CONFIRM_PATHVALUES_H

#include "confirm/CallGraph.h"
#include "evidence/LedgerCategory.h"
#include "explore/policy/Policy.h"

#include <cstdint>
#include <map>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace fathom::confirm {

/// Bytes of a symbol that something depends on.
struct ValueUse {
  std::string symbol;
  uint64_t first = 0, bytes = 0; ///< bytes 0: all of it, at indices that are not known
  bool isText = false;           ///< each byte was asked for alone
  auto operator<=>(const ValueUse &) const = default;
};

/// The ledger's category for what decisions speak of; location and detail are only for usesOf.
/// Nothing is left out by one.
inline constexpr auto kSpeaksOfCategory = evidence::LedgerCategory::SpeaksOf;
/// The same of what a check at the sink asks for: where the witness fails it, nothing is decided.
inline constexpr auto kSinkSpeaksOfCategory = evidence::LedgerCategory::SpeaksOfSink;

/// A policy that enters into the ledger which values decisions depend on.
class ValueUseNotes final : public explore::Policy {
public:
  /// \param kinds  of the defect; the interpreter's checks for other kinds say nothing of it
  /// \param sink  its instructions
  ValueUseNotes(std::vector<evidence::BugKind> kinds, std::vector<CallGraph::CallAt> sink)
      : kinds_(std::move(kinds)), sink_(std::move(sink)) {}
  std::vector<explore::PointSite> points(const program::Program &program) const override;
  Answer at(explore::Engine &engine, explore::State &s) override;
  bool keepsDecisions() const override { return true; }
  void decided(explore::Engine &engine, explore::State &s,
               const explore::Decision &decision) override;

private:
  bool isOtherCheck(explore::Engine &engine, const explore::State &s,
                    explore::ExprPtr condition) const;

  std::vector<evidence::BugKind> kinds_;
  std::vector<CallGraph::CallAt> sink_;
  std::unordered_set<explore::ExprPtr> seen_;               ///< conditions
  std::map<std::pair<uint32_t, uint32_t>, size_t> perLine_; ///< function and line: noted
};

/// What the decisions on the bug's path speak of, the nearest to its end first, each once.
std::vector<ValueUse> usesOf(const program::Program &program, const explore::Ledger &ledger,
                             const explore::Bug &bug);

struct PathValues {
  std::vector<std::pair<std::string, std::string>> shown; ///< name, bytes as text
  uint64_t more = 0;   ///< the number of values of the same kind that are left out
  uint64_t others = 0; ///< the number of other unknown values, which nothing is known to ask for
};
/// What was unknown at the path's start and what it is on this path: numbers of up to eight bytes
/// as numbers, objects as their first bytes. At most a dozen: what `uses` says; without such,
/// parameters first. Uses of the same bytes are one.
PathValues pathValues(const std::vector<explore::SymbolValue> &symbols,
                      const std::vector<ValueUse> &uses);
/// What a line prints.
inline constexpr size_t kMaxShown = 12;
/// In quotes: its first bytes.
std::string quotedText(const std::vector<uint8_t> &data);

} // namespace fathom::confirm
#endif
