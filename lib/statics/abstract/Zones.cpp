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
// Departs: a variable has at most kMostEdges edges in each direction; what closure would add beyond
// that is dropped. Cost: constrain O(in * out), assign O(degree), join O(edges * log).
#include "statics/abstract/Relations.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

namespace fathom::statics::abstract {

namespace {

constexpr size_t kMostEdges = 32;

class Zones final : public Relations {
public:
  std::unique_ptr<Relations> clone() const override { return std::make_unique<Zones>(*this); }

  void forget(VarId var) override {
    auto dropAll = [&](Edges &from, Edges &back) {
      auto at = from.find(var);
      if (at == from.end()) return;
      for (const auto &[other, bound] : at->second) {
        auto reverse = back.find(other);
        reverse->second.erase(var);
        if (reverse->second.empty()) back.erase(reverse);
      }
      from.erase(at);
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

  void forEachVariable(const std::function<void(VarId)> &visit) const override {
    for (const auto &[x, edges] : above_) visit(x);
    for (const auto &[y, edges] : below_)
      if (!above_.count(y)) visit(y);
  }

  std::vector<VarId> neighbours(VarId var) const override {
    std::vector<VarId> out;
    for (const Edges *edges : {&above_, &below_})
      if (auto at = edges->find(var); at != edges->end())
        for (const auto &[other, bound] : at->second) out.push_back(other);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }

  Range tighten(VarId var, const Range &now, const RangeOf &ranges) const override {
    Range out = now;
    if (auto at = above_.find(var); at != above_.end())
      for (const auto &[y, c] : at->second) out.hi = std::min(out.hi, ranges(y).hi + c);
    if (auto at = below_.find(var); at != below_.end())
      for (const auto &[x, c] : at->second) out.lo = std::max(out.lo, ranges(x).lo - c);
    return out;
  }

  void join(const Relations &otherRelations, const RangeOf &mine, const RangeOf &others) override {
    const auto &other = static_cast<const Zones &>(otherRelations);
    Zones out;
    auto consider = [&](VarId x, VarId y, int64_t c, const Zones &there, const RangeOf &ranges) {
      const __int128 bound = there.boundWith(x, y, ranges);
      const __int128 most = std::max<__int128>(c, bound);
      // What the joined ranges imply anyway is not worth an edge.
      const __int128 implied =
          std::max(mine(x).hi, others(x).hi) - std::min(mine(y).lo, others(y).lo);
      if (most < implied && most <= std::numeric_limits<int64_t>::max() / 4 &&
          most >= std::numeric_limits<int64_t>::min() / 4)
        out.add(x, y, int64_t(most));
    };
    for (const auto &[x, edges] : above_)
      for (const auto &[y, c] : edges) consider(x, y, c, other, others);
    for (const auto &[x, edges] : other.above_)
      for (const auto &[y, c] : edges)
        if (!edge(x, y)) consider(x, y, c, *this, mine);
    *this = std::move(out);
  }

  void widen(const Relations &next, const RangeOf &nexts) override {
    const auto &other = static_cast<const Zones &>(next);
    Zones out;
    for (const auto &[x, edges] : above_)
      for (const auto &[y, c] : edges)
        if (other.boundWith(x, y, nexts) <= c) out.add(x, y, c);
    *this = std::move(out);
  }

  bool includes(const Relations &otherRelations, const RangeOf &others) const override {
    const auto &other = static_cast<const Zones &>(otherRelations);
    for (const auto &[x, edges] : above_)
      for (const auto &[y, c] : edges)
        if (other.boundWith(x, y, others) > c) return false;
    return true;
  }

  std::vector<std::string> text(const std::function<std::string(VarId)> &name) const override {
    std::vector<std::string> out;
    for (const auto &[x, edges] : above_)
      for (const auto &[y, c] : edges) {
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
    return out;
  }

private:
  using Edges = std::map<VarId, std::map<VarId, int64_t>>;

  std::optional<int64_t> edge(VarId x, VarId y) const {
    auto at = above_.find(x);
    if (at == above_.end()) return std::nullopt;
    auto found = at->second.find(y);
    return found == at->second.end() ? std::nullopt : std::optional(found->second);
  }
  /// x - y is at most this: by an edge, or by ranges.
  __int128 boundWith(VarId x, VarId y, const RangeOf &ranges) const {
    const __int128 byRange = ranges(x).hi - ranges(y).lo;
    const std::optional<int64_t> known = edge(x, y);
    return known ? std::min<__int128>(*known, byRange) : byRange;
  }
  void add(VarId x, VarId y, int64_t c) {
    above_[x][y] = c;
    below_[y][x] = c;
  }
  /// Returns false at a negative cycle.
  bool addClosed(VarId x, VarId y, int64_t c) {
    if (x == y) return c >= 0;
    if (const std::optional<int64_t> back = edge(y, x); back && __int128(*back) + c < 0)
      return false;
    if (const std::optional<int64_t> known = edge(x, y); known && *known <= c) return true;
    std::vector<std::pair<VarId, int64_t>> into = {{x, 0}}, out = {{y, 0}};
    if (auto at = below_.find(x); at != below_.end())
      into.insert(into.end(), at->second.begin(), at->second.end());
    if (auto at = above_.find(y); at != above_.end())
      out.insert(out.end(), at->second.begin(), at->second.end());
    for (const auto &[p, a] : into)
      for (const auto &[q, b] : out) {
        if (p == q) continue;
        const __int128 sum = __int128(a) + c + b;
        // Bounds beyond any useful distance are dropped, so sums never overflow.
        if (sum > std::numeric_limits<int64_t>::max() / 4 ||
            sum < std::numeric_limits<int64_t>::min() / 4)
          continue;
        const std::optional<int64_t> known = edge(p, q);
        if (known && *known <= sum) continue;
        if (!known && isFull(p, q) && !(p == x && q == y)) continue;
        add(p, q, int64_t(sum));
      }
    return true;
  }
  bool isFull(VarId p, VarId q) const {
    auto up = above_.find(p);
    auto down = below_.find(q);
    return (up != above_.end() && up->second.size() >= kMostEdges) ||
           (down != below_.end() && down->second.size() >= kMostEdges);
  }
  void shift(VarId var, int64_t offset) {
    // var' = var + offset: var' - y <= c + offset, x - var' <= c - offset.
    std::vector<std::pair<VarId, __int128>> up, down;
    if (auto at = above_.find(var); at != above_.end())
      for (const auto &[y, c] : at->second) up.emplace_back(y, __int128(c) + offset);
    if (auto at = below_.find(var); at != below_.end())
      for (const auto &[x, c] : at->second) down.emplace_back(x, __int128(c) - offset);
    forget(var);
    auto fits = [](__int128 c) {
      return c <= std::numeric_limits<int64_t>::max() / 4 &&
             c >= std::numeric_limits<int64_t>::min() / 4;
    };
    for (const auto &[y, c] : up)
      if (fits(c)) add(var, y, int64_t(c));
    for (const auto &[x, c] : down)
      if (fits(c)) add(x, var, int64_t(c));
  }

  Edges above_; ///< above_[x][y] = c: x - y <= c
  Edges below_; ///< the same by y
};

} // namespace

std::unique_ptr<Relations> makeZones() { return std::make_unique<Zones>(); }

} // namespace fathom::statics::abstract
