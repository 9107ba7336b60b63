// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The source files of a page, with what was covered of them.
#ifndef FATHOM_RUN_PAGE_PAGESOURCE_H
#define FATHOM_RUN_PAGE_PAGESOURCE_H

#include "run/page/CampaignFacts.h"
#include "run/page/Page.h"

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace fathom::run::page {

/// Adds lines and sides of branches of several parts to one account of the program.
class CoverageBook {
public:
  explicit CoverageBook(PageData &data) : data_(data) {}

  void addCampaign(const CampaignFacts &facts);
  /// Sides that an exploration beside this campaign covered, by number.
  void addExplored(const CampaignFacts &facts, const std::vector<uint32_t> &sides);
  /// lcov.info of an exploration: lines; after a replay also sides, with the number of tests.
  void addLcov(const std::string &text, const std::string &program);
  /// The files that bugs and reports lead through. Analysers name files as the user did: a report's
  /// file gets the name that it has in the debug information, where only one can be meant.
  void addPlaces();
  /// Puts `sides` in order and counts them. To be called at the end.
  void finish();

  /// The number of a file; it is added if it is new.
  size_t fileOf(const std::string &name);
  /// How many replayed tests came to the branch; nothing: there was no replay.
  std::optional<uint64_t> runsOf(const std::string &program, uint32_t branch) const;
  /// Whether anything covered this side, also in another part.
  bool isCovered(const std::string &program, uint32_t branch, uint32_t side) const;

private:
  using SideKey = std::tuple<std::string, uint32_t, uint32_t>; ///< program, branch, side
  std::string knownName(const std::string &name) const;
  Side &sideOf(const SideKey &key, const std::string &file);
  PageData &data_;
  std::map<std::string, size_t> files_;
  std::map<SideKey, size_t> sides_;
  std::set<std::string> known_; ///< programs of which explored sides came by number
  std::map<std::pair<std::string, uint32_t>, uint64_t> runs_;
};

/// Reads the text of every file that matters, and finds its functions. A file is looked for under
/// its name, in the working directories of the parts, beside their programs, and in
/// request.sources. One that is not found is named in `missing`.
void readSources(const PageRequest &request, PageData &data);

} // namespace fathom::run::page
#endif
