// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The control flow of a whole program as nested structures, without anything that it computes: what
// `program` reads off bitcode and `synth` makes grammars of. Plain data, so that neither needs to
// know the other.
#ifndef FATHOM_SUPPORT_CONTROLFLOW_H
#define FATHOM_SUPPORT_CONTROLFLOW_H

#include <cstdint>
#include <string>
#include <vector>

namespace fathom {

/// One structure of a function's body.
struct Flow {
  enum Kind : uint8_t {
    Sequence,   ///< its children, one after the other
    Statements, ///< straight-line code
    Call,       ///< of a function of the program
    Indirect,   ///< a call of one of several functions
    Choice,     ///< a conditional: at most one of the children
    Loop,       ///< its child, any number of times
  };
  Kind kind = Sequence;
  /// Statements: how many lines of the source. Call: index into ControlFlow::functions. Indirect:
  /// index into ControlFlow::targets.
  uint32_t value = 0;
  bool isSwitch = false; ///< Choice: and not an `if`
  bool lastIsElse =
      false; ///< Choice: the last child stands for every other case; otherwise none may
  /// Choice: case labels of each child, 1 for `if`; not of an else.
  std::vector<uint32_t> labels = {};
  /// Sequences, but for those of a Sequence. Loop: one.
  std::vector<Flow> children = {};
};

struct FlowFunction {
  std::string name;
  Flow body;               ///< a Sequence
  uint32_t complexity = 1; ///< cyclomatic: 1 + conditional branches + case labels
  uint32_t loops = 0;
  uint32_t lines = 0; ///< of its source that have code
};

struct ControlFlow {
  std::vector<FlowFunction> functions; ///< the first is where the program starts
  /// What an indirect call may go to: functions, each once.
  std::vector<std::vector<uint32_t>> targets;
};

} // namespace fathom
#endif
