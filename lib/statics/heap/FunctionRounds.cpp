// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/heap/FunctionRounds.h"

#include "statics/front/Predicates.h"

#include <algorithm>

namespace fathom::statics::heap {

/// One more round of a loop; false: that is one too many.
bool FunctionRounds::enterRound(HeapState &state, BlockId header) {
  const auto round = std::ranges::find(state.rounds, header, &Round::header);
  if (round == state.rounds.end() || round->count > limits_.rounds) return false;
  // With one way through it, a round costs no more than other code.
  if (round->trace == state.trace && round->free < limits_.freeRounds && round->count == 0) {
    round->free++;
    return true;
  }
  round->trace = state.trace;
  if (++round->count > limits_.rounds) return false;
  if (round->count == limits_.rounds) forgetLoop(state, *round);
  return true;
}

const FunctionRounds::LoopWrites &FunctionRounds::globalsWrittenIn(BlockId header) {
  auto [known, isNew] = globalsWritten_.try_emplace(header);
  LoopWrites &out = known->second;
  if (!isNew) return out;
  const auto globalOf = [&](const Terms &theirs, TermId base) {
    if (!theirs.isInstance(base)) return kNoTerm;
    const Instance &object = theirs.instanceOf(base);
    const bool isGlobal = object.kind == Instance::Kind::Variable &&
                          facts_.objects[object.object].kind == ObjectKind::Global;
    return isGlobal ? addressOfObject(object.object) : kNoTerm;
  };
  for (uint32_t b = 0; b < function_.numBlocks; b++) {
    const Block &block = facts_.blocks[function_.firstBlock + b];
    for (StatementId id = block.firstStatement;
         shape_.isIn(header, function_.firstBlock + b) && id < block.end(); id++) {
      const Statement &s = facts_.statements[id];
      if (s.kind == StatementKind::Store) {
        const ValueId to = facts_.operandsOf(s)[0];
        if (facts_.values[to].address == kNone) continue;
        out.cells.emplace(out_->terms.addressOf(constantOf(to)), s.bytes);
      }
      if (s.kind != StatementKind::Call || facts_.calls[s.extra].summary) continue;
      for (const FunctionId callee : view_.pts.callees(s.extra)) {
        if (!view_.isOwn(callee)) continue;
        const FunctionEffects *effects = effectsOf_(callee);
        out.isAny = out.isAny || !effects;
        if (!effects) continue;
        for (const Effect &effect : effects->effects) {
          out.isAny = out.isAny || effect.areGlobalsForgotten;
          for (const Cell &cell : effect.cells)
            if (const TermId global = globalOf(effects->terms, cell.at.base);
                global != kNoTerm && cell.at.varying == kNoTerm)
              out.cells.insert({{global, kNoTerm, cell.at.offset}, cell.bytes});
          for (const TermId base : effect.forgotten)
            if (const TermId global = globalOf(effects->terms, base); global != kNoTerm)
              out.forgotten.insert(global);
        }
      }
    }
  }
  return out;
}

const std::optional<LoopSteps> &FunctionRounds::stepsOf(StatementId phi) {
  const auto [known, isNew] = steps_.try_emplace(phi);
  if (isNew) known->second = loopStepsOf(facts_, shape_, phi);
  return known->second;
}

const std::vector<LoopGuard> &FunctionRounds::guardsOf(StatementId phi) {
  const auto [known, isNew] = guards_.try_emplace(phi);
  const ValueId variable = facts_.statements[phi].result;
  if (isNew)
    known->second = loopGuardsOf(facts_, shape_, facts_.statements[phi].block, [&](ValueId value) {
      return addedTo(facts_, value, [&](ValueId v) { return v == variable; });
    });
  return known->second;
}

/// Those of a global variable.
const std::vector<LoopGuard> &FunctionRounds::guardsOfGlobal(BlockId header, const Address &at,
                                                             uint32_t bytes) {
  const ObjectId object = out_->terms.instanceOf(at.base).object;
  const auto [known, isNew] = globalGuards_.try_emplace({header, object, at.offset, bytes});
  const auto isIt = [&](ValueId value) {
    const StatementId id = facts_.values[value].definition;
    if (id == kNone || facts_.statements[id].kind != StatementKind::Load) return false;
    const Statement &load = facts_.statements[id];
    const uint32_t from = facts_.values[facts_.operandsOf(load)[0]].address;
    return from != kNone && facts_.addresses[from].object == object &&
           facts_.addresses[from].offset == at.offset && load.bytes == bytes &&
           shape_.isIn(header, load.block);
  };
  if (isNew)
    known->second = loopGuardsOf(facts_, shape_, header,
                                 [&](ValueId value) { return addedTo(facts_, value, isIt); });
  return known->second;
}

/// What the loop adds to a global variable each round; nullptr: it may do something else to it.
const LoopSteps *FunctionRounds::stepsOfGlobal(BlockId header, const Address &at, uint32_t bytes) {
  const Object *global = at.varying == kNoTerm ? variableOf(at.base) : nullptr;
  if (!global || global->kind != ObjectKind::Global || bytes < 4) return nullptr;
  const ObjectId object = out_->terms.instanceOf(at.base).object;
  const auto [known, isNew] = globalSteps_.try_emplace({header, object, at.offset, bytes});
  std::optional<LoopSteps> &steps = known->second;
  if (isNew) steps = loopStepsOf(facts_, shape_, header, object, at.offset, bytes);
  for (uint32_t b = 0; isNew && steps && b < function_.numBlocks; b++) {
    const Block &block = facts_.blocks[function_.firstBlock + b];
    if (!shape_.isIn(header, function_.firstBlock + b)) continue;
    for (StatementId id = block.firstStatement; id < block.end(); id++)
      if (facts_.statements[id].kind == StatementKind::Call && isGlobalWritten(at.base, id))
        steps.reset();
  }
  return steps ? &*steps : nullptr;
}

/// From here on, nothing is known of what the loop changes, but how it does: its rounds are not
/// told apart.
void FunctionRounds::forgetLoop(HeapState &state, const Round &round) {
  const Block &block = facts_.blocks[round.header];
  Terms &terms = out_->terms;
  std::vector<std::pair<StatementId, TermId>> stepped; // phis, and what they were before the loop
  size_t i = 0;
  for (StatementId s = block.firstStatement; s < block.end(); s++) {
    const Statement &phi = facts_.statements[s];
    if (!isPhi(phi)) break;
    TermId &value = state.values[phi.result - function_.firstValue];
    const bool isSame = i < round.phis.size() && round.phis[i] == value;
    i++;
    if (isSame || value == kNoTerm) continue;
    const TermId before = i <= round.phis.size() ? round.phis[i - 1] : kNoTerm;
    const std::optional<LoopSteps> &steps = stepsOf(s);
    const Value &variable = facts_.values[phi.result];
    if (before != kNoTerm && steps) stepped.emplace_back(s, before);
    if (before != kNoTerm && variable.isPointer && staysInObject(state, before, value, s, steps))
      continue;
    state.escape(terms, value);
    value = before == kNoTerm || variable.isPointer
                ? unknown(Origin::Round, s)
                : afterSteps(state, before, s, variable.bits, steps);
  }
  const auto beforeOf = [&](const Cell &cell) -> const Cell * {
    const auto before = std::ranges::find_if(*round.cells, [&](const Cell &old) {
      return old.at == cell.at && old.bytes == cell.bytes;
    });
    return before == round.cells->end() ? nullptr : &*before;
  };
  // Pointers first: whether they leave a text depends on bytes that are forgotten then.
  std::vector<bool> isKept(state.cells.size());
  for (size_t c = 0; c < state.cells.size(); c++) {
    Cell &cell = state.cells[c];
    const Cell *before = cell.isInput ? nullptr : beforeOf(cell);
    isKept[c] = cell.isInput || (before && before->value == cell.value) ||
                (before && cell.bytes == 8 && before->value != kNoTerm &&
                 terms.isInstance(terms.addressOf(before->value).base) &&
                 staysInObject(state, before->value, cell.value, block.firstStatement, {}));
  }
  for (size_t c = 0; c < state.cells.size(); c++) {
    if (isKept[c]) continue;
    state.escape(terms, state.cells[c].value);
    state.cells[c].value = unknown(Origin::Round, block.firstStatement, state.cells[c].bytes);
    state.addPartlyWritten(state.cells[c].at.base); // more rounds may write other elements
  }
  const LoopWrites &writes = globalsWrittenIn(round.header);
  if (writes.isAny) forgetGlobals(state, kNone);
  for (const TermId base : writes.forgotten) state.forget(terms, base, /*escapes=*/true);
  std::vector<Cell> counted; // with what they held before the loop
  for (const auto &[at, bytes] : writes.cells) {
    const Cell *cell = state.find(at, bytes);
    if (cell) state.escape(terms, cell->value);
    const Cell *before = beforeOf({.at = at, .bytes = bytes});
    const LoopSteps *steps = before ? stepsOfGlobal(round.header, at, bytes) : nullptr;
    state.write(terms, at, bytes,
                steps ? afterSteps(state, before->value, block.firstStatement,
                                   static_cast<uint8_t>(8 * bytes), *steps)
                      : unknown(Origin::Round, block.firstStatement, bytes));
    if (steps) counted.push_back(*before);
  }
  for (const auto &[phi, before] : stepped) {
    const ValueId variable = facts_.statements[phi].result;
    boundByGuards(state, round, guardsOf(phi), *stepsOf(phi), valueOf(state, variable), before);
  }
  for (const Cell &before : counted)
    boundByGuards(state, round, guardsOfGlobal(round.header, before.at, before.bytes),
                  *stepsOfGlobal(round.header, before.at, before.bytes),
                  read(state, before.at, before.bytes, block.firstStatement), before.value);
}

/// The value, if it is the same in all rounds; kNoTerm: that is not known. Memory has been told
/// from what the rounds change.
TermId FunctionRounds::sameInRounds(HeapState &state, const Round &round, ValueId value,
                                    unsigned depth) {
  constexpr unsigned kMaxDepth = 6;
  if (facts_.values[value].function != id_) return constantOf(value);
  const StatementId at = facts_.values[value].definition;
  if (at == kNone) return valueOf(state, value);
  const Statement &s = facts_.statements[at];
  if (!shape_.isIn(round.header, s.block)) return valueOf(state, value);
  if (depth >= kMaxDepth) return kNoTerm;
  Terms &terms = out_->terms;
  std::vector<TermId> operands;
  if (isPhi(s)) {
    const StatementId first = facts_.blocks[round.header].firstStatement;
    const bool isSame = s.block == round.header && at - first < round.phis.size() &&
                        round.phis[at - first] == valueOf(state, value);
    return isSame ? valueOf(state, value) : kNoTerm;
  }
  for (const ValueId operand : facts_.operandsOf(s)) {
    operands.push_back(sameInRounds(state, round, operand, depth + 1));
    if (operands.back() == kNoTerm) return kNoTerm;
    operands.back() = state.constraints.simplified(terms, operands.back());
  }
  switch (s.kind) {
  case StatementKind::Address: return addressOfObject(s.extra);
  case StatementKind::Load: {
    const Address from = terms.addressOf(operands[0]);
    const Cell *cell = state.find(from, s.bytes);
    if (!cell || terms.numberOf(from.base)) return kNoTerm;
    const auto before = std::ranges::find_if(*round.cells, [&](const Cell &old) {
      return old.at == from && old.bytes == s.bytes && old.value == cell->value;
    });
    return cell->isInput || before != round.cells->end() ? cell->value : kNoTerm;
  }
  case StatementKind::Gep: {
    const Move &move = facts_.moves[s.extra];
    return move.strides.empty() ? terms.sum(operands[0], move.constant) : kNoTerm;
  }
  case StatementKind::Arithmetic:
    if (s.operation == Operation::Other || operands.empty() || facts_.values[s.result].bits == 0 ||
        (s.operation >= Operation::UDiv && s.operation <= Operation::SRem))
      return kNoTerm;
    return terms.operation(
        s.operation, operands[0], operands.size() > 1 ? operands[1] : Terms::kZero,
        facts_.values[s.result].bits, facts_.values[facts_.operandsOf(s)[0]].bits);
  default: return kNoTerm;
  }
}

/// What is known of a sum or product with numbers is known of what it is computed from.
void FunctionRounds::addFact(HeapState &state, TermId term, Constraints::Bounds bounds) {
  const Terms &terms = out_->terms;
  const Term &t = terms[term];
  const auto n = t.kind == TermKind::Operation ? terms.numberOf(t.b) : std::nullopt;
  const auto moved = [](int64_t bound, auto &&by) {
    return bound == INT64_MIN || bound == INT64_MAX ? bound : by(bound);
  };
  constexpr int64_t kFar = int64_t(1) << 40;
  if (n && t.operation == Operation::Add && std::abs(*n) < kFar)
    return addFact(state, t.a,
                   {moved(bounds.low, [&](int64_t b) { return b - *n; }),
                    moved(bounds.high, [&](int64_t b) { return b - *n; })});
  const auto floored = [&](int64_t b) { return b >= 0 ? b / *n : -((-b + *n - 1) / *n); };
  if (n && t.operation == Operation::Mul && *n > 0)
    return addFact(
        state, t.a,
        {moved(bounds.low, [&](int64_t b) { return -floored(-b); }), moved(bounds.high, floored)});
  if (!terms.isSymbol(term)) return;
  const Constraints::Bounds known = state.constraints.boundsOf(terms, term);
  if (std::max(known.low, bounds.low) <= std::min(known.high, bounds.high))
    state.constraints.addFact(terms, term, bounds);
}

/// A later round began because each one before it passed its guards: they bound the variable.
void FunctionRounds::boundByGuards(HeapState &state, const Round &round,
                                   const std::vector<LoopGuard> &guards, const LoopSteps &steps,
                                   TermId value, TermId before) {
  if (steps.isOften) return;
  for (const LoopGuard &guard : guards) {
    const TermId bound = sameInRounds(state, round, guard.bound, 0);
    if (bound == kNoTerm) continue;
    boundBy(state, guard, steps, value, before, state.constraints.simplified(out_->terms, bound));
  }
}

void FunctionRounds::boundBy(HeapState &state, const LoopGuard &guard, const LoopSteps &steps,
                             TermId value, TermId before, TermId bound) {
  Terms &terms = out_->terms;
  constexpr int64_t kFar = int64_t(1) << 40;
  // As numbers: of a pointer, those of its places in its object.
  const Address of = terms.addressOf(value), to = terms.addressOf(bound);
  const bool isPlace = facts_.values[guard.value].isPointer;
  std::optional<int64_t> number = state.constraints.numberOf(terms, bound);
  TermId varying = value;
  Constraints::Bounds begin = state.constraints.boundsOf(terms, before);
  if (isPlace) {
    const Address first = terms.addressOf(before);
    const bool isSame = of.base == to.base && of.base == first.base && of.varying != kNoTerm;
    number = isSame && to.varying == kNoTerm ? std::optional(to.offset - of.offset) : std::nullopt;
    varying = of.varying;
    const int64_t offset = first.offset - of.offset;
    begin = first.varying == kNoTerm ? Constraints::Bounds{offset, offset} : Constraints::Bounds{};
  }
  if (number && std::abs(*number) > kFar) number.reset();
  Predicate predicate = guard.predicate;
  if (predicate == Predicate::Unequal && number) {
    // It cannot step over the number.
    if (!steps.mayFall && steps.most == 1 && begin.high <= *number - guard.added)
      predicate = Predicate::Less;
    else if (!steps.mayRise && steps.least == -1 && begin.low >= *number - guard.added &&
             begin.low != INT64_MIN)
      predicate = Predicate::Greater;
  }
  const bool isAbove = predicate == Predicate::Less || predicate == Predicate::LessEqual;
  const bool isBelow = predicate == Predicate::Greater || predicate == Predicate::GreaterEqual;
  if (!isAbove && !isBelow) return;
  const bool isStrict = predicate == Predicate::Less || predicate == Predicate::Greater;
  const int64_t behind = (isAbove ? steps.most : steps.least) - guard.added;
  const bool isUnsigned = !guard.isSigned && guard.predicate != Predicate::Unequal && !isPlace;
  if (number) {
    if (isUnsigned && (*number < 0 || isBelow)) return;
    if (isAbove)
      addFact(state, varying,
              {isUnsigned ? steps.least - guard.added : INT64_MIN, *number + behind - isStrict});
    else
      addFact(state, varying, {*number + behind + isStrict, INT64_MAX});
    return;
  }
  if (behind != 0 && !(isStrict && behind == (isAbove ? 1 : -1))) return;
  if (behind != 0) predicate = isAbove ? Predicate::LessEqual : Predicate::GreaterEqual;
  const auto asCompared = [&](auto &&self, ValueId v) -> TermId {
    const StatementId at = facts_.values[v].definition;
    if (at == kNone || isPhi(facts_.statements[at])) return value;
    const Statement &s = facts_.statements[at];
    if (s.kind == StatementKind::Load) return value;
    const ValueId operand = facts_.operandsOf(s)[0];
    const TermId inner = self(self, operand);
    const bool isWidened = s.operation == Operation::SExt || s.operation == Operation::ZExt;
    return s.kind == StatementKind::Arithmetic && isWidened
               ? terms.operation(s.operation, inner, kNoTerm, facts_.values[s.result].bits,
                                 facts_.values[operand].bits)
               : inner;
  };
  Constraints with = state.constraints;
  const TermId holds = terms.compare(predicate, guard.isSigned, asCompared(asCompared, guard.value),
                                     bound, guard.bits);
  if (with.assume(terms, holds, kNone, /*byAccess=*/true)) state.constraints = std::move(with);
}

/// Any global variable may have been written that `by` may write (isGlobalWritten), and whatever
/// global variables lead to.
void FunctionRounds::forgetGlobals(HeapState &state, StatementId by) {
  const Terms &terms = out_->terms;
  std::vector<TermId> changed;
  const auto add = [&](TermId base) {
    const bool isKept = variableOf(base) && isInputBase(base) && !isGlobalWritten(base, by);
    if (!isKept && (changed.empty() || changed.back() != base)) changed.push_back(base);
    return isKept;
  };
  for (const Cell &cell : state.cells)
    if (terms.isInstance(cell.at.base) && isInputBase(cell.at.base) && add(cell.at.base) &&
        cell.bytes == 8)
      add(terms.addressOf(cell.value).base);
  state.forget(terms, std::move(changed), /*escapes=*/true);
  state.areGlobalsForgotten = true;
  state.pure.clear();
}

} // namespace fathom::statics::heap
