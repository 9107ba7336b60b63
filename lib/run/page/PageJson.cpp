// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The data of a page as JSON. Long lists are columns: each name stands once, and a page of a
// hundred thousand tests is read in a few hundredths of a second.
#include "report/Files.h"
#include "report/Version.h"
#include "run/page/Page.h"
#include "support/ReadableName.h"

#include <cmath>
#include <map>

namespace fathom::run::page {

namespace {

using llvm::json::OStream;
using report::utf8;

class PageWriter {
public:
  PageWriter(OStream &json, const PageData &data) : json_(json), data_(data) {}

  void write() {
    json_.object([&] {
      json_.attribute("schema", 1);
      json_.attribute("tool", std::string("fathom ") + report::kVersion);
      json_.attribute("made", report::utcNow());
      text("title", data_.title);
      strings("sentences", data_.sentences);
      strings("missing", data_.missing);
      list("parts", data_.parts, [&](const Part &part) { write(part); });
      list("bugs", data_.bugs, [&](const Bug &bug) { write(bug); });
      list("reports", data_.reports, [&](const Report &report) { write(report); });
      list("files", data_.files, [&](const File &file) { write(file); });
      writeSides();
      list("blockers", data_.blockers, [&](const Blocker &blocker) { write(blocker); });
      json_.attribute("allBlockers", integer(data_.allBlockers));
      text("noBlockers", data_.noBlockers);
      json_.attributeObject("curve", [&] { writeCurve(); });
      list("events", data_.events, [&](const Event &event) { write(event); });
      json_.attributeObject("ledger", [&] { writeLedger(); });
      list("tests", data_.tests, [&](const Tests &tests) { write(tests); });
    });
  }

private:
  static int64_t integer(uint64_t value) { return static_cast<int64_t>(value); }

  /// Left out when it is empty.
  void text(llvm::StringRef name, const std::string &value) {
    if (!value.empty()) json_.attribute(name, utf8(value));
  }
  void number(llvm::StringRef name, std::optional<double> value) {
    if (value && std::isfinite(*value)) json_.attribute(name, *value);
  }
  void strings(llvm::StringRef name, const std::vector<std::string> &values) {
    json_.attributeArray(name, [&] {
      for (const std::string &value : values) json_.value(utf8(value));
    });
  }
  template <class T, class F>
  void list(llvm::StringRef name, const std::vector<T> &values, F writeOne) {
    json_.attributeArray(name, [&] {
      for (const T &value : values) json_.object([&] { writeOne(value); });
    });
  }
  template <class T, class F>
  void column(llvm::StringRef name, const std::vector<T> &values, F of) {
    json_.attributeArray(name, [&] {
      for (const T &value : values) json_.value(of(value));
    });
  }
  /// The same for names that repeat: numbers, and the names that they stand for as NAMEs.
  template <class T, class F>
  void named(const std::string &name, const std::vector<T> &values, F of) {
    std::map<std::string, int64_t> numbers;
    std::vector<std::string> names;
    json_.attributeArray(name, [&] {
      for (const T &value : values) {
        const auto [known, isNew] = numbers.try_emplace(of(value), names.size());
        if (isNew) names.push_back(known->first);
        json_.value(known->second);
      }
    });
    strings(name + "s", names);
  }

  void write(const Place &at) {
    text("function", readableName(at.function));
    text("file", at.file);
    if (at.line) json_.attribute("line", at.line);
    if (at.column) json_.attribute("column", at.column);
  }

  void write(const Part &part) {
    json_.attribute("by", nameOf(part.by));
    text("folder", part.folder);
    text("program", part.program);
    text("command", part.command);
    text("started", part.started);
    text("ended", part.ended);
    text("howEnded", part.howEnded);
    number("seconds", part.seconds);
    json_.attributeObject("totals", [&] {
      for (const auto &[name, value] : part.totals) number(name, value);
    });
  }

  void flows(const std::vector<Flow> &values) {
    list("flows", values, [&](const Flow &flow) {
      text("title", flow.title);
      list("steps", flow.steps, [&](const Step &step) {
        write(step.at);
        text("text", step.text);
        text("role", step.role);
        if (step.isMinor) json_.attribute("minor", true);
      });
    });
  }

  void write(const Bug &bug) {
    text("kind", bug.kind);
    json_.attribute("cwe", bug.cwe);
    text("about", bug.about);
    text("message", bug.message);
    write(bug.at);
    flows(bug.flows);
    list("alsoAt", bug.alsoAt, [&](const Place &at) { write(at); });
    list("input", bug.input, [&](const InputPart &part) {
      text("name", part.name);
      json_.attribute("hex", report::hex(part.bytes));
      json_.attribute("size", integer(part.size));
    });
    json_.attribute("by", nameOf(bug.by));
    text("folder", bug.folder);
    text("replay", bug.replay);
    if (bug.follows) json_.attribute("follows", integer(*bug.follows));
    text("why", bug.why);
  }

  void write(const Report &report) {
    text("rule", report.rule);
    text("message", report.message);
    text("tool", report.tool);
    text("verdict", report.verdict);
    text("reason", report.reason);
    text("openBecause", report.openBecause);
    text("settledBy", report.settledBy);
    text("reproducer", report.reproducer);
    text("assumed", report.assumed);
    text("from", report.from);
    text("certainty", report.certainty);
    if (report.cwe) json_.attribute("cwe", report.cwe);
    write(report.at);
    flows(report.flows);
    if (report.bug) json_.attribute("bug", integer(*report.bug));
  }

  void write(const File &file) {
    text("name", file.name);
    if (file.text) json_.attribute("text", *file.text);
    text("missing", file.missing);
    // Lines and what is known of them, in turns: bits of By; -1: no input reaches it.
    json_.attributeArray("lines", [&] {
      for (const auto &[at, line] : file.lines) {
        json_.value(at);
        json_.value(line.isUnreachable ? -1 : static_cast<int>(line.coveredBy));
      }
    });
    json_.attributeArray("functions", [&] {
      for (const Function &function : file.functions)
        json_.array([&] {
          json_.value(utf8(function.name));
          json_.value(function.first);
          json_.value(function.last);
        });
    });
  }

  void writeSides() {
    json_.attributeObject("sides", [&] {
      const std::vector<Side> &sides = data_.sides;
      column("file", sides, [](const Side &side) { return integer(side.file); });
      column("line", sides, [](const Side &side) { return integer(side.line); });
      column("branch", sides, [](const Side &side) { return integer(side.branch); });
      column("side", sides, [](const Side &side) { return integer(side.side); });
      column("by", sides, [](const Side &side) { return integer(side.coveredBy); });
      column("units", sides, [](const Side &side) { return integer(side.units); });
      named("reason", sides, [](const Side &side) { return side.unreachable; });
    });
  }

  void write(const Blocker &blocker) {
    json_.attribute("fileAt", integer(blocker.file));
    write(blocker.at);
    json_.attributeArray("condition", [&] {
      for (const std::string &part : blocker.condition) json_.value(utf8(part));
    });
    text("wanted", blocker.wanted);
    json_.attribute("behind", integer(blocker.behind));
    json_.attribute("lines", integer(blocker.lines));
    json_.attribute("reached", integer(blocker.reached));
    json_.attribute("units", integer(blocker.units));
    if (blocker.runs) json_.attribute("runs", integer(*blocker.runs));
    strings("tried", blocker.tried);
  }

  void writeCurve() {
    const Curve &curve = data_.curve;
    list("series", curve.series, [&](const Series &series) {
      json_.attribute("by", nameOf(series.by));
      text("folder", series.folder);
      column("x", series.points, [](const CurvePoint &at) { return at.x; });
      column("y", series.points, [](const CurvePoint &at) { return at.y; });
    });
    if (curve.estimate)
      json_.attributeObject("estimate", [&] {
        const Estimate &estimate = *curve.estimate;
        text("folder", estimate.folder);
        text("estimator", estimate.estimator);
        text("trust", estimate.trust);
        number("value", estimate.value);
        number("low", estimate.low);
        number("high", estimate.high);
        number("observed", estimate.observed);
        column("x", estimate.band, [](const BandPoint &at) { return at.x; });
        column("bandLow", estimate.band, [](const BandPoint &at) { return at.low; });
        column("band", estimate.band, [](const BandPoint &at) { return at.value; });
        column("bandHigh", estimate.band, [](const BandPoint &at) { return at.high; });
      });
    text("noEstimate", curve.noEstimate);
    json_.attribute("covered", integer(curve.covered));
    json_.attribute("unreachable", integer(curve.unreachable));
    json_.attribute("total", integer(curve.total));
    json_.attribute("linesCovered", integer(curve.linesCovered));
    json_.attribute("lines", integer(curve.lines));
    json_.attribute("isUnion", curve.isUnion);
  }

  void write(const Event &event) {
    number("seconds", event.seconds);
    number("processor", event.processorSeconds);
    text("by", event.by);
    text("what", event.what);
    text("text", event.text);
    if (event.count) json_.attribute("count", integer(*event.count));
    if (event.sides) json_.attribute("sides", integer(*event.sides));
  }

  void writeLedger() {
    list("entries", data_.ledger.entries, [&](const LedgerEntry &entry) {
      text("category", entry.category);
      text("sentence", entry.sentence);
      text("location", entry.location);
      text("detail", entry.detail);
      text("folder", entry.folder);
      json_.attribute("count", integer(entry.count));
      if (entry.isAssumption) json_.attribute("assumption", true);
    });
    list("complete", data_.ledger.complete, [&](const auto &part) {
      text("folder", part.first);
      json_.attribute("complete", part.second);
    });
  }

  void write(const Tests &tests) {
    text("folder", tests.folder);
    column("number", tests.list, [](const Test &test) { return integer(test.number); });
    column("kept", tests.list, [](const Test &test) { return test.hasFolder ? 1 : 0; });
    column("branches", tests.list, [](const Test &test) { return integer(test.branches); });
    column("decisions", tests.list, [](const Test &test) { return integer(test.decisions); });
    column("instructions", tests.list, [](const Test &test) { return integer(test.instructions); });
    named("end", tests.list, [](const Test &test) { return test.end; });
    named("why", tests.list, [](const Test &test) { return test.why; });
  }

  OStream &json_;
  const PageData &data_;
};

} // namespace

std::string pageJson(const PageData &data) {
  std::string text;
  {
    llvm::raw_string_ostream out(text);
    OStream json(out);
    PageWriter(json, data).write();
  }
  // In JSON, "<" stands in strings alone; without it nothing ends the script element.
  std::string escaped;
  escaped.reserve(text.size() + text.size() / 16);
  for (const char c : text)
    if (c == '<')
      escaped += "\\u003c";
    else
      escaped += c;
  return escaped;
}

} // namespace fathom::run::page
