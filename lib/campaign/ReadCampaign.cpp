// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/ReadCampaign.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::campaign {

KindView::KindView(ElementKind kind, uint32_t sides, uint32_t elements,
                   const std::vector<std::vector<uint32_t>> &statements)
    : first_(kind == ElementKind::BranchSide ? 0 : sides),
      end_(kind == ElementKind::BranchSide ? sides : elements),
      isDerived_(kind == ElementKind::Statement), size_(end_ - first_) {
  if (!isDerived_) return;
  size_ = static_cast<uint32_t>(statements.size());
  statementsOf_.resize(end_ - first_);
  for (uint32_t statement = 0; statement < size_; ++statement)
    for (uint32_t block : statements[statement]) statementsOf_[block - first_].push_back(statement);
}

llvm::Expected<KindView> KindView::of(const SqliteStore &store, ElementKind kind) {
  std::vector<std::vector<uint32_t>> statements;
  if (kind == ElementKind::Statement) {
    auto read = store.statements();
    if (!read) return read.takeError();
    statements = std::move(*read);
  }
  return KindView(kind, store.sides(), store.elements(), statements);
}

void KindView::select(std::span<const uint32_t> elements, std::vector<uint32_t> &out) const {
  out.clear();
  for (uint32_t element : elements) {
    if (element < first_ || element >= end_) continue;
    if (!isDerived_) {
      out.push_back(element - first_);
      continue;
    }
    const std::vector<uint32_t> &statements = statementsOf_[element - first_];
    out.insert(out.end(), statements.begin(), statements.end());
  }
  if (!isDerived_) return; // units store elements in their order
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
}

llvm::Expected<estimate::Incidence> readCampaign(const std::string &path, ElementKind kind,
                                                 StageSelection stages, uint32_t firstUnits) {
  llvm::Expected<SqliteStore> store = SqliteStore::open(path, /*readOnly=*/true);
  if (!store) return store.takeError();
  llvm::Expected<KindView> view = KindView::of(*store, kind);
  if (!view) return view.takeError();
  std::vector<std::vector<uint32_t>> rows(view->size());
  std::vector<bool> found(view->size()); // in whatever way
  std::vector<uint32_t> covered, apart;  // of the unit at hand
  uint32_t units = 0;
  uint64_t executions = 0;
  if (auto e = store->forEachUnit([&](const StoredUnit &unit) {
        if (firstUnits && units == firstUnits) return;
        view->select(unit.elements, covered);
        view->select(unit.nonFuzzing, apart);
        for (const std::vector<uint32_t> *elements : {&covered, &apart})
          for (uint32_t element : *elements) found[element] = true;
        if (!unit.complete) return;
        executions +=
            stages == StageSelection::All ? sumOf(unit.executions) : fuzzingOf(unit.executions);
        auto mark = [&](uint32_t element) {
          std::vector<uint32_t> &row = rows[element];
          if (row.empty() || row.back() != units) row.push_back(units);
        };
        for (uint32_t element : covered) mark(element);
        if (stages == StageSelection::All)
          for (uint32_t element : apart) mark(element);
        ++units;
      }))
    return std::move(e);
  if (!units)
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   fmt::format("{}: no sampling unit is complete yet", path));
  llvm::Expected<std::vector<std::string>> names = store->names(kind);
  if (!names) return names.takeError();
  estimate::IncidenceMatrix matrix(units);
  if (executions) matrix.setExecutions(static_cast<double>(executions));
  llvm::Expected<std::vector<bool>> unreachable = store->unreachable(kind);
  if (!unreachable) return unreachable.takeError();
  estimate::Listing listing;
  for (size_t i = 0; i < rows.size(); ++i) {
    listing.coveredApart += found[i] && rows[i].empty();
    if ((*unreachable)[i] && !found[i]) // what was covered stays, come what may
      ++listing.unreachable;
    else
      matrix.add(rows[i], (*names)[i]);
  }
  estimate::Incidence incidence;
  incidence.listing = listing;
  incidence.counts = estimate::tally(matrix);
  incidence.matrix = std::move(matrix);
  return incidence;
}

} // namespace fathom::campaign
