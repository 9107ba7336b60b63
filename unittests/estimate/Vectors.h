// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reference values (VECTORS.md says where they come from), and comparisons with them.
#ifndef FATHOM_UNITTESTS_ESTIMATE_VECTORS_H
#define FATHOM_UNITTESTS_ESTIMATE_VECTORS_H

#include "estimate/Incidence.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <functional>

namespace fathom::estimate::test {

using Json = nlohmann::json;

inline const Json &vectors() {
  static const Json all = Json::parse(std::ifstream(FATHOM_ESTIMATE_VECTORS));
  return all;
}

/// Counts, and the matrix where the data set has one.
inline Incidence dataOf(const Json &set) {
  Incidence data;
  auto units = set["t"].get<uint32_t>();
  std::vector<std::pair<uint64_t, uint64_t>> frequencies;
  for (const auto &[k, q] : set["Q"].items()) frequencies.emplace_back(std::stoull(k), q);
  data.counts = *FrequencyCounts::make(units, frequencies);
  if (!set.contains("rows")) return data;
  data.matrix.emplace(units);
  for (const Json &row : set["rows"]) data.matrix->add(row.get<std::vector<uint32_t>>());
  return data;
}

inline Incidence dataNamed(const std::string &id) {
  for (const Json &set : vectors()["datasets"])
    if (set["id"] == id) return dataOf(set);
  return {};
}

inline bool has(const Json &entry, const char *key) {
  return entry.contains(key) && !entry[key].is_null();
}

inline double relativeError(double got, double expected) {
  double size = std::fabs(expected);
  return std::fabs(got - expected) / (size > 1e-300 ? size : 1);
}

} // namespace fathom::estimate::test
#endif
