// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The grammar as plain rules: conditionals and loops as nonterminals of their own, as [assess25]
// Sec. III-A maps them. What is never executed is left out. Of context-sensitive constraints the
// context-free part remains.
#ifndef FATHOM_SYNTH_BNF_H
#define FATHOM_SYNTH_BNF_H

#include "synth/Grammar.h"

#include <string>
#include <vector>

namespace fathom::synth {

/// Terminals: bytes are 0 to 255, then classes of them.
enum BnfTerminal : uint32_t {
  kLetter = 256, ///< a letter that means something (tag, name)
  kDigit,        ///< a count
  kRightKey,     ///< a key and the others: the parser reads one as a whole and then compares
  kWrongKey,
  kBnfTerminals
};

struct BnfSymbol {
  bool terminal = false;
  uint32_t id = 0; ///< terminal, or index into Bnf::rules
};

struct Bnf {
  std::vector<std::string> names; ///< N0, N1, ..., then N0.1 and so on; first is the start symbol
  /// By nonterminal, its rules; an empty one derives the empty string.
  std::vector<std::vector<std::vector<BnfSymbol>>> rules;
};

/// Cost: O(nodes).
Bnf toBnf(const Grammar &grammar);

/// "A" as it is; classes LETTER, DIGIT, KEY, OTHER-KEY; nonterminals <N0.1>.
std::string text(const Bnf &bnf, const BnfSymbol &symbol);

} // namespace fathom::synth
#endif
