// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CheckedStatements finds the statement of the facts that each check is about; AlarmReports turns
// alarms into reports, one for each cause.
#include "statics/checkers/Alarms.h"

#include "evidence/BugKind.h"
#include "statics/abstract/ResultText.h"
#include "statics/checkers/Accesses.h"
#include "statics/checkers/AlarmText.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace fathom::statics {

using evidence::BugKind;

namespace {

using abstract::CheckId;
using abstract::CheckKind;
using abstract::Finding;
using abstract::Verdict;

/// Which statement of the facts a check is about. Both come from one instruction, but know it by
/// its place only: a place, a kind and a width with as many statements as checks.
class CheckedStatements {
public:
  /// \param texts  knows the interpreter's statements
  CheckedStatements(const View &view, const abstract::AbstractProgram &program,
                    const AlarmTexts &texts)
      : view_(view), program_(program), texts_(texts), ofFunction_(program.functions.size()),
        statementOf_(program.checks.size(), kNone) {
    for (CheckId id = 0; id < program.checks.size(); id++)
      if (program.checks[id].kind == CheckKind::Bounds)
        ofFunction_[program.checks[id].function].push_back(id);
  }

  StatementKind kindOf(CheckId check) const {
    const abstract::Statement *s = texts_.statementOf(check);
    if (s && s->kind == abstract::StatementKind::Load) return StatementKind::Load;
    if (s && s->kind == abstract::StatementKind::Store) return StatementKind::Store;
    return StatementKind::Call;
  }
  StatementId statementOf(CheckId check) {
    link(program_.checks[check].function);
    return statementOf_[check];
  }
  /// kNoId: none is known. REQUIRES: statementOf was asked about a check of its function.
  CheckId checkOf(StatementId statement) const {
    const auto known = checkOf_.find(statement);
    return known == checkOf_.end() ? abstract::kNoId : known->second;
  }

private:
  void link(abstract::FunctionId id) {
    std::vector<CheckId> checks = std::move(ofFunction_[id]);
    ofFunction_[id].clear();
    if (checks.empty()) return;
    const FunctionId f = view_.facts.findFunction(program_.functions[id].name);
    if (f == kNone) return;
    using Key = std::tuple<uint32_t, uint32_t, StatementKind, uint32_t>;
    std::map<Key, std::pair<std::vector<CheckId>, std::vector<StatementId>>> at;
    for (const CheckId check : checks) {
      const abstract::Check &c = program_.checks[check];
      const abstract::Statement *s = texts_.statementOf(check);
      if (c.line)
        at[{c.line, c.column, kindOf(check), s ? s->sizeBytes : 0}].first.push_back(check);
    }
    const Function &function = view_.facts.functions[f];
    for (BlockId b = function.firstBlock; b < function.firstBlock + function.numBlocks; b++) {
      const Block &block = view_.facts.blocks[b];
      for (uint32_t i = 0; i < block.numStatements; i++) {
        const StatementId statement = block.firstStatement + i;
        const Statement &s = view_.facts.statements[statement];
        const bool isAccess = s.kind == StatementKind::Load || s.kind == StatementKind::Store;
        if (!isAccess && s.kind != StatementKind::Call) continue;
        // A variable by its name has no check.
        if (isAccess && view_.isVariable(view_.facts.operandsOf(s)[0])) continue;
        const Place &place = view_.facts.places[s.place];
        const auto known = at.find({place.line, place.column, s.kind, isAccess ? s.bytes : 0});
        if (known != at.end()) known->second.second.push_back(statement);
      }
    }
    for (const auto &[key, both] : at)
      for (size_t i = 0; both.first.size() == both.second.size() && i < both.first.size(); i++) {
        statementOf_[both.first[i]] = both.second[i];
        checkOf_[both.second[i]] = both.first[i];
      }
  }

  const View &view_;
  const abstract::AbstractProgram &program_;
  const AlarmTexts &texts_;
  std::vector<std::vector<CheckId>> ofFunction_; ///< that were not linked yet
  std::vector<StatementId> statementOf_;
  std::unordered_map<StatementId, CheckId> checkOf_;
};

class AlarmReports {
public:
  AlarmReports(CheckContext &context, const abstract::AbstractProgram &program,
               const abstract::AnalysisResult &result, DefectKinds kinds)
      : context_(context), view_(context.view), program_(program), result_(result), kinds_(kinds),
        texts_(program), statements_(view_, program, texts_), accesses_(view_) {}

  void run() {
    for (const Finding &f : findingsOf(program_, result_)) {
      if (f.kind != CheckKind::Bounds && f.kind != CheckKind::Division) continue;
      if (f.verdict != Verdict::Definite && f.verdict != Verdict::Alarm) continue;
      // Not all was analysed, and what was is for any arguments: only what is certain counts.
      if (result_.isPartial && f.verdict != Verdict::Definite) continue;
      if (f.kind == CheckKind::Division) {
        add(alarmOf(f, {}, /*atSource=*/false));
        continue;
      }
      // An access through an address of which nothing is known: that is no defect.
      const abstract::CheckResult &check = result_.checks[f.checks.front()];
      if (check.end.hasObjects) add(alarmOf(f, check.end, /*atSource=*/false));
      if (check.source.hasObjects) add(alarmOf(f, check.source, /*atSource=*/true));
    }
    joinEqualAddresses();
    joinLines();
    for (Alarm &alarm : alarms_)
      if (!alarm.isTold) context_.reports.add(std::move(alarm.report));
    for (auto &[sink, report] : nulls_) context_.reports.add(std::move(report));
  }

private:
  struct Alarm {
    Report report;
    StatementId at = kNone;
    FunctionId function = kNone;
    ValueId address = kNone, base = kNone; ///< leader, and without moves
    uint32_t bytes = 0;
    bool isTold = false; ///< by another one
  };

  void add(Alarm alarm) {
    if (!(kinds_ >> unsigned(alarm.report.kind) & 1)) return;
    if (alarm.report.kind == BugKind::NullDereference)
      addNull(std::move(alarm));
    else
      alarms_.push_back(std::move(alarm));
  }

  using End = abstract::CheckResult::End;
  BugKind kindOf(const Finding &f, const End &end, bool atSource) const {
    if (f.kind == CheckKind::Division) return BugKind::DivisionByZero;
    if (end.byNullAlone) return BugKind::NullDereference;
    const bool reads = atSource || statements_.kindOf(f.checks.front()) == StatementKind::Load;
    return reads ? BugKind::OutOfBoundsRead : BugKind::OutOfBoundsWrite;
  }

  std::string messageOf(const Finding &f, BugKind kind, bool isDefinite) const {
    if (kind == BugKind::NullDereference)
      return isDefinite ? "the pointer is null" : "a pointer may be null";
    if (kind == BugKind::DivisionByZero)
      return f.what + (isDefinite ? " is by zero" : " may be by zero");
    const bool isCall = statements_.kindOf(f.checks.front()) == StatementKind::Call;
    const char *does = kind == BugKind::OutOfBoundsRead ? "read by " : "write by ";
    return (isCall ? does : "") + f.what + (isDefinite ? " is outside" : " may be outside");
  }

  /// With what is known where it may fail.
  Alarm alarmOf(const Finding &f, const End &end, bool atSource) {
    Alarm alarm;
    Report &out = alarm.report;
    out.kind = kindOf(f, end, atSource);
    const bool isAccess = f.kind == CheckKind::Bounds;
    const bool isDefinite = (isAccess ? end.verdict : f.verdict) == Verdict::Definite;
    out.message = messageOf(f, out.kind, isDefinite);
    out.doubts = isDefinite ? 0 : 1;
    std::string text = out.message;
    const CheckId check = f.checks.front();
    if (const auto &state = result_.checks[check].state)
      if (const std::string known = texts_.of(check, *state, atSource); !known.empty())
        text += ": " + known;
    out.steps.push_back({StepRole::Defect, f.file, f.function, f.line, f.column, kNone, text});
    if (!isAccess) return alarm;
    alarm.at = statements_.statementOf(f.checks.front());
    if (alarm.at == kNone) return alarm;
    out.steps.back() = view_.step(alarm.at, StepRole::Defect, text);
    const Statement &s = view_.facts.statements[alarm.at];
    if (s.kind == StatementKind::Call) return alarm; // one of several pointers
    alarm.function = view_.functionOf(alarm.at);
    ValueNumbers &numbers = view_.ways(alarm.function).numbers;
    alarm.address = numbers.leader(view_.facts.operandsOf(s)[0]);
    alarm.base = numbers.base(alarm.address);
    alarm.bytes = s.bytes;
    return alarm;
  }

  /// Do branches before the access say that no pointer is null through which it goes? One abstract
  /// object stands for several, so the interpreter forgets what was asked of a member.
  bool isExcluded(StatementId at) {
    const FunctionId f = view_.functionOf(at);
    Ways &ways = view_.ways(f);
    const std::optional<Known> known = ways.knownAt(view_.facts.statements[at].block);
    if (!known) return true; // no way leads there
    const auto operands = view_.facts.operandsOf(view_.facts.statements[at]);
    bool isAsked = false;
    for (uint32_t i = 0; i < operands.size(); i++) {
      if (!view_.dereferences(at, i)) continue;
      isAsked = true;
      std::set<ValueId> asked;
      if (!isNeverNull(view_, ways, ways.numbers.base(operands[i]), *known, asked)) return false;
    }
    return isAsked;
  }

  /// Do branches say so? Of a phi, those on each way to it: `if (c->next) c = c->next; else break;`
  /// \param asked  phis that have not answered yet: null does not begin in a circle of them.
  static bool isNeverNull(const View &view, Ways &ways, ValueId pointer, Known known,
                          std::set<ValueId> &asked) {
    const Facts &facts = view.facts;
    if (!known.assumeNumber(pointer, 0, true)) return true;
    const Value &value = facts.values[pointer];
    if (value.function == kNone || value.definition == kNone) return false;
    const Statement &phi = facts.statements[value.definition];
    if (!isPhi(phi)) return false;
    if (!asked.insert(pointer).second) return true;
    const auto operands = facts.operandsOf(phi);
    for (uint32_t i = 0; i < operands.size(); i++) {
      const std::optional<Known> there = ways.knownOn(facts.incoming[phi.extra + i], phi.block);
      if (there && !isNeverNull(view, ways, ways.numbers.leader(operands[i]), *there, asked))
        return false;
    }
    return true;
  }

  /// An access that fails by null only. Of those through one pointer, the first is reported.
  void addNull(Alarm alarm) {
    // What the checker says, or knows better.
    if (alarm.at != kNone && (context_.nullAt.contains(alarm.at) || isExcluded(alarm.at))) return;
    if (alarm.at == kNone || alarm.base == kNone)
      return context_.reports.add(std::move(alarm.report));
    const StatementId first = accesses_.before(alarm.function, WayEnd::at(alarm.at), alarm.base);
    const StatementId sink = first == kNone ? alarm.at : first;
    ReportStep place = alarm.report.sink();
    place.text = alarm.report.message;
    if (first != kNone) {
      const CheckId check = statements_.checkOf(first);
      // Null does not get there, so not here either.
      if (check != abstract::kNoId && (result_.checks[check].verdict == Verdict::Proved ||
                                       result_.checks[check].verdict == Verdict::Unreachable))
        return;
      if (const auto known = context_.nullAt.find(first); known != context_.nullAt.end())
        return context_.reports.addPlace(BugKind::NullDereference, known->second, place);
      alarm.report.steps.back() = view_.step(first, StepRole::Defect, alarm.report.sink().text);
    }
    const auto [known, isNew] = nulls_.try_emplace(sink, std::move(alarm.report));
    if (first != kNone) known->second.alsoAt.add(std::move(place));
  }

  static void tell(Alarm &by, Alarm &alarm) {
    ReportStep place = alarm.report.sink();
    place.text = fmt::format("{}: {}", evidence::name(alarm.report.kind), alarm.report.message);
    by.report.alsoAt.add(std::move(place));
    by.report.alsoAt.add(std::move(alarm.report.alsoAt));
    alarm.isTold = true;
  }

  bool dominates(const Alarm &a, const Alarm &b) {
    const Statement &s = view_.facts.statements[a.at], &t = view_.facts.statements[b.at];
    if (s.block == t.block) return a.at < b.at;
    const BlockId begin = view_.facts.functions[a.function].firstBlock;
    return view_.ways(a.function).dominators().dominates(s.block - begin, t.block - begin);
  }

  /// Joins accesses at one address that are at most as wide as the first: only the first can fail.
  void joinEqualAddresses() {
    std::map<std::pair<FunctionId, ValueId>, std::vector<size_t>> byAddress;
    for (size_t i = 0; i < alarms_.size(); i++)
      if (alarms_[i].address != kNone)
        byAddress[{alarms_[i].function, alarms_[i].address}].push_back(i);
    for (const auto &[address, all] : byAddress) {
      for (const size_t later : all)
        for (const size_t first : all) {
          Alarm &a = alarms_[first], &b = alarms_[later];
          if (first == later || a.isTold || a.bytes < b.bytes || !dominates(a, b)) continue;
          tell(a, b);
          break;
        }
    }
  }

  /// The alarms of one line on one pointer have one cause, and are one question for the reader. The
  /// most certain one is reported first.
  void joinLines() {
    std::map<std::tuple<BugKind, FunctionId, uint32_t, ValueId>, size_t> known;
    for (size_t i = 0; i < alarms_.size(); i++) {
      Alarm &alarm = alarms_[i];
      const uint32_t line = alarm.report.sink().line;
      size_t other = i;
      if (alarm.isTold || alarm.base == kNone || line == 0) continue;
      const auto [first, isNew] =
          known.try_emplace({alarm.report.kind, alarm.function, line, alarm.base}, i);
      if (isNew) continue;
      if (alarm.report.doubts < alarms_[first->second].report.doubts)
        std::swap(first->second, other);
      tell(alarms_[first->second], alarms_[other]);
    }
  }

  CheckContext &context_;
  View &view_;
  const abstract::AbstractProgram &program_;
  const abstract::AnalysisResult &result_;
  const DefectKinds kinds_;
  AlarmTexts texts_;
  CheckedStatements statements_;
  Accesses accesses_;
  std::vector<Alarm> alarms_;
  std::map<StatementId, Report> nulls_; ///< by sink
};

} // namespace

void reportAlarms(CheckContext &context, const abstract::AbstractProgram &program,
                  const abstract::AnalysisResult &result, DefectKinds kinds) {
  AlarmReports(context, program, result, kinds).run();
}

} // namespace fathom::statics
