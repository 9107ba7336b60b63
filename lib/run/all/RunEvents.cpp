// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/all/RunEvents.h"

#include "support/TextError.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

namespace fathom::run {

llvm::Expected<RunEvents> RunEvents::open(const std::string &path) {
  FILE *file = std::fopen(path.c_str(), "ae");
  if (!file) return textError(fmt::format("cannot write {}: {}", path, strerror(errno)));
  return RunEvents(file);
}

void RunEvents::write(const Moment &at, Part by, const char *event, const char *key, uint64_t value,
                      uint64_t all, const std::string &how) {
  std::string line;
  llvm::raw_string_ostream out(line);
  llvm::json::OStream json(out);
  json.object([&] {
    json.attributeBegin("seconds");
    json.rawValue(fmt::format("{:.2f}", at.seconds));
    json.attributeEnd();
    json.attributeBegin("processor_seconds");
    json.rawValue(fmt::format("{:.2f}", at.processorSeconds));
    json.attributeEnd();
    json.attribute("by", nameOf(by));
    json.attribute("event", event);
    if (key) json.attribute(key, static_cast<int64_t>(value));
    if (all) json.attribute("sides_covered", static_cast<int64_t>(all));
    if (!how.empty()) json.attribute("how", how);
  });
  // Whole lines: a reader beside the run, or after a kill, finds no half.
  failed_ |= std::fputs((line + "\n").c_str(), file_.get()) < 0 || std::fflush(file_.get()) != 0;
}

void RunEvents::sides(const Moment &at, Part by, uint64_t sides, uint64_t all) {
  write(at, by, "sides", "sides", sides, all, "");
}

void RunEvents::bug(const Moment &at, Part by, uint64_t number) {
  write(at, by, "bug", "number", number, 0, "");
}

void RunEvents::reports(const Moment &at, Part by, uint64_t reports) {
  write(at, by, by == Part::Scan ? "report" : "verdict", "reports", reports, 0, "");
}

void RunEvents::ended(const Moment &at, Part by, const std::string &how) {
  write(at, by, "ended", nullptr, 0, 0, how.empty() ? "as it should" : how);
}

} // namespace fathom::run
