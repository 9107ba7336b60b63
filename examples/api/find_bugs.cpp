// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uses libfathom: explores a program, scans it, and finds out which of the scan's reports are true.
//
//   find_bugs PROGRAM [ARGUMENT...]       find_bugs settings --sym-args 0 3 4 --sym-stdin 24
//
// PROGRAM is what fathom-cc linked, or a C file. Arguments are those of ExploreOptions::arguments. Writes find_bugs.sarif.
#include <fathom/Confirm.h>
#include <fathom/Explore.h>
#include <fathom/Scan.h>

#include <cstdio>

namespace api = fathom::api;

static int complain(const api::Error &error) {
  fprintf(stderr, "find_bugs: %s\n", error.message.c_str());
  return error.kind == api::Error::Kind::Usage ? 2 : 3;
}

static const char *nameOf(api::Verdict verdict) {
  switch (verdict) {
  case api::Verdict::Confirmed: return "confirmed";
  case api::Verdict::Possible: return "possible";
  case api::Verdict::Refuted: return "refuted";
  case api::Verdict::Open: return "open";
  }
  return "";
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: find_bugs PROGRAM [ARGUMENT...]\n");
    return 2;
  }
  api::Session session;
  session.warning = [](const std::string &text) { fprintf(stderr, "warning: %s\n", text.c_str()); };

  api::Result<api::Program> program = api::load({argv[1]}, session);
  if (!program) return complain(program.error());
  printf("%zu functions\n", program->functions.size());

  // Execute it symbolically: every bug comes with an input.
  api::ExploreOptions explore;
  explore.arguments.assign(argv + 2, argv + argc);
  explore.maxInstructions = 20'000'000;
  uint64_t tests = 0;
  explore.onTest = [&](const api::Test &) { ++tests; };
  api::Result<api::Exploration> explored = api::explore(*program, explore, session);
  if (!explored) return complain(explored.error());
  printf("explored: %s%s\n", explored->howEnded.c_str(), tests ? "" : ", and no test");
  for (const api::Bug &bug : explored->bugs)
    printf("  bug: %s (CWE %u) in %s, line %u\n", bug.kind.c_str(), bug.cwe,
           bug.place.function.c_str(), bug.place.line);

  // Analyse it without executing it. The reports go to confirm as a file.
  const std::string sarif = "find_bugs.sarif";
  api::ScanOptions scan;
  scan.all = true; // confirm() says which of them are true
  scan.sarif = sarif;
  api::Result<api::ScanResult> scanned = api::scan(*program, scan, session);
  if (!scanned) return complain(scanned.error());
  printf("scanned: %zu reports\n", scanned->reports.size());
  for (const api::Report &report : scanned->reports)
    printf("  report: %s, line %u, %zu steps: %s\n", report.kind.c_str(), report.place().line,
           report.steps.size(), report.message.c_str());

  // A verdict for each of them.
  api::Result<std::vector<api::Judgement>> judged = api::confirm(*program, {sarif}, {}, session);
  if (!judged) return complain(judged.error());
  for (const api::Judgement &one : *judged)
    printf("  %s: %s, line %u\n", nameOf(one.verdict), one.rule.c_str(), one.place.line);
  return explored->bugs.empty() ? 0 : 1;
}
