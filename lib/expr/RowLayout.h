// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assignments as rows: the bytes of symbolic arrays that some terms can read, packed one after the
// other, so that a search copies and changes few bytes and compiled terms find them at fixed
// places.
//
// After these bytes lie the results of external operations, which the evaluator of rows fills in.
//
//   RowLayout layout(roots);
//   layout.fill(model, row);                  // row: layout.size() bytes
//   Model m = layout.model(row, base);        // the bytes of the row, otherwise those of base
#ifndef FATHOM_EXPR_ROWLAYOUT_H
#define FATHOM_EXPR_ROWLAYOUT_H

#include "expr/Expr.h"
#include "expr/Model.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace fathom::expr {

class RowLayout {
public:
  static constexpr uint32_t kNone = ~0u;

  /// A symbolic array of which bytes can be read.
  struct Symbol {
    ExprPtr array;
    uint32_t offset;               ///< In the row, of its first byte that is there.
    bool isWhole;                  ///< All its bytes are there: some index is not constant.
    std::vector<uint64_t> indices; ///< Unless isWhole: which, ascending.
  };
  struct Place {
    ExprPtr symbol;
    uint64_t index;
  };

  /// An application of an external operation (Kind::Apply) that the roots depend on.
  struct Application {
    ExprPtr term;
    uint32_t offset; ///< In the row, of its results.
    unsigned
        level; ///< 0: its input depends on no other application; otherwise one more than those.
    std::vector<uint8_t> input;                          ///< With constant bytes filled in,
    std::vector<std::pair<uint32_t, ExprPtr>> variables; ///< and what the others are: place, term.
  };

  /// Bytes that lie side by side in a row, lowest first.
  struct Run {
    uint32_t offset, bytes;
  };

  /// All bytes that the roots can read. Indices past an array's end are left out: they read 0.
  explicit RowLayout(std::span<const ExprPtr> roots);

  size_t size() const { return places_.size(); }
  /// With the results of operations.
  size_t rowBytes() const { return rowBytes_; }
  std::span<const Application> applications() const { return applications_; } ///< By level.
  unsigned levels() const { return applications_.empty() ? 0 : applications_.back().level + 1; }
  const Application *application(ExprPtr apply) const;
  /// Offset of a byte; kNone if it is not in the row.
  uint32_t find(ExprPtr symbol, uint64_t index) const;
  /// What lies at an offset < size().
  Place place(size_t offset) const { return places_[offset]; }
  std::span<const Symbol> symbols() const { return symbols_; }
  const Symbol *symbol(ExprPtr array) const;

  /// The run whose value a term is: a byte that is read at a constant index, or the concatenation
  /// of up to eight such bytes that lie side by side.
  std::optional<Run> run(ExprPtr e) const;

  void fill(const Model &model, std::span<uint8_t> row) const;
  Model model(std::span<const uint8_t> row, const Model &base) const;

private:
  std::vector<Symbol> symbols_; // ascending ArrayInfo::index
  std::vector<Place> places_;
  std::vector<Application> applications_;
  size_t rowBytes_ = 0;
  void addApplications(std::vector<ExprPtr> found);
};

} // namespace fathom::expr
#endif
