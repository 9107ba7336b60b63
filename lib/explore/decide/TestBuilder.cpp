// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/decide/TestBuilder.h"

#include "evidence/Input.h"
#include "evidence/LedgerCategory.h"
#include "explore/decide/SecondRun.h"
#include "explore/decide/Symbols.h"
#include "explore/decide/Witnesses.h"
#include "expr/SmtLibScript.h"

#include <algorithm>
#include <unordered_set>

namespace fathom::explore {

using evidence::LedgerCategory;

TestCase TestBuilder::buildTest(State &s, const expr::Model &model, EndKind end, int status,
                                const std::string &why) {
  TestCase t;
  if (&model == s.witness.get())
    witnesses_.evaluator.setModel(model, s.witnessVersion);
  else
    witnesses_.evaluator.setModel(model, nextModelVersion());
  auto fill = [&](auto &bytes, const std::vector<ExprPtr> &terms) {
    for (size_t i = 0; i < terms.size(); i++)
      if (terms[i])
        bytes[i] = static_cast<std::remove_reference_t<decltype(bytes[0])>>(
            witnesses_.evaluator.eval(terms[i]));
  };
  auto cut = [&](auto &bytes, ExprPtr length) { // to those that count
    if (length) bytes.resize(std::min<uint64_t>(bytes.size(), witnesses_.evaluator.eval(length)));
  };
  for (const RecordedInput *in : s.inputs.items()) {
    evidence::Input v{in->id, in->bytes};
    fill(v.data, in->terms);
    cut(v.data, in->length);
    if (in->id.kind == evidence::InputKind::Argument)
      v.data.resize(
          static_cast<size_t>(std::find(v.data.begin(), v.data.end(), 0) - v.data.begin()));
    t.inputs.push_back(std::move(v));
  }
  // What is no input: results of external functions, lengths; nor is unwritten memory.
  std::unordered_set<ExprPtr> hidden;
  for (const State::Result *r : s.results.items()) hidden.insert(r->symbol);
  std::unordered_map<ExprPtr, ExprPtr> lengths; // of those that have one
  for (const State::Sized *sized : s.lengths.items()) {
    if (sized->symbol) lengths[sized->symbol] = sized->length;
    if (sized->array) hidden.insert(sized->array); // the size of the input tells it
  }
  for (const ExprPtr *symbol : s.symbols.items())
    if (!hidden.contains(*symbol) && !(*symbol)->has(expr::kHasUninit)) {
      std::vector<uint8_t> bytes = model.bytes(*symbol);
      if (auto length = lengths.find(*symbol); length != lengths.end()) cut(bytes, length->second);
      t.symbols.push_back({symbols_.nameOf(*symbol), std::move(bytes)});
    }
  for (const OutputChunk *o : s.output.items()) {
    std::string bytes = o->bytes;
    fill(bytes, o->terms);
    cut(bytes, o->length);
    (o->fd == 2 ? t.stderrData : t.stdoutData) += bytes;
  }
  t.end = end;
  t.status = status;
  t.trace.count = s.traceCount;
  t.trace.hash = s.traceHash;
  if (s.traceCheckpoints) t.trace.checkpoints = *s.traceCheckpoints;
  t.instructions = s.instructions;
  t.decisions = s.forks;
  t.why = why;
  t.usesExternal = s.usesExternal;
  for (const uint32_t *number : s.failedAllocations.items()) t.failedAllocations.push_back(*number);
  t.usesUninit = s.unwritten.anySettled();
  t.path = end == EndKind::Partial ? ~s.identity : s.identity; // it may go on elsewhere
  return t;
}

void TestBuilder::traceInput(const State &s, TestCase &test) {
  if (!s.isMerged) return;
  constexpr uint64_t kMore = 1'000'000; // as some of those that were merged can be much longer
  RunOnInput run{.symbols = test.symbols,
                 .failedAllocations = test.failedAllocations,
                 .maxInstructions = 10 * s.instructions + kMore,
                 .until = nullptr,
                 .endsInBug = test.end == EndKind::Bug};
  const SecondRunResult again = runAgain(services_, std::move(run));
  if (again.end) {
    test.trace = again.end->trace;
    test.instructions = again.end->instructions;
    test.decisions = again.end->decisions;
  } else {
    ledger_.add(LedgerCategory::MergedTest, "", "the trace of a merged path's test is not known");
  }
}

std::string TestBuilder::pathAsSmtLib(State &s, const solver::PathCondition &path,
                                      ExprPtr condition, const expr::Model &model) {
  std::vector<ExprPtr> constraints = path.constraints(), symbols;
  if (condition) constraints.push_back(condition);
  for (const ExprPtr *symbol : s.symbols.items()) symbols.push_back(*symbol);
  return expr::smtLibScript(constraints, symbols, model);
}

} // namespace fathom::explore
