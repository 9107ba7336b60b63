// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/valueflow/ValueFlow.h"

#include <algorithm>

namespace fathom::statics {

// MAIN LOOP: memory SSA of each function, then all edges.
bool ValueFlow::build(const std::atomic<bool> &stop) {
  const auto count = static_cast<FunctionId>(facts.functions.size());
  memory_.resize(count);
  versionBase_.assign(count, kNone);
  numNodes_ = static_cast<uint32_t>(facts.values.size());
  for (FunctionId f = 0; f < count; f++) {
    if (!pts.isReached(f) || facts.functions[f].numBlocks == 0) continue;
    if (stop) break;
    memory_[f] = buildMemorySsa(pts, modRef, f);
    versionBase_[f] = numNodes_;
    bySsa_.push_back(f);
    numNodes_ += static_cast<uint32_t>(memory_[f].versions.size());
  }
  transferBase_ = numNodes_; // from here on only transfers are added
  regionAt_.assign(pts.locations.count(), kNone);
  for (const FunctionId f : bySsa_) {
    if (stop) break;
    addFunction(f);
  }
  graph_ = FlowGraph(numNodes_, std::move(raw_)); // from here on nothing is added
  // Version r of a function is the entry version of its region r.
  std::vector<uint32_t> cells(transferBase_, kNone);
  for (const FunctionId f : bySsa_)
    for (VersionId v = 0; v < memory_[f].versions.size(); v++)
      cells[ofVersion(f, v)] = ofVersion(f, memory_[f].versions[v].region);
  graph_.setCells(std::move(cells));
  regionAt_ = {};
  overlaps_.clear();
  return !stop;
}

FunctionId ValueFlow::functionOf(FlowNode node) const {
  if (isValue(node)) return facts.values[node].function;
  if (isTransfer(node)) return facts.functionOf(facts.statements[transfers_[node - transferBase_]]);
  auto next = std::upper_bound(bySsa_.begin(), bySsa_.end(), node,
                               [&](FlowNode n, FunctionId f) { return n < versionBase_[f]; });
  return *(next - 1);
}

const Version &ValueFlow::version(FlowNode node) const {
  const FunctionId f = functionOf(node);
  return memory_[f].versions[node - versionBase_[f]];
}

StatementId ValueFlow::definition(FlowNode node) const {
  if (isValue(node)) return facts.values[node].definition;
  if (isTransfer(node)) return transfers_[node - transferBase_];
  const Version &v = version(node);
  return v.kind == VersionKind::Chi ? v.at : kNone;
}

void ValueFlow::add(FlowNode from, FlowNode to, FlowKind kind, uint32_t call) {
  if (from != to) raw_.push_back({from, to, FlowEdge::labelOf(kind, call)});
}

void ValueFlow::addValue(ValueId from, FlowNode to, FlowKind kind, uint32_t call) {
  if (facts.values[from].function != kNone) add(from, to, kind, call);
}

void ValueFlow::addFunction(FunctionId id) {
  const Function &f = facts.functions[id];
  const MemorySsa &ssa = memory_[id];
  overlaps_.clear();
  for (RegionId r = 0; r < ssa.regions.size(); r++)
    pts.sets[ssa.regions[r]].forEach([&](LocationId l) { regionAt_[l] = r; });
  for (VersionId v = 0; v < ssa.versions.size(); v++) {
    const Version &version = ssa.versions[v];
    for (uint32_t i = 0; i < version.numOperands; i++)
      if (const VersionId operand = ssa.operands[version.firstOperand + i]; operand != kNone)
        add(ofVersion(id, operand), ofVersion(id, v));
  }
  for (BlockId b = f.firstBlock; b < f.firstBlock + f.numBlocks; b++)
    for (StatementId s = 0; s < facts.blocks[b].numStatements; s++)
      addStatement(id, facts.blocks[b].firstStatement + s);
  for (const SetId region : ssa.regions)
    pts.sets[region].forEach([&](LocationId l) { regionAt_[l] = kNone; });
}

/// How many of its operands, from the first, the result can be: a pointer that is moved is still
/// that pointer.
static size_t keptOperands(const Statement &s) {
  switch (s.kind) {
  case StatementKind::Copy: return s.numOperands;
  case StatementKind::Gep: return 1;
  case StatementKind::Arithmetic: return s.extra;
  default: return 0;
  }
}

void ValueFlow::addStatement(FunctionId function, StatementId id) {
  const Statement &s = facts.statements[id];
  const MemorySsa &ssa = memory_[function];
  const auto operands = facts.operandsOf(s);
  switch (s.kind) {
  case StatementKind::Copy:
  case StatementKind::Gep:
  case StatementKind::Arithmetic:
  case StatementKind::Compare:
    if (s.result == kNone) return;
    for (size_t i = 0; i < operands.size(); i++)
      addValue(operands[i], s.result, i < keptOperands(s) ? FlowKind::Direct : FlowKind::Derived);
    return;
  case StatementKind::Load:
    for (const MemorySsa::Use &mu : ssa.musOf(id))
      if (s.result != kNone) add(ofVersion(function, mu.version), s.result);
    return;
  case StatementKind::Store:
    for (const VersionId chi : ssa.chisOf(id)) {
      const Version &v = ssa.versions[chi];
      addValue(operands[1], ofVersion(function, chi));
      if (!v.isStrong) add(ofVersion(function, v.previous), ofVersion(function, chi));
    }
    return;
  case StatementKind::Return:
    if (!operands.empty()) addValue(operands[0], facts.functions[function].returned);
    return;
  case StatementKind::Call: return addCall(function, id);
  default: return;
  }
}

void ValueFlow::addCall(FunctionId function, StatementId id) {
  const Statement &s = facts.statements[id];
  const CallSite &site = facts.calls[s.extra];
  const std::vector<FunctionId> &callees = pts.callees(s.extra);
  bool external = !site.summary && site.callee == kNone && site.target == kNone;
  if (site.summary) addTransfer(function, id, site.summary);
  for (const FunctionId callee : callees) {
    if (versionBase_[callee] != kNone)
      addCallee(function, id, callee);
    else if (facts.functions[callee].summary && !site.summary)
      addTransfer(function, id, facts.functions[callee].summary);
    else if (!site.summary)
      external = true;
  }
  if (external) addTransfer(function, id, nullptr);
  // What the call may leave as it was goes past it.
  const MemorySsa &ssa = memory_[function];
  for (const VersionId chi : ssa.chisOf(id)) {
    const Version &v = ssa.versions[chi];
    const SparseBits &region = pts.sets[ssa.regions[v.region]];
    const bool past = site.summary || external || callees.empty() ||
                      std::any_of(callees.begin(), callees.end(), [&](FunctionId callee) {
                        return !pts.sets[modRef.mod(callee)].includes(region);
                      });
    if (past) add(ofVersion(function, v.previous), ofVersion(function, chi));
  }
}

/// Regions of both that have locations in common.
const std::vector<ValueFlow::Overlap> &ValueFlow::overlaps(FunctionId, FunctionId callee) {
  auto [known, isNew] = overlaps_.try_emplace(callee);
  if (!isNew) return known->second;
  const MemorySsa &ssa = memory_[callee];
  std::vector<RegionId> seen;
  for (RegionId q = 0; q < ssa.regions.size(); q++) {
    seen.clear();
    pts.sets[ssa.regions[q]].forEach([&](LocationId l) {
      const RegionId r = regionAt_[l];
      if (r != kNone && (seen.empty() || seen.back() != r)) seen.push_back(r);
    });
    std::sort(seen.begin(), seen.end());
    seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
    for (const RegionId r : seen) known->second.push_back({r, q});
  }
  return known->second;
}

void ValueFlow::addCallee(FunctionId caller, StatementId id, FunctionId callee) {
  const Statement &s = facts.statements[id];
  const Function &f = facts.functions[callee];
  const uint32_t call = s.extra;
  const CallSite &site = facts.calls[call];
  const auto arguments = facts.operandsOf(s);
  if (site.summary) {
    // A function that a library function calls gets pointers into what was passed.
    for (uint32_t i = 0; i < arguments.size() && i < 8; i++)
      if (site.summary->passed >> i & 1)
        for (const ValueId parameter : f.parameters)
          addValue(arguments[i], parameter, FlowKind::Call, call);
  } else {
    for (size_t i = 0; i < arguments.size() && i < f.parameters.size(); i++)
      addValue(arguments[i], f.parameters[i], FlowKind::Call, call);
    if (s.result != kNone) add(f.returned, s.result, FlowKind::Return, call);
  }
  const MemorySsa &ssa = memory_[caller], &inner = memory_[callee];
  const auto mus = ssa.musOf(id);
  const auto chis = ssa.chisOf(id);
  std::unordered_map<RegionId, VersionId> before, after;
  for (const MemorySsa::Use &mu : mus) before[ssa.versions[mu.version].region] = mu.version;
  for (const VersionId chi : chis) {
    before[ssa.versions[chi].region] = ssa.versions[chi].previous;
    after[ssa.versions[chi].region] = chi;
  }
  std::unordered_map<RegionId, VersionId> exits;
  for (const VersionId exit : inner.exits) exits[inner.versions[exit].region] = exit;
  const SparseBits &mod = pts.sets[modRef.mod(callee)], &ref = pts.sets[modRef.ref(callee)];
  for (const Overlap &o : overlaps(caller, callee)) {
    const SparseBits &region = pts.sets[inner.regions[o.callee]];
    if (!mod.contains(region.first()) && !ref.contains(region.first())) continue; // its frame
    if (auto at = before.find(o.caller); at != before.end())
      add(ofVersion(caller, at->second), ofVersion(callee, o.callee), FlowKind::Call, call);
    auto exit = exits.find(o.callee);
    auto chi = after.find(o.caller);
    if (exit != exits.end() && chi != after.end())
      add(ofVersion(callee, exit->second), ofVersion(caller, chi->second), FlowKind::Return, call);
  }
}

void ValueFlow::addTransfer(FunctionId function, StatementId id, const Summary *summary) {
  const Statement &s = facts.statements[id];
  const MemorySsa &ssa = memory_[function];
  const auto arguments = facts.operandsOf(s);
  const auto mus = ssa.musOf(id);
  const auto chis = ssa.chisOf(id);
  if (summary && s.result != kNone)
    for (uint32_t i = 0; i < arguments.size() && i < 8; i++)
      if (summary->returned >> i & 1) addValue(arguments[i], s.result);
  const bool moves = !summary || summary->copies();
  if (!moves && (mus.empty() || s.result == kNone)) return;
  const FlowNode transfer = numNodes_++;
  transfers_.push_back(id);
  for (const MemorySsa::Use &mu : mus) add(ofVersion(function, mu.version), transfer);
  if (!summary)
    for (const ValueId argument : arguments) addValue(argument, transfer);
  if (s.result != kNone && (!summary || summary->returned == 0))
    add(transfer, s.result, summary ? FlowKind::Derived : FlowKind::Direct);
  if (moves)
    for (const VersionId chi : chis) add(transfer, ofVersion(function, chi));
}

} // namespace fathom::statics
