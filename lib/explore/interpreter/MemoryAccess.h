// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes of a state's memory, with their terms, and a cache of the running state's pages
// (as a processor's TLB).
#ifndef FATHOM_EXPLORE_INTERPRETER_MEMORYACCESS_H
#define FATHOM_EXPLORE_INTERPRETER_MEMORYACCESS_H

#include "explore/interpreter/ExecutableCode.h"
#include "explore/interpreter/Running.h"

#include <array>

namespace fathom::explore {

class MemoryAccess {
public:
  MemoryAccess(Running &running, const ExecutableCode &code)
      : run_(running), ctx_(running.ctx), code_(code) {}

  struct Loaded {
    uint64_t lo = 0, hi = 0; ///< when term is null
    ExprPtr term = nullptr;
  };
  /// Reads size (1..16) bytes that are in bounds of a live object. Uninitialised bytes get terms of
  /// their own.
  Loaded load(State &state, uint64_t address, unsigned size);
  /// Gives those of these bytes that were never written terms of their own (Unwritten.h).
  void nameUnwritten(State &state, uint64_t address, uint64_t size);
  void store(State &state, uint64_t address, unsigned size, uint64_t lo, uint64_t hi);
  void storeTerm(State &state, uint64_t address, ExprPtr value); ///< width a multiple of 8
  /// Copies bytes with their terms and uninitialised bits; both ranges are in bounds.
  void copy(State &state, uint64_t to, uint64_t from, uint64_t size);
  void fill(State &state, uint64_t to, ExprPtr term, uint8_t value, uint64_t size);

  // --- of the running state, for handlers
  // --------------------------------------------------------------------
  /// Concrete in-bounds access through the slow path; false when it is not (the caller raises
  /// Event::Memory).
  bool loadSlow(uint64_t address, unsigned size, Loaded &out);
  bool storeSlow(uint64_t address, unsigned size, uint64_t lo, uint64_t hi);
  bool storeTermSlow(uint64_t address, ExprPtr value);
  bool memOp(const Inst *ip, const uint64_t *r,
             const ExprPtr *s); ///< MemCpy, MemMove, MemSet; false: Event::MemOp

  struct TlbEntry {
    uint64_t key = ~uint64_t(0);
    uint8_t *data = nullptr;
    uint32_t size = 0;     ///< bytes of the page that are in bounds
    uint32_t writable = 0; ///< exclusively ours and not constant
  };
  static constexpr unsigned kTlbSize = 256;
  std::array<TlbEntry, kTlbSize> tlb;

  /// Keys take 52 bits; the 12 above hold the epoch, so that forgetting everything is one addition.
  uint64_t tlbEpoch = 0;
  static uint64_t pageKey(uint64_t address) { return address >> kPageShift; }
  static uint64_t pageOffset(uint64_t address) { return address & (kPageSize - 1); }
  /// Slot numbers begin at bit 9 of most keys; below are the pages of an object.
  static unsigned tlbIndex(uint64_t key) {
    return static_cast<unsigned>((key ^ (key >> (program::kUsualClass - kPageShift))) % kTlbSize);
  }
  /// Forgets cached pages: after anything but the interpreter itself changed the current state's
  /// memory or shared it.
  void flushTlb() {
    tlbEpoch += uint64_t(1) << 52;
    if (tlbEpoch == 0)
      for (TlbEntry &e : tlb) e.key = ~uint64_t(0);
  }
  void forgetObject(const ObjectState &object);

private:
  ExprPtr originalOf(State &state, const ObjectState &copy, uint64_t offset);
  bool copyOverlapping(State &state, uint64_t to, uint64_t from, uint64_t size);
  void cachePage(uint64_t address, const ObjectState &object, Page &page, bool writable);
  void forgetPage(uint64_t address);

  Running &run_;
  expr::ExprContext &ctx_;
  const ExecutableCode &code_;
};

} // namespace fathom::explore
#endif
