// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The searchers by name, and the meaning of a list of names.
//
//   SearcherTable table = SearcherTable::builtIn();           // Searchers.def
//   table.add({.name = "mine", .help = "...", .make = makeMine});
//   makeSearcher("mine,covnew", {interpreter, rng}, error, table);
#ifndef FATHOM_EXPLORE_SEARCH_SEARCHERTABLE_H
#define FATHOM_EXPLORE_SEARCH_SEARCHERTABLE_H

#include "explore/interpreter/Interpreter.h"
#include "explore/search/Searcher.h"
#include "support/Rng.h"

#include <memory>
#include <string>
#include <vector>

namespace fathom::explore {

/// What a searcher is made of.
struct SearcherOptions {
  const Interpreter &interpreter;       ///< whose states it chooses from: code and coverage
  Rng &rng;                             ///< every random choice
  std::vector<std::string> values = {}; ///< of NAME=VALUE,...: at least one; empty for others
};

/// Null when a value means nothing in the program: `error` says which.
using SearcherMaker = std::unique_ptr<Searcher> (*)(const SearcherOptions &options,
                                                    std::string &error);

struct SearcherEntry {
  std::string name;
  const char *value = nullptr; ///< Non-null: written NAME=VALUE,..., and a value is this.
  const char *help = "";       ///< what it takes next
  SearcherMaker make = nullptr;
};

class SearcherTable {
public:
  /// Those of Searchers.def.
  static const SearcherTable &builtIn();
  /// REQUIRES: no other of this name.
  void add(SearcherEntry entry);
  const std::vector<SearcherEntry> &entries() const { return entries_; }
  /// "dfs, ..., targets=FILE:LINE".
  std::string names() const;

  /// A searcher of a list: NAME or NAME=VALUE,...
  struct Asked {
    const SearcherEntry *entry; ///< Null: no searcher has this name.
    std::string text;           ///< as it was written
    std::vector<std::string> values;
  };
  /// "dfs,targets=a.c:1,b.c:2,covnew" -> dfs | targets=a.c:1,b.c:2 | covnew: parts with a colon
  /// belong to the values before them.
  std::vector<Asked> parse(const std::string &list) const;

private:
  std::vector<SearcherEntry> entries_;
};

/// The help text of --search.
std::string searchHelp();

/// Empty when the table knows every name; otherwise which it does not, and what would be right.
std::string validateSearch(const std::string &list,
                           const SearcherTable &table = SearcherTable::builtIn());

/// Builds the searcher that the list (valid) describes: several names separated by commas are asked
/// in turn. Null when a maker failed.
std::unique_ptr<Searcher> makeSearcher(const std::string &list, const Interpreter &interpreter,
                                       Rng &rng, std::string &error,
                                       const SearcherTable &table = SearcherTable::builtIn());

/// At least one.
std::unique_ptr<Searcher> makeInterleaved(std::vector<std::unique_ptr<Searcher>> searchers,
                                          const Interpreter &interpreter);

#define FATHOM_SEARCHER(name, value, maker, help)                                                  \
  std::unique_ptr<Searcher> maker(const SearcherOptions &options, std::string &error);
#include "explore/search/Searchers.def"
#undef FATHOM_SEARCHER

} // namespace fathom::explore
#endif
