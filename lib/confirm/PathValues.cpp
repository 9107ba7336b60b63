// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/PathValues.h"

#include "confirm/PathSteps.h"
#include "evidence/LedgerCategory.h"
#include "explore/decide/Engine.h"
#include "expr/TermVisitor.h"
#include "support/NumberText.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <set>
#include <string_view>

namespace fathom::confirm {

using evidence::LedgerCategory;

using namespace explore;

namespace {

/// Of one line.
constexpr size_t kMaxUses = 64;
using Line = std::pair<uint32_t, uint32_t>; ///< function and line

/// The line of the innermost of the program's own calls; none: there is none.
std::optional<Line> ownLine(const Engine &engine, const State &s) {
  const program::Program &program = engine.services.program;
  const program::Inst *at = s.ip;
  for (const Frame *frame = s.top; frame; frame = frame->parent) {
    if (frame != s.top) at = frame->resume - 1;
    const program::FunctionCode &f = program.functions[frame->function];
    if (!f.own) continue;
    const auto inst = static_cast<size_t>(at - engine.interpreter.code.codeOf(f.id));
    if (inst >= f.code.size()) return std::nullopt;
    return Line(f.id, program.location(f, static_cast<uint32_t>(inst)).line);
  }
  return std::nullopt;
}

/// An unknown pointer got its object: that it is valid says nothing of the path.
bool givesObject(const Engine &engine, ExprPtr condition) {
  if (condition->kind() != expr::Kind::Eq || condition->op(0)->width() != 64) return false;
  for (unsigned i : {0u, 1u})
    if (condition->op(i)->isConst() && condition->op(i)->value() &&
        engine.assumed.pointerIn(condition->op(1 - i)))
      return true;
  return false;
}

/// Adds the runs of bytes that the term reads.
void addUses(const Engine &engine, ExprPtr condition, std::set<ValueUse> &out) {
  std::map<ExprPtr, std::set<uint64_t>> bytes; // iterated into `out`, which orders by names
  std::set<ExprPtr> whole;
  expr::TermVisitor visitor;
  expr::visitPreOrder(condition, visitor, [&](ExprPtr term) {
    if (term->kind() == expr::Kind::SymbolArray) whole.insert(term);
    const bool isByte = term->kind() == expr::Kind::Read && term->op(1)->isConst() &&
                        term->op(0)->kind() == expr::Kind::SymbolArray;
    if (isByte) bytes[term->op(0)].insert(term->op(1)->value());
    return !isByte;
  });
  const Symbols &names = engine.symbols;
  for (ExprPtr array : whole) out.insert({names.nameOf(array), 0, 0, false});
  for (const auto &[array, at] : bytes) {
    if (whole.contains(array)) continue;
    for (auto begin = at.begin(); begin != at.end();) {
      auto end = std::next(begin);
      uint64_t count = 1;
      for (; end != at.end() && *end == *begin + count; ++end) ++count;
      out.insert({names.nameOf(array), *begin, count, false});
      begin = end;
    }
  }
}

template <class Number> bool takeNumber(std::string_view &text, Number &number, char after) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end == text.data() + text.size() || *end != after) return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()) + 1);
  return true;
}

void addTo(Ledger &ledger, LedgerCategory category, const Line &line,
           const std::set<ValueUse> &uses) {
  for (const ValueUse &use : uses)
    ledger.add(category, fmt::format("{}:{}:", line.first, line.second),
               fmt::format("{}:{}:{}", use.first, use.bytes, use.symbol));
}

/// As addTo wrote them.
std::map<Line, std::vector<ValueUse>> usesByLine(const Ledger &ledger, LedgerCategory category) {
  std::map<Line, std::vector<ValueUse>> out;
  for (auto &[key, count] : ledger.entries()) {
    if (key.category != category) continue;
    std::string_view line = key.location, use = key.detail;
    Line at;
    ValueUse parsed;
    if (!takeNumber(line, at.first, ':') || !takeNumber(line, at.second, ':')) continue;
    if (!takeNumber(use, parsed.first, ':') || !takeNumber(use, parsed.bytes, ':')) continue;
    parsed.symbol = use;
    out[at].push_back(std::move(parsed));
  }
  return out;
}

/// Of one line: bytes of a text, which are asked for one by one, become one.
std::vector<ValueUse> joined(std::vector<ValueUse> uses) {
  std::ranges::sort(uses);
  std::vector<ValueUse> out;
  for (ValueUse &use : uses) {
    if (!out.empty()) {
      ValueUse &last = out.back();
      if (use.bytes == 1 && (last.bytes == 1 || last.isText) && last.symbol == use.symbol &&
          last.first + last.bytes == use.first) {
        ++last.bytes;
        last.isText = true;
        continue;
      }
    }
    out.push_back(std::move(use));
  }
  return out;
}

/// Lines of the path, from the bug backwards, each once.
std::vector<Line> linesOf(const program::Program &program, const Bug &bug) {
  std::vector<Line> out;
  std::set<Line> known;
  const auto add = [&](const Line &line) {
    if (known.insert(line).second) out.push_back(line);
  };
  for (const evidence::StackFrame &frame : bug.stack)
    if (const program::FunctionCode *f = frame.own ? program.find(frame.function) : nullptr)
      add({f->id, frame.line});
  const std::vector<TracedBranch> branches = tracedBranches(bug.test.trace);
  for (size_t i = branches.size(); i-- > 0;) {
    if (branches[i].id >= program.branches.size()) continue;
    const program::Branch &branch = program.branches[branches[i].id];
    add({branch.function, program.locations[branch.location].line});
  }
  return out;
}

std::string valueText(const std::vector<uint8_t> &data) {
  if (data.empty()) return "(empty)";
  if (data.size() == 1 || data.size() == 2 || data.size() == 4 || data.size() == 8) {
    uint64_t bits = 0;
    memcpy(&bits, data.data(), data.size());
    const unsigned unused = 64 - 8 * static_cast<unsigned>(data.size());
    const int64_t value = static_cast<int64_t>(bits << unused) >> unused;
    // Addresses, mostly.
    if (value > UINT32_MAX || value < INT32_MIN) return fmt::format("{:#x}", bits);
    const bool isLetter = data.size() == 1 && data[0] > ' ' && data[0] < 127;
    return isLetter ? fmt::format("{} ('{:c}')", value, static_cast<char>(data[0]))
                    : fmt::format("{}", value);
  }
  const auto last = std::find_if(data.rbegin(), data.rend(), [](uint8_t b) { return b != 0; });
  if (last == data.rend()) return counted(data.size(), "zero byte");
  const size_t used = static_cast<size_t>(data.rend() - last), shown = std::min<size_t>(used, 16);
  const bool isText = std::all_of(last, data.rend(), [](uint8_t b) { return b >= ' ' && b < 127; });
  if (isText && used + 1 == data.size()) return quotedText({data.begin(), data.end() - 1});
  std::string out;
  for (size_t i = 0; i < shown; ++i) out += fmt::format("{}{:02x}", i ? " " : "", data[i]);
  if (used > shown) return out + fmt::format(" ... ({})", counted(data.size(), "byte"));
  if (used == data.size()) return out;
  return out + fmt::format(" and {}", counted(data.size() - used, "zero byte"));
}

/// A text without the zero at its end.
std::vector<uint8_t> withoutZero(std::vector<uint8_t> data) {
  if (!data.empty() && data.back() == 0) data.pop_back();
  return data;
}

bool isZero(const SymbolValue &symbol) {
  return std::ranges::all_of(symbol.data, [](uint8_t b) { return b == 0; });
}

/// That a pointer leads somewhere says little: such come last.
bool isAddress(const SymbolValue &symbol, const ValueUse &use) {
  uint64_t bits = 0;
  if (use.bytes != sizeof bits || use.first + sizeof bits > symbol.data.size()) return false;
  memcpy(&bits, symbol.data.data() + use.first, sizeof bits);
  return bits > UINT32_MAX && bits >> 48 == 0;
}

/// They share a byte, or are next to each other in a text: whether its bytes were asked about one
/// by one or together differs from search to search.
bool belongTogether(const ValueUse &a, const ValueUse &b) {
  if (a.symbol != b.symbol) return false;
  if (!a.bytes || !b.bytes || (a.first < b.first + b.bytes && b.first < a.first + a.bytes))
    return true;
  const bool areNext = a.first + a.bytes == b.first || b.first + b.bytes == a.first;
  const auto isOfText = [](const ValueUse &use) { return use.isText || use.bytes == 1; };
  return areNext && (a.isText || b.isText) && isOfText(a) && isOfText(b);
}

/// Both as one.
ValueUse united(const ValueUse &a, const ValueUse &b) {
  ValueUse out{a.symbol, std::min(a.first, b.first), 0, false};
  if (!a.bytes || !b.bytes) return {a.symbol, 0, 0, false};
  out.bytes = std::max(a.first + a.bytes, b.first + b.bytes) - out.first;
  // As the wider one has it, and both where none is.
  out.isText = a.bytes != out.bytes && b.bytes != out.bytes && (a.isText || b.isText);
  for (const ValueUse *use : {&a, &b}) out.isText |= use->isText && use->bytes == out.bytes;
  return out;
}

/// Of these symbols, each byte once, in the order of the first use of it.
std::vector<ValueUse> eachOnce(const std::vector<SymbolValue> &symbols,
                               const std::vector<ValueUse> &uses) {
  std::vector<ValueUse> out;
  for (ValueUse use : uses) {
    if (std::ranges::find(symbols, use.symbol, &SymbolValue::name) == symbols.end())
      continue; // another path's
    const auto same = [&](const ValueUse &known) { return belongTogether(known, use); };
    auto at = std::ranges::find_if(out, same);
    if (at == out.end()) {
      out.push_back(std::move(use));
      continue;
    }
    // What it joins may be several.
    for (auto other = at; other != out.end(); other = std::find_if(other + 1, out.end(), same))
      use = united(use, *other);
    *at = std::move(use);
    const ValueUse joint = *at;
    out.erase(std::remove_if(at + 1, out.end(),
                             [&](const ValueUse &known) { return belongTogether(known, joint); }),
              out.end());
  }
  return out;
}

/// Name and bytes of a part; "*p at 8" is what lies 8 bytes after the beginning of *p.
std::pair<std::string, std::string> shown(const SymbolValue &symbol, const ValueUse &use) {
  const explore::UnknownPart part = explore::unknownPart(symbol.name);
  const auto nameAt = [&](uint64_t offset) {
    return offset ? fmt::format("{} at {}", part.object, offset) : std::string(part.object);
  };
  if (!use.bytes || use.first >= symbol.data.size())
    return {nameAt(part.first), valueText(symbol.data)};
  const auto begin = symbol.data.begin() + static_cast<ptrdiff_t>(use.first);
  const uint64_t count = std::min<uint64_t>(use.bytes, symbol.data.size() - use.first);
  std::string name = nameAt(part.first + use.first);
  const std::vector<uint8_t> bytes(begin, begin + static_cast<ptrdiff_t>(count));
  return {std::move(name), use.isText ? quotedText(withoutZero(bytes)) : valueText(bytes)};
}

} // namespace

std::string quotedText(const std::vector<uint8_t> &data) {
  constexpr size_t kMost = 32;
  std::string out = "\"";
  for (size_t i = 0; i < std::min(data.size(), kMost); ++i) {
    const bool isPlain = data[i] >= ' ' && data[i] < 127 && data[i] != '"' && data[i] != '\\';
    out += isPlain ? std::string(1, static_cast<char>(data[i])) : fmt::format("\\x{:02x}", data[i]);
  }
  out += '"';
  return data.size() > kMost ? fmt::format("{}... ({})", out, counted(data.size(), "byte")) : out;
}

/// The operand that a check of the instruction is about; none: it has no such.
static std::optional<uint32_t> checkedOperand(const program::Inst &inst) {
  using program::Op;
  switch (inst.op) {
  case Op::NonZero: return inst.a;
  case Op::UDiv:
  case Op::URem:
  case Op::SDiv:
  case Op::SRem:
  case Op::Shl:
  case Op::LShr:
  case Op::AShr: return inst.b;
  default: return std::nullopt;
  }
}

std::vector<PointSite> ValueUseNotes::points(const program::Program &program) const {
  std::vector<PointSite> out;
  for (const CallGraph::CallAt &at : sink_)
    if (checkedOperand(program.functions[at.function].code[at.inst]))
      out.push_back({at.function, at.inst});
  return out;
}

Policy::Answer ValueUseNotes::at(Engine &engine, State &s) {
  const program::FunctionCode &f = engine.services.program.functions[s.top->function];
  const auto inst = static_cast<size_t>(s.ip - engine.interpreter.code.codeOf(f.id));
  const std::optional<uint32_t> operand = checkedOperand(f.code[inst]);
  const std::optional<Line> line = ownLine(engine, s);
  if (!operand || !line || !s.top->syms || !s.top->syms[*operand]) return Answer::GoOn;
  std::set<ValueUse> uses;
  addUses(engine, s.top->syms[*operand], uses);
  addTo(engine.services.ledger, kSinkSpeaksOfCategory, *line, uses);
  return Answer::GoOn;
}

/// Every sum asks whether it overflows.
bool ValueUseNotes::isOtherCheck(Engine &engine, const State &s, ExprPtr condition) const {
  const program::Op op = engine.interpreter.code.opAt(s.ip);
  const ExprPtr bad = engine.interpreter.term; // of a branch it is what that asks for
  if (op == program::Op::CondJmp || op == program::Op::Switch || !bad || bad->width() != 1)
    return false;
  const bool isCheck = condition == bad || condition == engine.services.context.bvNot(bad);
  return isCheck && std::ranges::find(kinds_, engine.interpreter.bug) == kinds_.end();
}

void ValueUseNotes::decided(Engine &engine, State &s, const Decision &decision) {
  if (!decision.condition || !seen_.insert(decision.condition).second) return;
  if (givesObject(engine, decision.condition) || isOtherCheck(engine, s, decision.condition))
    return;
  const std::optional<Line> line = ownLine(engine, s);
  if (!line || perLine_[*line] >= kMaxUses) return;
  std::set<ValueUse> uses;
  addUses(engine, decision.condition, uses);
  addTo(engine.services.ledger, kSpeaksOfCategory, *line, uses);
  perLine_[*line] += uses.size();
}

std::vector<ValueUse> usesOf(const program::Program &program, const Ledger &ledger,
                             const Bug &bug) {
  std::vector<ValueUse> out;
  for (auto &[line, uses] : usesByLine(ledger, kSinkSpeaksOfCategory))
    out.insert(out.end(), uses.begin(), uses.end());
  std::map<Line, std::vector<ValueUse>> byLine = usesByLine(ledger, kSpeaksOfCategory);
  const auto add = [&](const Line &line) {
    for (ValueUse &use : joined(byLine[line])) out.push_back(std::move(use));
    byLine.erase(line);
  };
  const std::vector<Line> lines = linesOf(program, bug);
  for (const Line &line : lines) add(line);
  // Lines without a branch: calls into libc.
  std::set<uint32_t> functions;
  for (const Line &line : lines) functions.insert(line.first);
  std::vector<Line> others;
  for (auto &[line, uses] : byLine)
    if (functions.contains(line.first)) others.push_back(line);
  for (size_t i = others.size(); i-- > 0;) add(others[i]);
  return out;
}

PathValues pathValues(const std::vector<SymbolValue> &symbols, const std::vector<ValueUse> &uses) {
  PathValues out;
  const auto add = [&](const SymbolValue &symbol, const ValueUse &use) {
    if (out.shown.size() < kMaxShown)
      out.shown.push_back(shown(symbol, use));
    else
      ++out.more;
  };
  std::vector<std::pair<const SymbolValue *, ValueUse>> addresses;
  std::set<std::string> deciding;
  for (const ValueUse &use : eachOnce(symbols, uses)) {
    const auto symbol = std::ranges::find(symbols, use.symbol, &SymbolValue::name);
    deciding.insert(use.symbol);
    if (isAddress(*symbol, use))
      addresses.emplace_back(&*symbol, use);
    else
      add(*symbol, use);
  }
  for (const auto &[symbol, use] : addresses) add(*symbol, use);
  std::vector<const SymbolValue *> small, large;
  for (const SymbolValue &symbol : symbols) {
    if (deciding.contains(symbol.name)) continue;
    if (symbol.data.size() <= 8)
      small.push_back(&symbol);
    else if (!isZero(symbol)) // an object of zeros says nothing: its bytes were never looked at
      large.push_back(&symbol);
  }
  small.insert(small.end(), large.begin(), large.end());
  if (!deciding.empty()) {
    out.others = small.size();
    return out;
  }
  for (const SymbolValue *symbol : small) add(*symbol, {});
  return out;
}

} // namespace fathom::confirm
