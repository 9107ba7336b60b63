// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that is all candidates of a hole at once, so that a thousand of them cost one
// compilation: the hole becomes a switch over the environment variable FATHOM_REPAIR_CHOICE, whose
// case n is the n-th candidate as C has it; 0, and no value, is what stood there. So types,
// promotions and short circuits are the compiler's.
//
// With FATHOM_REPAIR_LOG the program also writes down, in that file, the states that it has at the
// hole: the values of some places, then what the hole's expression gave.
//
//   S 3 -1 7
//   R 1
#ifndef FATHOM_REPAIR_VARIANTS_H
#define FATHOM_REPAIR_VARIANTS_H

#include "repair/Place.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fathom::repair {

inline constexpr const char *kChoiceVariable = "FATHOM_REPAIR_CHOICE";
inline constexpr const char *kLogVariable = "FATHOM_REPAIR_LOG";
/// States that one process writes down.
inline constexpr unsigned kMaxLogged = 256;

/// The source with all candidates in the hole. The number of lines stays.
/// \param logged      expressions without side effects that are integers there.
/// \param candidates  1, 2, ... in this order.
/// It compiles only if these, and the value of a Value hole, are integers, with Clang or GCC.
std::string variantSource(std::string_view source, const Hole &hole,
                          const std::vector<std::string> &logged,
                          const std::vector<std::string> &candidates);

struct LoggedState {
  std::vector<int64_t> values;   ///< in the order of `logged`
  std::optional<int64_t> result; ///< none: the process ended first
};

/// In order. What is no state of `places` values is passed over: a process can end at any moment.
std::vector<LoggedState> readLog(std::string_view text, size_t places);

} // namespace fathom::repair
#endif
