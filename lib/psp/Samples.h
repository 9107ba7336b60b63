// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The multiset Fuzz of [psp23] Sec. III-A at one program point: which states a campaign saw there,
// and how often.
//
// A state binds some variables to integers. States of one point need not bind the same variables: a
// scope that was not entered has nothing to say. Values are 64-bit numbers; unsigned ones beyond
// 2^63 - 1 are negative here.
#ifndef FATHOM_PSP_SAMPLES_H
#define FATHOM_PSP_SAMPLES_H

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace fathom::psp {

/// Index into Samples::names().
using VariableId = uint32_t;

/// sigma: V -> X, sparse. Bindings ascend by variable; each variable occurs once.
struct State {
  std::vector<std::pair<VariableId, int64_t>> bindings;

  State() = default;
  /// Variables 0, 1, 2, ... bound to these values.
  static State of(std::initializer_list<int64_t> values);
  std::optional<int64_t> value(VariableId variable) const;
  void set(VariableId variable, int64_t value);
  auto operator<=>(const State &) const = default;
};

class Samples {
public:
  /// The id of a name, new or not.
  VariableId variable(const std::string &name);
  std::optional<VariableId> find(const std::string &name) const;
  const std::vector<std::string> &names() const { return names_; }

  /// Adds `count` occurrences. REQUIRES ids of this multiset. Cost: O(log distinct()).
  void add(const State &state, uint64_t count = 1);
  uint64_t total() const { return total_; } ///< with multiplicities
  size_t distinct() const { return counts_.size(); }
  bool isEmpty() const { return counts_.empty(); }
  uint64_t count(const State &state) const;
  /// sigma is in Fuzz: some sample binds all its variables to its values.
  bool contains(const State &state) const;
  /// In ascending order of states.
  const std::map<State, uint64_t> &counts() const { return counts_; }

  /// The same samples with these variables only, in this order, ids 0, 1, 2, ...; multiplicities of
  /// states that become equal are added. Samples that bind none of them are left out.
  Samples project(std::span<const VariableId> variables) const;
  /// Those samples for which `keep` holds, with the same ids.
  template <class Keep> Samples filter(Keep keep) const {
    Samples out;
    out.names_ = names_;
    for (const auto &[state, count] : counts_)
      if (keep(state)) out.add(state, count);
    return out;
  }

private:
  std::vector<std::string> names_;
  std::map<State, uint64_t> counts_;
  uint64_t total_ = 0;
};

} // namespace fathom::psp
#endif
