// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/page/CampaignFacts.h"

namespace fathom::run::page {

using campaign::ElementKind;
using campaign::SqliteStore;
using campaign::StoredUnit;

static llvm::Error readUnits(const SqliteStore &store, CampaignFacts &facts) {
  const uint32_t sides = store.sides();
  facts.unitsOfSide.assign(sides, 0), facts.isCoveredSide.assign(sides, false);
  facts.unitsOfBlock.assign(store.elements() - sides, 0);
  facts.isCoveredBlock.assign(store.elements() - sides, false);
  CampaignFacts::Moment now;
  return store.forEachUnit([&](const StoredUnit &unit) {
    const auto cover = [&](uint32_t element) {
      if (element >= sides) {
        facts.isCoveredBlock[element - sides] = true;
      } else {
        now.sides += !facts.isCoveredSide[element];
        facts.isCoveredSide[element] = true;
      }
    };
    for (const uint32_t element : unit.elements) {
      cover(element);
      if (unit.complete)
        ++(element < sides ? facts.unitsOfSide[element] : facts.unitsOfBlock[element - sides]);
    }
    for (const uint32_t element : unit.nonFuzzing) cover(element);
    facts.units += unit.complete;
    facts.executions += campaign::sumOf(unit.executions);
    now.seconds += unit.seconds;
    facts.moments.push_back(now);
  });
}

llvm::Expected<CampaignFacts> readCampaignFacts(const std::string &folder) {
  llvm::Expected<SqliteStore> store = SqliteStore::open(folder + "/campaign.db", /*readOnly=*/true);
  if (!store) return store.takeError();
  CampaignFacts facts;
  facts.folder = folder;
  const auto places = [&](ElementKind kind,
                          std::vector<campaign::ElementPlace> &out) -> llvm::Error {
    llvm::Expected<std::vector<campaign::ElementPlace>> read = store->places(kind);
    if (!read) return read.takeError();
    out = std::move(*read);
    return llvm::Error::success();
  };
  if (llvm::Error e = places(ElementKind::BranchSide, facts.sides)) return std::move(e);
  if (llvm::Error e = places(ElementKind::Block, facts.blocks)) return std::move(e);
  if (llvm::Error e = places(ElementKind::Statement, facts.statements)) return std::move(e);
  llvm::Expected<std::vector<std::vector<uint32_t>>> statements = store->statements();
  if (!statements) return statements.takeError();
  facts.blocksOfStatement = std::move(*statements);
  for (std::vector<uint32_t> &blocks : facts.blocksOfStatement)
    for (uint32_t &block : blocks) block -= store->sides();
  if (llvm::Error e =
          store->forEachEdge([&](uint32_t from, uint32_t to, std::optional<uint32_t> side) {
            facts.edges.push_back({from - store->sides(), to - store->sides(), side});
          }))
    return std::move(e);
  if (llvm::Error e = readUnits(*store, facts)) return std::move(e);
  return facts;
}

} // namespace fathom::run::page
