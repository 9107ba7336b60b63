// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes states: runs the machine until something needs a decision, decides it, and yields the
// successors.
//
// One file per kind of decision: ExecuteControl.cpp (branches, switches, indirect targets),
// ExecuteTargets.cpp (symbolic pointers that are called, jumped to or freed), ExecuteMemory.cpp
// (symbolic addresses and faults), ExecuteExternal.cpp (external functions),
// Builtin*.cpp (the allocator and the runtime's intrinsics), ExecuteThreads.cpp (threads),
// ExecuteEnd.cpp (tests, bugs, leaks).
#ifndef FATHOM_EXPLORE_EXECUTOR_H
#define FATHOM_EXPLORE_EXECUTOR_H

#include "explore/AskPolicy.h"
#include "explore/CallStacks.h"
#include "explore/ExternalPolicy.h"
#include "explore/ExternalServer.h"
#include "explore/Machine.h"
#include "explore/Results.h"
#include "explore/State.h"

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace fathom::explore {

struct ExternalCall;

/// What running a state for a while came to.
struct Step {
  bool alive = true;                          ///< The state goes on (false: its path has ended).
  std::vector<std::unique_ptr<State>> forked; ///< New states, in the order of forking.
  size_t ready = 0;                           ///< Of these, those that are not pending.
  /// The run is to end, and a question did not get the time that it would have had: the state is
  /// not alive, and goes on here, from before it asked.
  std::optional<PathPrefix> suspended;
};

class Executor {
public:
  Executor(const program::Program &program, expr::ExprContext &context,
           solver::FeasibilityOracle &oracle, const ExploreOptions &options, ResultSink &sink,
           Stats &stats, Ledger &ledger);
  ~Executor();

  /// The state before the first instruction, or null: `error` says why.
  std::unique_ptr<State> initialState(std::string &error);

  /// Runs the state until its path ends, it forks, or about `quantum` instructions are done.
  Step run(State &state, int64_t quantum);

  /// The state at the end of this log (PathLog::bytes; empty: the initial state), reached from the
  /// start of the program and without asking a solver. Null when the log is not one of this program
  /// under these options: `error` says so; or when it was time to stop: `error` is empty.
  std::unique_ptr<State> restore(const PathPrefix &prefix, std::string &error);
  /// What continues here, for restore.
  PathPrefix prefixOf(const State &state) const;
  /// What the path was the first to cover and no test covers yet, oldest first.
  std::vector<uint32_t> firstsOf(const State &state) const;
  /// Is the state the first to cover something that no test covers?
  bool coversUntested(const State &state) const;

  std::string where(const State &s) const; ///< "file:line in function" for the ledger

  /// Gives up a state that is not finished: a test marked partial when it covers something new, and
  /// a ledger entry when `category` is not empty.
  void abandon(State &state, const std::string &category, const std::string &why);

  /// Terms that belong to no state (symbols that later paths will use again).
  void visitRoots(const std::function<void(ExprPtr)> &visit) const;

  /// What external functions were asked, set in `stats`.
  void addExternalStats(Stats &stats) const;

  /// Set when a result could not be stored: the exploration has to stop.
  bool sinkFailed = false;
  /// Time that may still be spent (solver calls are cut to it). Zero: no bound.
  solver::Clock::time_point deadline{};
  const std::atomic<bool> *stop = nullptr; ///< becomes true when the user interrupts; null: never

  Machine machine;

private:
  friend class Builtins;
  using Address = uint64_t;

  // --- decisions (each returns whether the state goes on)
  // ----------------------------------------------------------
  void beginEvent(const State &s); ///< notes what putBack and again set back
  /// What was decided so far in this event is kept in a register: running the instruction again
  /// does not decide it once more.
  void keepDecided(const State &s) { decided_ = s.identity; }
  /// The instruction is run again, and decides what it decides then. True: the state goes on.
  bool again(State &s) {
    s.identity = decided_;
    return true;
  }
  bool decide(State &s, Event event);
  bool onBranch(State &s);
  bool onSwitch(State &s);
  bool onIndirectBr(State &s);
  bool onIndirectCall(State &s);
  bool leadsNowhere(State &s, ExprPtr address);
  bool onCheck(State &s);
  bool goesWell(State &s, ExprPtr bad);
  bool onBug(State &s);
  bool onMemory(State &s);
  bool onMemOp(State &s);
  bool onConcretize(State &s);
  bool onBlockSize(State &s);
  bool onExternal(State &s);
  bool entryCall(State &s);
  void makeParametersSymbolic(State &s, const program::FunctionCode &f);
  bool externalCall(State &s, const program::External &callee, const uint32_t *args,
                    uint32_t numArgs);
  bool interpretCall(State &s, const program::External &callee);
  bool onUnsupported(State &s);
  bool onReturned(State &s);

  // --- asking and constraining
  // ---------------------------------------------------------------------------------------
  /// Later: the question is left to a pending state (leave).
  enum class Feasible : uint8_t { No, Yes, Unknown, Later };
  /// What is lost when the solver does not know, for the ledger.
  enum class Unanswered : uint8_t { Path, Bug, Nothing };
  /// Can `condition` hold on this path? On Yes `model` satisfies path AND condition. Unknown has
  /// been put into the ledger.
  Feasible feasible(State &s, ExprPtr condition, std::shared_ptr<const expr::Model> &model,
                    uint32_t branchId = ~0u, Unanswered lost = Unanswered::Path);
  /// The same, where no path depends on it.
  Feasible probe(State &s, ExprPtr condition, std::shared_ptr<const expr::Model> &model,
                 Unanswered lost) {
    return feasible(s, condition, model, ~0u, lost);
  }
  Feasible ask(State &s, ExprPtr condition, std::shared_ptr<const expr::Model> &model,
               uint32_t branchId, Unanswered lost);
  Feasible askPath(State &s, const solver::PathCondition &path, ExprPtr condition,
                   const std::shared_ptr<const expr::Model> &witness,
                   std::shared_ptr<const expr::Model> &model, uint32_t branchId, Unanswered lost);
  static const char *consequenceOf(Unanswered lost);
  bool holdsUnderWitness(State &s, ExprPtr condition);
  bool holdsUnder(const expr::Model &model, ExprPtr condition);
  uint64_t witnessValue(State &s, ExprPtr e);
  /// Adds a condition that is known to be feasible with this model.
  void assume(State &s, ExprPtr condition, const std::shared_ptr<const expr::Model> &model);
  /// A copy of the state, counted and queued as new. Null when a bound on forks is spent (counted
  /// in the ledger).
  State *fork(State &s);
  /// The same for a copy that runs the instruction again.
  State *forkAgain(State &s) {
    State *t = fork(s);
    if (t) again(*t);
    return t;
  }
  State &branchOff(State &s); ///< the copy, in the step and in the logs
  /// feasible, for another way than the witness's: Unknown, without asking, when a bound forbids to
  /// fork (noted). To a log that is the same, whatever the bounds are under which it is followed.
  Feasible otherWay(State &s, ExprPtr condition, std::shared_ptr<const expr::Model> &model,
                    uint32_t branchId = ~0u);
  bool boundForbids(State &s); ///< to fork; it goes to the ledger

  // --- what is not asked now: ExecutePending.cpp
  // ------------------------------------------------------------------------------------------------
  bool leavesQuestions(const State &s) const;
  bool mayBeTooDeep(const State &s) const;
  /// Does a symbolic index become the witness's, while the others wait? Where questions are left
  /// for later because they are dear: terms over what may lie anywhere make all later ones dearer.
  bool splitsAddresses(const State &s) const;
  /// feasible, or Later where the policy says so and nothing answers for free.
  Feasible feasibleOrLater(State &s, ExprPtr condition, std::shared_ptr<const expr::Model> &model,
                           uint32_t branchId = ~0u, Unanswered lost = Unanswered::Path);
  /// ask, in a time that grows with the attempts. Later: it was too short, and not the last one.
  Feasible askShortly(State &s, ExprPtr condition, std::shared_ptr<const expr::Model> &model,
                      uint32_t branchId, Unanswered lost, unsigned attempts);
  Feasible askFree(State &s, ExprPtr condition, std::shared_ptr<const expr::Model> &model);
  /// Leaves a pending state behind, which begins where `s` is. feasibleOrLater has just said so.
  State &leave(State &s, Pending what);
  /// The same for a condition under which the instruction is run again.
  State &leave(State &s, Pending::Kind kind, ExprPtr condition) {
    return leave(s, {.kind = kind, .condition = condition});
  }
  /// Can the path go on with the condition? Where the witness does not fulfil it, and the question
  /// is left for later, a pending state goes on, and the answer is No.
  bool goesOnWith(State &s, ExprPtr condition);
  /// Leaves a check, after which no input of a bug goes on.
  void leaveCheck(State &s, ExprPtr condition, BugKind kind, const ObjectState *object = nullptr);
  /// Has the bug a report by now, and is one enough?
  bool isNeedless(const State &s, const Pending &check);
  /// Asks what the state waits for. Does it go on, or still wait?
  bool askPending(State &s);

  bool mustStop() const;
  /// After a question without an answer: true when the end of the run is why. Then the state is put
  /// back (Step::suspended); what is still done to it does not count.
  bool cutShort(State &s, bool lessTime);
  void putBack(State &s, Step &step, size_t logged);
  /// Of one query: never past the deadline.
  std::chrono::milliseconds queryTimeout() const;
  /// Makes e one value here, that of the witness, and forks a state for the others, which runs the
  /// instruction again. Nothing is lost by it. Returns the value.
  uint64_t splitOnValue(State &s, ExprPtr e);
  /// Pins e to one value; ledger entry when it has others. Returns the value.
  uint64_t concretize(State &s, ExprPtr e, const std::string &why);
  void notePinned(State &s, const std::string &why);
  /// e is about to decide something (`use`: "a branch"). Reports when that depends on memory never
  /// written, which from then on is anything: a symbol. Returns what to go on with: e, without
  /// those unwritten bytes that do not matter. What still has some (kHasUninit) has been reported:
  /// what it leads to is no bug of its own.
  ExprPtr settleUninit(State &s, ExprPtr e, const char *use);
  void reportUnwritten(State &s, std::span<const uint32_t> numbers, const char *use,
                       const std::shared_ptr<const expr::Model> &model, ExprPtr differs);
  void addUnwritten(State &s, std::span<const ExprPtr> reads);
  void settleState(State &s);
  /// The witness, with values of these bytes under which the condition holds; null: none was found.
  std::shared_ptr<const expr::Model> modelThatDiffers(State &s, ExprPtr differs,
                                                      std::span<const ExprPtr> reads);

  // --- pointers that are called, jumped to or freed: ExecuteTargets.cpp
  // ----------------------------------------------------------------------------------------------------------
  /// Reports the bug of all addresses that are no target, of which the witness has one: `seen`.
  using ReportElsewhere = std::function<void(uint64_t seen, ExprPtr elsewhere)>;
  struct Chosen {
    std::optional<uint64_t> target; ///< None: the instruction has to be run again, if not
    bool ended = false;             ///< no input means a target.
  };
  /// Makes the address one of `targets` (ascending) on this path, and forks it over the others.
  Chosen chooseTarget(State &s, ExprPtr address, const std::vector<uint64_t> &targets,
                      const ReportElsewhere &reportElsewhere);
  std::vector<uint64_t> callTargets(const program::CallSig &sig, ExprPtr address) const;
  std::vector<uint64_t> freeTargets(State &s, ExprPtr address);

  // --- memory
  // ----------------------------------------------------------------------------------------------------------
  struct Resolved {
    const ObjectState *object =
        nullptr; ///< null: the path ended, or the instruction has to be run again
    ExprPtr offset = nullptr;
    bool again = false;
  };
  Resolved resolve(State &s, ExprPtr address, uint64_t size, bool write);
  Resolved resolveConstant(State &s, uint64_t address, uint64_t size, bool write);
  /// Decides the choices between pointers that the address is made from, one after the other. Null:
  /// the path forked, and the instruction has to be run again.
  ExprPtr withoutChoices(State &s, ExprPtr address);
  Resolved resolveWithin(State &s, ExprPtr address, const ObjectState &origin, uint64_t size,
                         bool write);
  Resolved resolveAnywhere(State &s, ExprPtr address, uint64_t size, bool write);
  Resolved resolveUnwritten(State &s, ExprPtr address, uint64_t size, bool write);
  bool excludeOverlap(State &s, const Resolved &to, const Resolved &from, uint64_t size);
  /// The object that the address was computed from, live or freed; null when that is not known.
  const ObjectState *originOf(State &s, ExprPtr address);
  ExprPtr outsideFault(State &s, ExprPtr address, uint64_t seen, uint64_t size, bool write);
  bool isConstantTable(State &s, const ObjectState &o, uint64_t first, uint64_t last,
                       unsigned size);
  ExprPtr readAt(State &s, const ObjectState &o, ExprPtr offset, unsigned size);
  void writeAt(State &s, const ObjectState &o, ExprPtr offset, ExprPtr value);
  struct OffsetRange {
    bool exact = false; ///< min and max are known
    uint64_t min = 0, max = 0;
  };
  OffsetRange offsetRange(State &s, ExprPtr offset); ///< asks the solver
  bool hasFewValues(State &s, ExprPtr offset);       ///< at most kFewValues; asks the solver
  /// The offsets to consider, first to last. Where they are too many for a table the offset becomes
  /// one value (then first == last): split over its values where they are few, otherwise pinned.
  void boundOffset(State &s, const ObjectState &o, ExprPtr &offset, unsigned size, uint64_t &first,
                   uint64_t &last);
  std::vector<uint64_t> writePlaces(State &s, ExprPtr offset, unsigned stride, uint64_t first,
                                    uint64_t last);
  void reportFault(State &s, uint64_t address, uint64_t size, bool write,
                   const std::shared_ptr<const expr::Model> &model, ExprPtr condition = nullptr);
  std::string describeAddress(const State &s, uint64_t address, uint64_t size, bool write,
                              BugKind &kind, const ObjectState *&object);

  // --- external functions: CaptureExternal.cpp, ExecuteExternal.cpp
  // -------------------------------------------------------------------------------
  /// Again: the state forked, and the call has to be run again. Ended: a bug ended the path.
  enum class Capture : uint8_t { Done, Again, Ended, Refused };
  Capture captureCall(State &s, const program::External &callee, const uint32_t *args,
                      uint32_t numArgs, ExternalCall &call, std::string &why);
  void putWord(ExternalCall &call, uint64_t place, ExprPtr word);
  std::vector<std::shared_ptr<const ExternalCall>> earlierCalls(State &s, const ExternalCall &call);
  void noteStatefulCall(State &s, const ExternalCall &call, bool deferred,
                        const std::vector<uint8_t> &in);
  std::vector<uint8_t> externalOutput(State &s, expr::ExternalOperation &operation,
                                      const std::vector<uint8_t> &in);
  /// condition: that it fails in this way; null: it does whatever the input is.
  void noteExternalFault(State &s, const program::External &callee, ExternalStatus status,
                         int detail, ExprPtr condition);
  bool endAfterFault(State &s, const program::External &callee, ExternalStatus status);
  template <typename ByteAt>
  void takeResults(State &s, const program::External &callee, const ExternalCall &call,
                   ByteAt byteAt, const std::vector<uint8_t> *before = nullptr,
                   const std::vector<uint8_t> *after = nullptr);
  bool canBeOther(State &s, std::span<const std::pair<uint64_t, ExprPtr>> bytes,
                  std::span<const uint8_t> in);
  bool pinForeignPointer(State &s, const expr::ExternalOperation &operation, ExprPtr apply);
  template <typename ByteAt> ExprPtr resultTerm(const ExternalCall &call, ByteAt byteAt);
  void addSymbolWithValues(State &s, ExprPtr symbol, const std::vector<uint8_t> &values);
  ExprPtr addSymcrete(State &s, ExprPtr apply);
  ExprPtr exactTerm(State &s, ExprPtr e);
  bool mentionsResult(State &s, ExprPtr e);
  bool settleResults(const State &s, expr::Model &model);
  Feasible feasibleExactly(State &s, ExprPtr condition, std::shared_ptr<const expr::Model> &model);
  Feasible askExactly(State &s, ExprPtr condition, std::shared_ptr<const expr::Model> &model,
                      uint32_t branchId, Unanswered lost);
  bool wantsExact(State &s, ExprPtr condition);
  void fitResults(State &s, ExprPtr condition, std::shared_ptr<const expr::Model> &model);
  void assumeExactly(State &s, ExprPtr condition, const std::shared_ptr<const expr::Model> &model);
  bool changesResults(State &s, ExprPtr condition, const expr::Model &model);
  bool validateExternals(State &s, ExprPtr condition, const expr::Model &model);
  void noteSearchFaults(State &s);

  /// Bugs are one when they agree in it: kind, the folded stack of the program's own calls, and
  /// where the object was allocated.
  struct BugKey {
    BugKind kind = BugKind::Abort;
    uint64_t place = 0; ///< the innermost of the own calls
    uint64_t stack = 0; ///< all of them, and the object's
  };

  // --- coverage mode: paths that are told of (ConfirmResults.cpp)
  // ------------------------------------------------------------------------------------------------
  bool agrees(State &s, ExprPtr condition, expr::Model &model);
  /// Is there an input that takes the path, with the condition, whatever operations give for it?
  /// lessTime: there was none to answer, for the run is about to end.
  Feasible takesPath(State &s, ExprPtr condition, uint32_t number,
                     std::shared_ptr<const expr::Model> &model, bool &lessTime);
  /// Is the bug one that an input shows? Then `model` is such an input; otherwise it is in the
  /// ledger, or the event was cut short.
  bool confirmBug(State &s, const BugKey &key, const std::string &message, ExprPtr condition,
                  std::shared_ptr<const expr::Model> &model);
  /// Does the input of this model show the bug (ShowBug.cpp)? Run on it alone, the program has a
  /// bug of this kind and stack.
  bool showsBug(State &s, const BugKey &key, const expr::Model &model);
  bool hasReported(const BugKey &key) const;
  /// Gives a state that ends an input that takes its path, where one is found.
  void confirmPath(State &s);

  // --- threads: ExecuteThreads.cpp
  // ------------------------------------------------------------------------------------------------
  /// Makes a thread that calls function(argument) when it is switched to. False: no room.
  bool createThread(State &s, uint32_t number, uint32_t function, uint64_t argument,
                    uint64_t threadPointer);
  void switchThread(State &s, uint32_t next, const program::Inst *resume);
  void endThread(State &s, uint32_t next);
  void beginSlice(State &s);
  /// How many instructions the machine may run until it is to be asked again whether the slice is
  /// over.
  int64_t untilPreemption(const State &s) const;
  void preemptIfDue(State &s);
  /// What each of the threads waits for, in words; waits: addresses of futexes, by thread.
  std::string describeWaits(const State &s, const std::vector<uint64_t> &waits) const;

  // --- ends
  // ---------------------------------------------------------------------------------------------------------------
  /// `exitValue`, if there is one: the status is its low byte, for the input that the test has in
  /// the end.
  void endPath(State &s, EndKind end, int status, const std::string &why,
               ExprPtr exitValue = nullptr);
  /// Follows a log, or leaves its way: whoever made the log has counted what ends here.
  static bool isFollowed(const State &s) { return s.script || s.discarded; }
  void honourPreferences(State &s);
  /// condition: what holds under the model and makes it a bug, beside the path; null: the path
  /// alone. source: Bug::source. way: which of several ways to go wrong that there are here, for
  /// the input's identity.
  void report(State &s, BugKind kind, const std::string &message,
              std::shared_ptr<const expr::Model> model, const ObjectState *object = nullptr,
              ExprPtr condition = nullptr, bool pathGoesOn = false, uint64_t source = 0,
              uint64_t way = 0);
  /// With --run-fault-handlers: forks a state, in which the condition holds (null: nothing more),
  /// that goes on in the program's handler of this signal. A signal of 0: none.
  void raiseFault(State &s, int signal, uint64_t address, ExprPtr condition,
                  const std::shared_ptr<const expr::Model> &model);
  BugKey bugKey(const State &s, BugKind kind, const ObjectState *object);
  /// Or else is it one more stack where there are enough reports? That goes to the ledger.
  bool isReported(const State &s, const BugKey &key);
  bool alreadyReported(State &s, BugKind kind, const ObjectState *object = nullptr) {
    // Other paths decide that: it goes into the log.
    return logged(s, [&] { return isReported(s, bugKey(s, kind, object)); });
  }
  void mixSites(std::span<const CallSite> sites, uint64_t &place, uint64_t &stack) const;
  void addAllocation(Bug &bug, const ObjectState &object) const;
  std::vector<StackFrame> framesOf(std::span<const CallSite> sites, bool ownOnly) const;
  void checkLeaks(State &s);
  /// Marks what the path covered first as covered by a test; false when tests had covered all of it
  /// before.
  bool claimCoverage(const State &s);
  bool isClaimed(uint32_t what) const;
  TestCase buildTest(State &s, const expr::Model &model, EndKind end, int status,
                     const std::string &why);
  /// For --smt2. condition: holds beside the path; null: nothing.
  std::string pathAsSmtLib(State &s, const solver::PathCondition &path, ExprPtr condition,
                           const expr::Model &model);
  std::vector<StackFrame> stackOf(const State &s) const;
  std::vector<StackFrame> stackOf(const Frame *top, const program::Inst *at) const;
  StackFrame frameAt(uint32_t function, uint32_t inst) const;
  std::vector<CallSite> sitesOf(const State &s); ///< where it is, folded
  uint64_t stackKey(const State &s);
  uint64_t placeString(State &s, const std::string &text, const char *label);

  void commitJump(State &s, const program::Inst *target, uint64_t coverIndex);

  // --- the path's log (Restore.cpp)
  // -----------------------------------------------------------------------------------------------
  /// The next number of the script, if the state follows one; it goes into the state's own log as
  /// well.
  std::optional<uint64_t> scripted(State &s);
  /// What `ask` says, or the script.
  template <typename Ask> uint64_t logged(State &s, Ask ask) {
    if (std::optional<uint64_t> known = scripted(s)) return *known;
    uint64_t value = ask();
    s.log.append(value);
    return value;
  }
  /// The state gets a new witness: its log says in which bytes of its inputs it differs.
  void adoptWitness(State &s, const std::shared_ptr<const expr::Model> &model);
  void adoptScriptedWitness(State &s, uint64_t changes);

  // --- seeds (Seeds.h)
  // -----------------------------------------------------------------------------------------------
  void startSeeds(State &s);
  /// What each seed says of a new symbol.
  void feedSeeds(State &s, ExprPtr symbol, const std::string &name);
  /// The path has a new symbol: the witness, and every seed, gets bytes for it.
  void addSymbol(State &s, ExprPtr symbol, const std::string &name);
  bool holdsForSeed(State &s, const SeedState &seed, ExprPtr condition);
  /// A seed under which the condition holds, or null.
  std::shared_ptr<const expr::Model> seedWith(State &s, ExprPtr condition);
  /// An allocation was made, or it failed: each seed says which of the two it takes.
  void splitSeeds(State &s, State &failed);
  /// Only seeds under which the condition holds stay with the state. Is one left? Where there is
  /// but one input (showsBug), it stays: then the model is the same input with other unwritten
  /// bytes.
  bool keepSeeds(State &s, ExprPtr condition, const std::shared_ptr<const expr::Model> &model);
  /// The script has ended: from here on everything counts.
  void goLive(State &s);
  void notReplayed(); ///< ends what goes on while a script is followed: nothing counts
  /// What the host says of a file is in no log but as a hash. False: it is not what it was when the
  /// log was made, and the path cannot be followed.
  bool saysTheSame(State &s, const std::string &file, uint64_t hash);

  const program::Program &program_;
  expr::ExprContext &ctx_;
  solver::FeasibilityOracle &oracle_;
  const ExploreOptions &options_;
  ResultSink &sink_;
  Stats &stats_;
  Ledger &ledger_;
  expr::Evaluator evaluator_;
  /// What tests call inputs whose symbols have another name, because solvers have rules for theirs.
  std::unordered_map<ExprPtr, std::string> inputNames_;
  Step *step_ = nullptr;
  uint64_t nextStateId_ = 1;
  Stats statsBefore_; ///< restore: what is not counted is set back to this
  uint64_t instructionsBefore_ = 0;
  bool cut_ = false;        ///< this event is not to count: see cutShort
  std::string changedFile_; ///< why the path that is followed cannot be
  /// Forks, states, sides left and paths that ended, before this event.
  std::tuple<uint64_t, uint64_t, uint64_t, uint64_t> beforeEvent_;
  size_t forkedBefore_ = 0; ///< by the turn at hand, before this event
  uint64_t decided_ = 0;    ///< State::identity to which `again` goes back
  /// Objects and stacks that this event has put into the ledger, where no more are told apart: a
  /// bug is looked up more than once.
  std::set<uint64_t> noted_;
  bool tooDeep_ = false; ///< fork() refused because of --max-depth
  CallStacks stacks_;    ///< of allocations
  /// The stacks of each kind and place.
  std::map<std::pair<BugKind, uint64_t>, std::set<uint64_t>> reported_;
  std::set<Unwritten::Source> reportedSources_; ///< of unwritten memory
  /// Bugs that no input was found for, yet: how often, and what was said the first time.
  struct Unconfirmed {
    unsigned times = 0;
    std::string message;
  };
  std::map<std::pair<uint64_t, BugKind>, Unconfirmed> unconfirmed_;
  /// Bugs that have a report: how often they were met behind results that are guessed.
  std::map<std::pair<uint64_t, BugKind>, unsigned> metAgain_;
  std::vector<uint8_t> testCover_,
      testSideCover_; ///< like Machine::cover and sideCover, but by paths that have a test
  ExternalPolicy policy_;
  AskPolicy asking_;
  /// Of a question that can be asked again: its time, and whether it was too short.
  std::optional<std::chrono::milliseconds> attempt_;
  bool attemptFailed_ = false;
  unsigned attemptsMade_ = 0; ///< at the question that feasibleOrLater left last
  std::unique_ptr<ExternalServer> externals_;
  std::shared_ptr<const expr::Model> opening_; ///< the last model found for another result
  /// The numbers of the allocations that fail, ascending; none: as the options say (showsBug).
  std::optional<std::vector<uint32_t>> failing_;
  std::unique_ptr<class Builtins> builtins_;
};

} // namespace fathom::explore
#endif
