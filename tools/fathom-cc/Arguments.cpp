// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Arguments.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace fathom::cc {

using std::string;
using std::string_view;

/// Options of clang whose value is the next argument. Those that only ever take one when they are
/// written alone (-D NAME, -I DIR) are here too.
// clang-format off
static constexpr std::array kTakesValue = {
    "-D", "-U", "-I", "-F", "-include", "-imacros", "-isystem", "-iquote", "-idirafter",
    "-iprefix", "-iwithprefix", "-iwithprefixbefore", "-isysroot", "-imultilib", "-include-pch",
    "-MF", "-MT", "-MQ", "-MJ", "-Xclang", "-Xpreprocessor", "-Xassembler", "-mllvm", "-arch",
    "-target", "-A", "--param", "-dumpbase", "-dumpdir", "-aux-info", "--sysroot", "-B", "-V",
    "-b", "-G", "-ccc-gcc-name", "-gcc-toolchain", "--config", "-fmodule-name",
    "-serialize-diagnostics", "--serialize-diagnostics"};
// clang-format on

/// Options that say nothing here: the sysroot has one kind of library and of program, and how code
/// is made is Fathom's decision.
// clang-format off
static constexpr std::array kIgnored = {
    "-static", "-static-pie", "-pie", "-no-pie", "-nopie", "-rdynamic", "-static-libgcc",
    "-shared-libgcc", "-static-libstdc++", "-fPIC", "-fpic", "-fPIE", "-fpie", "-fno-pic",
    "-fno-PIC", "-fno-pie", "-fno-PIE", "-fno-plt", "-fplt", "-flto", "-fno-lto",
    "-ffat-lto-objects", "-fno-fat-lto-objects", "-pipe", "-gsplit-dwarf", "-g0",
    "-fuse-linker-plugin", "-fno-use-linker-plugin", "-fwhole-program", "-m64", "--coverage",
    "-fprofile-arcs", "-ftest-coverage", "-pg", "-p", "-fembed-bitcode", "-fno-integrated-as",
    "-fkeep-inline-functions"};
// clang-format on
// clang-format off
static constexpr std::array kIgnoredPrefixes = {
    "-flto=", "-fuse-ld=", "-rtlib=", "--rtlib=", "-stdlib=", "-unwindlib=", "-fprofile-use",
    "-fprofile-generate", "-fauto-profile", "-fprofile-instr", "-fcs-profile", "-flto-",
    "-fembed-bitcode=", "-fprofile-dir"};
// clang-format on

template <size_t N> static bool contains(const std::array<const char *, N> &list, const string &s) {
  return std::find(list.begin(), list.end(), s) != list.end();
}

static bool endsWithOneOf(const string &path, std::initializer_list<const char *> suffixes) {
  return std::any_of(suffixes.begin(), suffixes.end(),
                     [&](const char *suffix) { return path.ends_with(suffix); });
}

static bool isSource(const string &path, const string &language) {
  if (!language.empty() && language != "none") return true;
  return endsWithOneOf(path, {".c", ".i", ".s", ".S", ".sx", ".h", ".ll", ".bc"}) ||
         endsWithOneOf(path, {".cc", ".cpp", ".cxx", ".C", ".c++", ".cp", ".ii", ".m", ".mm"});
}

static bool isCxx(const string &path, const string &language) {
  if (!language.empty() && language != "none") return language.starts_with("c++");
  return endsWithOneOf(path, {".cc", ".cpp", ".cxx", ".C", ".c++", ".cp", ".ii"});
}

namespace {

class Parser {
public:
  explicit Parser(const std::vector<string> &raw) : raw_(raw) {}

  Arguments parse() {
    while (next_ < raw_.size()) {
      const string &argument = raw_[next_++];
      if (argument.size() < 2 || argument[0] != '-')
        input(argument);
      else if (!stageOption(argument) && !driverOption(argument) && !linkOption(argument))
        compileOption(argument);
    }
    if (args_.stage == Arguments::Stage::Link && args_.sources.empty() && args_.link.empty())
      args_.stage = Arguments::Stage::Query; // clang knows what to say: -v, or no input files
    checkSupported();
    return std::move(args_);
  }

private:
  string value(const string &option) {
    if (next_ < raw_.size()) return raw_[next_++];
    args_.error = "argument to '" + option + "' is missing";
    return "";
  }

  void input(const string &path) {
    if (path != "-" && !isSource(path, language_)) {
      args_.link.push_back({path});
      return;
    }
    if (isCxx(path, language_)) args_.cxx = true;
    args_.link.push_back({path, static_cast<int>(args_.sources.size())});
    args_.sources.push_back({path, language_});
  }

  /// -E outranks -S outranks -c, as in every compiler.
  void stopAt(Arguments::Stage stage) { args_.stage = std::min(args_.stage, stage); }

  bool stageOption(const string &a) {
    using Stage = Arguments::Stage;
    if (a == "-c") return stopAt(Stage::Object), true;
    if (a == "-S" || a == "-fsyntax-only")
      stopAt(Stage::Assembly);
    else if (a == "-E" || a == "-M" || a == "-MM")
      stopAt(Stage::Preprocess);
    else if (a == "--version" || a == "--help" || a == "-dumpversion" || a == "-dumpmachine" ||
             a == "-dumpspecs" || a.starts_with("-print-") || a.starts_with("--print-") ||
             a.starts_with("--help="))
      stopAt(Stage::Query);
    else
      return false;
    args_.compile.push_back(a);
    return true;
  }

  /// What the driver itself has to know.
  bool driverOption(const string &a) {
    if (a == "-o")
      args_.output = value(a);
    else if (a.starts_with("-o") && !a.starts_with("-object"))
      args_.output = a.substr(2);
    else if (a == "--output")
      args_.output = value(a);
    else if (a.starts_with("--output="))
      args_.output = a.substr(9);
    else if (a == "-x")
      language_ = value(a);
    else if (a.starts_with("-x"))
      language_ = a.substr(2);
    else if (a == "--fathom-as-built")
      args_.asBuilt = true;
    else if (a == "--fathom-seal=libc")
      args_.libc = true;
    else if (a.starts_with("-O"))
      args_.optimization = a;
    else if (a == "-v" || a == "--verbose")
      args_.verbose = true;
    else if (a == "-###")
      args_.dryRun = true;
    else if (contains(kIgnored, a))
      return true;
    else if (std::any_of(kIgnoredPrefixes.begin(), kIgnoredPrefixes.end(),
                         [&](const char *prefix) { return a.starts_with(prefix); }))
      return true;
    else
      return false;
    return true;
  }

  bool linkOption(const string &a) {
    if (a == "-L")
      args_.libraryPaths.push_back(value(a));
    else if (a.starts_with("-L"))
      args_.libraryPaths.push_back(a.substr(2));
    else if (a == "-l")
      library(value(a));
    else if (a.starts_with("-l"))
      library(a.substr(2));
    else if (a.starts_with("-Wl,"))
      linkerList(string_view(a).substr(4));
    else if (a == "-Xlinker")
      linkerArgument(value(a));
    else if (a == "-T" || a == "-u" || a == "-e")
      args_.link.push_back({a}), args_.link.push_back({value(a)});
    else if (a == "-z")
      linkerArgument("-z"), linkerArgument(value(a));
    else if (a.starts_with("-u") && !a.starts_with("-undef"))
      args_.link.push_back({a});
    else if (a == "-rpath")
      value(a);
    else if (a == "-s")
      args_.strip = true;
    else if (a == "-r" || a == "--relocatable")
      args_.relocatable = true;
    else if (a == "-shared" || a == "--shared")
      args_.shared = true;
    else if (a == "-nostdlib" || a == "--no-standard-libraries")
      args_.noStartFiles = args_.noDefaultLibs = true;
    else if (a == "-nostartfiles")
      args_.noStartFiles = true;
    else if (a == "-nodefaultlibs" || a == "-nolibc")
      args_.noDefaultLibs = true;
    else
      return false;
    return true;
  }

  /// All of C++'s own libraries are one archive, which is linked behind everything else.
  void library(const string &name) {
    if (name == "stdc++" || name == "c++" || name == "c++abi" || name == "supc++" ||
        name == "stdc++fs" || name == "unwind")
      args_.cxxLibrary = true;
    else if (name != "gcc_s" && name != "gcc_eh")
      args_.link.push_back({"-l" + name});
  }

  void linkerList(string_view list) {
    while (true) {
      size_t comma = list.find(',');
      linkerArgument(string(list.substr(0, comma)));
      if (comma == string_view::npos) return;
      list.remove_prefix(comma + 1);
    }
  }

  /// One argument for the linker itself. What only makes sense for dynamic programs is dropped.
  void linkerArgument(const string &a) {
    if (dropNextLinkerArgument_) {
      dropNextLinkerArgument_ = false;
      return;
    }
    string name = a.starts_with("--") ? a.substr(1) : a; // the linker takes -name and --name alike
    if (name == "-rpath" || name == "-R" || name == "-soname" || name == "-h" ||
        name == "-rpath-link" || name == "-dynamic-linker" || name == "-I" || name == "-plugin") {
      dropNextLinkerArgument_ = true;
      return;
    }
    for (const char *prefix : {"-rpath=", "-rpath-link=", "-soname=", "-dynamic-linker=",
                               "-plugin-opt", "-plugin=", "-build-id", "-hash-style"})
      if (name.starts_with(prefix)) return;
    if (name == "-Bdynamic" || name == "-Bstatic" || name == "-static" || name == "-dy" ||
        name == "-dn" || name == "-pie" || name == "-no-pie" || name == "-export-dynamic" ||
        name == "-E" || name == "-Bsymbolic" || name == "-Bsymbolic-functions" ||
        name == "-no-dynamic-linker")
      return;
    if (name == "-shared") {
      args_.shared = true;
      return;
    }
    if (name == "-r" || name == "-relocatable") {
      args_.relocatable = true;
      return;
    }
    if (name == "-s" || name == "-strip-all") {
      args_.strip = true;
      return;
    }
    if (name == "muldefs" || name == "-allow-multiple-definition") args_.duplicatesAllowed = true;
    if (name.starts_with("-wrap="))
      args_.wrapped.push_back(name.substr(6));
    else if (wrapNext_)
      args_.wrapped.push_back(a);
    wrapNext_ = name == "-wrap";
    args_.link.push_back({a});
  }

  void compileOption(const string &option) {
    string a = option;
    if (a.starts_with("-fsanitize=") && !(a = withoutFuzzer(a)).size()) return;
    args_.compile.push_back(a);
    if (a == "-MD" || a == "-MMD") args_.dependencies = true;
    if (a.starts_with("-MF")) args_.dependencyFile = true;
    if (a.starts_with("-MT") || a.starts_with("-MQ")) args_.dependencyTarget = true;
    if (a.starts_with("-Wp,") && a.find("-M") != string::npos) args_.dependencyFile = true;
    if (contains(kTakesValue, a)) args_.compile.push_back(value(a));
  }

  /// libFuzzer's main comes from the harness library whenever a program has none of its own.
  static string withoutFuzzer(const string &option) {
    string kept;
    size_t at = option.find('=') + 1;
    while (at <= option.size()) {
      size_t comma = std::min(option.find(',', at), option.size());
      string name = option.substr(at, comma - at);
      if (name != "fuzzer" && name != "fuzzer-no-link") kept += (kept.empty() ? "" : ",") + name;
      at = comma + 1;
    }
    return kept.empty() ? "" : "-fsanitize=" + kept;
  }

  /// Requests that would otherwise fail later, or quietly give something else.
  void checkSupported() {
    bool traps = false;
    // The minimal runtime says which check failed and goes on or aborts; a trap tells the engine
    // the same, and needs no runtime.
    std::replace(args_.compile.begin(), args_.compile.end(), string("-fsanitize-minimal-runtime"),
                 string("-fsanitize-trap=all"));
    for (const string &a : args_.compile)
      if (a.starts_with("-fsanitize-trap") || a == "-fsanitize-undefined-trap-on-error")
        traps = true;
    for (const string &a : args_.compile) {
      if (a == "-m32" || a == "-mx32" || a == "-m16")
        args_.error = "only 64-bit x86 programs are supported (" + a + ")";
      if (a.starts_with("-fsanitize=") && !traps)
        args_.error = "no sanitizer runtime for the static sysroot (" + a +
                      "); -fsanitize=undefined -fsanitize-trap=all works";
    }
  }

  const std::vector<string> &raw_;
  size_t next_ = 0;
  string language_;
  bool dropNextLinkerArgument_ = false, wrapNext_ = false;
  Arguments args_;
};

} // namespace

Arguments parseArguments(const std::vector<string> &raw) { return Parser(raw).parse(); }

} // namespace fathom::cc
