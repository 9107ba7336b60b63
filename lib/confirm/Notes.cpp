// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/Notes.h"

#include "confirm/Forget.h"
#include "explore/decide/Engine.h"

#include <algorithm>

namespace fathom::confirm {

using namespace explore;

bool hasNote(const State &s, const Engine &engine, const std::string &name) {
  for (const auto *at = s.symbols.last.get(); at; at = at->previous.get())
    if (engine.symbols.nameOf(at->value) == name) return true;
  return false;
}

void note(Engine &engine, State &s, const std::string &name) {
  if (!hasNote(s, engine, name)) freshBytes(engine, s, name, 1, /*mayPoint=*/false);
}

bool hasNote(const TestCase &test, std::string_view name) {
  return std::ranges::find(test.symbols, name, &SymbolValue::name) != test.symbols.end();
}

std::vector<PointSite> PassageNotes::points(const program::Program &) const {
  std::vector<PointSite> out;
  for (const CallGraph::CallAt &place : places_) out.push_back({place.function, place.inst});
  return out;
}

Policy::Answer PassageNotes::at(Engine &engine, State &s) {
  note(engine, s, note_);
  return Answer::GoOn;
}

} // namespace fathom::confirm
