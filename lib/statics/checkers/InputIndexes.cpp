// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes of the program's input that index an array, where nothing compares them: a pixel that is an
// index into a palette, a code of a compressed file. The byte may have any value of its type, so
// the array has to have an element for each. It has not if its size is known and smaller, or if the
// input decides the size, too.
//
// A comparison of the byte anywhere in the function is taken for a check, and so is one of another
// read of the same byte or variable, and of what is computed from it with constants. What was
// checked before it was stored is not seen to be. So a report is only made where every object that
// the array may be is too small.
#include "evidence/BugKind.h"
#include "statics/checkers/Checkers.h"
#include "support/NumberText.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace fathom::statics {

namespace {

class InputIndexChecker {
public:
  explicit InputIndexChecker(CheckContext &context)
      : context_(context), view_(context.view), facts_(view_.facts), flow_(view_.flow) {}

  void run() {
    for (FunctionId f = 0; f < facts_.functions.size(); f++) {
      const Function &function = facts_.functions[f];
      if (!view_.isOwn(f) || !view_.pts.isReached(f) || !function.numBlocks) continue;
      const auto [first, end] = facts_.statementsOf(function);
      for (StatementId s = first; s < end && !context_.time.isOver(); s++)
        if (const auto index = indexOf(s)) look(s, *index);
    }
  }

private:
  /// A byte of memory as an index.
  struct Index {
    ValueId byte;                 ///< as it is loaded
    std::vector<ValueId> widened; ///< the byte, and what it becomes on its way to the index
    uint64_t greatest = 255;
  };

  /// A load or store of the element, or of a member of it.
  struct Access {
    StatementId at;
    int64_t offset; ///< in the element
  };

  /// What the statement indexes an array by, if that is a byte.
  std::optional<Index> indexOf(StatementId id) const {
    const Statement &s = facts_.statements[id];
    if (s.kind != StatementKind::Gep || s.numOperands != 2) return std::nullopt;
    if (facts_.moves[s.extra].strides.size() != 1) return std::nullopt;
    Index out;
    for (ValueId value = facts_.operandsOf(s)[1];;) {
      out.widened.push_back(value);
      const StatementId at = facts_.values[value].definition;
      if (at == kNone) return std::nullopt;
      const Statement &by = facts_.statements[at];
      if (by.kind == StatementKind::Load) {
        out.byte = value;
        if (by.bytes == 1 && facts_.values[value].bits == 8) return out;
        return std::nullopt;
      }
      const bool isWidened = by.operation == Operation::ZExt || by.operation == Operation::SExt;
      if (by.kind != StatementKind::Arithmetic || !isWidened || by.numOperands != 1)
        return std::nullopt;
      value = facts_.operandsOf(by)[0];
      // Negative ones come before the array: nothing is said of them here.
      if (by.operation == Operation::SExt && facts_.values[value].bits == 8) out.greatest = 127;
    }
  }

  void look(StatementId gep, const Index &index) {
    const Statement &s = facts_.statements[gep];
    if (isCompared(gep, index)) return;
    // One element, one report: of its first write, or else of its first read.
    std::vector<Access> all;
    const auto addUsers = [&](ValueId address, int64_t offset) {
      for (const StatementId user : view_.users(address)) {
        const Statement &access = facts_.statements[user];
        if (access.kind != StatementKind::Load && access.kind != StatementKind::Store) continue;
        if (facts_.operandsOf(access)[0] == address) all.push_back({user, offset});
      }
    };
    addUsers(s.result, 0);
    for (const StatementId user : view_.users(s.result)) {
      const Statement &member = facts_.statements[user];
      if (member.kind == StatementKind::Gep && facts_.moves[member.extra].strides.empty())
        addUsers(member.result, facts_.moves[member.extra].constant);
    }
    std::erase_if(all, [&](const Access &access) { return !isOutside(gep, index, access); });
    if (all.empty()) return;
    std::ranges::sort(all, {}, [&](const Access &access) {
      const bool writes = facts_.statements[access.at].kind == StatementKind::Store;
      return std::pair(!writes, access.at);
    });
    if (const std::optional<StatementId> &input = inputOf(index.byte))
      report(gep, index, all, *input);
  }

  /// The address of the variable that the value is loaded from, or computed from with constants.
  std::optional<ValueId> loadedFrom(ValueId value) const {
    constexpr unsigned kMaxSteps = 6;
    for (unsigned step = 0; step < kMaxSteps; step++) {
      const StatementId at = facts_.values[value].definition;
      if (at == kNone) return std::nullopt;
      const Statement &s = facts_.statements[at];
      const auto operands = facts_.operandsOf(s);
      if (s.kind == StatementKind::Load) return operands[0];
      const bool isOfOne =
          s.kind == StatementKind::Arithmetic &&
          (operands.size() == 1 || (operands.size() == 2 && facts_.numbers.contains(operands[1])));
      if (!isOfOne) return std::nullopt;
      value = operands[0];
    }
    return std::nullopt;
  }

  bool isCompared(StatementId gep, const Index &index) {
    const FunctionId f = view_.functionOf(gep);
    ValueNumbers &numbers = view_.ways(f).numbers;
    std::vector<ValueId> same;
    for (const ValueId value : index.widened) same.push_back(numbers.leader(value));
    const std::optional<ValueId> variable = loadedFrom(index.byte);
    // What is computed from the same variable: it may have been changed by what is known of it.
    const auto isSame = [&](ValueId value) {
      if (std::ranges::find(same, numbers.leader(value)) != same.end()) return true;
      const std::optional<ValueId> from = variable ? loadedFrom(value) : std::nullopt;
      return from && numbers.leader(*from) == numbers.leader(*variable);
    };
    const auto [first, end] = facts_.statementsOf(facts_.functions[f]);
    for (StatementId id = first; id < end; id++) {
      const Statement &s = facts_.statements[id];
      const bool looks =
          s.kind == StatementKind::Compare || (s.kind == StatementKind::Branch && s.extra != kNone);
      if (!looks) continue;
      for (const ValueId operand : facts_.operandsOf(s))
        if (facts_.values[operand].function != kNone && isSame(operand)) return true;
    }
    return false;
  }

  /// The offset of the greatest element, from the pointer that is indexed.
  uint64_t lastOffset(StatementId gep, const Index &index, const Access &access) const {
    const Move &move = facts_.moves[facts_.statements[gep].extra];
    return index.greatest * move.strides[0] +
           static_cast<uint64_t>(std::max<int64_t>(move.constant + access.offset, 0));
  }

  bool isOutside(StatementId gep, const Index &index, const Access &access) {
    const ValueId array = facts_.operandsOf(facts_.statements[gep])[0];
    return tooSmall(array, lastOffset(gep, index, access) + facts_.statements[access.at].bytes) !=
           kNone;
  }

  /// One of the objects that the pointer may point to, if each is smaller, or as large as the input
  /// says; kNone: not all are, or nothing is known of one.
  ObjectId tooSmall(ValueId pointer, uint64_t bytes) {
    const PointsTo &pts = view_.pts;
    std::vector<ObjectId> objects;
    uint64_t offset = 0;
    if (const Value &value = facts_.values[pointer]; value.function != kNone) {
      pts.of(pointer).forEach([&](LocationId l) { objects.push_back(pts.locations.objectOf(l)); });
    } else if (value.address != kNone) {
      objects.push_back(facts_.addresses[value.address].object);
      offset = static_cast<uint64_t>(std::max<int64_t>(facts_.addresses[value.address].offset, 0));
    }
    const bool areAll = std::ranges::all_of(objects, [&](ObjectId id) {
      const Object &object = pts.objects[id];
      const bool isArray = object.kind == ObjectKind::Global || object.kind == ObjectKind::Stack ||
                           object.kind == ObjectKind::Heap;
      return isArray && (object.bytes ? offset + bytes > object.bytes : sizeComesFromInput(object));
    });
    return areAll && !objects.empty() ? objects.back() : kNone;
  }

  bool sizeComesFromInput(const Object &object) {
    if (object.kind != ObjectKind::Heap || object.site == kNone) return false;
    const Statement &s = facts_.statements[object.site];
    if (s.kind != StatementKind::Call) return false;
    const Summary *summary = view_.summaryOf(facts_.calls[s.extra]);
    if (!summary) return false;
    const auto operands = facts_.operandsOf(s);
    return std::ranges::any_of(std::array{summary->timesAt, summary->bytesAt}, [&](int8_t at) {
      return at >= 0 && static_cast<size_t>(at) < operands.size() &&
             inputOf(operands[static_cast<size_t>(at)]).has_value();
    });
  }

  /// The call that reads the input from which the value comes.
  const std::optional<StatementId> &inputOf(ValueId value) {
    const auto [known, isNew] = inputs_.try_emplace(value);
    if (!isNew || facts_.values[value].function == kNone) return known->second;
    FlowSearch back(view_, {.states = 4000, .forward = false});
    back.begin(value);
    std::optional<StatementId> &out = known->second;
    back.run([&](const FlowSearch::State &, FlowNode, FlowKind, uint32_t) { return !out; },
             [&](uint32_t state) {
               if (!out && isRead(back[state].node)) out = flow_.definition(back[state].node);
               return !out;
             });
    context_.cut += back.isCut && !out;
    return out;
  }

  /// Is it a character that a library function returns, or memory that one fills, from the input?
  bool isRead(FlowNode node) const {
    if (flow_.isTransfer(node)) return false;
    const StatementId at = flow_.definition(node);
    if (at == kNone) return false;
    const Statement &s = facts_.statements[at];
    if (s.kind != StatementKind::Call || view_.callsOwn(s.extra)) return false;
    const LibraryFunction *known = view_.onlyKnownOf(facts_.calls[s.extra]);
    if (!known) return false;
    if (flow_.isValue(node)) return known->returnsCharacter;
    return known->readsInput && std::ranges::any_of(known->buffer.uses, [&](const BufferUse &use) {
             return use.writes && use.argument >= 0 &&
                    isPartOf(node, s, static_cast<uint32_t>(use.argument));
           });
  }

  /// Is what the argument points to in this version of memory?
  bool isPartOf(FlowNode version, const Statement &call, uint32_t argument) const {
    if (argument >= call.numOperands) return false;
    const MemorySsa &memory = flow_.memory(facts_.functionOf(call));
    const SparseBits &region = view_.pts.sets[memory.regions[flow_.version(version).region]];
    return view_.pts.of(facts_.operandsOf(call)[argument]).intersects(region);
  }

  /// \param all  accesses outside; the first is told.
  void report(StatementId gep, const Index &index, const std::vector<Access> &all,
              StatementId input) {
    const StatementId sink = all.front().at;
    const Statement &s = facts_.statements[sink];
    const uint64_t last = lastOffset(gep, index, all.front());
    const ValueId pointer = facts_.operandsOf(facts_.statements[gep])[0];
    const Object &array = view_.pts.objects[tooSmall(pointer, last + s.bytes)];
    const bool writes = s.kind == StatementKind::Store;
    Report out;
    out.kind = writes ? evidence::BugKind::OutOfBoundsWrite : evidence::BugKind::OutOfBoundsRead;
    out.certainty = Certainty::May;
    const std::string name = view_.calleeName(facts_.calls[facts_.statements[input].extra]);
    out.steps.push_back(
        view_.step(input, StepRole::Origin, fmt::format("{} reads the input", name)));
    if (array.site != kNone) {
      const bool isHeap = array.kind == ObjectKind::Heap;
      out.steps.push_back(view_.step(array.site, isHeap ? StepRole::Allocates : StepRole::Declares,
                                     array.bytes ? "the array is made here"
                                                 : "the array is made here; the input decides "
                                                   "its size, too"));
    }
    out.steps.push_back(view_.step(sink, StepRole::Defect, "a byte of the input is the index"));
    out.message = fmt::format("{} of {} at offset up to {} of {}: a byte of the input is the "
                              "index, and nothing compares it",
                              writes ? "write" : "read", counted(s.bytes, "byte"), last,
                              array.bytes ? "an object of " + counted(array.bytes, "byte")
                                          : "a block that may be smaller");
    for (size_t i = 1; i < all.size(); i++)
      out.alsoAt.add(view_.step(all[i].at, StepRole::Defect, "the same element"));
    context_.reports.add(std::move(out));
  }

  CheckContext &context_;
  View &view_;
  const Facts &facts_;
  const ValueFlow &flow_;
  std::unordered_map<ValueId, std::optional<StatementId>> inputs_;
};

} // namespace

void checkInputIndexes(CheckContext &context) { InputIndexChecker(context).run(); }

} // namespace fathom::statics
