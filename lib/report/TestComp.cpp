// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/TestComp.h"

#include "report/Version.h"

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

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

/// How the value that a __VERIFIER_nondet_ function returned is written.
enum class Writing { Signed, Unsigned, Float, Bytes };

/// By the name of the object: the function's, with a number where there were several calls.
/// Everything else is taken as signed.
static Writing writingOf(llvm::StringRef name, size_t size) {
  bool isNumber = size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
  if (!name.consume_front("__VERIFIER_nondet_"))
    return isNumber && size != 16 ? Writing::Signed : Writing::Bytes;
  llvm::StringRef type = name.rtrim("0123456789");
  if (type.size() == name.size() || !type.consume_back("_")) type = name;
  if (type == "memory" || !isNumber) return Writing::Bytes;
  if (type == "float" || type == "double") return Writing::Float;
  bool isUnsigned = type.starts_with("u") || type.starts_with("U") || type == "size_t" ||
                    type == "sector_t" || type == "pthread_t" || type == "bool";
  return isUnsigned ? Writing::Unsigned : Writing::Signed;
}

static std::string numberText(llvm::ArrayRef<uint8_t> data, Writing writing) {
  llvm::SmallVector<uint64_t, 2> words((data.size() + 7) / 8);
  memcpy(words.data(), data.data(), data.size());
  llvm::APInt bits(static_cast<unsigned>(8 * data.size()), words);
  if (writing == Writing::Float) // as many digits as it takes to read the same number back
    return data.size() == 4 ? fmt::format("{:.9g}", bits.bitsToFloat())
                            : fmt::format("{:.17g}", bits.bitsToDouble());
  return llvm::toString(bits, 10, writing == Writing::Signed);
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
    Writing writing = writingOf(symbol.name, size);
    if (writing != Writing::Bytes) {
      input(symbol.name, numberText(symbol.data, writing));
      continue;
    }
    for (size_t i = 0; i < size; ++i)
      input(fmt::format("{}[{}]", symbol.name, i), std::to_string(symbol.data[i]));
  }
  return out + "</testcase>\n";
}

} // namespace fathom::report
