// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/CoveredSet.h"

namespace fathom::campaign {

static constexpr char kGaps = 'g', kBitmap = 'b';

std::string encodeCovered(std::span<const uint32_t> elements) {
  std::string gaps(1, kGaps);
  uint32_t next = 0;
  for (uint32_t element : elements) {
    uint32_t gap = element - next;
    for (; gap >= 0x80; gap >>= 7) gaps += static_cast<char>(gap | 0x80);
    gaps += static_cast<char>(gap);
    next = element + 1;
  }
  const size_t bitmapBytes = (next + 7) / 8;
  if (gaps.size() <= bitmapBytes + 1) return gaps;
  std::string bitmap(1 + bitmapBytes, '\0');
  bitmap[0] = kBitmap;
  for (uint32_t element : elements)
    bitmap[1 + element / 8] = static_cast<char>(bitmap[1 + element / 8] | 1 << element % 8);
  return bitmap;
}

bool decodeCovered(std::string_view bytes, uint32_t limit, std::vector<uint32_t> &elements) {
  elements.clear();
  if (bytes.empty()) return false;
  const char form = bytes[0];
  bytes.remove_prefix(1);
  if (form == kBitmap) {
    for (size_t i = 0; i < bytes.size() * 8; ++i)
      if (static_cast<unsigned char>(bytes[i / 8]) >> i % 8 & 1)
        elements.push_back(static_cast<uint32_t>(i));
    return bytes.size() <= limit / 8 + 1 && (elements.empty() || elements.back() < limit);
  }
  if (form != kGaps) return false;
  uint64_t next = 0, gap = 0;
  unsigned shift = 0;
  for (char c : bytes) {
    if (shift > 28) return false;
    gap |= uint64_t(c & 0x7f) << shift;
    shift += 7;
    if (c & 0x80) continue;
    next += gap;
    if (next >= limit) return false;
    elements.push_back(static_cast<uint32_t>(next++));
    gap = shift = 0;
  }
  return shift == 0;
}

} // namespace fathom::campaign
