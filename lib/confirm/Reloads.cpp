// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/Reloads.h"

#include "confirm/Notes.h"
#include "confirm/PointerLoads.h"
#include "explore/decide/Engine.h"

namespace fathom::confirm {

using namespace explore;

namespace {

constexpr const char *kReloadNote = "note.reload";
constexpr unsigned kPointerBytes = 8;

/// Where the pointer leads to, as far as the path knows; 0: it does not.
uint64_t addressIn(const Engine &engine, const State &s, uint32_t slot) {
  ExprPtr pointer = s.top->syms ? s.top->syms[slot] : nullptr;
  if (!pointer) return s.top->bits()[slot];
  if (engine.assumed.pointerIn(pointer) != pointer) return 0;
  for (auto *n = s.unknownPointers.last.get(); n; n = n->previous.get())
    if (n->value.pointer == pointer) return n->value.base;
  return 0;
}

/// Does the object of callers hold a pointer that the path put there?
bool holdsNewPointer(const Engine &engine, const State &s, const ObjectState &o) {
  for (uint64_t at = 0; at + kPointerBytes <= o.size(); at += kPointerBytes) {
    const Page *page = o.pages[at >> kPageShift];
    const auto offset = static_cast<unsigned>(at & (kPageSize - 1));
    if (!page || page->isUninit(offset)) continue;
    ExprPtr first = page->sym(offset);
    if (!first) {
      uint64_t value = 0;
      memcpy(&value, page->data + offset, kPointerBytes);
      if (value && s.memory.find(value)) return true;
      continue;
    }
    // Its own bytes are those of an array with its name.
    if (first->kind() == expr::Kind::Read && first->op(0)->kind() == expr::Kind::SymbolArray &&
        unknownPart(engine.symbols.nameOf(first->op(0))).object != o.info->name)
      return true;
  }
  return false;
}

} // namespace

std::vector<PointSite> ReloadNotes::points(const program::Program &program) const {
  return behindPointerLoads(program);
}

Policy::Answer ReloadNotes::at(Engine &engine, State &s) {
  const program::FunctionCode &f = engine.services.program.functions[s.top->function];
  const auto inst = static_cast<uint32_t>(s.ip - engine.interpreter.code.codeOf(f.id));
  if (inst == 0 || !loadsPointer(f.code[inst - 1])) return Answer::GoOn;
  const uint64_t address = addressIn(engine, s, f.code[inst - 1].dst);
  const ObjectState *object = address ? s.memory.find(address) : nullptr;
  if (!object || !object->freed || !object->info->assumed) return Answer::GoOn;
  bool wrote = false;
  s.memory.forEachObject([&](const ObjectState &o) {
    wrote = wrote || (o.info->assumed && !o.freed && holdsNewPointer(engine, s, o));
  });
  if (wrote) note(engine, s, kReloadNote);
  return Answer::GoOn;
}

bool reloads(const TestCase &test) { return hasNote(test, kReloadNote); }

} // namespace fathom::confirm
