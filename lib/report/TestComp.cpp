// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/TestComp.h"

#include "report/Version.h"

#include <fmt/format.h>

#include <cstring>

namespace fathom::report {

static std::string escape(const std::string &text) {
  std::string out;
  for (char c : text) {
    switch (c) {
    case '&': out += "&amp;"; break;
    case '<': out += "&lt;"; break;
    case '>': out += "&gt;"; break;
    case '"': out += "&quot;"; break;
    default:
      // Other control characters cannot be written in XML 1.0 at all.
      if (static_cast<unsigned char>(c) >= 0x20 || c == '\t' || c == '\n')
        out += c;
      else
        out += '?';
    }
  }
  return out;
}

std::string testCompMetadata(const TestCompMetadata &m) {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
      "<!DOCTYPE test-metadata PUBLIC \"+//IDN sosy-lab.org//DTD test-format test-metadata "
      "1.1//EN\" "
      "\"https://sosy-lab.org/test-format/test-metadata-1.1.dtd\">\n"
      "<test-metadata>\n"
      "  <sourcecodelang>C</sourcecodelang>\n"
      "  <producer>fathom {}</producer>\n"
      "  <specification>COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )</specification>\n"
      "  <programfile>{}</programfile>\n"
      "  <programhash>{}</programhash>\n"
      "  <entryfunction>{}</entryfunction>\n"
      "  <architecture>64bit</architecture>\n"
      "  <creationtime>{}</creationtime>\n"
      "</test-metadata>\n",
      kVersion, escape(m.programFile), escape(m.programSha256), escape(m.entry),
      escape(m.creationTime));
}

/// __VERIFIER_nondet_uint and the like, by the symbol's name; everything else is taken as signed.
static bool isUnsigned(const std::string &name) {
  size_t at = name.find("nondet_");
  if (at == std::string::npos) return false;
  std::string type = name.substr(at + 7);
  for (const char *prefix : {"u", "size_t", "bool", "_Bool", "pointer", "pchar"})
    if (type.rfind(prefix, 0) == 0) return true;
  return false;
}

std::string testCompCase(const explore::TestCase &test, bool coversError) {
  std::string out =
      "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
      "<!DOCTYPE testcase PUBLIC \"+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN\" "
      "\"https://sosy-lab.org/test-format/testcase-1.1.dtd\">\n";
  out += coversError ? "<testcase coversError=\"true\">\n" : "<testcase>\n";
  auto input = [&](const std::string &variable, const std::string &value) {
    out += fmt::format("  <input variable=\"{}\">{}</input>\n", escape(variable), value);
  };
  for (const explore::SymbolValue &symbol : test.symbols) {
    size_t size = symbol.data.size();
    bool isNumber = size == 1 || size == 2 || size == 4 || size == 8;
    if (isNumber) {
      uint64_t bits = 0;
      memcpy(&bits, symbol.data.data(), size);
      unsigned unused = static_cast<unsigned>(64 - 8 * size);
      int64_t value = static_cast<int64_t>(bits << unused) >> unused;
      input(symbol.name, isUnsigned(symbol.name) ? std::to_string(bits) : std::to_string(value));
      continue;
    }
    for (size_t i = 0; i < size; ++i)
      input(fmt::format("{}[{}]", symbol.name, i), std::to_string(symbol.data[i]));
  }
  return out + "</testcase>\n";
}

} // namespace fathom::report
