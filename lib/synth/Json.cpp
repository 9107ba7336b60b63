// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// grammar.json and truth.json. Written as text: one entry a line, always in the same order.
#include "synth/Bnf.h"
#include "synth/Synth.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <iterator>

namespace fathom::synth {

namespace {

/// Only tokens can have other characters than printable ASCII.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (auto byte = static_cast<unsigned char>(c); byte > '~')
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", byte);
    else
      out += c;
  }
  return out + '"';
}

/// [entry, entry ...] with an entry a line; `write` appends entry i, or nothing.
void list(std::string &out, size_t count, const std::function<void(size_t, std::string &)> &write) {
  out += "[";
  const char *separator = "\n";
  std::string entry;
  for (size_t i = 0; i < count; ++i) {
    entry.clear();
    write(i, entry);
    if (entry.empty()) continue;
    out += separator;
    out += "    ";
    out += entry;
    separator = ",\n";
  }
  out += "]";
}

template <class Element, class Print>
void halves(std::string &out, const char *name, const std::vector<Element> &elements,
            const Print &print) {
  auto half = [&](const char *which, bool reachable) {
    fmt::format_to(std::back_inserter(out), "   \"{}\": ", which);
    list(out, elements.size(), [&](size_t i, std::string &entry) {
      if ((elements[i].reason == Reason::Reachable) == reachable) print(elements[i], entry);
    });
  };
  fmt::format_to(std::back_inserter(out), "  \"{}\": {{\n", name);
  half("reachable", true);
  out += ",\n";
  half("unreachable", false);
  out += "\n  }";
}

std::string place(const Program &program, const Place &at) {
  return fmt::format("\"file\": \"{}\", \"line\": {}", program.files[at.file].name, at.line);
}

template <class Element> void why(const Element &element, std::string &entry) {
  if (element.reason == Reason::Reachable) return;
  fmt::format_to(std::back_inserter(entry), ", \"reason\": \"{}\"", name(element.reason));
  if constexpr (requires { element.guard; })
    if (element.guard) fmt::format_to(std::back_inserter(entry), ", \"guard\": {}", element.guard);
}

std::string knobsJson(const Synthesis &made) {
  std::string out = "{";
#define FATHOM_KNOB(type, field, defaultValue, least, most, flag, help)                            \
  fmt::format_to(std::back_inserter(out), "\"{}\": {}, ", &(flag)[2], made.knobs.field);
#include "synth/Knobs.def"
#undef FATHOM_KNOB
  fmt::format_to(std::back_inserter(out), "\"witnesses\": {}}}", made.knobs.witnesses);
  return out;
}

/// The knobs that were turned into others: the command line that gives the same program.
std::string askedJson(const Synthesis &made) {
  return fmt::format("{{\"nonterminals\": {}, \"lines\": {}, \"statements\": {}}}",
                     made.asked.nonterminals, made.asked.lines, made.asked.statements);
}

/// What is special about each nonterminal.
std::vector<std::vector<std::string>> features(const Grammar &g) {
  std::vector<std::vector<std::string>> all(g.nonterminals.size());
  auto add = [&](uint32_t i, const char *feature) {
    auto &mine = all[i];
    if (std::find(mine.begin(), mine.end(), feature) == mine.end()) mine.emplace_back(feature);
  };
  for (const Node &n : g.nodes) switch (n.kind) {
    case Kind::Loop: add(n.owner, "linear-recursion"); break;
    case Kind::Call:
      if (n.recursive)
        add(n.owner, n.target == n.owner ? "direct-recursion" : "indirect-recursion");
      break;
    case Kind::Tagged: add(n.owner, "matching-tag"); break;
    case Kind::Counted: add(n.owner, "counted-loop"); break;
    case Kind::Use: add(n.owner, "declared-name"); break;
    case Kind::Keyed: add(n.owner, "keyed-call"); break;
    case Kind::Dead: add(n.owner, n.deadCall ? "guarded-call" : "dead-branch"); break;
    default: break;
    }
  return all;
}

void countJson(std::string &out, const char *name, const Summary::Count &count) {
  fmt::format_to(std::back_inserter(out), ", \"{}\": {{\"reachable\": {}, \"unreachable\": {}}}",
                 name, count.reachable, count.unreachable);
}

std::string complexityJson(const std::vector<uint32_t> &sorted) {
  return fmt::format(
      "\"complexity\": {{\"mean\": {:.2f}, \"median\": {}, \"p90\": {}, \"p99\": {}, "
      "\"max\": {}}}",
      meanOf(sorted), quantile(sorted, 0.5), quantile(sorted, 0.9), quantile(sorted, 0.99),
      sorted.back());
}

std::string shapeJson(const Shape &s) {
  return fmt::format("{{\"functions\": {}, \"reachable\": {}, \"calls\": {}, \"depth\": {}, "
                     "\"recursive\": {}, \"loops\": {}, \"lines\": {}, {}}}",
                     s.functions, s.reachable, s.calls, s.depth, s.recursive, s.loops, s.lines,
                     complexityJson(s.complexity));
}

std::string modelJson(const Model &m) {
  return fmt::format("{{\"program\": {}, \"original\": {}, \"generated\": {}, "
                     "\"same_complexity\": {}, \"dispatchers\": {}, \"guarded\": {}, "
                     "\"dropped_labels\": {}}}",
                     quoted(m.name), shapeJson(m.original), shapeJson(m.generated),
                     m.sameComplexity, m.notes.dispatchers, m.notes.guarded, m.notes.labels);
}

std::string summaryObject(const Synthesis &made) {
  Summary s = summaryOf(made.program);
  std::string out =
      fmt::format("{{\"lines\": {}, \"files\": {}, \"nonterminals\": {}, \"seeds\": "
                  "{}, \"witnesses\": {}",
                  made.program.lines, made.program.files.size(), made.grammar.nonterminals.size(),
                  made.seeds.size(), made.witnesses.size());
  countJson(out, "functions", s.functions);
  countJson(out, "statements", s.statements);
  countJson(out, "branches", s.branches);
  out += ", " + complexityJson(s.complexity);
  if (made.model) out += ", \"like\": " + modelJson(*made.model);
  return out + "}";
}

} // namespace

std::string summaryJson(const Synthesis &made) { return summaryObject(made) + "\n"; }

std::string truthJson(const Program &program) {
  std::string out = "{\n  \"schema\": 1,\n  \"reasons\": {";
  const char *separator = "";
  for (Reason reason : kReasons) {
    fmt::format_to(std::back_inserter(out), "{}\n    \"{}\": {}", separator, name(reason),
                   quoted(explain(reason)));
    separator = ",";
  }
  out += "\n  },\n";
  halves(out, "functions", program.truth.functions,
         [&](const FunctionTruth &f, std::string &entry) {
           entry = fmt::format("{{\"name\": \"{}\", {}", f.name, place(program, f.at));
           why(f, entry);
           entry += '}';
         });
  out += ",\n";
  halves(out, "statements", program.truth.statements,
         [&](const StatementTruth &s, std::string &entry) {
           entry = fmt::format("{{{}", place(program, s.at));
           why(s, entry);
           entry += '}';
         });
  out += ",\n";
  halves(out, "branches", program.truth.branches, [&](const BranchTruth &b, std::string &entry) {
    entry = fmt::format("{{{}, \"outcome\": \"{}\"", place(program, b.at), b.outcome);
    why(b, entry);
    entry += '}';
  });
  return out + "\n}\n";
}

std::string grammarJson(const Synthesis &made) {
  const Program &program = made.program;
  std::string out = fmt::format(
      "{{\n  \"schema\": 1,\n  \"knobs\": {},\n  \"asked\": {},\n  \"summary\": {},\n  "
      "\"start\": \"<{}>\",\n  \"terminals\": {{\"LETTER\": \"a to z; a tag's two are "
      "the same, a used name was declared\", \"DIGIT\": \"0 to 9; so often the loop "
      "behind it\", \"KEY\": \"so many bytes as key-bytes says: the right ones\", "
      "\"OTHER-KEY\": \"so many others\"}},\n  \"nonterminals\": ",
      knobsJson(made), askedJson(made), summaryObject(made), made.grammar.nonterminals[0].name);
  std::vector<std::vector<std::string>> special = features(made.grammar);
  list(out, made.grammar.nonterminals.size(), [&](size_t i, std::string &entry) {
    const FunctionTruth &f = program.truth.functions[program.functionOf[i]];
    entry = fmt::format(
        "{{\"name\": \"<{}>\", \"function\": \"{}\", \"reachable\": {}, \"nullable\": "
        "{}, \"features\": [{}{}{}]",
        made.grammar.nonterminals[i].name, f.name, f.reason == Reason::Reachable,
        made.grammar.root(static_cast<uint32_t>(i)).nullable, special[i].empty() ? "" : "\"",
        fmt::join(special[i], "\", \""), special[i].empty() ? "" : "\"");
    if (made.model)
      fmt::format_to(std::back_inserter(entry), ", \"original_complexity\": {}",
                     made.model->complexity[i]);
    entry += '}';
  });
  out += ",\n  \"functions\": ";
  list(out, program.truth.functions.size(), [&](size_t i, std::string &entry) {
    const FunctionTruth &f = program.truth.functions[i];
    entry = fmt::format("{{\"name\": \"{}\", {}, \"lines\": {}, \"complexity\": {}}}", f.name,
                        place(program, f.at), f.lines, f.complexity);
  });
  out += ",\n  \"rules\": {\n";
  Bnf bnf = toBnf(made.grammar);
  for (size_t i = 0; i < bnf.rules.size(); ++i) {
    fmt::format_to(std::back_inserter(out), "    \"<{}>\": [", bnf.names[i]);
    for (size_t r = 0; r < bnf.rules[i].size(); ++r) {
      out += r ? ", [" : "[";
      for (size_t k = 0; k < bnf.rules[i][r].size(); ++k)
        out += (k ? ", " : "") + quoted(text(bnf, bnf.rules[i][r][k]));
      out += "]";
    }
    out += i + 1 < bnf.rules.size() ? "],\n" : "]\n";
  }
  return out + "  }\n}\n";
}

} // namespace fathom::synth
