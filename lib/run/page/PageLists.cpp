// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/page/PageLists.h"

#include "evidence/LedgerCategory.h"
#include "report/Files.h"
#include "report/Tests.h"
#include "support/NumberText.h"

#include <fmt/format.h>

#include <set>

namespace fathom::run::page {

using llvm::json::Object;

static std::string textIn(const Object &from, llvm::StringRef name) {
  return from.getString(name).value_or("").str();
}

static uint64_t countIn(const Object &from, llvm::StringRef name) {
  return static_cast<uint64_t>(std::max<int64_t>(0, from.getInteger(name).value_or(0)));
}

static LedgerEntry ledgerEntry(const Object &from, const std::string &folder) {
  LedgerEntry out;
  out.category = textIn(from, "category");
  out.location = textIn(from, "location");
  out.detail = textIn(from, "detail");
  out.count = countIn(from, "count");
  out.folder = folder;
  if (const auto category = evidence::ledgerCategoryFromName(out.category)) {
    out.sentence = evidence::rowOf(*category).sentence;
    std::erase(out.sentence, '`');
    out.isAssumption = evidence::rowOf(*category).isAssumption;
  }
  return out;
}

void collectLedger(PageData &data) {
  for (const Part &part : data.parts) {
    if (part.by != By::Explore) continue;
    llvm::Expected<Object> ledger = report::readJsonObject(part.folder + "/ledger.json");
    if (!ledger) {
      data.missing.push_back(llvm::toString(ledger.takeError()));
      continue;
    }
    data.ledger.complete.emplace_back(part.folder, ledger->getBoolean("complete").value_or(false));
    if (const llvm::json::Array *entries = ledger->getArray("entries"))
      for (const llvm::json::Value &value : *entries)
        if (const Object *entry = value.getAsObject())
          data.ledger.entries.push_back(ledgerEntry(*entry, part.folder));
  }
}

static Event eventOf(const Object &from) {
  Event out;
  out.seconds = from.getNumber("seconds").value_or(0);
  out.processorSeconds = from.getNumber("processor_seconds").value_or(0);
  out.by = textIn(from, "by");
  out.what = textIn(from, "event");
  if (from.getInteger("sides_covered")) out.sides = countIn(from, "sides_covered");
  for (const char *name : {"sides", "number", "reports"})
    if (from.getInteger(name)) out.count = countIn(from, name);
  // What else is said, in the order of names.
  for (const auto &[name, value] : from) {
    const llvm::StringRef key = name;
    static const std::set<llvm::StringRef> known{
        "seconds", "processor_seconds", "by",           "event", "sides",
        "number",  "reports",           "sides_covered"};
    if (known.contains(key)) continue;
    std::string text = fmt::format("{}: ", key.str());
    if (const auto string = value.getAsString())
      text += string->str();
    else
      llvm::raw_string_ostream(text) << value;
    out.text += (out.text.empty() ? "" : ", ") + text;
  }
  return out;
}

void collectEvents(const std::string &file, PageData &data) {
  llvm::Expected<std::string> text = report::readFile(file);
  if (!text) {
    data.missing.push_back(llvm::toString(text.takeError()));
    return;
  }
  uint64_t wrong = 0;
  llvm::StringRef rest = *text;
  while (!rest.empty()) {
    llvm::StringRef line;
    std::tie(line, rest) = rest.split('\n');
    if (line.trim().empty()) continue;
    llvm::Expected<llvm::json::Value> value = llvm::json::parse(line);
    if (!value) {
      llvm::consumeError(value.takeError());
      ++wrong;
    } else if (const Object *event = value->getAsObject()) {
      data.events.push_back(eventOf(*event));
    } else {
      ++wrong;
    }
  }
  if (wrong)
    data.missing.push_back(fmt::format("{}: {} that cannot be read", file, counted(wrong, "line")));
}

static Test testOf(const report::Tests::Item &item, const report::StoredTest &stored) {
  Test test;
  test.number = item.number;
  test.hasFolder = !item.inStore();
  test.end = report::endName(stored.end);
  if (stored.end == explore::EndKind::Exit || stored.end == explore::EndKind::Signal)
    test.end += fmt::format(" {}", stored.status);
  if (!stored.bug.empty()) test.end += " " + stored.bug;
  test.why = stored.why;
  test.branches = stored.trace.count;
  test.decisions = stored.decisions;
  test.instructions = stored.instructions;
  return test;
}

void collectTests(PageData &data) {
  for (const Part &part : data.parts) {
    if (part.by != By::Explore) continue;
    llvm::Expected<report::Tests> tests =
        report::Tests::open(part.folder, report::Tests::Which::Tests);
    if (!tests) {
      data.missing.push_back(llvm::toString(tests.takeError()));
      continue;
    }
    Tests out{part.folder, {}};
    report::TestReader reader(*tests);
    std::string last;
    for (const report::Tests::Item &item : tests->items()) {
      llvm::Expected<report::StoredTest> test = reader.read(item);
      if (test) {
        out.list.push_back(testOf(item, *test));
        continue;
      }
      // A damaged block is one message, however many tests it held.
      std::string text = llvm::toString(test.takeError());
      if (text != last) data.missing.push_back(text);
      last = std::move(text);
    }
    if (!out.list.empty()) data.tests.push_back(std::move(out));
  }
}

} // namespace fathom::run::page
