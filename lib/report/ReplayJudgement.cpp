// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/ReplayJudgement.h"

#include "evidence/BugKind.h"
#include "report/SanitizerPlace.h"
#include "report/SanitizerReport.h"
#include "report/Sarif.h"
#include "support/SourcePlace.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

#include <csignal>

namespace fathom::report {

using evidence::StackFrame;

using evidence::BugKind;
using explore::EndKind;
using native::Outcome;

namespace {

uint8_t classOf(int signal) {
  switch (signal) {
  case SIGSEGV:
  case SIGBUS: return evidence::kFault;
  case SIGABRT: return evidence::kAbort;
  case SIGILL:
  case SIGTRAP: return evidence::kTrap;
  case SIGFPE: return evidence::kArithmetic;
  default: return 0;
  }
}

/// Does this signal show this kind of bug?
bool fits(BugKind kind, int signal, llvm::StringRef errors) {
  const evidence::BugKindRow &row = evidence::rowOf(kind);
  return (row.signals & classOf(signal)) &&
         (!row.signalWord || errors.contains_insensitive(row.signalWord));
}

bool isSilent(BugKind kind) { return evidence::rowOf(kind).symptom == evidence::Symptom::Silent; }

/// It crashed at `there`, in another line than the bug's.
void placeElsewhere(const std::string &there, const StackFrame &at, bool tookPath,
                    ReplayedTest &test) {
  if (evidence::rowOf(*test.bugKind).showsLater && tookPath) {
    test.symptom += fmt::format(" later, at {}", there);
    return;
  }
  test.verdict = BugVerdict::OtherPlace;
  test.symptom += fmt::format(" at {}, not at {}", there, shortPlace(at.file, at.line));
}

/// A signal that the bug's kind explains, in this line. Of a deadlock and of a recursion, the place
/// says nothing.
void judgePlace(const std::vector<StackFrame> &stack, const std::optional<SourcePlace> &lastLine,
                ReplayedTest &test) {
  const BugKind kind = *test.bugKind;
  test.verdict = BugVerdict::Reproduced;
  const StackFrame *at = innermostOwn(stack);
  if (!lastLine || !at || !at->line || !evidence::rowOf(kind).crashHasPlace) return;
  if (llvm::any_of(stack, [&](const StackFrame &frame) {
        return frame.own && frame.line == lastLine->line &&
               baseName(frame.file) == baseName(lastLine->file);
      }))
    return;
  placeElsewhere(shortPlace(lastLine->file, lastLine->line), *at, test.trace.same, test);
}

/// What a report of the bug's kind says of it.
void judgeReport(const SanitizerReport &report, const std::vector<StackFrame> &stack,
                 ReplayedTest &test) {
  const BugKind kind = *test.bugKind;
  const PlaceAgreement places = stack.empty() || !evidence::rowOf(kind).hasOnePlace
                                    ? PlaceAgreement::Same
                                    : placeAgreement(report, kind, stack);
  test.verdict = places == PlaceAgreement::Other ? BugVerdict::OtherPlace : BugVerdict::Reproduced;
  test.symptom = report.text();
  if (places == PlaceAgreement::Unknown) test.symptom += " (at which line is not known)";
  if (places != PlaceAgreement::Other) return;
  const StackFrame *at = innermostOwn(stack);
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
              bool isSanitized, const std::vector<StackFrame> &stack,
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
                       (evidence::doesNotEnd(kind) &&
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

void compareCrash(const std::vector<StackFrame> &calls, const std::vector<StackFrame> &stack,
                  bool tookPath, ReplayedTest &test) {
  const BugKind kind = *test.bugKind;
  const StackFrame *at = innermostOwn(stack);
  if (!at || !at->line || !evidence::rowOf(kind).crashHasPlace) return;
  const PlaceAgreement places = crashAgreement(calls, stack);
  test.hasUnknownPlace = places == PlaceAgreement::Unknown;
  if (places != PlaceAgreement::Other) return;
  placeElsewhere(crashPlaceText(calls), *at, tookPath, test);
}

} // namespace fathom::report
