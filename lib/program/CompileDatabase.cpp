// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/CompileDatabase.h"

#include "program/DatabaseObjects.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <thread>

using namespace llvm;

namespace fathom::program {

namespace {

class Folder {
public:
  ~Folder() {
    if (!path.empty()) (void)sys::fs::remove_directories(path);
  }
  std::string file(const std::string &name) const { return (path + "/" + name).str(); }
  SmallString<128> path;
};

class Builder {
public:
  Builder(const DatabaseOptions &options, const Folder &folder)
      : options_(options), folder_(folder) {}

  /// Every entry that compiles.
  std::vector<DatabaseObject> compileAll(const std::vector<DatabaseEntry> &entries) {
    std::vector<DatabaseObject> objects(entries.size());
    std::atomic<size_t> next{0};
    std::vector<std::thread> workers;
    for (unsigned i = 0; i < std::max(1u, options_.jobs); ++i)
      workers.emplace_back([&] {
        for (size_t at = next++; at < entries.size() && !isStopped(); at = next++)
          compile(entries[at], at, objects[at]);
      });
    for (std::thread &worker : workers) worker.join();
    std::erase_if(objects, [](const DatabaseObject &o) { return o.file.empty(); });
    return objects;
  }

  /// Links the objects; adds a program if that succeeds.
  void link(const std::string &name, const std::vector<const DatabaseObject *> &objects,
            bool isLibrary, std::vector<DatabaseProgram> &out) {
    if (isStopped()) return;
    // Targets of different folders may have one name.
    const std::string program = folder_.file(fmt::format("program{}", out.size()));
    const bool isCxx =
        std::any_of(objects.begin(), objects.end(), [](const auto *o) { return o->isCxx; });
    std::vector<std::string> args = {compilerFor(isCxx), "-o", program};
    for (const DatabaseObject *object : objects) args.push_back(object->file);
    // Libraries of the machine are not there; what they define is code without a body. Objects that
    // were never meant for one program may define a name twice.
    args.insert(args.end(), {"-Wl,--unresolved-symbols=ignore-all", "-Wl,-z,muldefs"});
    if (isLibrary) args.push_back("-Wl,--defsym=LLVMFuzzerTestOneInput=0");
    const std::string log = program + ".log";
    if (!execute(args, "", log) || !sys::fs::exists(program + ".bc"))
      return warn(fmt::format("{} does not link: {}", name, firstErrorOf(log)));
    out.push_back({name, program + ".bc", isLibrary, objects.size()});
  }

  bool isStopped() const { return options_.stop && *options_.stop; }

private:
  void compile(const DatabaseEntry &entry, size_t number, DatabaseObject &object) {
    const std::string file = folder_.file(fmt::format("{}.o", number)), log = file + ".log";
    std::vector<std::string> args = {compilerFor(entry.isCxx)};
    args.insert(args.end(), entry.arguments.begin(), entry.arguments.end());
    // Warnings are another compiler's business.
    args.insert(args.end(), {"-w", "-Wno-error", "-c", "-o", file});
    if (!execute(args, entry.directory, log))
      return warn(fmt::format("{} does not compile: {}", entry.file, firstErrorOf(log)));
    if (Error e = readObject(file, entry, object))
      warn(fmt::format("{}: {}", entry.file, toString(std::move(e))));
  }

  std::string compilerFor(bool isCxx) const {
    if (!isCxx) return options_.fathomCc;
    SmallString<128> path(sys::path::parent_path(options_.fathomCc));
    sys::path::append(path, "fathom-c++");
    return std::string(path);
  }

  /// In another folder, through env: threads share the working directory.
  static bool execute(const std::vector<std::string> &args, const std::string &directory,
                      const std::string &log) {
    std::vector<std::string> all;
    std::string program = args.front();
    if (!directory.empty()) {
      ErrorOr<std::string> env = sys::findProgramByName("env");
      if (!env) return false;
      program = *env;
      all = {"env", "-C", directory};
    }
    all.insert(all.end(), args.begin(), args.end());
    const std::vector<StringRef> refs(all.begin(), all.end());
    return sys::ExecuteAndWait(program, refs, std::nullopt,
                               {StringRef(""), StringRef(log), StringRef(log)}) == 0;
  }

  void warn(const std::string &text) {
    const std::lock_guard lock(mutex_);
    options_.warn(text);
  }

  const DatabaseOptions &options_;
  const Folder &folder_;
  std::mutex mutex_;
};

/// What defines a symbol, and which of several definitions a program takes.
class Definitions {
public:
  explicit Definitions(const std::vector<DatabaseObject> &objects) {
    for (const DatabaseObject &object : objects)
      if (!object.definesMain)
        for (const std::string &symbol : object.defined) of_[symbol].push_back(&object);
  }

  /// `first`, and all that it needs.
  std::vector<const DatabaseObject *> closure(std::vector<const DatabaseObject *> objects) const {
    std::set<const DatabaseObject *> taken(objects.begin(), objects.end());
    std::set<std::string> defined;
    for (const DatabaseObject *object : objects)
      defined.insert(object->defined.begin(), object->defined.end());
    const DatabaseObject &main = *objects.front();
    for (size_t i = 0; i < objects.size(); ++i)
      for (const std::string &symbol : objects[i]->undefined) {
        if (defined.count(symbol)) continue;
        const DatabaseObject *from = nearest(symbol, main);
        if (!from || !taken.insert(from).second) continue;
        objects.push_back(from);
        defined.insert(from->defined.begin(), from->defined.end());
      }
    return objects;
  }

private:
  /// The object that defines the symbol; of several, one in the same folder as the program, if
  /// there is one.
  const DatabaseObject *nearest(const std::string &symbol, const DatabaseObject &main) const {
    const auto found = of_.find(symbol);
    if (found == of_.end()) return nullptr;
    for (const DatabaseObject *object : found->second)
      if (sys::path::parent_path(object->source) == sys::path::parent_path(main.source))
        return object;
    return found->second.front();
  }
  std::map<std::string, std::vector<const DatabaseObject *>> of_;
};

void linkAll(Builder &builder, const std::vector<DatabaseObject> &objects,
             std::vector<DatabaseProgram> &out) {
  const Definitions definitions(objects);
  std::set<const DatabaseObject *> used;
  for (const DatabaseObject &main : objects) {
    if (!main.definesMain) continue;
    std::vector<const DatabaseObject *> first = {&main};
    for (const DatabaseObject &object : objects)
      if (!main.target.empty() && object.target == main.target && !object.definesMain)
        first.push_back(&object);
    const std::vector<const DatabaseObject *> all = definitions.closure(first);
    used.insert(all.begin(), all.end());
    const std::string name = main.target.empty() ? sys::path::stem(main.source).str()
                                                 : sys::path::filename(main.target).str();
    builder.link(name, all, /*isLibrary=*/false, out);
  }
  std::map<std::string, std::vector<const DatabaseObject *>> libraries;
  for (const DatabaseObject &object : objects)
    if (!used.count(&object)) libraries[object.target].push_back(&object);
  for (const auto &[target, members] : libraries)
    builder.link(target.empty() ? "library" : sys::path::filename(target).str(), members,
                 /*isLibrary=*/true, out);
}

} // namespace

Expected<DatabasePrograms> buildDatabase(const std::string &path, const DatabaseOptions &options) {
  Expected<std::vector<DatabaseEntry>> entries = readDatabase(path);
  if (!entries) return entries.takeError();
  auto folder = std::make_shared<Folder>();
  if (std::error_code ec = sys::fs::createUniqueDirectory("fathom-database", folder->path))
    return createStringError("temporary folder: " + ec.message());
  Builder builder(options, *folder);
  const std::vector<DatabaseObject> objects = builder.compileAll(*entries);
  DatabasePrograms out;
  out.files = entries->size();
  out.failed = entries->size() - objects.size();
  out.folder = folder;
  if (builder.isStopped()) return createStringError("'" + path + "': interrupted");
  if (objects.empty())
    return createStringError("'" + path + "': none of its " + Twine(out.files) + " files compiles");
  linkAll(builder, objects, out.programs);
  if (out.programs.empty())
    return createStringError("'" + path + "': nothing of what it compiles links");
  return out;
}

} // namespace fathom::program
