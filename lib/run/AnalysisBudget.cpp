// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/AnalysisBudget.h"

#include "explore/work/MemoryBudget.h"
#include "run/DefaultMemory.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::run {

namespace {
/// Memory can grow by gigabytes in a second.
constexpr std::chrono::milliseconds kLook(20);
} // namespace

AnalysisBudget::AnalysisBudget(Limits limits, Session &session)
    : limits_(std::move(limits)), session_(session),
      memory_(limits_.memoryBytes ? *limits_.memoryBytes : defaultMemory()) {
  session.interruption.begin();
  thread_ = std::thread([this] { watch(); });
}

AnalysisBudget::~AnalysisBudget() {
  {
    const std::lock_guard lock(mutex_);
    isOver_ = true;
  }
  ended_.notify_all();
  thread_.join();
  session_.observer.endProgress();
}

void AnalysisBudget::begin(const std::string &step) {
  const std::lock_guard lock(mutex_);
  if (!stop_) step_ = step;
}

void AnalysisBudget::watch() {
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, kLook, [this] { return isOver_; })) look();
}

void AnalysisBudget::look() {
  const std::chrono::duration<double> used = Clock::now() - begin_;
  const uint64_t resident = explore::residentBytes();
  const double ofTime = timeShare();
  const double ofMemory = memory_ ? double(resident) / double(memory_) : 0;
  // What was used up once stays so, also when memory is given back.
  if (share_ < 1) {
    share_ = std::max({double(share_), ofTime, ofMemory, session_.interruption.stop ? 2.0 : 0.0});
    limit_ = session_.interruption.stop ? session_.interruption.name()
             : ofMemory <= ofTime       ? fmt::format("--max-time {}", limits_.timeText)
             : !limits_.memoryBytes     ? "--max-memory (70 % of free memory)"
                                        : fmt::format("--max-memory {}", limits_.memoryText);
    stop_ = share_ >= 1;
  }
  if (!isFinished_)
    session_.observer.progress(
        fmt::format("{}, {:.0f} s, {} MB", step_, used.count(), resident >> 20));
}

double AnalysisBudget::timeShare() const {
  const std::chrono::duration<double> used = Clock::now() - begin_;
  return limits_.time.count() ? used / std::chrono::duration<double>(limits_.time) : 0;
}

std::string AnalysisBudget::limit() const {
  const std::lock_guard lock(mutex_);
  return limit_;
}

void AnalysisBudget::finish() {
  const std::lock_guard lock(mutex_);
  isFinished_ = true;
  session_.observer.endProgress();
}

std::string AnalysisBudget::report(const std::string &cutShort, const std::string &so) {
  finish();
  const std::lock_guard lock(mutex_);
  if (!stop_ && cutShort.empty()) return "";
  const std::string limit = stop_ ? limit_ : fmt::format("--max-time {}", limits_.timeText);
  const std::string what = cutShort.empty()
                               ? fmt::format("{} ended the analysis ({})", limit, step_)
                               : fmt::format("{} cut short {}", limit, cutShort);
  const std::string text = fmt::format("partial result: {}{}{}", what, so.empty() ? "" : ": ", so);
  isCut_ = true;
  session_.observer.warn(text);
  return text;
}

} // namespace fathom::run
