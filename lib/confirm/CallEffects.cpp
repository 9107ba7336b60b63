// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/CallEffects.h"

#include <algorithm>
#include <string_view>

namespace fathom::confirm {

using namespace statics;

namespace {

/// Variables beyond this size would be many unknown bytes.
constexpr uint64_t kMaxVariableBytes = 4096;

/// It changes nothing of the program's memory but errno.
bool isHarmless(const Function &f) { return f.known && f.known->isHarmless; }

/// It writes what arguments lead to, and does nothing else.
bool onlyWrites(const Summary &s) {
  return s.allocates == Allocates::Nothing && !s.freed && s.calls < 0 && !s.callsContents &&
         !s.endsPath && !s.allocatesInto;
}

bool comesBackOnce(std::string_view name) {
  constexpr std::string_view kTwice[] = {"setjmp",      "_setjmp", "__setjmp", "sigsetjmp",
                                         "__sigsetjmp", "fork",    "_Fork",    "vfork"};
  return std::ranges::find(kTwice, name) == std::end(kTwice);
}

/// What is found out of one function of the program's own.
struct Own {
  bool isSimple = true;
  SparseBits written; ///< objects
};

class OwnEffects {
public:
  OwnEffects(const program::Program &program, const PointsTo &pts, const ModRef &modRef)
      : program_(program), pts_(pts), facts_(pts.facts), modRef_(modRef),
        own_(pts.facts.functions.size()) {}

  /// A fixpoint: what is not simple, and what is written, only grows.
  void run() {
    for (bool changes = true; changes;) {
      changes = false;
      for (FunctionId f = 0; f < own_.size(); ++f)
        if (facts_.functions[f].isOwn && own_[f].isSimple) changes |= update(f);
    }
  }
  const Own &of(FunctionId f) const { return own_[f]; }
  /// False: what it may write is more than variables without pointers.
  bool variablesOf(FunctionId f, std::vector<uint32_t> &out) const {
    bool all = true;
    own_[f].written.forEach([&](ObjectId object) { all = all && addVariable(object, out); });
    std::ranges::sort(out);
    return all;
  }

private:
  bool update(FunctionId f) {
    Own now;
    now.isSimple = facts_.functions[f].hasBody && pts_.isReached(f);
    const Function &function = facts_.functions[f];
    SparseBits frame;
    for (BlockId b = function.firstBlock; b < function.firstBlock + function.numBlocks; ++b)
      for (StatementId i = 0; i < facts_.blocks[b].numStatements && now.isSimple; ++i) {
        const Statement &s = facts_.statements[facts_.blocks[b].firstStatement + i];
        if (s.kind == StatementKind::Store) addWritten(s, now);
        if (s.kind == StatementKind::Address && facts_.objects[s.extra].kind == ObjectKind::Stack)
          frame.insert(s.extra);
        if (s.kind == StatementKind::Call) addCall(s, now);
      }
    if (!modRef_.isRecursive(f)) now.written.subtract(frame); // gone when it has returned
    Own &known = own_[f];
    const bool changes = now.isSimple != known.isSimple || !(now.written == known.written);
    known = std::move(now);
    return changes;
  }

  void addWritten(const Statement &s, Own &own) {
    pts_.sets[modRef_.statementMod(s)].forEach(
        [&](LocationId location) { own.written.insert(pts_.locations.objectOf(location)); });
  }

  void addCall(const Statement &s, Own &own) {
    const CallSite &site = facts_.calls[s.extra];
    std::vector<FunctionId> callees = pts_.callees(s.extra);
    if (site.callee != kNone && std::ranges::find(callees, site.callee) == callees.end())
      callees.push_back(site.callee);
    if (callees.empty()) own.isSimple = false; // assembly, or a pointer to nothing that is known
    for (FunctionId callee : callees) {
      const Function &f = facts_.functions[callee];
      const Summary *summary = site.summary ? site.summary : f.summary;
      if (f.isOwn) {
        own.isSimple &= own_[callee].isSimple;
        own.written.unite(own_[callee].written);
      } else if (summary && onlyWrites(*summary)) {
        addWritten(s, own);
      } else if (!isHarmless(f)) {
        own.isSimple = false;
      }
    }
  }

  bool addVariable(ObjectId object, std::vector<uint32_t> &out) const {
    const Object &o = pts_.objects[object];
    const auto known = program_.globalIndex.find(o.name);
    if (o.kind != ObjectKind::Global || known == program_.globalIndex.end()) return false;
    const program::Global &variable = program_.globals[known->second];
    if (!variable.own || variable.constant || variable.threadLocal ||
        variable.sizeBytes > kMaxVariableBytes)
      return false;
    const LocationId first = pts_.locations.first(object);
    for (uint32_t leaf = 0; leaf < pts_.locations.leaves(object); ++leaf)
      if (!pts_.contents(first + leaf).empty()) return false;
    out.push_back(known->second);
    return true;
  }

  const program::Program &program_;
  const PointsTo &pts_;
  const Facts &facts_;
  const ModRef &modRef_;
  std::vector<Own> own_;
};

bool givesANumber(const program::FunctionCode &f) {
  if (!f.retSlots) return true;
  return f.retSlots == 1 && f.foreignResult == program::ForeignType::Integer &&
         f.retWidthBits > 0 && f.retWidthBits <= 64;
}

bool givesAPointer(const program::FunctionCode &f) {
  return f.retSlots == 1 && f.foreignResult == program::ForeignType::Pointer;
}

} // namespace

void CallEffects::findLines(const program::Program &program, const PointsTo &pts,
                            const ModRef &modRef, WriteSets &sets) {
  const Facts &facts = pts.facts;
  std::unordered_map<SetId, uint32_t> numbers;
  for (FunctionId id = 0; id < facts.functions.size(); ++id) {
    const Function &f = facts.functions[id];
    const auto at = program.functionIndex.find(f.name);
    if (at == program.functionIndex.end() || !f.isOwn || !f.hasBody || !pts.isReached(id)) continue;
    for (BlockId b = f.firstBlock; b < f.firstBlock + f.numBlocks; ++b)
      for (StatementId i = 0; i < facts.blocks[b].numStatements; ++i) {
        const Statement &s = facts.statements[facts.blocks[b].firstStatement + i];
        if (s.kind != StatementKind::Store && s.kind != StatementKind::Call) continue;
        const auto [number, isNew] =
            numbers.try_emplace(modRef.statementMod(s), static_cast<uint32_t>(writes_.size()));
        if (isNew) writes_.push_back(sets.of(number->first));
        atLines_[at->second][facts.places[s.place].line].push_back(number->second);
      }
  }
}

Writes CallEffects::writesAt(uint32_t function, const std::vector<uint32_t> &lines) const {
  std::vector<uint32_t> numbers;
  const auto addLine = [&](uint32_t line) {
    const auto known = atLines_[function].find(line);
    if (known == atLines_[function].end()) return;
    numbers.insert(numbers.end(), known->second.begin(), known->second.end());
  };
  addLine(0);
  for (const uint32_t line : lines) addLine(line);
  makeSet(numbers);
  Writes out;
  for (const uint32_t number : numbers) out.add(writes_[number]);
  return out;
}

CallEffects::CallEffects(const program::Program &program, const PointsTo &pts, const ModRef &modRef)
    : effects_(program.functions.size()), hasEffect_(program.functions.size()),
      known_(program.functions.size()), pointees_(findPointees(program, pts)),
      atLines_(program.functions.size()) {
  OwnEffects found(program, pts, modRef);
  found.run();
  WriteSets sets(program, pts);
  findLines(program, pts, modRef, sets);
  for (FunctionId id = 0; id < pts.facts.functions.size(); ++id) {
    const Function &f = pts.facts.functions[id];
    const auto at = program.functionIndex.find(f.name);
    if (at == program.functionIndex.end()) continue;
    const uint32_t function = at->second;
    const program::FunctionCode &code = program.functions[function];
    known_[function] = pts.isReached(id);
    CallEffect &effect = effects_[function];
    if (givesANumber(code)) {
      std::vector<uint32_t> &variables = effect.writes.variables;
      effect.isExact =
          f.isOwn ? found.of(id).isSimple && found.variablesOf(id, variables) : isHarmless(f);
      if (!effect.isExact) variables.clear();
    }
    hasEffect_[function] =
        effect.isExact || ((givesANumber(code) || givesAPointer(code)) && comesBackOnce(f.name) &&
                           (f.summary ? onlyWrites(*f.summary) : f.hasBody && pts.isReached(id)));
    if (effect.isExact || !hasEffect_[function]) continue;
    effect.isByLine = f.summary != nullptr;
    if (!effect.isByLine) effect.writes = sets.of(modRef.mod(id));
  }
}

} // namespace fathom::confirm
