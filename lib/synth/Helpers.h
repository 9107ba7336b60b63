// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_SYNTH_HELPERS_H
#define FATHOM_SYNTH_HELPERS_H

#include "synth/Grammar.h"
#include "synth/Reach.h"
#include "synth/Writer.h"

namespace fathom::synth {

/// Values that the parser's field `mode` takes: 0 to kModes - 1.
constexpr unsigned kModes = 8;

/// Which of the parser's helpers the grammar has need of, and whether reachable code has.
class Helpers {
public:
  Helpers(const Grammar &grammar, const Reach &reach);

  /// program.h up to the declarations of the nonterminals' functions.
  void writeHeader(Writer &out) const;
  /// The helpers, then the program's entry.
  void writeFunctions(Writer &out) const;

private:
  enum class Need { No, Dead, Live };
  Need of(Kind kind) const { return needs_[static_cast<size_t>(kind)]; }
  static Fate fate(Need need) {
    return {need == Need::Live ? Reason::Reachable : Reason::Unused, 0};
  }
  void writeBasics(Writer &out) const;
  void writeLetters(Writer &out) const;
  void writeKey(Writer &out) const;
  void writeNames(Writer &out) const;
  void writeEntry(Writer &out) const;

  const Grammar &g_;
  void noteJumps(const Node &node, Need need, uint8_t outcomes);
  void writeRejection(Writer &out) const;

  Need needs_[static_cast<size_t>(Kind::Action) + 1] = {};
  Need sets_ = Need::No; ///< conditions on several bytes
  // What functions need that do not return errors.
  Need rejects_ = Need::No, must_ = Need::No, enters_ = Need::No;
  bool mustFails_ = false;
};

/// Whether a condition on these lookaheads is a look into a table rather than a comparison.
inline bool usesTable(const Lookahead &set) { return set.count() > 1; }
/// A byte as a constant of C.
std::string literal(unsigned byte);

} // namespace fathom::synth
#endif
