// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes external functions as operations of terms (expr/ExternalOperation.h): in child processes
// (native/ExternalRunner.h), once for each input; what came of it is remembered. A function that
// crashes, hangs, exits or writes where it should not takes its process with it, and that is its
// result.
//
// Of the operation that belongs to a signature:
//
//   input   the arguments, 8 bytes each; the addresses of the blocks of memory, 8 bytes each; the
//           blocks' bytes, one after the other
//   output  a status (ExternalStatus); where a returned pointer points: 0 null, n + 1 into block n,
//           255 into the library's own memory; 8 bytes: the value returned, of a pointer into a
//           block the offset in it; the bytes of all blocks that are written
//
// The result of a stateful function depends on the calls before it. Its application stands for the
// whole sequence: its input ends with the inputs of all earlier calls on the path, oldest first,
// and all of these calls are executed in a fresh process. So it is a function of the inputs like
// any other, under every witness.
//
// Little-endian, as everything here.
#ifndef FATHOM_EXPLORE_EXTERNAL_EXTERNALSERVER_H
#define FATHOM_EXPLORE_EXTERNAL_EXTERNALSERVER_H

#include "explore/Options.h"
#include "expr/ExternalOperation.h"
#include "expr/RowHost.h"
#include "native/ExternalRunner.h"

#include <array>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace fathom::explore {

enum class ExternalStatus : uint8_t {
  Returned,
  Crashed,
  Exited,
  TimedOut,
  WroteOutside,   ///< beside the memory that it was given
  ForeignPointer, ///< it returned a pointer to something else, and is not stateful
  NotFound,       ///< no library that was named has it
  NotRun          ///< there is nothing to execute it with
};
inline constexpr unsigned kExternalStatuses = 8;
/// "crashed", "ended the process", ...
const char *text(ExternalStatus status);

struct ExternalSignature {
  struct Block {
    uint64_t size = 0;
    bool written = false;
  };
  std::string function;
  bool ofProgram = false; ///< it has a body in the program: executed by the variant that has it
  /// Each call runs in a process of its own, so that the next call sees none of its effects.
  bool apart = false;
  bool stateful = false;
  /// The function keeps no state, as its description or its code says (program/PureFunctions.h).
  bool isPure = false;
  /// A search, too, has to execute each call in a process of its own; otherwise it would mostly see
  /// wrong results.
  bool searchedApart = false;
  std::vector<native::ExternalType> arguments; ///< Integer, Double or Float
  uint64_t strings = 0; ///< bit i: argument i (below 64) is read as a string wherever it points
  native::ExternalType result = native::ExternalType::Void;
  bool returnsPointer = false;
  std::vector<Block> blocks;
  int errnoBlock = -1; ///< the block that is the program's errno; -1: none is
  /// stateful: the calls before it, oldest first. Their own `before` is empty.
  std::vector<std::shared_ptr<const ExternalSignature>> before;

  uint64_t addressAt(size_t block) const { return 8 * (arguments.size() + block); }
  uint64_t contentsAt(size_t block) const; ///< in the input
  uint64_t resultsAt(size_t block) const;  ///< in the output; the block is written
  /// Of the input without those of `before`; never none.
  uint64_t ownBytes() const { return std::max<uint64_t>(contentsAt(blocks.size()), 1); }
  uint64_t inputBytes() const;
  uint64_t outputBytes() const { return resultsAt(blocks.size()); }
  static constexpr uint64_t kStatusAt = 0, kBlockAt = 1, kValueAt = 2, kFixed = 10;
  static constexpr uint8_t kForeignBlock = 255; ///< at kBlockAt
  std::string name() const;                     ///< different for different signatures
};

/// What went wrong in a function, with the input on which it did.
struct ExternalFault {
  std::string function;
  ExternalStatus status = ExternalStatus::Crashed;
  int detail = 0;        ///< signal or exit status
  std::string arguments; ///< readable: "(7, \"ab\", 0x1.8p+1)"
};

struct ExternalStats {
  uint64_t executed = 0;   ///< calls in a child
  uint64_t remembered = 0; ///< answered without
  uint64_t validated = 0, disagreements = 0;
  double seconds = 0;
  std::array<uint64_t, kExternalStatuses> byStatus{};
};

class ExternalServer {
public:
  explicit ExternalServer(const ExploreOptions &options);
  ~ExternalServer();

  /// The operation of this signature: always the same one. It lives as long as it is used, but
  /// works only as long as this server.
  std::shared_ptr<expr::ExternalOperation> operation(const ExternalSignature &signature);
  /// Fixes the operation's output for this input: it is not executed for it any more.
  void remember(expr::ExternalOperation &operation, std::span<const uint8_t> in,
                std::span<const uint8_t> out);
  /// Executes the operation once more, in a fresh process. True: it gives this output again.
  bool validate(expr::ExternalOperation &operation, std::span<const uint8_t> in,
                std::span<const uint8_t> out);
  /// Returns what went wrong since the last call, at most a few faults of each function. Empties
  /// the list.
  std::vector<ExternalFault> takeFaults();
  /// If the operation's execution on this input went wrong: its signal or exit status.
  int detail(const expr::ExternalOperation &operation, std::span<const uint8_t> in) const;
  const ExternalStats &stats() const { return stats_; }

private:
  class Operation;
  class Rows;
  Rows *rowsOf(bool ofProgram);
  void execute(const ExternalSignature &signature, std::span<const uint8_t> in,
               std::span<uint8_t> out, bool apart);
  void executeAll(const ExternalSignature &signature, std::span<const uint8_t> in,
                  std::span<uint8_t> out, size_t count);
  native::ExternalRunner *runner(bool ofProgram, bool stateful = false);
  void noteFault(const ExternalSignature &signature, std::span<const uint8_t> in,
                 ExternalStatus status, int detail);

  const ExploreOptions &options_;
  std::unique_ptr<native::ExternalRunner> host_, program_;
  /// These only ever fork: where a library's memory lies is the same in every run.
  std::unique_ptr<native::ExternalRunner> statefulHost_, statefulProgram_;
  std::unique_ptr<Rows> hostRows_, programRows_;
  std::unordered_map<std::string, std::shared_ptr<Operation>> operations_;
  std::unordered_map<std::string, unsigned> hangs_; ///< by function
  std::vector<ExternalFault> faults_;
  std::unordered_map<std::string, unsigned> faultsOf_;
  int lastDetail_ = 0;
  ExternalStats stats_;
};

} // namespace fathom::explore
#endif
