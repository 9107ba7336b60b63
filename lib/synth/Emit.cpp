// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From grammar to recursive-descent parser: a function for each nonterminal, `if` or `switch` on
// the next byte for choices, `while` for linear recursion. Functions return 1, or 0 when the input
// is rejected. Every line that is written is entered into the truth at once, with what analyseReach
// says of the outcome that leads to it.
#include "synth/Emit.h"

#include "synth/Helpers.h"
#include "synth/OpaquePredicate.h"
#include "synth/Writer.h"

#include <map>

namespace fathom::synth {

namespace {

class Emitter {
public:
  Emitter(const Grammar &g, const Reach &reach, uint64_t fileLines)
      : g_(g), reach_(reach), fileLines_(fileLines), out_(program_) {}
  Program run();

private:
  void function(uint32_t i, Reason reason);
  void node(NodeId id, const Fate &fate);
  void token(NodeId id, const Fate &fate);
  void call(NodeId id, const Fate &fate);
  void switchChoice(NodeId id, const Fate &fate);
  void ifChoice(NodeId id, const Fate &fate);
  Fate elseOf(NodeId id, const Fate &fate) const;
  void loop(NodeId id, const Fate &fate);
  void tagged(NodeId id, const Fate &fate);
  void counted(NodeId id, const Fate &fate);
  void keyed(NodeId id, const Fate &fate);
  void use(NodeId id, const Fate &fate);
  void dead(NodeId id, const Fate &fate);
  bool beginsBlock(NodeId id) const;
  void actions(NodeId id, const Fate &fate);
  /// Every rejection is a call: of several `return 0` gcc makes one, and gcov then counts it for
  /// the first of them, reachable or not.
  /// `indented`: it is the one statement of a condition without braces.
  void reject(const Fate &fate, bool indented = true) {
    out_.statement(fate, "{}{}", indented ? "  " : "",
                   returns_ ? "return p_fail(p);" : "p_reject(p);");
  }
  /// `rejects`: whether the condition can hold.
  template <class... Args>
  void rejectIf(const Fate &fate, const Fate &rejects, fmt::format_string<Args...> condition,
                Args &&...args) {
    out_.statement(fate, "if ({})", fmt::format(condition, std::forward<Args>(args)...));
    out_.decides(rejects, fate);
    reject(rejects);
  }
  Fate of(NodeId id, uint8_t outcomes, const Fate &fate, Reason otherwise) const {
    return fate.where(reach_.outcomes[id] & outcomes, otherwise);
  }
  std::string sees(const Lookahead &set);
  void sets();
  std::vector<Reason> reasons() const;

  const Grammar &g_;
  const Reach &reach_;
  uint64_t fileLines_;
  Program program_;
  Writer out_;
  std::map<std::string, uint32_t> sets_; ///< the table's rows, as C, and their numbers
  std::vector<std::string> rows_;
  // State of the function that is being written:
  uint32_t locals_ = 0;
  bool returns_ = true; ///< errors, to its caller
};

/// By nonterminal: Reachable; NotDerivable; or OnlyGuarded if only calls behind guards would lead
/// to it.
std::vector<Reason> Emitter::reasons() const {
  std::vector<std::vector<uint32_t>> callees(g_.nonterminals.size());
  for (const Node &n : g_.nodes)
    if (n.kind == Kind::Call) callees[n.owner].push_back(n.target);
  std::vector<Reason> reasons(g_.nonterminals.size(), Reason::NotDerivable);
  std::vector<uint32_t> work{0};
  reasons[0] = Reason::OnlyGuarded;
  while (!work.empty()) {
    uint32_t i = work.back();
    work.pop_back();
    for (uint32_t callee : callees[i])
      if (reasons[callee] == Reason::NotDerivable) {
        reasons[callee] = Reason::OnlyGuarded;
        work.push_back(callee);
      }
  }
  for (uint32_t i = 0; i < reasons.size(); ++i)
    if (reach_.reached(g_, i)) reasons[i] = Reason::Reachable;
  return reasons;
}

Program Emitter::run() {
  Helpers helpers(g_, reach_);
  auto start = [&](const std::string &name) {
    out_.begin(name);
    out_.plain("#include \"program.h\"");
    out_.plain("");
  };
  start("program.c");
  helpers.writeFunctions(out_);
  std::vector<Reason> why = reasons();
  for (uint32_t i = 0; i < g_.nonterminals.size(); ++i) {
    if (out_.line() >= fileLines_) start(fmt::format("part{:03}.c", program_.files.size()));
    program_.functionOf.push_back(static_cast<uint32_t>(program_.truth.functions.size()));
    function(i, why[i]);
  }
  sets();
  out_.begin("program.h");
  helpers.writeHeader(out_);
  for (const Nonterminal &n : g_.nonterminals)
    out_.plain("{} parse_{}(struct parser *p);", n.returnsErrors ? "int" : "void", n.name);
  out_.plain("#endif");
  for (const SourceFile &file : program_.files) program_.lines += file.lines;
  return std::move(program_);
}

void Emitter::function(uint32_t i, Reason reason) {
  const std::string &name = g_.nonterminals[i].name;
  locals_ = 0;
  returns_ = g_.nonterminals[i].returnsErrors;
  out_.beginFunction("parse_" + name, reason, "{} parse_{}(struct parser *p) {{",
                     returns_ ? "int" : "void", name);
  Fate fate{reason, 0};
  node(g_.nonterminals[i].root, fate);
  if (returns_) out_.statement(fate, "return 1;");
  out_.endFunction();
}

/// The table of lookahead sets; at the end of the last file, so that no other line moves.
void Emitter::sets() {
  if (rows_.empty()) return;
  out_.plain("/* Bit 0 is the end of the input, bit n + 1 the byte n. */");
  out_.plain("const uint8_t p_sets[][33] = {{");
  for (const std::string &row : rows_) out_.plain("  {{{}}},", row);
  out_.plain("}};");
}

/// The condition that the next byte is in the set.
std::string Emitter::sees(const Lookahead &set) {
  if (!usesTable(set))
    return fmt::format("p_look(p) == {}", literal(static_cast<unsigned>(set._Find_first())));
  std::string row;
  for (unsigned group = 0; group < 33; ++group) {
    unsigned bits = 0;
    for (unsigned bit = 0; bit < 8; ++bit) {
      unsigned at = group * 8 + bit; // 0 is the end
      if (at < 257 && set.test(at == 0 ? kEnd : at - 1)) bits |= 1u << bit;
    }
    row += fmt::format("{}{}", group ? "," : "", bits);
  }
  auto [known, isNew] = sets_.emplace(row, static_cast<uint32_t>(rows_.size()));
  if (isNew) rows_.push_back(row);
  return fmt::format("p_in(p, p_sets[{}])", known->second);
}

/// `fate`: of the place where the node stands.
void Emitter::node(NodeId id, const Fate &fate) {
  const Node &n = g_.at(id);
  switch (n.kind) {
  case Kind::Sequence:
    for (NodeId child : n.children) node(child, fate);
    return;
  case Kind::Token: return token(id, fate);
  case Kind::Call: return call(id, fate);
  case Kind::Choice: return n.asSwitch ? switchChoice(id, fate) : ifChoice(id, fate);
  case Kind::Loop: return loop(id, fate);
  case Kind::Tagged: return tagged(id, fate);
  case Kind::Counted: return counted(id, fate);
  case Kind::Keyed: return keyed(id, fate);
  case Kind::Declare:
  case Kind::Use: return use(id, fate);
  case Kind::Dead: return dead(id, fate);
  case Kind::Action: return actions(id, fate);
  }
}

void Emitter::token(NodeId id, const Fate &fate) {
  const Node &n = g_.at(id);
  if (!n.needsCheck) return out_.statement(fate, "p_advance(p);");
  std::string token = literal(n.token);
  if (!returns_) return out_.statement(fate, "p_must(p, {});", token);
  Fate fails = of(id, kFail, fate, Reason::Lookahead);
  rejectIf(fate, fails, "!p_expect(p, {})", token);
}

void Emitter::call(NodeId id, const Fate &fate) {
  const Node &n = g_.at(id);
  const Nonterminal &callee = g_.nonterminals[n.target];
  if (n.recursive && !returns_) {
    out_.statement(fate, "p_enter(p);");
  } else if (n.recursive) {
    rejectIf(fate, fate, "p->depth == {}", g_.limit);
    out_.statement(fate, "p->depth++;");
  }
  if (callee.returnsErrors) {
    Fate fails = of(id, kFail, fate, Reason::CannotFail);
    rejectIf(fate, fails, "!parse_{}(p)", callee.name);
  } else {
    out_.statement(fate, "parse_{}(p);", callee.name);
  }
  if (n.recursive) out_.statement(fate, "p->depth--;");
}

/// What a choice does when the next byte begins none of the alternatives that it tests for; that is
/// reached when...
Fate Emitter::elseOf(NodeId id, const Fate &fate) const {
  const Node &n = g_.at(id);
  return n.lastIsElse ? of(n.children.back(), kReached, fate, Reason::Lookahead)
                      : of(id, kElse, fate, Reason::Lookahead);
}

void Emitter::switchChoice(NodeId id, const Fate &fate) {
  const Node &n = g_.at(id);
  out_.statement(fate, "switch (p_look(p)) {{");
  for (size_t i = 0; i < n.tested(); ++i) {
    NodeId child = n.children[i];
    Fate taken = of(child, kReached, fate, Reason::Lookahead);
    const Lookahead &first = g_.at(child).first;
    size_t left = first.count();
    for (unsigned byte = 0; byte < kEnd; ++byte) {
      if (!first.test(byte)) continue;
      out_.plain("case {}:{}", literal(byte), --left ? "" : " {");
      out_.label("case", taken);
    }
    out_.indent();
    node(child, taken);
    out_.statement(taken, "break;");
    out_.unindent();
    out_.plain("}}");
  }
  Fate otherwise = elseOf(id, fate);
  out_.plain("default:");
  out_.label("default", otherwise);
  out_.indent();
  if (n.lastIsElse) node(n.children.back(), otherwise);
  if (n.lastIsElse || n.optional)
    out_.statement(otherwise, "break;");
  else
    reject(otherwise, /*indented=*/false);
  out_.unindent();
  out_.plain("}}");
}

void Emitter::ifChoice(NodeId id, const Fate &fate) {
  const Node &n = g_.at(id);
  Fate otherwise = elseOf(id, fate);
  for (size_t i = 0; i < n.tested(); ++i) {
    NodeId child = n.children[i];
    Fate taken = of(child, kReached, fate, Reason::Lookahead);
    bool last = i + 1 == n.tested();
    out_.statement(fate, "{}if ({}) {{", i ? "} else " : "", sees(g_.at(child).first));
    out_.decides(taken, last ? otherwise : fate);
    out_.indent();
    node(child, taken);
    out_.unindent();
  }
  if (!n.optional) out_.plain("}} else {{");
  if (n.lastIsElse) {
    out_.indent();
    node(n.children.back(), otherwise);
    out_.unindent();
  } else if (!n.optional) {
    reject(otherwise);
  }
  out_.plain("}}");
}

void Emitter::loop(NodeId id, const Fate &fate) {
  NodeId body = g_.at(id).children[0];
  Fate inside = of(body, kReached, fate, Reason::Lookahead);
  out_.statement(fate, "while ({}) {{", sees(g_.at(body).first));
  out_.decides(inside, of(id, kElse, fate, Reason::Lookahead));
  out_.indent();
  node(body, inside);
  out_.unindent();
  out_.plain("}}");
}

void Emitter::tagged(NodeId id, const Fate &fate) {
  uint32_t local = locals_++;
  Fate fails = of(id, kFail, fate, Reason::Lookahead);
  Fate differs = of(id, kCloseFail, fate, Reason::Lookahead);
  out_.statement(fate, "int tag{} = p_letter(p);", local);
  rejectIf(fate, fails, "tag{} < 0", local);
  node(g_.at(id).children[0], fate);
  if (!returns_) return out_.statement(fate, "p_must(p, tag{});", local);
  rejectIf(fate, differs, "!p_expect(p, tag{})", local);
}

void Emitter::counted(NodeId id, const Fate &fate) {
  uint32_t local = locals_++;
  NodeId body = g_.at(id).children[0];
  Fate fails = of(id, kFail, fate, Reason::Lookahead);
  Fate tooMany = of(id, kLimit, fate, Reason::Lookahead);
  Fate tooFew = of(id, kCloseFail, fate, Reason::Lookahead);
  out_.statement(fate, "int left{} = p_digit(p);", local);
  rejectIf(fate, fails, "left{} < 0", local);
  out_.statement(fate, "while ({}) {{", sees(g_.at(body).first));
  out_.decides(fate, fate);
  out_.indent();
  rejectIf(fate, tooMany, "left{} == 0", local);
  out_.statement(fate, "left{}--;", local);
  node(body, fate);
  out_.unindent();
  out_.plain("}}");
  rejectIf(fate, tooFew, "left{} != 0", local);
}

void Emitter::keyed(NodeId id, const Fate &fate) {
  const Node &n = g_.at(id);
  Fate fails = of(id, kFail, fate, Reason::Lookahead);
  Fate opens = of(n.children[0], kReached, fate, Reason::Lookahead);
  uint32_t mask = g_.keyBytes == 4 ? UINT32_MAX : (1u << (8 * g_.keyBytes)) - 1;
  rejectIf(fate, fails, "!p_key(p)");
  if (n.factor == 1)
    out_.statement(fate, "if (p->key == {}u) {{", n.value);
  else // the same, in a way that comparing with the input does not give away
    out_.statement(fate, "if ((p->key * {}u & {}u) == {}u) {{", n.factor, mask,
                   n.value * n.factor & mask);
  out_.decides(opens, of(id, kElse, fate, Reason::Lookahead));
  out_.indent();
  node(n.children[0], opens);
  out_.unindent();
  out_.plain("}}");
}

void Emitter::use(NodeId id, const Fate &fate) {
  Fate fails = of(id, kFail | kCloseFail, fate, Reason::Lookahead);
  const char *helper = g_.at(id).kind == Kind::Use ? "p_declared" : "p_declare";
  rejectIf(fate, fails, "!{}(p)", helper);
}

/// Whether nothing that can leave the function by a jump stands between the node and the beginning
/// of a block that coverage tools count: for what is behind such a call they only count that it was
/// called, and take the second way out of a condition for what is left of that.
bool Emitter::beginsBlock(NodeId id) const {
  const Node &n = g_.at(id), &parent = g_.at(n.parent);
  for (uint32_t i = 0; i < n.position; ++i) {
    const Node &before = g_.at(parent.children[i]);
    bool harmless = before.kind == Kind::Action || before.kind == Kind::Dead ||
                    (before.kind == Kind::Token && !before.needsCheck);
    if (!harmless) return false;
  }
  if (parent.parent == kNone) return true;
  const Node &outer = g_.at(parent.parent);
  return outer.kind == Kind::Loop || outer.kind == Kind::Keyed ||
         (outer.kind == Kind::Choice && parent.position < outer.tested());
}

void Emitter::dead(NodeId id, const Fate &fate) {
  const Node &n = g_.at(id);
  OpaquePredicate predicate = opaquePredicate(n.target, g_.limit);
  bool inverted = !n.deadCall && n.value % 2 && beginsBlock(id);
  out_.statement(fate, "if ({} {} {}) {{", predicate.left,
                 inverted ? predicate.holds : predicate.fails, predicate.right);
  Fate lost = fate;
  if (fate.alive()) lost = {n.deadCall ? Reason::Guard : Reason::DeadBranch, out_.line()};
  out_.decides(inverted ? fate : lost, inverted ? lost : fate);
  if (inverted) {
    out_.statement(fate, "  p->sum += {}u;", n.value % 1000);
    out_.plain("}} else {{");
  }
  out_.indent();
  node(n.children[0], lost);
  out_.unindent();
  out_.plain("}}");
}

void Emitter::actions(NodeId id, const Fate &fate) {
  const Node &n = g_.at(id);
  uint32_t random = n.target;
  for (uint32_t i = 0; i < n.value; ++i) {
    random = random * 1664525u + 1013904223u;
    uint32_t constant = random >> 8 & 0xffff;
    switch (random >> 28) {
    case 0:
    case 1: out_.statement(fate, "p->mode = {}u;", constant % kModes); break;
    case 2:
    case 3:
    case 4:
    case 5: out_.statement(fate, "p->sum ^= {}u;", constant); break;
    case 6:
    case 7:
    case 8:
    case 9: out_.statement(fate, "p->sum += (uint32_t)p->pos * {}u;", constant); break;
    default: out_.statement(fate, "p->sum = p->sum * {}u + {}u;", constant | 1, random >> 24);
    }
  }
}

} // namespace

Program emitProgram(const Grammar &grammar, const Reach &reach, uint64_t fileLines) {
  return Emitter(grammar, reach, fileLines).run();
}

} // namespace fathom::synth
