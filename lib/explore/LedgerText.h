// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entries of the ledger as texts for people.
//
// The detail of an entry may end in an option that would have kept what it says. A tool that uses
// explorations for another purpose has other options, and shows the detail without this part.
#ifndef FATHOM_EXPLORE_LEDGERTEXT_H
#define FATHOM_EXPLORE_LEDGERTEXT_H

#include <string>

namespace fathom::explore {

inline constexpr const char *kHintMark = "; --";

/// \param option  as on the command line, without its dashes, and what it does: "memory x keeps it"
inline std::string withHint(const std::string &detail, const std::string &option) {
  return detail + kHintMark + option;
}
inline std::string withoutHint(const std::string &detail) {
  return detail.substr(0, detail.find(kHintMark));
}

/// The location as the end of a sentence: " at a.c:3 in f", or " in f" without a known line; ""
/// without a location.
inline std::string whereText(const std::string &location) {
  if (location.empty()) return "";
  return (location.starts_with("in ") ? " " : " at ") + location;
}

} // namespace fathom::explore
#endif
