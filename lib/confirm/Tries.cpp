// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/Tries.h"

#include "confirm/FindingJson.h"

#include <fmt/format.h>

#include <cmath>

namespace fathom::confirm {

ReportTime timeOf(const Round &round) {
  ReportTime out;
  out.time = round.limit;
  if (!round.isWhole)
    out.over = fmt::format("its part of the time for all reports ran out, {:g} s ({})",
                           std::round(std::chrono::duration<double>(round.limit).count() * 10) / 10,
                           round.isCounted ? "--rounds" : "--max-time");
  return out;
}

Finding ofRound(Finding finding, const Round &round) {
  if (round.isWhole) return finding;
  if (settledBy(finding) == settledBy(Cut::Time))
    finding.settledBy = round.isCounted ? "more rounds (--rounds): the same command continues"
                                        : settledBy(Cut::Budget);
  if (finding.cut == Cut::Time) finding.cut = Cut::Budget;
  return finding;
}

Finding findingOf(const ChildEnd &end, const Round &round) {
  Finding out;
  out.seconds = end.seconds;
  const bool hadTry = end.kind != ChildEnd::Kind::NotStarted &&
                      end.kind != ChildEnd::Kind::AllOver &&
                      end.kind != ChildEnd::Kind::Interrupted;
  // A crash in a longer try is news, too.
  if (hadTry) out.had = round.limit;
  const auto open = [&](Cut cause, std::string reason) {
    out.cut = cause;
    out.reason = std::move(reason);
    return out;
  };
  switch (end.kind) {
  case ChildEnd::Kind::Done: {
    llvm::Expected<Finding> finding = parseFinding(end.text);
    if (finding) return std::move(*finding);
    return open(Cut::Crash, "the engine ended without an answer that can be read: " +
                                llvm::toString(finding.takeError()));
  }
  case ChildEnd::Kind::Crashed:
    return open(Cut::Crash, fmt::format("the engine crashed ({})", end.text));
  case ChildEnd::Kind::Memory:
    return open(Cut::Memory, "the engine had no memory left (--max-memory)");
  case ChildEnd::Kind::TimedOut:
    out.wantsTime = true;
    return ofRound(open(Cut::Time, "the engine did not stop when it should: " + timeOf(round).over),
                   round);
  case ChildEnd::Kind::NotStarted: return open(Cut::Budget, end.text);
  case ChildEnd::Kind::AllOver:
    return open(Cut::Budget, round.isCounted ? "an earlier run tried it for longer (--rounds)"
                                             : "the time for all reports ran out (--max-time)");
  case ChildEnd::Kind::Interrupted: return open(Cut::Interrupted, "interrupted");
  }
  return out;
}

} // namespace fathom::confirm
