// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bmc/Accesses.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::bmc {

/// Addresses below belong to no object.
static constexpr uint64_t kFirstPage = 4096;

Accesses::Accesses(expr::ExprContext &context, const program::Program &program,
                   const Question &question)
    : context_(context), question_(question), objects_(context, program, question.isMain),
      pointers_(context, objects_) {
  for (unsigned i = 0; i < kAssumptions; ++i)
    literals_[i] = context.extract(
        context.read(context.symbol(fmt::format("assume{}", i), 1), uint64_t(0)), 0, 1);
}

void Accesses::giveAway(Flow &flow, ExprPtr value) {
  for (const ObjectId object : pointers_.objectsIn(value)) flow.memory.giveAway(object);
}

ExprPtr Accesses::operand(Flow &flow, uint32_t slot, unsigned width) {
  ExprPtr &value = flow.slots[slot];
  if (!value) value = objects_.fresh(64); // what was never written
  return value->width() < width ? context_.zext(value, width) : context_.trunc(value, width);
}

ExprPtr Accesses::read(Flow &flow, const std::vector<Target> &targets, uint32_t bytes) {
  ExprPtr value = nullptr;
  for (const Target &target : targets) {
    ExprPtr here = nullptr;
    if (target.object == kNoObject)
      here = objects_.fresh(bytes * 8);
    else if (target.offset->isConst())
      here = flow.memory.load(objects_, context_, target.object,
                              static_cast<int64_t>(target.offset->value()), bytes);
    else
      here = flow.memory.loadAnywhere(objects_, context_, target.object, target.offset, bytes);
    // The allocator uses what was freed.
    if (target.object != kNoObject)
      if (const ExprPtr freed = flow.memory.freed(objects_, context_, target.object);
          !freed->isFalse())
        here = context_.ite(freed, objects_.fresh(bytes * 8), here);
    if (target.object != kNoObject && flow.memory.isWrittenElsewhere(objects_, target.object))
      here = context_.ite(literalOf(Assumption::DistinctPointers), here, objects_.fresh(bytes * 8));
    value = value ? context_.ite(target.guard, here, value) : here;
  }
  return value ? value : objects_.fresh(bytes * 8);
}

void Accesses::write(Flow &flow, const std::vector<Target> &targets, uint32_t bytes,
                     ExprPtr value) {
  giveAway(flow, value);
  if (targets.empty()) return change(flow, Changes::all());
  for (const Target &target : targets) {
    if (target.object == kNoObject) continue;
    if (target.offset->isConst())
      flow.memory.store(objects_, context_, target.object,
                        static_cast<int64_t>(target.offset->value()), bytes, value, target.guard);
    else
      flow.memory.storeAnywhere(objects_, context_, target.object, target.offset, bytes);
  }
}

void Accesses::change(Flow &flow, const Changes &changes) {
  if (changes.everything || changes.blocks || !changes.variables.empty() || !changes.frames.empty())
    flow.memory.change(objects_, changes);
}

std::vector<Target> Accesses::targetsUsed(Flow &flow, ExprPtr address) {
  std::vector<Target> targets = pointers_.targetsOf(address);
  for (const Target &target : targets)
    if (target.object != kNoObject) objects_.setAccessed(target.object, flow.memory.givenAway());
  return targets;
}

std::vector<Target> Accesses::access(Flow &flow, ExprPtr address, bool isSink) {
  std::vector<Target> targets = targetsUsed(flow, address);
  if (targets.empty()) giveAway(flow, address);
  if (isSink) showAccess(flow, address, targets);
  const bool mayFail =
      targets.empty() || std::ranges::any_of(targets, [&](const Target &t) {
        return t.object == kNoObject || objects_.at(t.object).kind == ObjectKind::Unknown;
      });
  // The program did not crash here.
  if (mayFail) {
    const ExprPtr isValid =
        context_.bvNot(context_.ult(address, context_.constant(kFirstPage, 64)));
    flow.guard = context_.bvAnd(flow.guard, assuming(Assumption::EarlierValid, isValid));
  }
  return targets;
}

void Accesses::show(const Flow &flow, ExprPtr condition) {
  const ExprPtr goal = context_.bvAnd(flow.guard, condition);
  if (!goal->isFalse()) goals_.push_back(goal);
}

void Accesses::showAccess(const Flow &flow, ExprPtr address, const std::vector<Target> &targets) {
  if (question_.kinds.null) {
    const ExprPtr page = context_.constant(kFirstPage, 64);
    if (targets.empty()) show(flow, context_.ult(address, page));
    for (const Target &target : targets) {
      if (target.object == kNoObject) {
        // No object is there: null, with whatever offset.
        show(flow, target.guard);
        continue;
      }
      if (objects_.at(target.object).kind != ObjectKind::Unknown) continue;
      // A member of what null would point to: null itself. Small numbers are no pointers, but what
      // was computed may be no pointer either.
      const ExprPtr root = objects_.at(target.object).root;
      ExprPtr isNull = context_.eq(root, context_.constant(0, 64));
      if (!isWord(root) || !target.offset->isConst())
        isNull = context_.bvOr(isNull, context_.ult(address, page));
      if (target.isCallers)
        isNull = context_.bvAnd(isNull, context_.bvNot(literalOf(Assumption::ValidPointers)));
      show(flow, context_.bvAnd(target.guard, isNull));
    }
  }
  if (question_.kinds.afterFree) showFreed(flow, targets, context_.trueExpr());
}

void Accesses::showFreed(const Flow &flow, const std::vector<Target> &targets, ExprPtr condition) {
  if (targets.empty()) show(flow, condition);
  for (const Target &target : targets) {
    if (target.object == kNoObject) continue;
    ExprPtr freed = flow.memory.freed(objects_, context_, target.object);
    if (flow.memory.isFreedElsewhere(objects_, target.object))
      freed = context_.bvOr(freed, context_.bvNot(literalOf(Assumption::DistinctPointers)));
    show(flow, context_.bvAnd(condition, context_.bvAnd(target.guard, freed)));
  }
}

ExprPtr Accesses::allocate(Flow &flow, BasePtr contents) {
  const ObjectId object = objects_.addHeap();
  flow.memory.fill(objects_, object, std::move(contents));
  return context_.ite(objects_.fresh(1), context_.constant(0, 64),
                      context_.constant(objects_.at(object).base, 64));
}

void Accesses::release(Flow &flow, ExprPtr address, ExprPtr condition, bool isSink) {
  const std::vector<Target> targets = targetsUsed(flow, address);
  const ExprPtr isThere = context_.bvAnd(condition, context_.ne(address, context_.constant(0, 64)));
  if (isSink && (question_.kinds.freedTwice || question_.kinds.afterFree))
    showFreed(flow, targets, isThere);
  if (targets.empty()) {
    giveAway(flow, address);
    return mayHaveFreed(flow);
  }
  for (const Target &target : targets) {
    if (target.object == kNoObject) continue;
    const ExprPtr before = flow.memory.freed(objects_, context_, target.object);
    flow.memory.setFreed(objects_, target.object,
                         context_.bvOr(before, context_.bvAnd(target.guard, isThere)));
  }
}

void Accesses::mayHaveFreed(Flow &flow) {
  if (!question_.kinds.afterFree && !question_.kinds.freedTwice) return;
  const ExprPtr isAssumed = literalOf(Assumption::NothingFreed);
  flow.memory.mayFree(objects_, context_,
                      context_.bvAnd(context_.bvNot(isAssumed), objects_.fresh(1)));
}

ExprPtr Accesses::assuming(Assumption assumption, ExprPtr condition) {
  return context_.bvOr(context_.bvNot(literalOf(assumption)), condition);
}

} // namespace fathom::bmc
