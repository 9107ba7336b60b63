// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes C and, of what it writes, the truth.
#ifndef FATHOM_SYNTH_WRITER_H
#define FATHOM_SYNTH_WRITER_H

#include "synth/Emit.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

namespace fathom::synth {

/// Whether something is reachable, and if not, why.
struct Fate {
  Reason reason = Reason::Reachable;
  uint32_t guard = 0;
  bool alive() const { return reason == Reason::Reachable; }
  /// This if it is dead anyway; otherwise alive or dead for the reason given.
  Fate where(bool possible, Reason otherwise) const {
    return !alive() || possible ? *this : Fate{otherwise, 0};
  }
};

class Writer {
public:
  explicit Writer(Program &program) : program_(program) {}

  void begin(const std::string &file) { program_.files.push_back({file, "", 0}); }
  SourceFile &file() { return program_.files.back(); }
  uint32_t line() const { return program_.files.back().lines; }
  void indent() { depth_++; }
  void unindent() { depth_--; }

  /// A line that is no statement: a brace, a label, a declaration.
  template <class... Args> void plain(fmt::format_string<Args...> format, Args &&...args) {
    std::string &out = file().text;
    if (fmt::string_view(format).size()) out.append(2 * static_cast<size_t>(depth_), ' ');
    fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
    out += '\n';
    file().lines++;
  }
  template <class... Args>
  void statement(const Fate &fate, fmt::format_string<Args...> format, Args &&...args) {
    plain(format, std::forward<Args>(args)...);
    program_.truth.statements.push_back({here(), fate.reason, fate.guard});
  }
  /// One of the ways out of the condition on the line that was written last.
  void branch(const char *outcome, const Fate &fate) {
    program_.truth.branches.push_back({here(), outcome, fate.reason, fate.guard});
  }
  /// The condition on the line that was written last, one of the function's decisions.
  void decides(const Fate &yes, const Fate &no) {
    branch("true", yes), branch("false", no);
    program_.truth.functions.back().complexity++;
  }
  /// The label on the line that was written last.
  void label(const char *outcome, const Fate &fate) {
    branch(outcome, fate);
    if (outcome[0] == 'c') program_.truth.functions.back().complexity++;
  }
  template <class... Args>
  void beginFunction(const std::string &name, Reason reason, fmt::format_string<Args...> format,
                     Args &&...args) {
    plain(format, std::forward<Args>(args)...);
    program_.truth.functions.push_back({name, here(), 0, 1, reason});
    indent();
  }
  void endFunction() {
    unindent();
    plain("}}");
    FunctionTruth &f = program_.truth.functions.back();
    f.lines = line() - f.at.line + 1;
    plain("");
  }

private:
  Place here() const { return {static_cast<uint32_t>(program_.files.size() - 1), line()}; }
  Program &program_;
  int depth_ = 0;
};

} // namespace fathom::synth
#endif
