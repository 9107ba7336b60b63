// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScanBudget.h"

#include "DefaultMemory.h"

#include "explore/work/MemoryBudget.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::tool {

namespace {
/// Memory can grow by gigabytes in a second.
constexpr std::chrono::milliseconds kLook(20);
} // namespace

ScanBudget::ScanBudget(const CommonOptions &options, Context &context,
                       std::chrono::milliseconds time)
    : options_(options), context_(context), time_(time),
      memory_(options.maxMemory.empty() ? defaultMemory() : options.memoryBytes()),
      status_(context.log.level != Log::Quiet) {
  context.catchInterrupts();
  thread_ = std::thread([this] { watch(); });
}

ScanBudget::~ScanBudget() {
  {
    const std::lock_guard lock(mutex_);
    isOver_ = true;
  }
  ended_.notify_all();
  thread_.join();
}

void ScanBudget::begin(const std::string &step) {
  const std::lock_guard lock(mutex_);
  if (!stop_) step_ = step;
}

void ScanBudget::watch() {
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, kLook, [this] { return isOver_; })) look();
}

void ScanBudget::look() {
  const std::chrono::duration<double> used = Clock::now() - begin_;
  const uint64_t resident = explore::residentBytes();
  const double ofTime = timeShare();
  const double ofMemory = memory_ ? double(resident) / double(memory_) : 0;
  // What was used up once stays so, also when memory is given back.
  if (share_ < 1) {
    share_ = std::max({double(share_), ofTime, ofMemory, context_.stop ? 2.0 : 0.0});
    limit_ = context_.stop                ? context_.stopName()
             : ofMemory <= ofTime         ? fmt::format("--max-time {}", options_.maxTime)
             : options_.maxMemory.empty() ? "--max-memory (70 % of free memory)"
                                          : fmt::format("--max-memory {}", options_.maxMemory);
    stop_ = share_ >= 1;
  }
  if (!isFinished_)
    status_.show(fmt::format("{}, {:.0f} s, {} MB", step_, used.count(), resident >> 20));
}

double ScanBudget::timeShare() const {
  const std::chrono::duration<double> used = Clock::now() - begin_;
  return time_.count() ? used / std::chrono::duration<double>(time_) : 0;
}

std::string ScanBudget::limit() const {
  const std::lock_guard lock(mutex_);
  return limit_;
}

void ScanBudget::finish() {
  const std::lock_guard lock(mutex_);
  isFinished_ = true;
  status_.clear();
}

std::string ScanBudget::report(const std::string &cutShort, const std::string &so) {
  finish();
  const std::lock_guard lock(mutex_);
  if (!stop_ && cutShort.empty()) return "";
  const std::string limit = stop_ ? limit_ : fmt::format("--max-time {}", options_.maxTime);
  const std::string what = cutShort.empty()
                               ? fmt::format("{} ended the analysis ({})", limit, step_)
                               : fmt::format("{} cut short {}", limit, cutShort);
  const std::string text = fmt::format("partial result: {}{}{}", what, so.empty() ? "" : ": ", so);
  isCut_ = true;
  context_.log.warn(text);
  if (!options_.json && !options_.quiet) fmt::print("{}\n", text);
  return text;
}

} // namespace fathom::tool
