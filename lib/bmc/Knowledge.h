// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a question has to know of code that it does not follow. The caller has analyses for that.
#ifndef FATHOM_BMC_KNOWLEDGE_H
#define FATHOM_BMC_KNOWLEDGE_H

#include <cstdint>
#include <span>
#include <vector>

namespace fathom::bmc {

/// What code may change, in memory of the program: nothing else, if no other thread runs.
struct Changes {
  bool everything = false;         ///< all that follows is meaningless
  std::vector<uint32_t> variables; ///< Program::globals, ascending
  std::vector<uint32_t> frames;    ///< local variables of these functions, ascending
  bool blocks = false;             ///< of the heap, and what callers made

  /// These as well.
  void add(const Changes &other);
  static Changes all() {
    Changes out;
    out.everything = true;
    return out;
  }
};

class Knowledge {
public:
  virtual ~Knowledge() = default;
  /// Can a call of the function come back?
  virtual bool returns(uint32_t function) const = 0;
  /// Do its calls lead to a place of the report? Then it is followed.
  virtual bool isRelated(uint32_t function) const = 0;
  /// May it free memory, itself or in what it calls?
  virtual bool mayFree(uint32_t function) const = 0;
  /// Of a call of `callee` at this line of `caller`.
  virtual Changes changesOf(uint32_t callee, uint32_t caller, uint32_t line) const = 0;
  /// Of code at these lines of the function, calls included.
  virtual Changes changesAt(uint32_t function, const std::vector<uint32_t> &lines) const = 0;
  /// What calls of the function through pointers may call; null: that is not known.
  virtual const std::vector<uint32_t> *calledByPointer(uint32_t function) const = 0;
  /// Does the instruction belong to the place where the defect shows?
  virtual bool isSink(uint32_t function, uint32_t inst) const = 0;
  /// Does what goes wrong in a call of the function at the place count as well?
  virtual bool countsAtPlace(uint32_t function) const = 0;
  /// Is any instruction of the function part of it, or of what it calls?
  virtual bool leadsToSink(uint32_t function) const = 0;
  /// The same by calls that name what they call.
  virtual bool leadsDirectly(uint32_t function) const = 0;
  /// Is any instruction of the function part of it?
  virtual bool hasSink(uint32_t function) const = 0;
};

} // namespace fathom::bmc
#endif
