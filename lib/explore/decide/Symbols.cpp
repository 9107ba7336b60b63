// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/decide/Symbols.h"

#include "explore/decide/LogFollower.h"
#include "explore/decide/SeedPaths.h"
#include "explore/decide/Witnesses.h"

#include "fmt/format.h"

namespace fathom::explore {

void Symbols::addSymbolWithValues(State &s, ExprPtr symbol, const std::vector<uint8_t> &values) {
  s.symbols.push(symbol);
  stats_.symbols++;
  s.seeds = nullptr; // what they make of a result is not known
  if (std::optional<uint64_t> changes = follower_.replayed(s, Record::Witness))
    return witnesses_.adoptReplayedWitness(s, *changes);
  auto model = std::make_shared<expr::Model>(*s.witness);
  for (uint64_t i = 0; i < values.size(); i++) model->setByte(symbol, i, values[i]);
  witnesses_.adoptWitness(s, model);
}

void Symbols::addSymbol(State &s, ExprPtr symbol, const std::string &name) {
  s.symbols.push(symbol);
  stats_.symbols++;
  if (s.seeds) seedPaths_.feedSeeds(s, symbol, name);
  adopt(s);
}

void Symbols::addSized(State &s, const SizedInput &input, const std::string &name) {
  s.symbols.push(input.bytes);
  s.symbols.push(input.length);
  stats_.symbols++;
  if (s.seeds) seedPaths_.feedSized(s, input, name);
  adopt(s);
}

void Symbols::adopt(State &s) {
  if (std::optional<uint64_t> changes = follower_.replayed(s, Record::Witness))
    return witnesses_.adoptReplayedWitness(s, *changes);
  if (!s.seeds) return s.log.append(Record::Witness, 0);
  witnesses_.adoptWitness(s, s.seeds->front().model);
}

/// Letters, digits and `_ . -`. Two names never become one: all workers must come to the same.
static std::string solverName(const std::string &name) {
  std::string out = name;
  uint64_t hash = 0xcbf29ce484222325; // FNV-1a
  for (char &c : out) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    const bool isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    const bool isFine =
        isLetter || (&c != out.data() && ((c >= '0' && c <= '9') || c == '-' || c == '.'));
    if (!isFine) c = '_';
  }
  return out == name && !out.empty() ? out : fmt::format("in_{}_{:016x}", out.substr(0, 64), hash);
}

ExprPtr Symbols::symbolFor(const State &s, const std::string &base, uint64_t size) {
  auto [it, isNew] = bases_.try_emplace(base, static_cast<uint32_t>(bases_.size()));
  const uint32_t number = it->second;
  // How many of this name the path has: its latest one knows. The name itself cannot tell, because
  // the context changes one that is in use. (A name that no path has had needs no search.)
  uint32_t ordinal = 0;
  if (!isNew)
    for (auto *n = s.symbols.last.get(); n; n = n->previous.get())
      if (auto made = origins_.find(n->value);
          made != origins_.end() && made->second.base == number) {
        ordinal = made->second.ordinal + 1;
        break;
      }
  ExprPtr &symbol = symbols_[{number, ordinal, size}];
  if (!symbol) {
    const std::string name = ordinal ? fmt::format("{}_{}", base, ordinal) : base;
    symbol = ctx_.symbol(solverName(name), size);
    names_[symbol] = name;
    origins_[symbol] = {number, ordinal};
  }
  return symbol;
}

const std::string &Symbols::nameOf(ExprPtr symbol) const {
  const auto known = names_.find(symbol);
  return known == names_.end() ? symbol->array().name : known->second;
}

} // namespace fathom::explore
