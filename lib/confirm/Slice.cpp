// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/Slice.h"

#include "confirm/SkipCalls.h"
#include "explore/decide/Engine.h"
#include "program/SlotFlow.h"

#include <algorithm>
#include <optional>

namespace fathom::confirm {

using namespace program;

namespace {

/// Does the instruction only compute a register, read memory, or jump within the function?
bool isHarmless(Op op) {
  switch (op) {
  case Op::Store8:
  case Op::Store16:
  case Op::Store32:
  case Op::Store64:
  case Op::StoreN:
  case Op::StoreWide:
  case Op::Store8I:
  case Op::Store16I:
  case Op::Store32I:
  case Op::Store64I:
  case Op::Alloca:
  case Op::AllocaDyn:
  case Op::MemCpy:
  case Op::MemMove:
  case Op::MemSet:
  case Op::LifetimeStart:
  case Op::LifetimeEnd:
  case Op::IndirectBr:
  case Op::CallIndirect:
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
  case Op::SurplusArguments: return false;
  default: return true;
  }
}

class RegionsOf {
public:
  RegionsOf(const Program &program, const CallEffects &effects, const FunctionCode &f)
      : program_(program), effects_(effects), f_(f), flow_(f) {}

  void find(std::vector<Region> &out) {
    for (uint32_t b = 0; b < flow_.blocks().size(); ++b) {
      const Op op = f_.code[flow_.blocks()[b].last].op;
      if (op != Op::CondJmp && op != Op::Switch) continue;
      if (std::optional<Region> region = behind(b)) out.push_back(std::move(*region));
    }
  }

private:
  std::optional<Region> behind(uint32_t block) {
    const uint32_t end = flow_.postDominator(block);
    if (end == kNoIndex || end == block) return std::nullopt;
    Region region{f_.id, flow_.blocks()[block].last, flow_.blocks()[end].first, {}, {}};
    region.at.push_back(program_.location(f_, region.branch));
    std::vector<bool> seen(flow_.blocks().size());
    std::vector<uint32_t> worklist;
    llvm::BitVector written(f_.localBase);
    const auto enter = [&](const CodeBlock &from) {
      for (uint32_t next : from.next)
        if (next != end && !seen[next]) {
          seen[next] = true;
          worklist.push_back(next);
        }
    };
    enter(flow_.blocks()[block]);
    while (!worklist.empty()) {
      const CodeBlock &b = flow_.blocks()[worklist.back()];
      worklist.pop_back();
      for (uint32_t i = b.first; i <= b.last; ++i)
        if (!add(i, region, written)) return std::nullopt;
      enter(b);
    }
    if (written.any() && written.anyCommon(liveness().liveAt(region.after))) return std::nullopt;
    std::ranges::sort(region.callees);
    region.callees.erase(std::unique(region.callees.begin(), region.callees.end()),
                         region.callees.end());
    return region;
  }

  bool add(uint32_t inst, Region &region, llvm::BitVector &written) {
    const Inst &i = f_.code[inst];
    if (!isHarmless(i.op)) return false;
    if (i.op == Op::Call) {
      const CallEffect *effect = effects_.of(i.c);
      if (!effect || !effect->variables.empty()) return false;
      region.callees.push_back(i.c);
    }
    region.at.push_back(program_.location(f_, inst));
    liveness().forEachSlotOf(i, /*definitions=*/true, [&](uint32_t slot) { written.set(slot); });
    return true;
  }

  const SlotLiveness &liveness() {
    if (!liveness_) liveness_.emplace(program_, f_, f_.localBase);
    return *liveness_;
  }

  const Program &program_;
  const CallEffects &effects_;
  const FunctionCode &f_;
  const CodeFlow flow_;
  std::optional<SlotLiveness> liveness_;
};

} // namespace

std::vector<Region> regionsWithoutEffect(const Program &program, const CallEffects &effects) {
  std::vector<Region> out;
  for (const FunctionCode &f : program.functions)
    if (f.own && !f.code.empty()) RegionsOf(program, effects, f).find(out);
  return out;
}

bool holds(const Program &program, const Region &region, const std::vector<Place> &places) {
  return std::ranges::any_of(region.at, [&](const Location &at) {
    return std::ranges::any_of(
        places, [&](const Place &place) { return place.isAt(program.files[at.file], at.line); });
  });
}

std::vector<explore::PointSite> SkipRegions::points(const Program &) const {
  std::vector<explore::PointSite> out;
  for (const Region *region : regions_) out.push_back({region->function, region->branch});
  return out;
}

explore::Policy::Answer SkipRegions::at(explore::Engine &engine, explore::State &s) {
  const Inst *code = engine.machine.code.codeOf(s.top->function);
  const std::pair<uint32_t, uint32_t> here(s.top->function, static_cast<uint32_t>(s.ip - code));
  const auto region = std::ranges::lower_bound(
      regions_, here, {}, [](const Region *r) { return std::pair(r->function, r->branch); });
  // As for calls: a path tells by the symbol that it left something out.
  const std::string name = std::string(kSkippedPrefix) + "branch";
  engine.symbols.addSymbol(s, engine.symbols.symbolFor(s, name, 1), name);
  const FunctionCode &f = engine.services.program.functions[here.first];
  engine.controlDecisions.commitJump(s, code + (*region)->after,
                                     uint64_t(f.coverBase) + (*region)->after);
  return Answer::Moved;
}

} // namespace fathom::confirm
