// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One symbolic heap: what a function has done on one path, or on several that did the same. Memory
// is a list of cells; what no cell tells is as it was when the function began. Pointers that the
// function got from outside are taken for pointers to different objects unless a branch says
// otherwise.
#ifndef FATHOM_STATICS_HEAP_HEAPSTATE_H
#define FATHOM_STATICS_HEAP_HEAPSTATE_H

#include "statics/heap/Constraints.h"
#include "statics/heap/PureCalls.h"
#include "statics/heap/Trace.h"

#include <memory>
#include <span>

namespace fathom::statics::heap {

struct Cell {
  Address at;
  uint32_t bytes = 0; ///< 0: the value is the length of the text that begins here
  TermId value = kNoTerm;
  bool isInput = false; ///< it was only read: it holds what it held at the start
};

/// An object that was freed, or a file that was closed.
struct Released {
  TermId base = kNoTerm;
  TermId pointer = kNoTerm; ///< that was passed: what is in front of a pointer of callers is theirs
  TraceId by = kNoTrace;
  bool isClosed = false;
};

/// An access through an address from outside: of each the first one, and the first after each
/// release.
struct Access {
  TermId base = kNoTerm;
  uint32_t after = 0; ///< how many objects were released before
  StatementId at = kNone;
  TraceId trace = kNoTrace;
};

/// Something that is right or wrong depending on what callers pass: an access within the bounds of
/// an object, or a divisor.
struct Check {
  StatementId at = kNone;
  Address address{};
  uint32_t bytes = 0;
  bool writes = false;
  bool isLast = false;      ///< of a range of bytes, which may be empty: its last one
  TermId divisor = kNoTerm; ///< kNoTerm: an access
  TermId text = kNoTerm;    ///< a text is read that begins there, to its end; kNoTerm: others
  bool operator==(const Check &other) const { return at == other.at && address == other.address; }
};

/// A loop that the path is in.
struct Round {
  BlockId header = 0;
  uint8_t count = 0;        ///< how often it came back to the header
  uint8_t free = 0;         ///< how often without a branch that could go either way
  TraceId trace = kNoTrace; ///< of the path when it was there last
  std::shared_ptr<const std::vector<Cell>> cells; ///< what memory held when it entered the loop
  std::vector<TermId> phis{};                     ///< what the header's phis were then
};

/// Are both in the same rounds of the same loops?
bool hasSameRounds(const std::vector<Round> &a, const std::vector<Round> &b);

class HeapState {
public:
  std::vector<TermId> values; ///< by value of the function, from its first on
  Constraints constraints;
  TraceId trace = kNoTrace;
  std::vector<Cell> cells;        ///< ascending by address, then by size
  std::vector<Released> released; ///< in order
  std::vector<TermId> made;       ///< allocations and files of this function and its callees
  std::vector<TermId>
      forgotten; ///< ascending: bases of memory that something unknown may have written
  std::vector<TermId> escaped; ///< ascending: bases that code which is not looked at may have kept
  std::vector<TermId> copied;  ///< ascending: bases of outside whose contents are elsewhere, too
  /// Ascending: bases of objects of which what no cell tells may have been written, too, or not.
  std::vector<TermId> partlyWritten;
  std::vector<TermId> zeroed; ///< bases that were filled with zeros
  /// Ascending, among those forgotten: bases of memory that held other things in other heaps, which
  /// are one now.
  std::vector<TermId> mixed;
  std::vector<Access> accesses;
  std::vector<Check> checks;
  std::vector<Round> rounds;
  PureCalls pure;
  /// Of pointers whose rounds are not told apart any more: nothing excludes that the text that they
  /// walk through ended before the round.
  std::vector<TermId> behindText;
  bool areGlobalsForgotten = false; ///< those without cells may hold anything
  bool fails = false;               ///< an allocation fails on this path
  bool isBlurred = false;           ///< it stands for heaps that have little in common
  TraceId blurredAt = kNoTrace;     ///< since when: events behind it are of this heap alone
  bool isBlurredBelow = false;      ///< so does what a callee did
  /// In a block that all return statements lead to: that of this path; kNone: elsewhere.
  StatementId returnsBy = kNone;

  const Cell *find(const Address &at, uint32_t bytes) const;
  /// An access through an address from outside.
  void note(const Access &access);
  /// Removes cells that a write there may change.
  void clear(const Terms &terms, const Address &at, uint64_t bytes);
  void write(const Terms &terms, const Address &at, uint32_t bytes, TermId value);
  /// Lengths of texts after what they consist of.
  void writeAll(const Terms &terms, const std::vector<Cell> &written);
  /// Memory holds this there, and did so before. REQUIRES: no cell has this address and size.
  void keep(const Address &at, uint32_t bytes, TermId value, bool isInput);
  /// Something unknown may have written the object and, if it may keep the pointer (`escapes`), all
  /// that its cells point to.
  void forget(const Terms &terms, TermId base, bool escapes) {
    forget(terms, std::vector{base}, escapes);
  }
  void forget(const Terms &terms, std::vector<TermId> bases, bool escapes);
  std::span<const Cell> cellsOf(TermId base) const;
  /// It stands for both: what is blurred in either is blurred in it.
  void addBlur(const HeapState &other);
  /// Something may have kept the pointer.
  void escape(const Terms &terms, TermId pointer);
  void addForgotten(TermId base);
  /// What the object holds is elsewhere, too. isOutside: callers may know more of what it holds.
  void spread(const Terms &terms, TermId base, bool isOutside);
  bool isForgotten(TermId base) const;
  void addPartlyWritten(TermId base);
  bool isPartlyWritten(TermId base) const;
  bool isMixed(TermId base) const;
  const Released *findReleased(TermId base) const;

  /// Nobody can lose what was freed, or is not there.
  void dropSettled(const Terms &terms);
  /// Do both hold the same, apart from constraints and the way that led here? `live`: which values
  /// still count, ascending.
  bool holdsSame(const HeapState &other, std::span<const uint32_t> live) const;
  /// In how many values and cells both differ. nullopt: in at least `below`, or in what reports are
  /// about, that is, in what was allocated and freed, and in which pointers lead there, are null,
  /// or have no value. Source: [esp02]: ways that differ in no property may be one.
  std::optional<uint32_t> distance(const Terms &terms, const HeapState &other,
                                   std::span<const uint32_t> live,
                                   uint32_t below = UINT32_MAX) const;
  /// Leaves what is known on both paths: conditions, and what calls returned.
  void keepCommon(Terms &terms, const HeapState &other);
  /// REQUIRES: holdsSame. Afterwards this state stands for both.
  void join(Terms &terms, const HeapState &other);
  /// Where there are too many heaps: this one stands for both, with nothing known of what differs,
  /// and without defects that only one has.
  void widen(Terms &terms, const HeapState &other, std::span<const uint32_t> live);

private:
  bool isPointedTo(const Terms &terms, TermId base, std::span<const uint32_t> live) const;
};

} // namespace fathom::statics::heap
#endif
