// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How paths begin: the state before the first instruction, and --entry.
#ifndef FATHOM_EXPLORE_DECIDE_PROGRAMSTART_H
#define FATHOM_EXPLORE_DECIDE_PROGRAMSTART_H

#include "explore/decide/EngineComponent.h"
#include "explore/state/State.h"

namespace fathom::explore {

struct Engine;
class FeasibilityChecks;
class AssumedMemory;
class Forks;
class PathEnds;
class Places;
class Symbols;

class ProgramStart : private EngineComponent {
public:
  explicit ProgramStart(Engine &engine);

  /// The state before the first instruction, or null: `error` says why.
  std::unique_ptr<State> initialState(std::string &error);
  bool entryCall(State &s);
  /// The parameters of the function that was entered last, which is main, can be anything that
  /// programs are started with: at least one argument.
  void forgetArguments(State &s, const program::FunctionCode &f);

private:
  void makeParametersSymbolic(State &s, const program::FunctionCode &f);
  uint64_t placeString(State &s, const std::string &text, const char *label);

  Places &places_;
  Symbols &symbols_;
  FeasibilityChecks &feasibility_;
  AssumedMemory &assumed_;
  Forks &forks_;
  PathEnds &ends_;
};

} // namespace fathom::explore
#endif
