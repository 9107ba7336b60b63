// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Notes of what a path has met. A note is stored as a symbol of the path although it is no input:
// forks inherit symbols, and a bug's test lists them. Users do not see notes.
#ifndef FATHOM_CONFIRM_NOTES_H
#define FATHOM_CONFIRM_NOTES_H

#include "confirm/CallGraph.h"
#include "explore/policy/Policy.h"

#include <string>
#include <string_view>
#include <vector>

namespace fathom::confirm {

/// Names of notes begin with it.
inline constexpr std::string_view kNotePrefix = "note.";
inline bool isNote(std::string_view symbol) { return symbol.starts_with(kNotePrefix); }

/// Cost: that of the path's symbols.
bool hasNote(const explore::State &s, const explore::Engine &engine, const std::string &name);
void note(explore::Engine &engine, explore::State &s, const std::string &name);
bool hasNote(const explore::TestCase &test, std::string_view name);

/// A policy that adds the note when a path comes to one of the places.
class PassageNotes final : public explore::Policy {
public:
  PassageNotes(std::vector<CallGraph::CallAt> places, std::string_view note)
      : places_(std::move(places)), note_(note) {}
  std::vector<explore::PointSite> points(const program::Program &) const override;
  Answer at(explore::Engine &engine, explore::State &s) override;

private:
  std::vector<CallGraph::CallAt> places_;
  std::string note_;
};

} // namespace fathom::confirm
#endif
