// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From what the user named to a module ready for decoding: find the bitcode, read it, link the
// runtime, run the short list of passes.
#ifndef FATHOM_PROGRAM_LOAD_H
#define FATHOM_PROGRAM_LOAD_H

#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace fathom::program {

struct LoadOptions {
  std::string fathomCc;       ///< Path of fathom-cc, for C files.
  std::string runtimeBitcode; ///< runtime.bc, linked in when not empty.
  std::string entry;          ///< --entry FUNCTION; empty: the program's start-up code.
  bool allowUndefined =
      false; ///< C files may call functions that are defined nowhere: external operations.
  bool mayBeLibrary = false; ///< Without --entry, it need not have a function main.
  bool promoteLocals = true; ///< mem2reg, after uninitialised reads were made explicit.
  /// Intrinsics of x86 that have a meaning in ordinary instructions become those. Not for code that
  /// runs natively: there the processor says what they do.
  bool lowerIntrinsics = true;
  /// Exact: an exception returns from function to function. Apart: it is a choice before a call.
  enum class Exceptions : uint8_t { Exact, Apart } exceptions = Exceptions::Exact;
  /// Inline assembly and intrinsics without a meaning here: left as they are, where they run
  /// natively or end the path; calls of functions that are only declared, and executed elsewhere;
  /// or calls of functions that are there, for that to be done.
  enum class Assembly : uint8_t { Inline, Declared, Defined } assembly = Assembly::Inline;
};

/// What the user named, found: `inputs` has one executable, .bc or .ll file, or C files.
/// Errors (one line each, to be printed as they are): no such file; an executable without .bc
/// beside it; not bitcode; bitcode of another LLVM version or target; C files that do not compile;
/// no main (and no harness entry).
llvm::Expected<std::unique_ptr<llvm::Module>> loadProgram(llvm::LLVMContext &context,
                                                          const std::vector<std::string> &inputs,
                                                          const LoadOptions &options);

/// The sysroot that fathom-cc linked the program with (its lib/version); "" if the module does not
/// say.
std::string sysrootOf(const llvm::Module &module);

/// The bitcode file that belongs to inputs, without reading it: for native variants. A temporary
/// one for C files and .ll, which goes with `folder`.
struct BitcodeFile {
  std::string path;
  std::shared_ptr<void> folder;
};
llvm::Expected<BitcodeFile> findBitcode(const std::vector<std::string> &inputs,
                                        const LoadOptions &options);

/// Passes that neither delete nor exploit undefined behaviour, in order; then the verifier.
llvm::Error prepareModule(llvm::Module &module, const LoadOptions &options);

/// Is this function the program's own (not libc's, not the runtime's)?
bool isOwnFunction(const llvm::Function &function);
/// Is this branch part of what the program's own source says? Not one that lowerExceptions made.
bool isOwnBranch(const llvm::Instruction &terminator);
/// Neither main nor LLVMFuzzerTestOneInput of its own: others call its functions.
bool isLibrary(const llvm::Module &module);
/// LLVMFuzzerTestOneInput, and no main of the program's own that would call it in its own way.
bool isFuzzHarness(const llvm::Module &module);

/// Calls visit(terminator, branchId) for every conditional branch and switch, in the order of their
/// numbers: own functions first, in module order. Decoder and native instrumentation both number
/// branches with this.
void forEachBranch(llvm::Module &module,
                   const std::function<void(llvm::Instruction &, uint32_t)> &visit);

/// The sides of a switch: which one each successor (0 = default, i = the i-th case) belongs to.
/// Successors that go to the same block are one side: nothing can tell them apart afterwards. Side
/// 0 is the default's; the others are numbered as they first appear.
std::vector<uint32_t> switchSides(const llvm::SwitchInst &inst);
/// Number of sides of a conditional branch or switch.
uint32_t numSides(const llvm::Instruction &terminator);

} // namespace fathom::program
#endif
