// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM assembly in a test to register code and back to text.
#ifndef FATHOM_UNITTESTS_PROGRAM_SUPPORT_H
#define FATHOM_UNITTESTS_PROGRAM_SUPPORT_H

#include "program/Decode.h"
#include "program/Load.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <memory>
#include <string>

namespace fathom::program::test {

/// The contents of a file in Inputs/.
std::string inputPath(const std::string &name);

/// A folder of this test's own, removed at the end.
class Scratch {
public:
  Scratch();
  ~Scratch();
  std::string path(const std::string &name) const { return folder_ + "/" + name; }
  /// Writes a file and returns its path.
  std::string write(const std::string &name, const std::string &contents) const;

private:
  std::string folder_;
};

/// A module from LLVM assembly; x86_64's data layout is added. Fails the test if it does not parse.
std::unique_ptr<llvm::Module> parse(llvm::LLVMContext &context, const std::string &assembly);

/// parse, prepareModule, decode, verify; fails the test on any error.
Program decodeText(const std::string &assembly, bool promoteLocals = true);

/// The text of one function's code, from its first block on, without source positions.
std::string code(const Program &program, const std::string &function);
/// The same for a program with one function that matters, `f`.
std::string codeOf(const std::string &assembly, bool promoteLocals = true);

} // namespace fathom::program::test
#endif
