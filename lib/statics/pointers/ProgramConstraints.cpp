// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts to constraints (ProgramConstraints.h): the program as a whole, missing code, one group for
// each function; statements, calls and summaries; copies of wrappers of allocators.
#include "statics/pointers/ProgramConstraints.h"

#include "statics/front/WrapperLimits.h"
#include "statics/pointers/Wrappers.h"

#include <algorithm>

namespace fathom::statics {

/// Parameters that are modelled of a function without code: as many as an ArgumentSet has bits.
static constexpr uint32_t kSummaryParameters = 8;
static_assert(kSummaryParameters == 8 * sizeof(ArgumentSet));
/// Arguments that a function gets which a library function calls (qsort's comparison, say).
static constexpr uint32_t kCallbackArguments = 4;

ProgramConstraints::ProgramConstraints(const Facts &facts)
    : facts_(facts), wrappers_(allocationWrappers(facts)), locations_(facts.layouts) {
  for (const Object &object : facts.objects) addObject(object);
  hasPointers_.resize(facts.objects.size());
  for (const InitialPointer &p : facts.initial) hasPointers_[p.object] = true;
  constants_ = numNodes_;
  numNodes_ += static_cast<uint32_t>(facts.addresses.size());
  for (uint32_t k = 0; k < kMaxExpanded / 8; k++) wordMoves_.push_back({int64_t(k) * 8, {}});
  numberMoves();
  groups_.resize(kFirstFunction + facts.functions.size());
  for (FunctionId f = 0; f < facts.functions.size(); f++) groups_[kFirstFunction + f].function = f;
  instanceBases_.resize(facts.functions.size());
  reached_.resize(facts.functions.size());
}

ObjectId ProgramConstraints::addObject(Object object) {
  const auto id = static_cast<ObjectId>(objects_.size());
  locations_.add(id, object.layout);
  while (contents_.size() < locations_.count()) contents_.push_back(newNode());
  readAnywhere_.push_back(locations_.leaves(id) > 1 ? newNode() : kNone);
  objects_.push_back(std::move(object));
  return id;
}

const Move &ProgramConstraints::move(uint32_t index) const {
  const size_t known = facts_.moves.size();
  return index < known ? facts_.moves[index] : wordMoves_[index - known];
}

void ProgramConstraints::numberMoves() {
  std::map<std::pair<int64_t, std::vector<uint64_t>>, uint32_t> known;
  const auto count = static_cast<uint32_t>(facts_.moves.size() + wordMoves_.size());
  for (uint32_t i = 0; i < count; i++)
    sameMove_.push_back(known.try_emplace({move(i).constant, move(i).strides}, i).first->second);
  noMove_ = sameMove_[moveByWords(0)];
}

uint32_t ProgramConstraints::moveByWords(uint32_t words) const {
  return static_cast<uint32_t>(facts_.moves.size()) + words;
}

void ProgramConstraints::setBase(GroupId group) {
  Instance &instance = groups_[group];
  if (instance.base != kNone) return;
  const Function &f = facts_.functions[instance.function];
  instance.base = numNodes_;
  numNodes_ += f.hasBody && !f.summary ? f.numValues : kSummaryParameters + 1;
}

NodeId ProgramConstraints::nodeOf(const Instance &instance, ValueId value) const {
  const Value &v = facts_.values[value];
  if (v.function != kNone) return instance.base + (value - facts_.functions[v.function].firstValue);
  return v.address == kNone ? kNone : constants_ + v.address;
}

Constraints ProgramConstraints::make(GroupId group) {
  Constraints out;
  if (group == kProgram)
    makeProgram(out);
  else if (group == kExternal)
    makeExternal(out);
  else
    makeFunction(group, out);
  return out;
}

void ProgramConstraints::makeProgram(Constraints &out) {
  for (uint32_t i = 0; i < facts_.addresses.size(); i++) {
    const ConstantAddress &to = facts_.addresses[i];
    out.addresses.push_back({constants_ + i, locations_.at(to.object, to.offset), /*isSole=*/true});
  }
  for (const InitialPointer &p : facts_.initial)
    out.copies.push_back({contents_[locations_.at(p.object, p.offset)],
                          constants_ + facts_.values[p.value].address});
  const NodeId outside = contents_[locations_.at(facts_.unknown, 0)];
  for (const ObjectId object : facts_.exported)
    out.addresses.push_back({outside, locations_.at(object, 0)});
  if (!facts_.exported.empty()) out.activates.push_back(kExternal);
  for (const FunctionId entry : facts_.entries) {
    const GroupId group = kFirstFunction + entry;
    setBase(group);
    for (const ValueId parameter : facts_.functions[entry].parameters)
      out.addresses.push_back(
          {nodeOf(groups_[group], parameter), locations_.at(facts_.environment, 0)});
    out.activates.push_back(group);
  }
}

/// Missing code may keep what it gets, store any of its values anywhere that it can reach, and call
/// any function that it has.
void ProgramConstraints::makeExternal(Constraints &out) {
  const LocationId unknown = locations_.at(facts_.unknown, 0);
  const NodeId all = contents_[unknown];
  out.addresses.push_back({all, unknown});
  const NodeId anywhere = moved(all, kAnywhere, out);
  out.loads.push_back({all, anywhere});
  out.stores.push_back({anywhere, all});
  out.calls.push_back({all, kNone, std::vector<NodeId>(kSummaryParameters, all), all});
}

void ProgramConstraints::makeFunction(GroupId group, Constraints &out) {
  setBase(group);
  const FunctionId id = groups_[group].function;
  const Function &f = facts_.functions[id];
  reached_[id] = true;
  if (f.summary) {
    const NodeId base = groups_[group].base;
    Constraints::Call call{.target = kNone, .arguments = {}, .result = base + kSummaryParameters};
    for (uint32_t i = 0; i < kSummaryParameters; i++) call.arguments.push_back(base + i);
    addSummary(*f.summary, call, f.allocated, 0, out);
    return;
  }
  instanceBases_[id].push_back(groups_[group].base);
  for (BlockId b = f.firstBlock; b < f.firstBlock + f.numBlocks; b++) {
    const Block &block = facts_.blocks[b];
    for (StatementId s = 0; s < block.numStatements; s++)
      addStatement(group, facts_.statements[block.firstStatement + s], out);
  }
}

/// REQUIRES: nothing else is put into `to`.
void ProgramConstraints::addGep(NodeId to, NodeId from, uint32_t by, Constraints &out) {
  if (by != kAnywhere) by = sameMove_[by];
  if (by == noMove_)
    out.copies.push_back({to, from, /*isSole=*/true});
  else
    out.geps.push_back({to, from, by, /*isSole=*/true});
}

NodeId ProgramConstraints::moved(NodeId from, uint32_t by, Constraints &out) {
  const NodeId to = newNode();
  addGep(to, from, by, out);
  return to;
}

void ProgramConstraints::addStatement(GroupId group, const Statement &s, Constraints &out) {
  if (s.kind == StatementKind::Call) return addCall(group, s, out);
  const Instance &in = groups_[group];
  const bool points = s.result != kNone && facts_.values[s.result].mayPoint;
  const NodeId result = points ? nodeOf(in, s.result) : kNone;
  const auto operands = facts_.operandsOf(s);
  auto operand = [&](unsigned i) {
    return facts_.values[operands[i]].mayPoint ? nodeOf(in, operands[i]) : kNone;
  };
  auto pointing = [&](size_t first) { // of the first operands, each once
    std::vector<NodeId> nodes;
    for (unsigned i = 0; i < first; i++)
      if (const NodeId node = operand(i);
          node != kNone && node != result &&
          std::find(nodes.begin(), nodes.end(), node) == nodes.end())
        nodes.push_back(node);
    return nodes;
  };
  switch (s.kind) {
  case StatementKind::Address:
    out.addresses.push_back({result, locations_.at(s.extra, 0), /*isSole=*/true});
    return;
  case StatementKind::Copy: {
    if (!points) return;
    const std::vector<NodeId> from = pointing(operands.size());
    for (const NodeId one : from) out.copies.push_back({result, one, from.size() == 1});
    return;
  }
  case StatementKind::Gep:
    if (points && operand(0) != kNone) addGep(result, operand(0), s.extra, out);
    return;
  case StatementKind::Arithmetic: {
    if (!points) return;
    const std::vector<NodeId> from = pointing(std::min<size_t>(s.extra, operands.size()));
    for (const NodeId one : from) out.geps.push_back({result, one, kAnywhere, from.size() == 1});
    return;
  }
  case StatementKind::Return:
    if (!operands.empty() && operand(0) != kNone)
      out.copies.push_back({nodeOf(in, facts_.functions[in.function].returned), operand(0)});
    return;
  case StatementKind::Load:
  case StatementKind::Store: return addAccess(in, s, out);
  default: return;
  }
}

void ProgramConstraints::addAccess(const Instance &in, const Statement &s, Constraints &out) {
  const auto operands = facts_.operandsOf(s);
  const bool isLoad = s.kind == StatementKind::Load;
  const ValueId moving = isLoad ? s.result : operands[1];
  if (moving == kNone || !facts_.values[moving].mayPoint || s.bytes < 8) return;
  const NodeId address = nodeOf(in, operands[0]), value = nodeOf(in, moving);
  if (address == kNone || value == kNone) return;
  // Structures and vectors in registers: word by word.
  const uint32_t words = s.bytes > kMaxExpanded ? 1 : static_cast<uint32_t>(s.bytes / 8);
  for (uint32_t k = 0; k < words; k++) {
    NodeId at = address;
    if (s.bytes > kMaxExpanded)
      at = moved(address, kAnywhere, out);
    else if (k > 0)
      at = moved(address, moveByWords(k), out);
    if (isLoad)
      out.loads.push_back({value, at, words == 1});
    else
      out.stores.push_back({at, value});
  }
}

void ProgramConstraints::addCall(GroupId group, const Statement &s, Constraints &out) {
  const CallSite &site = facts_.calls[s.extra];
  Constraints::Call call{.target = kNone, .site = s.extra};
  {
    const Instance &in = groups_[group];
    for (const ValueId argument : facts_.operandsOf(s))
      call.arguments.push_back(facts_.values[argument].mayPoint ? nodeOf(in, argument) : kNone);
    if (s.result != kNone && facts_.values[s.result].mayPoint) call.result = nodeOf(in, s.result);
    if (site.target != kNone) call.target = nodeOf(in, site.target);
  }
  if (site.summary) {
    ObjectId allocated = site.allocated;
    if (allocated != kNone && groups_[group].depth > 0) {
      Object copy = facts_.objects[allocated];
      // The object's type is the one that the wrapper's caller shows (0: none). If a wrapper such
      // as xmalloc is called through a table of pointers and its caller only keeps the memory, the
      // type that the wrapper itself shows is kept. If it is called directly, that type may be
      // another caller's (structureBehind), and the object has none.
      if (groups_[group].layout != 0 || !groups_[group].isBehindPointer)
        copy.layout = groups_[group].layout;
      copy.name = groups_[group].name;
      allocated = addObject(std::move(copy));
    }
    return addSummary(*site.summary, call, allocated, site.copiedBytes, out);
  }
  if (site.callee != kNone && facts_.functions[site.callee].hasBody)
    return bindGroup(instanceFor(group, site), call, out);
  if (site.target == kNone) return addExternal(call, out);
  if (call.target != kNone) out.calls.push_back(std::move(call));
}

GroupId ProgramConstraints::instanceFor(GroupId caller, const CallSite &site) {
  const GroupId shared = kFirstFunction + site.callee;
  const Instance &in = groups_[caller];
  if (!wrappers_[site.callee]) return shared;
  // A recursive call: one more instance for each would be as many as there are ways down.
  for (GroupId at = caller; at != kNone && groups_[at].depth > 0; at = groups_[at].caller)
    if (groups_[at].function == site.callee) return at;
  if (in.depth >= kMaxNestedWrappers) return shared;
  Instance made{.function = site.callee, .caller = caller, .depth = in.depth + 1};
  made.layout = site.resultLayout;
  if (in.depth == 0) {
    made.name = instanceName(site, site.callee);
  } else {
    made.name = in.name;
    // A caller that only keeps it does not say what it is; the wrapper that fills it in does.
    if (in.layout != 0) made.layout = in.layout;
  }
  groups_.push_back(std::move(made));
  return static_cast<GroupId>(groups_.size() - 1);
}

std::string ProgramConstraints::instanceName(const CallSite &site, FunctionId callee) const {
  const Statement &s = facts_.statements[site.statement];
  return facts_.functions[callee].name + "@" +
         (s.place ? facts_.text(s.place) : facts_.functions[facts_.functionOf(s)].name);
}

/// A wrapper whose address a program hands around as its allocator makes other memory for each
/// call, too. Beyond the bound, calls share one instance.
GroupId ProgramConstraints::instanceBehindPointer(uint32_t call, FunctionId callee) {
  const GroupId shared = kFirstFunction + callee;
  if (call == kNone || !wrappers_[callee] || facts_.calls[call].target == kNone) return shared;
  if (const auto known = behindPointers_.find({call, callee}); known != behindPointers_.end())
    return known->second;
  if (behindPointers_.size() >= kMaxWrapperCopies) return shared;
  const CallSite &site = facts_.calls[call];
  groups_.push_back({.function = callee,
                     .depth = 1,
                     .layout = site.resultLayout,
                     .isBehindPointer = true,
                     .name = instanceName(site, callee)});
  return behindPointers_[{call, callee}] = static_cast<GroupId>(groups_.size() - 1);
}

void ProgramConstraints::bindGroup(GroupId group, const Constraints::Call &call, Constraints &out) {
  setBase(group);
  const Instance &in = groups_[group];
  const Function &f = facts_.functions[in.function];
  out.activates.push_back(group);
  const bool summarised = f.summary != nullptr;
  const size_t named = summarised ? kSummaryParameters : f.parameters.size();
  for (size_t i = 0; i < call.arguments.size(); i++) {
    const NodeId argument = call.arguments[i];
    if (argument == kNone) continue;
    if (i >= named) {
      if (f.variadic != kNone)
        out.copies.push_back({contents_[locations_.at(f.variadic, 0)], argument});
    } else if (summarised) {
      out.copies.push_back({in.base + static_cast<NodeId>(i), argument});
    } else if (facts_.values[f.parameters[i]].mayPoint) {
      out.copies.push_back({nodeOf(in, f.parameters[i]), argument});
    }
  }
  if (call.result == kNone) return;
  if (summarised)
    out.copies.push_back({call.result, in.base + kSummaryParameters});
  else if (facts_.values[f.returned].mayPoint)
    out.copies.push_back({call.result, nodeOf(in, f.returned)});
}

Constraints ProgramConstraints::bind(const Constraints::Call &call, LocationId location) {
  Constraints out;
  const Object &object = objects_[locations_.objectOf(location)];
  if (object.kind == ObjectKind::Unknown) addExternal(call, out);
  if (object.kind != ObjectKind::Function) return out;
  const Function &f = facts_.functions[object.function];
  if (call.site != kNone) bound_.insert({call.site, object.function});
  if (f.hasBody || f.summary)
    bindGroup(instanceBehindPointer(call.site, object.function), call, out);
  else
    addExternal(call, out);
  return out;
}

void ProgramConstraints::addExternal(const Constraints::Call &call, Constraints &out) {
  const NodeId all = contents_[locations_.at(facts_.unknown, 0)];
  out.activates.push_back(kExternal);
  for (const NodeId argument : call.arguments)
    if (argument != kNone) out.copies.push_back({all, argument});
  if (call.result != kNone) out.copies.push_back({call.result, all});
}

void ProgramConstraints::addSummary(const Summary &summary, const Constraints::Call &call,
                                    ObjectId allocated, uint64_t copiedBytes, Constraints &out) {
  auto argument = [&](int i) {
    return i >= 0 && static_cast<size_t>(i) < call.arguments.size()
               ? call.arguments[static_cast<size_t>(i)]
               : kNone;
  };
  auto forEachIn = [&](ArgumentSet set, auto visit) {
    for (int i = 0; i < int(kSummaryParameters); i++)
      if ((set >> i & 1) && argument(i) != kNone) visit(argument(i));
  };
  NodeId made = kNone;
  if (allocated != kNone) {
    made = newNode();
    out.addresses.push_back({made, locations_.at(allocated, 0), /*isSole=*/true});
    if (summary.allocatesInto && argument(0) != kNone) out.stores.push_back({argument(0), made});
    if (!summary.allocatesInto && call.result != kNone) out.copies.push_back({call.result, made});
  }
  if (call.result != kNone)
    forEachIn(summary.returned,
              [&](NodeId from) { out.geps.push_back({call.result, from, kAnywhere}); });
  if (summary.copies()) {
    const NodeId to = summary.to < 0 ? made : argument(summary.to);
    const NodeId from = argument(summary.from);
    if (to != kNone && from != kNone) addMemoryCopy(to, from, copiedBytes, out);
  }
  NodeId target = argument(summary.calls);
  if (target == kNone) return;
  if (summary.callsContents) {
    const NodeId held = newNode();
    out.loads.push_back({held, target, /*isSole=*/true});
    target = held;
  }
  const NodeId passed = newNode();
  forEachIn(summary.passed, [&](NodeId from) { out.geps.push_back({passed, from, kAnywhere}); });
  out.calls.push_back({target, call.site, std::vector<NodeId>(kCallbackArguments, passed), kNone});
}

void ProgramConstraints::addMemoryCopy(NodeId to, NodeId from, uint64_t bytes, Constraints &out) {
  auto copyWord = [&](uint32_t by) {
    const NodeId word = newNode();
    out.loads.push_back({word, moved(from, by, out), /*isSole=*/true});
    out.stores.push_back({moved(to, by, out), word});
  };
  if (bytes == 0 || bytes > kMaxExpanded) return copyWord(kAnywhere);
  for (uint32_t k = 0; k < bytes / 8; k++) copyWord(moveByWords(k));
}

} // namespace fathom::statics
