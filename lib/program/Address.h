// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The analysed program's address space: an address tells its object in constant time, without a
// look-up structure.
//
//   bits 46..41   size class k          bits 40..0   slot number * 2^k + offset in the slot
//
// An object of `size` bytes has a slot of 2^k >= 2 * size bytes to itself and begins a quarter into
// it, so that a quarter or more is free on both sides and two objects are at least half a slot
// apart. Slots have 2 MiB or more. An access beyond an object's end, or before its start, by less
// than 1 MiB, or than the object's size, never hits another object; by half of that, it is still in
// the object's own slot. Only a program with more than a hundred thousand small objects at a time
// gets some closer ones (Memory::allocate). Addresses are a function of the sequence of allocations
// alone: deterministic.
#ifndef FATHOM_PROGRAM_ADDRESS_H
#define FATHOM_PROGRAM_ADDRESS_H

#include "fathom/slots.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

namespace fathom::program {

inline constexpr unsigned kClassShift = FATHOM_CLASS_SHIFT;
inline constexpr unsigned kMinClass = FATHOM_MIN_CLASS;
inline constexpr unsigned kUsualClass = FATHOM_USUAL_CLASS;
inline constexpr unsigned kMaxClass = FATHOM_MAX_CLASS;
inline constexpr uint64_t kMaxObjectSize = uint64_t(1) << (kMaxClass - 1);
inline constexpr unsigned kFunctionClass = 1; ///< addresses of functions
inline constexpr unsigned kBlockClass = 2;    ///< addresses of basic blocks (indirectbr)

/// The smallest class for an object of this size whose address is a multiple of `align` (a power of
/// two). May be more than kMaxClass: then there is no room for such an object.
constexpr unsigned smallestClass(uint64_t sizeBytes, uint64_t align = 1) {
  const auto bits = [](uint64_t v) {
    return v ? static_cast<unsigned>(std::bit_width(v - 1)) : 0u;
  };
  return std::max({kMinClass, bits(sizeBytes) + 1, bits(align) + 2});
}
/// The class in which such an object is placed as long as there are slots.
constexpr unsigned usualClass(uint64_t sizeBytes, uint64_t align = 1) {
  return std::max(kUsualClass, smallestClass(sizeBytes, align));
}
constexpr unsigned classOf(uint64_t address) {
  return static_cast<unsigned>(address >> kClassShift);
}
constexpr uint64_t slotAddress(unsigned k, uint64_t slot) {
  return (uint64_t(k) << kClassShift) + (slot << k);
}
/// Where the object of a slot begins.
constexpr uint64_t objectAddress(unsigned k, uint64_t slot) {
  return slotAddress(k, slot) + (uint64_t(1) << (k - 2));
}
/// Slots of class k (slot 0 is never used).
constexpr uint64_t slotCount(unsigned k) { return uint64_t(1) << (kClassShift - k); }
constexpr uint64_t slotOf(uint64_t address) {
  return (address & ((uint64_t(1) << kClassShift) - 1)) >> classOf(address);
}
constexpr bool isDataAddress(uint64_t address) {
  return (address >> 47) == 0 && classOf(address) >= kMinClass && classOf(address) <= kMaxClass;
}
constexpr uint64_t functionAddress(uint32_t index) {
  return (uint64_t(kFunctionClass) << kClassShift) + (uint64_t(index) + 1) * 16;
}
/// The other way round: the index whose functionAddress this is, whether or not there are so many
/// functions; none for all other addresses.
constexpr std::optional<uint64_t> functionIndex(uint64_t address) {
  if (classOf(address) != kFunctionClass || (address & 15)) return std::nullopt;
  return ((address & ((uint64_t(1) << kClassShift) - 1)) >> 4) - 1;
}
constexpr uint64_t blockAddress(uint32_t index) {
  return (uint64_t(kBlockClass) << kClassShift) + (uint64_t(index) + 1) * 16;
}

} // namespace fathom::program
#endif
