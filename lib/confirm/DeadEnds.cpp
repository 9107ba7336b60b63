// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/DeadEnds.h"

#include "explore/decide/Engine.h"

#include <algorithm>

namespace fathom::confirm {

using namespace program;

Returns::Returns(const Program &program)
    : program_(program), fromBlock_(program.functions.size()), returns_(program.functions.size()) {
  for (const FunctionCode &f : program.functions)
    blocks_.push_back(f.code.empty() ? std::vector<CodeBlock>() : codeBlocks(f));
  // A least fixpoint: a function returns if it does so given the functions that are known to
  // return.
  for (bool changes = true; changes;) {
    changes = false;
    for (const FunctionCode &f : program.functions)
      if (!f.code.empty()) changes |= update(f);
  }
}

/// The blocks, by whether `ends(block)`, or one that it passes on to, backwards.
template <class Ends, class Passes>
static std::vector<bool> backwards(const std::vector<CodeBlock> &blocks, Ends &&ends,
                                   Passes &&passes) {
  std::vector<std::vector<uint32_t>> previous(blocks.size());
  std::vector<bool> out(blocks.size());
  std::vector<uint32_t> worklist;
  for (uint32_t b = 0; b < blocks.size(); ++b) {
    if (ends(blocks[b])) {
      out[b] = true;
      worklist.push_back(b);
    }
    if (passes(blocks[b]))
      for (uint32_t next : blocks[b].next) previous[next].push_back(b);
  }
  while (!worklist.empty()) {
    const uint32_t at = worklist.back();
    worklist.pop_back();
    for (uint32_t b : previous[at])
      if (!out[b]) {
        out[b] = true;
        worklist.push_back(b);
      }
  }
  return out;
}

bool Returns::update(const FunctionCode &f) {
  const auto passesAll = [&](const CodeBlock &b) {
    for (uint32_t i = b.first; i <= b.last; ++i)
      if (!passes(f.code[i])) return false;
    return true;
  };
  std::vector<bool> now = backwards(
      blocks_[f.id],
      [&](const CodeBlock &b) {
        const Op op = f.code[b.last].op;
        return (op == Op::Ret || op == Op::RetVoid) && passesAll(b);
      },
      passesAll);
  const bool changes = now != fromBlock_[f.id];
  fromBlock_[f.id] = std::move(now);
  returns_[f.id] = fromBlock_[f.id][0];
  return changes;
}

uint32_t Returns::blockAt(uint32_t function, uint32_t inst) const {
  const auto after = std::ranges::upper_bound(blocks_[function], inst, {}, &CodeBlock::first);
  return static_cast<uint32_t>(after - blocks_[function].begin()) - 1;
}

bool Returns::returnsFrom(uint32_t function, uint32_t inst) const {
  const FunctionCode &f = program_.functions[function];
  const CodeBlock &b = blocks_[function][blockAt(function, inst)];
  for (uint32_t i = inst; i <= b.last; ++i) {
    if (f.code[i].op == Op::Ret || f.code[i].op == Op::RetVoid) return true;
    if (!passes(f.code[i])) return false;
  }
  return std::ranges::any_of(b.next, [&](uint32_t next) { return fromBlock_[function][next]; });
}

PlaceReach::PlaceReach(const Program &program, const CallGraph &calls, const Returns &returns,
                       const Place &place)
    : program_(program), returns_(returns), place_(place), reaching_(program.functions.size()),
      fromBlock_(program.functions.size()) {
  for (uint32_t f : calls.functionsAt(place)) {
    const std::vector<bool> more = calls.reaching(f);
    for (size_t i = 0; i < more.size(); ++i) reaching_[i] = reaching_[i] || more[i];
  }
  for (const FunctionCode &f : program.functions)
    throughPointers_.push_back(std::ranges::any_of(
        calls.calledByPointer(f.id), [&](uint32_t callee) { return reaching_[callee]; }));
  for (const External &e : program.externals)
    isJump_.push_back(e.name.find("longjmp") != std::string::npos);
  for (const FunctionCode &f : program.functions)
    if (!f.code.empty()) addFunction(f);
}

bool PlaceReach::isPlace(uint32_t function, uint32_t inst) const {
  const FunctionCode &f = program_.functions[function];
  if (!f.own) return false;
  const Location &at = program_.location(f, inst);
  return place_.isAt(program_.files[at.file], at.line);
}

bool PlaceReach::hits(const FunctionCode &f, uint32_t inst) const {
  const Inst &i = f.code[inst];
  switch (i.op) {
  case Op::Call:
    if (reaching_[i.c]) return true;
    break;
  case Op::CallIndirect:
    if (throughPointers_[f.id]) return true;
    break;
  case Op::CallExternal:
    if (i.c < isJump_.size() && isJump_[i.c]) return true;
    break;
  default: break;
  }
  return isPlace(f.id, inst);
}

void PlaceReach::addFunction(const FunctionCode &f) {
  bool hasHit = false;
  for (uint32_t i = 0; i < f.code.size() && !hasHit; ++i) hasHit = hits(f, i);
  if (!hasHit) { // nearly all
    fromBlock_[f.id].assign(returns_.blocksOf(f.id).size(), false);
    return;
  }
  fromBlock_[f.id] = backwards(
      returns_.blocksOf(f.id),
      [&](const CodeBlock &b) {
        for (uint32_t i = b.first; i <= b.last; ++i) {
          if (hits(f, i)) return true;
          if (!returns_.passes(f.code[i])) return false;
        }
        return false;
      },
      [&](const CodeBlock &b) {
        for (uint32_t i = b.first; i <= b.last; ++i)
          if (!returns_.passes(f.code[i])) return false;
        return true;
      });
}

bool PlaceReach::from(uint32_t function, uint32_t inst) const {
  const FunctionCode &f = program_.functions[function];
  const CodeBlock &b = returns_.blocksOf(function)[returns_.blockAt(function, inst)];
  for (uint32_t i = inst; i <= b.last; ++i) {
    if (hits(f, i)) return true;
    if (!returns_.passes(f.code[i])) return false;
  }
  return std::ranges::any_of(b.next, [&](uint32_t next) { return fromBlock_[function][next]; });
}

std::vector<explore::PointSite> PlaceReach::frontier() const {
  std::vector<explore::PointSite> out;
  for (const FunctionCode &f : program_.functions) {
    if (!f.own || f.code.empty()) continue;
    const std::vector<bool> &reaches = fromBlock_[f.id];
    const std::vector<CodeBlock> &blocks = returns_.blocksOf(f.id);
    std::vector<bool> isFrontier(blocks.size());
    if (!reaches[0] && !returns_.returns(f.id)) isFrontier[0] = true;
    for (uint32_t b = 0; b < blocks.size(); ++b)
      for (uint32_t next : blocks[b].next)
        if (reaches[b] && !reaches[next]) isFrontier[next] = true;
    for (uint32_t b = 0; b < blocks.size(); ++b)
      if (isFrontier[b]) out.push_back({f.id, blocks[b].first});
  }
  return out;
}

bool PlaceReach::from(const explore::Engine &engine, const explore::State &s) const {
  if (s.threads) return true;
  const explore::ExecutableCode &code = engine.interpreter.code;
  const auto indexIn = [&](const explore::Frame &frame, const Inst *at) {
    return static_cast<uint32_t>(at - code.codeOf(frame.function));
  };
  const Inst *at = s.ip;
  for (const explore::Frame *frame = s.top;; at = frame->resume) {
    const uint32_t inst = indexIn(*frame, at);
    if (from(frame->function, inst)) return true;
    if (!returns_.returnsFrom(frame->function, inst)) return false;
    frame = frame->parent;
    // With --entry, other code stands in for main's, and calls nothing else.
    if (!frame || code.sizeOf(frame->function) != program_.functions[frame->function].code.size())
      return false;
    if (isPlace(frame->function, indexIn(*frame, frame->resume) - 1)) return true;
  }
}

std::vector<explore::PointSite> DeadEnds::points(const Program &) const {
  std::vector<explore::PointSite> out = sink_->frontier();
  if (!sourceReach_) return out;
  const std::vector<explore::PointSite> more = sourceReach_->frontier();
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

explore::Policy::Answer DeadEnds::at(explore::Engine &engine, explore::State &s) {
  if (!sink_->from(engine, s)) {
    engine.services.ledger.add(kDeadEndCategory, "", "");
    return Answer::Ended;
  }
  if (!sourceReach_ || source_->wasAt(engine, s) || sourceReach_->from(engine, s))
    return Answer::GoOn;
  engine.services.ledger.add(kMissedSourceCategory, "", "");
  return Answer::Ended;
}

} // namespace fathom::confirm
