// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What library functions do to ranges of bytes and texts, and what their results say of these.
#ifndef FATHOM_STATICS_HEAP_FUNCTIONBUFFERS_H
#define FATHOM_STATICS_HEAP_FUNCTIONBUFFERS_H

#include "statics/heap/FunctionChecks.h"

namespace fathom::statics::heap {

class FunctionBuffers : protected FunctionChecks {
protected:
  using FunctionChecks::FunctionChecks;

  // Ranges of bytes (BufferTransfer.cpp).
  struct BufferEffect {
    TermId length = kNoTerm;   ///< the result
    TermId text = kNoTerm;     ///< the length of the text afterwards
    TermId most = kNoTerm;     ///< the result is no larger
    TermId mostText = kNoTerm; ///< nor than this
    bool isToday = false;      ///< the time that is asked about is the one that time told
  };
  TermId textLength(HeapState &state, TermId pointer, StatementId id);
  void checkRange(HeapState &state, Check use, TermId bytes, StatementId call = kNone);
  void checkTextRead(HeapState &state, StatementId at, TermId text, StatementId call = kNone);
  BufferEffect useBuffers(HeapState &state, StatementId id, const BufferCall &call);
  void applyBuffers(HeapState &state, StatementId id, const BufferCall &call,
                    const BufferEffect &effect);
  void copy(HeapState &state, StatementId id, const Summary &summary);
  void fill(HeapState &state, StatementId id);

  // Results (ResultTransfer.cpp). Each works on after[i], and appends ways of their own.
  void splitByCall(std::vector<HeapState> &after, size_t i, StatementId id,
                   const LibraryFunction &known, const BufferEffect &effect);
  bool learnEqualText(HeapState &state, TermId result, StatementId id);

private:
  void returnOrFail(std::vector<HeapState> &after, size_t i, StatementId id);
  void splitByResult(std::vector<HeapState> &after, size_t i, StatementId id);
  bool learnCharacter(HeapState &state, StatementId id);
  void splitByCharacter(std::vector<HeapState> &after, size_t i, StatementId id);
  void limitByFormat(HeapState &state, StatementId id, int8_t formatAt);
  void tellTime(HeapState &state, StatementId id);
  bool isToday(HeapState &state, TermId pointer, StatementId id);
  std::optional<std::string> literalAt(HeapState &state, ValueId pointer);
};

} // namespace fathom::statics::heap
#endif
