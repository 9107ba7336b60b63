// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_UNITTESTS_ASSESS_SUPPORT_H
#define FATHOM_UNITTESTS_ASSESS_SUPPORT_H

#include "assess/Findings.h"

#include "estimate/Distributions.h"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace fathom::assess {

/// A campaign in which every element is covered by each unit with the probability given for it.
inline estimate::IncidenceMatrix simulated(const std::vector<double> &probabilities, uint32_t units,
                                           Rng &rng) {
  estimate::IncidenceMatrix matrix(units);
  for (double p : probabilities) {
    std::vector<uint32_t> row;
    for (uint32_t unit = 0; unit < units; ++unit)
      if (estimate::uniform01(rng) < p) row.push_back(unit);
    matrix.add(row);
  }
  return matrix;
}

/// A folder that goes with the test.
class Scratch {
public:
  Scratch() {
    std::string name = std::filesystem::temp_directory_path() / "assess-XXXXXX";
    path = mkdtemp(name.data());
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::string path;
};

inline size_t indexOf(estimate::Estimator estimator) { return static_cast<size_t>(estimator); }

} // namespace fathom::assess
#endif
