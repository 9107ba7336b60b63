// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/scan/LoadScanned.h"

#include "program/Load.h"
#include "run/Failure.h"
#include "run/InputFiles.h"
#include "run/Installation.h"

#include "llvm/IR/Module.h"

namespace fathom::run {

llvm::Expected<std::unique_ptr<llvm::Module>> loadScanned(llvm::LLVMContext &context,
                                                          const std::vector<std::string> &programs,
                                                          const std::string &entry) {
  const Installation &here = Installation::get();
  program::LoadOptions load;
  load.fathomCc = here.fathomCc;
  load.runtimeBitcode = here.runtimeBitcode;
  load.entry = entry;
  load.mayBeLibrary = true;
  load.exceptions = program::LoadOptions::Exceptions::Apart;
  load.assembly = program::LoadOptions::Assembly::Declared;
  if (llvm::Error e = requireRegularPrograms(programs)) return std::move(e);
  auto module = asUsage(program::loadProgram(context, programs, load));
  if (!module) return module.takeError();
  if (llvm::Error e = asUsage(program::prepareModule(**module, load))) return std::move(e);
  return std::move(*module);
}

} // namespace fathom::run
