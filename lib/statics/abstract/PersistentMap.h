// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A persistent map from 32-bit numbers: copies share everything, and two maps that have a common
// past are merged at the cost of their differences ([patricia98]). Abstract states are such maps:
// the two sides of a branch differ in a few entries of thousands.
//
// Nodes count references without atomics: an analysis is one thread. A node that only one map
// refers to is changed in place.
#ifndef FATHOM_STATICS_ABSTRACT_PERSISTENTMAP_H
#define FATHOM_STATICS_ABSTRACT_PERSISTENTMAP_H

#include "llvm/ADT/IntrusiveRefCntPtr.h"

#include <bit>
#include <cstdint>
#include <optional>
#include <utility>

namespace fathom::statics::abstract {

/// Value: copyable, with ==. Cost of find, set, erase: O(32). Copies: O(1).
/// Threads: maps with a common past belong to one thread.
template <class Value> class PersistentMap {
  struct Node;
  using Link = llvm::IntrusiveRefCntPtr<Node>;
  struct Node {
    uint32_t users = 0;
    uint32_t key = 0; ///< of a leaf; of an inner node: the bits above `bit`
    uint32_t bit = 0; ///< of an inner node: the one that decides; 0: a leaf
    void Retain() { ++users; }
    void Release() {
      if (--users) return;
      if (bit)
        delete static_cast<Inner *>(this);
      else
        delete static_cast<Leaf *>(this);
    }
    const Link &child(uint32_t of) const {
      const auto *self = static_cast<const Inner *>(this);
      return of & bit ? self->one : self->zero;
    }
    Link &child(uint32_t of) {
      auto *self = static_cast<Inner *>(this);
      return of & bit ? self->one : self->zero;
    }
    const Link &zero() const { return static_cast<const Inner *>(this)->zero; }
    const Link &one() const { return static_cast<const Inner *>(this)->one; }
    const Value &value() const { return static_cast<const Leaf *>(this)->value; }
  };
  struct Inner : Node {
    Link zero, one;
  };
  struct Leaf : Node {
    Value value;
    explicit Leaf(Value v) : value(std::move(v)) {}
  };

public:
  bool empty() const { return !root_; }
  bool sameAs(const PersistentMap &other) const { return root_ == other.root_; }

  const Value *find(uint32_t key) const {
    const Node *at = root_.get();
    while (at && at->bit) {
      if (!fits(*at, key)) return nullptr;
      at = at->child(key).get();
    }
    return at && at->key == key ? &at->value() : nullptr;
  }
  bool contains(uint32_t key) const { return find(key) != nullptr; }

  void set(uint32_t key, Value value) {
    if (const Value *old = find(key); old && *old == value) return;
    insert(root_, key, std::move(value));
  }
  void erase(uint32_t key) {
    if (contains(key)) remove(root_, key);
  }
  /// change(value) on the entry, which is made if there is none.
  template <class Change> void update(uint32_t key, Change change) {
    Link *at = &root_;
    while (*at && (*at)->bit && fits(**at, key)) {
      own(*at);
      at = &(*at)->child(key);
    }
    if (!*at || (*at)->bit || (*at)->key != key) {
      Value value{};
      change(value);
      return insert(*at, key, std::move(value));
    }
    own(*at);
    change(static_cast<Leaf *>(at->get())->value);
  }

  /// Drops the entries with this key or a greater one. Cost: O(32).
  void eraseFrom(uint32_t first) { eraseFrom(root_, first); }

  /// visit(key, value) with this key or a greater one, in ascending order.
  template <class Visit> void forEachFrom(uint32_t first, Visit visit) const {
    walkFrom(root_.get(), first, visit);
  }
  /// visit(key, value), in ascending order.
  template <class Visit> void forEach(Visit visit) const { walk(root_.get(), visit); }

  /// The merge of two maps: both(key, a, b), onlyA(key, a) and onlyB(key, b) give the entry of the
  /// result, as optional<Value>. They are not called where the maps share structure; there the
  /// result has what both have.
  template <class Both, class OnlyA, class OnlyB>
  static PersistentMap merge(const PersistentMap &a, const PersistentMap &b, Both both, OnlyA onlyA,
                             OnlyB onlyB) {
    PersistentMap out;
    out.root_ = merged(a.root_, b.root_, both, onlyA, onlyB);
    return out;
  }

  /// Drops the entries below `limit` for which keep(key) is false.
  template <class Keep> void keepIf(uint32_t limit, Keep keep) { root_ = kept(root_, limit, keep); }
  /// The entries of `below` before the key 2^31, and those of `above` from there on. Cost: O(1).
  static PersistentMap halves(PersistentMap below, const PersistentMap &above) {
    below.eraseFrom(kMiddle);
    if (above.root_) {
      const bool isSplit = above.root_->bit == kMiddle;
      const Link &upper = isSplit ? above.root_->one() : above.root_;
      if (leastOf(*upper) >= kMiddle)
        below.root_ = inner(0, kMiddle, std::move(below.root_), upper);
    }
    return below;
  }

  /// Calls differ(key, a or null, b or null) for the keys where the maps may differ, until one call
  /// returns false; then returns false.
  template <class Differ>
  static bool compare(const PersistentMap &a, const PersistentMap &b, Differ differ) {
    return compared(a.root_.get(), b.root_.get(), differ);
  }

private:
  static constexpr uint32_t kMiddle = uint32_t(1) << 31;

  static bool fits(const Node &node, uint32_t key) {
    return ((key ^ node.key) & ~(node.bit | (node.bit - 1))) == 0;
  }
  static Link leaf(uint32_t key, Value value) {
    Link node(new Leaf(std::move(value)));
    node->key = key;
    return node;
  }
  static Link inner(uint32_t key, uint32_t bit, Link zero, Link one) {
    if (!zero) return one;
    if (!one) return zero;
    auto *made = new Inner;
    made->key = key & ~(bit | (bit - 1));
    made->bit = bit;
    made->zero = std::move(zero);
    made->one = std::move(one);
    return Link(made);
  }
  /// Two trees whose keys have different prefixes.
  static Link joined(Link a, Link b) {
    const uint32_t key = a->key, bit = std::bit_floor(a->key ^ b->key);
    return key & bit ? inner(key, bit, std::move(b), std::move(a))
                     : inner(key, bit, std::move(a), std::move(b));
  }
  /// Makes the node exclusive to this map, so that it may be changed.
  static void own(Link &at) {
    if (at->users == 1) return;
    if (at->bit)
      at = inner(at->key, at->bit, at->zero(), at->one());
    else
      at = leaf(at->key, at->value());
  }
  static void insert(Link &at, uint32_t key, Value value) {
    Link *here = &at;
    while (*here && (*here)->bit && fits(**here, key)) {
      own(*here);
      here = &(*here)->child(key);
    }
    if (!*here || (!(*here)->bit && (*here)->key == key))
      *here = leaf(key, std::move(value));
    else
      *here = joined(std::move(*here), leaf(key, std::move(value)));
  }
  /// REQUIRES: the key is there.
  static void remove(Link &at, uint32_t key) {
    if (!at->bit) {
      at = nullptr;
      return;
    }
    Link &child = at->child(key), &other = at->child(key ^ at->bit);
    if (!child->bit) { // its only leaf below here
      Link rest = other;
      at = std::move(rest);
      return;
    }
    own(at);
    remove(at->child(key), key);
  }
  /// The least and the greatest key there can be in a tree.
  static uint32_t leastOf(const Node &node) { return node.key; }
  static uint32_t mostOf(const Node &node) {
    return node.bit ? node.key | node.bit | (node.bit - 1) : node.key;
  }
  static void eraseFrom(Link &at, uint32_t first) {
    if (!at || mostOf(*at) < first) return;
    if (leastOf(*at) >= first) {
      at = nullptr;
      return;
    }
    Link zero = at->zero(), one = at->one();
    eraseFrom(zero, first);
    eraseFrom(one, first);
    at = inner(at->key, at->bit, std::move(zero), std::move(one));
  }
  template <class Visit> static void walkFrom(const Node *at, uint32_t first, Visit &visit) {
    if (!at || mostOf(*at) < first) return;
    if (leastOf(*at) >= first) return walk(at, visit);
    walkFrom(at->zero().get(), first, visit);
    walkFrom(at->one().get(), first, visit);
  }
  template <class Visit> static void walk(const Node *at, Visit &visit) {
    if (!at) return;
    if (!at->bit) return visit(at->key, at->value());
    walk(at->zero().get(), visit);
    walk(at->one().get(), visit);
  }
  /// Keeps the entries that only(key, value) gives.
  template <class Only> static Link filtered(const Link &tree, Only &only) {
    if (!tree) return nullptr;
    if (!tree->bit) {
      std::optional<Value> value = only(tree->key, tree->value());
      if (!value) return nullptr;
      return *value == tree->value() ? tree : leaf(tree->key, std::move(*value));
    }
    Link zero = filtered(tree->zero(), only), one = filtered(tree->one(), only);
    if (zero == tree->zero() && one == tree->one()) return tree;
    return inner(tree->key, tree->bit, std::move(zero), std::move(one));
  }
  template <class Keep> static Link kept(const Link &tree, uint32_t limit, Keep &keep) {
    if (!tree || leastOf(*tree) >= limit) return tree;
    if (!tree->bit) return keep(tree->key) ? tree : nullptr;
    Link zero = kept(tree->zero(), limit, keep), one = kept(tree->one(), limit, keep);
    if (zero == tree->zero() && one == tree->one()) return tree;
    return inner(tree->key, tree->bit, std::move(zero), std::move(one));
  }
  static Link same(const Link &tree, Link zero, Link one) {
    if (zero == tree->zero() && one == tree->one()) return tree;
    return inner(tree->key, tree->bit, std::move(zero), std::move(one));
  }
  template <class Both, class OnlyA, class OnlyB>
  static Link merged(const Link &a, const Link &b, Both &both, OnlyA &onlyA, OnlyB &onlyB) {
    if (a == b) return a;
    if (!a) return filtered(b, onlyB);
    if (!b) return filtered(a, onlyA);
    if (!a->bit && !b->bit && a->key == b->key) {
      std::optional<Value> value = both(a->key, a->value(), b->value());
      if (!value) return nullptr;
      return *value == a->value() ? a : leaf(a->key, std::move(*value));
    }
    if (a->bit && a->bit == b->bit && a->key == b->key)
      return same(a, merged(a->zero(), b->zero(), both, onlyA, onlyB),
                  merged(a->one(), b->one(), both, onlyA, onlyB));
    if (a->bit > b->bit && fits(*a, b->key))
      return b->key & a->bit
                 ? same(a, filtered(a->zero(), onlyA), merged(a->one(), b, both, onlyA, onlyB))
                 : same(a, merged(a->zero(), b, both, onlyA, onlyB), filtered(a->one(), onlyA));
    if (b->bit > a->bit && fits(*b, a->key))
      return a->key & b->bit ? inner(b->key, b->bit, filtered(b->zero(), onlyB),
                                     merged(a, b->one(), both, onlyA, onlyB))
                             : inner(b->key, b->bit, merged(a, b->zero(), both, onlyA, onlyB),
                                     filtered(b->one(), onlyB));
    Link left = filtered(a, onlyA), right = filtered(b, onlyB);
    if (!left) return right;
    return right ? joined(left, right) : left;
  }
  template <class Differ> static bool compared(const Node *a, const Node *b, Differ &differ) {
    if (a == b) return true;
    auto all = [&](const Node *tree, bool isA) {
      bool holds = true;
      auto visit = [&](uint32_t key, const Value &value) {
        holds = holds && (isA ? differ(key, &value, static_cast<const Value *>(nullptr))
                              : differ(key, static_cast<const Value *>(nullptr), &value));
      };
      walk(tree, visit);
      return holds;
    };
    if (!a) return all(b, false);
    if (!b) return all(a, true);
    if (!a->bit && !b->bit && a->key == b->key) return differ(a->key, &a->value(), &b->value());
    if (a->bit && a->bit == b->bit && a->key == b->key)
      return compared(a->zero().get(), b->zero().get(), differ) &&
             compared(a->one().get(), b->one().get(), differ);
    if (a->bit > b->bit && fits(*a, b->key))
      return b->key & a->bit ? all(a->zero().get(), true) && compared(a->one().get(), b, differ)
                             : compared(a->zero().get(), b, differ) && all(a->one().get(), true);
    if (b->bit > a->bit && fits(*b, a->key))
      return a->key & b->bit ? all(b->zero().get(), false) && compared(a, b->one().get(), differ)
                             : compared(a, b->zero().get(), differ) && all(b->one().get(), false);
    return all(a, true) && all(b, false);
  }

  Link root_;
};

} // namespace fathom::statics::abstract
#endif
