// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What limits count where the clock may not decide (WorkClock::CountsSteps): kinds of work, each
// with a time that it takes by definition, near to what it took on the machine where these were
// measured; elsewhere a second of steps takes longer or shorter.
#ifndef FATHOM_SUPPORT_STEPS_H
#define FATHOM_SUPPORT_STEPS_H

#include <chrono>
#include <cstdint>

namespace fathom {

enum class StepKind : uint8_t {
  Search,       ///< an exploration begins: its engine is made
  Instruction,  ///< of a program, interpreted
  Term,         ///< made, or found to be there
  Fork,         ///< a state that was copied
  Symbol,       ///< of a state's objects that are symbolic, looked at one by one
  Query,        ///< asked of the solver chain, whichever stage answers
  Z3Unit,       ///< of Z3's rlimit
  Gate,         ///< of a circuit, made into clauses
  SatGate,      ///< a gate that CaDiCaL has when it begins a search
  SatLook,      ///< CaDiCaL asks whether it has to end: every tenth step of its search
  Row,          ///< an input of the fuzz solver, for one constraint
  CompiledByte, ///< of machine code, for the fuzz solver
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
