// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How to explore. The scalar options are declared in Options.def; the rest is filled in by the
// tool.
#ifndef FATHOM_EXPLORE_OPTIONS_H
#define FATHOM_EXPLORE_OPTIONS_H

#include "explore/Results.h"
#include "explore/state/Seeds.h"
#include "solver/Chain.h"
#include "support/NameTable.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fathom::explore {

class HostFiles;
class InputSource;
class Policy;
class RemoteWorkers;
using PolicyMaker = std::function<std::unique_ptr<Policy>()>;

/// How the engine resolves a pointer that may point into several objects.
enum class Pointers : uint8_t { Fork, Concretize };
inline constexpr auto kPointersNames =
    nameTable<Pointers>({{"fork", Pointers::Fork}, {"concretize", Pointers::Concretize}});

/// The memory of a path that begins at a function, in place of what its callers would have made.
/// Objects: an object of fixed size for each pointer parameter. Lazy: unknown memory
/// (decide/AssumedMemory.h), whose pointers lead to objects of their own. LazyAliased: they may
/// also lead to the object of another pointer.
enum class EntryMemory : uint8_t { Objects, Lazy, LazyAliased };
inline constexpr auto kEntryMemoryNames =
    nameTable<EntryMemory>({{"objects", EntryMemory::Objects},
                            {"lazy", EntryMemory::Lazy},
                            {"lazy-aliased", EntryMemory::LazyAliased}});

/// When a path asks whether the other sides of a branch are feasible: at the branch; when a
/// searcher picks the side; or later where queries are expensive (policy/BranchCheckPolicy.h).
enum class BranchChecks : uint8_t { Eager, Lazy, Auto };
inline constexpr auto kBranchChecksNames = nameTable<BranchChecks>(
    {{"eager", BranchChecks::Eager}, {"lazy", BranchChecks::Lazy}, {"auto", BranchChecks::Auto}});

/// What is done with values that cross an external operation (external/ExternalPolicy.h).
enum class ExternalMode : uint8_t {
  Concretize,
  ConcretizeStrict,
  SymbolicReturn,
  Defer,
  DeferStrict
};
inline constexpr auto kExternalModeNames =
    nameTable<ExternalMode>({{"concretize", ExternalMode::Concretize},
                             {"concretize-strict", ExternalMode::ConcretizeStrict},
                             {"symbolic-return", ExternalMode::SymbolicReturn},
                             {"defer", ExternalMode::Defer},
                             {"defer-strict", ExternalMode::DeferStrict}});

/// The names of an enumeration among the options.
inline constexpr const auto &namesOf(Pointers) { return kPointersNames; }
inline constexpr const auto &namesOf(EntryMemory) { return kEntryMemoryNames; }
inline constexpr const auto &namesOf(BranchChecks) { return kBranchChecksNames; }
inline constexpr const auto &namesOf(ExternalMode) { return kExternalModeNames; }

class BranchProbability;

struct ExploreOptions {
#define FATHOM_OPTION(type, field, defaultValue, flag, help) type field = defaultValue;
#include "explore/Options.def"
#undef FATHOM_OPTION
  /// failAllocations, or its default if the user gave no value.
  bool failsAllocations() const { return failAllocations.value_or(!entry.empty()); }
  /// Blocks of symbolic size have room for so many bytes (decide/Sizes.h); 0: sizes are numbers.
  uint64_t symbolicSize = 0;
  /// Symbolic arguments, files and standard input of up to so many bytes have a symbolic length; 0:
  /// none has.
  uint64_t sizedInput = 0;
  unsigned jobs = 1;                    ///< worker processes of this machine; 0: only with `remote`
  std::chrono::milliseconds maxTime{0}; ///< 0: no bound
  /// maxTime and all other limits of time count steps (WorkClock::CountsSteps). For searches whose
  /// outcome is a verdict; only with one job.
  bool countsSteps = false;
  std::chrono::milliseconds solverTimeout{10000};
  uint64_t maxMemoryBytes = 0;                        ///< 0: no bound
  std::chrono::milliseconds checkpointInterval{5000}; ///< at least between two checkpoints
  solver::SolverOptions solver;
  /// The program's argument vector: argv[0] first, then concrete arguments and KLEE-style
  /// descriptions of symbolic input
  /// (--sym-args MIN MAX LEN ...), which runtime/posix interprets.
  std::vector<std::string> arguments;
  std::vector<std::string> environment; ///< NAME=VALUE
  std::string sandboxRoot = "/";        ///< Real files below it can be read by the program.
  std::string workingDirectory = ".";   ///< What the program believes to be its working directory's
                                        ///< real files (none when empty).
  std::string resultsFolder; ///< absolute; the program does not see it. Empty: there is none.
  /// Concrete standard input (differential tests); symbolic input is described in `arguments`.
  std::string stdinFile;
  std::vector<Seed> seeds;       ///< inputs whose paths are explored first
  InputSource *inputs = nullptr; ///< offers inputs while the exploration runs; null: there is none
  RemoteWorkers *remote = nullptr; ///< workers of other machines; null: there are none
  bool seesRemoteHost = false;     ///< the program sees the coordinator's machine
  HostFiles *host = nullptr;       ///< whose files the program sees; null: this machine's
  /// The policies that watch or change paths (policy/Policy.h), a maker for each. Every executor
  /// makes its own.
  std::vector<PolicyMaker> policies;
  /// Only these bug kinds are searched for and reported (empty: all); others just end the path.
  std::vector<evidence::BugKind> bugKinds;
  /// Is a bug of these kinds to be reported, judged by all but its test? Null: yes.
  std::function<bool(const Bug &)> wantsBug;
  /// Does the exploration end (StopReason::FirstBug)? Called with every bug where it is found, so
  /// that the work done until then does not depend on when the bug is delivered; and between turns,
  /// with null and the time since the exploration began. Null: the exploration goes on. Only with
  /// one job.
  std::function<bool(const Bug *, solver::Clock::duration)> endsWith;
  /// Does the ledger list paths that end by an error which is not among bugKinds, though a program
  /// mostly goes on after it (LedgerCategory::EarlierBug)?
  bool notesEarlierBugs = false;
  /// The ids of the functions that a function may call through pointers of its callers
  /// (AssumedMemory.h). If this is null or returns null: any function whose address is taken.
  std::function<const std::vector<uint32_t> *(uint32_t function)> unknownCallees;
  /// Estimated probabilities of branch sides; null: there are none. A side that is more probable
  /// than theta is taken without a query, and with assumesUnsat one that is less probable than 1 -
  /// theta is left.
  std::shared_ptr<const BranchProbability> odds;
  /// Shared libraries whose functions the program calls without having their code; executed by
  /// `nativeHelper` in a child.
  std::vector<std::string> libraries;
  std::string nativeHelper;
  /// The variant of the program that executes the program's own functions (externalFunctions).
  std::string functionsVariant;
  std::string externalEffectsText;                 ///< the contents of externalEffects
  std::chrono::milliseconds externalTimeout{1000}; ///< of one call of such a function
};

/// Does the program see the files of the working directory? With symbolic arguments it has only the
/// symbolic files: a symbolic name that happens to be a file of the folder that fathom was started
/// in would be a path that no replay can follow.
bool showsWorkingDirectory(const std::vector<std::string> &arguments);

/// Empty if the options are valid; otherwise one line that says what is wrong and what would be
/// right.
std::string validate(const ExploreOptions &options);

} // namespace fathom::explore
#endif
