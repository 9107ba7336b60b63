// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/Dismissals.h"
#include "report/ShownPath.h"
#include "run/diff/Diff.h"
#include "support/NumberText.h"

#include <fmt/format.h>

namespace fathom::run {

/// "a.c:7:3 in f", as far as it is known.
static std::string whereText(const KnownResult &result) {
  std::string out;
  if (!result.file.empty()) out += report::shownPath(result.file);
  if (result.line) out += fmt::format(":{}", result.line);
  if (result.line && result.column) out += fmt::format(":{}", result.column);
  if (!result.function.empty())
    out += fmt::format("{}in {}", out.empty() ? "" : " ", result.function);
  return out.empty() ? "at an unknown place" : out;
}

static const char *changeText(Change change) {
  switch (change) {
  case Change::New: return "new";
  case Change::Fixed: return "fixed";
  case Change::NotFound: return "not found again";
  case Change::Unchanged: return "unchanged";
  }
  return "";
}

/// How one that is still there was recognised, where that is worth a word.
static std::string matchText(const Changed &changed) {
  if (!changed.before || !changed.after || !changed.by) return "";
  switch (*changed.by) {
  case MatchedBy::Fingerprint: return "";
  case MatchedBy::Code: return "the same code, in a function or file of another name";
  case MatchedBy::Place: return "the same line, in another path or function body";
  case MatchedBy::Words: return "its line or its way there was edited";
  case MatchedBy::Input: return "the old input shows it";
  }
  return "";
}

static std::string entryText(const Difference &difference, const Changed &changed) {
  const KnownResult &result = difference.result(changed);
  std::string out = fmt::format("    {}  {} {}\n", report::shownId(result.identity.id), result.rule,
                                whereText(result));
  const auto line = [&](const std::string &text) {
    if (!text.empty()) out += fmt::format("              {}\n", text);
  };
  line(result.message);
  if (!result.verdict.empty()) line(fmt::format("{}: {}", result.verdict, result.reason));
  line(changed.reason);
  line(matchText(changed));
  if (changed.after) line(report::reopenedText(result.mark));
  if (changed.after && !result.input.empty()) line("input: " + report::shownPath(result.input));
  return out;
}

static std::string sideText(const char *what, const ResultSet &set) {
  std::string out;
  for (const Analysis &analysis : set.analyses) {
    out += fmt::format("{}  {}: {}, {}", out.empty() ? what : "   ", analysis.path,
                       analysis.tool.empty() ? "an analyser" : analysis.tool,
                       counted(analysis.results, analysis.klass == "bugs" ? "bug" : "report"));
    if (!analysis.howEnded.empty()) out += "; ended by: " + analysis.howEnded;
    if (analysis.klass != "bugs" && !analysis.isComplete) out += "; cut short";
    out += "\n";
  }
  return out;
}

static std::string verdictsText(const Difference &d) {
  std::string out;
  size_t count = 0;
  for (const Changed &changed : d.changes) {
    if (!d.isVerdictChanged(changed)) continue;
    count++;
    const KnownResult &was = d.before.results[*changed.before],
                      &is = d.after.results[*changed.after];
    out += fmt::format("    {}  {} {}\n              {} before, {} now: {}\n",
                       report::shownId(is.identity.id), is.rule, whereText(is), was.verdict,
                       is.verdict, is.reason);
  }
  return count ? fmt::format("  {:<18}{}\n", "other verdicts", count) + out : "";
}

std::string diffText(const Difference &d, bool listsAll, bool listsDismissed) {
  std::string out = sideText("old", d.before) + sideText("new", d.after) + "\n";
  for (const Change change : kChanges) {
    out += fmt::format("  {:<18}{}\n", changeText(change), d.count(change));
    for (const Changed &changed : d.changes) {
      if (changed.change != change || (d.isDismissed(changed) && !listsDismissed)) continue;
      // Of what is unchanged, only that is told which the new run alone does not show.
      if (change == Change::Unchanged && !listsAll && changed.after && !d.isDismissed(changed) &&
          d.result(changed).mark.state == report::Dismissed::No)
        continue;
      out += entryText(d, changed);
    }
  }
  out += verdictsText(d);
  if (const size_t dismissed = d.countDismissed())
    out += fmt::format("  {:<18}{}\n", "dismissed", dismissed);
  if (d.refutedGone) out += fmt::format("  {:<18}{}\n", "refuted, and gone", d.refutedGone);
  out += "\n";
  for (const std::string &note : d.notes) out += note + "\n";
  if (!d.hasNews()) return out + "nothing is new\n";
  size_t news = 0;
  for (const Changed &changed : d.changes) news += d.isNews(changed);
  return out +
         fmt::format("{} {} new\n", grouped(static_cast<double>(news)), news == 1 ? "is" : "are");
}

} // namespace fathom::run
