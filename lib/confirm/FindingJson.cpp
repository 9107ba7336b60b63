// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/FindingJson.h"

#include "evidence/BugKind.h"
#include "report/Files.h"

namespace fathom::confirm {

using evidence::StackFrame;

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;
using report::utf8;

static constexpr int64_t kVersion = 1;

const char *name(Cut cut) {
  switch (cut) {
#define X(of, name, settles)                                                                       \
  case Cut::of: return name;
    FATHOM_CUTS(X)
#undef X
  }
  return "";
}

const char *settledBy(Cut cut) {
  switch (cut) {
#define X(of, name, settles)                                                                       \
  case Cut::of: return settles;
    FATHOM_CUTS(X)
#undef X
  }
  return "";
}

static Array frames(const std::vector<StackFrame> &all) {
  Array out;
  for (const StackFrame &f : all)
    out.push_back(Object{{"function", utf8(f.function)},
                         {"file", utf8(f.file)},
                         {"line", f.line},
                         {"column", f.column},
                         {"own", f.own},
                         {"wrapper", f.isThinWrapper}});
  return out;
}

Value toJson(const Finding &finding) {
  Array path, values;
  for (const PathStep &s : finding.path)
    path.push_back(Object{{"function", utf8(s.function)},
                          {"file", utf8(s.file)},
                          {"line", s.line},
                          {"column", s.column},
                          {"text", utf8(s.text)}});
  for (auto &[name, text] : finding.values) values.push_back(Array{utf8(name), utf8(text)});
  Object out{{"version", kVersion},
             {"verdict", static_cast<int64_t>(finding.verdict)},
             {"cut", name(finding.cut)},
             {"reason", utf8(finding.reason)},
             {"entry", utf8(finding.entry)},
             {"kind", evidence::name(finding.kind)},
             {"stack", frames(finding.stack)},
             {"related", frames(finding.related)},
             {"path", std::move(path)},
             {"values", std::move(values)},
             {"message", utf8(finding.message)},
             {"seconds", finding.seconds},
             {"paths", static_cast<int64_t>(finding.paths)}};
  if (!finding.feasibleFrom.empty()) {
    out["feasibleFrom"] = utf8(finding.feasibleFrom);
    out["notFurther"] = utf8(finding.notFurther);
  }
  if (!finding.assumed.empty()) out["assumed"] = utf8(finding.assumed);
  if (!finding.settledBy.empty()) out["settledBy"] = utf8(finding.settledBy);
  if (!finding.otherSource.empty()) out["otherSource"] = utf8(finding.otherSource);
  if (finding.wantsTime) out["wantsTime"] = true;
  if (finding.had.count()) out["hadMs"] = static_cast<int64_t>(finding.had.count());
  if (finding.moreValues) out["moreValues"] = static_cast<int64_t>(finding.moreValues);
  if (finding.otherValues) out["otherValues"] = static_cast<int64_t>(finding.otherValues);
  if (const Reproduction *native = finding.reproduction.get())
    out["reproduction"] = toJson(*native);
  return out;
}

Value toJson(const Reproduction &reproduction) {
  Object out{{"folder", utf8(reproduction.folder)},
             {"isReproduced", reproduction.isReproduced},
             {"symptom", utf8(reproduction.symptom)}};
  if (!reproduction.input.empty()) out["input"] = utf8(reproduction.input);
  return out;
}

namespace {

std::string text(const Object &object, llvm::StringRef key) {
  return object.getString(key).value_or("").str();
}

uint32_t number(const Object &object, llvm::StringRef key) {
  return static_cast<uint32_t>(object.getInteger(key).value_or(0));
}

template <class Take> void forEachObject(const Object &object, llvm::StringRef key, Take &&take) {
  if (const Array *array = object.getArray(key))
    for (const Value &value : *array)
      if (const Object *one = value.getAsObject()) take(*one);
}

std::vector<StackFrame> framesFrom(const Object &object, llvm::StringRef key) {
  std::vector<StackFrame> out;
  forEachObject(object, key, [&](const Object &f) {
    out.push_back({text(f, "function"), text(f, "file"), number(f, "line"), number(f, "column"),
                   f.getBoolean("own").value_or(true), f.getBoolean("wrapper").value_or(false)});
  });
  return out;
}

} // namespace

std::optional<Reproduction> reproductionFrom(const Value &value) {
  const Object *native = value.getAsObject();
  if (!native) return std::nullopt;
  return Reproduction{text(*native, "folder"), native->getBoolean("isReproduced").value_or(false),
                      text(*native, "symptom"), text(*native, "input")};
}

template <class T>
static llvm::Expected<T> parseAs(llvm::StringRef text, std::optional<T> (*from)(const Value &)) {
  llvm::Expected<Value> value = llvm::json::parse(text);
  if (!value) return value.takeError();
  if (std::optional<T> out = from(*value)) return std::move(*out);
  return llvm::createStringError(std::errc::invalid_argument, "JSON of another form");
}

llvm::Expected<Finding> parseFinding(llvm::StringRef text) { return parseAs(text, findingFrom); }

llvm::Expected<Reproduction> parseReproduction(llvm::StringRef text) {
  return parseAs(text, reproductionFrom);
}

std::optional<Finding> findingFrom(const Value &value) {
  const Object *object = value.getAsObject();
  if (!object || object->getInteger("version") != kVersion) return std::nullopt;
  const auto verdict = object->getInteger("verdict");
  if (!verdict || *verdict < 0 || *verdict > static_cast<int64_t>(Verdict::Open))
    return std::nullopt;
  Finding out;
  out.verdict = static_cast<Verdict>(*verdict);
  const std::string cut = text(*object, "cut");
#define X(of, name, settles)                                                                       \
  if (cut == (name)) out.cut = Cut::of;
  FATHOM_CUTS(X)
#undef X
  out.reason = text(*object, "reason");
  out.entry = text(*object, "entry");
  evidence::bugKindFromName(text(*object, "kind"), out.kind);
  out.feasibleFrom = text(*object, "feasibleFrom");
  out.notFurther = text(*object, "notFurther");
  out.otherSource = text(*object, "otherSource");
  out.assumed = text(*object, "assumed");
  out.settledBy = text(*object, "settledBy");
  out.wantsTime = object->getBoolean("wantsTime").value_or(false);
  out.had = std::chrono::milliseconds(object->getInteger("hadMs").value_or(0));
  out.moreValues = static_cast<uint64_t>(object->getInteger("moreValues").value_or(0));
  out.otherValues = static_cast<uint64_t>(object->getInteger("otherValues").value_or(0));
  if (const Value *native = object->get("reproduction"))
    if (std::optional<Reproduction> known = reproductionFrom(*native))
      out.reproduction = std::make_shared<Reproduction>(std::move(*known));
  out.stack = framesFrom(*object, "stack");
  out.related = framesFrom(*object, "related");
  forEachObject(*object, "path", [&](const Object &s) {
    out.path.push_back({text(s, "function"), text(s, "file"), number(s, "line"),
                        number(s, "column"), text(s, "text")});
  });
  if (const Array *values = object->getArray("values"))
    for (const Value &pair : *values)
      if (const Array *two = pair.getAsArray(); two && two->size() == 2)
        out.values.emplace_back((*two)[0].getAsString().value_or("").str(),
                                (*two)[1].getAsString().value_or("").str());
  out.message = text(*object, "message");
  out.seconds = object->getNumber("seconds").value_or(0);
  out.paths = static_cast<uint64_t>(object->getInteger("paths").value_or(0));
  return out;
}

} // namespace fathom::confirm
