// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluation with the cache in the nodes. Terms of small height are evaluated by recursion, which
// is fastest; taller ones bottom-up with an explicit stack (computeDeep), so the height of a term
// is not bounded by the C++ stack. Only the chosen arm of an Ite and the needed part of a chain of
// stores are evaluated.
#include "expr/Epochs.h"
#include "expr/ExternalOperation.h"
#include "expr/FloatFold.h"
#include "expr/Fold.h"
#include "expr/Model.h"

#include <llvm/ADT/ArrayRef.h>

#include <algorithm>
#include <cassert>

namespace fathom::expr {

using llvm::APInt;

/// Recursion goes at most this deep.
static constexpr uint32_t kShallow = 160;

void Evaluator::refresh() {
  epoch_ = Epochs::take();
  generation_ = Epochs::generation(); // after take(), which may start a new one
  wide_.clear();
  applied_.clear();
}

void Evaluator::setModel(const Model &model, uint64_t version) {
  if (model_ == &model && version_ == version && epoch_) return;
  model_ = &model;
  version_ = version;
  refresh();
}

void Evaluator::begin([[maybe_unused]] ExprPtr e) {
  assert(model_ && "no model");
  assert(!e->has(kIsOpen) && "an open term has no value");
  if (e->has(kHasForall)) Epochs::reserve();
  if (generation_ != Epochs::generation()) refresh();
}

uint64_t Evaluator::eval(ExprPtr e) {
  assert(e->width() >= 1 && e->width() <= 64 && "evalWide is for wider terms");
  if (e->isConst()) return e->value();
  begin(e);
  return value(e);
}

uint64_t Evaluator::evalAt(ExprPtr e, uint64_t number) {
  if (!e->has(kIsOpen)) return eval(e);
  assert(model_ && "no model");
  Epochs::reserve();
  if (generation_ != Epochs::generation()) refresh();
  bound_ = number;
  boundEpoch_ = Epochs::take();
  return value(e);
}

void Evaluator::evalWide(ExprPtr e, std::span<uint64_t> words) {
  assert(words.size() >= (e->width() + 63) / 64 && "too few words");
  if (e->width() <= 64) {
    words[0] = eval(e);
    return;
  }
  begin(e);
  APInt v = wideValue(e);
  std::copy_n(v.getRawData(), v.getNumWords(), words.begin());
}

/// Open terms have a value for each number that their Forall counts.
inline bool Evaluator::isKnown(ExprPtr e) const {
  return e->evalEpoch_ == epoch_ || (e->evalEpoch_ == boundEpoch_ && e->has(kIsOpen));
}

inline bool Evaluator::isReady(ExprPtr e) const {
  return e->height_ <= kShallow || isKnown(e) || e->isConst();
}

inline uint64_t Evaluator::value(ExprPtr e) {
  if (e->kind_ == Kind::Const && e->width_ <= 64) return e->value_;
  if (isKnown(e)) return e->evalValue_;
  if (e->height_ > kShallow) {
    computeDeep(e);
    return e->evalValue_;
  }
  return compute(e);
}

uint64_t Evaluator::keepWide(const APInt &v) {
  uint64_t at = wide_.size();
  wide_.insert(wide_.end(), v.getRawData(), v.getRawData() + v.getNumWords());
  return at;
}

APInt Evaluator::wideValue(ExprPtr e) {
  if (e->isConst()) return toAPInt(e);
  uint64_t v = value(e);
  if (e->width() <= 64) return APInt(e->width(), v);
  return APInt(e->width(), llvm::ArrayRef<uint64_t>(&wide_[v], (e->width() + 63) / 64));
}

uint64_t Evaluator::computeRead(ExprPtr e) {
  const uint64_t index = value(e->ops_[1]);
  ExprPtr array = e->ops_[0];
  for (; array->kind_ == Kind::Store; array = array->ops_[0])
    if (value(array->ops_[1]) == index) return value(array->ops_[2]);
  const ArrayInfo &info = *array->array_;
  if (array->kind_ == Kind::ConstArray)
    return index < info.contents.size() ? info.contents[index] : 0;
  if (array->kind_ == Kind::Apply)
    return index < info.sizeBytes ? applied_[value(array) + index] : 0;
  if (info.index >= model_->arrays_.size() || !model_->arrays_[info.index]) return 0;
  const auto &bytes = *model_->arrays_[info.index];
  return index < bytes.size() && index < info.sizeBytes ? bytes[index] : 0;
}

std::vector<uint8_t> Evaluator::evalInput(ExprPtr array) {
  begin(array);
  // Newest stores first: an older one at the same index is covered. Indices are mostly distinct.
  std::vector<ExprPtr> stores;
  for (; array->kind_ == Kind::Store; array = array->ops_[0]) stores.push_back(array);
  std::vector<uint8_t> bytes = array->array_->contents;
  for (size_t i = stores.size(); i-- > 0;)
    bytes[stores[i]->ops_[1]->value_] = static_cast<uint8_t>(value(stores[i]->ops_[2]));
  return bytes;
}

/// Where its results are in applied_.
[[gnu::noinline]] uint64_t Evaluator::computeApply(ExprPtr e) {
  const std::vector<uint8_t> in = evalInput(e->ops_[0]); // may add to applied_ itself
  const uint64_t at = applied_.size();
  ExternalOperation &operation = e->operation();
  applied_.resize(at + operation.outputBytes);
  operation.apply(in, {applied_.data() + at, operation.outputBytes});
  return at;
}

/// A term with an operand or a result wider than 64 bits.
uint64_t Evaluator::computeOnWide(ExprPtr e) {
  const unsigned width = e->width();
  APInt result(1, 0);
  switch (e->kind_) {
  case Kind::Concat: {
    APInt high = wideValue(e->ops_[0]), low = wideValue(e->ops_[1]);
    result = high.zext(width).shl(low.getBitWidth()) | low.zext(width);
    break;
  }
  case Kind::Extract: result = wideValue(e->ops_[0]).extractBits(width, e->offset()); break;
  case Kind::ZExt: result = wideValue(e->ops_[0]).zext(width); break;
  case Kind::SExt: result = wideValue(e->ops_[0]).sext(width); break;
  case Kind::Not: result = ~wideValue(e->ops_[0]); break;
  case Kind::Ite: result = wideValue(e->ops_[value(e->ops_[0]) ? 1 : 2]); break;
  default: result = foldBinaryWide(e->kind_, wideValue(e->ops_[0]), wideValue(e->ops_[1])); break;
  }
  return width <= 64 ? result.getZExtValue() : keepWide(result);
}

[[gnu::noinline]] uint64_t Evaluator::computeFloat(ExprPtr e) {
  uint64_t operands[3] = {};
  for (unsigned i = 0; i < e->numOps_; ++i) operands[i] = value(e->ops_[i]);
  return foldFloat(FloatOperation::of(e), operands[0], operands[1], operands[2]);
}

/// The values of open terms hold for one number only: each number has an epoch of its own.
[[gnu::noinline]] uint64_t Evaluator::computeForall(ExprPtr e) {
  const uint64_t last = std::min(value(e->ops_[0]), e->range());
  const uint64_t outerNumber = bound_;
  const uint32_t outerEpoch = boundEpoch_;
  bool holds = true;
  for (bound_ = 1; bound_ <= last && holds; ++bound_) {
    boundEpoch_ = Epochs::take();
    holds = value(e->ops_[1]) == 1;
  }
  bound_ = outerNumber;
  boundEpoch_ = outerEpoch;
  return holds;
}

uint64_t Evaluator::compute(ExprPtr e) {
  uint64_t v = 0;
  const unsigned width = e->width_;
  if (width > 64) {
    v = e->isConst() ? keepWide(toAPInt(e)) : computeOnWide(e);
  } else {
    switch (e->kind_) {
    case Kind::Const: v = e->value_; break;
    case Kind::Read: v = computeRead(e); break;
    case Kind::Concat: v = value(e->ops_[0]) << e->ops_[1]->width_ | value(e->ops_[1]); break;
    case Kind::Extract:
      v = e->ops_[0]->width_ > 64 ? computeOnWide(e)
                                  : value(e->ops_[0]) >> e->value_ & lowMask(width);
      break;
    case Kind::ZExt: v = value(e->ops_[0]); break;
    case Kind::SExt:
      v = static_cast<uint64_t>(signedValue(value(e->ops_[0]), e->ops_[0]->width_)) &
          lowMask(width);
      break;
    case Kind::Not: v = ~value(e->ops_[0]) & lowMask(width); break;
    case Kind::Ite: v = value(e->ops_[value(e->ops_[0]) ? 1 : 2]); break;
    case Kind::FAdd:
    case Kind::FSub:
    case Kind::FMul:
    case Kind::FDiv:
    case Kind::FEq:
    case Kind::FLt:
    case Kind::FLe:
    case Kind::FSqrt:
    case Kind::FRound:
    case Kind::FFma:
    case Kind::FConvert:
    case Kind::SToF:
    case Kind::UToF:
    case Kind::FToS:
    case Kind::FToU: v = computeFloat(e); break;
    case Kind::Apply: v = computeApply(e); break;
    case Kind::Bound: v = bound_; break;
    case Kind::Forall: v = computeForall(e); break;
    default:
      if (e->ops_[0]->width_ > 64) {
        v = computeOnWide(e);
      } else {
        uint64_t a = value(e->ops_[0]);
        v = foldBinary(e->kind_, a, value(e->ops_[1]), e->ops_[0]->width_);
      }
      break;
    }
  }
  e->evalValue_ = v;
  e->evalEpoch_ = e->has(kIsOpen) ? boundEpoch_ : epoch_;
  return v;
}

void Evaluator::computeDeep(ExprPtr root) {
  struct Frame {
    ExprPtr term;
    ExprPtr array; // Read: how far down the chain of stores has been compared
  };
  std::vector<Frame> stack{{root, nullptr}};
  // Each round either finds everything that the term on top needs ready, and computes it, or pushes
  // what is not.
  while (!stack.empty()) {
    Frame &top = stack.back();
    ExprPtr e = top.term, missing = nullptr;
    if (isKnown(e)) {
      stack.pop_back();
      continue;
    }
    if (e->kind_ == Kind::Ite) {
      if (!isReady(e->ops_[0]))
        missing = e->ops_[0];
      else if (ExprPtr arm = e->ops_[value(e->ops_[0]) ? 1 : 2]; !isReady(arm))
        missing = arm;
    } else if (e->kind_ == Kind::Read) {
      if (!isReady(e->ops_[1])) {
        missing = e->ops_[1];
      } else {
        const uint64_t index = value(e->ops_[1]);
        ExprPtr a = top.array ? top.array : e->ops_[0];
        for (; a->kind_ == Kind::Store; a = a->ops_[0]) {
          if (!isReady(a->ops_[1])) {
            missing = a->ops_[1];
            break;
          }
          if (value(a->ops_[1]) != index) continue;
          if (!isReady(a->ops_[2])) missing = a->ops_[2];
          break;
        }
        if (a->kind_ == Kind::Apply && !isReady(a)) missing = a;
        top.array = a;
      }
    } else if (e->kind_ == Kind::Forall) {
      if (!isReady(e->ops_[0])) missing = e->ops_[0]; // the body is evaluated for each number
    } else if (e->kind_ == Kind::Apply) {
      ExprPtr a = top.array ? top.array : e->ops_[0];
      for (; a->kind_ == Kind::Store && !missing; a = missing ? a : a->ops_[0])
        if (!isReady(a->ops_[2])) missing = a->ops_[2];
      top.array = a;
    } else {
      for (unsigned i = 0; i < e->numOps_ && !missing; ++i)
        if (!isReady(e->ops_[i])) missing = e->ops_[i];
    }
    if (missing) {
      stack.push_back({missing, nullptr});
      continue;
    }
    compute(e);
    stack.pop_back();
  }
}

} // namespace fathom::expr
