// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bmc/Pointers.h"

#include <algorithm>

namespace fathom::bmc {

using expr::Kind;

namespace {

constexpr unsigned kMaxSummands = 16;

void summandsOf(ExprPtr sum, std::vector<ExprPtr> &out) {
  if (sum->kind() != Kind::Add || out.size() > kMaxSummands) {
    out.push_back(sum);
    return;
  }
  summandsOf(sum->op(0), out);
  summandsOf(sum->op(1), out);
}

/// Is it a word that was read as one, not what was computed from narrower numbers?
bool isWord(ExprPtr e) { return e->kind() == Kind::Concat && e->op(0)->kind() == Kind::Read; }

} // namespace

std::vector<Target> Pointers::targetsOf(ExprPtr address) {
  std::vector<Target> out;
  if (!add(address, context_.constant(0, 64), context_.trueExpr(), out)) out.clear();
  return out;
}

void Pointers::addRoot(ExprPtr root, ExprPtr offset, ExprPtr guard, std::vector<Target> &out) {
  out.push_back({guard, objects_.unknownAt(root), offset, objects_.isOfCallers(root)});
}

bool Pointers::add(ExprPtr address, ExprPtr offset, ExprPtr guard, std::vector<Target> &out) {
  if (guard->isFalse()) return true;
  if (out.size() >= kMaxTargets) return false;
  if (address->isConst()) {
    const ObjectId object = objects_.objectAt(address->value());
    if (object == kNoObject)
      out.push_back({guard, kNoObject, context_.add(address, offset)});
    else
      out.push_back(
          {guard, object,
           context_.add(context_.constant(address->value() - objects_.at(object).base, 64),
                        offset)});
    return true;
  }
  if (address->kind() == Kind::Ite)
    return add(address->op(1), offset, context_.bvAnd(guard, address->op(0)), out) &&
           add(address->op(2), offset, context_.bvAnd(guard, context_.bvNot(address->op(0))), out);
  if (address->kind() == Kind::Add) return addSum(address, offset, guard, out);
  addRoot(address, offset, guard, out);
  return true;
}

bool Pointers::addSum(ExprPtr sum, ExprPtr offset, ExprPtr guard, std::vector<Target> &out) {
  std::vector<ExprPtr> summands;
  summandsOf(sum, summands);
  // The one that is an address: a number of an object; a choice; a word.
  const auto isObject = [&](ExprPtr e) {
    return e->isConst() && objects_.objectAt(e->value()) != kNoObject;
  };
  auto root = std::ranges::find_if(summands, isObject);
  if (root == summands.end())
    root = std::ranges::find_if(summands, [](ExprPtr e) { return e->kind() == Kind::Ite; });
  if (root == summands.end()) root = std::ranges::find_if(summands, isWord);
  if (root == summands.end())
    root = std::ranges::find_if(summands, [](ExprPtr e) { return !e->isConst(); });
  const ExprPtr address = *root;
  summands.erase(root);
  for (ExprPtr summand : summands) offset = context_.add(offset, summand);
  return add(address, offset, guard, out);
}

} // namespace fathom::bmc
