// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What loads, stores, fills and transfers do to an abstract state.
//
// An address is a set of objects and an offset (State.h). A store changes a cell strongly where the
// address is one place; otherwise every place it may be keeps its old values too. Cells that
// overlap what is written lose their values. A store to an unknown address loses everything that
// the address may be: all objects whose address is used in other ways than to access them.
#ifndef FATHOM_STATICS_ABSTRACT_MEMORY_H
#define FATHOM_STATICS_ABSTRACT_MEMORY_H

#include "statics/abstract/State.h"

namespace fathom::statics::abstract {

/// What is known of the bytes an access may touch.
enum class Access : uint8_t { Inside, Outside, Unknown };

class Memory {
public:
  /// \param recursive  functions of which several calls may be active at a time
  Memory(const AbstractProgram &program, llvm::BitVector recursive);

  /// Content as it is when the program starts.
  void enterGlobals(State &state) const;
  /// Whatever may be there at any time.
  void enterUnknown(State &state) const;
  void enterStack(State &state, ObjectId object, const Operand &size) const;
  void leaveStack(State &state, FunctionId function) const;

  Access classify(const State &state, const Operand &address, const Operand &size) const;
  /// REQUIRES: the access may be outside. Is it outside only where its address is null?
  bool failsByNullAlone(const State &state, const Operand &address, const Operand &size) const;
  /// Keeps the states in which the access is inside of an object.
  void assumeInside(State &state, const Operand &address, const Operand &size) const;

  Value load(const State &state, const Operand &address, uint32_t size, bool isAddress) const;
  void store(State &state, const Operand &address, uint32_t size, const Operand &value,
             bool isAddress) const;
  void fill(State &state, const Operand &address, const Operand &size,
            std::optional<uint8_t> byte) const;
  void transfer(State &state, const Operand &to, const Operand &from, const Operand &size) const;
  void allocate(State &state, const Statement &s) const;

  /// Everything in the object becomes unknown.
  void scramble(State &state, ObjectId object) const;
  /// Every object that the address may be in.
  void scrambleTargets(State &state, const Operand &address) const;
  /// Everything that code outside may reach.
  void scrambleEscaped(State &state) const;

private:
  Access classify(const State &state, const Operand &address, const Value &value,
                  const Operand &size) const;
  struct Places {
    std::vector<uint64_t> offsets; ///< of cells, if they are few
    bool areAll = false;
  };
  Places placesOf(const State &state, ObjectId object, const Progression &offset,
                  uint32_t size) const;
  Value loadCell(const State &state, ObjectId object, uint64_t offset, uint32_t size,
                 bool isAddress) const;
  void storeCell(State &state, ObjectId object, uint64_t offset, uint32_t size, bool isStrong,
                 const Value &value, const Operand *exact, bool isAddress) const;
  void writeCell(State &state, VarId cell, const Value &value) const;
  void smear(State &state, ObjectId object, const Progression &offset,
             const Progression &size) const;
  static void loseCell(State &state, VarId cell);

  const AbstractProgram &program_;
  llvm::BitVector escaped_, recursive_;
  std::vector<std::vector<ObjectId>> stackOf_; ///< by function
};

} // namespace fathom::statics::abstract
#endif
