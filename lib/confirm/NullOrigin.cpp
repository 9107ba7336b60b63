// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/NullOrigin.h"

#include "confirm/Notes.h"
#include "evidence/BugKind.h"
#include "explore/decide/Engine.h"
#include "program/Operands.h"

#include <algorithm>

namespace fathom::confirm {

using namespace explore;
using program::Op;

namespace {

constexpr const char *kNullNote = "note.null-at-sink";
constexpr uint64_t kFirstAddress = 4096; ///< below it, pointers are null

/// The slots of addresses that the instruction uses, and of the arguments that it passes on.
std::vector<uint32_t> pointersOf(const program::FunctionCode &f, const program::Inst &inst) {
  if (isLoad(inst.op) || isStore(inst.op) || inst.op == Op::MemSet) return {inst.a};
  if (inst.op == Op::MemCpy || inst.op == Op::MemMove) return {inst.a, inst.b};
  if (!isCall(inst.op)) return {};
  const auto first = f.pool.begin() + static_cast<ptrdiff_t>(inst.imm);
  std::vector<uint32_t> out(first, first + inst.b);
  if (inst.op == Op::CallIndirect) out.push_back(inst.a);
  return out;
}

/// The number in a sum, which has few terms.
uint64_t numberIn(ExprPtr term, int depth = 0) {
  constexpr int kDeepest = 16;
  if (term->isConst()) return term->value();
  if (term->kind() != expr::Kind::Add || depth == kDeepest) return 0;
  return numberIn(term->op(0), depth + 1) + numberIn(term->op(1), depth + 1);
}

/// Null, or null plus an index.
bool isKnownNull(const Engine &engine, const State &s, uint32_t slot) {
  ExprPtr address = s.top->syms ? s.top->syms[slot] : nullptr;
  if (!address) return s.top->bits()[slot] < kFirstAddress;
  return !engine.assumed.pointerIn(address) && numberIn(address) < kFirstAddress;
}

} // namespace

std::vector<PointSite> NullAtSinkNotes::points(const program::Program &program) const {
  std::vector<PointSite> out;
  for (const CallGraph::CallAt &at : sink_) {
    const program::FunctionCode &f = program.functions[at.function];
    if (!pointersOf(f, f.code[at.inst]).empty()) out.push_back({at.function, at.inst});
  }
  return out;
}

Policy::Answer NullAtSinkNotes::at(Engine &engine, State &s) {
  const program::FunctionCode &f = engine.services.program.functions[s.top->function];
  const auto inst = static_cast<size_t>(s.ip - engine.interpreter.code.codeOf(f.id));
  const std::vector<uint32_t> slots = pointersOf(f, f.code[inst]);
  if (std::ranges::any_of(slots, [&](uint32_t slot) { return isKnownNull(engine, s, slot); }))
    note(engine, s, kNullNote);
  return Answer::GoOn;
}

bool isNullOfCallers(const Bug &bug) {
  return bug.kind == evidence::BugKind::NullDereference && !hasNote(bug.test, kNullNote);
}

} // namespace fathom::confirm
