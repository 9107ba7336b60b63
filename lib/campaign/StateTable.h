// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver's side of runtime/native/states.h: the table in which all processes of a campaign
// count the states they see. The file outlives them, so that --resume goes on with it.
#ifndef FATHOM_CAMPAIGN_STATETABLE_H
#define FATHOM_CAMPAIGN_STATETABLE_H

#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fathom::campaign {

/// How often one state was seen at one point. Values are in the order of StatePoint::variables.
struct SampledState {
  uint32_t point = 0;
  std::vector<int64_t> values;
  uint64_t count = 0;
  auto operator<=>(const SampledState &) const = default;
};

struct StateSamples {
  std::vector<SampledState> states; ///< ascending, each state of a point once
  uint64_t dropped = 0;             ///< samples for which the table had no room
};

/// Entries of a table: it holds so many distinct states, and takes 88 bytes of the disk for each
/// that it has.
inline constexpr uint64_t kStateEntries = uint64_t(1) << 20;

/// A new, empty table. Errors: the file cannot be written.
llvm::Error createStateTable(const std::string &path, uint64_t points,
                             uint64_t entries = kStateEntries);

/// What is in it, also while processes write to it. Errors: no table; one of other points.
llvm::Expected<StateSamples> readStateTable(const std::string &path, uint64_t points);

} // namespace fathom::campaign
#endif
