// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inputs that a fuzzing campaign begins with: a folder of files, or what an exploration or
// another campaign has found.
#ifndef FATHOM_TOOLS_CORPUS_H
#define FATHOM_TOOLS_CORPUS_H

#include <string>

namespace fathom::tool {

class Corpus {
public:
  /// `folder`: of --corpus; "": none is given. Throws UsageError: no such folder, or no input in
  /// it.
  explicit Corpus(const std::string &folder);
  /// A folder of inputs, absolute; "": none is given. Of a results folder, the inputs are written
  /// to `into` first, which is created, each once: of an exploration the tests that have folders
  /// (they were the first to cover something), those of bugs, and up to a thousand of the store,
  /// evenly spread; of a campaign its queue and its crashes. Where `into` is already there, nothing
  /// is written. Throws UsageError.
  std::string inputs(const std::string &into) const;

private:
  class Writer;
  void writeTests(Writer &writer) const;

  enum class Kind { None, Files, Exploration, Campaign };
  std::string folder_;
  Kind kind_ = Kind::None;
};

} // namespace fathom::tool
#endif
