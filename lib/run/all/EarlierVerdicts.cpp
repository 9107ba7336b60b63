// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/all/EarlierVerdicts.h"

#include "confirm/ReportFile.h"
#include "confirm/SarifFile.h"
#include "report/JsonText.h"

#include "llvm/Support/FileSystem.h"

namespace fathom::run {

/// None of a file that cannot be read.
static confirm::VerdictCounts verdictsOf(const std::string &sarif) {
  confirm::VerdictCounts out;
  auto opened = confirm::openReports(sarif, {});
  if (!opened) {
    llvm::consumeError(opened.takeError());
    return out;
  }
  const confirm::SarifFile *file = (*opened)->sarif();
  for (size_t i = 0; file && i < file->size(); ++i) {
    const llvm::json::Value value = report::parseJson(file->result(i));
    const llvm::json::Object *result = value.getAsObject();
    const auto verdict = result ? confirm::verdictIn(*result) : std::nullopt;
    if (!verdict || verdict == confirm::Verdict::Open) continue;
    // Others that are suppressed are dismissed.
    if (verdict == confirm::Verdict::Refuted || !result->get("suppressions")) out[*verdict]++;
  }
  return out;
}

EarlierVerdicts::EarlierVerdicts(std::string folder)
    : folder_(std::move(folder)), aside_(folder_ + "/.confirm") {
  const std::string now = folder_ + "/confirm";
  const bool wasKilled = llvm::sys::fs::exists(aside_);
  if (wasKilled) llvm::sys::fs::remove_directories(now);
  isThere_ = wasKilled || !llvm::sys::fs::rename(now, aside_);
  if (isThere_) verdicts_ = verdictsOf(folder_ + "/confirmed.sarif");
}

EarlierVerdicts::~EarlierVerdicts() {
  if (!isThere_) return;
  const std::string now = folder_ + "/confirm";
  llvm::sys::fs::remove_directories(now);
  (void)llvm::sys::fs::rename(aside_, now); // otherwise the next session finds it
}

bool EarlierVerdicts::hasMoreThan(uint64_t settled) const {
  uint64_t earlier = 0;
  for (const auto &[verdict, count] : verdicts_) earlier += count;
  return isThere_ && earlier > settled;
}

void EarlierVerdicts::replace() {
  llvm::sys::fs::remove_directories(aside_);
  isThere_ = false;
}

} // namespace fathom::run
