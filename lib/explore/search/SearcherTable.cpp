// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/search/SearcherTable.h"

#include "fmt/format.h"

#include <algorithm>
#include <cassert>

namespace fathom::explore {

const SearcherTable &SearcherTable::builtIn() {
  static const SearcherTable table = [] {
    SearcherTable all;
#define FATHOM_SEARCHER(name, value, maker, help) all.add({name, value, help, maker});
#include "explore/search/Searchers.def"
#undef FATHOM_SEARCHER
    return all;
  }();
  return table;
}

void SearcherTable::add(SearcherEntry entry) {
  assert(std::ranges::find(entries_, entry.name, &SearcherEntry::name) == entries_.end() &&
         "two searchers of one name");
  entries_.push_back(std::move(entry));
}

std::string SearcherTable::names() const {
  std::string out;
  for (const SearcherEntry &e : entries_)
    out += (out.empty() ? "" : ", ") + e.name + (e.value ? std::string("=") + e.value : "");
  return out;
}

std::vector<SearcherTable::Asked> SearcherTable::parse(const std::string &list) const {
  std::vector<Asked> out;
  for (size_t at = 0; at <= list.size();) {
    const size_t comma = std::min(list.find(',', at), list.size());
    const std::string part = list.substr(at, comma - at);
    at = comma + 1;
    const size_t equals = part.find('=');
    const bool hasValue = equals != std::string::npos;
    const auto known = std::ranges::find_if(entries_, [&](const SearcherEntry &e) {
      return e.name == part.substr(0, equals) && hasValue == (e.value != nullptr);
    });
    if (known != entries_.end())
      out.push_back({&*known, part,
                     hasValue ? std::vector{part.substr(equals + 1)} : std::vector<std::string>{}});
    else if (part.find(':') != std::string::npos && !out.empty() && !out.back().values.empty())
      out.back().values.push_back(part);
    else
      out.push_back({nullptr, part, {}});
  }
  return out;
}

std::string searchHelp() {
  std::string out;
  for (const SearcherEntry &e : SearcherTable::builtIn().entries())
    out += fmt::format("{}{} ({}), ", e.name,
                       e.value ? fmt::format("={}[,...]", e.value) : std::string(), e.help);
  out.resize(out.size() - 2);
  return out + "; names separated by commas take turns";
}

std::string validateSearch(const std::string &list, const SearcherTable &table) {
  for (const SearcherTable::Asked &asked : table.parse(list))
    if (!asked.entry)
      return fmt::format("--search: unknown searcher '{}' ({})", asked.text, table.names());
  return "";
}

// TOUR(9)
std::unique_ptr<Searcher> makeSearcher(const std::string &list, const Interpreter &interpreter,
                                       Rng &rng, std::string &error, const SearcherTable &table) {
  std::vector<std::unique_ptr<Searcher>> searchers;
  for (SearcherTable::Asked &asked : table.parse(list)) {
    auto s = asked.entry->make({interpreter, rng, std::move(asked.values)}, error);
    if (!s) return nullptr;
    searchers.push_back(std::move(s));
  }
  return searchers.size() == 1 ? std::move(searchers[0])
                               : makeInterleaved(std::move(searchers), interpreter);
}

} // namespace fathom::explore
