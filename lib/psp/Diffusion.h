// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Heat diffusion over states: the model for sparse neighbourhoods ([psp23] Sec. III-B, Eq. 4).
//
//   dP/dt = D * laplacian(P) + Q
//
// Q holds the states that the campaign saw at 1 and those outside the abstraction at 0. The
// equation is solved by forward differences in time and central ones in space (FTCS) on the integer
// grid, whose cells are states. One step of length h is
//
//   P'(x) = P(x) + D * h * sum over the 2d neighbours y of (P(y) - P(x))
//
// It is stable, and keeps all values within [0, 1], when D * h <= 1 / (2d). The paper gives D = 6
// ("diffusion factor") and t = 10, and no step; the step here is half of what stability allows.
//
// The grid is sparse: it has the cells within `radius` (in each variable) of some seen state, its
// windows. When those are more than `mostCells`, the radius is halved until they fit, and radius()
// says so. A state outside of all windows has no heat.
//
// Samples that do not bind all the variables have no place on the grid and are left out.
#ifndef FATHOM_PSP_DIFFUSION_H
#define FATHOM_PSP_DIFFUSION_H

#include "psp/Region.h"
#include "psp/Samples.h"

#include <functional>
#include <unordered_map>

namespace fathom::psp {

struct DiffusionOptions {
  double factor = 6; ///< D
  double time = 10;  ///< t
  double step = 0;   ///< h; 0: half of stableStep(). What is not stable is brought down to that.
  int64_t radius = 20;
  size_t mostCells = size_t(1) << 19;
  /// What is beyond the windows' edge: false: cells that are always cold; true: nothing, so that no
  /// heat gets lost there.
  bool isInsulated = false;
};

/// The longest stable step: 1 / (2 d D).
double stableStep(unsigned dimensions, double factor);

/// The equation on any set of cells, on its own.
class HeatGrid {
public:
  using Cell = std::vector<int64_t>;
  explicit HeatGrid(unsigned dimensions) : dimensions_(dimensions) {}

  /// Adds a cell, once. `isPinned`: it keeps its heat. REQUIRES no run() before.
  void add(const Cell &cell, double heat, bool isPinned);
  bool contains(const Cell &cell) const { return index_.contains(cell); }
  size_t size() const { return heat_.size(); }
  /// For `time`, in steps of equal length of at most `step`.
  /// Returns the number of steps. Cost: O(steps * size() * dimensions).
  size_t run(double time, double step, double factor, bool isInsulated);
  std::optional<double> heat(const Cell &cell) const;
  double total() const;

private:
  void connect();
  struct Hash {
    size_t operator()(const Cell &cell) const;
  };
  unsigned dimensions_;
  std::unordered_map<Cell, uint32_t, Hash> index_;
  std::vector<double> heat_;
  std::vector<uint8_t> pinned_;
  std::vector<uint32_t> neighbours_; ///< 2d for each cell; kNone: beyond the edge
};

class Diffusion {
public:
  /// \param dimensions  states bind variables 0 .. dimensions - 1. REQUIRES dimensions > 0.
  Diffusion(const Samples &samples, const Region &region, unsigned dimensions,
            const DiffusionOptions &options = {});

  /// In [0, 1]; 0 where no heat came, and for states that lack a variable.
  double probability(const State &state) const;
  int64_t radius() const { return radius_; }
  size_t cells() const { return grid_.size(); }
  size_t steps() const { return steps_; }

private:
  bool addWindows(const std::vector<HeatGrid::Cell> &seen, const Region &region, size_t most);
  unsigned dimensions_;
  int64_t radius_;
  size_t steps_ = 0;
  HeatGrid grid_;
};

} // namespace fathom::psp
#endif
