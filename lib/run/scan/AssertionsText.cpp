// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/scan/AssertionsText.h"

#include "support/NumberText.h"

#include <fmt/format.h>

namespace fathom::run {

namespace {

using statics::abstract::AbstractProgram;
using statics::abstract::AnalysisResult;
using statics::abstract::CheckId;
using statics::abstract::CheckKind;
using statics::abstract::Finding;
using statics::abstract::Verdict;

struct Counts {
  uint64_t of[5][4] = {};
};

Counts count(const std::vector<Finding> &findings) {
  Counts out;
  for (const Finding &f : findings) ++out.of[size_t(f.kind)][size_t(f.verdict)];
  return out;
}

void addSummary(const Counts &counts, std::string &out) {
  constexpr const char *kNames[][2] = {{"assertion", "assertions"},
                                       {"access", "accesses"},
                                       {"division", "divisions"},
                                       {"shift", "shifts"},
                                       {"signed operation", "signed operations"}};
  for (size_t kind = 0; kind < 5; ++kind) {
    const uint64_t(&n)[4] = counts.of[kind];
    const uint64_t all = n[0] + n[1] + n[2] + n[3];
    if (!all) continue;
    out += fmt::format("{} {}: {} proved, {} unreachable, {}, {} definite\n", grouped(double(all)),
                       kNames[kind][all != 1], grouped(double(n[1])), grouped(double(n[0])),
                       counted(n[2], "alarm"), grouped(double(n[3])));
  }
}

/// "assertion 'i < n' may fail", "write of 4 bytes is inside".
std::string sentence(const Finding &f) {
  // By kind: what it is when the verdict is proved, an alarm, definite.
  constexpr const char *kWords[][3] = {
      {"holds", "may fail", "fails"},
      {"is inside", "may be outside", "is outside"},
      {"is defined", "may be by zero or overflow", "is by zero or overflows"},
      {"is defined", "may be too far", "is too far"},
      {"does not overflow", "may overflow", "overflows"}};
  const std::string what =
      f.kind == CheckKind::Assertion ? fmt::format("assertion '{}'", f.what) : f.what;
  if (f.verdict == Verdict::Unreachable) return what + " is never reached";
  return what + " " + kWords[size_t(f.kind)][size_t(f.verdict) - 1];
}

void addFinding(const AbstractProgram &program, const AnalysisResult &result, const Finding &f,
                std::string &out) {
  out +=
      fmt::format("{}:{}:{}: {}: {}\n", f.file, f.line, f.column, textOf(f.verdict), sentence(f));
  if (f.verdict != Verdict::Alarm && f.verdict != Verdict::Definite) return;
  // The states of the first part that may fail; all are in --json.
  constexpr size_t kMaxFacts = 16;
  for (const CheckId id : f.checks) {
    const std::optional<statics::abstract::State> &state = result.checks[id].state;
    if (!state || state->isBottom()) continue;
    const std::vector<std::string> facts = factsOf(program, *state, program.checks[id].function);
    for (size_t i = 0; i < facts.size() && i < kMaxFacts; ++i)
      out += fmt::format("    {}\n", facts[i]);
    if (facts.size() > kMaxFacts)
      out += fmt::format("    and {} (--json)\n", counted(facts.size() - kMaxFacts, "more fact"));
    return;
  }
}

} // namespace

std::string assertionsText(const CheckedAssertions &checked, bool all) {
  std::string out;
  if (!checked.partial.empty()) out += checked.partial + "\n";
  for (const Finding &f : checked.findings)
    if (all || f.verdict == Verdict::Alarm || f.verdict == Verdict::Definite)
      addFinding(checked.program, checked.result, f, out);
  addSummary(count(checked.findings), out);
  return out;
}

} // namespace fathom::run
