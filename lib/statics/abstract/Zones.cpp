// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Zones: constraints x - y <= c, as a sparse graph with an edge for each.
//
// The graph is closed under composition while constraints are added, edge by edge, in the manner of
// split normal form ([zones16] Sec. 4): bounds of single variables are not edges to a zero node but
// live in the progressions, so the graph has only what relates variables. Joins recover a
// constraint that one side has and the other side's ranges imply. Widening drops constraints that
// grew; its result is not closed, which only costs precision.
//
// The edges of a variable are a row of a persistent map: copies of the graph cost nothing, and
// join, widening and inclusion look only at rows in which the two sides differ.
//
// Departs: a variable has at most kMaxEdges edges in each direction; what closure would add beyond
// that is dropped. Cost: constrain O(in * out), assign O(degree), join O(edges of rows that
// differ).
#include "statics/abstract/PersistentMap.h"
#include "statics/abstract/Relations.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace fathom::statics::abstract {

namespace {

constexpr size_t kMaxEdges = 32;

/// The edges of one variable in one direction, by the other variable, ascending.
class Row {
public:
  using Edge = std::pair<VarId, int64_t>;
  bool operator==(const Row &) const = default;
  bool empty() const { return edges_.empty(); }
  size_t size() const { return edges_.size(); }
  auto begin() const { return edges_.begin(); }
  auto end() const { return edges_.end(); }
  std::optional<int64_t> find(VarId other) const {
    const auto found = at(other);
    if (found == edges_.end() || found->first != other) return std::nullopt;
    return found->second;
  }
  void set(VarId other, int64_t bound) {
    const auto found = edges_.begin() + (at(other) - edges_.begin());
    if (found != edges_.end() && found->first == other)
      found->second = bound;
    else
      edges_.insert(found, {other, bound});
  }
  void erase(VarId other) {
    const auto found = at(other);
    if (found != edges_.end() && found->first == other) edges_.erase(found);
  }

private:
  std::vector<Edge>::const_iterator at(VarId other) const {
    return std::lower_bound(edges_.begin(), edges_.end(), other,
                            [](const Edge &edge, VarId var) { return edge.first < var; });
  }
  std::vector<Edge> edges_;
};

class Zones final : public Relations {
public:
  std::unique_ptr<Relations> clone() const override { return std::make_unique<Zones>(*this); }

  void forget(VarId var) override {
    auto dropAll = [&](Edges &from, Edges &back) {
      const Row *row = from.find(var);
      if (!row) return;
      for (const auto &[other, bound] : *row) eraseFrom(back, other, var);
      from.erase(var);
    };
    dropAll(above_, below_);
    dropAll(below_, above_);
  }

  void assign(VarId dst, VarId src, int64_t offset) override {
    if (dst == src) return shift(dst, offset);
    forget(dst);
    addClosed(dst, src, offset);
    if (offset != std::numeric_limits<int64_t>::min()) addClosed(src, dst, -offset);
  }

  bool constrain(const PairBound &bound, const RangeOf &ranges) override {
    if (bound.signX == bound.signY) return true; // a sum
    const VarId x = bound.signX > 0 ? bound.x : bound.y, y = bound.signX > 0 ? bound.y : bound.x;
    return addClosed(x, y, bound.bound);
  }

  std::optional<int64_t> upperBound(const PairBound &of) const override {
    if (of.signX == of.signY) return std::nullopt;
    return edge(of.signX > 0 ? of.x : of.y, of.signX > 0 ? of.y : of.x);
  }

  void forEachVariable(VarId first, const std::function<void(VarId)> &visit) const override {
    above_.forEachFrom(first, [&](VarId x, const Row &) { visit(x); });
    below_.forEachFrom(first, [&](VarId y, const Row &) {
      if (!above_.contains(y)) visit(y);
    });
  }

  void add(const Relations &otherRelations) override {
    const auto &other = static_cast<const Zones &>(otherRelations);
    auto unite = [](Edges &mine, const Edges &others) {
      others.forEach([&](VarId var, const Row &row) {
        if (!mine.contains(var)) mine.set(var, row);
      });
    };
    unite(above_, other.above_);
    unite(below_, other.below_);
  }

  std::vector<VarId> neighbours(VarId var) const override {
    std::vector<VarId> out;
    for (const Edges *edges : {&above_, &below_})
      if (const Row *row = edges->find(var))
        for (const auto &[other, bound] : *row) out.push_back(other);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }

  Range tighten(VarId var, const Range &now, const RangeOf &ranges) const override {
    Range out = now;
    if (const Row *row = above_.find(var))
      for (const auto &[y, c] : *row) out.hi = std::min(out.hi, ranges(y).hi + c);
    if (const Row *row = below_.find(var))
      for (const auto &[x, c] : *row) out.lo = std::max(out.lo, ranges(x).lo - c);
    return out;
  }

  void join(const Relations &otherRelations, const RangeOf &mine, const RangeOf &others) override {
    const auto &other = static_cast<const Zones &>(otherRelations);
    Changes changes;
    // A row that both share stays: each of its edges holds on both sides.
    Edges::compare(above_, other.above_, [&](VarId x, const Row *here, const Row *there) {
      const Range mineX = mine(x), othersX = others(x);
      const __int128 mostX = std::max(mineX.hi, othersX.hi);
      auto consider = [&](VarId y, int64_t c, std::optional<int64_t> edge, const Range &rangeX,
                          const RangeOf &ranges) {
        __int128 bound = rangeX.hi - ranges(y).lo; // on the other side, by an edge or by ranges
        if (edge) bound = std::min<__int128>(bound, *edge);
        const __int128 most = std::max<__int128>(c, bound);
        // What the joined ranges imply anyway is not worth an edge.
        const __int128 implied = mostX - std::min(mine(y).lo, others(y).lo);
        const bool stays = most < implied && isUseful(most);
        return stays ? std::optional(int64_t(most)) : std::nullopt;
      };
      if (here)
        for (const auto &[y, c] : *here)
          note(changes, x, y, c,
               consider(y, c, there ? there->find(y) : std::nullopt, othersX, others));
      if (there)
        for (const auto &[y, c] : *there)
          if (!here || !here->find(y))
            note(changes, x, y, std::nullopt, consider(y, c, std::nullopt, mineX, mine));
      return true;
    });
    apply(changes);
  }

  void widen(const Relations &next, const RangeOf &nexts) override {
    const auto &other = static_cast<const Zones &>(next);
    Changes changes;
    Edges::compare(above_, other.above_, [&](VarId x, const Row *here, const Row *) {
      if (here)
        for (const auto &[y, c] : *here)
          if (other.boundWith(x, y, nexts) > c) note(changes, x, y, c, std::nullopt);
      return true;
    });
    apply(changes);
  }

  bool includes(const Relations &otherRelations, const RangeOf &others) const override {
    const auto &other = static_cast<const Zones &>(otherRelations);
    return Edges::compare(above_, other.above_, [&](VarId x, const Row *here, const Row *) {
      if (here)
        for (const auto &[y, c] : *here)
          if (other.boundWith(x, y, others) > c) return false;
      return true;
    });
  }

  std::vector<std::string> text(const std::function<std::string(VarId)> &name) const override {
    std::vector<std::string> out;
    above_.forEach([&](VarId x, const Row &row) {
      for (const auto &[y, c] : row) {
        const std::optional<int64_t> back = edge(y, x);
        if (back && *back == -c) {
          if (x < y) continue; // said from the other side
          out.push_back(
              c ? fmt::format("{} = {} {} {}", name(x), name(y), c < 0 ? "-" : "+", c < 0 ? -c : c)
                : fmt::format("{} = {}", name(x), name(y)));
        } else if (c == 0) {
          out.push_back(fmt::format("{} <= {}", name(x), name(y)));
        } else {
          out.push_back(
              fmt::format("{} <= {} {} {}", name(x), name(y), c < 0 ? "-" : "+", c < 0 ? -c : c));
        }
      }
    });
    return out;
  }

private:
  using Edges = PersistentMap<Row>;
  /// An edge that differs from what it was; without a bound it is gone.
  struct Change {
    VarId x, y;
    std::optional<int64_t> bound;
  };
  using Changes = std::vector<Change>;

  static void note(Changes &changes, VarId x, VarId y, std::optional<int64_t> old,
                   std::optional<int64_t> bound) {
    if (old != bound) changes.push_back({x, y, bound});
  }
  void apply(const Changes &changes) {
    for (const auto &[x, y, bound] : changes) {
      if (bound) {
        add(x, y, *bound);
      } else {
        eraseFrom(above_, x, y);
        eraseFrom(below_, y, x);
      }
    }
  }
  static void eraseFrom(Edges &edges, VarId of, VarId other) {
    const Row *row = edges.find(of);
    if (!row) return;
    if (row->size() == 1 && row->begin()->first == other) return edges.erase(of);
    edges.update(of, [&](Row &mine) { mine.erase(other); });
  }
  /// Bounds beyond any useful distance are dropped, so sums never overflow.
  static bool isUseful(__int128 bound) {
    return bound <= std::numeric_limits<int64_t>::max() / 4 &&
           bound >= std::numeric_limits<int64_t>::min() / 4;
  }

  std::optional<int64_t> edge(VarId x, VarId y) const {
    const Row *row = above_.find(x);
    return row ? row->find(y) : std::nullopt;
  }
  /// x - y is at most this: by an edge, or by ranges.
  __int128 boundWith(VarId x, VarId y, const RangeOf &ranges) const {
    const __int128 byRange = ranges(x).hi - ranges(y).lo;
    const std::optional<int64_t> known = edge(x, y);
    return known ? std::min<__int128>(*known, byRange) : byRange;
  }
  void add(VarId x, VarId y, int64_t c) {
    above_.update(x, [&](Row &row) { row.set(y, c); });
    below_.update(y, [&](Row &row) { row.set(x, c); });
  }
  /// Returns false at a negative cycle.
  bool addClosed(VarId x, VarId y, int64_t c) {
    if (x == y) return c >= 0;
    if (const std::optional<int64_t> back = edge(y, x); back && __int128(*back) + c < 0)
      return false;
    if (const std::optional<int64_t> known = edge(x, y); known && *known <= c) return true;
    std::vector<std::pair<VarId, int64_t>> into = {{x, 0}}, out = {{y, 0}};
    if (const Row *row = below_.find(x)) into.insert(into.end(), row->begin(), row->end());
    if (const Row *row = above_.find(y)) out.insert(out.end(), row->begin(), row->end());
    for (const auto &[p, a] : into)
      for (const auto &[q, b] : out) {
        if (p == q) continue;
        const __int128 sum = __int128(a) + c + b;
        if (!isUseful(sum)) continue;
        const std::optional<int64_t> known = edge(p, q);
        if (known && *known <= sum) continue;
        if (!known && isFull(p, q) && !(p == x && q == y)) continue;
        add(p, q, int64_t(sum));
      }
    return true;
  }
  bool isFull(VarId p, VarId q) const {
    const Row *up = above_.find(p), *down = below_.find(q);
    return (up && up->size() >= kMaxEdges) || (down && down->size() >= kMaxEdges);
  }
  void shift(VarId var, int64_t offset) {
    // var' = var + offset: var' - y <= c + offset, x - var' <= c - offset.
    const Row *above = above_.find(var), *below = below_.find(var);
    const Row up = above ? *above : Row(), down = below ? *below : Row();
    forget(var);
    for (const auto &[y, c] : up)
      if (const __int128 bound = __int128(c) + offset; isUseful(bound)) add(var, y, int64_t(bound));
    for (const auto &[x, c] : down)
      if (const __int128 bound = __int128(c) - offset; isUseful(bound)) add(x, var, int64_t(bound));
  }

  Edges above_; ///< row x, entry y: x - y <= c
  Edges below_; ///< the same by y
};

} // namespace

std::unique_ptr<Relations> makeZones() { return std::make_unique<Zones>(); }

} // namespace fathom::statics::abstract
