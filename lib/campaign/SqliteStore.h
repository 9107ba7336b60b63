// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// campaign.db: what a campaign covered, unit by unit (docs/fuzz.md has the tables). Every unit is a
// transaction of its own in a write-ahead log, so that a process that is killed loses at most the
// unit that it was writing, which is then still in the unit maps. Can be read while a campaign
// runs.
#ifndef FATHOM_CAMPAIGN_SQLITESTORE_H
#define FATHOM_CAMPAIGN_SQLITESTORE_H

#include "campaign/MapLayout.h"
#include "campaign/Stages.h"
#include "estimate/Incidence.h"

#include "llvm/Support/Error.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fathom::campaign {

/// Version of the tables; a database of another one is refused.
inline constexpr int kStoreSchema = 3;

/// One sampling unit as stored.
struct StoredUnit {
  uint64_t number = 0;
  bool complete = true; ///< false: the campaign stood in it when it ended
  double seconds = 0;   ///< wall time
  StageCounts executions{};
  /// Ascending: branch sides, then blocks (MapLayout.h). Of the fuzzing stages, and of the others.
  std::vector<uint32_t> elements, apart;
};

/// What an element is, for those who read incidences.
enum class ElementKind { BranchSide, Block };

class SqliteStore {
public:
  /// A new database, with a row for every element. `facts`: names and values for the table meta.
  /// REQUIRES layout.unreachable.size() == layout.elements().
  /// Errors: it exists; it cannot be written.
  static llvm::Expected<SqliteStore> create(const std::string &path, const MapLayout &layout,
                                            const std::map<std::string, std::string> &facts);
  /// Errors: there is none; not a database; another schema version.
  static llvm::Expected<SqliteStore> open(const std::string &path, bool readOnly);
  SqliteStore(SqliteStore &&) noexcept;
  SqliteStore &operator=(SqliteStore &&) = delete;
  ~SqliteStore();

  /// "" when there is no such fact.
  std::string fact(const std::string &name) const;
  llvm::Error setFact(const std::string &name, const std::string &value);
  /// Replaces a unit of the same number, which happens only to incomplete ones.
  llvm::Error put(const StoredUnit &unit);
  /// In the order of their numbers. Errors: the database is damaged.
  llvm::Error forEachUnit(const std::function<void(const StoredUnit &)> &visit) const;
  /// Everything into the one file, without the log and the index beside it, which a database that
  /// is only read keeps for ever. Where somebody else is reading they stay: nothing depends on it.
  void settle();
  uint32_t sides() const;
  uint32_t elements() const;
  /// "FUNCTION:FILE:LINE:COLUMN:SIDE#ID", unique.
  llvm::Expected<std::vector<std::string>> names(ElementKind kind) const;
  /// In the same order: no execution covers the element (Unreachable.h).
  std::vector<bool> unreachable(ElementKind kind) const;
  /// Ids of two blocks, and of the side that leads from one to the other, if one does. Errors: the
  /// database is damaged.
  llvm::Error forEachEdge(const std::function<void(uint32_t from, uint32_t to,
                                                   std::optional<uint32_t> side)> &visit) const;

private:
  struct Impl;
  explicit SqliteStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
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
