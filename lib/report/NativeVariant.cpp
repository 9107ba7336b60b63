// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/NativeVariant.h"

#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

#include <map>

namespace fathom::report {

using program::TraceLayout;

// ---- the layout as text
// ---------------------------------------------------------------------------------------------

static constexpr const char *kLayoutHead = "fathom-trace-layout";

std::string layoutText(const TraceLayout &layout) {
  std::map<std::string, size_t> files;
  for (auto &b : layout.branches) files.emplace(b.file, 0);
  for (auto &l : layout.lines) files.emplace(l.file, 0);
  std::string out =
      fmt::format("{} {} {} {} {} {}\n", kLayoutHead, program::kInstrumentVersion, files.size(),
                  layout.branches.size(), layout.lines.size(), layout.makesSymbolic ? 1 : 0);
  size_t next = 0;
  for (auto &[name, index] : files) {
    index = next++;
    out += name + "\n";
  }
  for (auto &b : layout.branches)
    out += fmt::format("{} {} {} {} {}\n", files[b.file], b.line, b.column, b.sides, b.function);
  for (auto &l : layout.lines) out += fmt::format("{} {}\n", files[l.file], l.line);
  return out;
}

namespace {
/// Words and lines off the front of a text.
struct LineReader {
  llvm::StringRef rest;
  bool ok = true;

  llvm::StringRef line() {
    auto [first, others] = rest.split('\n');
    if (rest.empty()) ok = false;
    rest = others;
    return first;
  }
};

bool takeNumber(llvm::StringRef &line, uint32_t &out) {
  auto [word, others] = line.split(' ');
  line = others;
  return !word.getAsInteger(10, out);
}
} // namespace

bool parseLayout(const std::string &text, TraceLayout &layout) {
  LineReader reader{text};
  llvm::StringRef head = reader.line();
  uint32_t version = 0, fileCount = 0, branchCount = 0, lineCount = 0, makesSymbolic = 0;
  if (!head.consume_front(kLayoutHead) || !head.consume_front(" ") || !takeNumber(head, version) ||
      version != static_cast<uint32_t>(program::kInstrumentVersion) ||
      !takeNumber(head, fileCount) || !takeNumber(head, branchCount) ||
      !takeNumber(head, lineCount) || !takeNumber(head, makesSymbolic))
    return false;
  layout = {};
  layout.makesSymbolic = makesSymbolic;
  std::vector<std::string> files;
  for (uint32_t i = 0; i < fileCount && reader.ok; ++i) files.push_back(reader.line().str());
  for (uint32_t i = 0; i < branchCount && reader.ok; ++i) {
    llvm::StringRef line = reader.line();
    TraceLayout::Branch b;
    uint32_t file = 0;
    if (!takeNumber(line, file) || !takeNumber(line, b.line) || !takeNumber(line, b.column) ||
        !takeNumber(line, b.sides) || file >= files.size())
      return false;
    b.file = files[file];
    b.function = line.str();
    b.sideBase = layout.sides;
    layout.sides += b.sides;
    layout.branches.push_back(std::move(b));
  }
  for (uint32_t i = 0; i < lineCount && reader.ok; ++i) {
    llvm::StringRef line = reader.line();
    TraceLayout::Line l;
    uint32_t file = 0;
    if (!takeNumber(line, file) || !takeNumber(line, l.line) || file >= files.size()) return false;
    l.file = files[file];
    layout.lines.push_back(std::move(l));
  }
  return reader.ok;
}

// ---- building
// ---------------------------------------------------------------------------------------------------------

llvm::Expected<NativeVariant> traceVariant(const std::vector<std::string> &inputs,
                                           const program::LoadOptions &load,
                                           const native::VariantTools &tools) {
  llvm::Expected<program::BitcodeFile> bitcode = program::findBitcode(inputs, load);
  if (!bitcode) return bitcode.takeError();
  native::VariantRecipe recipe{
      "trace", program::kInstrumentVersion,
      /*allowUndefined=*/false, [&](const std::string &objectFile) -> llvm::Expected<std::string> {
        auto layout = program::writeTraceObject(bitcode->path, objectFile, load);
        if (!layout) return layout.takeError();
        return layoutText(*layout);
      }};
  llvm::Expected<native::CachedVariant> cached =
      native::cachedVariant(bitcode->path, tools, recipe);
  if (!cached) return cached.takeError();
  NativeVariant variant{cached->executable, {}, cached->fromCache};
  if (!parseLayout(cached->text, variant.layout))
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        fmt::format("{}.layout is damaged; remove it", cached->executable));
  return variant;
}

} // namespace fathom::report
