// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/ReplayJudgement.h"

#include "report/SanitizerPlace.h"
#include "report/SanitizerReport.h"
#include "report/Sarif.h"
#include "support/SourcePlace.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

#include <csignal>

namespace fathom::report {

using explore::BugKind;
using explore::EndKind;
using native::Outcome;

namespace {

/// Does this signal show this kind of bug?
bool fits(BugKind kind, int signal, llvm::StringRef errors) {
  const bool isTrap = signal == SIGILL || signal == SIGTRAP; // of a sanitizer, or the program's own
  switch (kind) {
  case BugKind::DivisionByZero: return signal == SIGFPE || isTrap;
  case BugKind::Assertion: return signal == SIGABRT && errors.contains_insensitive("assert");
  case BugKind::Abort: return signal == SIGABRT || isTrap;
  case BugKind::Deadlock:
    return signal == SIGABRT && errors.contains("deadlock"); // native/thread.c
  case BugKind::Hang: return false;                          // it does not end
  case BugKind::Unreachable: return isTrap;
  case BugKind::StackOverflow: return signal == SIGSEGV || signal == SIGBUS;
  case BugKind::NullDereference:
  case BugKind::BadCall: return signal == SIGSEGV || signal == SIGBUS || isTrap;
  // Memory errors end in many ways: a fault, or the allocator noticing what was broken.
  case BugKind::OutOfBoundsRead:
  case BugKind::OutOfBoundsWrite:
  case BugKind::UseAfterFree:
  case BugKind::DoubleFree:
  case BugKind::InvalidFree:
  case BugKind::UninitializedRead:
  case BugKind::ExternalCrash:
    return signal == SIGSEGV || signal == SIGBUS || signal == SIGABRT || isTrap || signal == SIGFPE;
  case BugKind::Overshift:
  case BugKind::SignedOverflow: return isTrap || signal == SIGFPE; // otherwise see isSilent
  case BugKind::Leak: return false;                                // see isSilent
  }
  return false;
}

/// Does a run without sanitizers go on as if nothing were wrong? Mostly: what an unwritten value
/// leads to can be a fault.
bool isSilent(BugKind kind) {
  return kind == BugKind::Overshift || kind == BugKind::SignedOverflow || kind == BugKind::Leak ||
         kind == BugKind::UninitializedRead;
}

/// Can it do harm later, elsewhere: in memory that was broken, or by a value that was wrong?
bool showsLater(BugKind kind) {
  switch (kind) {
  case BugKind::OutOfBoundsRead:
  case BugKind::OutOfBoundsWrite:
  case BugKind::UseAfterFree:
  case BugKind::DoubleFree:
  case BugKind::InvalidFree:
  case BugKind::UninitializedRead: return true;
  default: return false;
  }
}

/// It crashed at `there`, in another line than the bug's.
void placeElsewhere(const std::string &there, const explore::StackFrame &at, bool tookPath,
                    ReplayedTest &test) {
  if (showsLater(*test.bugKind) && tookPath) {
    test.symptom += fmt::format(" later, at {}", there);
    return;
  }
  test.verdict = BugVerdict::OtherPlace;
  test.symptom += fmt::format(" at {}, not at {}", there, shortPlace(at.file, at.line));
}

/// A signal that the bug's kind explains, in this line. Of a deadlock and of a recursion, the place
/// says nothing.
void judgePlace(const std::vector<explore::StackFrame> &stack,
                const std::optional<SourcePlace> &lastLine, ReplayedTest &test) {
  const BugKind kind = *test.bugKind;
  test.verdict = BugVerdict::Reproduced;
  const explore::StackFrame *at = innermostOwn(stack);
  if (!lastLine || !at || !at->line || explore::doesNotEnd(kind) || kind == BugKind::StackOverflow)
    return;
  if (llvm::any_of(stack, [&](const explore::StackFrame &frame) {
        return frame.own && frame.line == lastLine->line &&
               baseName(frame.file) == baseName(lastLine->file);
      }))
    return;
  placeElsewhere(shortPlace(lastLine->file, lastLine->line), *at, test.trace.same, test);
}

/// What a report of the bug's kind says of it.
void judgeReport(const SanitizerReport &report, const std::vector<explore::StackFrame> &stack,
                 ReplayedTest &test) {
  const BugKind kind = *test.bugKind;
  const PlaceAgreement places = stack.empty() || !hasOnePlace(kind)
                                    ? PlaceAgreement::Same
                                    : placeAgreement(report, kind, stack);
  test.verdict = places == PlaceAgreement::Other ? BugVerdict::OtherPlace : BugVerdict::Reproduced;
  test.symptom = report.text();
  if (places == PlaceAgreement::Unknown) test.symptom += " (at which line is not known)";
  if (places != PlaceAgreement::Other) return;
  const explore::StackFrame *at = innermostOwn(stack);
  test.symptom +=
      fmt::format(" at {}, not at {}", placeText(report, kind), shortPlace(at->file, at->line));
}

} // namespace

void compareEnd(const StoredTest &stored, ReplayedTest &test) {
  switch (stored.end) {
  case EndKind::Exit:
    if (stored.status == explore::kNoStatus) break;
    test.expected = fmt::format("exit status {}", stored.status);
    test.statusCompared = true;
    test.statusAgrees =
        test.outcome.kind == Outcome::Kind::Exited && test.outcome.status == stored.status;
    break;
  case EndKind::Signal:
    test.expected = fmt::format("signal {}", native::signalName(stored.status));
    test.statusCompared = true;
    test.statusAgrees =
        test.outcome.kind == Outcome::Kind::Signalled && test.outcome.status == stored.status;
    break;
  case EndKind::Bug: test.expected = "a bug"; break;
  case EndKind::Partial: test.expected = "an unfinished path"; break;
  }
}

void leaveOut(ReplayedTest &test) {
  test.usesUnwritten = true;
  test.tookAnotherWay = test.differs();
  test.statusCompared = test.outputCompared = test.traceCompared = false;
  test.statusAgrees = test.stdoutAgrees = test.stderrAgrees = true;
}

void noteReports(ReplayedTest &test, const std::string &errors) {
  const std::vector<SanitizerReport> reports = sanitizerReports(errors);
  if (reports.empty()) return;
  test.report = reports.front().text();
  // Leaks, which are bugs of their own, are looked for when the program is through, and then its
  // exit status is the sanitizer's.
  const bool areLeaks = llvm::all_of(
      reports, [](const SanitizerReport &r) { return r.tool == SanitizerReport::Tool::Leak; });
  if (!areLeaks || test.statusAgrees) return;
  test.statusCompared = false;
  test.statusAgrees = true;
}

bool judgeBug(const StoredTest &stored, ReplayedTest &test, const std::string &errors,
              bool isSanitized, const std::vector<explore::StackFrame> &stack,
              const std::optional<SourcePlace> &lastLine) {
  const BugKind kind = *stored.bugKind;
  test.bugKind = kind;
  const bool crashed = test.outcome.kind == Outcome::Kind::Signalled;
  test.symptom = native::describe(test.outcome);
  std::optional<SanitizerReport> other;
  // A program without sanitizer may print such lines, too.
  const std::vector<SanitizerReport> reports =
      isSanitized ? sanitizerReports(errors) : std::vector<SanitizerReport>();
  bool isElsewhere = false;
  for (const SanitizerReport &report : reports) {
    if (shows(report, kind)) {
      judgeReport(report, stack, test);
      if (test.verdict == BugVerdict::Reproduced) return false;
      isElsewhere = true;
    }
    if (!other) other = report;
  }
  if (isElsewhere) return false;
  const bool isShown = (crashed && fits(kind, test.outcome.status, errors)) ||
                       (explore::doesNotEnd(kind) &&
                        test.outcome.kind == Outcome::Kind::TimedOut); // on the kernel's schedule
  if (other && !isShown) test.symptom = other->text();
  if (isShown)
    judgePlace(stack, lastLine, test);
  else if (crashed || (other && other->tool != SanitizerReport::Tool::Leak))
    test.verdict = BugVerdict::OtherCrash;
  else
    test.verdict = isSilent(kind) && !isSanitized ? BugVerdict::NoSymptom : BugVerdict::NoCrash;
  return isShown;
}

void compareCrash(const std::vector<explore::StackFrame> &calls,
                  const std::vector<explore::StackFrame> &stack, bool tookPath,
                  ReplayedTest &test) {
  const BugKind kind = *test.bugKind;
  const explore::StackFrame *at = innermostOwn(stack);
  if (!at || !at->line || explore::doesNotEnd(kind) || kind == BugKind::StackOverflow) return;
  const PlaceAgreement places = crashAgreement(calls, stack);
  test.hasUnknownPlace = places == PlaceAgreement::Unknown;
  if (places != PlaceAgreement::Other) return;
  placeElsewhere(crashPlaceText(calls), *at, tookPath, test);
}

} // namespace fathom::report
