// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Observations against points-to sets, the call graph and the value-flow graph.
#include "Observe.h"

#include "statics/pointers/Print.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <unordered_set>

namespace fathom::observe {

using namespace statics;

namespace {

enum : uint32_t { kAddress = 1, kLoaded = 2, kDefUse = 3, kCalled = 4 };
struct Record {
  uint32_t kind, a, b, c;
};

class Checker {
public:
  explicit Checker(const ValueFlow &flow) : flow_(flow), pts_(flow.pts), facts_(flow.facts) {
    // What copies of a wrapper allocate is, natively, what the wrapper's own call allocates.
    for (ObjectId o = 0; o < pts_.objects.size(); o++)
      if (pts_.objects[o].kind == ObjectKind::Heap) bySite_[pts_.objects[o].site].push_back(o);
  }

  Verdict run(const std::string &observations) {
    for (size_t at = 0; at + sizeof(Record) <= observations.size(); at += sizeof(Record)) {
      Record r;
      std::memcpy(&r, observations.data() + at, sizeof r);
      if (r.kind == 0) break;
      if (r.kind == kAddress || r.kind == kLoaded) checkPointer(r);
      if (r.kind == kCalled) checkCall(r);
      if (r.kind == kDefUse) uses_[r.a].push_back(r.b);
    }
    for (auto &[store, loads] : uses_) checkUses(store, loads);
    return std::move(verdict_);
  }

private:
  std::string place(StatementId s) const {
    return fmt::format("{} in {}", facts_.text(facts_.statements[s].place),
                       facts_.functions[facts_.functionOf(facts_.statements[s])].name);
  }
  void miss(std::string text) { verdict_.missing.push_back(std::move(text)); }

  void checkPointer(const Record &r) {
    (r.kind == kAddress ? verdict_.addresses : verdict_.pointers)++;
    const Statement &s = facts_.statements[r.a];
    const SparseBits &set = pts_.of(r.kind == kAddress ? facts_.operandsOf(s)[0] : s.result);
    const Object &object = facts_.objects[r.b];
    std::vector<ObjectId> candidates{r.b};
    if (object.kind == ObjectKind::Heap) candidates = bySite_[object.site];
    for (const ObjectId o : candidates)
      if (set.contains(pts_.locations.at(o, r.c)) || set.contains(pts_.locations.anywhere(o)))
        return;
    miss(fmt::format("{}: {} {}+{} is not in {}", place(r.a),
                     r.kind == kAddress ? "access to" : "loaded pointer", object.name, r.c,
                     setText(pts_, set)));
  }

  void checkCall(const Record &r) {
    verdict_.calls++;
    const std::vector<FunctionId> &callees = pts_.callees(facts_.statements[r.a].extra);
    const FunctionId callee = facts_.objects[r.b].function;
    if (!std::binary_search(callees.begin(), callees.end(), callee))
      miss(fmt::format("{}: call of {} is not in the call graph", place(r.a),
                       facts_.functions[callee].name));
  }

  /// From the store's versions through versions of memory to the load.
  void checkUses(StatementId store, const std::vector<StatementId> &loads) {
    std::unordered_set<FlowNode> seen;
    std::vector<FlowNode> open;
    const FunctionId f = facts_.functionOf(facts_.statements[store]);
    for (const VersionId chi : flow_.memory(f).chisOf(store)) {
      open.push_back(flow_.ofVersion(f, chi));
      seen.insert(open.back());
    }
    std::unordered_set<FlowNode> wanted;
    for (const StatementId load : loads)
      wanted.insert(flow_.ofValue(facts_.statements[load].result));
    while (!open.empty() && !wanted.empty()) {
      const FlowNode node = open.back();
      open.pop_back();
      for (const FlowEdge &e : flow_.successors(node)) {
        wanted.erase(e.to);
        if (!flow_.isTransfer(e.to) && seen.insert(e.to).second && !flow_.isValue(e.to))
          open.push_back(e.to);
      }
    }
    for (const StatementId load : loads) {
      verdict_.defUses++;
      if (!seen.count(flow_.ofValue(facts_.statements[load].result)))
        miss(fmt::format("{}: what was stored at {} is read, without value flow", place(load),
                         place(store)));
    }
  }

  const ValueFlow &flow_;
  const PointsTo &pts_;
  const Facts &facts_;
  std::map<StatementId, std::vector<ObjectId>> bySite_;
  std::map<StatementId, std::vector<StatementId>> uses_;
  Verdict verdict_;
};

} // namespace

Verdict check(const ValueFlow &flow, const std::string &observations) {
  return Checker(flow).run(observations);
}

} // namespace fathom::observe
