// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/page/PageBlockers.h"

#include "run/page/SourceScan.h"
#include "support/NumberText.h"

#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace fathom::run::page {

/// `!x`, `!f(a)`, `!(a == b)`: all of it is negated.
static bool isNegation(llvm::StringRef operand) {
  if (!operand.consume_front("!") || operand.starts_with("=")) return false;
  int depth = 0;
  for (const char c : operand) {
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    const bool isName = isalnum(static_cast<unsigned char>(c)) || strchr("_.->()[]* ", c);
    if (depth == 0 && !isName) return false;
  }
  return true;
}

std::string wantedSide(const std::string &operand, bool isTrue) {
  return isNegation(operand) != isTrue ? "is true" : "is false";
}

namespace {

/// The control flow of one campaign.
class BlockerFinder {
public:
  BlockerFinder(const CampaignFacts &facts, const CoverageBook &book, PageData &data)
      : facts_(facts), book_(book), data_(data), out_(facts.blocks.size()),
        stamps_(facts.blocks.size(), 0), linesOf_(facts.blocks.size()) {
    for (const CampaignFacts::Edge &edge : facts.edges) {
      out_[edge.from].push_back(&edge);
      if (edge.side) ends_[*edge.side] = {edge.from, edge.to};
    }
    for (size_t i = 0; i < facts.blocksOfStatement.size(); ++i)
      for (const uint32_t block : facts.blocksOfStatement[i])
        linesOf_[block].push_back(static_cast<uint32_t>(i));
    for (const campaign::ElementPlace &side : facts.sides) ++sidesOf_[side.branch];
    // Of an exploration beside the campaign, lines are known: a block is covered where its line is.
    isCovered_ = facts.isCoveredBlock;
    const auto explored = static_cast<uint8_t>(1u << static_cast<unsigned>(By::Explore));
    std::set<std::pair<std::string, uint32_t>> lines;
    for (const File &file : data.files)
      for (const auto &[at, line] : file.lines)
        if (line.coveredBy & explored) lines.emplace(file.name, at);
    for (size_t i = 0; facts.units && i < facts.blocks.size(); ++i)
      if (lines.contains({facts.blocks[i].file, facts.blocks[i].line})) isCovered_[i] = true;
  }

  void find(std::vector<Blocker> &found) {
    for (uint32_t i = 0; i < facts_.sides.size(); ++i) {
      const campaign::ElementPlace &at = facts_.sides[i];
      const auto ends = ends_.find(i);
      if (ends == ends_.end() || !at.unreachable.empty() || facts_.isCoveredSide[i] ||
          book_.isCovered(facts_.program, at.branch, at.side))
        continue;
      const auto runs = book_.runsOf(facts_.program, at.branch);
      // Without a replay, a side behind which something was explored may have been taken.
      if (!runs && !facts_.isCoveredBlock[ends->second.to] && isCovered_[ends->second.to]) continue;
      if (!facts_.isCoveredBlock[ends->second.from] && !runs.value_or(0)) continue;
      Blocker blocker;
      blocker.at = {at.function, at.file, at.line, at.column};
      const Behind &behind = behindOf(ends->second.to);
      blocker.behind = behind.sides, blocker.lines = behind.lines;
      blocker.reached = facts_.unitsOfBlock[ends->second.from];
      blocker.units = facts_.units;
      blocker.runs = runs;
      sides_.push_back(i);
      found.push_back(std::move(blocker));
    }
  }

  /// The words of blocker number i of those that were found.
  void describe(size_t i, size_t file, Blocker &blocker) {
    const campaign::ElementPlace &at = facts_.sides[sides_[i]];
    blocker.file = file;
    if (data_.files[file].text) {
      const Text &text = textOf(file);
      blocker.condition =
          conditionAt(*data_.files[file].text, text.code, text.starts, at.line, at.column);
    }
    if (sidesOf_[at.branch] == 2 && !isSwitch(file, at))
      blocker.wanted = wantedSide(blocker.condition[1], at.side == 1);
    else
      blocker.wanted = caseOf(file, facts_.blocks[ends_.at(sides_[i]).to].line);
    tell(blocker);
  }

private:
  struct Ends {
    uint32_t from = 0, to = 0;
  };
  struct Behind {
    uint64_t sides = 0, lines = 0;
  };
  struct Text {
    std::string code;
    std::vector<size_t> starts;
  };

  const Behind &behindOf(uint32_t target) {
    const auto [known, isNew] = behind_.try_emplace(target);
    if (isNew) known->second = walk(target);
    return known->second;
  }

  Behind walk(uint32_t target) {
    Behind out;
    ++stamp_;
    std::set<uint32_t> lines;
    std::vector<uint32_t> todo;
    const auto visit = [&](uint32_t block) {
      if (stamps_[block] == stamp_ || isCovered_[block] ||
          !facts_.blocks[block].unreachable.empty())
        return;
      stamps_[block] = stamp_;
      todo.push_back(block);
    };
    visit(target);
    while (!todo.empty()) {
      const uint32_t block = todo.back();
      todo.pop_back();
      lines.insert(linesOf_[block].begin(), linesOf_[block].end());
      for (const CampaignFacts::Edge *edge : out_[block]) {
        if (edge->side) {
          const campaign::ElementPlace &side = facts_.sides[*edge->side];
          if (!side.unreachable.empty()) continue;
          out.sides += !book_.isCovered(facts_.program, side.branch, side.side);
        }
        visit(edge->to);
      }
    }
    out.lines = lines.size();
    return out;
  }

  const Text &textOf(size_t file) {
    const auto [known, isNew] = texts_.try_emplace(file);
    if (isNew) {
      known->second.code = codeOnly(*data_.files[file].text);
      known->second.starts = lineStarts(*data_.files[file].text);
    }
    return known->second;
  }

  bool isSwitch(size_t file, const campaign::ElementPlace &at) {
    return lineText(file, at.line).drop_front(at.column ? at.column - 1 : 0).starts_with("switch");
  }

  llvm::StringRef lineText(size_t file, uint32_t line) {
    if (!data_.files[file].text) return "";
    const Text &text = textOf(file);
    if (!line || line >= text.starts.size()) return "";
    return llvm::StringRef(*data_.files[file].text)
        .slice(text.starts[line - 1], text.starts[line])
        .rtrim();
  }

  /// A block of a case begins behind its label, which may stand on the line before.
  std::string caseOf(size_t file, uint32_t line) {
    if (!line) return "goes another way";
    for (uint32_t at = line; at > 0 && at + 3 > line; --at) {
      const llvm::StringRef text = lineText(file, at).trim();
      if (text.starts_with("case") || text.starts_with("default"))
        return fmt::format("goes to line {}: {}", at,
                           text.take_until([](char c) { return c == ':'; }).str());
    }
    return fmt::format("goes to line {}", line);
  }

  /// What was tried.
  void tell(Blocker &blocker) const {
    if (!blocker.units) {
      if (!blocker.runs)
        blocker.tried.push_back("the exploration executed the line of this branch, and never what "
                                "is behind this side; fathom replay tells how often");
    } else if (blocker.reached)
      blocker.tried.push_back(fmt::format("fuzzing came here in {} of {} and went another way",
                                          grouped(static_cast<double>(blocker.reached)),
                                          counted(blocker.units, "unit")));
    else
      blocker.tried.push_back("fuzzing came here only in seeds, or in a unit that is not complete");
    if (blocker.runs)
      blocker.tried.push_back(fmt::format("{} of the exploration came here and went another way",
                                          counted(*blocker.runs, "replayed test")));
    const auto &lines = data_.files[blocker.file].lines;
    const auto line = lines.find(blocker.at.line);
    const auto explored = static_cast<uint8_t>(1u << static_cast<unsigned>(By::Explore));
    if (blocker.units && !blocker.runs && line != lines.end() &&
        (line->second.coveredBy & explored))
      blocker.tried.push_back("the exploration executed this line; fathom replay would tell which "
                              "sides it took");
    const std::string place = fmt::format("{}:{} ", blocker.at.file, blocker.at.line);
    for (const LedgerEntry &entry : data_.ledger.entries)
      if (entry.location.starts_with(place))
        blocker.tried.push_back(
            fmt::format("the ledger has {} here: {}", entry.category, entry.sentence));
  }

  const CampaignFacts &facts_;
  const CoverageBook &book_;
  PageData &data_;
  std::vector<std::vector<const CampaignFacts::Edge *>> out_;
  std::vector<bool> isCovered_; ///< by block
  std::vector<uint32_t> stamps_;
  uint32_t stamp_ = 0;
  std::vector<std::vector<uint32_t>> linesOf_; ///< by block, numbers of statements
  std::map<uint32_t, Ends> ends_;              ///< by side
  std::map<uint32_t, uint32_t> sidesOf_;       ///< by branch
  std::map<uint32_t, Behind> behind_;          ///< by target
  std::map<size_t, Text> texts_;
  std::vector<uint32_t> sides_; ///< of the blockers that were found
};

} // namespace

void collectBlockers(const std::vector<CampaignFacts> &campaigns, const CoverageBook &book,
                     PageData &data) {
  std::map<std::string, size_t> files;
  for (size_t i = 0; i < data.files.size(); ++i) files[data.files[i].name] = i;
  for (const CampaignFacts &facts : campaigns) {
    BlockerFinder finder(facts, book, data);
    std::vector<Blocker> found;
    finder.find(found);
    data.allBlockers += found.size();
    std::vector<size_t> order(found.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::sort(order, [&](size_t a, size_t b) {
      return std::tie(found[b].behind, found[b].lines, found[b].reached, a) <
             std::tie(found[a].behind, found[a].lines, found[a].reached, b);
    });
    if (order.size() > kMostBlockers) order.resize(kMostBlockers);
    for (const size_t i : order) {
      const auto file = files.find(found[i].at.file);
      if (file == files.end()) continue;
      finder.describe(i, file->second, found[i]);
      data.blockers.push_back(std::move(found[i]));
    }
  }
  if (campaigns.empty()) {
    if (data.noBlockers.empty()) data.noBlockers = "Nothing was executed.";
  } else if (data.blockers.empty())
    data.noBlockers = "Every side of every branch that was reached has been taken, or is known to "
                      "be unreachable.";
}

} // namespace fathom::run::page
