// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One symbolic state: its place (frames), path condition and witness, memory, trace and output, and
// the log of the answers that it got. Forking copies a State in O(1): everything of unbounded size
// is persistent and shared.
#ifndef FATHOM_EXPLORE_STATE_STATE_H
#define FATHOM_EXPLORE_STATE_STATE_H

#include "explore/interpreter/Memory.h"
#include "explore/Results.h"
#include "explore/state/PathLog.h"
#include "explore/state/Pending.h"
#include "explore/state/Seeds.h"
#include "explore/state/Threads.h"
#include "explore/state/Unwritten.h"
#include "program/Code.h"
#include "solver/Oracle.h"

#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_set>
#include <vector>

namespace fathom::expr {
class UnsimplifiedTerm;
}

namespace fathom::explore {

/// A function activation. Reference counted and copy-on-write like memory: a frame that two states
/// share is copied when one of them comes to run in it.
///
/// Registers live in two planes. The concrete plane `bits()` always exists; the plane of terms
/// `syms` exists only once the frame holds a symbolic value ("the frame is symbolic"), so that code
/// that touches none never looks at one.
struct Frame {
  uint32_t refs = 1;
  uint32_t function = 0;
  uint32_t depth = 0;
  uint32_t slots = 0;
  static constexpr uint32_t kNotAsked = ~0u;
  mutable uint32_t callers = kNotAsked; ///< Which calls led here: a number of CallStacks.
  uint64_t serial = 0; ///< Unique on the path: identifies the activation for longjmp.
  Frame *parent = nullptr;
  const program::Inst *resume =
      nullptr; ///< While a callee is active: the instruction after the call.
  ExprPtr *syms = nullptr;
  uint64_t saveArea = 0,
           varArea = 0; ///< The variable arguments: register save area and overflow area; 0: none.
  std::vector<uint64_t> allocas; ///< Stack objects to free on return, oldest first.

  uint64_t *bits() { return reinterpret_cast<uint64_t *>(this + 1); }
  const uint64_t *bits() const { return reinterpret_cast<const uint64_t *>(this + 1); }

  static Frame *create(uint32_t function, uint32_t slots);
  static Frame *copy(const Frame &other); ///< shares the parent
  static void release(Frame *frame); ///< frees the frames of the chain that no other state holds
  void makeSymbolic();               ///< gives it a plane of terms
};

/// An input as the runtime registered it: terms or constants per byte.
struct RecordedInput {
  evidence::InputId id;
  std::vector<uint8_t> bytes;
  std::vector<ExprPtr> terms; ///< empty: all concrete; otherwise one per byte, null where concrete
  ExprPtr length = nullptr;   ///< the number of bytes that count; null: all
};

struct OutputChunk {
  int fd = 1;
  std::string bytes;
  std::vector<ExprPtr> terms; ///< as above
  ExprPtr length = nullptr;   ///< as above
};

/// A place where the inputs decided which way a path goes.
struct Decision {
  uint32_t function = 0, inst = 0; ///< the place
  uint64_t way = 0;            ///< the branch's side, the switch's, the value, the object's base
  ExprPtr condition = nullptr; ///< holds on this way and on no other; null: that is no term
  const expr::UnsimplifiedTerm *asBuilt =
      nullptr; ///< the same (expr/UnsimplifiedTerm.h); null: no policy keeps it
  /// For a branch or switch: the path condition before it leaves no other way.
  bool isImplied = false;
};

/// A merge on the path (merge/MergeBenefit.h), with what distinguishes the loop's paths that became
/// one.
struct MergedHere {
  uint32_t loop = 0;         ///< the merge policy's number of it
  uint64_t identity = 0;     ///< State::identity of what was merged
  uint64_t paths = 0;        ///< the number of the loop's paths that became one
  ExprPtr counter = nullptr; ///< its array; null: merged by the tree
  /// Of a merge by the tree: the condition of each path.
  std::shared_ptr<const std::vector<ExprPtr>> members;
};

/// A number that no model had before, for Evaluator::setModel. Process-wide: it is an identity, not
/// a result.
uint64_t nextModelVersion();

/// What a walk over many states has seen: they share most of what they have.
using Visited = std::unordered_set<const void *>;

struct ExternalCall;

/// Owns what copying copies.
template <typename T> class CopiedPtr : public std::unique_ptr<T> {
public:
  CopiedPtr() = default;
  CopiedPtr(std::unique_ptr<T> owned) : std::unique_ptr<T>(std::move(owned)) {}
  CopiedPtr(const CopiedPtr &other)
      : std::unique_ptr<T>(other ? std::make_unique<T>(*other) : nullptr) {}
  CopiedPtr(CopiedPtr &&) noexcept = default;
  CopiedPtr &operator=(const CopiedPtr &) = delete;
  CopiedPtr &operator=(CopiedPtr &&) noexcept = default;
};

/// The part of a state that a fork copies as it is.
struct StateData {
  Frame *top = nullptr;
  const program::Inst *ip = nullptr; ///< Next instruction to run.
  Memory memory;
  /// Not null: no query has checked this way yet; the state asks it before it runs.
  std::shared_ptr<const Pending> pending;
  /// Attempts at the query that it waits for.
  unsigned attempts() const { return pending ? pending->attempts : 0; }
  /// Where it goes on, when it does.
  const program::Inst *position() const {
    return pending && pending->target ? pending->target : ip;
  }

  solver::PathCondition path;
  std::shared_ptr<const expr::Model>
      witness; ///< Satisfies path. Null: none known (never so at present policies).
  uint64_t witnessVersion = 0;
  void setWitness(std::shared_ptr<const expr::Model> model);
  /// Calls visit for every term that this state holds, except through parts already in `seen`.
  void visitTerms(const std::function<void(ExprPtr)> &visit, Visited &seen) const;

  uint64_t threadPointer = 0;
  CopiedPtr<Threads> threads; ///< Null until the path makes a second one.
  /// Calls visit(top frame, instruction at which it goes on) for every thread, the running one
  /// first.
  template <typename Visit> void forEachThread(Visit visit) const {
    visit(top, position());
    if (!threads) return;
    for (const Thread &t : threads->all)
      if (t.top) visit(t.top, t.ip);
  }
  uint64_t nextSerial = 1;
  const program::Inst *checked =
      nullptr; ///< The check of this instruction was decided: run it without.

  const program::Inst *passed = nullptr; ///< The policies of this point were called: run it.

  uint64_t traceCount = 0, traceHash = kTraceSeed;
  uint64_t nextCheckpoint = 1; ///< at this count
  std::shared_ptr<std::vector<std::pair<uint64_t, uint64_t>>>
      traceCheckpoints; ///< copied before it is changed, where another state has it

  Unwritten unwritten;
  std::shared_ptr<const SeedStates> seeds; ///< that take this path; null: none does
  /// Is it the path of an input that was offered while the exploration ran?
  bool followsOffered() const { return seeds && seeds->front().seed->isOffered; }
  /// That input (PathPrefix::input); null: it follows none.
  std::shared_ptr<const std::vector<uint8_t>> offeredInput() const {
    if (!followsOffered()) return nullptr;
    return {seeds->front().seed, &seeds->front().seed->data};
  }
  PersistentList<ExprPtr> symbols; ///< In order of creation on this path.
  /// A symbol for what an external operation gave (ExternalPolicy.h), and what it stands for.
  struct Result {
    ExprPtr symbol = nullptr;
    ExprPtr apply = nullptr; ///< null: anything (symbolic-return)
  };
  PersistentList<Result> results;
  /// Of functions whose results depend on the calls before them (ExternalServer.h).
  PersistentList<std::shared_ptr<const ExternalCall>> statefulCalls;
  /// Where results have symbols: the path over the inputs alone, with applications in their place.
  solver::PathCondition exact;
  bool hasExact = false;             ///< `exact` is kept; otherwise `path` is it
  PersistentList<ExprPtr> preferred; ///< Conditions that a test should fulfil where it can.
  PersistentList<RecordedInput> inputs;
  PersistentList<OutputChunk> output;
  PathLog log;
  /// Identifies the path by its decisions, and not by its queries.
  uint64_t identity = 0xcbf29ce484222325ull;
  /// Ways of events that happen on one path while the other goes on as if there had been no
  /// decision. They differ from all numbers of ways.
  static constexpr uint64_t kFailedAllocation = 1ull << 63, kRaisedFault = 3ull << 62;
  /// All decisions, if a policy watches them (Decisions).
  PersistentList<Decision> decisions;
  /// The path has decided for this way (or value).
  void took(uint64_t which) { identity = after(identity, which); }
  static uint64_t after(uint64_t identity, uint64_t which) {
    identity = (identity ^ which) * 0x9E3779B97F4A7C15ull;
    return identity ^ identity >> 32;
  }
  /// The identity that the path has once its pending query is answered; null: that depends on more
  /// than the answer. Whether a side waits or was checked at once depends on time: in either case
  /// it is the same path.
  std::optional<uint64_t> decidedIdentity() const {
    if (!pending) return identity;
    if (pending->kind != Pending::Kind::Way || !pending->target) return {};
    return after(identity, pending->side);
  }

  uint64_t instructions = 0;
  uint64_t toldAt = 0; ///< Instructions when ResultSink::onInput got its input last.
  uint32_t forks = 0;  ///< Depth: forks on this path.
  uint32_t left = 0;   ///< Ways that it left without a query; infeasible ones are no forks.
  /// Bytes of the log that it shares with the state that it forked from.
  uint64_t forkedAt = 0;
  uint32_t allocations = 0; ///< Blocks and mappings that were asked for on this path, so far.
  PersistentList<uint32_t> failedAllocations; ///< Of these: the numbers, from 1, of those that
                                              ///< failed because they were to (--fail-allocations).
  PersistentList<Memory::AllocSite> failedAt; ///< Where these were asked for.
  bool usesExternal = false;
  /// The path goes on with what an external function gives for one of the values that its arguments
  /// can have (--external concretize).
  bool guessesResults = false;
  uint32_t excludedPaths = 0; ///< PathPrefix::excludedPaths
  /// The state repeats a part that was explored before, to come to the place where a log continues:
  /// paths that end there do not count.
  bool repeats = false;
  /// A pointer in memory that callers made (AssumedMemory.h): its term, and the new object that it
  /// may lead to, or, once that is decided, the object that it leads to.
  struct UnknownPointer {
    ExprPtr pointer = nullptr; ///< 64 bits
    uint64_t base = 0;
    bool isSettled = false;
  };
  PersistentList<UnknownPointer> unknownPointers;
  /// Something of symbolic size (Sizes.h), and its length.
  struct Sized {
    ExprPtr symbol = nullptr; ///< an input of which only `length` bytes are there; null: a block
    ExprPtr length = nullptr; ///< 64 bits
    /// The length is an input, too, but tests do not list it: they have only as many bytes as
    /// count.
    ExprPtr array = nullptr;
  };
  PersistentList<Sized> lengths; ///< in the order in which they were made
  /// The probability of all sides of branches that it took, together (policy/BranchProbability.h).
  double odds = 1;
  std::vector<uint64_t> oddsPath; ///< what BranchProbability::took keeps of the path
  /// Guessed conditions without a query yet. They are not in the path condition, and the witness
  /// need not fulfil them (decide/SpeculativeBranches.h).
  struct Guess {
    ExprPtr condition = nullptr;
    uint32_t branchId = 0, side = 0;
  };
  PersistentList<Guess> guessed;
  /// Arrays of counters that merging gave the path: no inputs.
  PersistentList<ExprPtr> counters;
  uint64_t knownCounters = 0; ///< the first 64 of them: has the path only one value for it?
  /// Merges of loops for which it is unknown yet whether merging pays.
  PersistentList<MergedHere> merges;
  /// Of the region between two markers in which it is (merge/MergePolicy.h): how many are open.
  uint32_t openMerges = 0;
  /// It stands for several paths: it has no branch trace, and its number of instructions is one of
  /// theirs.
  bool isMerged = false;
  bool opened = false; ///< a branch on the way needed another result of an external function
  uint64_t lastNewCoverage = 0; ///< `instructions` when this path last covered something new.
  PersistentList<uint32_t> newlyCovered; ///< What this path (or the path it forked from) was the
                                         ///< first to cover: see Coverage::noteNewCoverage.
};

/// The data, and what a fork has of its own.
class State : public StateData {
public:
  State() = default;
  State(const State &other) : StateData(other) { ///< the fork; the caller gives it a new id
    if (top) top->refs++;
  }
  State &operator=(const State &) = delete;
  /// Takes the other one's data, and gives it its own. What a fork has of its own stays.
  void exchangeData(State &other) { std::swap<StateData>(*this, other); }
  ~State() { Frame::release(top); }

  uint64_t id = 0;
  /// While the state is led along another state's path (SymbolicExecutor::restore): the rest of
  /// that state's log.
  std::unique_ptr<LogReader> replayedLog;
  bool discarded =
      false; ///< A fork during that which is not on the way: whatever happens to it does not count.
  uint64_t revivedAt = 0; ///< hash of the log when the state was brought back last; 0: never
  std::optional<uint64_t> revivedAs; ///< its decided identity then
  unsigned revivals = 0;             ///< how often it ran out of memory alone at that log
};

} // namespace fathom::explore
#endif
