// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/interpreter/DeferredOperations.h"

#include "expr/FloatFold.h"
#include "expr/Fold.h"

#include "fmt/format.h"

#include <cstring>

namespace fathom::explore {

using expr::ExprContext;
using expr::ExprPtr;
using expr::Kind;

namespace {

constexpr unsigned kWord = 8; // bytes of an operand

/// One operation on words of up to 64 bits, computed as the builders compute it on constants.
class Computed final : public expr::ExternalOperation {
public:
  Computed(std::string name, expr::FloatOperation operation, unsigned operands)
      : ExternalOperation(std::move(name), size_t(kWord) * operands, 1 + kWord),
        operation_(operation), operands_(operands) {}

  void apply(std::span<const uint8_t> in, std::span<uint8_t> out) override {
    uint64_t v[3] = {};
    memcpy(v, in.data(), size_t(kWord) * operands_);
    const uint64_t result =
        expr::isFloatKind(operation_.kind)
            ? expr::foldFloat(operation_, v[0], v[1], v[2])
            : expr::foldBinary(operation_.kind, v[0], v[1], operation_.operandWidth);
    out[0] = 0;
    memcpy(out.data() + 1, &result, kWord);
  }

  bool isPure() const override { return true; }

private:
  expr::FloatOperation operation_;
  unsigned operands_;
};

bool isNonlinear(ExprPtr e) {
  switch (e->kind()) {
  case Kind::Mul:
  case Kind::UDiv:
  case Kind::SDiv:
  case Kind::URem:
  case Kind::SRem:
  case Kind::Shl:
  case Kind::LShr:
  case Kind::AShr: return !e->op(0)->isConst() && !e->op(1)->isConst();
  default: return false;
  }
}

} // namespace

ExprPtr DeferredOperations::term(ExprContext &c, ExprPtr e) const {
  const bool isFloat = expr::isFloatKind(e->kind()) && !expr::isFloatPredicate(e->kind());
  if (!(isFloat ? floats : nonlinear && isNonlinear(e))) return e;
  if (e->width() > 64) return e;
  for (unsigned i = 0; i < e->numOps(); i++)
    if (e->op(i)->width() > 64) return e;

  ExprPtr input = c.constArray(std::vector<uint8_t>(size_t(kWord) * e->numOps(), 0));
  for (unsigned i = 0; i < e->numOps(); i++) {
    ExprPtr word = c.zext(e->op(i), 64);
    for (unsigned b = 0; b < kWord; b++) {
      ExprPtr byte = c.extract(word, 8 * b, 8);
      if (!byte->isConst(0)) input = c.store(input, c.constant(kWord * i + b, 64), byte);
    }
  }
  const auto operation = isFloat ? expr::FloatOperation::of(e)
                                 : expr::FloatOperation{e->kind(), expr::Rounding::NearestEven,
                                                        e->width(), e->op(0)->width()};
  auto computed = std::make_shared<Computed>(
      fmt::format("op{}_{}_{}_{}", static_cast<int>(operation.kind),
                  static_cast<int>(operation.rounding), operation.width, operation.operandWidth),
      operation, e->numOps());
  ExprPtr results = c.apply(computed, input), value = c.read(results, uint64_t(1));
  for (unsigned b = 1; 8 * b < e->width(); b++)
    value = c.concat(c.read(results, uint64_t(b) + 1), value);
  return value->width() > e->width() ? c.trunc(value, e->width()) : value;
}

} // namespace fathom::explore
