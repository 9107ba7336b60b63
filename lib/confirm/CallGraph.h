// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a defect's places are in the register code, and at which function a path to them can begin.
#ifndef FATHOM_CONFIRM_CALLGRAPH_H
#define FATHOM_CONFIRM_CALLGRAPH_H

#include "confirm/CallEffects.h"
#include "confirm/Defect.h"
#include "program/Code.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace fathom::confirm {

/// Calls of the program's own functions; one through a pointer may call what the pointer analysis
/// says or, where that is not known, any whose address is taken.
/// Is the environment model (runtime.bc) part of it?
bool hasModel(const program::Program &program);

class CallGraph {
public:
  /// Linear in the code and its edges. \param effects  null: nothing is known.
  explicit CallGraph(const program::Program &program, const CallEffects *effects = nullptr);

  /// The own functions that have code at this line, by their ids; none: no such line. O(code).
  std::vector<uint32_t> functionsAt(const Place &place) const;
  /// The innermost function from which all of `wanted` can be reached by calls; of several the one
  /// that is nearest to the first of them. None: no function of the program's own reaches all.
  /// Cost: O(wanted x edges) and little more.
  std::optional<uint32_t> commonCaller(const std::vector<uint32_t> &wanted) const;
  /// Null: a library, whose callers are elsewhere. Linked, it has the main of runtime/harness,
  /// which is one only where there is the function that it calls.
  const program::FunctionCode *main() const;
  bool isMain(uint32_t function) const { return function == main_; }
  /// The function's callers, without itself: the program's own functions and others.
  const std::vector<uint32_t> &callersOf(uint32_t function) const { return callers_[function]; }
  /// What calls of the function through pointers may call.
  const std::vector<uint32_t> &calledByPointer(uint32_t function) const;
  /// What calls of the function through pointers that callers gave can mean; null: that is not
  /// known, and neither are functions that a library's callers may pass. Code of libc calls its
  /// own, too.
  const std::vector<uint32_t> *calledByUnknown(uint32_t function) const;
  /// Those from which it can be reached, itself included. O(edges).
  std::vector<bool> reaching(uint32_t function) const { return closure(callers_, function); }
  struct CallAt {
    uint32_t function = 0, inst = 0;
    auto operator<=>(const CallAt &) const = default;
  };
  /// Calls at the place, in the program's own functions, ascending. O(code).
  std::vector<CallAt> callsAt(const Place &place) const;
  /// Instructions of the line in the program's own functions, those without a location of their own
  /// where it begins, ascending. O(code).
  std::vector<CallAt> instructionsAt(const Place &place) const;
  /// The same, with what the statement does before on lines that follow: of a call its arguments.
  std::vector<CallAt> statementAt(const Place &place) const;
  /// Does the place return a pointer? Analysers report a return of a freed pointer as a use of the
  /// memory, but the use itself is elsewhere.
  bool returnsPointer(const Place &place) const;
  /// Is all that the place's statement does at its line?
  bool isOneLine(const Place &place) const;
  /// Can the instruction show a defect?
  bool isAccess(CallAt at) const;
  /// Is there a load or store through a pointer at the place's column?
  bool isAtAccess(const Place &place) const;
  /// Functions that these calls come to, and what those call.
  std::vector<bool> calledBy(const std::vector<CallAt> &calls) const;

  /// Is the function called at most once in any run? False where that is not obvious: it has one
  /// place where it is called, outside of loops, in main or in a function that is called once, and
  /// the program has no longjmp.
  bool runsOnce(uint32_t function) const;
  /// From main, by calls; kNoWay: it cannot be reached. O(1).
  uint32_t callsFromMain(uint32_t function) const { return depth_[function]; }
  static constexpr uint32_t kNoWay = ~0u;

  /// Can the function read a file or standard input? By what it calls, in libc too; calls of
  /// `without` (empty: of none) are not made.
  bool readsInput(uint32_t function, const std::vector<bool> &without = {}) const;
  /// The same of functions that may run.
  bool hasReader(const std::vector<bool> &reached) const;

private:
  using Edges = std::vector<std::vector<uint32_t>>;
  static std::vector<bool> closure(const Edges &edges, uint32_t from,
                                   const std::vector<bool> &without = {});

  void findMain();
  void findFromLibrary();
  void findDepths();

  const program::Program &program_;
  const CallEffects *effects_;
  uint32_t main_ = program::kNoIndex; ///< main()
  std::vector<uint32_t> taken_;       ///< own functions whose address is taken
  /// By function of libc with calls through pointers: calledByUnknown.
  std::map<uint32_t, std::vector<uint32_t>> fromLibrary_;
  Edges callees_, callers_;
  std::vector<uint32_t> depth_; ///< callsFromMain
};

} // namespace fathom::confirm
#endif
