// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inputs that a fuzzing campaign begins with: a folder of files, or what an exploration or
// another campaign has found.
#ifndef FATHOM_RUN_CORPUS_H
#define FATHOM_RUN_CORPUS_H

#include "llvm/Support/Error.h"

#include <string>

namespace fathom::run {

class Corpus {
public:
  /// `folder`: of --corpus; "": none is given. A UsageError: no such folder, or no input in it.
  static llvm::Expected<Corpus> open(const std::string &folder);
  /// A folder of inputs, absolute; "": none is given. Of a results folder, the inputs are written
  /// to `into` first, which is created, each once: of an exploration the tests that have folders
  /// (they were the first to cover something), those of bugs, and up to a thousand of the store,
  /// evenly spread; of a campaign its queue and its crashes. Where `into` is already there, nothing
  /// is written. A UsageError where it cannot be.
  llvm::Expected<std::string> inputs(const std::string &into) const;

private:
  class Writer;
  llvm::Error writeTests(Writer &writer) const;

  enum class Kind { None, Files, Exploration, Campaign };
  std::string folder_;
  Kind kind_ = Kind::None;
};

} // namespace fathom::run
#endif
