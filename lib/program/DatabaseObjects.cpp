// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/DatabaseObjects.h"

#include "support/TextError.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

#include <fmt/format.h>

#include <optional>

using namespace llvm;

namespace fathom::program {

namespace {

std::optional<bool> isCxxSource(StringRef path) {
  return StringSwitch<std::optional<bool>>(sys::path::extension(path))
      .Cases(".c", ".i", false)
      .Cases(".cc", ".cpp", ".cxx", ".C", ".c++", true)
      .Default(std::nullopt);
}

std::string absolute(StringRef directory, StringRef path) {
  SmallString<256> out(path);
  if (!sys::path::is_absolute(path)) {
    out = directory;
    sys::path::append(out, path);
  }
  sys::path::remove_dots(out, /*remove_dot_dot=*/true);
  return std::string(out);
}

/// ccache gcc -> 2: the first word that is an argument of the compiler.
size_t compilerWords(ArrayRef<std::string> words) {
  if (words.size() < 2) return words.size();
  const StringRef name = sys::path::filename(words[0]);
  const bool isWrapper = name == "ccache" || name == "sccache" || name == "distcc" ||
                         name == "icecc" || name == "libtool";
  return isWrapper && !StringRef(words[1]).starts_with("-") ? 2 : 1;
}

/// Without what says where the object and the list of its headers go. `output` is set to -o's.
std::vector<std::string> compilerArguments(ArrayRef<std::string> words, std::string &output) {
  std::vector<std::string> out;
  for (size_t i = compilerWords(words); i < words.size(); ++i) {
    const StringRef word = words[i];
    if (word == "-c" || word == "-MD" || word == "-MMD" || word == "-MP" || word == "-M" ||
        word == "-MM")
      continue;
    if (word == "-o" || word == "-MF" || word == "-MT" || word == "-MQ") {
      if (++i < words.size() && word == "-o") output = words[i];
      continue;
    }
    if (word.starts_with("-o") && !word.starts_with("-object")) {
      output = word.drop_front(2).str();
      continue;
    }
    if (word.starts_with("-MF") || word.starts_with("-MT") || word.starts_with("-MQ")) continue;
    out.push_back(word.str());
  }
  return out;
}

/// CMake has objects in CMakeFiles/TARGET.dir, Meson in TARGET.p.
std::string targetOf(StringRef output) {
  const size_t cmake = output.find("CMakeFiles/");
  if (cmake != StringRef::npos) {
    const size_t end = output.find(".dir/", cmake);
    if (end != StringRef::npos)
      return (output.substr(0, cmake) + output.slice(cmake + strlen("CMakeFiles/"), end)).str();
  }
  const size_t meson = output.find(".p/");
  return meson == StringRef::npos ? "" : output.substr(0, meson).str();
}

std::optional<std::string> textOf(const json::Object &object, StringRef key) {
  const std::optional<StringRef> found = object.getString(key);
  return found ? std::optional(found->str()) : std::nullopt;
}

Expected<DatabaseEntry> entryOf(const json::Object &object, const std::string &where) {
  const std::optional<std::string> directory = textOf(object, "directory");
  const std::optional<std::string> file = textOf(object, "file");
  if (!directory || !file) return textError(where + ": has no \"directory\" or no \"file\"");
  std::vector<std::string> words;
  if (const json::Array *arguments = object.getArray("arguments")) {
    for (const json::Value &argument : *arguments)
      if (const std::optional<StringRef> word = argument.getAsString())
        words.push_back(word->str());
  } else if (const std::optional<std::string> command = textOf(object, "command")) {
    BumpPtrAllocator allocator;
    StringSaver saver(allocator);
    SmallVector<const char *, 32> split;
    cl::TokenizeGNUCommandLine(*command, saver, split);
    words.assign(split.begin(), split.end());
  }
  if (words.empty()) return textError(where + ": has no \"arguments\" and no \"command\"");
  DatabaseEntry out;
  out.directory = *directory;
  out.file = absolute(*directory, *file);
  std::string output;
  out.arguments = compilerArguments(words, output);
  if (const std::optional<std::string> named = textOf(object, "output")) output = *named;
  out.target = targetOf(absolute(*directory, output));
  out.isCxx = isCxxSource(*file).value_or(false);
  return out;
}

} // namespace

Expected<std::vector<DatabaseEntry>> readDatabase(const std::string &path) {
  const ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(path);
  if (!buffer) return textError("'" + path + "': " + buffer.getError().message());
  Expected<json::Value> value = json::parse((*buffer)->getBuffer());
  if (!value) return textError("'" + path + "' is not JSON: " + toString(value.takeError()));
  const json::Array *list = value->getAsArray();
  if (!list) return textError("'" + path + "' is not a compilation database: expected a list");
  std::vector<DatabaseEntry> out;
  for (size_t i = 0; i < list->size(); ++i) {
    const std::string where = fmt::format("'{}' entry {}", path, i);
    const json::Object *object = (*list)[i].getAsObject();
    if (!object) return textError(where + ": expected an object");
    Expected<DatabaseEntry> entry = entryOf(*object, where);
    if (!entry) return entry.takeError();
    // Assembly and other languages have no code to analyse.
    if (isCxxSource(entry->file)) out.push_back(std::move(*entry));
  }
  if (out.empty()) return textError("'" + path + "' names no C or C++ file");
  return out;
}

Error readObject(const std::string &file, const DatabaseEntry &entry, DatabaseObject &object) {
  Expected<object::OwningBinary<object::ObjectFile>> binary =
      object::ObjectFile::createObjectFile(file);
  if (!binary) return binary.takeError();
  for (const object::SymbolRef &symbol : binary->getBinary()->symbols()) {
    Expected<uint32_t> flags = symbol.getFlags();
    if (!flags) return flags.takeError();
    Expected<StringRef> name = symbol.getName();
    if (!name) return name.takeError();
    if (!(*flags & object::SymbolRef::SF_Global) || name->empty()) continue;
    if (*flags & object::SymbolRef::SF_Undefined) {
      if (!(*flags & object::SymbolRef::SF_Weak)) object.undefined.push_back(name->str());
      continue;
    }
    object.definesMain |= *name == "main" || *name == "LLVMFuzzerTestOneInput";
    object.defined.push_back(name->str());
  }
  object.file = file;
  object.source = entry.file;
  object.target = entry.target;
  object.isCxx = entry.isCxx;
  return Error::success();
}

std::string firstErrorOf(const std::string &logFile) {
  const auto buffer = MemoryBuffer::getFile(logFile);
  if (!buffer) return "no output of the compiler";
  SmallVector<StringRef, 16> lines;
  (*buffer)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (const StringRef sign : {"fathom-cc: error:", "error:", "undefined symbol"})
    for (const StringRef line : lines)
      if (line.contains(sign)) return line.str();
  return lines.empty() ? "the compiler says nothing" : lines.back().str();
}

} // namespace fathom::program
