// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver/PathIndex.h"

#include <algorithm>
#include <cassert>

namespace fathom::solver {

// --- constraints by themselves
// ------------------------------------------------------------------------------------

uint32_t PathIndex::idOf(Cell cell) {
  auto [it, isNew] = ids_.try_emplace(cell.key, static_cast<uint32_t>(cells_.size()));
  if (!isNew) return it->second;
  uint32_t id = it->second;
  CellState state;
  state.cell = cell;
  state.parent = id;
  cells_.push_back(state);
  if (cell.symbol() >= symbols_.size()) symbols_.resize(cell.symbol() + 1);
  symbols_[cell.symbol()].ids.push_back(id);
  if (cell.isWhole()) symbols_[cell.symbol()].wholeId = id;
  return id;
}

const ConstraintInfo &PathIndex::info(ExprPtr constraint) {
  auto &slot = infos_[constraint];
  if (slot) return *slot;
  slot = std::make_unique<ConstraintInfo>();
  ConstraintInfo &info = *slot;
  info.term = constraint;
  info.support = &supports_.of(constraint);
  for (Cell cell : *info.support) info.cells.push_back(idOf(cell));
  if (info.support->empty()) {
    Model none;
    evaluator_.setModel(none, ++modelVersion_);
    info.isGround = true;
    info.groundValue = evaluator_.isTrue(constraint);
  } else if (info.support->size() == 1 && !info.support->front().isWhole()) {
    const Cell cell = info.support->front();
    if (auto values = valuesWhere(constraint, symbol(cell.symbol()), cell.index(), batch_)) {
      info.isSingle = true;
      info.values = *values;
    }
  }
  return info;
}

// --- the path
// -------------------------------------------------------------------------------------------------------

void PathIndex::clear() {
  infos_.clear();
  supports_.clear();
  ids_.clear();
  cells_.clear();
  symbols_.clear();
  frames_.clear();
  next_.clear();
  trail_.clear();
  oldDomains_.clear();
  contradictions_ = 0;
  present_.clear();
  held_ = PathCondition();
}

void PathIndex::sync(const PathCondition &path) {
  if (collections_ != context_.collections()) {
    clear();
    collections_ = context_.collections();
  }
  std::vector<const PathCondition::Node *> fresh;
  const PathCondition::Node *node = path.last();
  for (; node && node->length > frames_.size(); node = node->previous.get()) fresh.push_back(node);
  while (frames_.size() > (node ? node->length : 0)) pop();
  for (; node && frames_.back().node != node; node = node->previous.get()) {
    fresh.push_back(node);
    pop();
  }
  for (size_t i = fresh.size(); i-- > 0;) push(fresh[i]);
  held_ = path;
}

void PathIndex::unite(uint32_t a, uint32_t b) {
  a = find(a);
  b = find(b);
  if (a == b) return;
  if (cells_[a].rank > cells_[b].rank) std::swap(a, b); // a goes below b
  CellState &child = cells_[a], &root = cells_[b];
  Undo undo{Undo::Union, child.rank == root.rank, a, b, root.tail};
  child.parent = b;
  root.rank += undo.rankGrew;
  if (child.head >= 0) {
    if (root.tail >= 0)
      next_[static_cast<size_t>(root.tail)] = child.head;
    else
      root.head = child.head;
    root.tail = child.tail;
  }
  trail_.push_back(undo);
}

void PathIndex::push(const PathCondition::Node *node) {
  const ConstraintInfo &in = info(node->constraint);
  frames_.push_back({node, &in, trail_.size(), contradictions_});
  next_.push_back(-1);
  ++present_[node->constraint];
  if (in.isGround) {
    contradictions_ += !in.groundValue;
    return;
  }
  if (in.isSingle) {
    CellState &cell = cells_[in.cells[0]];
    trail_.push_back({Undo::Domain, false, in.cells[0], 0, 0});
    oldDomains_.push_back(cell.domain);
    cell.domain &= in.values;
    contradictions_ += cell.domain.empty();
  } else {
    for (uint32_t id : in.cells) {
      ++cells_[id].coupled;
      unite(in.cells[0], id);
    }
  }
  for (size_t i = 0; i < in.cells.size(); ++i) {
    uint32_t id = in.cells[i];
    SymbolState &symbol = symbolOf(id);
    if (cells_[id].cell.isWhole()) {
      if (symbol.wholeActive++ == 0)
        for (uint32_t other : symbol.ids) unite(id, other);
    } else if (symbol.wholeActive) {
      unite(id, symbol.wholeId); // a byte first met after the array was read as a whole
    }
  }
  CellState &root = cells_[find(in.cells[0])];
  auto at = static_cast<int32_t>(frames_.size() - 1);
  trail_.push_back({Undo::Append, false, 0, find(in.cells[0]), root.tail});
  if (root.tail >= 0)
    next_[static_cast<size_t>(root.tail)] = at;
  else
    root.head = at;
  root.tail = at;
}

void PathIndex::pop() {
  Frame frame = frames_.back();
  if (auto it = present_.find(frame.node->constraint); --it->second == 0) present_.erase(it);
  while (trail_.size() > frame.trail) {
    Undo undo = trail_.back();
    trail_.pop_back();
    if (undo.kind == Undo::Domain) {
      cells_[undo.cell].domain = oldDomains_.back();
      oldDomains_.pop_back();
      continue;
    }
    CellState &root = cells_[undo.root];
    root.tail = undo.oldTail;
    if (undo.oldTail >= 0)
      next_[static_cast<size_t>(undo.oldTail)] = -1;
    else
      root.head = -1;
    if (undo.kind == Undo::Union) {
      cells_[undo.cell].parent = undo.cell;
      root.rank -= undo.rankGrew;
    }
  }
  if (!frame.info->isGround)
    for (uint32_t id : frame.info->cells) {
      if (!frame.info->isSingle) --cells_[id].coupled;
      if (cells_[id].cell.isWhole()) --symbolOf(id).wholeActive;
    }
  contradictions_ = frame.contradictions;
  frames_.pop_back();
  next_.pop_back();
}

// --- questions
// ------------------------------------------------------------------------------------------------------

ByteSet PathIndex::domain(Cell cell) const {
  auto it = ids_.find(cell.key);
  return it == ids_.end() ? ByteSet::all() : cells_[it->second].domain;
}

bool PathIndex::isCoupled(uint32_t id) const {
  if (cells_[id].coupled) return true;
  return symbols_[cells_[id].cell.symbol()].wholeActive > 0;
}

void PathIndex::slice(std::span<const ConstraintInfo *const> goals,
                      std::vector<const ConstraintInfo *> &out) {
  std::vector<uint32_t> roots;
  auto addRoot = [&](uint32_t id) {
    uint32_t root = find(id);
    if (std::find(roots.begin(), roots.end(), root) == roots.end()) roots.push_back(root);
  };
  for (const ConstraintInfo *goal : goals)
    for (uint32_t id : goal->cells) {
      addRoot(id);
      SymbolState &symbol = symbolOf(id);
      if (cells_[id].cell.isWhole())
        for (uint32_t other : symbol.ids) addRoot(other);
      else if (symbol.wholeActive)
        addRoot(symbol.wholeId);
    }
  std::vector<int32_t> found;
  for (uint32_t root : roots)
    for (int32_t i = cells_[root].head; i >= 0; i = next_[static_cast<size_t>(i)])
      found.push_back(i);
  std::sort(found.begin(), found.end());
  for (int32_t i : found) out.push_back(frames_[static_cast<size_t>(i)].info);
}

std::vector<std::vector<const ConstraintInfo *>> PathIndex::components() {
  std::vector<std::vector<const ConstraintInfo *>> out;
  llvm::DenseMap<uint32_t, size_t> place;
  for (const Frame &frame : frames_) {
    if (frame.info->isGround) continue;
    auto [it, isNew] = place.try_emplace(find(frame.info->cells[0]), out.size());
    if (isNew) out.emplace_back();
    out[it->second].push_back(frame.info);
  }
  return out;
}

} // namespace fathom::solver
