// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symbolic values of one function: numbers, symbols for what is not known, addresses of objects,
// and operations on them. Equal terms have equal numbers (hash-consing), so that comparing two is
// comparing two integers.
//
// A term is 64 bits wide where nothing else is said. A number is its value as a signed integer of
// the width that its users give it. Sums with a constant have it as their last operand, and at
// most one, so that an address is a base, an optional varying part, and a constant offset.
#ifndef FATHOM_STATICS_HEAP_TERMS_H
#define FATHOM_STATICS_HEAP_TERMS_H

#include "statics/front/Predicates.h"

#include <optional>

namespace fathom::statics::heap {

using TermId = uint32_t;
inline constexpr TermId kNoTerm = ~TermId(0);

/// What a symbol stands for. Inputs are what the function gets from its caller.
enum class Origin : uint8_t {
  Parameter, ///< `index`: which one
  Content,   ///< what memory held at `address` at the start; `index`: of how many pointers before
  Result,    ///< what a call whose code is not looked at returns (`statement`)
  Read,      ///< what memory holds after something unknown may have written it
  Unwritten, ///< what memory holds that was never written (`statement`: the read)
  Round,   ///< of a loop whose rounds are not told apart any more (`statement`: its header's first)
  Null,    ///< the null pointer, from where it is chosen (`statement`): it is the number 0
  Unknown, ///< what no operation here computes
  Widened, ///< one of the values of several heaps that are one now (HeapState::widen)
};

/// Where memory is: base and varying part as terms; kNoTerm: no varying part.
struct Address {
  TermId base = kNoTerm;
  TermId varying = kNoTerm;
  int64_t offset = 0;
  auto operator<=>(const Address &) const = default;
};

/// An object of one execution of the function: a variable, or what one allocation made.
struct Instance {
  enum class Kind : uint8_t { Variable, Allocation, File } kind = Kind::Variable;
  ObjectId object = kNone;       ///< Variable
  StatementId statement = kNone; ///< Allocation, File: the call that made it
  TermId bytes = kNoTerm;        ///< its size; kNoTerm: not known
  bool isZeroed = false;
};

enum class TermKind : uint8_t { Number, Symbol, Instance, Operation, Compare };

struct Term {
  TermKind kind = TermKind::Number;
  Operation operation = Operation::Other;
  Predicate predicate = Predicate::Other; ///< Compare: of 1 bit
  bool isSigned = false;                  ///< Compare
  uint8_t bits = 64;                      ///< of the result; Compare: of the operands
  TermId a = kNoTerm, b = kNoTerm;
  int64_t number = 0; ///< Number; Symbol, Instance: the index of its description
  bool operator==(const Term &) const = default;
};

struct Symbol {
  Origin origin = Origin::Unknown;
  uint32_t index = 0;
  StatementId statement = kNone;
  Address address{};
  uint32_t bytes = 8; ///< 0: it is the length of a text
  /// All that it may be, ascending (Object::numbers); nullptr: not known.
  const std::vector<int64_t> *numbers = nullptr;
  /// Between which numbers it is in any case, as numbers with a sign.
  int64_t low = INT64_MIN, high = INT64_MAX;
};

class Terms {
public:
  Terms();
  const Term &operator[](TermId id) const { return terms_[id]; }
  size_t size() const { return terms_.size(); }

  TermId number(int64_t value);
  TermId symbol(const Symbol &what);
  TermId null(StatementId chosenAt);
  /// One that is equal to no other.
  TermId instance(const Instance &what);
  /// The address of a variable: the same term each time.
  TermId variable(ObjectId object, TermId bytes);
  /// b is ignored by casts. `bits`: of the result; `fromBits`: of a, for casts.
  TermId operation(Operation op, TermId a, TermId b, uint8_t bits, uint8_t fromBits);
  TermId compare(Predicate predicate, bool isSigned, TermId a, TermId b, uint8_t bits);
  /// Of a truth value.
  TermId negation(TermId a);
  TermId sum(TermId a, int64_t offset);

  std::optional<int64_t> numberOf(TermId id) const {
    const Term &t = terms_[id];
    if (t.kind == TermKind::Number) return t.number;
    if (t.kind == TermKind::Symbol && symbolOf(id).origin == Origin::Null) return 0;
    return std::nullopt;
  }
  /// May the address be null? That of an allocation may: it can fail.
  bool isNeverNull(TermId id) const {
    const TermId base = addressOf(id).base;
    return isInstance(base) && instanceOf(base).kind == Instance::Kind::Variable;
  }
  const Symbol &symbolOf(TermId id) const {
    return symbols_[static_cast<size_t>(terms_[id].number)];
  }
  const Instance &instanceOf(TermId id) const {
    return instances_[static_cast<size_t>(terms_[id].number)];
  }
  /// What the symbol may be; nullptr: not known, or it is no symbol.
  const std::vector<int64_t> *numbersOf(TermId id) const {
    return isSymbol(id) ? symbolOf(id).numbers : nullptr;
  }
  /// REQUIRES: `id` is a symbol.
  void setNumbers(TermId id, const std::vector<int64_t> &numbers) {
    symbols_[static_cast<size_t>(terms_[id].number)].numbers = &numbers;
  }
  /// It is this or more. REQUIRES: `id` is a symbol.
  void setLeast(TermId id, int64_t least) {
    Symbol &symbol = symbols_[static_cast<size_t>(terms_[id].number)];
    symbol.low = std::max(symbol.low, least);
  }
  /// The length of a text, which no sum with a small number makes wrap around.
  /// Also as an int: no text has 2 GiB.
  bool isLength(TermId id) const {
    const Term &t = terms_[id];
    const bool isNarrowed =
        t.kind == TermKind::Operation && t.operation == Operation::Trunc && t.bits >= 32;
    const TermId of = isNarrowed ? t.a : id;
    return isSymbol(of) && symbolOf(of).bytes == 0;
  }
  /// Is one of the symbols that it is computed from one of these? Terms that are too deep: yes.
  template <class IsWanted>
  bool mentions(TermId id, IsWanted &&isWanted, unsigned depth = 0) const {
    constexpr unsigned kMaxDepth = 12;
    const Term &t = terms_[id];
    if (depth > kMaxDepth) return true;
    if (t.kind == TermKind::Symbol) return isWanted(id);
    if (t.kind != TermKind::Operation && t.kind != TermKind::Compare) return false;
    return mentions(t.a, isWanted, depth + 1) ||
           (t.b != kNoTerm && mentions(t.b, isWanted, depth + 1));
  }
  bool isInstance(TermId id) const { return terms_[id].kind == TermKind::Instance; }
  bool isSymbol(TermId id) const { return terms_[id].kind == TermKind::Symbol; }
  /// What the function gets from its caller.
  bool isInputSymbol(TermId id) const {
    if (!isSymbol(id)) return false;
    const Origin origin = symbolOf(id).origin;
    return origin == Origin::Parameter || origin == Origin::Content;
  }
  /// Those of `isKept`, and what they are made of, in their order. `moved`: by old number, the new
  /// one; kNoTerm: it is gone.
  Terms reduced(std::vector<bool> isKept, std::vector<TermId> &moved) const;
  Address addressOf(TermId id) const;
  TermId ofAddress(const Address &address);

  static constexpr TermId kZero = 0, kOne = 1;

private:
  struct Joined {
    TermId low, high;
    int64_t shift, lowBits;
  };
  std::optional<Joined> joined(TermId id) const;
  TermId intern(const Term &term);
  TermId add(const Term &term);
  void grow();
  std::vector<Term> terms_;
  std::vector<Symbol> symbols_;
  std::vector<Instance> instances_;
  /// Open addressing: of each interned term, its number where its hash leads, or behind that;
  /// kNoTerm: free. A power of two, at most half of it in use.
  std::vector<TermId> table_;
  size_t interned_ = 0;
  std::unordered_map<ObjectId, TermId> variables_;
  std::unordered_map<StatementId, TermId> nulls_;
};

/// A number that divides the term, as if nothing overflowed.
int64_t multipleIn(const Terms &terms, TermId id);
/// As a signed number of so many bits.
int64_t signExtended(int64_t value, unsigned bits);
uint64_t zeroExtended(int64_t value, unsigned bits);
/// What the comparison of two numbers says; nullopt: Other.
std::optional<bool> holds(Predicate predicate, bool isSigned, int64_t a, int64_t b, unsigned bits);

} // namespace fathom::statics::heap
#endif
