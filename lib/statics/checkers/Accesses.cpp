// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/checkers/Accesses.h"

#include <algorithm>

namespace fathom::statics {

const Accesses::Table &Accesses::of(FunctionId id) {
  auto [known, isNew] = tables_.try_emplace(id);
  Table &table = known->second;
  if (!isNew) return table;
  const Function &function = view_.facts.functions[id];
  ValueNumbers &numbers = view_.ways(id).numbers;
  for (BlockId b = function.firstBlock; b < function.firstBlock + function.numBlocks; b++) {
    const Block &block = view_.facts.blocks[b];
    for (StatementId at = block.firstStatement; at < block.end(); at++) {
      const Statement &s = view_.facts.statements[at];
      if (s.kind == StatementKind::Return) table.returns.push_back(at);
      const auto operands = view_.facts.operandsOf(s);
      for (uint32_t i = 0; i < operands.size(); i++) {
        const bool isAccess =
            view_.dereferences(at, i) ||
            (s.kind == StatementKind::Call && view_.facts.values[operands[i]].mayPoint &&
             alwaysAccesses(s.extra, i));
        if (isAccess)
          table.byPointer[numbers.base(operands[i])].try_emplace(b - function.firstBlock, at);
      }
    }
  }
  table.isMade = true;
  return table;
}

bool Accesses::alwaysAccesses(uint32_t call, uint32_t operand) {
  const std::vector<FunctionId> &callees = view_.pts.callees(call);
  return !callees.empty() && std::all_of(callees.begin(), callees.end(), [&](FunctionId id) {
    const Function &callee = view_.facts.functions[id];
    if (!callee.isOwn || !callee.hasBody || operand >= callee.parameters.size()) return false;
    // Recursion: not known yet, so no.
    if (const auto known = tables_.find(id); known != tables_.end() && !known->second.isMade)
      return false;
    return before(id, WayEnd::returns(), callee.parameters[operand]) != kNone;
  });
}

StatementId Accesses::above(FunctionId function, const FirstOfBlock &accesses, BlockId block,
                            StatementId limit) {
  const std::vector<uint32_t> &idom = view_.ways(function).dominators().idom;
  StatementId found = kNone;
  const uint32_t begin = block - view_.facts.functions[function].firstBlock;
  for (uint32_t b = begin; b != kNone; b = idom[b]) {
    const auto access = accesses.find(b);
    if (access != accesses.end() && (b != begin || access->second < limit)) found = access->second;
  }
  return found;
}

StatementId Accesses::before(FunctionId function, const WayEnd &end, ValueId pointer) {
  const Table &table = of(function);
  const auto known = table.byPointer.find(view_.ways(function).numbers.base(pointer));
  if (known == table.byPointer.end()) return kNone;
  if (!end.anyReturn) {
    if (end.statement == kNone) return above(function, known->second, end.from, kNone);
    return above(function, known->second, view_.facts.statements[end.statement].block,
                 end.statement);
  }
  StatementId found = kNone;
  for (const StatementId at : table.returns) {
    const StatementId access = above(function, known->second, view_.facts.statements[at].block, at);
    if (access == kNone) return kNone;
    if (found == kNone) found = access;
  }
  return found;
}

} // namespace fathom::statics
