// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "psp/Isotonic.h"

#include <algorithm>
#include <fmt/format.h>

namespace fathom::psp {

namespace {

/// Alarms that have one value.
struct Pool {
  double least = 0;
  double real = 0, all = 0;
  double share(double prior) const { return (real + prior / 2) / (all + prior); }
};

} // namespace

Isotonic Isotonic::fit(std::span<const Labelled> alarms, double prior) {
  std::vector<Labelled> sorted(alarms.begin(), alarms.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const Labelled &a, const Labelled &b) { return a.score < b.score; });
  std::vector<Pool> pools;
  for (const Labelled &alarm : sorted) {
    if (pools.empty() || pools.back().least != alarm.score) pools.push_back({alarm.score, 0, 0});
    pools.back().real += alarm.isReal;
    pools.back().all += 1;
  }
  // The blocks so far rise; a new one may have to be pooled with several of them.
  size_t used = 0;
  for (const Pool &next : pools) {
    Pool now = next;
    while (used && pools[used - 1].share(prior) >= now.share(prior)) {
      --used;
      now = {pools[used].least, pools[used].real + now.real, pools[used].all + now.all};
    }
    pools[used++] = now;
  }
  std::vector<Block> blocks;
  for (size_t i = 0; i < used; ++i) blocks.push_back({pools[i].least, pools[i].share(prior)});
  return Isotonic(std::move(blocks));
}

double Isotonic::operator()(double score) const {
  if (blocks_.empty()) return score;
  const auto behind =
      std::upper_bound(blocks_.begin(), blocks_.end(), score,
                       [](double value, const Block &block) { return value < block.least; });
  return behind == blocks_.begin() ? blocks_.front().share : std::prev(behind)->share;
}

std::string calibrationDefinition(const Isotonic &calibration) {
  std::string out =
      "// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
      "//\n"
      "// Written by `fathom psp calibrate`: from this score on, this share of alarms "
      "is real.\n";
  for (const Isotonic::Block &block : calibration.blocks())
    out += fmt::format("FATHOM_CALIBRATION_BLOCK({}, {})\n", block.least, block.share);
  return out;
}

const Isotonic &Isotonic::shipped() {
  static const Isotonic out({
#define FATHOM_CALIBRATION_BLOCK(LEAST, SHARE) Block{LEAST, SHARE},
#include "psp/Calibration.def"
#undef FATHOM_CALIBRATION_BLOCK
  });
  return out;
}

} // namespace fathom::psp
