// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "psp/Samples.h"

#include <algorithm>

namespace fathom::psp {

State State::of(std::initializer_list<int64_t> values) {
  State out;
  VariableId id = 0;
  for (const int64_t value : values) out.bindings.emplace_back(id++, value);
  return out;
}

static auto place(auto &bindings, VariableId variable) {
  return std::lower_bound(bindings.begin(), bindings.end(), variable,
                          [](const auto &binding, VariableId id) { return binding.first < id; });
}

std::optional<int64_t> State::value(VariableId variable) const {
  const auto at = place(bindings, variable);
  if (at == bindings.end() || at->first != variable) return std::nullopt;
  return at->second;
}

void State::set(VariableId variable, int64_t value) {
  const auto at = place(bindings, variable);
  if (at != bindings.end() && at->first == variable)
    at->second = value;
  else
    bindings.insert(at, {variable, value});
}

VariableId Samples::variable(const std::string &name) {
  if (const std::optional<VariableId> id = find(name)) return *id;
  names_.push_back(name);
  return static_cast<VariableId>(names_.size() - 1);
}

std::optional<VariableId> Samples::find(const std::string &name) const {
  const auto at = std::find(names_.begin(), names_.end(), name);
  if (at == names_.end()) return std::nullopt;
  return static_cast<VariableId>(at - names_.begin());
}

void Samples::add(const State &state, uint64_t count) {
  if (!count) return;
  counts_[state] += count;
  total_ += count;
}

uint64_t Samples::count(const State &state) const {
  const auto at = counts_.find(state);
  return at == counts_.end() ? 0 : at->second;
}

bool Samples::contains(const State &state) const {
  if (counts_.contains(state)) return true;
  if (state.bindings.empty()) return !isEmpty();
  if (state.bindings.size() == names_.size()) return false; // no sample binds more
  return std::any_of(counts_.begin(), counts_.end(), [&](const auto &entry) {
    return std::all_of(state.bindings.begin(), state.bindings.end(), [&](const auto &binding) {
      return entry.first.value(binding.first) == binding.second;
    });
  });
}

Samples Samples::project(std::span<const VariableId> variables) const {
  Samples out;
  for (const VariableId id : variables) out.names_.push_back(names_[id]);
  for (const auto &[state, count] : counts_) {
    State projected;
    for (VariableId i = 0; i < variables.size(); ++i)
      if (const std::optional<int64_t> value = state.value(variables[i])) projected.set(i, *value);
    if (!projected.bindings.empty()) out.add(projected, count);
  }
  return out;
}

} // namespace fathom::psp
