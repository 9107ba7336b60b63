// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Octagons: constraints +-x +- y <= c, by the Parma Polyhedra Library ([octagons06], [ppl08]).
//
// PPL's shapes are dense, so this adapter gives a dimension only to variables that have a
// constraint, and to at most kMaxVariables of them; the variable that got its dimension first
// loses it first. Ranges of single variables come in where PPL's constraints start from nothing: a
// variable that gets a dimension brings its range along.
//
// Cost: closure is cubic in the number of dimensions. This is the only file compiled with
// exceptions.
#include "statics/abstract/Relations.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <sstream>

// By itself PPL would change the rounding of floating-point operations in the whole process, as
// soon as the process starts: see Library. Its header has warnings of its own.
#define PPL_NO_AUTOMATIC_INITIALIZATION
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Weverything"
#include <ppl.hh>
#pragma clang diagnostic pop

namespace fathom::statics::abstract {

namespace {

namespace ppl = Parma_Polyhedra_Library;
using Shape = ppl::Octagonal_Shape<mpz_class>;

/// Numbers of these shapes are of mpz: PPL's rounding (upwards) is not needed, and the engine
/// computes the program's own floating-point operations with the usual one.
struct Library {
  Library() {
    ppl::initialize();
    ppl::restore_pre_PPL_rounding();
  }
};

/// The shape of an octagon without variables.
Shape emptyShape() {
  static const Library library;
  return Shape(0);
}

constexpr size_t kMaxVariables = 24;

mpz_class bigOf(__int128 value) {
  const bool isNegative = value < 0;
  const auto magnitude =
      isNegative ? -static_cast<unsigned __int128>(value) : static_cast<unsigned __int128>(value);
  mpz_class out = static_cast<unsigned long>(magnitude >> 64);
  out <<= 64;
  out += static_cast<unsigned long>(magnitude);
  return isNegative ? mpz_class(-out) : out;
}

std::optional<int64_t> wordOf(const mpz_class &value) {
  if (!value.fits_slong_p()) return std::nullopt;
  return value.get_si();
}

/// Floor of numerator / denominator.
mpz_class floorOf(const ppl::Coefficient &numerator, const ppl::Coefficient &denominator) {
  mpz_class out;
  mpz_fdiv_q(out.get_mpz_t(), numerator.get_mpz_t(), denominator.get_mpz_t());
  return out;
}

class Octagons final : public Relations {
public:
  Octagons() : shape_(emptyShape()) {}
  std::unique_ptr<Relations> clone() const override { return std::make_unique<Octagons>(*this); }

  void forget(VarId var) override {
    const auto at = std::find(vars_.begin(), vars_.end(), var);
    if (at == vars_.end()) return;
    ppl::Variables_Set set;
    set.insert(ppl::Variable(ppl::dimension_type(at - vars_.begin())));
    shape_.remove_space_dimensions(set);
    vars_.erase(at);
  }

  void assign(VarId dst, VarId src, int64_t offset) override {
    if (dst == src) {
      const std::optional<size_t> at = dimension(dst);
      if (at) shape_.affine_image(ppl::Variable(*at), ppl::Variable(*at) + bigOf(offset));
      return;
    }
    forget(dst);
    // Without a range: the caller's ranges reach the source when it is constrained.
    makeDimension(src, nullptr);
    makeDimension(dst, nullptr);
    const std::optional<size_t> from = dimension(src), to = dimension(dst);
    if (from) shape_.affine_image(ppl::Variable(*to), ppl::Variable(*from) + bigOf(offset));
  }

  bool constrain(const PairBound &bound, const RangeOf &ranges) override {
    makeDimension(bound.x, &ranges);
    makeDimension(bound.y, &ranges);
    const std::optional<size_t> x = dimension(bound.x), y = dimension(bound.y);
    if (!x || !y) return true;
    shape_.add_constraint(bound.signX * ppl::Variable(*x) + bound.signY * ppl::Variable(*y) <=
                          bigOf(bound.bound));
    return !shape_.is_empty();
  }

  std::optional<int64_t> upperBound(const PairBound &of) const override {
    const std::optional<size_t> x = dimension(of.x), y = dimension(of.y);
    if (!x || !y) return std::nullopt;
    return most(of.signX * ppl::Variable(*x) + of.signY * ppl::Variable(*y));
  }

  void forEachVariable(VarId first, const std::function<void(VarId)> &visit) const override {
    for (const VarId var : vars_)
      if (var >= first) visit(var);
  }

  std::vector<VarId> neighbours(VarId var) const override {
    std::vector<VarId> out;
    if (!dimension(var)) return out;
    for (const VarId other : vars_)
      if (other != var) out.push_back(other);
    return out;
  }

  Range tighten(VarId var, const Range &now, const RangeOf &ranges) const override {
    Range out = now;
    const std::optional<size_t> at = dimension(var);
    if (!at) return out;
    if (const std::optional<int64_t> hi = most(ppl::Linear_Expression(ppl::Variable(*at))))
      out.hi = std::min<__int128>(out.hi, *hi);
    if (const std::optional<int64_t> lo = most(-ppl::Variable(*at)))
      out.lo = std::max<__int128>(out.lo, -__int128(*lo));
    for (const VarId other : vars_) {
      if (other == var) continue;
      const ppl::Variable x(*at), y(*dimension(other));
      const Range there = ranges(other);
      if (const std::optional<int64_t> c = most(x - y)) out.hi = std::min(out.hi, there.hi + *c);
      if (const std::optional<int64_t> c = most(x + y)) out.hi = std::min(out.hi, *c - there.lo);
      if (const std::optional<int64_t> c = most(y - x)) out.lo = std::max(out.lo, there.lo - *c);
      if (const std::optional<int64_t> c = most(-x - y)) out.lo = std::max(out.lo, -there.hi - *c);
    }
    return out;
  }

  void join(const Relations &otherRelations, const RangeOf &mine, const RangeOf &others) override {
    Octagons other(static_cast<const Octagons &>(otherRelations));
    // A variable that only one side knows gets its range on the other side.
    for (const VarId var : std::vector<VarId>(other.vars_)) makeDimension(var, &mine);
    for (const VarId var : std::vector<VarId>(vars_)) other.makeDimension(var, &others);
    addRanges(mine);
    other.addRanges(others);
    align(other);
    shape_.upper_bound_assign(other.shape_);
  }

  void widen(const Relations &next, const RangeOf &nexts) override {
    Octagons other(static_cast<const Octagons &>(next));
    for (const VarId var : std::vector<VarId>(vars_)) other.makeDimension(var, &nexts);
    other.addRanges(nexts);
    align(other);
    // PPL's widening wants the older shape to be included in the newer.
    Shape grown = other.shape_;
    grown.upper_bound_assign(shape_);
    grown.BHMZ05_widening_assign(shape_);
    shape_ = grown;
  }

  bool includes(const Relations &otherRelations, const RangeOf &others) const override {
    Octagons other(static_cast<const Octagons &>(otherRelations)), mine(*this);
    for (const VarId var : vars_) other.makeDimension(var, &others);
    other.addRanges(others);
    mine.align(other);
    return mine.vars_.size() == vars_.size() && mine.shape_.contains(other.shape_);
  }

  std::vector<std::string> text(const std::function<std::string(VarId)> &name) const override {
    std::vector<std::string> out;
    for (size_t i = 0; i < vars_.size(); ++i)
      for (size_t j = i + 1; j < vars_.size(); ++j) {
        const ppl::Variable x(i), y(j);
        const std::string a = name(vars_[i]), b = name(vars_[j]);
        auto say = [&](const std::string &what, const ppl::Linear_Expression &e) {
          if (const std::optional<int64_t> c = most(e))
            out.push_back(fmt::format("{} <= {}", what, *c));
        };
        say(a + " - " + b, x - y);
        say(b + " - " + a, y - x);
        say(a + " + " + b, x + y);
        say("-" + a + " - " + b, -x - y);
      }
    return out;
  }

private:
  std::optional<size_t> dimension(VarId var) const {
    const auto at = std::find(vars_.begin(), vars_.end(), var);
    if (at == vars_.end()) return std::nullopt;
    return size_t(at - vars_.begin());
  }
  /// Gives the variable a dimension, as the last one if it is new. Others may lose theirs.
  void makeDimension(VarId var, const RangeOf *ranges) {
    if (dimension(var)) return;
    if (vars_.size() >= kMaxVariables) forget(vars_.front());
    vars_.push_back(var);
    shape_.add_space_dimensions_and_embed(1);
    if (ranges) addRange(var, *ranges);
  }
  void addRange(VarId var, const RangeOf &ranges) {
    const ppl::Variable x(*dimension(var));
    const Range range = ranges(var);
    shape_.add_constraint(x <= bigOf(range.hi));
    shape_.add_constraint(x >= bigOf(range.lo));
  }
  void addRanges(const RangeOf &ranges) {
    for (const VarId var : vars_) addRange(var, ranges);
  }
  /// Makes both have the same variables, in the same order: those that both have.
  void align(Octagons &other) {
    for (const VarId var : std::vector<VarId>(vars_))
      if (!other.dimension(var)) forget(var);
    for (const VarId var : std::vector<VarId>(other.vars_))
      if (!dimension(var)) other.forget(var);
    ppl::Partial_Function order;
    for (size_t i = 0; i < other.vars_.size(); ++i) order.insert(i, *dimension(other.vars_[i]));
    if (!vars_.empty()) other.shape_.map_space_dimensions(order);
    other.vars_ = vars_;
  }
  std::optional<int64_t> most(const ppl::Linear_Expression &expression) const {
    ppl::Coefficient numerator, denominator;
    bool isMaximum = false;
    if (shape_.is_empty() || !shape_.maximize(expression, numerator, denominator, isMaximum))
      return std::nullopt;
    return wordOf(floorOf(numerator, denominator));
  }

  std::vector<VarId> vars_; ///< by dimension
  Shape shape_;
};

} // namespace

std::unique_ptr<Relations> makeOctagons() { return std::make_unique<Octagons>(); }

} // namespace fathom::statics::abstract
