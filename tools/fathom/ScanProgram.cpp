// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom scan: the program that is analysed, which is the one that the engine executes.
#include "ScanFlags.h"

#include "program/Load.h"

#include <fmt/format.h>

namespace fathom::tool {

PrintRequest printRequest(const std::string &print) {
  size_t colon = print.find(':');
  if (colon == std::string::npos) return {print, ""};
  if (colon + 1 == print.size())
    throw UsageError(
        fmt::format("--print {}: expected the name of a function after the colon", print));
  return {print.substr(0, colon), print.substr(colon + 1)};
}

std::unique_ptr<llvm::Module> loadScanned(llvm::LLVMContext &context, const ScanFlags &flags) {
  const Installation &here = Installation::get();
  program::LoadOptions load;
  load.fathomCc = here.fathomCc;
  load.runtimeBitcode = here.runtimeBitcode;
  load.entry = flags.entry;
  load.mayBeLibrary = true;
  load.assembly = program::LoadOptions::Assembly::Declared;
  requireRegularPrograms(flags.programs);
  std::unique_ptr<llvm::Module> module =
      orUsage(program::loadProgram(context, flags.programs, load));
  orUsage(program::prepareModule(*module, load));
  return module;
}

} // namespace fathom::tool
