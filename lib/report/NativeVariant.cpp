// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/NativeVariant.h"

#include "program/ObjectSymbols.h"

#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>

#include <sstream>

namespace fathom::report {

using program::TraceLayout;

// ---- the layout as text
// ---------------------------------------------------------------------------------------------

static constexpr const char *kLayoutHead = "fathom-trace-layout";

std::string layoutText(const TraceLayout &layout) {
  program::FileNumbers files;
  for (auto &b : layout.branches) files.add(b.file);
  for (auto &l : layout.lines) files.add(l.file);
  files.assignNumbers();
  std::string out = fmt::format("{} {} {} {} {} {} {}\n", kLayoutHead, program::kInstrumentVersion,
                                files.size(), layout.branches.size(), layout.lines.size(),
                                layout.foreign.size(), layout.makesSymbolic ? 1 : 0);
  out += files.text();
  out += branchText(layout, files);
  for (auto &l : layout.lines) out += fmt::format("{} {}\n", files[l.file], l.line);
  for (auto &f : layout.foreign) out += fmt::format("{} {}\n", f.name, f.refused);
  return out;
}

bool parseLayout(const std::string &text, TraceLayout &layout) {
  std::istringstream in(text);
  std::string head;
  int version = 0;
  size_t fileCount = 0, branchCount = 0, lineCount = 0, foreignCount = 0;
  layout = {};
  if (!(in >> head >> version >> fileCount >> branchCount >> lineCount >> foreignCount >>
        layout.makesSymbolic) ||
      head != kLayoutHead || version != program::kInstrumentVersion)
    return false;
  in.ignore(1);
  std::vector<std::string> files;
  if (!program::readFileNames(in, fileCount, files) ||
      !program::readBranches(in, branchCount, files, layout))
    return false;
  while (layout.lines.size() < lineCount) {
    TraceLayout::Line l;
    size_t file = 0;
    if (!(in >> file >> l.line) || file >= files.size()) return false;
    l.file = files[file];
    layout.lines.push_back(std::move(l));
  }
  while (layout.foreign.size() < foreignCount) {
    program::ForeignFunction f;
    if (!(in >> f.name) || in.get() != ' ' || !std::getline(in, f.refused)) return false;
    layout.foreign.push_back(std::move(f));
  }
  return true;
}

// ---- building
// ---------------------------------------------------------------------------------------------------------

/// Symbols that the variant has beside the program's bitcode. libc is left out: the functions that
/// the program uses are in its bitcode, and any other undefined function was external for the
/// engine, too.
static llvm::Expected<llvm::StringSet<>> linkedSymbols(const native::VariantTools &tools) {
  llvm::StringSet<> names;
  if (llvm::Error e = program::addDefinedSymbols(tools.runtimeObject, names)) return std::move(e);
  for (const char *name : {"libfathom-harness.a", "libfathom-native.a", "libclang_rt.builtins.a"}) {
    const std::string library = tools.sysroot + "/lib/" + name;
    if (!llvm::sys::fs::exists(library)) continue;
    if (llvm::Error e = program::addDefinedSymbols(library, names)) return std::move(e);
  }
  return std::move(names);
}

llvm::Expected<NativeVariant> traceVariant(const std::vector<std::string> &inputs,
                                           const program::LoadOptions &load,
                                           const native::VariantTools &tools) {
  llvm::Expected<program::BitcodeFile> bitcode = program::findBitcode(inputs, load);
  if (!bitcode) return bitcode.takeError();
  native::VariantRecipe recipe{
      "trace", program::kInstrumentVersion,
      /*allowUndefined=*/false, [&](const std::string &objectFile) -> llvm::Expected<std::string> {
        llvm::Expected<llvm::StringSet<>> linked = linkedSymbols(tools);
        if (!linked) return linked.takeError();
        auto layout =
            program::writeTraceObject(bitcode->path, objectFile, load,
                                      [&](llvm::StringRef name) { return linked->contains(name); });
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
