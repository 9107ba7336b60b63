// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/decide/PathEnds.h"

#include "evidence/LedgerCategory.h"
#include "explore/decide/FeasibilityChecks.h"
#include "explore/decide/LogFollower.h"
#include "explore/decide/Places.h"
#include "explore/decide/SpeculativeBranches.h"
#include "explore/decide/TestBuilder.h"
#include "explore/decide/TestCoverage.h"
#include "explore/decide/Turn.h"
#include "explore/decide/Witnesses.h"
#include "explore/external/Symcretes.h"
#include "explore/policy/Policy.h"

namespace fathom::explore {

using evidence::LedgerCategory;

using namespace program;

/// Does the path end with the first function's return? Only in a program without start-up code.
static bool endsByReturn(const State &s, const Machine &machine) {
  return s.top && !s.top->parent && machine.code.opAt(s.ip) == Op::Ret;
}

/// One after the other, as far as they go together with the path and those before. Only for states
/// that end: the path condition is no longer that of the path.
void PathEnds::honourPreferences(State &s) {
  for (const ExprPtr *wish : s.preferred.items()) {
    solver::Answer answer = oracle_.check({.path = s.path,
                                           .goal = *wish,
                                           .witness = s.witness.get(),
                                           .witnessVersion = s.witnessVersion,
                                           .timeout = feasibility_.queryTimeout()});
    stats_.queries++;
    if (answer.kind != solver::AnswerKind::Sat) continue;
    if (!answer.isWitness) {
      auto model = std::make_shared<expr::Model>(std::move(answer.model));
      // A wish is no reason for an input that takes another path.
      if (s.hasExact && !symcretes_.agrees(s, *wish, *model)) continue;
      s.setWitness(std::move(model));
    }
    s.path.add(*wish);
  }
}

bool PathEnds::endUnasked(State &s) {
  if (!s.guessed.size() || !options_.onlyNewCoverage || !watchers_.empty() ||
      s.memory.usage().heapObjects || LogFollower::isFollowed(s) || testCoverage_.coversUntested(s))
    return false;
  stats_.pathsCompleted++;
  stats_.guessedPaths++;
  ledger_.add(LedgerCategory::AssumedFeasible, "",
              "a path that the campaign makes probable covered nothing new and ended unasked "
              "(--only-new-coverage)");
  return true;
}

void PathEnds::endPath(State &s, EndKind end, int status, const std::string &why,
                       ExprPtr exitValue) {
  if (LogFollower::isFollowed(s) || !guesses_.settle(s)) return;
  if (end == EndKind::Exit && options_.entry.empty() && endsByReturn(s, machine_)) { // main's value
    const FunctionCode &f = program_.functions[s.top->function];
    const unsigned bits = shapeBits(program_.shapes[f.retShape][0]);
    exitValue = machine_.registers.registerTerm(*s.top, s.ip->a, bits);
  }
  bool partial = end == EndKind::Partial;
  if (partial)
    stats_.pathsTerminatedEarly++;
  else
    stats_.pathsCompleted++;
  if (s.memory.isCrowded())
    ledger_.add(LedgerCategory::CrowdedMemory, "",
                "with this many objects some lie less than 1 MiB apart: an access far outside "
                "of one may have hit another");
  if (!partial && !s.repeats)
    for (Policy *policy : watchers_) policy->ended(engine_, s);
  bool isNew = testCoverage_.claimCoverage(s);
  if ((options_.onlyNewCoverage || partial) && !isNew) return;
  writeTest(s, end, status, isNew && !partial ? "new coverage" : why, exitValue, isNew,
            MergedTrace::OfInput);
}

void PathEnds::leaveTest(State &s, const std::string &why) {
  if (!options_.onlyNewCoverage || LogFollower::isFollowed(s) || !testCoverage_.coversUntested(s) ||
      !guesses_.settle(s))
    return;
  testCoverage_.claimCoverage(s);
  // Within loops that join after each round there are many of them.
  writeTest(s, EndKind::Partial, 0, why, nullptr, /*isNew=*/true, MergedTrace::None);
}

void PathEnds::writeTest(State &s, EndKind end, int status, const std::string &why,
                         ExprPtr exitValue, bool isNew, MergedTrace trace) {
  stats_.tests++;
  stats_.partialTests += end == EndKind::Partial;
  symcretes_.confirmPath(s);
  const solver::PathCondition path = s.path; // wishes are none of its conditions
  honourPreferences(s);                      // changes the input
  if (exitValue)
    status = exitValue->has(expr::kHasUninit)
                 ? kNoStatus
                 : static_cast<int>(witnesses_.witnessValue(s, exitValue) & 0xff);
  TestCase test = tests_.buildTest(s, *s.witness, end, status, why);
  if (trace == MergedTrace::OfInput)
    tests_.traceInput(s, test);
  else if (s.isMerged)
    test.trace = {.count = 0, .hash = kTraceSeed, .checkpoints = {}};
  test.coversNew = isNew;
  if (options_.smtLib) test.smtLib = tests_.pathAsSmtLib(s, path, nullptr, *s.witness);
  if (!sink_.onTest(test)) turn_.sinkFailed = true;
}

void PathEnds::abandon(State &s, std::optional<LedgerCategory> category, const std::string &why) {
  if (category) ledger_.add(*category, places_.where(s), why);
  endPath(s, EndKind::Partial, 0, "partial: " + why);
}

} // namespace fathom::explore
