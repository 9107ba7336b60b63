// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of foreign functions, executed in a child process of their own: a crash, a hang or an exit
// there is a result, not our end. The process is tools/fathom-native-helper, for functions of the
// host's libraries, or the variant of a program that executes its own (program/FunctionsVariant.h).
//
//   ExternalRunner runner({.helper = "build/bin/fathom-native-helper",
//                          .libraries = {"libm.so.6"}});
//   ExternalResult r = runner.call(
//       "pow", {ExternalArgument::real(2), ExternalArgument::real(10)}, ExternalType::Double, 1s);
//
// Follows the C calling convention of x86-64 Linux. The child keeps the libraries' state between
// calls until something goes wrong; a call apart sees the state as it was when the child started.
#ifndef FATHOM_NATIVE_EXTERNALRUNNER_H
#define FATHOM_NATIVE_EXTERNALRUNNER_H

#include "native/Process.h"
#include "native/SharedMemory.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace fathom::native {

/// As fathom_external_type in runtime/native/external.h. Buffer: the function gets a pointer to
/// memory. Block: memory that is only there, for pointers to point into.
enum class ExternalType : uint32_t { Void, Integer, Double, Float, Buffer, Block };

struct ExternalArgument {
  ExternalType type = ExternalType::Integer;
  uint64_t bits = 0;           ///< Integer, Double, Float: the register's contents
  std::vector<uint8_t> buffer; ///< Buffer, Block: what the function leaves there comes back
  /// The buffer's address in the child, so that pointers to it are the same there. 0: any. The
  /// child must not use the buffer's pages itself.
  uint64_t address = 0;

  static ExternalArgument integer(uint64_t bits) { return {ExternalType::Integer, bits, {}, 0}; }
  static ExternalArgument real(double value);
  static ExternalArgument single(float value);
  static ExternalArgument bytes(std::vector<uint8_t> buffer) {
    return {ExternalType::Buffer, 0, std::move(buffer), 0};
  }
  static ExternalArgument block(uint64_t address, std::vector<uint8_t> bytes) {
    return {ExternalType::Block, 0, std::move(bytes), address};
  }
};

struct ExternalResult {
  enum class Kind : uint8_t {
    Done,
    Crash,  ///< signal
    Exited, ///< the function ended its process with this status
    Timeout,
    WroteOutside, ///< beside the memory that it was given, in a page of it
    NotFound,     ///< no library has a function of this name
    Failed        ///< the helper cannot run at all: error
  };
  static constexpr unsigned kKinds = 7;
  Kind kind = Kind::Failed;
  uint64_t integer = 0;                      ///< result type Integer: all 64 bits of the register
  double real = 0;                           ///< Double, Float
  uint64_t realBits = 0;                     ///< the same as it is in the register
  int status = 0;                            ///< signal, exit status
  std::vector<std::vector<uint8_t>> buffers; ///< per Buffer and Block, in order
  std::string error;
};

struct ExternalRunnerOptions {
  std::string helper; ///< path of fathom-native-helper
  std::vector<std::string>
      libraries; ///< dlopened in this order; functions of the host's libc are found too
  uint64_t memoryBytes = uint64_t(256) << 20;
};

class ExternalRunner {
public:
  explicit ExternalRunner(ExternalRunnerOptions options) : options_(std::move(options)) {}
  ~ExternalRunner();

  /// Starts the helper when none runs; after a crash, an exit or a timeout the next call starts a
  /// new one. Errors are kinds of the result. Threads: one call at a time.
  ExternalResult call(const std::string &name, const std::vector<ExternalArgument> &arguments,
                      ExternalType result, std::chrono::milliseconds timeout, bool apart = false);
  struct Call {
    std::string name;
    std::vector<ExternalArgument> arguments;
    ExternalType result = ExternalType::Void;
    int errnoMemory = -1; ///< which Buffer or Block is the caller's errno, in and out; -1: none
  };
  ExternalResult call(const Call &call, std::chrono::milliseconds timeout, bool apart);
  /// Executes the calls in order, in a process of their own that begins as the child was at its
  /// start: each sees what the ones before it have left in the library. Returns the result of the
  /// last call, or of the first that did not return.
  /// \param timeout  For all calls together.
  ExternalResult callInTurn(std::span<const Call> calls, std::chrono::milliseconds timeout);
  /// Many calls of one function, in one exchange with the child.
  struct Many {
    std::string name;
    std::vector<ExternalType> arguments; ///< Integer, Double or Float
    std::vector<uint64_t> blocks;        ///< sizes
    int errnoMemory = -1;                ///< as Call's
    uint64_t inputBytes() const; ///< words of the arguments, addresses of the blocks, their bytes
    uint64_t replyBytes() const; ///< ManyReply, and the blocks' bytes
  };
  struct ManyReply {
    ExternalResult::Kind kind;
    uint64_t integer, realBits;
  };
  /// \param in       inputBytes() for each call.
  /// \param out      replyBytes() for each call: a ManyReply, and the bytes of all blocks as the
  /// function
  ///                 left them.
  /// \returns        how many calls, from the first on, were answered. The next one may be the one
  /// that
  ///                 crashed or hung: call() tells.
  size_t callMany(const Many &many, std::span<const uint8_t> in, std::span<uint8_t> out,
                  size_t calls, std::chrono::milliseconds timeout);
  /// A program for the child. It evaluates rows of bytes, many in one exchange (expr/RowHost.h says
  /// what for): for each row, compiled code computes the input of a function, the function is
  /// called, and so on; at last, code computes the row's distances. Implemented in
  /// ExternalRows.cpp.
  struct Rows {
    struct Block {
      uint64_t address = 0, bytes = 0;
      bool written = false;
    };
    struct Operation {
      std::string name;
      std::vector<ExternalType> arguments; ///< Integer, Double or Float
      /// Bit i: argument i must be a string in one of `blocks`; the call counts as a crash if it
      /// points elsewhere.
      uint64_t strings = 0;
      ExternalType result = ExternalType::Void;
      bool returnsPointer = false;
      int errnoMemory = -1; ///< as Call's
      std::vector<Block> blocks;
      std::span<const uint8_t> input; ///< arguments, addresses, contents of the blocks
      std::span<const std::pair<uint32_t, uint32_t>> copied; ///< place in it, offset in the row
      std::span<const uint32_t> computed; ///< places in it of what the code computes
      uint64_t code = 0;                  ///< where that begins
      uint64_t resultAt = 0;              ///< in the row
      uint64_t outputBytes = 0; ///< status, block, 8 bytes of value, written blocks (external.h)
    };
    std::vector<Operation> operations;
    std::span<const uint8_t> code; ///< position-independent
    uint64_t distancesCode = 0; ///< where in `code` the function begins that computes the distances
    uint64_t rowBytes = 0;      ///< size of a row, with the results of operations
    uint64_t distances = 0;     ///< branch distances per row, one word for each constraint
  };
  /// Starts the helper when none runs. False: the child does not have one of the functions, or no
  /// room.
  bool loadRows(const Rows &rows);
  struct RowsRun {
    size_t rows = 0;     ///< evaluated, from the first on; may be fewer than asked for
    bool failed = false; ///< in the next one the process ended, hung or wrote beside its memory
  };
  /// Evaluates rows, after loadRows.
  /// \param rows       count rows of Rows::rowBytes; the results of operations are filled in.
  /// \param distances  Rows::distances words for each row.
  /// \param timeout    For each call of a function.
  RowsRun runRows(uint8_t *rows, size_t count, uint64_t *distances,
                  std::chrono::milliseconds timeout);
  /// Starts so far, the first included.
  unsigned starts() const { return starts_; }

private:
  std::string start();
  ExternalResult exchange(std::span<const Call> calls, std::chrono::milliseconds timeout,
                          bool apart);
  ExternalResult afterFailure(bool timedOut);
  bool sendLoad();
  enum class RowsEnd { Done, WroteOutside, Failed };
  RowsEnd runBatch(uint8_t *rows, size_t count, uint64_t *distances,
                   std::chrono::milliseconds timeout, size_t &reached);

  ExternalRunnerOptions options_;
  std::optional<Child> child_;
  int socket_ = -1;
  unsigned starts_ = 0;
  uint64_t requests_ = 0;   // so far; a reply has the number of its request
  SharedMemory shared_;     // of rows
  bool rowsLoaded_ = false; // in the child that runs now
  // What of the shared memory this side needs to know, whatever the child writes there.
  struct {
    size_t rowsAt = 0, rowBytes = 0, distancesAt = 0, distances = 0, fit = 0;
  } rowsPlace_;
  size_t rowsAtOnce_ = 0; // size of the next batch, from how long earlier rows took
};

} // namespace fathom::native
#endif
