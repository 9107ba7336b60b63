// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calibration: which share of alarms with a score is real. A score only has to rank; isotonic
// regression finds the rising function of it that fits labelled alarms best ([zadrozny02]).
//
// The least-squares fit is found by pooling adjacent violators ([pav55]): as long as a score's mean
// label is above that of the next higher one, the two become one block with their common mean.
#ifndef FATHOM_PSP_ISOTONIC_H
#define FATHOM_PSP_ISOTONIC_H

#include <span>
#include <string>
#include <vector>

namespace fathom::psp {

/// An alarm whose truth is known.
struct Labelled {
  double score = 0; ///< in [0, 1]
  bool isReal = false;
};

class Isotonic {
public:
  /// Scores from `least` on, up to the next block's, have this share of real alarms.
  struct Block {
    double least = 0, share = 0;
    bool operator==(const Block &) const = default;
  };

  /// The least-squares rising fit. Equal scores have one value. With `prior` above 0, each share is
  /// that of the block with so many more alarms, of which half are real: small blocks then do not
  /// claim 0 or 1. No alarms: the identity. Cost: O(n log n).
  static Isotonic fit(std::span<const Labelled> alarms, double prior = 0);

  explicit Isotonic(std::vector<Block> blocks) : blocks_(std::move(blocks)) {}

  /// A step function; a score below all blocks has the first one's share. The identity, if there is
  /// no block.
  double operator()(double score) const;
  const std::vector<Block> &blocks() const { return blocks_; }

  /// The one that is part of the program (Calibration.def), made by `fathom psp calibrate` from
  /// what `./dev bench alarms --labels` measures.
  static const Isotonic &shipped();

private:
  std::vector<Block> blocks_; ///< ascending in both
};

/// As Calibration.def.
std::string calibrationDefinition(const Isotonic &calibration);

} // namespace fathom::psp
#endif
