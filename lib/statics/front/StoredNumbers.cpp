// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/front/StoredNumbers.h"

#include <algorithm>
#include <set>

namespace fathom::statics {

namespace {

constexpr size_t kMaxNumbers = 8; ///< of one variable

class StoredNumbers {
public:
  explicit StoredNumbers(Facts &facts)
      : facts_(facts), found_(facts.objects.size()), least_(facts.objects.size()) {}

  void run(const std::vector<ObjectId> &visible) {
    for (ObjectId o = 0; o < facts_.objects.size(); o++) start(o);
    for (const InitialPointer &pointer : facts_.initial) {
      drop(objectOf(pointer.value));
      drop(pointer.object); // it holds a pointer
    }
    for (const ObjectId object : visible) drop(object);
    for (const Statement &s : facts_.statements) look(s);
    for (ObjectId o = 0; o < facts_.objects.size(); o++) {
      facts_.objects[o].numbers.assign(found_[o].begin(), found_[o].end());
      facts_.objects[o].least = least_[o];
    }
  }

private:
  /// With what it holds at the start.
  void start(ObjectId id) {
    const Object &object = facts_.objects[id];
    const bool isNumber =
        object.bytes == 1 || object.bytes == 2 || object.bytes == 4 || object.bytes == 8;
    if (object.kind != ObjectKind::Global || object.isConstant || !object.isInitialKnown ||
        !isNumber)
      return;
    int64_t first = 0;
    const auto initial = facts_.initialNumbers.lower_bound({id, 0});
    if (initial != facts_.initialNumbers.end() && initial->first.first == id) {
      if (initial->first.second != 0 || initial->second.bytes != object.bytes) return;
      first = initial->second.value;
    }
    found_[id] = {first};
    if (object.bytes >= 4) least_[id] = first; // others wrap around soon
  }

  ObjectId objectOf(ValueId value) const {
    const uint32_t address = facts_.values[value].address;
    return address == kNone ? kNone : facts_.addresses[address].object;
  }

  void drop(ObjectId object) {
    if (object == kNone) return;
    found_[object].clear();
    least_[object].reset();
  }

  void look(const Statement &s) {
    const auto operands = facts_.operandsOf(s);
    for (size_t i = 0; i < operands.size(); i++) {
      const ObjectId object = objectOf(operands[i]);
      if (object == kNone || (found_[object].empty() && !least_[object])) continue;
      const bool isAccess =
          i == 0 && (s.kind == StatementKind::Load || s.kind == StatementKind::Store);
      const bool isWhole = facts_.addresses[facts_.values[operands[i]].address].offset == 0 &&
                           s.bytes == facts_.objects[object].bytes;
      if (!isAccess || !isWhole)
        drop(object);
      else if (s.kind == StatementKind::Store)
        store(object, operands[1]);
    }
  }

  void store(ObjectId object, ValueId value) {
    std::set<int64_t> stored;
    const bool isKnown = add(value, stored, 0);
    std::set<int64_t> &found = found_[object];
    if (!found.empty()) found.insert(stored.begin(), stored.end());
    if (!isKnown || found.size() > kMaxNumbers) found.clear();
    if (!isKnown && !isMore(value, object))
      least_[object].reset();
    else if (least_[object] && !stored.empty())
      least_[object] = std::min(*least_[object], *stored.begin());
  }

  /// What the variable holds and a constant more?
  bool isMore(ValueId value, ObjectId object) const {
    const StatementId at = facts_.values[value].definition;
    if (at == kNone) return false;
    const Statement &s = facts_.statements[at];
    const auto operands = facts_.operandsOf(s);
    int64_t by = 0;
    if (s.kind == StatementKind::Gep && facts_.moves[s.extra].strides.empty())
      by = facts_.moves[s.extra].constant; // 64 bits may be a pointer
    else if (s.kind == StatementKind::Arithmetic && s.operation == Operation::Add)
      if (const auto number = facts_.numbers.find(operands[1]); number != facts_.numbers.end())
        by = number->second;
    const StatementId from = by > 0 ? facts_.values[operands[0]].definition : StatementId(kNone);
    if (from == kNone) return false;
    const Statement &load = facts_.statements[from];
    return load.kind == StatementKind::Load && objectOf(facts_.operandsOf(load)[0]) == object;
  }

  /// Adds the numbers that the value may be; false: they are not known.
  bool add(ValueId value, std::set<int64_t> &out, unsigned depth) const {
    constexpr unsigned kMaxDepth = 6;
    if (value == kNullValue) return out.insert(0), true;
    if (const auto number = facts_.numbers.find(value); number != facts_.numbers.end())
      return out.insert(number->second), true;
    const StatementId at = facts_.values[value].definition;
    if (at == kNone || depth >= kMaxDepth) return false;
    const Statement &s = facts_.statements[at];
    const auto operands = facts_.operandsOf(s);
    if (s.kind == StatementKind::Copy && s.bytes != kPart)
      return !operands.empty() && std::ranges::all_of(operands, [&](ValueId operand) {
        return add(operand, out, depth + 1);
      });
    const bool isTruth = s.kind == StatementKind::Arithmetic && s.operation == Operation::ZExt &&
                         facts_.values[operands[0]].bits == 1;
    if (isTruth) out.insert({0, 1});
    return isTruth;
  }

  Facts &facts_;
  std::vector<std::set<int64_t>> found_;      ///< by object; empty: not known
  std::vector<std::optional<int64_t>> least_; ///< likewise
};

} // namespace

void findStoredNumbers(Facts &facts, const std::vector<ObjectId> &visible) {
  StoredNumbers(facts).run(visible);
}

} // namespace fathom::statics
