// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "expr/SmtLibScript.h"

#include "expr/TermVisitor.h"

#include <cstdio>
#include <set>

namespace fathom::expr {

static const char *const kArray = "(Array (_ BitVec 64) (_ BitVec 8))";

static std::string cell(const std::string &array, uint64_t index) {
  char text[40];
  snprintf(text, sizeof text, " #x%016llx)", static_cast<unsigned long long>(index));
  return "(select " + array + text;
}

static std::string assertByte(const std::string &array, uint64_t index, uint8_t value) {
  char text[16];
  snprintf(text, sizeof text, " #x%02x))\n", value);
  return "(assert (= " + cell(array, index) + text;
}

/// Whatever has a name below the constraints, each once.
static void declare(ExprPtr e, std::set<std::string> &declared, std::string &out) {
  if (e->kind() != Kind::SymbolArray && e->kind() != Kind::ConstArray && e->kind() != Kind::Apply)
    return;
  const std::string &name = e->array().name;
  if (!declared.insert(name).second) return;
  if (e->kind() == Kind::Apply) {
    out += "(declare-fun |" + name + "| (" + kArray + ") " + kArray + ")\n";
    return;
  }
  out += "(declare-fun " + name + " () " + kArray + ")\n";
  for (uint64_t i = 0; i < e->array().contents.size(); ++i)
    out += assertByte(name, i, e->array().contents[i]);
}

std::string smtLibScript(std::span<const ExprPtr> constraints, std::span<const ExprPtr> symbols,
                         const Model &model) {
  std::string out = "(set-option :produce-models true)\n(set-logic ALL)\n";
  std::set<std::string> declared;
  for (ExprPtr symbol : symbols) declare(symbol, declared, out);
  TermVisitor visitor;
  for (ExprPtr e : constraints)
    visitPreOrder(e, visitor, [&](ExprPtr term) {
      declare(term, declared, out);
      return true;
    });
  for (ExprPtr e : constraints) out += "(assert " + toFormula(e) + ")\n";
  out += "(check-sat)\n; The input of this test.\n";
  std::string values;
  for (ExprPtr symbol : symbols) {
    const std::vector<uint8_t> bytes = model.bytes(symbol);
    for (uint64_t i = 0; i < bytes.size(); ++i) {
      out += assertByte(symbol->array().name, i, bytes[i]);
      values += "\n  " + cell(symbol->array().name, i);
    }
  }
  out += "(check-sat)\n";
  if (!values.empty()) out += "(get-value (" + values + "))\n";
  return out;
}

} // namespace fathom::expr
