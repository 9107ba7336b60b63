// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/KeptVerdicts.h"

#include "confirm/FindingJson.h"
#include "evidence/BugKind.h"
#include "support/Folder.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

#include <fmt/format.h>

#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

namespace fathom::confirm {

namespace fs = std::filesystem;
using llvm::StringRef;
using llvm::json::Object;
using llvm::json::Value;

std::string questionKey(const Defect &defect) {
  std::string text;
  for (const evidence::BugKind kind : defect.kinds)
    text += fmt::format("{},", evidence::name(kind));
  const auto add = [&](const Place &place) {
    text += fmt::format("\n{}:{}:{}", place.file, place.line, place.column);
  };
  add(defect.sink);
  for (const Place &step : defect.steps) add(step);
  llvm::BLAKE3 hash;
  hash.update(text);
  return llvm::toHex(hash.final<16>(), /*LowerCase=*/true);
}

KeptVerdicts::KeptVerdicts(std::string file, QuestionLimits limits)
    : file_(std::move(file)), limits_(limits) {
  if (file_.empty()) return;
  const auto buffer = llvm::MemoryBuffer::getFile(file_);
  if (!buffer) return;
  for (StringRef rest = (*buffer)->getBuffer(), line; !rest.empty();) {
    std::tie(line, rest) = rest.split('\n');
    if (!line.empty()) unreadable_ += !take(line);
  }
  std::error_code ignored;
  fs::last_write_time(file_, fs::file_time_type::clock::now(), ignored); // used: see pruneVerdicts
}

bool KeptVerdicts::take(StringRef line) {
  llvm::Expected<Value> parsed = llvm::json::parse(line);
  if (!parsed) {
    llvm::consumeError(parsed.takeError()); // it is counted
    return false;
  }
  const Object *object = parsed->getAsObject();
  const Value *value = object ? object->get("finding") : nullptr;
  const auto question = object ? object->getString("question") : std::nullopt;
  if (!value || !question) return false;
  std::optional<Finding> finding = findingFrom(*value);
  if (!finding) return false;
  QuestionLimits limits;
  limits.time = std::chrono::milliseconds(object->getInteger("timeMs").value_or(0));
  limits.memoryBytes = static_cast<uint64_t>(object->getInteger("memoryBytes").value_or(0));
  limits.isAnalysisCut = object->getBoolean("isAnalysisCut").value_or(false);
  known_[question->str()] = {std::move(*finding), limits};
  return true;
}

std::optional<Finding> KeptVerdicts::find(const std::string &question) const {
  const auto known = known_.find(question);
  if (known == known_.end()) return std::nullopt;
  const Kept &kept = known->second;
  if (!isStillValid(kept) || hasMoreTime(kept)) return std::nullopt;
  return kept.finding;
}

std::optional<KeptVerdicts::Earlier> KeptVerdicts::tried(const std::string &question) const {
  const auto known = known_.find(question);
  if (known == known_.end()) return std::nullopt;
  const Kept &kept = known->second;
  if (!isStillValid(kept) || !hasMoreTime(kept)) return std::nullopt;
  return Earlier{kept.finding, kept.limits.time};
}

bool KeptVerdicts::isStillValid(const Kept &kept) const {
  if (limits_.wantsInputs && kept.finding.reproduction) return false;
  // The earlier run's static analyses were cut short, and this run's are whole: they may settle the
  // question, or confirm it from an outer caller. A verdict with an input needs neither.
  if (kept.limits.isAnalysisCut && !limits_.isAnalysisCut && !kept.finding.reproduction)
    return false;
  const bool hasMore = kept.limits.memoryBytes &&
                       (!limits_.memoryBytes || kept.limits.memoryBytes < limits_.memoryBytes);
  return kept.finding.verdict != Verdict::Open || kept.finding.cut != Cut::Memory || !hasMore;
}

bool KeptVerdicts::hasMoreTime(const Kept &kept) const {
  const bool isOfTime = kept.finding.wantsTime ||
                        (kept.finding.verdict == Verdict::Open && kept.finding.cut == Cut::Time);
  return isOfTime && kept.limits.time < limits_.time;
}

void KeptVerdicts::keep(const std::string &question, const Finding &finding,
                        std::chrono::milliseconds time, bool missesSources) {
  if (file_.empty()) return;
  if (finding.verdict == Verdict::Open) {
    if (finding.cut == Cut::Crash || finding.cut == Cut::Interrupted) return;
    if (finding.cut == Cut::Budget && !finding.wantsTime) return; // it had no try
  }
  if (finding.reproduction && !finding.reproduction->folder.empty()) return;
  QuestionLimits limits = limits_;
  limits.time = time;
  limits.isAnalysisCut |= missesSources;
  known_[question] = {finding, limits};
  std::error_code ignored;
  fs::create_directories(fs::path(file_).parent_path(), ignored);
  Object line{{"question", question},
              {"timeMs", static_cast<int64_t>(limits.time.count())},
              {"memoryBytes", static_cast<int64_t>(limits.memoryBytes)},
              {"finding", toJson(finding)}};
  if (limits.isAnalysisCut) line["isAnalysisCut"] = true;
  // Begins with a line end: the last line of a killed run may have none.
  const std::string text = llvm::formatv("\n{0}\n", Value(std::move(line))).str();
  const int fd = open(file_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0) return;
  const ssize_t written = write(fd, text.data(), text.size()); // one call: runs do not mix lines
  (void)written;                                               // half a line is left out
  close(fd);
}

void pruneVerdicts(const std::string &folder, size_t most) {
  std::error_code ignored;
  std::vector<std::pair<fs::file_time_type, fs::path>> all;
  for (const fs::directory_entry &entry : entriesOf(folder, ignored))
    all.emplace_back(entry.last_write_time(ignored), entry.path());
  if (all.size() <= most) return;
  std::sort(all.begin(), all.end());
  for (size_t i = 0; i + most < all.size(); ++i) fs::remove(all[i].second, ignored);
}

} // namespace fathom::confirm
