// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions without a body in the program that the engine provides: the allocator, setjmp and
// longjmp, threads, the host's files, and the runtime's intrinsics (fathom/abi.h). Each group has a
// file of its own, with the table of its names at the end.
#ifndef FATHOM_EXPLORE_BUILTIN_BUILTINS_H
#define FATHOM_EXPLORE_BUILTIN_BUILTINS_H

#include "explore/state/State.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace fathom::explore {

struct Engine;

/// One call of an external function.
struct BuiltinCall {
  const program::Inst *ip;
  const uint32_t *args; ///< slots of the caller's frame
  uint32_t numArgs;
  const program::External *callee;
};

/// What a builtin did with the path.
enum class BuiltinOutcome : uint8_t {
  Next,   ///< go on after the call
  Jumped, ///< the state's position is set
  Again,  ///< forked, or made an argument concrete: run the call again
  Ended,  ///< the path has ended
};

using Builtin = std::function<BuiltinOutcome(State &, const BuiltinCall &)>;
using BuiltinNames = std::map<std::string, Builtin>;

class Builtins {
public:
  explicit Builtins(Engine &engine);
  ~Builtins();

  /// The function for Program::externals[index], or none: a real external operation.
  const Builtin &find(uint32_t external) const { return table_[external]; }
  /// The program's end (RuntimeBuiltins::exitCall).
  bool isExit(uint32_t external) const { return exits_[external]; }

private:
  struct Groups;
  std::unique_ptr<Groups> groups_;
  std::vector<Builtin> table_;
  std::vector<bool> exits_;
};

} // namespace fathom::explore
#endif
