// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions as they were built. A term is simplified while it is built: `k < n` has another form
// for each of k = 0, 1, 255, 256, and a comparison of words becomes one of bytes. So terms of one
// loop's rounds do not look alike. A literal is what the builder was asked for: an operation on
// literals, without a rule applied and in the order of its operands. Each exists once (equality is
// that of pointers), and building it again gives the very term that it stands for.
//
// Source: the hash of shapes is [merging23] Sec. 3.1, over literals in place of simplified
// formulas.
#ifndef FATHOM_EXPR_LITERAL_H
#define FATHOM_EXPR_LITERAL_H

#include "expr/ExprContext.h"

#include <functional>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace fathom::expr {

class Literal;
using LiteralPtr = const Literal *;

class Literal {
public:
  enum class Form : uint8_t {
    Constant,  ///< leaf(): the constant
    Word,      ///< width() / 8 bytes of the array leaf() from offset() on, the first one lowest
    Leaf,      ///< leaf(): a term that nobody looks into; an array
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
  LiteralPtr op(unsigned i) const { return ops_[i]; }
  /// As a tree.
  uint32_t size() const { return size_; }
  bool operator==(const Literal &other) const;

private:
  friend class Literals;
  Form form_ = Form::Leaf;
  Kind kind_ = Kind::Const;
  uint8_t numOps_ = 0;
  mutable bool mark_ = false;
  uint16_t width_ = 0;
  uint32_t size_ = 1;
  uint64_t value_ = 0;
  ExprPtr leaf_ = nullptr;
  LiteralPtr ops_[3] = {};
};

/// Arrays whose bytes count rounds of patterns that were found before: constants of a shape.
using Counters = std::unordered_set<ExprPtr>;

class Literals {
public:
  explicit Literals(ExprContext &context) : context_(context) {}
  Literals(const Literals &) = delete;

  /// Larger ones, as trees, are leaves.
  static constexpr uint32_t kMaxSize = 1024;

  // --- what was built
  /// How the term was built last; of a term that nobody noted: its own structure.
  LiteralPtr of(ExprPtr e);
  LiteralPtr negation(LiteralPtr l);
  LiteralPtr both(Kind kind, LiteralPtr a, LiteralPtr b); ///< And, Or: of two conditions
  /// The builder was asked for this, and gave `result`. offset: of an Extract.
  void built(ExprPtr result, Kind kind, std::initializer_list<ExprPtr> operands,
             uint64_t offset = 0);
  /// The term was built as this says. One that is tested again (x != 0) stays what it was.
  void note(ExprPtr term, LiteralPtr literal);

  // --- terms again
  /// The term that was built.
  ExprPtr instantiate(LiteralPtr l) const { return instantiate(l, {}); }
  /// The same with other numbers in its holes: as many as constantsOf gives, of their widths (64
  /// for the offset of a word), or none.
  ExprPtr instantiate(LiteralPtr l, std::span<const ExprPtr> numbers) const;
  /// The term of an operation like this one on other operands.
  ExprPtr rebuild(LiteralPtr l, std::span<const ExprPtr> operands) const {
    return build(*l, operands);
  }
  /// `bytes` bytes of the array from the (64-bit) index on, the first one lowest.
  ExprPtr word(ExprPtr array, ExprPtr first, unsigned bytes) const;
  /// Its constants and the offsets of its words, from left to right.
  std::vector<ExprPtr> constantsOf(LiteralPtr l) const;

  // --- shapes
  /// The same for literals that differ in constants only, and in every run. Terms over counters
  /// alone are constants; x + c and x - c are x; a byte at an index that is constant so is a word.
  static uint64_t shape(LiteralPtr l, const Counters &counters = {});
  /// A constant, or a term over counters alone: what shapes do not tell apart.
  static bool isNumber(LiteralPtr l, const Counters &counters = {});

  // --- reclaiming, within ExprContext::collect: keep what is used, then what is known of terms
  // that stay; drop the rest afterwards.
  using Visit = std::function<void(ExprPtr)>;
  static void keep(LiteralPtr l, const Visit &visit);
  void keepKnown(const Visit &visit);
  void sweep();

  size_t size() const { return all_.size(); }

private:
  struct Hash {
    size_t operator()(const std::unique_ptr<const Literal> &l) const;
  };
  struct Same {
    bool operator()(const std::unique_ptr<const Literal> &a,
                    const std::unique_ptr<const Literal> &b) const {
      return *a == *b;
    }
  };
  static bool contains(LiteralPtr l, LiteralPtr part);
  LiteralPtr intern(const Literal &l);
  LiteralPtr leaf(ExprPtr e);
  LiteralPtr word(ExprPtr array, uint64_t offset, unsigned bytes);
  LiteralPtr operation(Kind kind, unsigned width, uint64_t value,
                       std::span<const LiteralPtr> operands);
  LiteralPtr structureOf(ExprPtr e);
  ExprPtr build(const Literal &l, std::span<const ExprPtr> operands) const;

  ExprContext &context_;
  std::unordered_set<std::unique_ptr<const Literal>, Hash, Same> all_;
  std::unordered_map<ExprPtr, LiteralPtr> known_; ///< by term: how it was built last
};

} // namespace fathom::expr
#endif
