// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "psp/Forest.h"

#include "support/Check.h"

#include <cassert>

namespace fathom::psp {

static constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

double Forest::probability(const Ternary &vector) const {
  assert(vector.size() == static_cast<size_t>(2 * k_ + 1) && "a vector of another k");
  double sum = 0;
  for (const Tree &tree : trees_) {
    uint32_t at = 0;
    while (tree[at].feature != kLeaf)
      at = vector[tree[at].feature] == 1 ? tree[at].one : tree[at].zero;
    sum += (tree[at].share + 0.5) / kShareUnits;
  }
  return trees_.empty() ? 0.5 : sum / static_cast<double>(trees_.size());
}

size_t Forest::nodes() const {
  size_t sum = 0;
  for (const Tree &tree : trees_) sum += tree.size();
  return sum;
}

static void write(const Forest::Tree &tree, uint32_t at, std::string &out) {
  const Forest::Node &node = tree[at];
  if (node.feature == Forest::kLeaf) {
    out += '.';
    out += kDigits[node.share];
    return;
  }
  out += kDigits[node.feature];
  write(tree, node.zero, out);
  write(tree, node.one, out);
}

std::string Forest::text() const {
  std::string out;
  for (const Tree &tree : trees_) {
    write(tree, 0, out);
    out += '\n';
  }
  return out;
}

namespace {

/// Reads one tree from the front of a text.
class TreeReader {
public:
  TreeReader(std::string_view text, int64_t k) : text_(text), k_(k) {}
  std::optional<Forest::Tree> read() {
    if (!node(0)) return std::nullopt;
    if (!text_.empty()) return std::nullopt;
    return std::move(tree_);
  }

private:
  std::optional<uint8_t> digit() {
    if (text_.empty()) return std::nullopt;
    const size_t value = kDigits.find(text_.front());
    text_.remove_prefix(1);
    if (value == std::string_view::npos) return std::nullopt;
    return static_cast<uint8_t>(value);
  }
  bool node(int depth) {
    const auto at = static_cast<uint32_t>(tree_.size());
    tree_.emplace_back();
    const bool isLeaf = text_.starts_with('.');
    if (isLeaf) text_.remove_prefix(1);
    const std::optional<uint8_t> value = digit();
    if (!value || depth > 64) return false;
    if (isLeaf) {
      tree_[at].share = *value;
      return true;
    }
    if (*value > 2 * k_ || *value == k_) return false;
    tree_[at].feature = *value;
    tree_[at].zero = static_cast<uint32_t>(tree_.size());
    if (!node(depth + 1)) return false;
    tree_[at].one = static_cast<uint32_t>(tree_.size());
    return node(depth + 1);
  }

  std::string_view text_;
  int64_t k_;
  Forest::Tree tree_;
};

} // namespace

std::optional<Forest> Forest::parse(int64_t k, std::string_view text) {
  std::vector<Tree> trees;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    std::optional<Tree> tree = TreeReader(text.substr(0, end), k).read();
    if (!tree) return std::nullopt;
    trees.push_back(std::move(*tree));
    text.remove_prefix(end + 1);
  }
  if (trees.empty()) return std::nullopt;
  return Forest(k, std::move(trees));
}

const Forest &Forest::shipped() {
  static const Forest forest = [] {
    constexpr int64_t kShipped = 20;
    std::string text;
#define FATHOM_FOREST_TREE(TREE) text += TREE "\n";
#include "psp/Forest.def"
#undef FATHOM_FOREST_TREE
    std::optional<Forest> parsed = parse(kShipped, text);
    FATHOM_CHECK(parsed, "Forest.def is not what `fathom psp train` writes");
    return std::move(*parsed);
  }();
  return forest;
}

} // namespace fathom::psp
