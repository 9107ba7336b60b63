// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/Forget.h"

#include "explore/decide/Engine.h"
#include "expr/TermVisitor.h"
#include "program/Address.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <regex>

namespace fathom::confirm {

using namespace explore;

namespace {

constexpr std::string_view kPrefix = "left-out.";
constexpr uint64_t kMaxObjectBytes = 4096, kWordBytes = 8;

/// Reads a number at the beginning of the text, and takes it off.
bool takeNumber(std::string_view &text, uint32_t &number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return true;
}

/// An object whose numbers are forgotten.
struct Forgotten {
  uint64_t base, size;
  std::vector<bool> keeps;         ///< by byte: it is one of a pointer, or always the same
  const program::Global *variable; ///< null: it is none
};

class Forgetting {
public:
  Forgetting(Engine &engine, State &s, const Writes &writes)
      : engine_(engine), s_(s), writes_(writes), functions_(engine.services.program.functions) {
    std::vector<uint32_t> active;
    for (const Frame *f = s.top; f; f = f->parent) active.push_back(f->function);
    for (auto *known = s.unknownPointers.last.get(); known; known = known->previous.get()) {
      ExprPtr first = known->value.pointer;
      while (first->kind() == expr::Kind::Concat) first = first->op(1);
      if (const std::optional<UnknownWord> word = wordAt(first)) usedPointers_.push_back(*word);
    }
    // What callers made may be a local variable of theirs.
    takesAssumed_ = writes.blocks || std::ranges::any_of(writes.frames, [&](uint32_t function) {
                      return std::ranges::find(active, function) == active.end();
                    });
  }

  void run(const std::string &name) {
    std::vector<Forgotten> all;
    s_.memory.forEachObject([&](const ObjectState &o) {
      if (!o.freed && isWritten(o)) add(o, all);
    });
    for (const uint32_t index : writes_.variables) {
      const program::Global &variable = engine_.services.program.globals[index];
      if (const ObjectState *o = s_.memory.find(variable.address)) add(*o, all, &variable);
    }
    for (const Forgotten &object : all) {
      const ExprPtr bytes = freshBytes(engine_, s_, name, object.size, true);
      if (object.variable) engine_.assumed.assumeRanges(s_, *object.variable, bytes);
      for (uint64_t i = 0; i < object.size; ++i)
        if (!object.keeps[i])
          s_.memory.writeSym(object.base + i, engine_.services.context.read(bytes, i));
    }
  }

private:
  bool isWritten(const ObjectState &o) const {
    if (o.info->assumed) return takesAssumed_;
    switch (o.info->kind) {
    case ObjectKind::Stack: return std::ranges::binary_search(writes_.frames, o.info->function);
    case ObjectKind::Heap:
    case ObjectKind::Map: // libc's own blocks hold nothing of the program's
      return writes_.blocks &&
             (o.info->function >= functions_.size() || functions_[o.info->function].own);
    case ObjectKind::Global:
    case ObjectKind::Constant: return false;
    }
    return false;
  }

  void add(const ObjectState &o, std::vector<Forgotten> &all,
           const program::Global *variable = nullptr) const {
    if (!o.size()) return;
    if (o.size() > kMaxObjectBytes) {
      engine_.assumed.keep(
          o, fmt::format("an object of {} bytes keeps its contents behind code that was left out",
                         o.size()));
      return;
    }
    Forgotten out{o.base(), o.size(),
                  variable ? AssumedMemory::fixedBytes(*variable) : std::vector<bool>(o.size()),
                  variable};
    for (uint64_t at = 0; at + kWordBytes <= o.size(); at += kWordBytes)
      if (isPointer(o, at))
        std::fill_n(out.keeps.begin() + static_cast<ptrdiff_t>(at), kWordBytes, true);
    all.push_back(std::move(out));
  }

  bool isPointer(const ObjectState &o, uint64_t offset) const {
    uint64_t value = 0;
    std::optional<UnknownWord> word;
    for (uint64_t i = 0; i < kWordBytes; ++i) {
      const ByteValue byte = s_.memory.read(o, offset + i);
      if (byte.uninit) return false;
      value |= uint64_t(byte.value) << 8 * i;
      if (!byte.sym && !word) continue;
      // Eight bytes of an unknown pointer, one after the other, and nothing else.
      const std::optional<UnknownWord> here = byte.sym ? wordAt(byte.sym) : std::nullopt;
      if (!here || (i && (!word || *here != UnknownWord(word->first, word->second + i))))
        return false;
      if (!i) word = here;
    }
    if (word) return std::ranges::find(usedPointers_, *word) != usedPointers_.end();
    return value && (program::functionIndex(value) || s_.memory.find(value));
  }

  /// The array and the index that a byte is read from.
  using UnknownWord = std::pair<ExprPtr, uint64_t>;
  static std::optional<UnknownWord> wordAt(ExprPtr byte) {
    if (byte->kind() != expr::Kind::Read || !byte->op(1)->isConst()) return std::nullopt;
    return UnknownWord(byte->op(0), byte->op(1)->value());
  }

  Engine &engine_;
  State &s_;
  const Writes &writes_;
  const std::vector<program::FunctionCode> &functions_;
  bool takesAssumed_ = false;
  std::vector<UnknownWord> usedPointers_; ///< the first byte of each
};

} // namespace

std::string symbolName(OmittedSite site) {
  return fmt::format("{}{}.{}", kPrefix, site.function, site.inst);
}

std::optional<OmittedSite> siteOf(std::string_view symbol) {
  if (!symbol.starts_with(kPrefix)) return std::nullopt;
  symbol.remove_prefix(kPrefix.size());
  OmittedSite site;
  if (!takeNumber(symbol, site.function) || !symbol.starts_with('.')) return std::nullopt;
  symbol.remove_prefix(1);
  if (!takeNumber(symbol, site.inst)) return std::nullopt;
  return site;
}

std::string withoutSites(const std::string &text) {
  static const std::regex kName(R"(\**left-out\.[0-9]+\.[0-9]+(_[0-9]+)?(\+[0-9]+)?)");
  return std::regex_replace(text, kName, "what code that was left out gave");
}

bool isErrno(std::string_view symbol) { return symbol.starts_with(kErrnoSymbol); }

void noteInexact(Engine &engine, OmittedSite site) {
  engine.services.ledger.add(kLeftOutCategory, symbolName(site),
                             "what it does to pointers was ignored");
}

void OmissionUseNotes::decided(Engine &engine, State &, const Decision &decision) {
  if (decision.isImplied || !decision.condition || !seen_.insert(decision.condition).second) return;
  expr::TermVisitor visitor;
  expr::visitPreOrder(decision.condition, visitor, [&](ExprPtr term) {
    if (term->kind() != expr::Kind::SymbolArray) return true;
    const std::string &name = term->array().name;
    if (const std::optional<OmittedSite> site = siteOf(name))
      engine.services.ledger.add(kMattersCategory, symbolName(*site), "");
    else if (isErrno(name))
      engine.services.ledger.add(kMattersCategory, kErrnoSymbol, "");
    return true;
  });
}

ExprPtr freshBytes(Engine &engine, State &s, const std::string &name, uint64_t size,
                   bool mayPoint) {
  if (mayPoint) return engine.assumed.unknownBytes(s, name, size);
  ExprPtr bytes = engine.symbols.symbolFor(s, name, size);
  engine.symbols.addSymbol(s, bytes, name);
  return bytes;
}

ExprPtr numberOf(Engine &engine, ExprPtr bytes, unsigned width) {
  expr::ExprContext &context = engine.services.context;
  return context.trunc(expr::readWord(context, bytes, uint64_t(0), (width + 7) / 8), width);
}

void forget(Engine &engine, State &s, const Writes &writes, const std::string &name) {
  if (!writes.empty()) Forgetting(engine, s, writes).run(name);
}

} // namespace fathom::confirm
