// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/decide/Engine.h"

#include "explore/builtin/AllocatorBuiltins.h"
#include "explore/builtin/BuiltinGroup.h"
#include "explore/builtin/HostBuiltins.h"
#include "explore/builtin/JumpBuiltins.h"
#include "explore/builtin/RuntimeBuiltins.h"
#include "explore/builtin/ThreadBuiltins.h"

namespace fathom::explore {

Engine::Engine(const program::Program &program, expr::ExprContext &context,
               solver::FeasibilityOracle &oracle, const ExploreOptions &options, ResultSink &sink,
               Stats &stats, Ledger &ledger, const ExecutableCode *shared)
    : interpreter(program, context, options, shared),
      services{program, context, oracle, options, sink, stats, ledger, interpreter, stepContext},
      foreign(options), stepContext(*this), decisions(*this), places(*this), follower(*this),
      witnesses(*this), seedPaths(*this), inputSides(*this), symbols(*this), feasibility(*this),
      guesses(*this), forks(*this), symcretes(*this), uninitUses(*this), assumed(*this),
      addresses(*this), access(*this), sizes(*this), targets(*this), memoryDecisions(*this),
      checkDecisions(*this), controlDecisions(*this), capture(*this), externalCalls(*this),
      bugs(*this), showBug(*this), leaks(*this), testCoverage(*this), tests(*this), ends(*this),
      start(*this), threadSwitches(*this), restorer(*this), executor(*this), builtins(*this),
      policies(*this) {
  interpreter.registers.deferred = {foreign.policy.deferFloats, foreign.policy.deferNonlinear};
}

StepContext::StepContext(Engine &engine)
    : EngineComponent(engine.services), decisions_(engine.decisions) {}

Places::Places(Engine &engine) : EngineComponent(engine.services) {}

LogFollower::LogFollower(Engine &engine) : EngineComponent(engine.services) {}

Witnesses::Witnesses(Engine &engine)
    : EngineComponent(engine.services), follower_(engine.follower) {}

SeedPaths::SeedPaths(Engine &engine)
    : EngineComponent(engine.services), witnesses_(engine.witnesses) {}

InputSides::InputSides(Engine &engine) : EngineComponent(engine.services) {}

Symbols::Symbols(Engine &engine)
    : EngineComponent(engine.services), follower_(engine.follower), witnesses_(engine.witnesses),
      seedPaths_(engine.seedPaths) {}

FeasibilityChecks::FeasibilityChecks(Engine &engine)
    : EngineComponent(engine.services), policy_(engine.services.options), places_(engine.places),
      follower_(engine.follower), witnesses_(engine.witnesses), seedPaths_(engine.seedPaths),
      inputSides_(engine.inputSides), forks_(engine.forks), symcretes_(engine.symcretes),
      uninitUses_(engine.uninitUses), controlDecisions_(engine.controlDecisions),
      bugs_(engine.bugs), decisions_(engine.decisions) {}

SpeculativeBranches::SpeculativeBranches(Engine &engine)
    : EngineComponent(engine.services), places_(engine.places), follower_(engine.follower),
      feasibility_(engine.feasibility) {}

Forks::Forks(Engine &engine)
    : EngineComponent(engine.services), places_(engine.places), follower_(engine.follower),
      feasibility_(engine.feasibility), decisions_(engine.decisions) {}

Symcretes::Symcretes(Engine &engine)
    : EngineComponent(engine.services), foreign_(engine.foreign), places_(engine.places),
      follower_(engine.follower), witnesses_(engine.witnesses), symbols_(engine.symbols),
      feasibility_(engine.feasibility) {}

UninitUses::UninitUses(Engine &engine)
    : EngineComponent(engine.services), places_(engine.places), follower_(engine.follower),
      witnesses_(engine.witnesses), feasibility_(engine.feasibility), forks_(engine.forks),
      bugs_(engine.bugs), decisions_(engine.decisions) {}

AssumedMemory::AssumedMemory(Engine &engine)
    : EngineComponent(engine.services), places_(engine.places), symbols_(engine.symbols),
      feasibility_(engine.feasibility), ends_(engine.ends) {}

Addresses::Addresses(Engine &engine)
    : EngineComponent(engine.services), places_(engine.places), follower_(engine.follower),
      witnesses_(engine.witnesses), feasibility_(engine.feasibility), assumed_(engine.assumed),
      forks_(engine.forks), checkDecisions_(engine.checkDecisions), bugs_(engine.bugs),
      ends_(engine.ends), decisions_(engine.decisions) {}

ObjectAccess::ObjectAccess(Engine &engine)
    : EngineComponent(engine.services), follower_(engine.follower),
      feasibility_(engine.feasibility) {}

Sizes::Sizes(Engine &engine)
    : EngineComponent(engine.services), places_(engine.places), follower_(engine.follower),
      witnesses_(engine.witnesses), feasibility_(engine.feasibility), forks_(engine.forks),
      access_(engine.access), decisions_(engine.decisions) {}

Targets::Targets(Engine &engine)
    : EngineComponent(engine.services), places_(engine.places), witnesses_(engine.witnesses),
      feasibility_(engine.feasibility), addresses_(engine.addresses), decisions_(engine.decisions) {
}

MemoryDecisions::MemoryDecisions(Engine &engine)
    : EngineComponent(engine.services), follower_(engine.follower), witnesses_(engine.witnesses),
      feasibility_(engine.feasibility), forks_(engine.forks), uninitUses_(engine.uninitUses),
      addresses_(engine.addresses), access_(engine.access), sizes_(engine.sizes),
      bugs_(engine.bugs), decisions_(engine.decisions) {}

CheckDecisions::CheckDecisions(Engine &engine)
    : EngineComponent(engine.services), witnesses_(engine.witnesses),
      feasibility_(engine.feasibility), forks_(engine.forks), uninitUses_(engine.uninitUses),
      bugs_(engine.bugs), decisions_(engine.decisions) {}

ControlDecisions::ControlDecisions(Engine &engine)
    : EngineComponent(engine.services), witnesses_(engine.witnesses),
      feasibility_(engine.feasibility), inputSides_(engine.inputSides), guesses_(engine.guesses),
      assumed_(engine.assumed), forks_(engine.forks), uninitUses_(engine.uninitUses),
      targets_(engine.targets), checkDecisions_(engine.checkDecisions), bugs_(engine.bugs),
      decisions_(engine.decisions) {}

CallCapture::CallCapture(Engine &engine)
    : EngineComponent(engine.services), foreign_(engine.foreign), places_(engine.places),
      witnesses_(engine.witnesses), uninitUses_(engine.uninitUses), addresses_(engine.addresses),
      sizes_(engine.sizes) {}

ExternalCalls::ExternalCalls(Engine &engine)
    : EngineComponent(engine.services), foreign_(engine.foreign), places_(engine.places),
      follower_(engine.follower), witnesses_(engine.witnesses), symbols_(engine.symbols),
      feasibility_(engine.feasibility), symcretes_(engine.symcretes), capture_(engine.capture),
      bugs_(engine.bugs), ends_(engine.ends), executor_(engine.executor),
      decisions_(engine.decisions) {}

BugReports::BugReports(Engine &engine)
    : EngineComponent(engine.services), places_(engine.places), follower_(engine.follower),
      symcretes_(engine.symcretes), showBug_(engine.showBug), tests_(engine.tests) {}

ShowBug::ShowBug(Engine &engine)
    : EngineComponent(engine.services), services_(engine.services), tests_(engine.tests) {}

LeakCheck::LeakCheck(Engine &engine)
    : EngineComponent(engine.services), witnesses_(engine.witnesses), bugs_(engine.bugs) {}

TestCoverage::TestCoverage(Engine &engine) : EngineComponent(engine.services) {}

TestBuilder::TestBuilder(Engine &engine)
    : EngineComponent(engine.services), services_(engine.services), witnesses_(engine.witnesses),
      symbols_(engine.symbols) {}

PathEnds::PathEnds(Engine &engine)
    : EngineComponent(engine.services), engine_(engine), guesses_(engine.guesses),
      places_(engine.places), witnesses_(engine.witnesses), feasibility_(engine.feasibility),
      symcretes_(engine.symcretes), testCoverage_(engine.testCoverage), tests_(engine.tests) {}

ProgramStart::ProgramStart(Engine &engine)
    : EngineComponent(engine.services), places_(engine.places), symbols_(engine.symbols),
      feasibility_(engine.feasibility), assumed_(engine.assumed), forks_(engine.forks),
      ends_(engine.ends) {}

ThreadSwitches::ThreadSwitches(Engine &engine)
    : EngineComponent(engine.services), places_(engine.places) {}

PathReplayer::PathReplayer(Engine &engine)
    : EngineComponent(engine.services), follower_(engine.follower), witnesses_(engine.witnesses),
      seedPaths_(engine.seedPaths), forks_(engine.forks), start_(engine.start),
      executor_(engine.executor) {}

Executor::Executor(Engine &engine)
    : EngineComponent(engine.services), builtins_(engine.builtins), policies_(engine.policies),
      places_(engine.places), restorer_(engine.restorer), feasibility_(engine.feasibility),
      assumed_(engine.assumed), guesses_(engine.guesses), addresses_(engine.addresses),
      memoryDecisions_(engine.memoryDecisions), checkDecisions_(engine.checkDecisions),
      controlDecisions_(engine.controlDecisions), decisions_(engine.decisions),
      externalCalls_(engine.externalCalls), bugs_(engine.bugs), testCoverage_(engine.testCoverage),
      ends_(engine.ends), start_(engine.start), threadSwitches_(engine.threadSwitches) {}

BuiltinGroup::BuiltinGroup(Engine &engine)
    : EngineComponent(engine.services), places_(engine.places), witnesses_(engine.witnesses),
      feasibility_(engine.feasibility), uninitUses_(engine.uninitUses),
      addresses_(engine.addresses), sizes_(engine.sizes), decisions_(engine.decisions) {}

AllocatorBuiltins::AllocatorBuiltins(Engine &engine)
    : BuiltinGroup(engine), follower_(engine.follower), seedPaths_(engine.seedPaths),
      forks_(engine.forks), targets_(engine.targets), bugs_(engine.bugs),
      replacesOperators_(replacesOperators(program_)) {}

RuntimeBuiltins::RuntimeBuiltins(Engine &engine)
    : BuiltinGroup(engine), symbols_(engine.symbols), bugs_(engine.bugs), leaks_(engine.leaks),
      ends_(engine.ends), guesses_(engine.guesses) {}

HostBuiltins::HostBuiltins(Engine &engine)
    : BuiltinGroup(engine), own_(options_), host_(options_.host ? *options_.host : own_),
      foreign_(engine.foreign), follower_(engine.follower) {}

JumpBuiltins::JumpBuiltins(Engine &engine) : BuiltinGroup(engine), bugs_(engine.bugs) {}

ThreadBuiltins::ThreadBuiltins(Engine &engine)
    : BuiltinGroup(engine), bugs_(engine.bugs), ends_(engine.ends),
      threadSwitches_(engine.threadSwitches) {}

Decisions::Decisions(Engine &engine) : EngineComponent(engine.services), engine_(engine) {}

} // namespace fathom::explore
