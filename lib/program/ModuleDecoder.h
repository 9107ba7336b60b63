// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to the decoder: a module's numbers, constants and layouts (DecodeModule.cpp).
#ifndef FATHOM_PROGRAM_MODULEDECODER_H
#define FATHOM_PROGRAM_MODULEDECODER_H

#include "program/Code.h"
#include "program/Constants.h"
#include "program/Layout.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <map>

namespace fathom::program {

/// What all functions of a module share.
class ModuleDecoder {
public:
  explicit ModuleDecoder(const llvm::Module &module);
  llvm::Expected<Program> run();

  uint32_t message(const std::string &text);
  uint32_t location(const llvm::DILocation *loc);
  uint32_t location(const llvm::DIFile *file, uint32_t line, uint32_t column);
  uint32_t file(const llvm::DIFile *file);
  /// The number of the shape that these layouts have together.
  uint32_t shape(llvm::ArrayRef<const Layout *> layouts);
  /// The branch number of a terminator.
  uint32_t branchId(const llvm::Instruction &terminator) const {
    return branchIds_.lookup(&terminator);
  }

  const llvm::Module &module;
  const llvm::DataLayout &dl;
  Layouts layouts;
  Constants constants;
  Program program;
  llvm::DenseMap<const llvm::Function *, uint32_t> functionIds;
  llvm::DenseMap<const llvm::Function *, uint32_t> externalIds;

private:
  void numberFunctions();
  void numberAddressTakenBlocks();
  void placeGlobals();
  llvm::Error fillGlobals();
  void numberBranches();
  void declareFunction(const llvm::Function &function, FunctionCode &out);

  llvm::DenseMap<const llvm::Instruction *, uint32_t> branchIds_;
  llvm::DenseMap<const llvm::DILocation *, uint32_t> locationOfNode_;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> locationIds_;
  llvm::DenseMap<const llvm::DIFile *, uint32_t> fileOfNode_;
  llvm::StringMap<uint32_t> fileIds_;
  llvm::StringMap<uint32_t> messageIds_;
  std::map<Shape, uint32_t> shapeIds_;
};

/// The message for a type that Layout does not support, empty if it does.
inline const std::string &unsupportedType(const Layout &layout) { return layout.unsupported; }

} // namespace fathom::program
#endif
