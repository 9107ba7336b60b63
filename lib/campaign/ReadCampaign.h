// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A campaign as the incidence matrix that estimators take.
#ifndef FATHOM_CAMPAIGN_READCAMPAIGN_H
#define FATHOM_CAMPAIGN_READCAMPAIGN_H

#include "campaign/SqliteStore.h"
#include "estimate/Incidence.h"

#include <span>

namespace fathom::campaign {

/// The elements of one kind, numbered from 0, as what a unit stores covers them.
class KindView {
public:
  /// Of a layout with so many branch sides and blocks. `statements`: by statement, elements that
  /// are blocks; only for that kind.
  KindView(ElementKind kind, uint32_t sides, uint32_t elements,
           const std::vector<std::vector<uint32_t>> &statements);
  /// Errors: the database is damaged.
  static llvm::Expected<KindView> of(const SqliteStore &store, ElementKind kind);
  uint32_t size() const { return size_; }
  /// Those of the kind that are covered when these elements are; ascending, each once.
  void select(std::span<const uint32_t> elements, std::vector<uint32_t> &out) const;

private:
  uint32_t first_ = 0, end_ = 0;                    ///< elements that count
  bool isDerived_ = false;                          ///< by statementsOf_
  std::vector<std::vector<uint32_t>> statementsOf_; ///< by block
  uint32_t size_ = 0;
};

/// The incidence matrix of a campaign's complete units. Listed is every element of the kind,
/// covered or not, but for uncovered ones that no execution covers; `listing` counts these, and
/// what only other stages or the unit that is not complete covered.
/// \param first  only so many complete units, and nothing that happened after them: the campaign as
///               it was then; 0: all. Fewer, where there are not so many.
/// Errors: see open; no complete unit yet. Memory: that of the ones.
llvm::Expected<estimate::Incidence> readCampaign(const std::string &path, ElementKind kind,
                                                 StageSelection stages = StageSelection::Fuzzing,
                                                 uint32_t first = 0);

} // namespace fathom::campaign
#endif
