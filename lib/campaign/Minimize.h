// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Smaller inputs that still do the same.
//
//   std::string small = minimizeInput(input, [&](const std::string &candidate) {
//     return crashesTheSame(candidate);
//   }, /*mostRuns=*/500);
#ifndef FATHOM_CAMPAIGN_MINIMIZE_H
#define FATHOM_CAMPAIGN_MINIMIZE_H

#include <cstdint>
#include <functional>
#include <string>

namespace fathom::campaign {

/// Takes parts out, from halves down to single bytes, as long as that changes nothing, and then
/// gives the bytes that do not matter the value '0'.
///
/// \param isSame    asked for candidates only, never for the input itself.
/// \param mostRuns  of isSame; what is left then may still have parts that do not matter.
/// \returns         the input itself, or a candidate for which isSame was true.
/// Guarantee:       with runs left, no single byte can be taken out. O(n log n) runs where parts
///                  are independent.
/// Source:          [ddmin], complements only.
std::string minimizeInput(std::string input, const std::function<bool(const std::string &)> &isSame,
                          uint64_t mostRuns);

} // namespace fathom::campaign
#endif
