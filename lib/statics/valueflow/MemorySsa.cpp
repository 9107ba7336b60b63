// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory SSA of one function (MemorySsa.h): Builder::run lists the steps, which are those of SSA
// construction with dominance frontiers.
#include "statics/valueflow/MemorySsa.h"

#include <algorithm>
#include <map>

namespace fathom::statics {

std::span<const MemorySsa::Use> MemorySsa::musOf(StatementId statement) const {
  auto less = [](const auto &a, const auto &b) { return a.statement < b.statement; };
  auto [first, last] = std::equal_range(mus.begin(), mus.end(), Use{statement, 0}, less);
  return {first, last};
}

std::span<const VersionId> MemorySsa::chisOf(StatementId statement) const {
  auto first = std::lower_bound(chis.begin(), chis.end(), statement,
                                [&](VersionId v, StatementId s) { return versions[v].at < s; });
  auto last = first;
  while (last != chis.end() && versions[*last].at == statement) ++last;
  return {first, last};
}

bool isSingleton(const PointsTo &pts, const ModRef &modRef, LocationId location) {
  const ObjectId id = pts.locations.objectOf(location);
  const Object &object = pts.objects[id];
  // All elements of an array are one location.
  const Layouts &layouts = pts.facts.layouts;
  LayoutId layout = pts.locations.layoutOf(id);
  uint32_t leaf = location - pts.locations.first(id);
  for (;;) {
    const LayoutNode &node = layouts[layout];
    if (node.kind == LayoutNode::Leaf) break;
    if (node.kind == LayoutNode::Array && layouts[node.parts[0].layout].bytes < node.bytes)
      return false;
    auto next = std::upper_bound(
        node.parts.begin(), node.parts.end(), leaf,
        [](uint32_t wanted, const LayoutNode::Part &p) { return wanted < p.firstLeaf; });
    const LayoutNode::Part &part = *(next - 1);
    leaf -= part.firstLeaf;
    layout = part.layout;
  }
  if (layouts[layout].bytes > 8) return false; // an array, a union or a large structure as one leaf
  if (object.kind == ObjectKind::Global) return layout != 0;
  if (object.kind != ObjectKind::Stack) return false;
  const StatementId first =
      pts.facts.blocks[pts.facts.functions[object.function].firstBlock].firstStatement;
  const BlockId block = pts.facts.statements[object.site].block;
  return block == pts.facts.statements[first].block && !modRef.isRecursive(object.function) &&
         object.bytes == layouts[pts.locations.layoutOf(id)].bytes;
}

namespace {

class Builder {
public:
  Builder(PointsTo &pts, const ModRef &modRef, FunctionId function)
      : pts_(pts), facts_(pts.facts), modRef_(modRef), f_(facts_.functions[function]),
        id_(function), dominators_(facts_, f_) {}

  // MAIN LOOP: a function's memory in SSA form.
  MemorySsa run() {
    partition(); // from here on regions are known
    placePhis(); // from here on only names are missing
    rename();
    finishExits();
    sortUses();
    return std::move(ssa_);
  }

private:
  const Statement &statement(StatementId s) const { return facts_.statements[s]; }
  template <class Visit> void forEachStatement(uint32_t block, Visit &&visit) const {
    const Block &b = facts_.blocks[f_.firstBlock + block];
    for (StatementId s = b.firstStatement; s < b.end(); s++) visit(s);
  }
  /// A variable of the frame has nothing in it when its life begins.
  SetId written(const Statement &s) {
    if (s.kind != StatementKind::Address) return modRef_.statementMod(s);
    return 0;
  }

  void addSet(SetId set) {
    if (set != 0 && !setRegions_.count(set)) setRegions_[set] = {};
  }

  /// Refines {all locations} by each set in turn.
  void partition() {
    for (const uint32_t block : dominators_.order)
      forEachStatement(block, [&](StatementId s) {
        addSet(written(statement(s)));
        addSet(modRef_.statementRef(statement(s)));
      });
    addSet(modRef_.mod(id_));
    addSet(modRef_.ref(id_));
    std::unordered_map<LocationId, uint32_t> classOf;
    uint32_t classes = 1;
    for (auto &[set, regions] : setRegions_) {
      std::unordered_map<uint32_t, uint32_t> split;
      pts_.sets[set].forEach([&](LocationId location) {
        uint32_t &old = classOf[location];
        auto [at, isNew] = split.try_emplace(old, classes);
        classes += isNew;
        old = at->second;
      });
    }
    std::map<uint32_t, SparseBits> members;
    for (auto [location, which] : classOf) members[which].insert(location);
    // In the order of their first locations, so that nothing depends on the order of sets.
    std::vector<SparseBits> ordered;
    for (auto &[which, set] : members) ordered.push_back(std::move(set));
    std::sort(ordered.begin(), ordered.end(),
              [](const SparseBits &a, const SparseBits &b) { return a.first() < b.first(); });
    std::unordered_map<LocationId, RegionId> regionOfFirst;
    for (SparseBits &set : ordered) {
      regionOfFirst[set.first()] = static_cast<RegionId>(regions_.size());
      ssa_.versions.push_back({.region = static_cast<RegionId>(regions_.size())});
      regions_.push_back(std::move(set));
    }
    for (auto &[set, regions] : setRegions_)
      pts_.sets[set].forEach([&](LocationId location) {
        if (auto at = regionOfFirst.find(location); at != regionOfFirst.end())
          regions.push_back(at->second);
      });
  }

  const std::vector<RegionId> &regionsOf(SetId set) const {
    static const std::vector<RegionId> kNoRegions;
    auto known = setRegions_.find(set);
    return known == setRegions_.end() ? kNoRegions : known->second;
  }

  void placePhis() {
    const size_t regions = regions_.size();
    std::vector<std::vector<uint32_t>> blocks(regions); // that write the region
    for (const uint32_t block : dominators_.order)
      forEachStatement(block, [&](StatementId s) {
        for (const RegionId r : regionsOf(written(statement(s))))
          if (blocks[r].empty() || blocks[r].back() != block) blocks[r].push_back(block);
      });
    phisOf_.resize(f_.numBlocks);
    std::vector<RegionId> placed(f_.numBlocks, kNone), queued(f_.numBlocks, kNone);
    for (RegionId r = 0; r < regions; r++) {
      std::vector<uint32_t> open = blocks[r];
      for (const uint32_t block : open) queued[block] = r;
      while (!open.empty()) {
        const uint32_t block = open.back();
        open.pop_back();
        for (const uint32_t at : dominators_.frontier[block]) {
          if (placed[at] == r) continue;
          placed[at] = r;
          phisOf_[at].push_back(addPhi(r, at));
          if (queued[at] == r) continue;
          queued[at] = r;
          open.push_back(at);
        }
      }
    }
  }

  VersionId addPhi(RegionId region, uint32_t block) {
    Version v{.kind = VersionKind::Phi, .region = region, .at = block};
    v.firstOperand = static_cast<uint32_t>(ssa_.operands.size());
    v.numOperands = static_cast<uint32_t>(dominators_.previous[block].size()) + (block == 0);
    ssa_.operands.resize(ssa_.operands.size() + v.numOperands, kNone);
    ssa_.versions.push_back(v);
    return static_cast<VersionId>(ssa_.versions.size() - 1);
  }

  /// Walks the dominator tree; what a block changed is undone when its subtree is done.
  void rename() {
    current_.resize(regions_.size());
    for (RegionId r = 0; r < regions_.size(); r++) current_[r] = r;
    exitOperands_.resize(regions_.size());
    // The function's start is one more way into its first block.
    if (f_.numBlocks > 0)
      for (const VersionId phi : phisOf_[0]) {
        const Version &v = ssa_.versions[phi];
        ssa_.operands[v.firstOperand + v.numOperands - 1] = v.region;
      }
    struct Frame {
      uint32_t block;
      size_t child;
      size_t undo;
    };
    std::vector<Frame> frames;
    auto open = [&](uint32_t block) {
      frames.push_back({block, 0, undo_.size()});
      renameBlock(block);
    };
    if (f_.numBlocks > 0) open(0);
    while (!frames.empty()) {
      Frame &frame = frames.back();
      const std::vector<uint32_t> &children = dominators_.children[frame.block];
      if (frame.child < children.size()) {
        open(children[frame.child++]);
        continue;
      }
      while (undo_.size() > frame.undo) {
        current_[undo_.back().first] = undo_.back().second;
        undo_.pop_back();
      }
      frames.pop_back();
    }
  }

  void define(RegionId region, VersionId version) {
    undo_.emplace_back(region, current_[region]);
    current_[region] = version;
  }

  void renameBlock(uint32_t block) {
    for (const VersionId phi : phisOf_[block]) define(ssa_.versions[phi].region, phi);
    forEachStatement(block, [&](StatementId s) { renameStatement(s); });
    for (const BlockId next : facts_.blocks[f_.firstBlock + block].next) {
      const uint32_t to = next - f_.firstBlock;
      const std::vector<uint32_t> &from = dominators_.previous[to];
      const auto way =
          static_cast<uint32_t>(std::find(from.begin(), from.end(), block) - from.begin());
      for (const VersionId phi : phisOf_[to]) {
        const Version &v = ssa_.versions[phi];
        ssa_.operands[v.firstOperand + way] = current_[v.region];
      }
    }
  }

  void renameStatement(StatementId id) {
    const Statement &s = statement(id);
    for (const RegionId r : regionsOf(modRef_.statementRef(s)))
      ssa_.mus.push_back({id, current_[r]});
    const SetId set = written(s);
    const std::vector<RegionId> &regions = regionsOf(set);
    // Callees that write a location read it too, in that they may leave it as it is (Fig. 3).
    for (const RegionId r : regions) {
      Version v{.kind = VersionKind::Chi, .region = r, .at = id, .previous = current_[r]};
      v.isStrong = s.kind == StatementKind::Store &&
                   pts_.of(facts_.operandsOf(s)[0]).count() == 1 && pts_.sets[set].count() == 1 &&
                   writesAll(s, pts_.sets[set].first());
      ssa_.versions.push_back(v);
      const auto made = static_cast<VersionId>(ssa_.versions.size() - 1);
      ssa_.chis.push_back(made);
      define(r, made);
    }
    if (s.kind == StatementKind::Return)
      for (const RegionId r : regionsOf(modRef_.mod(id_))) exitOperands_[r].push_back(current_[r]);
  }

  bool writesAll(const Statement &s, LocationId location) const {
    const ObjectId object = pts_.locations.objectOf(location);
    return isSingleton(pts_, modRef_, location) && leafBytes(object, location) == s.bytes;
  }
  uint64_t leafBytes(ObjectId object, LocationId location) const {
    LayoutId layout = pts_.locations.layoutOf(object);
    uint32_t leaf = location - pts_.locations.first(object);
    while (facts_.layouts[layout].kind != LayoutNode::Leaf) {
      const std::vector<LayoutNode::Part> &parts = facts_.layouts[layout].parts;
      auto next = std::upper_bound(
          parts.begin(), parts.end(), leaf,
          [](uint32_t wanted, const LayoutNode::Part &p) { return wanted < p.firstLeaf; });
      leaf -= (next - 1)->firstLeaf;
      layout = (next - 1)->layout;
    }
    return facts_.layouts[layout].bytes;
  }

  void finishExits() {
    for (const RegionId r : regionsOf(modRef_.mod(id_))) {
      Version v{.kind = VersionKind::Exit, .region = r};
      v.firstOperand = static_cast<uint32_t>(ssa_.operands.size());
      v.numOperands = static_cast<uint32_t>(exitOperands_[r].size());
      ssa_.operands.insert(ssa_.operands.end(), exitOperands_[r].begin(), exitOperands_[r].end());
      ssa_.exits.push_back(static_cast<VersionId>(ssa_.versions.size()));
      ssa_.versions.push_back(v);
    }
  }

  /// The dominator tree was walked, not the list of statements.
  void sortUses() {
    std::sort(ssa_.mus.begin(), ssa_.mus.end(), [](const auto &a, const auto &b) {
      return std::pair(a.statement, a.version) < std::pair(b.statement, b.version);
    });
    std::sort(ssa_.chis.begin(), ssa_.chis.end(), [&](VersionId a, VersionId b) {
      return std::pair(ssa_.versions[a].at, a) < std::pair(ssa_.versions[b].at, b);
    });
    for (SparseBits &region : regions_) ssa_.regions.push_back(pts_.sets.intern(std::move(region)));
  }

  PointsTo &pts_;
  const Facts &facts_;
  const ModRef &modRef_;
  const Function &f_;
  const FunctionId id_;
  const Dominators dominators_;
  MemorySsa ssa_;
  std::vector<SparseBits> regions_;
  std::map<SetId, std::vector<RegionId>> setRegions_;
  std::vector<std::vector<VersionId>> phisOf_, exitOperands_;
  std::vector<VersionId> current_;
  std::vector<std::pair<RegionId, VersionId>> undo_;
};

} // namespace

MemorySsa buildMemorySsa(PointsTo &pts, const ModRef &modRef, FunctionId function) {
  return Builder(pts, modRef, function).run();
}

} // namespace fathom::statics
