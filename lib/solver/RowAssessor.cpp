// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/RowAssessor.h"

#include "solver/BranchDistance.h"

#include <algorithm>
#include <cstring>

namespace fathom::solver {

using expr::ExprPtr;

/// Bytes of results that are remembered for one application; then it starts over.
static constexpr size_t kMaxRemembered = 1 << 22;

bool RowAssessor::compile(std::span<const ExprPtr> constraints) {
  constraints_ = constraints.size();
  operations_.clear();
  std::vector<std::vector<ExprPtr>> groups(1);
  for (ExprPtr e : constraints) groups[0].push_back(branchDistance(context_, e));
  for (const auto &application : layout_.applications()) {
    std::vector<ExprPtr> bytes;
    for (auto [place, term] : application.variables) bytes.push_back(term);
    operations_.push_back({&application, groups.size(), {}, {}});
    groups.push_back(std::move(bytes));
  }
  size_t most = 0;
  for (const auto &group : groups) most = std::max(most, group.size());
  values_.resize(most);
  code_ = compiler_.compile(groups, layout_);
  return code_;
}

void RowAssessor::execute(Operation &operation, uint8_t *rows, size_t count) {
  const auto &application = *operation.application;
  expr::ExternalOperation &external = application.term->operation();
  const size_t inputBytes = external.inputBytes, outputBytes = external.outputBytes;
  if (operation.results.size() > kMaxRemembered) {
    operation.results.clear();
    operation.known.clear();
  }
  // What was not executed yet, each input once.
  std::vector<uint32_t> places(count);
  in_.clear();
  std::string input;
  size_t fresh = 0;
  const size_t first = operation.results.size() / outputBytes;
  for (size_t i = 0; i < count; ++i) {
    code_->run(operation.group, rows + i * layout_.rowBytes(), values_.data());
    input.assign(application.input.begin(), application.input.end());
    for (size_t v = 0; v < application.variables.size(); ++v)
      input[application.variables[v].first] = static_cast<char>(values_[v]);
    auto [at, isNew] = operation.known.try_emplace(input, static_cast<uint32_t>(first + fresh));
    if (isNew) {
      ++fresh;
      in_.insert(in_.end(), input.begin(), input.end());
    }
    places[i] = at->second;
  }
  if (fresh) {
    operation.results.resize((first + fresh) * outputBytes);
    external.applyAll({in_.data(), fresh * inputBytes},
                      {operation.results.data() + first * outputBytes, fresh * outputBytes}, fresh);
  }
  for (size_t i = 0; i < count; ++i)
    std::memcpy(rows + i * layout_.rowBytes() + application.offset,
                operation.results.data() + places[i] * outputBytes, outputBytes);
}

void RowAssessor::assess(uint8_t *rows, size_t count, uint64_t *distances) {
  for (Operation &operation : operations_) execute(operation, rows, count); // lower levels first
  for (size_t i = 0; i < count; ++i)
    code_->run(0, rows + i * layout_.rowBytes(), distances + i * constraints_);
}

} // namespace fathom::solver
