// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The answers that a path got on its way: those of the solver, and everything else that does not
// follow from the program and its inputs alone, in the order of asking. Running the program again
// from the start with these answers leads to the same state without asking a solver: the log is the
// path prefix that workers hand to each other and that a frontier is stored as.
//
// A log is a sequence of records. A record begins with a number that says its kind; what belongs to
// it (the bytes in which a witness changes) follows as plain numbers. Most records are one byte.
// Forking shares what is there: O(1), and a few bytes per answer.
#ifndef FATHOM_EXPLORE_STATE_PATHLOG_H
#define FATHOM_EXPLORE_STATE_PATHLOG_H

#include "explore/state/PersistentList.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fathom::explore {

/// The kind of a record. A reader says which kind it expects next: so a log of another program, or
/// of other options, is detected at the first record of another kind.
enum class Record : uint8_t {
  Fork,    ///< which of the two copies this one is; its bytes are 0 and 1 (RandomPathSearcher)
  Answer,  ///< of the solver: Feasible
  Witness, ///< in how many bytes the new witness differs; symbol, index and value of each follow
  Known,   ///< what other paths, or the policy, knew at that time
  Range,   ///< of the values of a term
  Environment, ///< what the host or an external function gave
  Region,      ///< a merged loop: where it is on the path; which of its states, and what tells it,
               ///< follow
  Counter      ///< of a merged loop: has the path left it one value? (KnownCounters)
};
constexpr unsigned kRecordKinds = 8;
const char *name(Record kind);

class PathLog {
public:
  PathLog() = default;
  PathLog(const PathLog &other) { *this = other; }
  PathLog &operator=(const PathLog &other) {
    other.seal();
    sealed_ = other.sealed_;
    open_.clear();
    size_ = other.size_;
    hash_ = other.hash_;
    return *this;
  }
  explicit PathLog(const std::string &bytes) : open_(bytes), size_(bytes.size()) {
    for (char c : bytes) mix(c);
  }

  /// A record: three bits of kind and the lowest four of the value in the first byte, then
  /// seven at a time.
  void append(Record kind, uint64_t value) {
    const auto first = static_cast<unsigned>(kind) << 4 | static_cast<unsigned>(value & 15);
    put(static_cast<char>(first | (value > 15 ? 0x80 : 0)));
    if (value > 15) append(value >> 4);
  }
  /// Appends a number that belongs to the record before.
  void append(uint64_t value) {
    for (; value >= 0x80; value >>= 7) put(static_cast<char>(value | 0x80));
    put(static_cast<char>(value));
  }
  /// The whole log: what LogReader reads. Linear.
  std::string bytes() const {
    size_t size = size_;
    std::string all(size, 0); // once, from its end: a frontier is a million logs
    open_.copy(&all[size -= open_.size()], open_.size());
    for (auto *n = sealed_.last.get(); n; n = n->previous.get())
      n->value.copy(&all[size -= n->value.size()], n->value.size());
    return all;
  }

  size_t size() const { return size_; } ///< bytes

  /// The log is its sealed part, newest first and shared with paths that forked from this one, and
  /// then its open part.
  const ListNode<std::string> *sealed() const { return sealed_.last.get(); }
  const std::string &open() const { return open_; }

  /// The hash of the whole log (FNV-1a). The same path taken again can have another log, because
  /// the log also records when queries were asked and what the environment returned.
  /// (State::identity identifies the path.)
  uint64_t hash() const { return hash_; }

private:
  void put(char c) {
    open_ += c;
    size_++;
    mix(c);
  }
  void mix(char c) { hash_ = (hash_ ^ static_cast<uint8_t>(c)) * 0x100000001b3ull; }
  void seal() const {
    if (open_.empty()) return;
    sealed_.push(std::move(open_));
    open_.clear();
  }
  // Sealing changes how the log is held, not what it says.
  mutable PersistentList<std::string> sealed_;
  mutable std::string open_;
  size_t size_ = 0;
  uint64_t hash_ = 0xcbf29ce484222325ull;
};

/// A path that is not ended, as workers hand it to each other and as a frontier is stored.
struct PathPrefix {
  std::string log;
  /// What the path was the first to cover and no test covers yet, oldest first
  /// (State::newlyCovered).
  std::vector<uint32_t> newlyCovered;
  unsigned revivals = 0; ///< how often a state was suspended here and brought back, in vain
  unsigned attempts = 0; ///< Pending::attempts
  /// Paths below it that go on elsewhere are not explored here: the number of a set of hashes of
  /// their logs, and identities (Coordinator); 0: none.
  uint32_t excludedPaths = 0;
  /// The offered input (work/InputSource.h) that the path follows to its end; null: none.
  std::shared_ptr<const std::vector<uint8_t>> input = {};
};

/// Reads a log.
class LogReader {
public:
  /// `from`: so much of it was read before.
  explicit LogReader(std::string bytes, size_t from = 0) : bytes_(std::move(bytes)), at_(from) {}
  bool done() const { return at_ >= bytes_.size(); }
  /// The next record, which has to be of this kind. Null at the end, and where it is of another
  /// one: then nothing is read, and `misaligned` says so.
  std::optional<uint64_t> next(Record kind) {
    if (done()) return std::nullopt;
    const auto byte = static_cast<uint8_t>(bytes_[at_]);
    if ((byte >> 4 & 7) != static_cast<unsigned>(kind)) {
      misaligned_ = true;
      return std::nullopt;
    }
    at_++;
    const uint64_t low = byte & 15;
    if (!(byte & 0x80)) return low;
    const std::optional<uint64_t> rest = next();
    return rest ? std::optional(low | *rest << 4) : std::nullopt;
  }
  bool misaligned() const { return misaligned_; }
  /// Is the next record of this kind? Nothing is read.
  bool isNext(Record kind) const {
    return !done() && (static_cast<uint8_t>(bytes_[at_]) >> 4 & 7) == static_cast<unsigned>(kind);
  }
  /// The same; the record also has this value.
  bool isNext(Record kind, uint64_t value) {
    const size_t from = at_;
    const bool says = isNext(kind) && next(kind) == value;
    at_ = from;
    return says;
  }
  size_t at() const { return at_; }
  /// The kind of the next record, in words. REQUIRES that there is one.
  const char *kindThere() const;
  /// Null at the end, and for bytes that are no log.
  std::optional<uint64_t> next() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && at_ < bytes_.size(); shift += 7) {
      auto byte = static_cast<uint8_t>(bytes_[at_++]);
      value |= uint64_t(byte & 0x7f) << shift;
      if (!(byte & 0x80)) return value;
    }
    at_ = bytes_.size();
    return std::nullopt;
  }

private:
  std::string bytes_;
  size_t at_ = 0;
  bool misaligned_ = false;
};

} // namespace fathom::explore
#endif
