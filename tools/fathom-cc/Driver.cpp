// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of fathom-cc. Compiling: clang makes an object with machine code and bitcode, which is
// sealed (ElfSections.h). Linking: lld links the machine code against the sysroot, natively and
// with its own resolution of archives; the bitcode that came along is cut out and merged
// (WholeProgram.h).
#include "Driver.h"

#include "ConstantChecks.h"
#include "ElfSections.h"
#include "Help.h"
#include "LinkErrors.h"
#include "Process.h"
#include "WholeProgram.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

namespace fathom::cc {

namespace fs = std::filesystem;
using Stage = Arguments::Stage;

namespace {

/// Where the C++ library's headers are by debug information.
constexpr char kLibraryHeaders[] = "=/fathom-libc/include/c++/v1";

std::string stemOf(const std::string &path) { return fs::path(path).stem().string(); }

class Driver {
public:
  Driver(const Arguments &args, const Toolchain &tools) : args_(args), tools_(tools) {}

  int run() {
    switch (args_.stage) {
    case Stage::Query: return query();
    case Stage::Preprocess:
    case Stage::Assembly: return passOn();
    case Stage::Object: return compileOnly();
    case Stage::Link: return link();
    }
    return 1;
  }

private:
  static int fail(const std::string &message) {
    std::fprintf(stderr, "fathom-cc: error: %s\n", message.c_str());
    return 1;
  }

  int execute(const Command &command) const {
    if (args_.verbose || args_.dryRun) std::fprintf(stderr, " %s\n", shellQuoted(command).c_str());
    return args_.dryRun ? 0 : cc::run(command);
  }

  /// clang with the sysroot's target and headers, and the user's options.
  /// \param defaults  options that the user's override
  Command clang(std::initializer_list<const char *> defaults = {}) const {
    Command command = {tools_.clang, "--target=x86_64-linux-musl", "--sysroot=" + tools_.sysroot,
                       "-fno-pic", "-Qunused-arguments"};
    // As with the gcc of Debian 12, for which today's programs were written: warnings.
    for (const char *warning :
         {"implicit-function-declaration", "implicit-int", "int-conversion", "return-mismatch",
          "return-type", "incompatible-function-pointer-types"})
      command.push_back(std::string("-Wno-error=") + warning);
    if (args_.cxx) {
      // Functions of the library's headers are the library's, wherever the sysroot lies.
      const std::string headers = tools_.sysroot + "/include/c++/v1";
      if (args_.cxxDriver) command.push_back("--driver-mode=g++");
      command.insert(command.end(), {"-nostdinc++", "-cxx-isystem", headers,
                                     "-ffile-prefix-map=" + headers + kLibraryHeaders});
    }
    command.insert(command.end(), defaults.begin(), defaults.end());
    if (args_.verbose && args_.stage == Stage::Query) command.push_back("-v");
    command.insert(command.end(), args_.compile.begin(), args_.compile.end());
    for (const std::string &prefix : tools_.prefixes) {
      command.push_back("-isystem");
      command.push_back(prefix + "/include");
    }
    return command;
  }

  void addSource(Command &command, const Arguments::Source &source) const {
    if (!source.language.empty()) {
      command.push_back("-x");
      command.push_back(source.language);
    }
    command.push_back(source.path);
    if (!source.language.empty()) {
      command.push_back("-x");
      command.push_back("none");
    }
  }

  /// Options that make an object with bitcode. Undefined behaviour must still be there in the
  /// bitcode, so code is compiled without optimisation (but not marked optnone, which would stop
  /// later passes), and the machine code is made from the same bitcode. -ffat-lto-objects would not
  /// do here: it optimises machine code even at -O0, after it has put the bitcode aside.
  Command clangForObjects() const {
    // Not DWARF 5: Debian's valgrind cannot read clang's. -fmath-errno keeps calls of libm calls,
    // and not llvm.pow and the like, which have no body to analyse.
    Command command = clang({"-g", "-gdwarf-4", "-fmath-errno"});
    // The function's type is read from before its code, where the bitcode has nothing. The engine
    // looks at every call itself.
    if (std::any_of(args_.compile.begin(), args_.compile.end(),
                    [](const std::string &a) { return a.starts_with("-fsanitize="); }))
      command.push_back("-fno-sanitize=function");
    if (args_.asBuilt) {
      if (!args_.optimization.empty()) command.push_back(args_.optimization);
      command.insert(command.end(), {"-flto", "-ffat-lto-objects"});
    } else {
      command.insert(command.end(), {"-O0", "-Xclang", "-disable-O0-optnone", "-Xclang",
                                     "-fembed-bitcode=bitcode"});
    }
    return command;
  }

  /// The same as execute(); \p errors receives what was written to standard error, too.
  int execute(const Command &command, std::string &errors) const {
    if (args_.dryRun) return execute(command);
    if (args_.verbose) std::fprintf(stderr, " %s\n", shellQuoted(command).c_str());
    TemporaryDirectory temporary;
    const std::string file = temporary.file("errors", ".txt");
    const int status = cc::run(command, file);
    std::ifstream stream(file);
    errors.assign(std::istreambuf_iterator<char>(stream), {});
    if (!status || (!isAboutMain(errors) && missingCxx(errors, args_.linksCxx()).empty()))
      std::fputs(errors.c_str(), stderr);
    return status;
  }

  /// The harness library's main calls LLVMFuzzerTestOneInput: a program that has neither lacks a
  /// main.
  static bool isAboutMain(const std::string &errors) {
    return errors.find("undefined symbol: LLVMFuzzerTestOneInput") != std::string::npos &&
           errors.find("fuzzer_main.o:(main)") != std::string::npos;
  }

  int query() {
    for (const std::string &option : args_.compile) {
      // autoconf and libtool ask for files and programs this way.
      if (option.starts_with("-print-file-name=")) {
        fs::path file = fs::path(tools_.sysroot) / "lib" / option.substr(17);
        if (std::error_code error; fs::exists(file, error)) return std::puts(file.c_str()) < 0;
      }
      if (option == "-print-prog-name=ld") return std::puts(tools_.linker.c_str()) < 0;
      if (option == "--help") std::printf("%s\nThe options of clang:\n\n", kHelp);
      if (option == "--version")
        std::puts("fathom-cc " FATHOM_VERSION " (compiles with the following)");
    }
    Command command = clang();
    for (const Arguments::Source &source : args_.sources) addSource(command, source);
    return become(command);
  }

  /// -E, -S, -M: text for people and build systems, which clang makes alone.
  int passOn() {
    Command command = clang();
    command.push_back(args_.asBuilt && !args_.optimization.empty() ? args_.optimization : "-O0");
    for (const Arguments::Source &source : args_.sources) addSource(command, source);
    if (!args_.output.empty()) command.insert(command.end(), {"-o", args_.output});
    if (!args_.verbose && !args_.dryRun) return become(command);
    return execute(command);
  }

  int compileOnly() {
    Command command = clangForObjects();
    command.push_back("-c");
    for (const Arguments::Source &source : args_.sources) addSource(command, source);
    if (!args_.output.empty()) command.insert(command.end(), {"-o", args_.output});
    if (int status = execute(command)) return status;
    for (const Arguments::Source &source : args_.sources)
      if (int status =
              seal(source, args_.output.empty() ? stemOf(source.path) + ".o" : args_.output))
        return status;
    return 0;
  }

  int seal(const Arguments::Source &source, const std::string &object) const {
    std::error_code ignored;
    if (args_.dryRun || !fs::is_regular_file(object, ignored)) return 0; // -o /dev/null
    std::string error = sealObject(object, args_.libc);
    if (error.empty() && !args_.asBuilt && !args_.libc) error = keepConstantChecks(source, object);
    return error.empty() ? 0 : fail(error);
  }

  /// See ConstantChecks.h. Few sources need it.
  std::string keepConstantChecks(const Arguments::Source &source, const std::string &object) const {
    for (const std::string &option : args_.compile)
      if (option.starts_with("-fsanitize=")) return ""; // its own checks tell
    if (source.path == "-" || !usesPoison(bitcodeOf(object))) return "";
    TemporaryDirectory temporary;
    FailingChecks failing;
    // Without the check for overflow first: a division by zero and INT_MIN / -1 fail alike.
    std::string bitcode;
    bool isSecond = false;
    for (const char *checks : {"-fsanitize=integer-divide-by-zero,shift-exponent",
                               "-fsanitize=integer-divide-by-zero,shift-exponent,signed-integer-"
                               "overflow"}) {
      const std::string output = temporary.file(stemOf(source.path), ".bc");
      Command command = withoutDependencies(
          clang({"-g", "-gdwarf-4", "-fmath-errno", "-O0", "-Xclang", "-disable-O0-optnone"}));
      command.insert(command.end(), {"-O0", "-w", "-c", "-emit-llvm", checks, "-fsanitize-trap=all",
                                     "-o", output});
      addSource(command, source);
      if (execute(command)) return "";
      bitcode = withConstantChecks(output, isSecond, failing);
      if (!usesPoison(bitcode)) break;
      isSecond = true;
    }
    return bitcode.empty() ? "" : replaceBitcode(object, bitcode);
  }

  /// Options that write files of dependencies were followed before.
  static Command withoutDependencies(const Command &command) {
    Command out;
    for (size_t i = 0; i < command.size(); i++) {
      const std::string &option = command[i];
      const bool hasValue = option == "-MF" || option == "-MT" || option == "-MQ";
      if (hasValue) ++i;
      if (!hasValue && !option.starts_with("-M") && !option.starts_with("-Wp,-M"))
        out.push_back(option);
    }
    return out;
  }

  /// Compiles the sources on a link's command line.
  /// \param objects  receives one object per source
  int compileForLink(TemporaryDirectory &temporary, std::vector<std::string> &objects) {
    for (const Arguments::Source &source : args_.sources) {
      objects.push_back(temporary.file(stemOf(source.path), ".o"));
      Command command = clangForObjects();
      command.push_back("-c");
      addSource(command, source);
      command.insert(command.end(), {"-o", objects.back()});
      // Dependency files are named after what the user sees, not after our temporary object.
      std::string stem =
          stemOf(args_.output.empty() || args_.sources.size() > 1 ? source.path : args_.output);
      if (args_.dependencies && !args_.dependencyFile) {
        fs::path file = fs::path(args_.output).parent_path() / (stem + ".d");
        command.insert(command.end(), {"-MF", file.string()});
      }
      if (args_.dependencies && !args_.dependencyTarget)
        command.insert(command.end(), {"-MT", stem + ".o"});
      if (int status = execute(command)) return status;
      if (int status = seal(source, objects.back())) return status;
    }
    return 0;
  }

  std::vector<std::string> libraryPaths() const {
    std::vector<std::string> paths = args_.libraryPaths;
    for (const std::string &prefix : tools_.prefixes) paths.push_back(prefix + "/lib");
    paths.push_back(tools_.sysroot + "/usr/lib");
    paths.push_back(tools_.sysroot + "/lib");
    return paths;
  }

  /// A library that was "linked" with -shared is a relocatable object named lib*.so (see below),
  /// which the linker would not look for.
  std::string library(const std::string &option, const std::vector<std::string> &paths) const {
    std::string name = option.substr(2), shared;
    if (name.starts_with(":")) return option;
    std::error_code ignored;
    for (const std::string &path : paths) {
      std::string file = path;
      file.append("/lib").append(name);
      if (fs::exists(file + ".a", ignored)) return option;
      if (shared.empty() && fs::exists(file + ".so", ignored)) shared = file + ".so";
    }
    return shared.empty() ? option : shared;
  }

  static bool isShared(const std::string &text) {
    return text.ends_with(".so") || text.find(".so.") != std::string::npos;
  }

  /// A shared library is one relocatable object: other libraries are left to the program that uses
  /// both (they would be in it twice), and so is what only concerns the final link.
  static bool leaveToProgram(const std::string &text) {
    if (text.ends_with(".a") || isShared(text)) return true;
    for (const char *option :
         {"-l", "-z", "-version-script", "-dynamic-list", "-gc-sections", "-no-gc-sections",
          "-no-undefined", "-as-needed", "-no-as-needed", "-no-allow-shlib-undefined",
          "-exclude-libs", "-push-state", "-pop-state", "-retain-symbols-file", "-O"})
      if (text.starts_with(option) || text.starts_with(std::string("-") + option)) return true;
    return false;
  }

  /// \param wanted  symbols to link even if machine code does not refer to them
  Command linkCommand(const std::vector<std::string> &objects, const std::string &output,
                      const std::vector<std::string> &wanted, bool harness = true) const {
    const std::string lib = tools_.sysroot + "/lib/";
    const bool relocatable = args_.relocatable || args_.shared;
    Command command = {tools_.linker, "-m", "elf_x86_64", "-o", output};
    if (relocatable)
      command.push_back("-r");
    else
      command.insert(command.end(), {"-static", "--eh-frame-hdr", "-z", "noexecstack",
                                     "--build-id=fast"}); // the bitcode's, too: see merge()
    if (!relocatable && !args_.noStartFiles) command.push_back(lib + "crt1.o");
    std::vector<std::string> paths = libraryPaths();
    for (const std::string &path : paths) command.push_back("-L" + path);
    bool whole = false, skipNext = false;
    std::vector<std::string> last; // "shared" libraries
    for (const Arguments::LinkItem &item : args_.link) {
      if (item.source >= 0) {
        command.push_back(objects[item.source]);
        continue;
      }
      const std::string &text = item.text;
      if (skipNext) {
        skipNext = false;
        continue;
      }
      if (text == "--whole-archive" || text == "-whole-archive") whole = true;
      if (text == "--no-whole-archive" || text == "-no-whole-archive") whole = false;
      if (args_.shared && !whole && leaveToProgram(text)) {
        skipNext =
            text == "-z" || text.ends_with("version-script") || text.ends_with("-dynamic-list");
        continue;
      }
      std::string input = text.starts_with("-l") ? library(text, paths) : text;
      (!relocatable && isShared(input) ? last : command).push_back(std::move(input));
    }
    // What a program defines itself counts, wherever the library stands: as with shared libraries.
    command.insert(command.end(), last.begin(), last.end());
    if (definesFirst_) command.insert(command.end(), {"-z", "muldefs"});
    for (const std::string &symbol : wanted) command.push_back("--undefined=" + symbol);
    if (relocatable || args_.noDefaultLibs) return command;
    command.push_back("--start-group");
    std::error_code ignored;
    std::vector<const char *> own = {"libc.a", "libfathom-native.a", "libclang_rt.builtins.a"};
    if (args_.linksCxx()) own.insert(own.begin(), {"libc++.a", "libfathom-cxx-native.a"});
    if (harness) own.insert(own.begin(), "libfathom-harness.a");
    for (const char *name : own)
      if (fs::exists(lib + name, ignored)) command.push_back(lib + name);
    command.push_back("--end-group");
    return command;
  }

  int link() {
    TemporaryDirectory temporary;
    std::vector<std::string> objects;
    if (int status = compileForLink(temporary, objects)) return status;
    std::string output = args_.output.empty() ? "a.out" : args_.output;
    // A stale .bc beside a program that failed to link would be worse than none.
    std::error_code ignored;
    bool regular = !fs::exists(output, ignored) || fs::is_regular_file(output, ignored);
    if (regular && !args_.dryRun) fs::remove(output + ".bc", ignored);

    if (int status = linkNative(objects, output)) return status;
    if (args_.dryRun || !regular || args_.relocatable || args_.shared) return 0;
    if (isProbe()) {
      LinkedProgram program = extract(output, "");
      return program.error.empty() ? 0 : fail(program.error);
    }

    MergeResult merged = merge(output);
    if (merged.error.empty() && !merged.undefined.empty()) {
      // Once more, so that what only bitcode refers to comes from the archives too.
      if (int status = execute(linkCommand(objects, output, merged.undefined))) return status;
      merged = merge(output);
    }
    if (!merged.error.empty())
      return fail("the program was linked, but its bitcode cannot be merged: " + merged.error);
    if (!merged.missing.empty())
      warnPartial(output + ".bc", merged.missing, origins(temporary, objects));
    return args_.strip ? cc::run({tools_.strip, output}) : 0;
  }

  int linkNative(const std::vector<std::string> &objects, const std::string &output) {
    std::string errors;
    int status = execute(linkCommand(objects, output, {}), errors);
    if (!status) return 0;
    // A program may have functions of a library of its own, too (a test that includes the library's
    // source): with a shared library the program's are taken.
    const std::vector<std::string> paths = libraryPaths();
    const bool usesShared =
        std::any_of(args_.link.begin(), args_.link.end(), [&](const Arguments::LinkItem &item) {
          return item.source < 0 &&
                 isShared(item.text.starts_with("-l") ? library(item.text, paths) : item.text);
        });
    if (usesShared && !definesFirst_ && errors.find("duplicate symbol") != std::string::npos) {
      definesFirst_ = true;
      return execute(linkCommand(objects, output, {}));
    }
    if (isAboutMain(errors)) {
      cc::run(linkCommand(objects, output, {"main"}, /*harness=*/false));
      return fail("the program has no function main");
    }
    if (const std::string why = missingCxx(errors, args_.linksCxx()); !why.empty())
      return fail(why);
    return status;
  }

  /// A program that configure makes and removes, to see whether it can: it has no use for bitcode
  /// beside it, and does not know that it would have to be removed.
  bool isProbe() const {
    return args_.sources.size() == 1 && stemOf(args_.sources[0].path) == "conftest";
  }

  MergeResult merge(const std::string &output) const {
    std::error_code ignored;
    std::string bitcode = output + ".bc";
    LinkedProgram program = extract(output, fs::absolute(bitcode, ignored).string());
    if (!program.error.empty()) return {program.error, {}, {}};

    MergeOptions options;
    options.wrapped = args_.wrapped;
    options.duplicatesAllowed = args_.duplicatesAllowed || definesFirst_;
    options.buildId = program.buildId;
    std::ifstream version(tools_.sysroot + "/lib/version");
    std::getline(version, options.sysrootVersion);
    for (const char *file : {"/lib/native-only.txt", "/lib/native-only-cxx.txt"}) {
      std::ifstream list(tools_.sysroot + file);
      for (std::string line; std::getline(list, line);) options.nativeOnly.insert(line);
    }
    return mergeProgram(program, bitcode, options);
  }

  /// Which object defines a symbol, from the linker's map of a second link: only needed for a
  /// warning.
  std::map<std::string, std::string> origins(TemporaryDirectory &temporary,
                                             const std::vector<std::string> &objects) const {
    std::string mapFile = temporary.file("link", ".map");
    Command command = linkCommand(objects, temporary.file("link", ".out"), {});
    command.push_back("-Map=" + mapFile);
    if (cc::run(command) != 0) return {};
    // Columns: four numbers, then "object:(section)" on a line of its own, then its symbols.
    std::map<std::string, std::string> originOf;
    std::ifstream map(mapFile);
    std::string object;
    for (std::string line; std::getline(map, line);) {
      size_t section = line.find(":(");
      size_t start = line.find_last_of(' ');
      if (start == std::string::npos) continue;
      if (section == std::string::npos) {
        originOf.emplace(line.substr(start + 1), object);
        continue;
      }
      start = line.find_last_of(' ', section);
      object = line.substr(start + 1, section - start - 1);
      for (size_t i = 0; i < objects.size(); i++)
        if (object == objects[i]) object = args_.sources[i].path;
    }
    return originOf;
  }

  static void warnPartial(const std::string &bitcode, const std::vector<std::string> &missing,
                          const std::map<std::string, std::string> &originOf) {
    std::map<std::string, std::vector<std::string>> byObject;
    for (const std::string &name : missing) {
      auto origin = originOf.find(name);
      byObject[origin == originOf.end() ? "an object" : origin->second].push_back(name);
    }
    for (const auto &[object, names] : byObject) {
      const size_t kShown = 10;
      std::string list;
      for (size_t i = 0; i < names.size() && i < kShown; i++) list += (i ? ", " : "") + names[i];
      if (names.size() > kShown)
        list +=
            " and " + std::to_string(names.size() - kShown) + " more (all are in !fathom.missing)";
      std::fprintf(stderr, "fathom-cc: warning: %s is partial: no bitcode in %s for %s\n",
                   bitcode.c_str(), object.c_str(), list.c_str());
    }
  }

  const Arguments &args_;
  const Toolchain &tools_;
  bool definesFirst_ = false; ///< of several definitions the program's counts, not a library's
};

} // namespace

int drive(const Arguments &args, const Toolchain &tools) { return Driver(args, tools).run(); }

} // namespace fathom::cc
