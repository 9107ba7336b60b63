// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Issues as reports.
#include "statics/heap/LocalHeap.h"

#include "support/NumberText.h"

#include <fmt/format.h>

namespace fathom::statics::heap {

using evidence::BugKind;

static std::string roleText(const View &view, const Step &step) {
  const Facts &facts = view.facts;
  const Statement &s = facts.statements[step.statement];
  const bool isCall = s.kind == StatementKind::Call;
  const std::string callee = isCall ? view.calleeName(facts.calls[s.extra]) : "";
  switch (step.role) {
  case StepRole::Allocates: return callee + " allocates it";
  case StepRole::Opens: return callee + " opens it";
  case StepRole::Frees: return isCall ? callee + " frees it" : "it is freed";
  case StepRole::Closes: return isCall ? callee + " closes it" : "it is closed";
  case StepRole::Null: return isCall ? "null is passed" : "null comes from here";
  case StepRole::MaybeNull: return callee + " may return null";
  case StepRole::IsNull: return "it is null by this comparison";
  case StepRole::TrueSide:
    // Of a switch, only its cases are told.
    if (s.kind == StatementKind::Branch && s.extra != kNone) return "a case of it is taken";
    if (s.isUnwind) return "an exception comes out of it";
    return sideText(/*isTrue=*/true);
  case StepRole::FalseSide: return sideText(/*isTrue=*/false);
  case StepRole::Calls: return callee + " is called";
  case StepRole::Returns: return callee + " returns";
  case StepRole::Declares: return "it is declared here";
  case StepRole::Unwritten: return "it has no value yet";
  default: break;
  }
  return "";
}

static std::string outOfBoundsText(const Issue &issue) {
  const OutOfBounds &bounds = issue.bounds;
  const std::string access =
      fmt::format("{} of {}", issue.kind == BugKind::OutOfBoundsRead ? "read" : "write",
                  counted(bounds.bytes, "byte"));
  if (bounds.isBehindText) return access + " behind a text, if that ends at the byte before";
  if (bounds.isBehind)
    return fmt::format("{} {} {} behind the end of a block", access,
                       bounds.isUpTo ? "may end" : "ends", counted(bounds.offset, "byte"));
  return fmt::format("{} at offset {}{} of an object of {}", access,
                     !bounds.isUpTo      ? ""
                     : bounds.offset < 0 ? "down to "
                                         : "up to ",
                     bounds.offset, counted(bounds.size, "byte"));
}

static std::string messageOf(const Issue &issue) {
  switch (issue.kind) {
  case BugKind::UseAfterFree: return "freed memory is used";
  case BugKind::DoubleFree: return "freed memory is freed again";
  case BugKind::NullDereference: return "the null pointer is dereferenced";
  case BugKind::Leak: return "memory is not freed";
  case BugKind::HandleLeak: return "a file is not closed";
  case BugKind::UninitializedRead: return "memory is read that was never written";
  case BugKind::InvalidFree:
    return issue.bounds.offset
               ? fmt::format("free of an address {} behind the start of a block",
                             counted(static_cast<uint64_t>(issue.bounds.offset), "byte"))
               : "what is freed was not allocated";
  case BugKind::OutOfBoundsRead:
  case BugKind::OutOfBoundsWrite: return outOfBoundsText(issue);
  case BugKind::DivisionByZero: return "division by zero";
  default: return evidence::name(issue.kind);
  }
}

/// As many as a reader looks at: returns go first, then the branches that are farthest from the
/// defect, then what lies between source and defect.
static std::vector<Step> shownSteps(const View &view, const Issue &issue) {
  constexpr size_t kMaxSteps = 6;
  std::vector<Step> out = issue.steps;
  std::erase_if(out, [&](const Step &step) {
    return step.statement == kNone || // or it is a call that throws nothing
           (step.role == StepRole::FalseSide && view.facts.statements[step.statement].isUnwind);
  });
  const auto isReturn = [](const Step &step) { return step.role == StepRole::Returns; };
  const auto leaveOut = [&](auto &&isWanted) {
    while (out.size() > kMaxSteps) {
      const auto at = std::find_if(out.begin(), out.end() - 1, [&](const Step &step) {
        return isWanted(step) && !(step.statement == issue.source && step.role == issue.sourceRole);
      });
      if (at == out.end() - 1) return;
      out.erase(at);
    }
  };
  // Of a leak, the calls that returned the block tell which one it is.
  if (issue.kind != BugKind::Leak && issue.kind != BugKind::HandleLeak) leaveOut(isReturn);
  leaveOut([](const Step &step) { return isBranch(step); });
  leaveOut([](const Step &) { return true; });
  return out;
}

Report reportOf(const View &view, const HeapIssue &found) {
  const Issue &issue = found.issue;
  Report out;
  out.kind = issue.kind;
  out.certainty = found.certainty;
  const std::vector<Step> steps = shownSteps(view, issue);
  for (const Step &step : steps) {
    const bool isSink = &step == &steps.back();
    out.steps.push_back(
        view.step(step.statement, step.role, isSink ? messageOf(issue) : roleText(view, step)));
  }
  for (const StatementId call : issue.callers)
    out.callers.push_back(view.step(call, StepRole::Calls, ""));
  out.message = messageOf(issue);
  if (issue.source != kNone && issue.source != issue.sink) {
    const ReportStep source = view.step(issue.source, issue.sourceRole, "");
    out.message += fmt::format(
        "; {}", issue.kind == BugKind::NullDereference ? "it is null " + placeText(source, "since")
                : issue.kind == BugKind::UseAfterFree || issue.kind == BugKind::DoubleFree
                    ? "it was freed " + placeText(source)
                : issue.kind == BugKind::Leak ? "it was allocated " + placeText(source)
                                              : "made " + placeText(source));
  }
  for (const StatementId also : found.alsoAt)
    out.alsoAt.add(view.step(also, StepRole::Defect, messageOf(issue)));
  for (const auto &[role, source] : found.alsoFrom)
    out.alsoFrom.add(view.step(source, role, roleText(view, {role, source})));
  if (issue.follows != kNone)
    out.alsoAt.add(view.step(issue.follows, StepRole::Frees, "the memory is freed here"));
  if (issue.needsFailure) out.message += " (if an allocation fails)";
  return out;
}

} // namespace fathom::statics::heap
