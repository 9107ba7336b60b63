// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions as they were built. A term is simplified while it is built: `k < n` has another form
// for each of k = 0, 1, 255, 256, and a comparison of words becomes one of bytes. So terms of one
// loop's rounds do not look alike. An unsimplified term is what the builder was asked for: an
// operation on unsimplified terms, without a rule applied and in the order of its operands. Each
// exists once (equality is that of pointers), and building it again gives the very term that it
// stands for.
//
// Source: the hash of shapes is [merging23] Sec. 3.1, over unsimplified terms in place of
// simplified formulas.
#ifndef FATHOM_EXPR_UNSIMPLIFIEDTERM_H
#define FATHOM_EXPR_UNSIMPLIFIEDTERM_H

#include "expr/ExprContext.h"

#include <functional>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace fathom::expr {

class UnsimplifiedTerm;
using UnsimplifiedPtr = const UnsimplifiedTerm *;

class UnsimplifiedTerm {
public:
  enum class Form : uint8_t {
    Constant,  ///< leaf(): the constant
    Word,      ///< width() / 8 bytes of the array leaf() from offset() on, the first one lowest
    Leaf,      ///< leaf(): an opaque term; an array
    Operation, ///< kind(), op(i)
  };
  Form form() const { return form_; }
  Kind kind() const { return kind_; }
  unsigned width() const { return width_; }
  ExprPtr leaf() const { return leaf_; }
  /// Word: of its first byte. Operation: of what Extract takes, the lowest bit; of FRound, the
  /// direction.
  uint64_t offset() const { return value_; }
  unsigned numOps() const { return numOps_; }
  UnsimplifiedPtr op(unsigned i) const { return ops_[i]; }
  /// As a tree.
  uint32_t size() const { return size_; }
  bool operator==(const UnsimplifiedTerm &other) const;

private:
  friend class UnsimplifiedTerms;
  Form form_ = Form::Leaf;
  Kind kind_ = Kind::Const;
  uint8_t numOps_ = 0;
  mutable bool mark_ = false;
  uint16_t width_ = 0;
  uint32_t size_ = 1;
  uint64_t value_ = 0;
  ExprPtr leaf_ = nullptr;
  UnsimplifiedPtr ops_[3] = {};
};

/// Arrays whose bytes count rounds of patterns that were found before: constants of a shape.
using Counters = std::unordered_set<ExprPtr>;

class UnsimplifiedTerms {
public:
  explicit UnsimplifiedTerms(ExprContext &context) : context_(context) {}
  UnsimplifiedTerms(const UnsimplifiedTerms &) = delete;

  /// Larger ones, as trees, are leaves.
  static constexpr uint32_t kMaxSize = 1024;

  // --- what was built
  /// How the term was built last; for a term without a note, its own structure.
  UnsimplifiedPtr of(ExprPtr e);
  UnsimplifiedPtr negation(UnsimplifiedPtr l);
  UnsimplifiedPtr both(Kind kind, UnsimplifiedPtr a,
                       UnsimplifiedPtr b); ///< And, Or: of two conditions
  /// The builder was asked for this, and gave `result`. offset: of an Extract.
  void built(ExprPtr result, Kind kind, std::initializer_list<ExprPtr> operands,
             uint64_t offset = 0);
  /// The term was built as this says. One that is tested again (x != 0) stays what it was.
  void note(ExprPtr term, UnsimplifiedPtr built);

  // --- terms again
  /// The term that was built.
  ExprPtr instantiate(UnsimplifiedPtr l) const { return instantiate(l, {}); }
  /// The same with other numbers in its holes: as many as constantsOf gives, of their widths (64
  /// for the offset of a word), or none.
  ExprPtr instantiate(UnsimplifiedPtr l, std::span<const ExprPtr> numbers) const;
  /// The term of an operation like this one on other operands.
  ExprPtr rebuild(UnsimplifiedPtr l, std::span<const ExprPtr> operands) const {
    return build(*l, operands);
  }
  /// `bytes` bytes of the array from the (64-bit) index on, the first one lowest.
  ExprPtr word(ExprPtr array, ExprPtr first, unsigned bytes) const;
  /// Its constants and the offsets of its words, from left to right.
  std::vector<ExprPtr> constantsOf(UnsimplifiedPtr l) const;

  // --- shapes
  /// A hash that is equal for terms that differ in constants only, and the same in every run. Terms
  /// over counters alone are constants; x + c and x - c are x; a byte at an index that is constant
  /// so is a word.
  static uint64_t shape(UnsimplifiedPtr l, const Counters &counters = {});
  /// A constant, or a term over counters alone: what shapes do not tell apart.
  static bool isNumber(UnsimplifiedPtr l, const Counters &counters = {});

  // --- reclaiming, within ExprContext::collect: keep what is used, then what is known of terms
  // that stay; drop the rest afterwards.
  using Visit = std::function<void(ExprPtr)>;
  static void keep(UnsimplifiedPtr l, const Visit &visit);
  void keepKnown(const Visit &visit);
  void sweep();

  size_t size() const { return all_.size(); }

private:
  struct Hash {
    size_t operator()(const std::unique_ptr<const UnsimplifiedTerm> &l) const;
  };
  struct Same {
    bool operator()(const std::unique_ptr<const UnsimplifiedTerm> &a,
                    const std::unique_ptr<const UnsimplifiedTerm> &b) const {
      return *a == *b;
    }
  };
  static bool contains(UnsimplifiedPtr l, UnsimplifiedPtr part);
  UnsimplifiedPtr intern(const UnsimplifiedTerm &l);
  UnsimplifiedPtr leaf(ExprPtr e);
  UnsimplifiedPtr word(ExprPtr array, uint64_t offset, unsigned bytes);
  UnsimplifiedPtr operation(Kind kind, unsigned width, uint64_t value,
                            std::span<const UnsimplifiedPtr> operands);
  UnsimplifiedPtr structureOf(ExprPtr e);
  ExprPtr build(const UnsimplifiedTerm &l, std::span<const ExprPtr> operands) const;

  ExprContext &context_;
  std::unordered_set<std::unique_ptr<const UnsimplifiedTerm>, Hash, Same> all_;
  std::unordered_map<ExprPtr, UnsimplifiedPtr> known_; ///< by term: how it was built last
};

} // namespace fathom::expr
#endif
