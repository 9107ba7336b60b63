// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The analysed program's address space: an address tells its object in constant time, without a
// look-up structure.
//
//   bits 46..41   size class k          bits 40..0   slot number * 2^k + offset in the slot
//
// An object of `size` bytes lives at the start of a slot of 2^k >= 2 * size bytes, so that the
// distance between two objects is at least the size of the smaller gap: running over an object's
// end, or before its start, by less than its size never lands in another one. Slots are never
// shared. Addresses are a function of the sequence of allocations alone: deterministic.
#ifndef FATHOM_PROGRAM_ADDRESS_H
#define FATHOM_PROGRAM_ADDRESS_H

#include <bit>
#include <cstdint>
#include <optional>

namespace fathom::program {

inline constexpr unsigned kClassShift = 41;
inline constexpr unsigned kMinClass = 5; ///< 32-byte slots: objects of up to 16 bytes
inline constexpr unsigned kMaxClass = 40;
inline constexpr uint64_t kMaxObjectSize = uint64_t(1) << (kMaxClass - 1);
inline constexpr unsigned kFunctionClass = 1; ///< addresses of functions
inline constexpr unsigned kBlockClass = 2;    ///< addresses of basic blocks (indirectbr)

constexpr unsigned sizeClass(uint64_t sizeBytes) {
  uint64_t s = sizeBytes < 16 ? 16 : sizeBytes;
  return static_cast<unsigned>(std::bit_width(s - 1)) + 1;
}
constexpr unsigned classOf(uint64_t address) {
  return static_cast<unsigned>(address >> kClassShift);
}
constexpr uint64_t slotAddress(unsigned k, uint64_t slot) {
  return (uint64_t(k) << kClassShift) + (slot << k);
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
