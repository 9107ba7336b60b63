// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/SimplexQuadratic.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace fathom::estimate {

/// Gaussian elimination with partial pivoting; false when the matrix is singular.
static bool solve(std::vector<double> &matrix, std::vector<double> &right, size_t n) {
  for (size_t column = 0; column < n; ++column) {
    size_t pivot = column;
    for (size_t row = column + 1; row < n; ++row)
      if (std::fabs(matrix[row * n + column]) > std::fabs(matrix[pivot * n + column])) pivot = row;
    if (matrix[pivot * n + column] == 0) return false;
    if (pivot != column) {
      for (size_t i = 0; i < n; ++i) std::swap(matrix[pivot * n + i], matrix[column * n + i]);
      std::swap(right[pivot], right[column]);
    }
    for (size_t row = column + 1; row < n; ++row) {
      double factor = matrix[row * n + column] / matrix[column * n + column];
      if (factor == 0) continue;
      for (size_t i = column; i < n; ++i) matrix[row * n + i] -= factor * matrix[column * n + i];
      right[row] -= factor * right[column];
    }
  }
  for (size_t row = n; row-- > 0;) {
    for (size_t i = row + 1; i < n; ++i) right[row] -= matrix[row * n + i] * right[i];
    right[row] /= matrix[row * n + row];
  }
  return true;
}

std::vector<double> minimiseOnSimplex(const std::vector<double> &hessian,
                                      const std::vector<double> &linear,
                                      const std::vector<double> &start) {
  size_t n = linear.size();
  // H and g are scaled by the largest entry of g. If H's own largest entry were the scale, one huge
  // diagonal entry would make the others vanish against the 1e-15 that is added below.
  double largest = 0;
  for (double g : linear) largest = std::max(largest, std::fabs(g));
  double scale = largest > 0 ? 1 / largest : 1;
  auto h = [&](size_t i, size_t j) {
    double value = hessian[i * n + j] * scale;
    return i == j ? value * (1 + 1e-13) + 1e-15 : value;
  };

  std::vector<double> x = start;
  std::vector<bool> isFree(n);
  for (size_t i = 0; i < n; ++i) isFree[i] = x[i] > 0;
  for (size_t change = 0; change < 3 * n + 20; ++change) {
    std::vector<size_t> free;
    for (size_t i = 0; i < n; ++i)
      if (isFree[i]) free.push_back(i);
    size_t size = free.size() + 1;
    std::vector<double> matrix(size * size, 0), right(size);
    for (size_t a = 0; a < free.size(); ++a) {
      for (size_t b = 0; b < free.size(); ++b) matrix[a * size + b] = h(free[a], free[b]);
      matrix[a * size + size - 1] = matrix[(size - 1) * size + a] = 1;
      right[a] = linear[free[a]] * scale;
    }
    right[size - 1] = 1;
    if (!solve(matrix, right, size)) return x; // singular: x is feasible, and the best so far

    // A step towards the minimum over the free weights, up to the first that would become negative.
    double step = 1;
    size_t blocking = n;
    for (size_t a = 0; a < free.size(); ++a) {
      double now = x[free[a]], then = right[a];
      if (then < 0 && now / (now - then) < step) {
        step = now / (now - then);
        blocking = free[a];
      }
    }
    for (size_t a = 0; a < free.size(); ++a) {
      double &weight = x[free[a]];
      weight = std::max(0.0, weight + step * (right[a] - weight));
    }
    if (blocking != n) {
      x[blocking] = 0;
      isFree[blocking] = false;
      continue;
    }
    // x is the minimum over the free weights. The weight at 0 whose increase helps most becomes
    // free.
    double multiplier = right[size - 1], best = 1e-13 * (1 + std::fabs(multiplier));
    size_t entering = n;
    for (size_t i = 0; i < n; ++i) {
      if (isFree[i]) continue;
      double gain = linear[i] * scale - multiplier;
      for (size_t j : free) gain -= h(i, j) * x[j];
      if (gain > best) {
        best = gain;
        entering = i;
      }
    }
    if (entering == n) break;
    isFree[entering] = true;
  }
  double sum = 0;
  for (double weight : x) sum += weight;
  for (double &weight : x) weight /= sum;
  return x;
}

} // namespace fathom::estimate
