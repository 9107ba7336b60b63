// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Units of work, for limits that must not depend on the clock (WorkClock::CountsSteps). Each kind
// of step has a fixed nominal duration, which was measured once; on another machine, a second of
// steps takes more or less than a second.
#ifndef FATHOM_SUPPORT_STEPS_H
#define FATHOM_SUPPORT_STEPS_H

#include <chrono>
#include <cstdint>

namespace fathom {

enum class StepKind : uint8_t {
  Search,       ///< the start of an exploration, with the construction of its engine
  Instruction,  ///< one interpreted instruction of the program
  Term,         ///< one term built, or found in the table of terms
  Fork,         ///< one state copied
  Symbol,       ///< one symbolic object of a state examined
  Query,        ///< one query to the solver chain, whichever stage answers
  Z3Unit,       ///< one unit of Z3's rlimit
  Gate,         ///< one gate of a circuit encoded as clauses
  SatGate,      ///< one gate that CaDiCaL has when it begins a search
  SatLook,      ///< one call of CaDiCaL's terminator: every tenth step of its search
  Row,          ///< one input of the fuzz solver evaluated, for one constraint
  CompiledByte, ///< one byte of machine code compiled for the fuzz solver
  LaneUnit,     ///< a thousand of DomainSearch's units of work
};

/// What one step of this kind takes by definition. Measured by least squares over 1,200 searches of
/// confirm in gzip and expr: nine tenths of the searches took 0.8 to 2.5 times their steps.
constexpr std::chrono::nanoseconds timeOf(StepKind kind) {
  using std::chrono::nanoseconds;
  switch (kind) {
  case StepKind::Search: return nanoseconds(9'000'000);
  case StepKind::Instruction: return nanoseconds(50);
  case StepKind::Term: return nanoseconds(70);
  case StepKind::Fork: return nanoseconds(30'000);
  case StepKind::Symbol: return nanoseconds(150);
  case StepKind::Query: return nanoseconds(2'000);
  case StepKind::Z3Unit: return nanoseconds(500);
  case StepKind::Gate: return nanoseconds(1'500);
  case StepKind::SatGate: return nanoseconds(20);
  case StepKind::SatLook: return nanoseconds(12'000);
  case StepKind::Row: return nanoseconds(700);
  case StepKind::CompiledByte: return nanoseconds(500);
  case StepKind::LaneUnit: return nanoseconds(60);
  }
  return {};
}

/// How many steps of this kind the time is.
constexpr uint64_t stepsIn(std::chrono::nanoseconds time, StepKind kind) {
  return time.count() <= 0 ? 0 : static_cast<uint64_t>(time / timeOf(kind));
}

} // namespace fathom
#endif
