// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/page/ExplorationFlow.h"

#include "campaign/MapPass.h"
#include "program/Load.h"
#include "run/Installation.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <fmt/format.h>

namespace fathom::run::page {

static llvm::Expected<campaign::MapLayout> layoutOf(const std::string &program) {
  llvm::LLVMContext context;
  program::LoadOptions options;
  options.fathomCc = Installation::get().fathomCc;
  options.allowUndefined = options.mayBeLibrary = true;
  options.lowerIntrinsics = options.promoteLocals = false; // branches as in native variants
  auto module = program::loadProgram(context, {program}, options);
  if (!module) return module.takeError();
  if (llvm::Error e = program::prepareModule(**module, options)) return std::move(e);
  return campaign::instrumentForFuzzing(**module, /*withUnreachable=*/false);
}

static void takeLayout(const campaign::MapLayout &layout, CampaignFacts &facts) {
  for (uint32_t id = 0; id < layout.branches.size(); ++id) {
    const auto &branch = layout.branches[id];
    for (uint32_t side = 0; side < branch.sides; ++side)
      facts.sides.push_back(
          {branch.function, branch.file, branch.line, branch.column, id, side, ""});
  }
  for (const campaign::MapLayout::Block &block : layout.blocks)
    facts.blocks.push_back({block.function, block.file, block.line, block.column, 0, 0, ""});
  for (const campaign::MapLayout::Statement &at : layout.statements) {
    facts.statements.push_back({at.function, at.file, at.line, 0, 0, 0, ""});
    facts.blocksOfStatement.push_back(at.blocks);
  }
  for (const campaign::MapLayout::Edge &edge : layout.edges)
    facts.edges.push_back({edge.from, edge.to,
                           edge.side == campaign::MapLayout::Edge::kNoSide
                               ? std::nullopt
                               : std::optional(edge.side)});
}

/// Whether a place was executed; nothing: it is not known.
static std::optional<bool> isExecuted(const campaign::ElementPlace &at,
                                      const std::map<std::string, const File *> &files) {
  const auto file = files.find(at.file);
  if (file == files.end()) return std::nullopt;
  const auto line = file->second->lines.find(at.line);
  if (line == file->second->lines.end()) return std::nullopt;
  return line->second.coveredBy != 0;
}

llvm::Expected<CampaignFacts> flowOfExploration(const Part &part, const CoverageBook &book,
                                                const PageData &data) {
  llvm::Expected<campaign::MapLayout> layout = layoutOf(part.program);
  if (!layout) return layout.takeError();
  const auto total = part.totals.find("branches_total");
  if (total != part.totals.end() && total->second != static_cast<double>(layout->sides))
    return llvm::createStringError(
        fmt::format("{}: another program than the one that was explored", part.program));
  CampaignFacts facts;
  facts.folder = part.folder, facts.program = part.program;
  takeLayout(*layout, facts);
  facts.unitsOfSide.assign(facts.sides.size(), 0);
  facts.unitsOfBlock.assign(facts.blocks.size(), 0);
  facts.isCoveredSide.assign(facts.sides.size(), false);
  facts.isCoveredBlock.assign(facts.blocks.size(), false);
  std::map<std::string, const File *> files;
  for (const File &file : data.files) files[file.name] = &file;
  for (size_t i = 0; i < facts.blocks.size(); ++i)
    facts.isCoveredBlock[i] = isExecuted(facts.blocks[i], files).value_or(false);
  for (const CampaignFacts::Edge &edge : facts.edges) {
    if (!edge.side) continue;
    const campaign::ElementPlace &side = facts.sides[*edge.side];
    const auto runs = book.runsOf(part.program, side.branch);
    facts.isCoveredSide[*edge.side] = runs
                                          ? book.isCovered(part.program, side.branch, side.side)
                                          : isExecuted(facts.blocks[edge.to], files).value_or(true);
    // A block of a line that was executed elsewhere: tests know better.
    if (runs) facts.isCoveredBlock[edge.from] = *runs > 0;
  }
  return facts;
}

} // namespace fathom::run::page
