// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/TestText.h"

#include "native/Process.h"
#include "report/ReplayScript.h"
#include "support/NumberText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

namespace fathom::report {

using explore::EndKind;
using llvm::StringRef;

std::string readableQuote(StringRef bytes) {
  auto isPlain = [](char c) { return llvm::isAlnum(c) || StringRef("-_./=:,+@%^").contains(c); };
  auto isText = [](char c) { return c >= ' ' && c < 0x7f; };
  if (!bytes.empty() && llvm::all_of(bytes, isPlain)) return bytes.str();
  if (llvm::all_of(bytes, isText)) return shellQuote(bytes.str());
  std::string out = "$'";
  for (char c : bytes) {
    switch (c) {
    case '\n': out += "\\n"; break;
    case '\t': out += "\\t"; break;
    case '\r': out += "\\r"; break;
    case '\'': out += "\\'"; break;
    case '\\': out += "\\\\"; break;
    default:
      if (isText(c))
        out += c;
      else
        out += fmt::format("\\x{:02x}", static_cast<uint8_t>(c));
    }
  }
  return out + "'";
}

static const char *placeName(const Tests::Item &item) {
  return item.inStore() ? "store" : "folder";
}

/// "0", "SIGABRT", "bugs/000001", "-"
static std::string statusText(const StoredTest &test) {
  switch (test.end) {
  case EndKind::Exit: return test.status == explore::kNoStatus ? "-" : std::to_string(test.status);
  case EndKind::Signal: return native::signalName(test.status);
  case EndKind::Bug: return test.bug.empty() ? "-" : test.bug;
  case EndKind::Partial: return "-";
  }
  return "";
}

std::string testColumns() { return "number  ends     status       branches  kept    why\n"; }

std::string testRow(const Tests::Item &item, const StoredTest &test) {
  return fmt::format("{:<6}  {:<7}  {:<11}  {:>8}  {:<6}  {}\n",
                     item.number ? testName(item.number) : item.dir, endName(test.end),
                     statusText(test), test.trace.count, placeName(item), utf8(test.why));
}

/// "12 bytes: 'text'"
static std::string dataText(StringRef data) {
  constexpr size_t kMaxShownBytes = 4096;
  std::string out = counted(data.size(), "byte");
  if (data.empty()) return out;
  out += ": " + readableQuote(data.take_front(kMaxShownBytes));
  if (data.size() > kMaxShownBytes)
    out += fmt::format(" and {} more (--extract has them)", data.size() - kMaxShownBytes);
  return out;
}

static std::string endText(const StoredTest &test) {
  switch (test.end) {
  case EndKind::Exit:
    return test.status == explore::kNoStatus ? "exits, with no status of its own"
                                             : fmt::format("exits with {}", test.status);
  case EndKind::Signal: return "ends by " + statusText(test);
  case EndKind::Bug: return "ends in the bug " + statusText(test);
  case EndKind::Partial: return "unfinished";
  }
  return "";
}

std::string testText(const Tests::Item &item, const StoredTest &test) {
  std::string out = fmt::format("{} ({}): {} after {} branches of its own code, {}, {}; {}\n",
                                item.dir, item.inStore() ? "in tests.store" : "a folder",
                                endText(test), grouped(static_cast<double>(test.trace.count)),
                                counted(test.instructions, "instruction"),
                                counted(test.decisions, "fork"), utf8(test.why));
  auto line = [&](const std::string &name, const std::string &value) {
    out += fmt::format("  {:<10}  {}\n", utf8(name), value);
  };
  std::string command;
  for (const std::string &argument : test.inputs.arguments)
    command += (command.empty() ? "" : " ") + readableQuote(argument);
  line("command", command);
  for (const std::string &variable : test.inputs.environment)
    line("variable", readableQuote(variable));
  line("stdin", dataText(test.inputs.standardInput));
  for (auto &[name, data] : test.inputs.files) line("file " + name, dataText(data));
  std::string failing;
  for (uint32_t number : test.inputs.failedAllocations)
    failing += (failing.empty() ? "number " : ", ") + std::to_string(number);
  if (!failing.empty()) line("not given", "allocation " + failing);
  line("stdout", dataText(test.standardOutput));
  line("stderr", dataText(test.standardError));
  for (const explore::SymbolValue &symbol : test.symbols)
    line("symbol",
         fmt::format("{}: {}", utf8(symbol.name), dataText(llvm::toStringRef(symbol.data))));
  if (test.usesExternal) line("note", "makes external calls");
  if (test.usesUninit) line("note", "depends on memory that was never written");
  return out;
}

void writeTestJson(llvm::json::OStream &json, const Tests::Item &item, const StoredTest &test,
                   bool whole) {
  auto strings = [&](const char *name, const std::vector<std::string> &values) {
    json.attributeArray(name, [&] {
      for (const std::string &value : values) json.value(utf8(value));
    });
    json.attributeArray(std::string(name) + "_hex", [&] {
      for (const std::string &value : values) json.value(hex(value));
    });
  };
  auto data = [&](const char *name, StringRef bytes) {
    json.attribute(name, utf8(bytes));
    json.attribute(std::string(name) + "_hex", hex(bytes));
  };
  json.object([&] {
    json.attribute("number", static_cast<int64_t>(item.number));
    json.attribute("dir", item.dir);
    json.attribute("kept", placeName(item));
    json.attribute("end", endName(test.end));
    json.attribute("status", test.status);
    if (!test.bug.empty()) json.attribute("bug", test.bug);
    json.attribute("branches", static_cast<int64_t>(test.trace.count));
    json.attribute("hash", hex64(test.trace.hash));
    json.attribute("path", hex64(test.pathHash));
    json.attribute("decisions", test.decisions);
    json.attribute("instructions", static_cast<int64_t>(test.instructions));
    json.attribute("why", utf8(test.why));
    if (!whole) return;
    strings("args", test.inputs.arguments);
    strings("env", test.inputs.environment);
    data("stdin", test.inputs.standardInput);
    json.attributeArray("files", [&] {
      for (auto &[name, contents] : test.inputs.files)
        json.object([&, &name = name, &contents = contents] {
          json.attribute("name", utf8(name));
          data("data", contents);
        });
    });
    json.attributeArray("failed_allocations", [&] {
      for (uint32_t number : test.inputs.failedAllocations) json.value(number);
    });
    data("stdout", test.standardOutput);
    data("stderr", test.standardError);
    json.attributeArray("symbols", [&] {
      for (const explore::SymbolValue &symbol : test.symbols)
        json.object([&] {
          json.attribute("name", utf8(symbol.name));
          json.attribute("hex", hex(llvm::toStringRef(symbol.data)));
        });
    });
  });
}

} // namespace fathom::report
