// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions without a body in the program that the engine provides: the allocator, setjmp and
// longjmp, and the runtime's intrinsics (fathom/abi.h). Each is a member function; the tables that
// name them are at the end of the Builtin*.cpp files.
#ifndef FATHOM_EXPLORE_BUILTINS_H
#define FATHOM_EXPLORE_BUILTINS_H

#include "explore/Executor.h"

#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace fathom::explore {

class Builtins {
public:
  explicit Builtins(Executor &executor);

  /// One call of an external function.
  struct Call {
    const program::Inst *ip;
    const uint32_t *args; ///< slots of the caller's frame
    uint32_t numArgs;
    const program::External *callee;
  };
  /// What a builtin did with the path.
  enum class Outcome : uint8_t {
    Next,   ///< go on after the call
    Jumped, ///< the state's position is set
    Again,  ///< forked, or made an argument concrete: run the call again
    Ended,  ///< the path has ended
  };
  using Function = Outcome (Builtins::*)(State &, const Call &);

  /// The function for Program::externals[index], or null: a real external operation.
  Function find(uint32_t external) const { return table_[external]; }
  Outcome run(Function f, State &s, const Call &call) { return (this->*f)(s, call); }

  /// The symbol for the next object of this name and size on the path.
  ExprPtr symbolFor(const State &s, const std::string &base, uint64_t size);
  void visitRoots(const std::function<void(ExprPtr)> &visit) const {
    for (auto &[key, symbol] : symbols_) visit(symbol);
  }

private:
  void addAllocator(std::map<std::string, Function> &to);
  void addIntrinsics(std::map<std::string, Function> &to);
  void addHost(std::map<std::string, Function> &to);
  void addJumps(std::map<std::string, Function> &to);
  void addThreads(std::map<std::string, Function> &to);

  // --- helpers
  // ------------------------------------------------------------------------------------------------------
  ExprPtr term(State &s, const Call &c, unsigned i, unsigned width = 64);
  bool isConcrete(State &s, const Call &c, unsigned i);
  /// Argument i, pinned to one value (ledger) when it is symbolic.
  uint64_t pinned(State &s, const Call &c, unsigned i, const char *what, unsigned width = 64);
  /// A size that an external function's result decides, as that of a copied string: forks over its
  /// values where they are few. False: forked, the call has to be run again.
  bool sized(State &s, const Call &c, unsigned i);
  /// Makes argument i concrete by forking over its values. False: forked, the call has to be run
  /// again.
  bool forked(State &s, const Call &c, unsigned i, unsigned width = 64);
  std::string text(State &s, uint64_t address, uint64_t limit = 4096);
  void returns(State &s, const Call &c, uint64_t value);
  void returnsTerm(State &s, const Call &c, ExprPtr value);
  Memory::AllocSite site(const State &s, const Call &c) const;
  bool bounds(State &s, uint64_t address, uint64_t size, bool write);
  void snapshot(State &s, uint64_t address, uint64_t size, std::vector<uint8_t> &bytes,
                std::vector<ExprPtr> &terms);

  // --- the allocator: BuiltinAllocator.cpp
  // -----------------------------------------------------------------------------
  Outcome mallocCall(State &, const Call &);
  Outcome callocCall(State &, const Call &);
  Outcome reallocCall(State &, const Call &);
  Outcome freeCall(State &, const Call &);
  Outcome memalignCall(State &, const Call &);
  Outcome posixMemalignCall(State &, const Call &);
  Outcome usableSize(State &, const Call &);
  /// A new block, counted; null where there is no room for it, or it is to fail: then errno is
  /// set. Where it may fail, that is a state of its own, in which the call has returned `failure`.
  uint64_t allocateHeap(State &s, uint64_t size, bool zeroed, const Call &c, uint64_t align = 16,
                        uint64_t failure = 0);
  /// Counts an allocation that can be had. Where it may fail, the state is forked, and in the other
  /// one the call has returned `failure`, with ENOMEM in errno unless that is what it returned.
  /// Forks a state in which the call gives `failure`, where allocations may fail. True: this one
  /// fails in the state itself (Executor::failing_).
  bool mayFail(State &s, const Call &c, uint64_t failure);
  void setErrno(State &s, int value);
  Outcome allocationFails(State &, const Call &);
  /// Argument 0 as the address of a block that can be freed, or null. Next: it is in `address`.
  Outcome block(State &s, const Call &c, uint64_t &address);
  void reportFree(State &s, uint64_t address, const Call &c, ExprPtr condition);

  // --- the runtime's intrinsics: BuiltinRuntime.cpp
  // ------------------------------------------------------------------------
  Outcome makeSymbolic(State &, const Call &);
  Outcome assumeCall(State &, const Call &);
  Outcome input(State &, const Call &);
  Outcome output(State &, const Call &);
  Outcome exitCall(State &, const Call &);
  Outcome killed(State &, const Call &);
  Outcome faultEnds(State &s, const Call &c);
  Outcome assertFail(State &, const Call &);
  Outcome reportBug(State &, const Call &);
  Outcome ledger(State &, const Call &);
  Outcome unsupported(State &, const Call &);
  Outcome isSymbolic(State &, const Call &);
  Outcome concretizeCall(State &, const Call &);
  Outcome forkValues(State &, const Call &);
  Outcome allocCall(State &, const Call &);
  Outcome objectSize(State &, const Call &);
  Outcome prefer(State &, const Call &);
  Outcome print(State &, const Call &);
  Outcome say(State &s, const Call &c);
  Outcome getTp(State &, const Call &);
  Outcome setTp(State &, const Call &);
  Outcome map(State &, const Call &);
  Outcome unmap(State &, const Call &);

  // --- the host's files and the configuration: BuiltinHost.cpp
  // ---------------------------------------------------------------
  Outcome config(State &, const Call &);
  Outcome configString(State &, const Call &);
  Outcome hostStat(State &, const Call &);
  Outcome hostRead(State &, const Call &);
  Outcome hostDirent(State &, const Call &);
  Outcome hostReadlink(State &, const Call &);
  /// The path as it may be opened, or empty: outside of the sandbox root (or not there).
  std::string hostPath(const std::string &path, bool follow);
  std::string visibleOrHidden(const std::string &path, bool follow); ///< hostPath, or a result
  bool isHidden(const std::string &real) const;

  // --- setjmp, longjmp: BuiltinJumps.cpp
  // ---------------------------------------------------------------------------------------
  Outcome setjmpCall(State &, const Call &);
  Outcome longjmpCall(State &, const Call &);

  // --- threads: BuiltinThreads.cpp
  // ------------------------------------------------------------------------------------------------
  Outcome threadCreate(State &, const Call &);
  Outcome threadSwitch(State &, const Call &);
  Outcome threadEnd(State &, const Call &);
  Outcome deadlock(State &, const Call &);
  /// Can that thread go on? False: abandoned, the path has ended.
  bool isThread(State &s, uint64_t number, bool orSelf);

  Executor &x_;
  std::vector<Function> table_;
  /// The n-th object of a name on a path is the same symbol on every path, if it has the same size:
  /// solver answers can be shared.
  struct Origin {
    uint32_t base = 0;    ///< value in bases_
    uint32_t ordinal = 0; ///< the n-th of that name on its path, from 0
  };
  std::unordered_map<std::string, uint32_t> bases_; ///< names asked for, numbered
  std::map<std::tuple<uint32_t, uint32_t, uint64_t>, ExprPtr> symbols_; ///< base, ordinal, size
  std::unordered_map<ExprPtr, Origin> origins_;
  std::map<std::string, std::vector<std::string>>
      directories_; ///< listings of host directories, sorted
};

} // namespace fathom::explore
#endif
