// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/RowAssessor.h"

#include "solver/BranchDistance.h"

#include <algorithm>
#include <cstring>

namespace fathom::solver {

using expr::ExprPtr;

/// Slots of a table, of which at most half are used; then it starts over.
static constexpr size_t kSlots = 1 << 15;

bool RowAssessor::compile(std::span<const ExprPtr> constraints) {
  constraints_ = constraints.size();
  operations_.clear();
  std::vector<std::vector<ExprPtr>> groups(1);
  for (ExprPtr e : constraints) groups[0].push_back(branchDistance(context_, e));
  for (const auto &application : layout_.applications()) {
    Operation &operation = operations_.emplace_back();
    operation.application = &application;
    std::vector<ExprPtr> computed;
    for (uint32_t i = 0; i < application.variables.size(); ++i) {
      ExprPtr term = application.variables[i].second;
      if (auto run = layout_.run(term)) { // just a byte of the row
        operation.copied.push_back({i, run->offset});
      } else {
        operation.computed.push_back(i);
        computed.push_back(term);
      }
    }
    if (computed.empty()) continue;
    operation.group = groups.size();
    groups.push_back(std::move(computed));
  }
  size_t most = 0;
  for (const auto &group : groups) most = std::max(most, group.size());
  values_.resize(most);
  code_ = compiler_.compile(groups, layout_);
  if (code_) Clock::spend(StepKind::CompiledByte, code_->code().size());
  host_ = nullptr;
  failures_ = 0;
  if (code_ && !operations_.empty() && code_->isSelfContained()) loadIntoHost();
  return code_;
}

void RowAssessor::loadIntoHost() {
  expr::RowHost *host = layout_.applications()[0].term->operation().rowHost();
  if (!host) return;
  expr::RowProgram program;
  program.code = code_->code();
  program.functions.push_back(code_->place(0));
  program.rowBytes = layout_.rowBytes();
  program.distances = constraints_;
  for (const Operation &operation : operations_) {
    const auto &variables = operation.application->variables;
    expr::RowProgram::Application &a = program.applications.emplace_back();
    a.operation = &operation.application->term->operation();
    if (a.operation->rowHost() != host) return;
    a.input = operation.application->input;
    for (auto [i, offset] : operation.copied) a.copied.push_back({variables[i].first, offset});
    for (uint32_t i : operation.computed) a.computed.push_back(variables[i].first);
    a.resultsAt = operation.application->offset;
    if (!operation.group) continue;
    a.function = program.functions.size();
    program.functions.push_back(code_->place(operation.group));
  }
  if (host->load(program)) host_ = host;
}

size_t RowAssessor::find(Operation &operation, const uint8_t *key) {
  const size_t bytes = operation.application->variables.size();
  uint64_t hash = bytes;
  for (size_t i = 0; i < bytes; i += 8) {
    uint64_t word = 0;
    std::memcpy(&word, key + i, std::min<size_t>(8, bytes - i));
    hash = (hash ^ word) * 0x9E3779B97F4A7C15ull;
    hash ^= hash >> 32;
  }
  for (size_t slot = hash % kSlots;; slot = (slot + 1) % kSlots) {
    uint32_t &entry = operation.slots[slot];
    if (entry && std::memcmp(&operation.keys[(entry - 1) * bytes], key, bytes) == 0)
      return entry - 1;
    if (entry) continue;
    entry = static_cast<uint32_t>(++operation.entries);
    operation.keys.insert(operation.keys.end(), key, key + bytes);
    return operation.entries - 1;
  }
}

void RowAssessor::execute(Operation &operation, uint8_t *rows, size_t count) {
  const auto &application = *operation.application;
  expr::ExternalOperation &external = application.term->operation();
  const size_t inputBytes = external.inputBytes, outputBytes = external.outputBytes;
  if (operation.slots.empty() || operation.entries + count > kSlots / 2) {
    operation.slots.assign(kSlots, 0);
    operation.keys.clear();
    operation.entries = 0;
  }
  // What was not executed yet, each input once.
  const size_t first = operation.entries;
  found_.resize(count);
  key_.resize(application.variables.size() + 1);
  in_.clear();
  for (size_t i = 0; i < count; ++i) {
    const uint8_t *row = rows + i * layout_.rowBytes();
    for (auto [place, offset] : operation.copied) key_[place] = row[offset];
    if (operation.group) {
      code_->run(operation.group, row, values_.data());
      for (size_t v = 0; v < operation.computed.size(); ++v)
        key_[operation.computed[v]] = static_cast<uint8_t>(values_[v]);
    }
    const size_t before = operation.entries;
    found_[i] = find(operation, key_.data());
    if (operation.entries == before) continue;
    const size_t at = in_.size();
    in_.insert(in_.end(), application.input.begin(), application.input.end());
    for (size_t v = 0; v < application.variables.size(); ++v)
      in_[at + application.variables[v].first] = key_[v];
  }
  if (const size_t fresh = operation.entries - first) {
    operation.results.resize(operation.entries * outputBytes);
    external.applyAll({in_.data(), fresh * inputBytes},
                      {operation.results.data() + first * outputBytes, fresh * outputBytes}, fresh);
  }
  for (size_t i = 0; i < count; ++i)
    std::memcpy(rows + i * layout_.rowBytes() + application.offset,
                operation.results.data() + found_[i] * outputBytes, outputBytes);
}

bool RowAssessor::assess(uint8_t *rows, size_t count, uint64_t *distances,
                         const Deadline &deadline) {
  // A process that ends costs milliseconds, and what ends it is likely to come again: here each
  // input is executed once.
  constexpr unsigned kMaxFailures = 4;
  constexpr size_t kAtOnce = 128; // rows between two looks at the clock
  while (count) {
    size_t done = 0, here = std::min(count, kAtOnce);
    if (host_) {
      const expr::RowHost::Run run = host_->run(rows, count, distances);
      if (run.failed && ++failures_ >= kMaxFailures) host_ = nullptr;
      done = run.rows;
      here = run.failed || run.noted ? 1 : 0;
    }
    if (here) assessHere(rows + done * layout_.rowBytes(), here, distances + done * constraints_);
    done += here;
    rows += done * layout_.rowBytes();
    distances += done * constraints_;
    count -= done;
    if (count && deadline.passed()) return false;
  }
  return true;
}

void RowAssessor::assessHere(uint8_t *rows, size_t count, uint64_t *distances) {
  Clock::spend(StepKind::Row, count * constraints_);
  for (Operation &operation : operations_) execute(operation, rows, count); // lower levels first
  for (size_t i = 0; i < count; ++i)
    code_->run(0, rows + i * layout_.rowBytes(), distances + i * constraints_);
}

} // namespace fathom::solver
