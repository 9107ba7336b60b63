// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A suite for people, and for programs; docs/run.md has the fields.
#include "evidence/BugKind.h"
#include "run/suite/Suite.h"
#include "support/NumberText.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::run {

using llvm::json::OStream;

static void writeInput(OStream &json, const SuiteInput &input) {
  json.object([&] {
    json.attribute("file", input.file);
    json.attribute("from", report::utf8(input.from));
    json.attribute("ends", input.ends);
    json.attribute("bytes", static_cast<int64_t>(input.bytes));
  });
}

static void writeBug(OStream &json, const SuiteBug &bug) {
  json.object([&] {
    json.attribute("file", bug.file);
    json.attribute("from", report::utf8(bug.from));
    report::writeIdentity(json, bug.finding.identity);
    json.attribute("kind", evidence::name(bug.finding.kind));
    json.attribute("bytes", static_cast<int64_t>(bug.bytes));
    json.attribute("bytes_found", static_cast<int64_t>(bug.before));
    json.attribute("executions", static_cast<int64_t>(bug.executions));
    json.attribute("shown_natively", bug.isShown);
  });
}

std::string suiteJson(const Suite &suite) {
  return report::jsonText([&](OStream &json) {
    json.object([&] {
      json.attribute("candidates", static_cast<int64_t>(suite.candidates));
      json.attribute("hung", static_cast<int64_t>(suite.hung));
      json.attribute("bugs_without_input", static_cast<int64_t>(suite.withoutInput));
      json.attribute("sides", static_cast<int64_t>(suite.sides));
      json.attribute("sides_again", static_cast<int64_t>(suite.sidesAgain));
      json.attributeArray("inputs", [&] {
        for (const SuiteInput &input : suite.inputs) writeInput(json, input);
      });
      json.attributeArray("bugs", [&] {
        for (const SuiteBug &bug : suite.bugs) writeBug(json, bug);
      });
    });
  });
}

std::string suiteText(const Suite &suite, const std::string &folder) {
  std::string out = fmt::format(
      "suite: {} of {} cover the same {}: {}/suite/inputs\n", counted(suite.inputs.size(), "input"),
      grouped(static_cast<double>(suite.candidates)), counted(suite.sides, "branch side"), folder);
  if (suite.sidesAgain != suite.sides)
    out +=
        fmt::format("       run once more, they covered {}: the program does not do the same each "
                    "time\n",
                    counted(suite.sidesAgain, "branch side"));
  if (suite.hung)
    out += fmt::format("       {} did not end, and {} left out\n", counted(suite.hung, "input"),
                       suite.hung == 1 ? "is" : "are");
  if (suite.withoutInput)
    out += fmt::format("       {} {} no standard input and no file, and {} left out\n",
                       counted(suite.withoutInput, "bug"), suite.withoutInput == 1 ? "has" : "have",
                       suite.withoutInput == 1 ? "is" : "are");
  if (suite.bugs.empty()) return out;
  uint64_t before = 0, after = 0;
  for (const SuiteBug &bug : suite.bugs) before += bug.before, after += bug.bytes;
  out += fmt::format("       smallest inputs of {} ({}, {} as found): {}/suite/bugs\n",
                     counted(suite.bugs.size(), "bug"), counted(after, "byte"),
                     grouped(static_cast<double>(before)), folder);
  const auto hidden = std::ranges::count(suite.bugs, false, &SuiteBug::isShown);
  if (hidden)
    out += fmt::format("       {} of them {} not show in a native run, and stayed as found\n",
                       hidden, hidden == 1 ? "does" : "do");
  return out;
}

} // namespace fathom::run
