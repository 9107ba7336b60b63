// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operation that terms have no meaning for and that can only be executed: a function without
// code, an instruction without a model. A term that applies one (Kind::Apply) has a value under
// every model of the inputs, found by executing it; so a value that depends on such an operation is
// a function of the inputs like any other, and arguments and results never contradict each other
// ("consistent concretization sets").
//
// Source: Pandey, Kotcharlakota, Roy: Deferred Concretization in Symbolic Execution via Fuzzing
// (ISSTA 2019), section 3.
#ifndef FATHOM_EXPR_EXTERNALOPERATION_H
#define FATHOM_EXPR_EXTERNALOPERATION_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace fathom::expr {

class RowHost;

class ExternalOperation {
public:
  /// name: what it is, with the layout of its bytes: two operations of one context that differ have
  /// different names. inputBytes, outputBytes: at least 1.
  ExternalOperation(std::string name, uint64_t inputBytes, uint64_t outputBytes)
      : name(std::move(name)), inputBytes(inputBytes), outputBytes(outputBytes) {}
  virtual ~ExternalOperation() = default;
  ExternalOperation(const ExternalOperation &) = delete;
  ExternalOperation &operator=(const ExternalOperation &) = delete;

  const std::string name;
  const uint64_t inputBytes, outputBytes;

  /// in.size() == inputBytes, out.size() == outputBytes. Total: whatever happens, `out` is filled,
  /// and equal inputs have equal outputs (an implementation remembers what it has executed).
  ///
  /// out[0] is the status by convention. It is 0 if the operation came to its end, and then the
  /// other bytes are its results. It is anything else if the operation crashed, hung or could not
  /// be executed. A path that goes on after an application constrains its status to 0, so no
  /// assignment on which the operation fails is a model.
  virtual void apply(std::span<const uint8_t> in, std::span<uint8_t> out) = 0;

  /// The same for `count` inputs one after the other; an operation that is executed in another
  /// process overrides it, to be asked once for all. Meant for searches: an operation with a state
  /// may give results that depend on the inputs before, so a caller that relies on a result calls
  /// apply() for it.
  virtual void applyAll(std::span<const uint8_t> in, std::span<uint8_t> out, size_t count) {
    for (size_t i = 0; i < count; ++i)
      apply(in.subspan(i * inputBytes, inputBytes), out.subspan(i * outputBytes, outputBytes));
  }

  /// apply() is going to be asked for these inputs: an operation that is executed in another
  /// process may do so now, for all of them at once.
  virtual void prepare(std::span<const uint8_t> in, size_t count) {}

  /// Whether its output depends on its input alone, whenever and wherever it is executed. Then a
  /// search that has executed all inputs proves which outputs do not occur.
  virtual bool isPure() const { return false; }

  /// The process that evaluates rows with this operation (RowHost.h; a row is an assignment as
  /// packed bytes, RowLayout.h); null: there is none. One process can evaluate all operations that
  /// have the same host.
  virtual RowHost *rowHost() { return nullptr; }

  /// C of a function `static void name(const u8 *in, u8 *out)` that executes it in the process that
  /// calls it; "": there is none. For programs that others run.
  virtual std::string cSource(const std::string &name) const { return ""; }
};

} // namespace fathom::expr
#endif
