// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run comes to, for people.
#include "evidence/BugKind.h"
#include "run/all/RunAll.h"
#include "support/NumberText.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace fathom::run {

namespace {

/// What was found, how sure that is, and what is left.
std::string sentence(const RunResult &result) {
  std::string out = "No bug was found";
  if (!result.bugs.empty())
    out = fmt::format("{}{} with an input that shows it", counted(result.bugs.size(), "bug"),
                      result.bugs.size() == 1 ? "" : ", each");
  if (result.reports)
    out += fmt::format(
        "; {}: {} confirmed, {} possible, {} refuted, {} open", counted(result.reports, "report"),
        result.confirmed, result.possible, result.refuted,
        result.reports -
            std::min(result.reports, result.confirmed + result.possible + result.refuted));
  out += fmt::format(". {} of {} are covered", grouped(static_cast<double>(result.sidesCovered)),
                     counted(result.sidesTotal, "branch side"));
  if (result.wallSeconds >= 10)
    out += fmt::format("; as much time again would cover about {}",
                       counted(static_cast<uint64_t>(result.nextGain), "more"));
  // "mores" is no word.
  if (out.ends_with("mores")) out.pop_back();
  return out + ".\n";
}

std::string bugLine(const RunBug &bug, const report::BugListing &listing) {
  const evidence::StackFrame *at = report::locationOf(bug.finding.stack);
  const std::string place = at && at->line
                                ? fmt::format("{}:{} in {}", at->file, at->line, at->function)
                            : at ? "in " + at->function
                                 : "at an unknown place";
  return fmt::format("  {}: {}\n    {}; {}\n{}", evidence::name(bug.finding.kind), place,
                     bug.finding.message, fmt::join(bug.dirs, ", "),
                     report::bugNotes(bug.finding, listing));
}

} // namespace

std::string runText(const RunRequest &request, const RunResult &result,
                    const report::BugListing &listing) {
  std::string out = "\n" + sentence(result);
  if (!result.bugs.empty()) out += "\nbugs (run one with its replay.sh):\n";
  for (const RunBug &bug : result.bugs) out += bugLine(bug, listing);
  if (!result.dismissed.empty())
    out += fmt::format("\n{} dismissed\n", counted(result.dismissed.size(), "bug"));
  if (listing.showsDismissed)
    for (const RunBug &bug : result.dismissed) out += bugLine(bug, listing);
  if (result.dismissedReports)
    out += fmt::format("\n{} dismissed, and not counted\n",
                       counted(result.dismissedReports, "report"));
  out += fmt::format("\n{:<9} {:>10} {:>12} {:>6}   {}\n", "part", "processor", "found first",
                     "bugs", "work");
  for (const Part part : {Part::Seeds, Part::Fuzz, Part::Explore, Part::Scan, Part::Confirm}) {
    const PartResult &one = result.parts[indexOf(part)];
    std::string work;
    if (part == Part::Seeds) work = "sides that the initial inputs cover";
    if (part == Part::Fuzz)
      work = fmt::format("{}; {} from explore", counted(one.work, "execution"),
                         counted(one.inputs, "input"));
    if (part == Part::Explore)
      work =
          fmt::format("{}; {} from fuzz", counted(one.work, "path"), counted(one.inputs, "input"));
    if (part == Part::Scan) work = counted(result.reports, "report");
    if (part == Part::Confirm)
      work = fmt::format(
          "{} of them settled{}",
          grouped(static_cast<double>(result.confirmed + result.possible + result.refuted)),
          result.keptVerdicts ? fmt::format("; {} from before still hold{}",
                                            counted(result.keptVerdicts, "verdict"),
                                            result.keptVerdicts == 1 ? "s" : "")
                              : "");
    if (!one.failure.empty()) work += fmt::format("; {}", one.failure);
    const bool searches = part == Part::Fuzz || part == Part::Explore;
    out +=
        fmt::format("{:<9} {:>10} {:>12} {:>6}   {}\n", nameOf(part),
                    part == Part::Seeds ? "" : fmt::format("{:.1f} s", one.processorSeconds),
                    searches || part == Part::Seeds ? grouped(static_cast<double>(one.sides)) : "",
                    searches ? grouped(static_cast<double>(one.bugs)) : "", work);
  }
  out += fmt::format("\nended after {:.1f} s ({:.1f} s of processors): {}\n", result.wallSeconds,
                     result.processorSeconds, result.howEnded);
  if (result.suite) out += suiteText(*result.suite, request.folder);
  if (!result.page.empty()) out += fmt::format("read on: {}\n", result.page);
  out += fmt::format("results: {0}/fuzz, {0}/explore, {0}/scan.sarif, {0}/confirmed.sarif; who "
                     "found what when: {0}/events.jsonl\n",
                     request.folder);
  if (result.difference)
    out += "\n" + diffText(*result.difference, /*listsAll=*/false, listing.showsDismissed);
  return out;
}

} // namespace fathom::run
