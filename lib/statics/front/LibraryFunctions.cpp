// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows stand by subject; they are found by name.
#include "statics/front/LibraryFunctions.h"

#include "statics/front/LibraryCxx.h"
#include "statics/front/LibraryEngine.h"
#include "statics/front/LibraryFiles.h"
#include "statics/front/LibraryMemory.h"
#include "statics/front/LibraryText.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace fathom::statics {

namespace library {

constexpr size_t kCount = std::size(kMemory) + std::size(kText) + std::size(kFiles) +
                          std::size(kEngine) + std::size(kCxx);

constexpr std::array<const LibraryFunction *, kCount> byName() {
  std::array<const LibraryFunction *, kCount> rows{};
  size_t next = 0;
  const auto add = [&](std::span<const LibraryFunction> part) {
    for (const LibraryFunction &row : part) rows[next++] = &row;
  };
  add(kMemory);
  add(kText);
  add(kFiles);
  add(kEngine);
  add(kCxx);
  std::ranges::sort(rows, {}, &LibraryFunction::name);
  return rows;
}
constexpr auto kRows = byName();
static_assert(std::ranges::adjacent_find(kRows, {}, &LibraryFunction::name) == kRows.end(),
              "a function has one row");

} // namespace library

const LibraryFunction *findLibraryFunction(std::string_view name) {
  const auto at = std::ranges::lower_bound(library::kRows, name, {}, &LibraryFunction::name);
  return at == library::kRows.end() || (*at)->name != name ? nullptr : *at;
}

std::span<const LibraryFunction *const> libraryFunctions() { return library::kRows; }

} // namespace fathom::statics
