// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "synth/Synth.h"

#include <fmt/format.h>

namespace fathom::synth {

static std::string countLine(const char *what, const Summary::Count &count) {
  return fmt::format("{:<12}{} reachable, {} unreachable\n", what, count.reachable,
                     count.unreachable);
}

/// The program that was the model, and what was made of it, side by side.
static std::string modelText(const Model &m) {
  std::string out =
      fmt::format("\n{:<40}{:>12}{:>12}\n", "like " + m.name, "original", "generated");
  auto row = [&](const char *what, auto original, auto generated) {
    out += fmt::format("  {:<38}{:>12}{:>12}\n", what, original, generated);
  };
  const Shape &a = m.original, &b = m.generated;
  row("functions", a.functions, b.functions);
  row("  reachable by calls from main", a.reachable, b.reachable);
  row("pairs of caller and callee", a.calls, b.calls);
  row("longest call chain", a.depth, b.depth);
  row("recursive functions", a.recursive, b.recursive);
  row("loops", a.loops, b.loops);
  row("lines with code", a.lines, b.lines);
  row("cyclomatic complexity, mean", fmt::format("{:.2f}", meanOf(a.complexity)),
      fmt::format("{:.2f}", meanOf(b.complexity)));
  for (auto [what, share] :
       {std::pair("  median", 0.5), {"  p90", 0.9}, {"  p99", 0.99}, {"  largest", 1.0}})
    row(what, quantile(a.complexity, share), quantile(b.complexity, share));
  out += fmt::format("  equal in {} of {} functions; {} dispatchers for indirect calls; {} calls "
                     "made optional",
                     m.sameComplexity, a.functions, m.notes.dispatchers, m.notes.guarded);
  if (m.notes.labels) out += fmt::format("; {} case labels too many", m.notes.labels);
  return out + "\n\n";
}

std::string summaryText(const Synthesis &made, const std::string &folder) {
  Summary s = summaryOf(made.program);
  const std::vector<uint32_t> &c = s.complexity;
  std::string out =
      fmt::format("{:<12}{} lines of C, {} nonterminals, {} seeds\n", "program", made.program.lines,
                  made.grammar.nonterminals.size(), made.seeds.size());
  out += countLine("functions", s.functions) + countLine("statements", s.statements) +
         countLine("branches", s.branches);
  out += fmt::format("{:<12}{:.1f} on average, median {}, at most {} (cyclomatic, per function)\n",
                     "complexity", meanOf(c), quantile(c, 0.5), c.back());
  if (made.model) out += modelText(*made.model);
  if (made.knobs.witnesses)
    out += fmt::format("{:<12}{} inputs that cover everything reachable\n", "witnesses",
                       made.witnesses.size());
  return out +
         fmt::format("in {}: build.sh builds it, truth.json lists what is reachable\n", folder);
}

} // namespace fathom::synth
