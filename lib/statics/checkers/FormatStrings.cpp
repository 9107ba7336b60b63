// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formats that are no constants: from the format of each call of printf and its like back to text
// that the program gets from outside.
//
// Points-to sets say first what a format may be. Literals and constant tables are constants, and so
// is a buffer into which the program puts nothing but literals and numbers (Text). Only if
// something else is left, a search along value flow looks for the way it takes.
//
// A format that is a parameter is the caller's: the function takes a format like printf, and its
// calls are looked at. A call through a pointer is, if all that it may reach take a format.
#include "evidence/BugKind.h"
#include "statics/checkers/Checkers.h"
#include "support/GreatestFixpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

namespace fathom::statics {

namespace {

/// What is known of text in memory, whatever the order in which it is written.
class Text {
public:
  explicit Text(View &view) : view_(view), facts_(view.facts), pts_(view.pts) {}

  struct Origin {
    bool isConstant = true;
    StatementId writer = kNone; ///< not constant: what wrote it, if that is known
    bool holds() const { return isConstant; }
  };

  Origin originOf(LocationId location) {
    return origins_.answer(location, [&] { return find(location); });
  }

  /// Calls visit(location) for all that the pointer may point to.
  template <class Visit> void forEachLocation(ValueId pointer, Visit &&visit) const {
    const auto visitAll = [&](LocationId l) {
      const Locations &locations = pts_.locations;
      if (!locations.isAnywhere(l)) return visit(l);
      const ObjectId object = locations.objectOf(l);
      for (uint32_t leaf = 0; leaf < locations.leaves(object); leaf++)
        visit(locations.first(object) + leaf);
    };
    const Value &value = facts_.values[pointer];
    if (value.function != kNone) return pts_.of(pointer).forEach(visitAll);
    if (value.address == kNone) return;
    const ConstantAddress &to = facts_.addresses[value.address];
    visitAll(pts_.locations.at(to.object, to.offset));
  }

  /// How the library function takes a format that the call surely calls; nullptr: it takes none.
  const FormatUse *formatUse(const CallSite &site) const {
    return site.known && site.known->format.isTaken() ? &site.known->format : nullptr;
  }
  /// Is the text that this call makes of literals and numbers alone?
  bool isMadeOfConstants(const CallSite &site, const FormatUse &f) {
    if (f.takesList) return false;
    const auto operands = facts_.operandsOf(facts_.statements[site.statement]);
    for (auto i = static_cast<uint32_t>(f.at); i < operands.size(); i++) {
      const Value &value = facts_.values[operands[i]];
      if ((value.isPointer || value.address != kNone) && !isConstantText(operands[i])) return false;
    }
    return true;
  }

private:
  Origin find(LocationId location) {
    const Object &object = pts_.objects[pts_.locations.objectOf(location)];
    switch (object.kind) {
    case ObjectKind::Function:
    case ObjectKind::Variadic: return {};
    case ObjectKind::Environment:
    case ObjectKind::Unknown: return {.isConstant = false};
    case ObjectKind::Heap:
      if (!view_.isOwn(object.function)) return {.isConstant = false};
      break;
    case ObjectKind::Global:
    case ObjectKind::Stack: break;
    }
    if (object.isConstant) return {};
    if (!hasWriters_) findWriters();
    for (const StatementId s : writers_) {
      if (!pts_.sets[view_.flow.modRef.statementMod(facts_.statements[s])].contains(location))
        continue;
      if (!writesConstant(s, pts_.locations.objectOf(location)))
        return {.isConstant = false, .writer = s};
    }
    return {};
  }

  void findWriters() {
    hasWriters_ = true;
    for (FunctionId f = 0; f < facts_.functions.size(); f++) {
      if (!view_.isOwn(f) || !view_.pts.isReached(f)) continue;
      const auto [first, end] = facts_.statementsOf(facts_.functions[f]);
      for (StatementId s = first; s < end; s++) {
        const Statement &statement = facts_.statements[s];
        if (statement.kind == StatementKind::Store ||
            (statement.kind == StatementKind::Call && !view_.callsOwn(statement.extra)))
          writers_.push_back(s);
      }
    }
  }

  bool writesConstant(StatementId id, ObjectId object) {
    const Statement &s = facts_.statements[id];
    const auto operands = facts_.operandsOf(s);
    if (s.kind == StatementKind::Store) return isConstantNumber(operands[1]);
    const CallSite &site = facts_.calls[s.extra];
    const auto goesTo = [&](uint32_t i) {
      bool goes = false;
      if (i < operands.size())
        forEachLocation(operands[i],
                        [&](LocationId l) { goes |= pts_.locations.objectOf(l) == object; });
      return goes;
    };
    if (const Summary *summary = view_.summaryOf(site)) {
      if (!summary->copies()) return true;
      const auto isWritten = [&](int to) { return to < 0 || goesTo(static_cast<uint32_t>(to)); };
      const auto isConstantAt = [&](int from) {
        return from >= static_cast<int>(operands.size()) ||
               isConstantText(operands[static_cast<uint32_t>(from)]);
      };
      return !isWritten(summary->to) || isConstantAt(summary->from);
    }
    if (const FormatUse *f = formatUse(site))
      return f->into < 0 || f->allocates || !goesTo(static_cast<uint32_t>(f->into)) ||
             isMadeOfConstants(site, *f);
    const LibraryFunction *writer = view_.onlyKnownOf(site);
    for (uint32_t i = 0; writer && i < operands.size(); i++)
      if (writer->puts.isTo(i) && goesTo(i)) return false;
    return true;
  }

  bool isConstantText(ValueId pointer) {
    bool isConstant = true;
    forEachLocation(pointer, [&](LocationId l) { isConstant &= originOf(l).isConstant; });
    return isConstant;
  }

  /// A number that no text from outside decides: only literals and tables, and computing with them.
  bool isConstantNumber(ValueId value) {
    const Value &v = facts_.values[value];
    if (v.function == kNone) return true;
    if (v.definition == kNone) return false;
    return origins_
        .answer(kFirstNumber + value,
                [&] { return Origin{.isConstant = isComputedFromConstants(v.definition)}; })
        .isConstant;
  }

  bool isComputedFromConstants(StatementId definition) {
    const Statement &s = facts_.statements[definition];
    const auto operands = facts_.operandsOf(s);
    if (s.kind == StatementKind::Copy || s.kind == StatementKind::Arithmetic ||
        s.kind == StatementKind::Compare)
      return std::ranges::all_of(operands,
                                 [&](ValueId operand) { return isConstantNumber(operand); });
    if (s.kind == StatementKind::Load)
      return !pts_.of(operands[0]).empty() && isConstantText(operands[0]);
    return s.kind == StatementKind::Address || s.kind == StatementKind::Gep;
  }

  View &view_;
  const Facts &facts_;
  const PointsTo &pts_;
  /// Of locations, and of numbers behind those: text in memory and numbers depend on each other,
  /// and in loops on themselves, which adds nothing to either.
  GreatestFixpoint<uint64_t, Origin> origins_;
  static constexpr uint64_t kFirstNumber = uint64_t(1) << 32;
  std::vector<StatementId> writers_; ///< stores, and calls of library functions
  bool hasWriters_ = false;
};

class FormatChecker {
public:
  explicit FormatChecker(CheckContext &context)
      : context_(context), view_(context.view), facts_(view_.facts), flow_(view_.flow),
        text_(view_) {}

  void run() {
    for (uint32_t call = 0; call < facts_.calls.size(); call++) {
      const CallSite &site = facts_.calls[call];
      const FunctionId f = view_.functionOf(site.statement);
      if (!view_.isOwn(f) || !view_.pts.isReached(f)) continue;
      if (const FormatUse *known = text_.formatUse(site))
        addSink(call, static_cast<uint32_t>(known->at));
      if (site.callee == kNone && site.target != kNone) addPointerCall(call);
    }
    for (; !sinks_.empty() && !context_.time.isOver(); sinks_.pop_front())
      look(sinks_.front().call, sinks_.front().operand);
    found_.giveTo(context_.reports);
    for (const auto &[first, sink] : followers_)
      context_.reports.addPlace(evidence::BugKind::FormatString, first,
                                view_.step(sink, StepRole::Defect, "it is a format here, too"));
  }

private:
  struct Sink {
    uint32_t call, operand;
  };
  /// What a format may be that is no constant.
  struct Suspects {
    SparseBits locations;
    std::map<ObjectId, StatementId> objects; ///< with what wrote the text; kNone: not known
    bool has(ObjectKind kind, const PointsTo &pts) const {
      return std::ranges::any_of(objects,
                                 [&](const auto &o) { return pts.objects[o.first].kind == kind; });
    }
  };

  void addSink(uint32_t call, uint32_t operand) {
    const Statement &s = facts_.statements[facts_.calls[call].statement];
    if (operand < s.numOperands && known_.emplace(call, operand).second)
      sinks_.push_back({call, operand});
  }

  bool takesFormat(FunctionId f, uint32_t operand) const {
    if (takers_.contains({f, operand})) return true;
    const LibraryFunction *known = facts_.functions[f].known;
    return known && known->format.isTaken() && static_cast<uint32_t>(known->format.at) == operand;
  }

  void addPointerCall(uint32_t call) {
    const std::vector<FunctionId> &callees = view_.pts.callees(call);
    const Statement &s = facts_.statements[facts_.calls[call].statement];
    for (uint32_t i = 0; i < s.numOperands && !callees.empty(); i++)
      if (std::ranges::all_of(callees, [&](FunctionId f) { return takesFormat(f, i); }))
        addSink(call, i);
  }

  /// Its calls are judged: it passes this parameter on to a function that takes a format.
  void addTaker(FunctionId f, uint32_t parameter, StatementId inside) {
    if (!takers_.emplace(std::pair(f, parameter), inside).second) return;
    for (const uint32_t call : view_.callers(f))
      if (facts_.calls[call].callee != f)
        addPointerCall(call);
      else if (view_.mayComeTo(call, inside))
        addSink(call, parameter);
  }

  Suspects suspectsOf(ValueId format) {
    Suspects out;
    text_.forEachLocation(format, [&](LocationId l) {
      const Text::Origin origin = text_.originOf(l);
      if (origin.isConstant) return;
      out.locations.insert(l);
      const ObjectId object = view_.pts.locations.objectOf(l);
      if (view_.pts.locations.leaves(object) > 1)
        out.locations.insert(view_.pts.locations.anywhere(object));
      out.objects.emplace(object, origin.writer);
    });
    return out;
  }

  void look(uint32_t call, uint32_t operand) {
    const StatementId sink = facts_.calls[call].statement;
    const ValueId format = facts_.operandsOf(facts_.statements[sink])[operand];
    const Suspects suspects = suspectsOf(format);
    if (suspects.objects.empty()) return;
    const Question question{call, operand, sink, suspects};
    if (facts_.values[format].function == kNone)
      return addressOf(question, nullptr, 0, sink, format);
    // Calls with one format, such as those of a switch, have one cause.
    if (const auto [first, isNew] = firstWith_.try_emplace(format, sink); !isNew) {
      followers_.emplace_back(first->second, sink);
      return;
    }
    const FunctionId f = view_.functionOf(sink);
    FlowSearch back(view_, {.states = 1500, .forward = false});
    back.begin(format);
    back.run([&](const FlowSearch::State &, FlowNode, FlowKind kind,
                 uint32_t) { return kind != FlowKind::Derived; },
             [&](uint32_t state) {
               const FlowSearch::State at = back[state];
               if (flow_.isTransfer(at.node)) return at.doubts <= kMaxDoubts;
               if (flow_.isValue(at.node) && !view_.pts.of(at.node).intersects(suspects.locations))
                 return false;
               if (const uint32_t i = parameterOf(f, at.node); i != kNone && at.stack == 0) {
                 addTaker(f, i, sink);
                 return false;
               }
               forEachConstantInto(
                   view_, at.node, back.innermostCall(at.stack),
                   [&](StatementId s, ValueId v) { addressOf(question, &back, state, s, v); });
               return !cameFromCall(question, back, state);
             });
    context_.cut += back.isCut;
  }

  static constexpr uint32_t kMaxDoubts = 1;

  struct Question {
    uint32_t call, operand;
    StatementId sink;
    const Suspects &suspects;
  };

  uint32_t parameterOf(FunctionId f, FlowNode node) const {
    const std::vector<ValueId> &parameters = facts_.functions[f].parameters;
    const auto at = std::ranges::find(parameters, node);
    return at == parameters.end() ? kNone : static_cast<uint32_t>(at - parameters.begin());
  }

  /// The format may be this variable: what wrote the text in it is the source.
  void addressOf(const Question &question, const FlowSearch *search, uint32_t state, StatementId s,
                 ValueId value) {
    const ObjectId object = view_.objectOf(value);
    if (object == kNone) return;
    const auto suspect = question.suspects.objects.find(object);
    if (suspect == question.suspects.objects.end() || suspect->second == kNone) return;
    written(question, search, state, s, suspect->first, suspect->second);
  }

  /// Is it what a library function returned or put into memory, or what the system passed to main?
  bool cameFromCall(const Question &question, const FlowSearch &search, uint32_t state) {
    const FlowNode node = search[state].node;
    const StatementId at = flow_.definition(node);
    if (at == kNone) return false;
    const Statement &s = facts_.statements[at];
    const auto operands = facts_.operandsOf(s);
    const Suspects &suspects = question.suspects;
    if (s.kind == StatementKind::Load && flow_.isValue(node) &&
        suspects.has(ObjectKind::Environment, view_.pts)) {
      bool isArgument = false;
      text_.forEachLocation(operands[0], [&](LocationId l) {
        isArgument |= view_.pts.locations.objectOf(l) == facts_.environment;
      });
      if (isArgument)
        report(question, &search, state, at, "an argument of the program is read",
               "an argument of the program");
      return isArgument;
    }
    if (s.kind != StatementKind::Call || view_.callsOwn(s.extra)) return false;
    const CallSite &site = facts_.calls[s.extra];
    const std::string name = view_.calleeName(site);
    const Summary *summary = view_.summaryOf(site);
    if (flow_.isValue(node)) {
      if (summary && summary->allocates != Allocates::Nothing) {
        for (const auto &[object, writer] : suspects.objects)
          if (view_.pts.objects[object].site == at && writer != kNone)
            written(question, &search, state, at, object, writer);
        return true;
      }
      if (summary) return false; // where the result comes from has edges
      report(question, &search, state, at, fmt::format("{} returns text", name),
             fmt::format("text that {} returns", name));
      return true;
    }
    // Memory: a library function may have put a pointer to new text there.
    if (summary || !storesText(site, node)) return false;
    report(question, &search, state, at, fmt::format("{} makes text", name),
           fmt::format("text that {} makes", name));
    return true;
  }

  /// getline and asprintf: is it the pointer that they set?
  bool storesText(const CallSite &site, FlowNode version) {
    const FormatUse *f = text_.formatUse(site);
    const LibraryFunction *reader = view_.onlyKnownOf(site);
    if (f ? !f->allocates || text_.isMadeOfConstants(site, *f) : !reader || !reader->puts.allocates)
      return false;
    const Statement &s = facts_.statements[site.statement];
    const MemorySsa &memory = flow_.memory(facts_.functionOf(s));
    const SparseBits &region = view_.pts.sets[memory.regions[flow_.version(version).region]];
    bool isPassed = false;
    if (s.numOperands > 0)
      text_.forEachLocation(facts_.operandsOf(s)[0],
                            [&](LocationId l) { isPassed |= region.contains(l); });
    return isPassed;
  }

  void written(const Question &question, const FlowSearch *search, uint32_t state, StatementId at,
               ObjectId object, StatementId writer) {
    const Object &what = view_.pts.objects[object];
    const std::string place = what.kind == ObjectKind::Heap ? "memory" : what.name;
    const Statement &s = facts_.statements[writer];
    const std::string by = s.kind == StatementKind::Call
                               ? fmt::format("{} puts", view_.calleeName(facts_.calls[s.extra]))
                               : "the program puts";
    report(question, search, state, writer, fmt::format("{} text into {}", by, place),
           fmt::format("text that {} into {}", by, place), at);
  }

  /// \param between  a step after the source, if it is another statement
  void report(const Question &question, const FlowSearch *search, uint32_t state,
              StatementId source, std::string sourceText, const std::string &what,
              StatementId between = kNone) {
    Report out;
    out.kind = evidence::BugKind::FormatString;
    out.doubts = search ? (*search)[state].doubts : 0;
    // What the program itself puts somewhere is no format, mostly.
    const Statement &s = facts_.statements[source];
    const LibraryFunction *known =
        s.kind == StatementKind::Call ? view_.onlyKnownOf(facts_.calls[s.extra]) : nullptr;
    const bool isInput = s.kind == StatementKind::Load
                             ? facts_.functions[facts_.functionOf(s)].name == "main"
                             : known && known->readsInput;
    if (isInput && out.doubts == 0) out.certainty = Certainty::May;
    out.steps.push_back(view_.step(source, StepRole::Origin, std::move(sourceText)));
    if (between != kNone && between != source && between != question.sink)
      out.steps.push_back(view_.step(between, StepRole::PassesOn, "this is where the text is"));
    if (search) {
      std::vector<ReportStep> steps; // from the format backwards
      addSteps(view_, *search, state, "the text", steps);
      out.steps.insert(out.steps.end(), steps.rbegin(), steps.rend());
    }
    const CallSite &site = facts_.calls[question.call];
    const std::string name = view_.calleeName(site);
    out.steps.push_back(
        view_.step(question.sink, StepRole::Defect, fmt::format("{} takes it as a format", name)));
    out.message = fmt::format("the format of {} is no constant: it may be {}", name, what);
    for (const FunctionId f : view_.pts.callees(question.call))
      if (const auto taker = takers_.find({f, question.operand}); taker != takers_.end())
        out.alsoAt.add(
            view_.step(taker->second, StepRole::PassesOn, fmt::format("{} passes it on", name)));
    found_.add(question.sink, question.operand, std::move(out), context_.reports);
  }

  CheckContext &context_;
  View &view_;
  const Facts &facts_;
  const ValueFlow &flow_;
  Text text_;
  std::deque<Sink> sinks_;
  std::set<std::pair<uint32_t, uint32_t>> known_; ///< sinks: call, operand
  /// Functions of the program that take a format, by parameter, with the call that gets it.
  std::map<std::pair<FunctionId, uint32_t>, StatementId> takers_;
  NearestReports found_;
  std::unordered_map<ValueId, StatementId> firstWith_;         ///< the first sink with a format
  std::vector<std::pair<StatementId, StatementId>> followers_; ///< first sinks, others
};

} // namespace

void checkFormats(CheckContext &context) { FormatChecker(context).run(); }

} // namespace fathom::statics
