// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/Slice.h"

#include "explore/decide/Engine.h"
#include "program/Operands.h"
#include "program/SlotFlow.h"

#include <algorithm>
#include <optional>

namespace fathom::confirm {

using namespace program;

namespace {

/// What an instruction means for a region that it is in.
enum class Effect : uint8_t {
  Registers, ///< it computes registers, reads memory, or jumps within the function
  Memory,    ///< it writes memory
  Scope,     ///< it begins or ends a variable's life
  Other      ///< a region with it cannot be left out
};

Effect effectOf(Op op) {
  if (isStore(op)) return Effect::Memory;
  switch (op) {
  case Op::MemCpy:
  case Op::MemMove:
  case Op::MemSet: return Effect::Memory;
  case Op::LifetimeStart:
  case Op::LifetimeEnd: return Effect::Scope;
  case Op::Alloca:
  case Op::AllocaDyn:
  case Op::IndirectBr:
  case Op::CallExternal:
  case Op::Ret:
  case Op::RetVoid:
  case Op::Unreachable:
  case Op::Trap:
  case Op::Unsupported:
  case Op::VaStart:
  case Op::VaCopy:
  case Op::StackSave:
  case Op::StackRestore:
  case Op::SurplusArguments: return Effect::Other;
  default: return Effect::Registers;
  }
}

class RegionsOf {
public:
  RegionsOf(const Program &program, const CallEffects &effects, const Returns &returns,
            const FunctionCode &f)
      : program_(program), effects_(effects), returns_(returns), f_(f),
        blocks_(returns.blocksOf(f.id)) {
    for (const CodeBlock &block : blocks_)
      comesBack_.push_back(returns_.returnsFrom(f_.id, block.first));
    meets_ = postDominators(blocks_, comesBack_);
  }

  void find(std::vector<Region> &out) {
    for (uint32_t b = 0; b < blocks_.size(); ++b) {
      const Op op = f_.code[blocks_[b].last].op;
      if (op != Op::CondJmp && op != Op::Switch) continue;
      if (std::optional<Region> region = regionAfter(b)) out.push_back(std::move(*region));
    }
  }

private:
  std::optional<Region> regionAfter(uint32_t block) {
    const uint32_t end = meets_[block];
    if (end == kNoIndex || end == block) return std::nullopt;
    Region region;
    region.function = f_.id;
    region.branch = blocks_[block].last;
    region.after = blocks_[end].first;
    addLines(region.branch, region);
    llvm::BitVector written(f_.localBase); // slots
    bool isPossible = true;
    std::vector<bool> seen(blocks_.size());
    std::vector<uint32_t> worklist;
    const auto enter = [&](const CodeBlock &from) {
      for (uint32_t next : from.next)
        if (next != end && !seen[next]) {
          seen[next] = true;
          worklist.push_back(next);
        }
    };
    enter(blocks_[block]);
    while (!worklist.empty() && isPossible) {
      const uint32_t at = worklist.back();
      const CodeBlock &b = blocks_[at];
      worklist.pop_back();
      for (uint32_t i = b.first; i <= b.last && isPossible; ++i) {
        addLines(i, region);
        // Of a block that never comes back, only its callees count.
        isPossible = addCallees(f_.code[i], region) && (!comesBack_[at] || add(i, region, written));
      }
      enter(b);
    }
    if (!isPossible || !addRegisters(written, region)) return std::nullopt;
    makeSet(region.callees);
    makeSet(region.returning);
    makeSet(region.stores);
    makeSet(region.at);
    return region;
  }

  /// Also those without code of their own, for a report may name one (`p = NULL;`).
  void addLines(uint32_t inst, Region &region) const {
    const auto add = [&](const Location &at) {
      const std::pair<uint32_t, uint32_t> line(at.line, at.file);
      if (region.at.empty() || region.at.back() != line) region.at.push_back(line);
    };
    add(program_.location(f_, inst));
    auto start = std::ranges::lower_bound(f_.lineStarts, std::pair(inst, 0u));
    for (; start != f_.lineStarts.end() && start->first == inst; ++start)
      add(program_.locations[start->second]);
  }

  bool addCallees(const Inst &i, Region &region) const {
    if (i.op == Op::Call) region.callees.push_back(i.c);
    if (i.op != Op::CallIndirect) return true;
    const std::vector<uint32_t> *called = effects_.calledByPointer(f_.id);
    if (!called) return false;
    region.callees.insert(region.callees.end(), called->begin(), called->end());
    region.isExact = false;
    return true;
  }

  bool add(uint32_t inst, Region &region, llvm::BitVector &written) {
    const Inst &i = f_.code[inst];
    const Effect effect = effectOf(i.op);
    if (effect == Effect::Other) return false;
    if (effect == Effect::Scope) region.isExact = false;
    const uint32_t line = program_.location(f_, inst).line;
    if (i.op == Op::Call && returns_.returns(i.c)) {
      const CallEffect *callee = effects_.of(i.c);
      if (!callee) return false;
      region.isExact = region.isExact && callee->isExact;
      region.returning.push_back(i.c);
      if (callee->isByLine && !addStores(line, region)) return false;
    }
    if (i.op == Op::CallIndirect) {
      for (uint32_t called : *effects_.calledByPointer(f_.id))
        if (!effects_.of(called)) return false;
    }
    if ((effect == Effect::Memory || i.op == Op::CallIndirect) && !addStores(line, region))
      return false;
    liveness().forEachSlotOf(i, /*definitions=*/true, [&](uint32_t slot) { written.set(slot); });
    return true;
  }

  /// False: what this line writes is not known.
  bool addStores(uint32_t line, Region &region) const {
    if (!line || !effects_.knowsLine(f_.id, line)) return false;
    region.stores.push_back(line);
    region.isExact = false;
    return true;
  }

  /// Adds the registers that the region writes and that are read after it. A register of a
  /// pointer's width may be a pointer.
  bool addRegisters(const llvm::BitVector &written, Region &region) {
    if (written.none()) return true;
    llvm::BitVector read = liveness().liveAt(region.after);
    read &= written;
    if (read.none()) return true;
    if (!widths_) widths_.emplace(program_, f_);
    const std::vector<unsigned> widths = widths_->widthsAt(region.after);
    for (const unsigned slot : read.set_bits()) {
      const unsigned bits = widths[slot];
      if (bits == SlotWidths::kUnknown || bits == SlotWidths::kSeveral || bits > 64) return false;
      region.isExact = region.isExact && bits < 64;
      region.registers.emplace_back(slot, bits);
    }
    return true;
  }

  const SlotLiveness &liveness() {
    if (!liveness_) liveness_.emplace(program_, f_, f_.localBase);
    return *liveness_;
  }

  const Program &program_;
  const CallEffects &effects_;
  const Returns &returns_;
  const FunctionCode &f_;
  const std::vector<CodeBlock> &blocks_;
  std::vector<bool> comesBack_; ///< by block
  std::vector<uint32_t> meets_; ///< by block: where its ways meet
  std::optional<SlotLiveness> liveness_;
  std::optional<SlotWidths> widths_;
};

} // namespace

std::vector<Region> regionsToLeaveOut(const Program &program, const CallEffects &effects,
                                      const Returns &returns) {
  std::vector<Region> out;
  for (const FunctionCode &f : program.functions)
    if (f.own && !f.code.empty()) RegionsOf(program, effects, returns, f).find(out);
  return out;
}

Writes writesOf(const Region &region, const CallEffects &effects) {
  Writes out;
  for (const uint32_t callee : region.returning) out.add(effects.of(callee)->writes);
  if (!region.stores.empty()) out.add(effects.writesAt(region.function, region.stores));
  return out;
}

bool holds(const Program &program, const Region &region, const std::vector<Place> &places) {
  return std::ranges::any_of(places, [&](const Place &place) {
    const auto first = std::ranges::lower_bound(region.at, std::pair(place.line, 0u));
    for (auto at = first; at != region.at.end() && at->first == place.line; ++at)
      if (place.isAt(program.files[at->second], at->first)) return true;
    return false;
  });
}

std::vector<explore::PointSite> SkipRegions::points(const Program &) const {
  std::vector<explore::PointSite> out;
  for (const OmittedRegion &r : regions_) out.push_back({r.region->function, r.region->branch});
  return out;
}

explore::Policy::Answer SkipRegions::at(explore::Engine &engine, explore::State &s) {
  const Inst *code = engine.interpreter.code.codeOf(s.top->function);
  const std::pair<uint32_t, uint32_t> here(s.top->function, static_cast<uint32_t>(s.ip - code));
  const OmittedSite site{here.first, here.second};
  if (executed_.contains(site) || sinkCalls_.isActive(engine, s)) return Answer::GoOn;
  const OmittedRegion &omitted =
      *std::ranges::lower_bound(regions_, here, {}, [](const OmittedRegion &r) {
        return std::pair(r.region->function, r.region->branch);
      });
  const Region &region = *omitted.region;
  if (!omitted.isExact) noteInexact(engine, site);
  const std::string name = symbolName(site);
  // As for calls: a path tells by a symbol that it left something out.
  if (region.registers.empty()) freshBytes(engine, s, name, 1, false);
  for (const auto &[slot, bits] : region.registers) {
    explore::ExprPtr bytes = freshBytes(engine, s, name, (bits + 7) / 8, bits == 64);
    engine.interpreter.registers.setRegister(*s.top, slot, numberOf(engine, bytes, bits));
  }
  const auto [writes, isNew] = writes_.try_emplace(&region);
  if (isNew) writes->second = writesOf(region, effects_);
  forget(engine, s, writes->second, name);
  const FunctionCode &f = engine.services.program.functions[here.first];
  engine.controlDecisions.commitJump(s, code + region.after, uint64_t(f.coverBase) + region.after);
  return Answer::Moved;
}

} // namespace fathom::confirm
