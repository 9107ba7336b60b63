// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One test as a folder of files (docs/results.md): writing it, reading it, and the same data of a
// test without a folder.
#include "report/TestFolder.h"

#include "evidence/Input.h"
#include "report/KTest.h"

#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <unistd.h>

namespace fathom::report {

using evidence::InputId;
using evidence::InputKind;

using explore::EndKind;
using llvm::json::OStream;

static std::string asString(const std::vector<uint8_t> &bytes) {
  return {bytes.begin(), bytes.end()};
}

/// Up to the first NUL: what the program sees of a buffer that holds a C string.
static std::string cString(const std::vector<uint8_t> &bytes) {
  return {bytes.begin(), std::find(bytes.begin(), bytes.end(), 0)};
}

const char *endName(EndKind end) {
  switch (end) {
  case EndKind::Exit: return "exit";
  case EndKind::Signal: return "signal";
  case EndKind::Bug: return "bug";
  case EndKind::Partial: return "partial";
  }
  return "";
}

TestInputs inputsOf(const explore::TestCase &test, const std::vector<std::string> &arguments,
                    const std::vector<std::string> &environment) {
  TestInputs out;
  std::map<unsigned, std::string> argv;
  bool hasEnvironment = false;
  for (const evidence::Input &input : test.inputs) {
    switch (input.id.kind) {
    case InputKind::Argument:
      if (const auto index = input.id.argumentIndex()) argv[*index] = cString(input.data);
      break;
    case InputKind::StandardInput: out.standardInput += asString(input.data); break;
    case InputKind::File: out.files.emplace_back(input.id.name, asString(input.data)); break;
    case InputKind::Environment:
      hasEnvironment = true;
      out.environment.push_back(cString(input.data));
      break;
    }
  }
  // A path that ended before the program's arguments were set up has recorded none.
  if (argv.empty()) out.arguments = arguments;
  for (auto &[index, value] : argv) {
    if (out.arguments.size() <= index) out.arguments.resize(index + 1);
    out.arguments[index] = value;
  }
  if (!hasEnvironment) out.environment = environment;
  out.failedAllocations = test.failedAllocations;
  return out;
}

static void writeStrings(OStream &json, const char *name, const std::vector<std::string> &values) {
  json.attributeArray(name, [&] {
    for (const std::string &v : values) json.value(utf8(v));
  });
  json.attributeArray(std::string(name) + "_hex", [&] {
    for (const std::string &v : values) json.value(hex(v));
  });
}

static std::string argsJson(const TestInputs &inputs) {
  return jsonText([&](OStream &json) {
    json.object([&] {
      writeStrings(json, "args", inputs.arguments);
      writeStrings(json, "env", inputs.environment);
      json.attributeArray("files", [&] {
        for (auto &[name, data] : inputs.files) json.value(utf8(name));
      });
      if (!inputs.failedAllocations.empty())
        json.attributeArray("failed_allocations", [&] {
          for (uint32_t number : inputs.failedAllocations) json.value(number);
        });
    });
  });
}

static std::string exitJson(const explore::TestCase &test, const std::string &bug) {
  return jsonText([&](OStream &json) {
    json.object([&] {
      json.attribute("end", endName(test.end));
      json.attribute("status", test.status);
      if (!bug.empty()) json.attribute("bug", bug);
    });
  });
}

static std::string pathJson(const explore::TestCase &test) {
  return jsonText([&](OStream &json) {
    json.object([&] {
      json.attribute("branches", static_cast<int64_t>(test.trace.count));
      json.attribute("hash", hex64(test.trace.hash));
      json.attribute("path", hex64(test.path));
      json.attributeArray("checkpoints", [&] {
        for (auto &[count, hash] : test.trace.checkpoints)
          json.array([&] {
            json.value(static_cast<int64_t>(count));
            json.value(hex64(hash));
          });
      });
      json.attribute("decisions", test.decisions);
      json.attribute("instructions", static_cast<int64_t>(test.instructions));
      json.attribute("uses_external", test.usesExternal);
      json.attribute("uses_unwritten", test.usesUninit);
      json.attribute("why", utf8(test.why));
    });
  });
}

static std::string ktestText(const std::vector<explore::SymbolValue> &symbols,
                             const TestInputs &inputs) {
  KTest ktest;
  ktest.arguments = inputs.arguments;
  for (const explore::SymbolValue &symbol : symbols)
    ktest.objects.push_back({symbol.name, asString(symbol.data)});
  return encodeKTest(ktest);
}

llvm::Error writeTest(const Directory &into, const explore::TestCase &test,
                      const TestInputs &inputs, const std::string &bug) {
  if (auto e = into.write("args.json", argsJson(inputs))) return e;
  if (auto e = into.write("stdin", inputs.standardInput)) return e;
  if (auto e = into.write("stdout", test.stdoutData)) return e;
  if (auto e = into.write("stderr", test.stderrData)) return e;
  if (auto e = into.write("exit.json", exitJson(test, bug))) return e;
  if (auto e = into.write("path.json", pathJson(test))) return e;
  if (auto e = into.write("test.ktest", ktestText(test.symbols, inputs))) return e;
  if (!test.smtLib.empty())
    if (auto e = into.write("path.smt2", test.smtLib)) return e;
  if (inputs.files.empty()) return llvm::Error::success();
  llvm::Expected<Directory> files = into.create("files");
  if (!files) return files.takeError();
  for (auto &[name, data] : inputs.files) {
    // The model names its files A, B, ...: anything that leaves the directory is not one of them.
    if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos)
      continue;
    if (auto e = files->write(name, data)) return e;
  }
  return llvm::Error::success();
}

// ---- reading
// ------------------------------------------------------------------------------------------------------

namespace {
/// Typed fields of one JSON file; the first that is wrong makes the error.
class Fields {
public:
  Fields(std::string file, llvm::json::Object object)
      : file_(std::move(file)), object_(std::move(object)) {}

  bool has(const char *name) const { return object_.get(name); }
  std::string string(const char *name) {
    if (auto s = object_.getString(name)) return s->str();
    bad(name, "a string");
    return "";
  }
  int64_t integer(const char *name) {
    if (auto n = object_.getInteger(name)) return *n;
    bad(name, "a number");
    return 0;
  }
  bool boolean(const char *name, bool isOptional = false) { // folders of older versions
    if (auto b = object_.getBoolean(name)) return *b;
    if (isOptional && !object_.get(name)) return false;
    bad(name, "true or false");
    return false;
  }
  uint64_t number64(const char *name) {
    uint64_t value = 0;
    auto s = object_.getString(name);
    if (!s || !parseHex64(*s, value)) bad(name, "16 hexadecimal digits");
    return value;
  }
  const llvm::json::Array &array(const char *name) {
    if (const llvm::json::Array *a = object_.getArray(name)) return *a;
    bad(name, "a list");
    return empty_;
  }
  std::vector<std::string> hexStrings(const char *name) {
    std::vector<std::string> out;
    for (const llvm::json::Value &v : array(name)) {
      std::string bytes;
      auto s = v.getAsString();
      if (!s || !unhex(*s, bytes) || bytes.find('\0') != std::string::npos)
        bad(name, "a list of hexadecimal strings");
      out.push_back(std::move(bytes));
    }
    return out;
  }
  void bad(const char *name, const char *expected) {
    if (message_.empty())
      message_ = fmt::format("{}: \"{}\" is missing or is not {}", file_, name, expected);
  }
  llvm::Error error() const {
    if (message_.empty()) return llvm::Error::success();
    return llvm::createStringError(llvm::inconvertibleErrorCode(), message_);
  }

private:
  std::string file_, message_;
  llvm::json::Object object_;
  llvm::json::Array empty_;
};

llvm::Expected<Fields> readFields(const std::string &file) {
  llvm::Expected<llvm::json::Object> object = readJsonObject(file);
  if (!object) return object.takeError();
  return Fields(file, std::move(*object));
}
} // namespace

static llvm::Error readArgs(const std::string &path, TestInputs &inputs) {
  llvm::Expected<Fields> args = readFields(path + "/args.json");
  if (!args) return args.takeError();
  inputs.arguments = args->hexStrings("args_hex");
  inputs.environment = args->hexStrings("env_hex");
  for (const llvm::json::Value &v : args->array("files")) {
    auto name = v.getAsString();
    if (!name || name->contains('/') || *name == "." || *name == ".." || name->empty()) {
      args->bad("files", "a list of file names");
      break;
    }
    llvm::Expected<std::string> data = readFile(path + "/files/" + name->str());
    if (!data) return data.takeError();
    inputs.files.emplace_back(name->str(), std::move(*data));
  }
  if (args->has("failed_allocations"))
    for (const llvm::json::Value &v : args->array("failed_allocations")) {
      const std::optional<int64_t> number = v.getAsInteger();
      const int64_t before = inputs.failedAllocations.empty() ? 0 : inputs.failedAllocations.back();
      if (!number || *number <= before || *number > std::numeric_limits<uint32_t>::max()) {
        args->bad("failed_allocations", "a list of ascending numbers from 1");
        break;
      }
      inputs.failedAllocations.push_back(static_cast<uint32_t>(*number));
    }
  if (inputs.arguments.empty()) args->bad("args_hex", "a list with the program's name first");
  return args->error();
}

static llvm::Error readEnd(const std::string &path, StoredTest &test) {
  llvm::Expected<Fields> fields = readFields(path + "/exit.json");
  if (!fields) return fields.takeError();
  std::string end = fields->string("end");
  test.status = static_cast<int>(fields->integer("status"));
  bool known = false;
  for (EndKind kind : {EndKind::Exit, EndKind::Signal, EndKind::Bug, EndKind::Partial})
    if (end == endName(kind)) {
      test.end = kind;
      known = true;
    }
  if (!known) fields->bad("end", "exit, signal, bug or partial");
  if (fields->has("bug")) test.bug = fields->string("bug");
  return fields->error();
}

static llvm::Error readPath(const std::string &path, StoredTest &test) {
  llvm::Expected<Fields> fields = readFields(path + "/path.json");
  if (!fields) return fields.takeError();
  test.trace.count = static_cast<uint64_t>(fields->integer("branches"));
  test.trace.hash = fields->number64("hash");
  for (const llvm::json::Value &v : fields->array("checkpoints")) {
    const llvm::json::Array *pair = v.getAsArray();
    uint64_t hash = 0;
    std::optional<int64_t> count =
        pair && pair->size() == 2 ? (*pair)[0].getAsInteger() : std::nullopt;
    auto text = count ? (*pair)[1].getAsString() : std::nullopt;
    if (!text || !parseHex64(*text, hash)) {
      fields->bad("checkpoints", "a list of [count, hash]");
      break;
    }
    test.trace.checkpoints.emplace_back(static_cast<uint64_t>(*count), hash);
  }
  test.usesExternal = fields->boolean("uses_external");
  test.usesUninit = fields->boolean("uses_unwritten", /*isOptional=*/true);
  if (fields->has("path")) test.pathHash = fields->number64("path");
  if (fields->has("decisions"))
    test.decisions = static_cast<uint32_t>(fields->integer("decisions"));
  if (fields->has("instructions"))
    test.instructions = static_cast<uint64_t>(fields->integer("instructions"));
  if (fields->has("why")) test.why = fields->string("why");
  return fields->error();
}

static llvm::Error readBug(const std::string &path, StoredTest &test) {
  llvm::Expected<Fields> fields = readFields(path + "/bug.json");
  if (!fields) return fields.takeError();
  evidence::BugKind kind;
  if (evidence::bugKindFromName(fields->string("kind"), kind))
    test.bugKind = kind;
  else
    fields->bad("kind", "the name of a bug kind");
  test.bugMessage = fields->string("message");
  return fields->error();
}

llvm::Expected<StoredTest> readTest(const std::string &path, bool isBug) {
  StoredTest test;
  test.path = path;
  test.name = llvm::sys::path::filename(path).str();
  test.isBug = isBug;
  if (auto e = readArgs(path, test.inputs)) return std::move(e);
  if (auto e = readEnd(path, test)) return std::move(e);
  if (auto e = readPath(path, test)) return std::move(e);
  if (isBug)
    if (auto e = readBug(path, test)) return std::move(e);
  for (auto &[name, out] :
       {std::pair<const char *, std::string *>{"stdin", &test.inputs.standardInput},
        {"stdout", &test.standardOutput},
        {"stderr", &test.standardError}}) {
    llvm::Expected<std::string> data = readFile(path + "/" + name);
    if (!data) return data.takeError();
    *out = std::move(*data);
  }
  return test;
}

llvm::Expected<StoredTest> readWholeTest(const std::string &path, bool isBug) {
  llvm::Expected<StoredTest> test = readTest(path, isBug);
  if (!test) return test;
  llvm::Expected<std::string> bytes = ktestOf(*test);
  if (!bytes) return bytes.takeError();
  llvm::Expected<KTest> ktest = decodeKTest(*bytes);
  if (!ktest)
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        fmt::format("{}/test.ktest: {}", path, llvm::toString(ktest.takeError())));
  for (const KTestObject &object : ktest->objects)
    test->symbols.push_back({object.name, {object.bytes.begin(), object.bytes.end()}});
  const std::string condition = path + "/path.smt2";
  if (access(condition.c_str(), F_OK) != 0) return test;
  llvm::Expected<std::string> smtLib = readFile(condition);
  if (!smtLib) return smtLib.takeError();
  test->smtLib = std::move(*smtLib);
  return test;
}

// ---- in no folder
// ----------------------------------------------------------------------------------------------

StoredTest storedTest(const explore::TestCase &test, const std::string &bug,
                      const std::vector<std::string> &arguments,
                      const std::vector<std::string> &environment) {
  StoredTest out;
  out.inputs = inputsOf(test, arguments, environment);
  out.end = test.end;
  out.status = test.status;
  out.trace = test.trace;
  out.standardOutput = test.stdoutData;
  out.standardError = test.stderrData;
  out.usesExternal = test.usesExternal;
  out.usesUninit = test.usesUninit;
  out.bug = bug;
  out.why = test.why;
  out.pathHash = test.path;
  out.instructions = test.instructions;
  out.decisions = test.decisions;
  out.symbols = test.symbols;
  out.smtLib = test.smtLib;
  return out;
}

explore::TestCase testCaseOf(const StoredTest &test) {
  explore::TestCase out;
  auto add = [&](InputId id, const std::string &data) {
    out.inputs.push_back({std::move(id), std::vector<uint8_t>(data.begin(), data.end())});
  };
  for (size_t i = 0; i < test.inputs.arguments.size(); ++i)
    add(InputId::argument(i), test.inputs.arguments[i]);
  if (!test.inputs.standardInput.empty()) add(InputId::standardInput(), test.inputs.standardInput);
  for (auto &[name, data] : test.inputs.files) add(InputId::file(name), data);
  for (const std::string &variable : test.inputs.environment)
    add(InputId::environment(variable), variable);
  out.failedAllocations = test.inputs.failedAllocations;
  out.symbols = test.symbols;
  out.stdoutData = test.standardOutput;
  out.stderrData = test.standardError;
  out.end = test.end;
  out.status = test.status;
  out.trace = test.trace;
  out.instructions = test.instructions;
  out.decisions = test.decisions;
  out.why = test.why;
  out.path = test.pathHash;
  out.smtLib = test.smtLib;
  out.usesExternal = test.usesExternal;
  out.usesUninit = test.usesUninit;
  return out;
}

llvm::Expected<std::string> ktestOf(const StoredTest &test) {
  if (test.path.empty()) return ktestText(test.symbols, test.inputs);
  return readFile(test.path + "/test.ktest");
}

llvm::Error writeSeed(const Directory &into, const StoredTest &test) {
  llvm::Expected<std::string> ktest = ktestOf(test);
  if (!ktest) return ktest.takeError();
  if (auto e = into.write("test.ktest", *ktest)) return e;
  return into.write("args.json", argsJson(test.inputs));
}

} // namespace fathom::report
