// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program that a scan analyses, which is the one that the engine executes.
#ifndef FATHOM_RUN_LOADSCANNED_H
#define FATHOM_RUN_LOADSCANNED_H

#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace fathom::run {

/// The module that the engine would decode: read, linked with the environment model, prepared.
/// `entry`: a function; "": the program's start-up code.
llvm::Expected<std::unique_ptr<llvm::Module>> loadScanned(llvm::LLVMContext &context,
                                                          const std::vector<std::string> &programs,
                                                          const std::string &entry = "");

} // namespace fathom::run
#endif
