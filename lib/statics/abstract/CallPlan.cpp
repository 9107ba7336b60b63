// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/abstract/CallPlan.h"

#include "statics/abstract/CallCycles.h"

#include <algorithm>
#include <limits>
#include <set>

namespace fathom::statics::abstract {

namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();
/// A loop's body is analysed about so often; beyond three loops in each other the inner ones start
/// from states that hardly change.
constexpr double kRounds = 4;
constexpr unsigned kMaxNestedLoops = 3;

void weigh(const std::vector<OrderElement> &elements, unsigned nested, std::vector<double> &out) {
  double weight = 1;
  for (unsigned i = 0; i < std::min(nested, kMaxNestedLoops); ++i) weight *= kRounds;
  for (const OrderElement &element : elements) {
    out[element.vertex] =
        element.isComponent && nested < kMaxNestedLoops ? weight * kRounds : weight;
    weigh(element.body, nested + element.isComponent, out);
  }
}

} // namespace

CallPlan::CallPlan(const AbstractProgram &program, const std::vector<FunctionPlan> &plans,
                   uint64_t mostStatements)
    : program_(program), callees_(program.functions.size()), named_(program.functions.size()),
      weights_(program.functions.size()), component_(program.functions.size()),
      rank_(program.functions.size()), cost_(program.functions.size()) {
  for (FunctionId f = 0; f < program.functions.size(); ++f) {
    if (program.functions[f].addressTaken) addressTaken_.push_back(f);
    weights_[f].assign(program.functions[f].blocks.size(), 0); // unreachable blocks
    weigh(plans[f].order, 0, weights_[f]);
  }
  findCalls();
  findCycles();
  // The greatest cost of a followed callee with which the analysis fits into the budget.
  for (const double limit : {kUnlimited, 30e3, 10e3, 3e3, 1e3, 300.0, 100.0, 30.0, 0.0}) {
    limit_ = limit;
    if (computeCosts(limit) <= double(mostStatements)) return;
  }
}

bool CallPlan::followsAll() const { return limit_ == kUnlimited; }

bool CallPlan::mayCallOutside(const Statement &s) const {
  if (s.isIndirect) return true;
  const bool hasBody = s.callee != kNoId && !program_.functions[s.callee].blocks.empty();
  return !hasBody && s.touchesMemory;
}

void CallPlan::findCalls() {
  for (FunctionId f = 0; f < program_.functions.size(); ++f) {
    std::set<FunctionId> found;
    std::set<ObjectId> objects;
    for (const Block &block : program_.functions[f].blocks)
      for (const Statement &s : block.statements) {
        const bool names = s.kind == StatementKind::AddressOf ||
                           s.kind == StatementKind::Allocate || s.kind == StatementKind::Enter;
        if (names && program_.objects[s.object].kind != Object::Kind::Function &&
            !program_.objects[s.object].isConstant)
          objects.insert(s.object);
        if (s.kind != StatementKind::Call) continue;
        if (s.callee != kNoId) found.insert(s.callee);
        if (mayCallOutside(s)) found.insert(addressTaken_.begin(), addressTaken_.end());
      }
    callees_[f].assign(found.begin(), found.end());
    named_[f].assign(objects.begin(), objects.end());
  }
}

void CallPlan::findCycles() {
  CallCycles cycles = cyclesOf(callees_);
  recursive_ = std::move(cycles.recursive);
  for (const std::vector<FunctionId> &component : cycles.components)
    for (const FunctionId member : component) {
      component_[member] = component.back();
      rank_[member] = uint32_t(order_.size());
      order_.push_back(member);
    }
}

double CallPlan::costOf(FunctionId function, double limit, bool withCycle) const {
  double out = 0;
  const std::vector<Block> &blocks = program_.functions[function].blocks;
  for (BlockId b = 0; b < blocks.size(); ++b) {
    double statements = 1;
    for (const Statement &s : blocks[b].statements) {
      statements += 1;
      if (s.kind != StatementKind::Call || s.callee == kNoId) continue;
      const bool isInCycle = component_[s.callee] == component_[function];
      if (isInCycle && !withCycle) continue;
      if (cost_[s.callee] <= limit) statements += cost_[s.callee];
    }
    out += weights_[function][b] * statements;
  }
  return out;
}

/// Computes cost_ of all functions for this limit, callees first. Of recursive functions, one round
/// of the cycle counts. Returns the cost of all functions that have an analysis of their own: the
/// entries, and those that are not followed.
double CallPlan::computeCosts(double limit) {
  for (size_t first = 0, end = 0; first < order_.size(); first = end) {
    while (end < order_.size() && component_[order_[end]] == component_[order_[first]]) ++end;
    for (size_t i = first; i < end; ++i) cost_[order_[i]] = costOf(order_[i], limit, false);
    if (end - first == 1) continue;
    std::vector<double> whole;
    for (size_t i = first; i < end; ++i) whole.push_back(costOf(order_[i], limit, true));
    for (size_t i = first; i < end; ++i) cost_[order_[i]] = whole[i - first];
  }
  double out = 0;
  for (const FunctionId f : order_)
    if (recursive_.test(f) || cost_[f] > limit) out += cost_[f];
  for (const FunctionId f : program_.entries)
    if (!recursive_.test(f) && cost_[f] <= limit) out += cost_[f];
  return out;
}

const Touched &CallPlan::touchedBy(const std::vector<FunctionId> &roots) {
  const auto [at, isNew] = touched_.try_emplace(roots);
  Touched &out = at->second;
  if (!isNew) return out;
  out.objects.resize(unsigned(program_.objects.size()));
  llvm::BitVector seen(unsigned(program_.functions.size()));
  std::vector<FunctionId> open;
  auto visit = [&](FunctionId f) {
    if (seen.test(f)) return;
    seen.set(f);
    open.push_back(f);
  };
  for (const FunctionId f : roots) visit(f);
  while (!open.empty()) {
    const FunctionId f = open.back();
    open.pop_back();
    for (const ObjectId object : named_[f]) out.objects.set(object);
    for (const FunctionId callee : callees_[f]) visit(callee);
  }
  for (const unsigned object : out.objects.set_bits()) {
    if (!mayEscape(program_.objects[object])) out.ownObjects.push_back(object);
    if (const VarId size = program_.objects[object].sizeVar; size != kNoId)
      out.sizes.push_back(size);
  }
  return out;
}

Boundary CallPlan::boundaryOf(FunctionId function, bool isEntry) {
  const Touched &touched = touchedBy({function});
  Boundary out;
  out.objects.resize(unsigned(program_.objects.size()));
  out.sizes = touched.objects;
  for (ObjectId o = 0; o < program_.objects.size(); ++o) {
    const Object &object = program_.objects[o];
    // The callee's local objects are not there before and after it; the caller's own stay with it.
    if (touched.objects.test(o) && object.kind == Object::Kind::Global) out.objects.set(o);
    if (isEntry && mayEscape(object)) out.sizes.set(o);
  }
  return out;
}

const Boundary &CallPlan::entryOf(FunctionId function) {
  const auto at = entries_.find(function);
  return at != entries_.end() ? at->second
                              : entries_[function] = boundaryOf(function, /*isEntry=*/true);
}

const Boundary &CallPlan::exitOf(FunctionId function) {
  const auto at = exits_.find(function);
  return at != exits_.end() ? at->second
                            : exits_[function] = boundaryOf(function, /*isEntry=*/false);
}

} // namespace fathom::statics::abstract
