// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Undefined operations on constants: 10 / 0, 1 << 40.
//
// Clang's IR builder computes operations on constants while it builds them, at -O0 too, and gives
// those that are undefined the value poison. What the operation was is gone then. It is not where
// clang's sanitizers check it: there a check fails whose condition is a constant. So a source with
// such a poison is compiled once more, with checks that trap; those that fail for certain are kept,
// with their kind and place, and all others are taken out again, so that the bitcode is otherwise
// the same. Machine code is not concerned: it does what the plain compilation makes of it.
#ifndef FATHOM_CC_CONSTANTCHECKS_H
#define FATHOM_CC_CONSTANTCHECKS_H

#include <set>
#include <string>
#include <string_view>
#include <tuple>

namespace fathom::cc {

/// Does a function of this module compute with poison? False for what is no bitcode.
bool usesPoison(std::string_view bitcode);

/// Failing checks, by function, line and column.
using FailingChecks = std::set<std::tuple<std::string, unsigned, unsigned>>;

/// The module in `path`, compiled with trapping checks, without those that may hold.
/// \param isSecond  it was compiled with the check for overflow: divisions that fail and are not in
///                  `failing` do not divide by zero, but overflow (INT_MIN / -1)
/// \param failing   receives the checks that fail
/// \returns        bitcode; empty: the file holds none
std::string withConstantChecks(const std::string &path, bool isSecond, FailingChecks &failing);

} // namespace fathom::cc

#endif
