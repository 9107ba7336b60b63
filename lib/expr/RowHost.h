// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows evaluated where external operations are executed. A search that tries a million assignments
// cannot ask another process about each operation of each; so it gives that process what lies
// between the operations too, as machine code (jit/TermCompiler.h), and a request is about as many
// rows as it likes.
#ifndef FATHOM_EXPR_ROWHOST_H
#define FATHOM_EXPR_ROWHOST_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace fathom::expr {

class ExternalOperation;

/// How a row is evaluated: the applications in their order, then the distances: one word for each
/// constraint of a search, 0 where it holds. What the program refers to must live until the next
/// RowHost::load.
struct RowProgram {
  struct Application {
    ExternalOperation *operation = nullptr;
    std::span<const uint8_t> input; ///< With the bytes that are the same in all rows,
    std::vector<std::pair<uint32_t, uint32_t>> copied; ///< place in it, offset in the row;
    std::vector<uint32_t> computed; ///< places in it, of the values of `function`.
    size_t function = 0;            ///< Of `functions`; counts where something is computed.
    uint32_t resultsAt = 0;         ///< In the row.
  };
  std::vector<Application> applications;
  std::span<const uint8_t> code;   ///< Runs wherever it lies; calls nothing.
  std::vector<uint64_t> functions; ///< Places in the code; the first one: the distances.
  size_t rowBytes = 0, distances = 0;
};

class RowHost {
public:
  virtual ~RowHost() = default;

  /// Replaces the program loaded before. False: this one cannot be run here (an operation of
  /// another process, too much memory).
  virtual bool load(const RowProgram &program) = 0;

  struct Run {
    size_t rows = 0;     ///< Evaluated, from the first on.
    bool failed = false; ///< The next row made the process crash, hang or write beside its memory.
    bool noted = false;  ///< An operation of the next one gave something that is to be noted.
  };
  /// `rows`: count rows, whose results of operations are filled in. `distances`: program.distances
  /// words for each. May evaluate fewer, so that the caller can look at the clock. After `failed`
  /// and `noted` the next one is to be evaluated with ExternalOperation::applyAll, which notes what
  /// happens; then it goes on here.
  virtual Run run(uint8_t *rows, size_t count, uint64_t *distances) = 0;
};

} // namespace fathom::expr
#endif
