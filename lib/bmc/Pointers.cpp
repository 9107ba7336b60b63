// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bmc/Pointers.h"

#include <algorithm>

namespace fathom::bmc {

using expr::Kind;

namespace {

constexpr unsigned kMaxSummands = 16;
/// No small number is the address of an object.
constexpr uint64_t kFirstObject = uint64_t(1) << 32;

void summandsOf(ExprPtr sum, std::vector<ExprPtr> &out) {
  if (sum->kind() != Kind::Add || out.size() > kMaxSummands) {
    out.push_back(sum);
    return;
  }
  summandsOf(sum->op(0), out);
  summandsOf(sum->op(1), out);
}

} // namespace

std::vector<Target> Pointers::targetsOf(ExprPtr address) {
  std::vector<Target> out;
  if (!add(address, context_.constant(0, 64), context_.trueExpr(), out)) out.clear();
  return out;
}

const std::vector<ObjectId> &Pointers::objectsIn(ExprPtr term) {
  if (const auto known = mentions_.find(term); known != mentions_.end()) return known->second;
  std::vector<ObjectId> found;
  if (term->isConst() && term->width() == 64 && term->value() >= kFirstObject)
    if (const ObjectId object = objects_.objectAt(term->value()); object != kNoObject)
      found.push_back(object);
  // Arrays are memory's; what was read from them is no number of ours.
  for (unsigned i = 0; i < term->numOps() && term->kind() != Kind::Read; ++i) {
    const std::vector<ObjectId> &inside = objectsIn(term->op(i));
    found.insert(found.end(), inside.begin(), inside.end());
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return mentions_[term] = std::move(found);
}

void Pointers::addRoot(ExprPtr root, ExprPtr offset, ExprPtr guard, std::vector<Target> &out) {
  const ObjectId object = objects_.unknownAt(root);
  out.push_back({guard, object, offset, objects_.at(object).isOfCallers});
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
  // Of several words any may be the pointer: it is of callers only if all are.
  const bool isUnclear =
      std::ranges::count_if(summands, isWord) > 1 && !std::ranges::all_of(summands, [&](ExprPtr e) {
        return !isWord(e) || objects_.isOfCallers(e);
      });
  const ExprPtr address = *root;
  if (isUnclear) objects_.setUnclear(address);
  summands.erase(root);
  const bool isIndexed =
      std::ranges::any_of(summands, [](ExprPtr summand) { return !summand->isConst(); });
  if (isIndexed && !address->isConst() && address->kind() != Kind::Ite)
    objects_.setIndexed(address);
  for (ExprPtr summand : summands) offset = context_.add(offset, summand);
  return add(address, offset, guard, out);
}

} // namespace fathom::bmc
