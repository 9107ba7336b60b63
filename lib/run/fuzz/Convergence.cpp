// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/fuzz/Convergence.h"

#include "psp/Hellinger.h"
#include "run/Failure.h"

#include "llvm/Support/MemoryBuffer.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace fathom::run {

/// Cuts off a last line that has no end, as a full disk or a kill leaves it. Returns whether a line
/// is left.
static bool keepWholeLines(const std::string &file) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(file, none)) return std::filesystem::exists(file, none);
  auto data = llvm::MemoryBuffer::getFile(file, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!data) return false;
  const size_t size = (*data)->getBufferSize(), whole = (*data)->getBuffer().rfind('\n') + 1;
  data->reset();           // what is mapped is not to be cut
  std::error_code ignored; // it shows when the next line is written
  if (whole < size) std::filesystem::resize_file(file, whole, ignored);
  return whole > 0;
}

Convergence::Convergence(const std::vector<campaign::StatePoint> &points, double limit,
                         std::string file, bool resumes)
    : limit_(limit), file_(std::move(file)), isFirst_(resumes) {
  for (const campaign::StatePoint &p : points) {
    psp::Samples names;
    for (const std::string &name : p.variables) names.variable(name);
    Point point;
    if (!p.condition.empty()) {
      const auto parsed = psp::parseCondition(p.condition, names);
      if (const auto *condition = std::get_if<psp::Condition>(&parsed))
        point.variables = condition->variables();
    }
    points_.push_back(std::move(point));
    empty_.push_back(std::move(names));
  }
  const bool goesOn = resumes && keepWholeLines(file_);
  out_.open(file_, goesOn ? std::ios::app : std::ios::trunc);
  if (!goesOn) write("executions,points,distance\n");
}

llvm::Expected<Convergence> Convergence::create(const std::vector<campaign::StatePoint> &points,
                                                double limit, std::string file, bool resumes) {
  Convergence out(points, limit, std::move(file), resumes);
  if (!out.out_ || !out.problem_.empty())
    return usageError(fmt::format("--until-stable: {} cannot be written", out.file_));
  return out;
}

void Convergence::write(const std::string &line) {
  if (!problem_.empty()) return; // more lines after a missing one would look complete
  errno = 0;
  if (!(out_ << line << std::flush))
    problem_ = fmt::format("{}: {}: comparisons from here on are missing", file_,
                           errno ? strerror(errno) : "cannot be written");
}

bool Convergence::add(const campaign::StateSamples &samples, uint64_t executions) {
  std::vector<psp::Samples> now = empty_;
  for (const campaign::SampledState &s : samples.states) {
    if (points_[s.point].variables.empty()) continue;
    psp::State state;
    for (psp::VariableId v = 0; v < s.values.size(); ++v) state.set(v, s.values[v]);
    now[s.point].add(state, s.count);
  }
  double sum = 0;
  uint64_t reached = 0;
  for (size_t i = 0; i < points_.size(); ++i) {
    Point &point = points_[i];
    if (point.variables.empty()) continue;
    psp::Samples projected = now[i].project(point.variables);
    if (projected.isEmpty()) continue;
    ++reached;
    sum += psp::modelDistance(point.before, projected, psp::Forest::shipped());
    point.before = std::move(projected);
  }
  const double distance = reached ? sum / static_cast<double>(reached) : 1;
  if (isFirst_) {
    isFirst_ = false;
    return false;
  }
  write(fmt::format("{},{},{:.6f}\n", executions, reached, distance));
  stable_ = distance < limit_ ? stable_ + 1 : 0;
  return stable_ >= kStable;
}

} // namespace fathom::run
