// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bmc/GatedCode.h"

#include "program/Operands.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace fathom::bmc {

using program::CodeBlock;
using program::CodeFlow;
using program::CodeLoop;
using program::FunctionCode;
using program::Inst;
using program::kNoIndex;
using program::Op;

GatedCode::GatedCode(expr::ExprContext &context, const program::Program &program,
                     const Knowledge &knowledge, const Question &question,
                     const std::atomic<bool> *stop)
    : context_(context), program_(program), knowledge_(knowledge), question_(question), stop_(stop),
      accesses_(context, program, question), objects_(accesses_.objects()) {}

void GatedCode::fail(std::string why) {
  if (failure_.empty()) failure_ = std::move(why);
}

void GatedCode::run() {
  const FunctionCode &f = program_.functions[question_.entry];
  Flow flow;
  flow.guard = context_.trueExpr();
  flow.slots.resize(f.slots);
  for (const program::Param &parameter : f.params)
    for (uint32_t i = 0; i < parameter.slots; ++i)
      flow.slots[parameter.slot + i] = objects_.freshOfCallers(slotWidth(parameter.widthBits));
  // What callers pass may be freed, where other code ran before.
  if (!question_.isMain)
    flow.memory.setInitiallyFreed(context_.bvAnd(
        context_.bvNot(accesses_.literalOf(Assumption::NotFreedBefore)), objects_.fresh(1)));
  Activation activation{f, shapeOf(f), nullptr, false, question_.bounds.depth, false};
  follow(activation, std::move(flow));
}

GatedCode::Shape &GatedCode::shapeOf(const FunctionCode &f) {
  const auto [known, isNew] = shapes_.try_emplace(f.id, f);
  Shape &shape = known->second;
  if (isNew) findWays(f, shape);
  if (shape.flow.isIrreducible()) fail(fmt::format("{} jumps into a loop", f.name));
  return shape;
}

/// The instruction is of the place, or a call that may lead there.
bool GatedCode::mayHit(const FunctionCode &f, uint32_t index) const {
  if (knowledge_.isSink(f.id, index)) return true;
  const Inst &inst = f.code[index];
  switch (inst.op) {
  case Op::Call: return knowledge_.leadsToSink(inst.c);
  case Op::CallExternal: {
    const uint32_t body = program_.externals[inst.c].body;
    return body != kNoIndex && knowledge_.leadsToSink(body);
  }
  case Op::CallIndirect: {
    const std::vector<uint32_t> *callees = knowledge_.calledByPointer(f.id);
    return !callees ||
           std::ranges::any_of(*callees, [&](uint32_t c) { return knowledge_.leadsToSink(c); });
  }
  default: return false;
  }
}

void GatedCode::findWays(const FunctionCode &f, Shape &shape) const {
  const std::vector<CodeBlock> &blocks = shape.flow.blocks();
  std::vector<std::vector<uint32_t>> previous(blocks.size());
  std::vector<bool> matters(blocks.size());
  std::vector<uint32_t> open;
  shape.toSink.resize(blocks.size());
  for (uint32_t b = 0; b < blocks.size(); ++b) {
    for (const uint32_t next : blocks[b].next) previous[next].push_back(b);
    for (uint32_t i = blocks[b].first; i <= blocks[b].last; ++i) {
      const Inst &inst = f.code[i];
      if (mayHit(f, i)) shape.toSink[b] = true;
      matters[b] = matters[b] || (inst.op == Op::Call && knowledge_.isRelated(inst.c)) ||
                   (program::isCall(inst.op) && mayFree(inst));
    }
    if (!shape.toSink[b]) continue;
    matters[b] = true;
    open.push_back(b);
  }
  for (const CodeLoop &loop : shape.flow.loops())
    shape.matters.push_back(
        std::ranges::any_of(loop.blocks, [&](uint32_t block) { return matters[block]; }));
  while (!open.empty()) {
    const uint32_t at = open.back();
    open.pop_back();
    for (const uint32_t b : previous[at])
      if (!shape.toSink[b]) {
        shape.toSink[b] = true;
        open.push_back(b);
      }
  }
}

bool GatedCode::isOnWayAfter(const Activation &activation, uint32_t index) const {
  if (activation.isOfSink || activation.goesOn) return true;
  const CodeFlow &code = activation.shape.flow;
  const CodeBlock &block = code.blocks()[code.blockOf(index)];
  for (uint32_t i = index + 1; i <= block.last; ++i)
    if (mayHit(activation.f, i)) return true;
  return std::ranges::any_of(block.next,
                             [&](uint32_t next) { return activation.shape.toSink[next]; });
}

const GatedCode::Region &GatedCode::regionOf(Shape &shape, uint32_t loop) {
  const auto [known, isNew] = shape.regions.try_emplace(loop);
  Region &region = known->second;
  if (!isNew) return region;
  const CodeFlow &flow = shape.flow;
  const std::vector<CodeLoop> &loops = flow.loops();
  region.header = loop == kNoIndex ? 0 : loops[loop].header;
  // The part that a block is in; none: the block is outside of the region.
  const auto partOf = [&](uint32_t block) -> std::optional<Part> {
    uint32_t in = flow.loopOf(block);
    if (in == loop) return Part{false, block};
    while (in != kNoIndex && loops[in].parent != loop) in = loops[in].parent;
    if (in == kNoIndex) return std::nullopt;
    return Part{true, in};
  };
  // Depth first from the header; what is finished first comes last.
  std::set<std::pair<bool, uint32_t>> seen;
  struct Open {
    Part part;
    std::vector<uint32_t> next;
  };
  std::vector<Open> stack;
  const auto push = [&](uint32_t block) {
    const std::optional<Part> part = partOf(block);
    if (!part || !seen.emplace(part->isLoop, part->index).second) return;
    Open open{*part, {}};
    if (part->isLoop)
      for (auto [from, to] : loops[part->index].exits) open.next.push_back(to);
    else
      open.next = flow.blocks()[part->index].next;
    stack.push_back(std::move(open));
  };
  push(region.header);
  while (!stack.empty()) {
    Open &top = stack.back();
    if (!top.next.empty()) {
      const uint32_t next = top.next.back();
      top.next.pop_back();
      if (loop == kNoIndex || next != region.header) push(next);
      continue;
    }
    region.parts.push_back(top.part);
    stack.pop_back();
  }
  std::ranges::reverse(region.parts);
  for (size_t i = 0; i < region.parts.size(); ++i) {
    const Part &part = region.parts[i];
    if (!part.isLoop)
      region.partOf[part.index] = i;
    else
      for (const uint32_t block : loops[part.index].blocks) region.partOf[block] = i;
  }
  return region;
}

void GatedCode::join(std::optional<Flow> &into, Flow flow) {
  if (flow.guard->isFalse()) return;
  if (!into) {
    into = std::move(flow);
    return;
  }
  // The two are never both taken.
  const ExprPtr condition = into->guard;
  for (size_t i = 0; i < into->slots.size(); ++i) {
    ExprPtr &a = into->slots[i];
    ExprPtr b = flow.slots[i];
    if (a == b || !b) continue;
    if (!a) {
      a = b;
      continue;
    }
    // Values of other widths share the slot at other times: they are not read any more.
    const unsigned width = std::max(a->width(), b->width());
    a = context_.ite(condition, context_.zext(a, width), context_.zext(b, width));
  }
  into->memory.join(objects_, context_, condition, flow.memory);
  into->guard = context_.bvOr(into->guard, flow.guard);
}

void GatedCode::follow(Activation &activation, Flow flow) {
  meetsSink_ |= knowledge_.hasSink(activation.f.id);
  std::vector<Edge> exits;
  std::optional<Flow> back;
  followRegion(activation, kNoIndex, std::move(flow), exits, back);
}

void GatedCode::followRegion(Activation &activation, uint32_t loop, Flow flow,
                             std::vector<Edge> &exits, std::optional<Flow> &back) {
  if (isOver()) return;
  const Region &region = regionOf(activation.shape, loop);
  std::vector<std::optional<Flow>> incoming(region.parts.size());
  incoming[0] = std::move(flow);
  std::vector<Edge> edges;
  for (size_t i = 0; i < region.parts.size() && !isOver(); ++i) {
    if (!incoming[i]) continue;
    Flow here = std::move(*incoming[i]);
    incoming[i].reset();
    edges.clear();
    if (region.parts[i].isLoop)
      followLoop(activation, region.parts[i].index, std::move(here), edges);
    else
      followBlock(activation, region.parts[i].index, std::move(here), edges);
    for (Edge &edge : edges) {
      if (loop != kNoIndex && edge.block == region.header) {
        join(back, std::move(edge.flow));
        continue;
      }
      const auto part = region.partOf.find(edge.block);
      if (part == region.partOf.end())
        exits.push_back(std::move(edge));
      else
        join(incoming[part->second], std::move(edge.flow));
    }
  }
}

void GatedCode::followLoop(Activation &activation, uint32_t loop, Flow flow,
                           std::vector<Edge> &exits) {
  if (!activation.isOnWay(activation.shape.flow.loops()[loop].header)) return;
  const Bounds &bounds = question_.bounds;
  const uint32_t rounds = activation.shape.matters[loop] ? bounds.rounds : bounds.otherRounds;
  for (uint32_t round = 0; round < rounds; ++round) {
    std::optional<Flow> back;
    followRegion(activation, loop, std::move(flow), exits, back);
    if (!back || isOver()) return;
    flow = std::move(*back);
  }
  forgetLoop(activation, loop, flow);
  std::optional<Flow> rest; // all further rounds begin as this one did
  followRegion(activation, loop, std::move(flow), exits, rest);
}

void GatedCode::forgetLoop(Activation &activation, uint32_t loop, Flow &flow) {
  const FunctionCode &f = activation.f;
  const CodeFlow &code = activation.shape.flow;
  std::vector<uint32_t> lines;
  std::vector<bool> written(f.slots);
  bool writes = false, frees = false;
  for (const uint32_t b : code.loops()[loop].blocks) {
    const CodeBlock &block = code.blocks()[b];
    for (uint32_t i = block.first; i <= block.last; ++i) {
      const Inst &inst = f.code[i];
      program::forEachAccess(program_, f, inst, [&](uint32_t slot, uint32_t n, bool isWritten) {
        for (uint32_t k = slot; isWritten && k < slot + n; ++k) written[k] = true;
      });
      giveAwayRead(f, inst, flow);
      if (!program::isCall(inst.op) && !program::isStore(inst.op) && inst.op != Op::MemCpy &&
          inst.op != Op::MemMove && inst.op != Op::MemSet && inst.op != Op::VaStart &&
          inst.op != Op::VaCopy)
        continue;
      writes = true;
      lines.push_back(program_.location(f, i).line);
      frees |= mayFree(inst);
    }
  }
  for (uint32_t slot = 0; slot < f.slots; ++slot)
    if (written[slot] && flow.slots[slot])
      flow.slots[slot] = objects_.fresh(flow.slots[slot]->width());
  if (writes) {
    std::ranges::sort(lines);
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    accesses_.change(flow, knowledge_.changesAt(f.id, lines));
  }
  if (frees) accesses_.mayHaveFreed(flow);
}

void GatedCode::followBlock(Activation &activation, uint32_t number, Flow flow,
                            std::vector<Edge> &out) {
  if (!activation.isOnWay(number)) return;
  const CodeBlock &block = activation.shape.flow.blocks()[number];
  for (uint32_t i = block.first; i <= block.last; ++i) {
    if (++instructions_ > question_.bounds.instructions)
      return fail(fmt::format("it has more than {} instructions", question_.bounds.instructions));
    if (stop_ && *stop_) return fail("interrupted");
    if (program::isTerminator(activation.f.code[i].op)) break;
    execute(activation, i, flow);
    if (flow.guard->isFalse() || isOver()) return;
  }
  branch(activation, block, std::move(flow), out);
}

void GatedCode::branch(Activation &activation, const CodeBlock &block, Flow flow,
                       std::vector<Edge> &out) {
  const FunctionCode &f = activation.f;
  const Inst &inst = f.code[block.last];
  const CodeFlow &code = activation.shape.flow;
  const auto push = [&](uint32_t target, ExprPtr condition, Flow to) {
    to.guard = context_.bvAnd(to.guard, condition);
    if (!to.guard->isFalse()) out.push_back({code.blockOf(target), std::move(to)});
  };
  switch (inst.op) {
  case Op::Jmp: return push(inst.c, context_.trueExpr(), std::move(flow));
  case Op::CondJmp: {
    const ExprPtr condition = accesses_.operand(flow, inst.a, 1);
    push(inst.c, condition, flow);
    return push(inst.d, context_.bvNot(condition), std::move(flow));
  }
  case Op::Switch: {
    const program::SwitchTable &table = f.switches[inst.imm];
    const ExprPtr value = accesses_.operand(flow, inst.a, inst.w);
    std::map<uint32_t, ExprPtr> conditions; // by target
    ExprPtr any = context_.falseExpr();
    for (size_t i = 0; i < table.values.size(); ++i) {
      const ExprPtr is = context_.eq(value, context_.constant(table.values[i], inst.w));
      any = context_.bvOr(any, is);
      ExprPtr &condition = conditions[table.targets[i]];
      condition = condition ? context_.bvOr(condition, is) : is;
    }
    for (auto &[target, condition] : conditions) push(target, condition, flow);
    return push(table.defaultTarget, context_.bvNot(any), std::move(flow));
  }
  case Op::Ret:
  case Op::RetVoid: return leave(activation, inst, std::move(flow));
  case Op::Unreachable:
  case Op::Trap:
    // A sanitizer's check of the place itself.
    if (activation.isOfSink || knowledge_.isSink(f.id, block.last))
      accesses_.show(flow, context_.trueExpr());
    return;
  case Op::IndirectBr:
  case Op::Unsupported: return fail(fmt::format("{} has code that no term is made of", f.name));
  default: return push(block.last + 1, context_.trueExpr(), std::move(flow));
  }
}

void GatedCode::leave(Activation &activation, const Inst &inst, Flow flow) {
  const ExprPtr isThis = flow.guard;
  std::vector<ExprPtr> results;
  if (inst.op == Op::Ret)
    for (uint32_t i = 0; i < inst.b; ++i) {
      const unsigned width = i == 0 ? slotWidth(activation.f.retWidthBits) : 64;
      results.push_back(accesses_.operand(flow, inst.a + i, width));
    }
  for (size_t i = 0; i < results.size(); ++i)
    if (activation.returned)
      activation.results[i] = context_.ite(isThis, results[i], activation.results[i]);
  if (!activation.returned) activation.results = std::move(results);
  flow.slots.clear(); // of this activation
  join(activation.returned, std::move(flow));
}

} // namespace fathom::bmc
