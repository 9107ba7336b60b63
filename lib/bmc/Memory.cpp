// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bmc/Memory.h"

#include <algorithm>

namespace fathom::bmc {

using expr::ExprContext;

namespace {

/// With more cells a store at an unknown offset forgets all of them.
constexpr size_t kMaxGuardedCells = 64;
/// Calls and rounds that are not followed and may have freed memory, as far as they are told apart.
constexpr size_t kMaxReleases = 64;

/// The first cell that ends behind the offset.
std::vector<Cell>::const_iterator firstAfter(const std::vector<Cell> &cells, int64_t offset) {
  return std::ranges::upper_bound(cells, offset, {}, &Cell::end);
}

ExprPtr byteOf(ExprContext &context, const Cell &cell, int64_t offset) {
  return context.extract(cell.value, static_cast<unsigned>(offset - cell.offset) * 8, 8);
}

} // namespace

void Memory::add(Touched &touched, ObjectId object) {
  const auto at = std::ranges::lower_bound(touched, object);
  if (at == touched.end() || *at != object) touched.insert(at, object);
}

void Memory::add(Touched &touched, const Touched &others) {
  if (touched == others) return;
  Touched both;
  std::ranges::set_union(touched, others, std::back_inserter(both));
  touched = std::move(both);
}

/// One of them is what an unknown pointer leads to.
bool Memory::mayBeOne(const Objects &objects, ObjectId a, ObjectId b) const {
  const bool isFirst = objects.at(a).kind == ObjectKind::Unknown;
  const Object &unknown = objects.at(isFirst ? a : b), &other = objects.at(isFirst ? b : a);
  if (unknown.kind != ObjectKind::Unknown) return false;
  switch (other.kind) {
  case ObjectKind::Unknown:
  case ObjectKind::Variable: return true;
  // Callers do not know the address. Other code knows it only if it was given away.
  case ObjectKind::Local:
  case ObjectKind::Heap: {
    const ObjectId block = isFirst ? b : a;
    if (unknown.isOfCallers || !isGivenAway(block)) return false;
    return unknown.isUnclear || !unknown.knownAddresses || isIn(*unknown.knownAddresses, block);
  }
  }
  return true;
}

bool Memory::isElsewhere(const Touched &touched, const Objects &objects, ObjectId object) const {
  return std::ranges::any_of(
      touched, [&](ObjectId other) { return other != object && mayBeOne(objects, other, object); });
}

bool Memory::isWrittenElsewhere(const Objects &objects, ObjectId object) const {
  return isElsewhere(written_, objects, object);
}

bool Memory::isFreedElsewhere(const Objects &objects, ObjectId object) const {
  return isElsewhere(freed_, objects, object);
}

void Memory::giveAway(ObjectId object) {
  if (isGivenAway(object)) return;
  auto all = givenAway_ ? std::make_shared<std::vector<bool>>(*givenAway_)
                        : std::make_shared<std::vector<bool>>();
  if (object >= all->size()) all->resize(object + 1);
  (*all)[object] = true;
  givenAway_ = std::move(all);
}

BasePtr Memory::baseOf(Objects &objects, ObjectId object) const {
  const Contents *contents = find(object);
  return contents ? contents->base : objects.baseAt(object, epoch_);
}

ContentsPtr &Memory::slot(ObjectId object) {
  const size_t number = object / kChunk;
  if (number >= chunks_.size()) chunks_.resize(number + 1);
  std::shared_ptr<Chunk> &chunk = chunks_[number];
  // Another state may have it: then it is copied.
  if (!chunk)
    chunk = std::make_shared<Chunk>();
  else if (chunk.use_count() != 1)
    chunk = std::make_shared<Chunk>(*chunk);
  return (*chunk)[object % kChunk];
}

Contents &Memory::contents(Objects &objects, ObjectId object) {
  ContentsPtr &at = slot(object);
  auto own = at ? (at.use_count() == 1 ? std::const_pointer_cast<Contents>(at)
                                       : std::make_shared<Contents>(*at))
                : std::make_shared<Contents>();
  if (!own->base) own->base = objects.baseAt(object, epoch_);
  at = own;
  return *own;
}

ExprPtr Memory::assembled(Objects &objects, ExprContext &context, ObjectId object, int64_t offset,
                          uint32_t bytes) const {
  const Contents *contents = find(object);
  const BasePtr base = baseOf(objects, object);
  ExprPtr value = nullptr;
  auto cell = contents ? firstAfter(contents->cells, offset) : std::vector<Cell>::const_iterator();
  for (int64_t at = offset; at < offset + bytes; ++at) {
    ExprPtr byte = nullptr;
    if (contents) {
      while (cell != contents->cells.end() && cell->end() <= at) ++cell;
      if (cell != contents->cells.end() && cell->offset <= at) byte = byteOf(context, *cell, at);
    }
    if (!byte) byte = objects.byteOf(*base, at);
    value = value ? context.concat(byte, value) : byte;
  }
  return value;
}

ExprPtr Memory::load(Objects &objects, ExprContext &context, ObjectId object, int64_t offset,
                     uint32_t bytes) {
  contents(objects, object); // it was looked at: states that are joined later tell it apart
  return peek(objects, context, object, offset, bytes);
}

ExprPtr Memory::peek(Objects &objects, ExprContext &context, ObjectId object, int64_t offset,
                     uint32_t bytes) const {
  if (const Contents *contents = find(object)) {
    const auto cell = firstAfter(contents->cells, offset);
    if (cell != contents->cells.end() && cell->offset == offset && cell->bytes == bytes)
      return cell->value;
  }
  return assembled(objects, context, object, offset, bytes);
}

ExprPtr Memory::loadAnywhere(Objects &objects, ExprContext &context, ObjectId object,
                             ExprPtr offset, uint32_t bytes) {
  const Object &o = objects.at(object);
  const Contents *contents = find(object);
  const BasePtr base = baseOf(objects, object);
  // A table of constants.
  if (base->kind == Base::Kind::Bytes && (!contents || contents->cells.empty()) && o.size &&
      o.size <= 4096) {
    std::vector<uint8_t> table = *base->bytes;
    table.resize(o.size);
    const ExprPtr array = context.constArray(table);
    const ExprPtr value = expr::readWord(context, array, offset, bytes);
    // Beyond the table there is anything.
    const ExprPtr isWithin =
        context.ule(offset, context.constant(o.size >= bytes ? o.size - bytes : 0, 64));
    return context.ite(isWithin, value, objects.fresh(bytes * 8));
  }
  return objects.fresh(bytes * 8);
}

void Memory::store(Objects &objects, ExprContext &context, ObjectId object, int64_t offset,
                   uint32_t bytes, ExprPtr value, ExprPtr condition) {
  if (!condition->isTrue())
    value = context.ite(condition, value, load(objects, context, object, offset, bytes));
  add(written_, object);
  Contents &contents = this->contents(objects, object);
  std::vector<Cell> &cells = contents.cells;
  auto at = firstAfter(cells, offset) - cells.begin();
  if (at < static_cast<ptrdiff_t>(cells.size()) && cells[at].offset == offset &&
      cells[at].bytes == bytes) {
    cells[at].value = value;
    return;
  }
  // Parts of overlapped cells stay, byte by byte.
  std::vector<Cell> parts;
  auto end = at;
  const int64_t behind = offset + bytes;
  for (; end < static_cast<ptrdiff_t>(cells.size()) && cells[end].offset < behind; ++end)
    for (int64_t i = cells[end].offset; i < cells[end].end(); ++i)
      if (i < offset || i >= behind) parts.push_back({i, 1, byteOf(context, cells[end], i)});
  parts.push_back({offset, bytes, value});
  std::ranges::sort(parts, {}, &Cell::offset);
  cells.erase(cells.begin() + at, cells.begin() + end);
  cells.insert(cells.begin() + at, parts.begin(), parts.end());
}

void Memory::storeAnywhere(Objects &objects, ExprContext &context, ObjectId object, ExprPtr offset,
                           uint32_t bytes) {
  add(written_, object);
  Contents &contents = this->contents(objects, object);
  contents.base = objects.freshBase();
  if (contents.cells.size() > kMaxGuardedCells) contents.cells.clear();
  for (Cell &cell : contents.cells) {
    // Is it hit? first < end and the other way round, with a sign.
    const auto number = [&](int64_t n) { return context.constant(static_cast<uint64_t>(n), 64); };
    const ExprPtr isApart =
        context.bvOr(context.sle(number(cell.end()), offset),
                     context.sle(context.add(offset, number(bytes)), number(cell.offset)));
    cell.value = context.ite(isApart, cell.value, objects.fresh(cell.bytes * 8));
  }
}

void Memory::fill(Objects &objects, ObjectId object, BasePtr base) {
  add(written_, object);
  Contents &contents = this->contents(objects, object);
  contents.base = std::move(base);
  contents.cells.clear();
}

void Memory::change(Objects &objects, const Changes &changes) {
  epoch_ = objects.addEpoch(epoch_, changes);
  for (ObjectId i = 0; i < chunks_.size() * kChunk; ++i)
    if (const Contents *known = find(i);
        known && objects.isChanged(i, changes) && !isPrivate(objects, i)) {
      if (!known->freed) {
        slot(i) = nullptr; // until it is looked at again
        continue;
      }
      Contents &contents = this->contents(objects, i);
      contents.base = objects.baseAt(i, epoch_);
      contents.cells.clear();
    }
}

void Memory::mayFree(const Objects &objects, ExprContext &context, ExprPtr freed) {
  mayBeFreed_.push_back({static_cast<ObjectId>(objects.size()), freed, givenAway_});
  if (mayBeFreed_.size() > kMaxReleases) foldReleases(context);
}

/// The newest become one, of all objects of which one of them is: each access asks about all.
void Memory::foldReleases(ExprContext &context) {
  MayBeFreed &all = mayBeFreed_[kMaxReleases - 1];
  for (size_t i = kMaxReleases; i < mayBeFreed_.size(); ++i) {
    all.end = std::max(all.end, mayBeFreed_[i].end);
    all.freed = context.bvOr(all.freed, mayBeFreed_[i].freed);
  }
  all.givenAway = givenAway_; // what was given away once is so for good
  mayBeFreed_.resize(kMaxReleases);
}

ExprPtr Memory::freed(Objects &objects, ExprContext &context, ObjectId object) const {
  const Contents *contents = find(object);
  const ObjectKind kind = objects.at(object).kind;
  ExprPtr out = contents && contents->freed ? contents->freed : context.falseExpr();
  if (kind != ObjectKind::Unknown && kind != ObjectKind::Heap) return out;
  const bool isUnknown = kind == ObjectKind::Unknown;
  if (isUnknown && initiallyFreed_) out = context.bvOr(out, initiallyFreed_);
  for (const MayBeFreed &may : mayBeFreed_)
    if (isUnknown || (object < may.end && isIn(may.givenAway, object)))
      out = context.bvOr(out, may.freed);
  return out;
}

void Memory::setFreed(Objects &objects, ObjectId object, ExprPtr freed) {
  add(freed_, object);
  contents(objects, object).freed = freed;
}

Contents Memory::joined(Objects &objects, ExprContext &context, ObjectId object, ExprPtr condition,
                        const Memory &other) const {
  const Contents *a = find(object), *b = other.find(object);
  Contents out;
  out.base = objects.choice(condition, baseOf(objects, object), other.baseOf(objects, object));
  if ((a && a->freed) || (b && b->freed))
    out.freed = context.ite(condition, a && a->freed ? a->freed : context.falseExpr(),
                            b && b->freed ? b->freed : context.falseExpr());
  // Every cell of either; those that overlap others of the other memory byte by byte.
  std::vector<Cell> wanted;
  if (a) wanted = a->cells;
  if (b) wanted.insert(wanted.end(), b->cells.begin(), b->cells.end());
  std::ranges::sort(wanted, [](const Cell &x, const Cell &y) {
    return x.offset != y.offset ? x.offset < y.offset : x.bytes < y.bytes;
  });
  const auto add = [&](int64_t offset, uint32_t bytes) {
    out.cells.push_back({offset, bytes,
                         context.ite(condition, peek(objects, context, object, offset, bytes),
                                     other.peek(objects, context, object, offset, bytes))});
  };
  for (size_t i = 0; i < wanted.size();) {
    size_t next = i + 1;
    int64_t end = wanted[i].end();
    bool isSame = true;
    for (; next < wanted.size() && wanted[next].offset < end; ++next) {
      isSame &= wanted[next].offset == wanted[i].offset && wanted[next].bytes == wanted[i].bytes;
      end = std::max(end, wanted[next].end());
    }
    if (isSame)
      add(wanted[i].offset, wanted[i].bytes);
    else
      for (int64_t at = wanted[i].offset; at < end; ++at) add(at, 1);
    i = next;
  }
  return out;
}

void Memory::join(Objects &objects, ExprContext &context, ExprPtr condition, const Memory &other) {
  chunks_.resize(std::max(chunks_.size(), other.chunks_.size()));
  for (size_t c = 0; c < chunks_.size(); ++c) {
    const std::shared_ptr<Chunk> theirs = c < other.chunks_.size() ? other.chunks_[c] : nullptr;
    if (chunks_[c] == theirs) continue;
    for (size_t i = 0; i < kChunk; ++i) {
      const auto object = static_cast<ObjectId>(c * kChunk + i);
      if (find(object) == other.find(object)) continue;
      ContentsPtr both =
          std::make_shared<Contents>(joined(objects, context, object, condition, other));
      slot(object) = std::move(both);
    }
  }
  add(written_, other.written_);
  add(freed_, other.freed_);
  if (givenAway_ != other.givenAway_)
    for (ObjectId i = 0; other.givenAway_ && i < other.givenAway_->size(); ++i)
      if ((*other.givenAway_)[i]) giveAway(i);
  // What both have is at the beginning.
  size_t same = 0;
  while (same < std::min(mayBeFreed_.size(), other.mayBeFreed_.size()) &&
         mayBeFreed_[same] == other.mayBeFreed_[same])
    ++same;
  for (size_t i = same; i < mayBeFreed_.size(); ++i)
    mayBeFreed_[i].freed = context.bvAnd(mayBeFreed_[i].freed, condition);
  for (size_t i = same; i < other.mayBeFreed_.size(); ++i) {
    MayBeFreed may = other.mayBeFreed_[i];
    may.freed = context.bvAnd(may.freed, context.bvNot(condition));
    mayBeFreed_.push_back(std::move(may));
  }
  if (mayBeFreed_.size() > kMaxReleases) foldReleases(context);
  if (epoch_ != other.epoch_) epoch_ = objects.joined(epoch_, other.epoch_);
}

} // namespace fathom::bmc
