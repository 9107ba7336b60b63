// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a path was told on its way: every answer of the solver and everything else that does not
// follow from the program and its inputs alone, in the order of asking. Running the program again
// from the start with these answers leads to the same state without asking a solver: the log is the
// path prefix that workers hand to each other and that a frontier is stored as.
//
// A log is a sequence of numbers, most of them one byte. Forking shares what is there: O(1), and a
// few bytes per answer.
#ifndef FATHOM_EXPLORE_PATHLOG_H
#define FATHOM_EXPLORE_PATHLOG_H

#include "explore/PersistentList.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fathom::explore {

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

  /// Seven bits at a time, the lowest first.
  void append(uint64_t value) {
    for (; value >= 0x80; value >>= 7) put(static_cast<char>(value | 0x80));
    put(static_cast<char>(value));
  }
  /// The whole log: what PathScript reads. Linear.
  std::string bytes() const {
    size_t size = size_;
    std::string all(size, 0); // once, from its end: a frontier is a million logs
    open_.copy(&all[size -= open_.size()], open_.size());
    for (auto *n = sealed_.last.get(); n; n = n->previous.get())
      n->value.copy(&all[size -= n->value.size()], n->value.size());
    return all;
  }

  size_t size() const { return size_; } ///< bytes

  /// The log is what is sealed, newest first and shared with paths that forked from this one, and
  /// then what is open.
  const ListNode<std::string> *sealed() const { return sealed_.last.get(); }
  const std::string &open() const { return open_; }

  /// Of the whole log (FNV-1a). The same path taken again can have another log: what was asked
  /// when, and what the world was like, is in it (State::identity is the path's).
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
  /// What the path was the first to cover and no test covers yet, oldest first (State::firsts).
  std::vector<uint32_t> firsts;
  unsigned revivals = 0; ///< how often a state was suspended here and brought back, in vain
  unsigned attempts = 0; ///< Pending::attempts
};

/// Reads a log.
class PathScript {
public:
  explicit PathScript(std::string bytes) : bytes_(std::move(bytes)) {}
  bool done() const { return at_ >= bytes_.size(); }
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
};

} // namespace fathom::explore
#endif
