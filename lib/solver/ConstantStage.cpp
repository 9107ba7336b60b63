// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/ConstantStage.h"

#include "solver/StageTable.h"
#include "solver/Support.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace fathom::solver {

using expr::Kind;

namespace {

/// Inputs of at most so many bytes are numbers.
constexpr uint64_t kNumberBytes = 8;
/// So many sets of constants are remembered, of so many terms in all.
constexpr size_t kMaxSets = 64, kMaxTerms = 200'000;

/// The two sides of an equation `byte = value`, if `byte` is a byte of a symbol of at most
/// kNumberBytes and `value` a constant.
std::optional<std::pair<ExprPtr, ExprPtr>> constantIn(ExprPtr e) {
  if (e->kind() != Kind::Eq) return {};
  ExprPtr byte = e->op(0), value = e->op(1);
  if (byte->isConst()) std::swap(byte, value);
  if (!value->isConst() || byte->kind() != Kind::Read || !byte->op(1)->isConst()) return {};
  ExprPtr array = byte->op(0);
  if (array->kind() != Kind::SymbolArray || array->array().sizeBytes > kNumberBytes) return {};
  return std::pair(byte, value);
}

} // namespace

ConstantStage::Constants ConstantStage::constantsOf(const Conjunction &query) {
  Constants constants;
  for (ExprPtr e : query.constraints)
    if (auto c = constantIn(e)) constants.push_back(*c);
  std::ranges::sort(constants);
  return constants;
}

expr::TermImages &ConstantStage::imagesUnder(const Constants &constants) {
  size_t terms = 0;
  for (const auto &[set, images] : images_) terms += images.size();
  if (collections_ != context_.collections() || images_.size() > kMaxSets || terms > kMaxTerms) {
    images_.clear();
    collections_ = context_.collections();
  }
  auto [it, isNew] = images_.try_emplace(constants);
  if (isNew)
    for (auto [byte, value] : constants) it->second[byte] = value;
  return it->second;
}

Answer ConstantStage::ask(const Conjunction &query, expr::TermImages &images,
                          const Constants &constants) {
  std::vector<ExprPtr> asked, equalities;
  std::unordered_map<ExprPtr, ExprPtr> origins; ///< of what is asked, in the query
  for (ExprPtr e : query.constraints) {
    if (constantIn(e)) {
      equalities.push_back(e);
      if (origins.try_emplace(e, e).second) asked.push_back(e);
      continue;
    }
    ExprPtr image = context_.substitute(e, images);
    std::vector<ExprPtr> parts;
    flattenConjunction(image, parts);
    for (ExprPtr part : parts)
      if (!part->isTrue() && origins.try_emplace(part, e).second) asked.push_back(part);
  }
  auto withEqualities = [&](std::vector<ExprPtr> core) {
    for (ExprPtr e : equalities)
      if (std::ranges::find(core, e) == core.end()) core.push_back(e);
    return core;
  };
  for (ExprPtr e : asked)
    if (e->isFalse()) return Answer::unsat(withEqualities({origins.at(e)}));
  Conjunction part = query;
  part.constraints = asked;
  Answer answer = next_->solve(part);
  if (answer.kind == AnswerKind::Unsat && !answer.core.empty()) {
    std::vector<ExprPtr> core;
    for (ExprPtr e : answer.core)
      if (auto it = origins.find(e); it != origins.end())
        if (std::ranges::find(core, it->second) == core.end()) core.push_back(it->second);
    answer.core = withEqualities(std::move(core));
  }
  return answer;
}

Answer ConstantStage::solve(const Conjunction &query) {
  StageTimer timer(stats_);
  const Constants constants = constantsOf(query);
  const bool isFit =
      !constants.empty() && constants.size() < query.constraints.size() &&
      std::ranges::none_of(query.constraints, [](ExprPtr e) { return e->has(expr::kHasApply); });
  if (!isFit) return timer.pass([&] { return next_->solve(query); });
  return timer.pass([&] { return ask(query, imagesUnder(constants), constants); });
}

void ConstantStage::appendStats(std::vector<StageStats> &out) const {
  out.push_back(stats_);
  next_->appendStats(out);
}

void ConstantStage::dropCaches() {
  images_.clear();
  next_->dropCaches();
}

void putConstantStage(ChainBuilder &chain) {
  chain.put(std::make_unique<ConstantStage>(chain.context, chain.takeSets()));
}

} // namespace fathom::solver
