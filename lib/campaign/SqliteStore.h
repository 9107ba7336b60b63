// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// campaign.db: what a campaign covered, unit by unit (docs/fuzz.md has the tables). Every unit is a
// transaction of its own in a write-ahead log, so that a process that is killed loses at most the
// unit that it was writing, which is then still in the unit maps. Can be read while a campaign
// runs.
#ifndef FATHOM_CAMPAIGN_SQLITESTORE_H
#define FATHOM_CAMPAIGN_SQLITESTORE_H

#include "campaign/ElementKinds.h"
#include "campaign/MapLayout.h"
#include "campaign/Stages.h"
#include "campaign/StatePoints.h"
#include "campaign/StateTable.h"

#include "llvm/Support/Error.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fathom::campaign {

/// Version of the tables; a database of another one is refused.
inline constexpr int kStoreSchema = 5;

/// One sampling unit as stored.
struct StoredUnit {
  uint64_t number = 0;
  bool complete = true; ///< false: the campaign stood in it when it ended
  double seconds = 0;   ///< wall time
  StageCounts executions{};
  /// Ascending: branch sides, then blocks (MapLayout.h). Of the fuzzing stages, and of the others.
  std::vector<uint32_t> elements, nonFuzzing;
};

/// Where an element is; of a branch side also which.
struct ElementPlace {
  std::string function, file;
  uint32_t line = 0, column = 0, branch = 0, side = 0;
  std::string unreachable; ///< why no execution covers it; "": nothing is known
};

class SqliteStore {
public:
  /// A new database, with a row for every element. `facts`: names and values for the table meta.
  /// REQUIRES layout.unreachable.size() == layout.elements().
  /// Errors: it exists; it cannot be written.
  static llvm::Expected<SqliteStore> create(const std::string &path, const MapLayout &layout,
                                            const std::map<std::string, std::string> &facts);
  /// Errors: there is none; not a database; another schema version.
  static llvm::Expected<SqliteStore> open(const std::string &path, bool readOnly);
  /// Whether the database has no table: `create` was killed before it had committed any, so nothing
  /// is lost with the file. False: it has one, cannot be read, or is not there.
  static bool isUnfinished(const std::string &path);
  SqliteStore(SqliteStore &&) noexcept;
  SqliteStore &operator=(SqliteStore &&) = delete;
  ~SqliteStore();

  /// As it was when the database was opened, or as setFact set it; "" when there is no such fact.
  std::string fact(const std::string &name) const;
  llvm::Error setFact(const std::string &name, const std::string &value);
  /// Replaces a unit of the same number, which happens only to incomplete ones.
  llvm::Error put(const StoredUnit &unit);
  /// In the order of their numbers. Errors: the database is damaged.
  llvm::Error forEachUnit(const std::function<void(const StoredUnit &)> &visit) const;
  /// The points of a campaign that samples states, once. Errors: it cannot be written.
  llvm::Error putPoints(const std::vector<StatePoint> &points);
  /// In the order of their numbers; none: the campaign sampled no states. Errors: the database is
  /// damaged.
  llvm::Expected<std::vector<StatePoint>> points() const;
  /// Replaces all samples. Errors: they cannot be written.
  llvm::Error putStates(const StateSamples &samples);
  /// Those of one point, in ascending order of their values. Errors: the database is damaged.
  llvm::Expected<std::vector<SampledState>> states(uint32_t point) const;
  /// Switches to a rollback journal: writes everything into the one file and removes the log and
  /// the index beside it, which a database that is only read keeps for ever. While another process
  /// reads the database, they stay; nothing depends on that.
  void leaveWalMode();
  uint32_t sides() const;
  uint32_t elements() const;
  /// "FUNCTION:FILE:LINE:COLUMN:SIDE#ID", without what a kind does not have; unique. Errors: the
  /// database is damaged.
  llvm::Expected<std::vector<std::string>> names(ElementKind kind) const;
  /// In the same order; of statements without what they do not have. Errors: the database is
  /// damaged.
  llvm::Expected<std::vector<ElementPlace>> places(ElementKind kind) const;
  /// In the same order: no execution covers the element (Unreachable.h). Errors: the database is
  /// damaged.
  llvm::Expected<std::vector<bool>> unreachable(ElementKind kind) const;
  /// By statement, ids of the blocks that have code of it. Errors: the database is damaged.
  llvm::Expected<std::vector<std::vector<uint32_t>>> statements() const;
  /// Ids of two blocks, and of the side that leads from one to the other, if one does. Errors: the
  /// database is damaged.
  llvm::Error forEachEdge(const std::function<void(uint32_t from, uint32_t to,
                                                   std::optional<uint32_t> side)> &visit) const;

private:
  struct Impl;
  explicit SqliteStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

} // namespace fathom::campaign
#endif
