// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The set of elements that one unit covered, as bytes: a bitmap, or the gaps between elements as
// variable-length numbers, whichever is shorter. Never longer than elements/8 + 1 bytes.
#ifndef FATHOM_CAMPAIGN_COVEREDSET_H
#define FATHOM_CAMPAIGN_COVEREDSET_H

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fathom::campaign {

/// \param elements  ascending, each once.
std::string encodeCovered(std::span<const uint32_t> elements);
/// False when it is no such set, or has elements that are not below `limit`.
bool decodeCovered(std::string_view bytes, uint32_t limit, std::vector<uint32_t> &elements);

} // namespace fathom::campaign
#endif
