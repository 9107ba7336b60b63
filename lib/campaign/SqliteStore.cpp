// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/SqliteStore.h"

#include "campaign/CoveredSet.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <sstream>
#include <thread>

#include <unistd.h>

namespace fathom::campaign {

struct SqliteStore::Impl {
  std::string path;
  sqlite3 *db = nullptr;
  uint32_t sides = 0, elements = 0;
  std::map<std::string, std::string> facts;
  bool isReader = false;
  ~Impl() {
    sqlite3_close(db);
    if (isReader) removeTraces();
  }
  /// Reading a database in WAL mode (a killed campaign's, or a copy of one) leaves files beside it
  /// that only a writer may remove. SQLite removes them when the last writer closes the database.
  void removeTraces() const {
    if (access((path + "-shm").c_str(), F_OK) != 0) return;
    sqlite3 *writer = nullptr;
    if (sqlite3_open_v2(path.c_str(), &writer, SQLITE_OPEN_READWRITE, nullptr) == SQLITE_OK)
      sqlite3_exec(writer, "select count(*) from meta", nullptr, nullptr, nullptr);
    sqlite3_close(writer);
  }

  llvm::Error failure() const {
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   fmt::format("{}: {}", path, sqlite3_errmsg(db)));
  }
  llvm::Error run(const char *sql) const {
    if (sqlite3_exec(db, sql, nullptr, nullptr, nullptr) != SQLITE_OK) return failure();
    return llvm::Error::success();
  }
  /// Does all of it or nothing: after an error no transaction stays open, into which later changes
  /// would go.
  llvm::Error inTransaction(llvm::function_ref<llvm::Error()> change) const {
    if (auto e = run("begin")) return e;
    llvm::Error error = change();
    if (!error) error = run("commit");
    if (error) llvm::consumeError(run("rollback"));
    return error;
  }
};

namespace {

/// A prepared statement. Errors of preparing and binding show where it is executed.
class Statement {
public:
  Statement(sqlite3 *db, const char *sql)
      : status_(sqlite3_prepare_v2(db, sql, -1, &statement_, nullptr)) {}
  Statement(const Statement &) = delete;
  Statement &operator=(const Statement &) = delete;
  ~Statement() { sqlite3_finalize(statement_); }

  Statement &bind(int at, const std::string &text) {
    return note(sqlite3_bind_text(statement_, at, text.data(), static_cast<int>(text.size()),
                                  SQLITE_TRANSIENT));
  }
  Statement &bind(int at, uint64_t number) {
    return note(sqlite3_bind_int64(statement_, at, static_cast<sqlite3_int64>(number)));
  }
  Statement &bind(int at, double number) {
    return note(sqlite3_bind_double(statement_, at, number));
  }
  Statement &bindBytes(int at, const std::string &bytes) {
    return note(sqlite3_bind_blob(statement_, at, bytes.data(), static_cast<int>(bytes.size()),
                                  SQLITE_TRANSIENT));
  }
  /// Steps to the next row. Without one, the caller asks hasFailed() whether that was the end.
  bool row() {
    if (!hasFailed()) status_ = sqlite3_step(statement_);
    return status_ == SQLITE_ROW;
  }
  /// Whether an error, and not the last row, ended the reading.
  bool hasFailed() const {
    return status_ != SQLITE_OK && status_ != SQLITE_ROW && status_ != SQLITE_DONE;
  }
  /// Executes the statement to its end; false on an error. It can be run again with other values.
  bool run() {
    if (hasFailed()) return false;
    status_ = sqlite3_step(statement_);
    sqlite3_reset(statement_);
    return status_ == SQLITE_DONE;
  }
  std::string text(int column) {
    auto *bytes = static_cast<const char *>(sqlite3_column_blob(statement_, column));
    return bytes ? std::string(bytes, static_cast<size_t>(sqlite3_column_bytes(statement_, column)))
                 : std::string();
  }
  uint64_t number(int column) {
    return static_cast<uint64_t>(sqlite3_column_int64(statement_, column));
  }
  double real(int column) { return sqlite3_column_double(statement_, column); }

private:
  Statement &note(int status) {
    if (status != SQLITE_OK && !hasFailed()) status_ = status;
    return *this;
  }
  sqlite3_stmt *statement_ = nullptr;
  int status_;
};

/// In docs/fuzz.md. `covered_apart`: StoredUnit::nonFuzzing; `bindings`: what encodeValues writes.
constexpr const char *kTables = R"(
create table meta (name text primary key, value text not null);
create table element (id integer primary key, kind text not null, function text not null,
  file text not null, line integer not null, column integer not null,
  branch integer, side integer, unreachable text);
create table statement (id integer primary key, function text not null, file text not null,
  line integer not null);
create table statement_block (statement integer not null, block integer not null);
create table edge (source integer not null, target integer not null, side integer);
create table unit (number integer primary key, complete integer not null, seconds real not null,
  covered blob not null, covered_apart blob not null, unknown integer not null,
  fuzzing integer not null, calibration integer not null, trimming integer not null,
  comparisons integer not null, sync integer not null);
create table state_point (id integer primary key, kind text not null, function text not null,
  file text not null, line integer not null, column integer not null, condition text not null,
  variables text not null);
create table state (point integer not null, bindings blob not null, count integer not null);
create index state_by_point on state (point);
)";
/// The first column of `unit`, from 0, with the executions of a stage.
constexpr int kFirstStageColumn = 5;

} // namespace

SqliteStore::SqliteStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
SqliteStore::SqliteStore(SqliteStore &&) noexcept = default;
SqliteStore::~SqliteStore() = default;

/// "": nothing is known.
static std::string unreachableText(Unreachable reason) {
  switch (reason) {
  case Unreachable::No: return "";
  case Unreachable::Uncalled: return "uncalled";
  case Unreachable::Condition: return "condition";
  case Unreachable::Behind: return "behind";
  }
  return "";
}

static bool insertElements(sqlite3 *db, const MapLayout &layout) {
  Statement insert(db, "insert into element values (?,?,?,?,?,?,?,?,nullif(?,''))");
  uint64_t id = 0;
  auto place = [&](auto &at) {
    insert.bind(3, at.function).bind(4, at.file).bind(5, uint64_t(at.line));
    insert.bind(6, uint64_t(at.column));
  };
  for (size_t b = 0; b < layout.branches.size(); ++b)
    for (uint32_t side = 0; side < layout.branches[b].sides; ++side) {
      insert.bind(1, id++).bind(2, std::string("branch-side")).bind(7, b).bind(8, uint64_t(side));
      insert.bind(9, unreachableText(layout.unreachable[id - 1]));
      place(layout.branches[b]);
      if (!insert.run()) return false;
    }
  Statement block(db, "insert into element values (?,'block',?,?,?,?,null,null,nullif(?,''))");
  for (const MapLayout::Block &at : layout.blocks) {
    block.bind(1, id++).bind(2, at.function).bind(3, at.file).bind(4, uint64_t(at.line));
    block.bind(5, uint64_t(at.column)).bind(6, unreachableText(layout.unreachable[id - 1]));
    if (!block.run()) return false;
  }
  Statement line(db, "insert into statement values (?,?,?,?)");
  Statement code(db, "insert into statement_block values (?,?)");
  for (size_t s = 0; s < layout.statements.size(); ++s) {
    const MapLayout::Statement &at = layout.statements[s];
    line.bind(1, s).bind(2, at.function).bind(3, at.file).bind(4, uint64_t(at.line));
    if (!line.run()) return false;
    for (uint32_t in : at.blocks)
      if (!code.bind(1, s).bind(2, uint64_t(layout.sides) + in).run()) return false;
  }
  Statement edge(db, "insert into edge values (?,?,nullif(?,-1))");
  for (const MapLayout::Edge &e : layout.edges) {
    const bool isSide = e.side != MapLayout::Edge::kNoSide;
    edge.bind(1, uint64_t(layout.sides) + e.from).bind(2, uint64_t(layout.sides) + e.to);
    if (!edge.bind(3, isSide ? uint64_t(e.side) : ~uint64_t(0)).run()) return false;
  }
  return true;
}

llvm::Expected<SqliteStore> SqliteStore::create(const std::string &path, const MapLayout &layout,
                                                const std::map<std::string, std::string> &facts) {
  if (access(path.c_str(), F_OK) == 0)
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   fmt::format("{}: exists already", path));
  auto impl = std::make_unique<Impl>();
  impl->path = path;
  if (sqlite3_open_v2(path.c_str(), &impl->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                      nullptr) != SQLITE_OK)
    return impl->failure();
  if (auto e = impl->run("pragma journal_mode=wal; pragma synchronous=normal; begin")) return e;
  if (auto e = impl->run(kTables)) return e;
  if (!insertElements(impl->db, layout)) return impl->failure();
  Statement meta(impl->db, "insert into meta values (?,?)");
  std::map<std::string, std::string> all = facts;
  all["schema"] = std::to_string(kStoreSchema);
  for (auto &[name, value] : all)
    if (!meta.bind(1, name).bind(2, value).run()) return impl->failure();
  if (auto e = impl->run("commit")) return e;
  impl->sides = layout.sides;
  impl->elements = layout.elements();
  impl->facts = std::move(all);
  return SqliteStore(std::move(impl));
}

llvm::Expected<SqliteStore> SqliteStore::open(const std::string &path, bool readOnly) {
  auto impl = std::make_unique<Impl>();
  impl->path = path;
  impl->isReader = readOnly;
  int flags = readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
  if (sqlite3_open_v2(path.c_str(), &impl->db, flags, nullptr) != SQLITE_OK) return impl->failure();
  sqlite3_busy_timeout(impl->db, 5000);
  if (!readOnly)
    if (auto e = impl->run("pragma journal_mode=wal; pragma synchronous=normal")) return e;
  Statement schema(impl->db, "select value from meta where name='schema'");
  if (!schema.row())
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        fmt::format("{}: not the database of a campaign ({})", path, sqlite3_errmsg(impl->db)));
  if (schema.text(0) != std::to_string(kStoreSchema))
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   fmt::format("{}: schema version {}; this version of Fathom "
                                               "reads {}",
                                               path, schema.text(0), kStoreSchema));
  Statement counts(impl->db, "select count(*), sum(kind='branch-side') from element");
  if (!counts.row()) return impl->failure();
  impl->elements = static_cast<uint32_t>(counts.number(0));
  impl->sides = static_cast<uint32_t>(counts.number(1));
  Statement meta(impl->db, "select name, value from meta");
  while (meta.row()) impl->facts[meta.text(0)] = meta.text(1);
  if (meta.hasFailed()) return impl->failure();
  return SqliteStore(std::move(impl));
}

bool SqliteStore::isUnfinished(const std::string &path) {
  Impl impl;
  impl.path = path;
  impl.isReader = true;
  if (sqlite3_open_v2(path.c_str(), &impl.db, SQLITE_OPEN_READONLY, nullptr) != SQLITE_OK)
    return false;
  Statement tables(impl.db, "select count(*) from sqlite_master");
  return tables.row() && tables.number(0) == 0;
}

std::string SqliteStore::fact(const std::string &name) const {
  const auto known = impl_->facts.find(name);
  return known == impl_->facts.end() ? "" : known->second;
}

llvm::Error SqliteStore::setFact(const std::string &name, const std::string &value) {
  Statement insert(impl_->db, "insert or replace into meta values (?,?)");
  if (!insert.bind(1, name).bind(2, value).run()) return impl_->failure();
  impl_->facts[name] = value;
  return llvm::Error::success();
}

llvm::Error SqliteStore::put(const StoredUnit &unit) {
  Statement insert(impl_->db, "insert or replace into unit values (?,?,?,?,?,?,?,?,?,?,?)");
  insert.bind(1, unit.number).bind(2, uint64_t(unit.complete)).bind(3, unit.seconds);
  insert.bindBytes(4, encodeCovered(unit.elements)).bindBytes(5, encodeCovered(unit.nonFuzzing));
  for (int stage = 0; stage < FATHOM_STAGES; ++stage)
    insert.bind(kFirstStageColumn + 1 + stage, unit.executions[static_cast<size_t>(stage)]);
  if (!insert.run()) return impl_->failure();
  return llvm::Error::success();
}

llvm::Error SqliteStore::forEachUnit(const std::function<void(const StoredUnit &)> &visit) const {
  std::string columns = "number, complete, seconds, covered, covered_apart";
  for (const char *stage : kStageNames) columns += fmt::format(", {}", stage);
  Statement select(impl_->db, fmt::format("select {} from unit order by number", columns).c_str());
  StoredUnit unit;
  while (select.row()) {
    unit.number = select.number(0);
    unit.complete = select.number(1) != 0;
    unit.seconds = select.real(2);
    for (int stage = 0; stage < FATHOM_STAGES; ++stage)
      unit.executions[static_cast<size_t>(stage)] = select.number(kFirstStageColumn + stage);
    if (!decodeCovered(select.text(3), impl_->elements, unit.elements) ||
        !decodeCovered(select.text(4), impl_->elements, unit.nonFuzzing))
      return llvm::createStringError(
          llvm::inconvertibleErrorCode(),
          fmt::format("{}: unit {} is damaged", impl_->path, unit.number));
    visit(unit);
  }
  return select.hasFailed() ? impl_->failure() : llvm::Error::success();
}

// ---- states

llvm::Error SqliteStore::putPoints(const std::vector<StatePoint> &points) {
  Statement insert(impl_->db, "insert into state_point values (?,?,?,?,?,?,?,?)");
  for (size_t id = 0; id < points.size(); ++id) {
    const StatePoint &p = points[id];
    insert.bind(1, id).bind(2, std::string(textOf(p.kind))).bind(3, p.function).bind(4, p.file);
    insert.bind(5, uint64_t(p.line)).bind(6, uint64_t(p.column)).bind(7, p.condition);
    if (!insert.bind(8, fmt::format("{}", fmt::join(p.variables, "\t"))).run())
      return impl_->failure();
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<StatePoint>> SqliteStore::points() const {
  Statement select(impl_->db,
                   "select kind, function, file, line, column, condition, variables from "
                   "state_point order by id");
  std::vector<StatePoint> out;
  while (select.row()) {
    StatePoint p;
    p.kind = pointKindFrom(select.text(0)).value_or(PointKind::Branch);
    p.function = select.text(1);
    p.file = select.text(2);
    p.line = static_cast<uint32_t>(select.number(3));
    p.column = static_cast<uint32_t>(select.number(4));
    p.condition = select.text(5);
    std::istringstream names(select.text(6));
    for (std::string name; std::getline(names, name, '\t');) p.variables.push_back(name);
    out.push_back(std::move(p));
  }
  if (select.hasFailed()) return impl_->failure();
  return out;
}

/// Numbers in zigzag order (0, -1, 1, -2, ...), seven bits a byte, the lowest first.
static std::string encodeValues(const std::vector<int64_t> &values) {
  std::string out;
  for (const int64_t value : values) {
    uint64_t rest = (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
    for (; rest > 127; rest >>= 7) out += static_cast<char>(rest | 128);
    out += static_cast<char>(rest);
  }
  return out;
}

static bool decodeValues(const std::string &bytes, std::vector<int64_t> &values) {
  values.clear();
  uint64_t number = 0;
  unsigned shift = 0;
  for (const char c : bytes) {
    if (shift > 63) return false;
    number |= static_cast<uint64_t>(c & 127) << shift;
    shift += 7;
    if (c & 128) continue;
    values.push_back(static_cast<int64_t>(number >> 1) ^ -static_cast<int64_t>(number & 1));
    number = shift = 0;
  }
  return shift == 0;
}

llvm::Error SqliteStore::putStates(const StateSamples &samples) {
  return impl_->inTransaction([&]() -> llvm::Error {
    if (auto e = impl_->run("delete from state")) return e;
    Statement insert(impl_->db, "insert into state values (?,?,?)");
    for (const SampledState &s : samples.states) {
      insert.bind(1, uint64_t(s.point)).bindBytes(2, encodeValues(s.values)).bind(3, s.count);
      if (!insert.run()) return impl_->failure();
    }
    return llvm::Error::success();
  });
}

llvm::Expected<std::vector<SampledState>> SqliteStore::states(uint32_t point) const {
  Statement select(impl_->db, "select bindings, count from state where point=?");
  select.bind(1, uint64_t(point));
  std::vector<SampledState> out;
  while (select.row()) {
    SampledState s;
    s.point = point;
    s.count = select.number(1);
    if (!decodeValues(select.text(0), s.values))
      return llvm::createStringError(
          llvm::inconvertibleErrorCode(),
          fmt::format("{}: damaged: a state of point {}", impl_->path, point));
    out.push_back(std::move(s));
  }
  if (select.hasFailed()) return impl_->failure();
  std::sort(out.begin(), out.end());
  return out;
}

void SqliteStore::leaveWalMode() {
  using namespace std::chrono_literals;
  // Readers hold the database for some milliseconds, and the busy timeout does not apply to changes
  // of the journal mode.
  for (int tries = 0; tries < 20; ++tries, std::this_thread::sleep_for(50ms)) {
    llvm::Error error = impl_->run("pragma journal_mode=delete");
    if (!error) return;
    llvm::consumeError(std::move(error));
  }
}

uint32_t SqliteStore::sides() const { return impl_->sides; }
uint32_t SqliteStore::elements() const { return impl_->elements; }

/// The value of element.kind. Statements have a table of their own.
static std::string kindText(ElementKind kind) {
  return kind == ElementKind::BranchSide ? "branch-side" : "block";
}

llvm::Expected<std::vector<ElementPlace>> SqliteStore::places(ElementKind kind) const {
  const bool isStatement = kind == ElementKind::Statement;
  Statement select(impl_->db,
                   isStatement
                       ? "select function, file, line, 0, 0, 0, null from statement order by id"
                       : "select function, file, line, column, branch, side, unreachable from "
                         "element where kind=? order by id");
  if (!isStatement) select.bind(1, kindText(kind));
  std::vector<ElementPlace> out;
  while (select.row()) {
    const auto number = [&](int column) { return static_cast<uint32_t>(select.number(column)); };
    out.push_back({select.text(0), select.text(1), number(2), number(3), number(4), number(5),
                   select.text(6)});
  }
  if (select.hasFailed()) return impl_->failure();
  return out;
}

llvm::Expected<std::vector<std::string>> SqliteStore::names(ElementKind kind) const {
  llvm::Expected<std::vector<ElementPlace>> all = places(kind);
  if (!all) return all.takeError();
  std::vector<std::string> out;
  uint64_t id = kind == ElementKind::Block ? sides() : 0;
  for (const ElementPlace &at : *all) {
    std::string name = fmt::format("{}:{}:{}", at.function, at.file, at.line);
    if (kind != ElementKind::Statement) name += fmt::format(":{}", at.column);
    if (kind == ElementKind::BranchSide) name += fmt::format(":{}", at.side);
    out.push_back(fmt::format("{}#{}", name, id++));
  }
  return out;
}

llvm::Expected<std::vector<bool>> SqliteStore::unreachable(ElementKind kind) const {
  std::vector<bool> out;
  if (kind == ElementKind::Statement) {
    Statement select(impl_->db, "select min(unreachable is not null) from statement_block join "
                                "element on block = id group by statement order by statement");
    while (select.row()) out.push_back(select.number(0) != 0);
    if (select.hasFailed()) return impl_->failure();
    return out;
  }
  llvm::Expected<std::vector<ElementPlace>> all = places(kind);
  if (!all) return all.takeError();
  for (const ElementPlace &at : *all) out.push_back(!at.unreachable.empty());
  return out;
}

llvm::Expected<std::vector<std::vector<uint32_t>>> SqliteStore::statements() const {
  Statement select(impl_->db, "select statement, block from statement_block order by statement");
  std::vector<std::vector<uint32_t>> blocks;
  while (select.row()) {
    const uint64_t statement = select.number(0), block = select.number(1);
    // Every statement has a block, so the numbers of statements have no gaps.
    if (statement > blocks.size() || statement + 1 < blocks.size() || block < sides() ||
        block >= elements())
      return llvm::createStringError(
          llvm::inconvertibleErrorCode(),
          fmt::format("{}: damaged: statement {} in block {}", impl_->path, statement, block));
    if (statement == blocks.size()) blocks.emplace_back();
    blocks.back().push_back(static_cast<uint32_t>(block));
  }
  if (select.hasFailed()) return impl_->failure();
  return blocks;
}

llvm::Error SqliteStore::forEachEdge(
    const std::function<void(uint32_t, uint32_t, std::optional<uint32_t>)> &visit) const {
  Statement select(impl_->db, "select source, target, ifnull(side, -1) from edge");
  const int64_t first = sides(), end = elements();
  while (select.row()) {
    const auto from = static_cast<int64_t>(select.number(0)),
               to = static_cast<int64_t>(select.number(1)),
               side = static_cast<int64_t>(select.number(2));
    if (from < first || from >= end || to < first || to >= end || side < -1 || side >= first)
      return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                     fmt::format("{}: damaged: an edge from {} to {} by side {}",
                                                 impl_->path, from, to, side));
    visit(static_cast<uint32_t>(from), static_cast<uint32_t>(to),
          side < 0 ? std::nullopt : std::optional(static_cast<uint32_t>(side)));
  }
  return select.hasFailed() ? impl_->failure() : llvm::Error::success();
}

} // namespace fathom::campaign
