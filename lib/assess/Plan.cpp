// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "assess/Plan.h"

#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

#include <set>

namespace fathom::assess {

namespace json = llvm::json;

static constexpr int kSchema = 1;

double Plan::trialSeconds() const {
  return units * std::chrono::duration<double>(unit.time).count();
}

bool isSubjectName(const std::string &name) {
  if (name.empty() || name.size() > 100 || name[0] == '.' || name[0] == '-') return false;
  for (char c : name)
    if (!llvm::isAlnum(c) && c != '.' && c != '_' && c != '-') return false;
  return true;
}

std::string Plan::validate() const {
  if (subjects.empty()) return "a study needs programs: name some, or let some be generated";
  std::set<std::string> names;
  for (const Subject &subject : subjects) {
    if (!isSubjectName(subject.name))
      return fmt::format("program name '{}': expected letters, digits, '.', '_' and '-'",
                         subject.name);
    if (!names.insert(subject.name).second)
      return fmt::format("two programs are called {}; give one another name: NAME=PROGRAM",
                         subject.name);
  }
  if (trials == 0 || trials > 100000) return "--trials: expected 1 to 100000";
  return measure.validate(units);
}

json::Object toJson(const Plan &plan) {
  json::Array subjects;
  for (const Subject &s : plan.subjects) {
    json::Array arguments;
    for (const std::string &argument : s.arguments) arguments.push_back(json::fixUTF8(argument));
    subjects.push_back(
        json::Object{{"name", s.name},
                     {"from", json::fixUTF8(s.from)},
                     {"arguments", std::move(arguments)},
                     {"corpus", s.hasCorpus},
                     {"key", s.key},
                     {"elements", s.elements},
                     {"reachable", s.truth ? json::Value(*s.truth) : json::Value(nullptr)}});
  }
  json::Array levels, sizes;
  for (double level : plan.measure.levels) levels.push_back(level);
  for (uint32_t size : plan.measure.sizes) sizes.push_back(size);
  return json::Object{{"schema", kSchema},
                      {"programs", std::move(subjects)},
                      {"trials", plan.trials},
                      {"seed", plan.seed},
                      {"unit", plan.unit.text()},
                      {"units", plan.units},
                      {"of", campaign::kindName(plan.kind)},
                      {"test_time", plan.testTime},
                      {"test_memory", plan.testMemory},
                      {"keep_queues", plan.keepQueues},
                      {"levels", std::move(levels)},
                      {"unit_sizes", std::move(sizes)},
                      {"points", plan.measure.points},
                      {"replicates", plan.measure.replicates}};
}

static bool readSubject(const json::Object &in, Subject &subject) {
  auto name = in.getString("name"), from = in.getString("from"), key = in.getString("key");
  auto corpus = in.getBoolean("corpus");
  auto elements = in.getInteger("elements");
  const json::Array *arguments = in.getArray("arguments");
  if (!name || !from || !key || !corpus || !elements || !arguments || !in.get("reachable"))
    return false;
  subject.name = name->str(), subject.from = from->str(), subject.key = key->str();
  subject.hasCorpus = *corpus;
  subject.elements = static_cast<uint64_t>(*elements);
  if (auto truth = in.getInteger("reachable")) subject.truth = static_cast<uint64_t>(*truth);
  for (const json::Value &argument : *arguments) {
    if (!argument.getAsString()) return false;
    subject.arguments.push_back(argument.getAsString()->str());
  }
  return true;
}

static bool readNumbers(const json::Object &in, Plan &plan) {
  auto number = [&](const char *name, int64_t least, int64_t most, auto &field) {
    auto value = in.getInteger(name);
    if (!value || *value < least || *value > most) return false;
    field = static_cast<std::remove_reference_t<decltype(field)>>(*value);
    return true;
  };
  return number("trials", 1, 100000, plan.trials) && number("seed", 0, INT64_MAX, plan.seed) &&
         number("units", 1, UINT32_MAX, plan.units) &&
         number("points", 1, UINT32_MAX, plan.measure.points) &&
         number("replicates", 0, UINT32_MAX, plan.measure.replicates);
}

llvm::Expected<Plan> planFromJson(const json::Object &in) {
  auto refuse = [](const std::string &why) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), why);
  };
  if (in.getInteger("schema") != kSchema)
    return refuse(fmt::format("not the plan of a study of schema {}", kSchema));
  Plan plan;
  auto unit = in.getString("unit"), of = in.getString("of"), testTime = in.getString("test_time"),
       testMemory = in.getString("test_memory");
  auto keep = in.getBoolean("keep_queues");
  const json::Array *subjects = in.getArray("programs"), *levels = in.getArray("levels"),
                    *sizes = in.getArray("unit_sizes");
  if (!unit || !of || !testTime || !testMemory || !keep || !subjects || !levels || !sizes ||
      !readNumbers(in, plan) || !campaign::parseUnitLength(unit->str(), plan.unit))
    return refuse("not the plan of a study");
  auto kind = campaign::kindNamed(of->str());
  if (!kind) return refuse("not the plan of a study");
  plan.kind = *kind;
  plan.testTime = testTime->str(), plan.testMemory = testMemory->str();
  plan.keepQueues = *keep;
  for (const json::Value &value : *subjects) {
    Subject subject;
    const json::Object *one = value.getAsObject();
    if (!one || !readSubject(*one, subject)) return refuse("not the plan of a study");
    plan.subjects.push_back(std::move(subject));
  }
  plan.measure.levels.clear();
  plan.measure.sizes.clear();
  for (const json::Value &level : *levels)
    plan.measure.levels.push_back(level.getAsNumber().value_or(0));
  for (const json::Value &size : *sizes)
    plan.measure.sizes.push_back(static_cast<uint32_t>(size.getAsInteger().value_or(0)));
  plan.measure.seed = plan.seed;
  if (std::string wrong = plan.validate(); !wrong.empty()) return refuse(wrong);
  return plan;
}

} // namespace fathom::assess
