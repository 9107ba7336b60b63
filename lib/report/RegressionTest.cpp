// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form ctest is shell and CMake alone: test.sh can be run by hand and by any build system
// (status 0 passes), and CMakeLists.txt finds the folders beside it, so that one more is added by
// copying it.
#include "report/RegressionTest.h"

#include "evidence/BugKind.h"
#include "report/KTest.h"
#include "report/ReplayScript.h"
#include "report/ShownPath.h"
#include "report/Tests.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::report {

std::string whyNotNative(const StoredTest &test, const std::string &entry) {
  if (!entry.empty())
    return fmt::format("were found with --entry {}, but a native run starts at main", entry);
  return test.inputs.failedAllocations.empty() ? ""
                                               : "need an allocation that fails, which an input "
                                                 "alone does not decide";
}

std::string whyAmbiguous(const RegressionCase &test, bool isShell) {
  if (!test.status || test.fuzzed) return "";
  // 126 and 127: it could not be run; from 129 on: signals, which are 1 to 64.
  const bool isOfShell = *test.status >= 126 && *test.status <= 192 && *test.status != 128;
  if (isShell ? !isOfShell : *test.status != 127) return "";
  return isShell && *test.status > 127
             ? "end with a status that says in a shell that a signal ended the program"
             : "end with a status that says that the program could not be run";
}

int sanitizerStatus(const RegressionCase &test) {
  constexpr int kUsually = 99;
  return test.status == kUsually ? kUsually - 1 : kUsually;
}

/// Letters, digits and single dashes.
static std::string plainName(const std::string &text) {
  std::string out;
  for (const char c : text)
    if (llvm::isAlnum(c) || c == '_')
      out += c;
    else if (!out.empty() && out.back() != '-')
      out += '-';
  constexpr size_t kMost = 60;
  return out.substr(0, kMost);
}

/// Objects that main's arguments, standard input and files do not explain: the program makes them.
static bool makesObjects(const StoredTest &test) {
  const auto isOfMain = [&](const std::string &name) {
    const auto isFile = [&](const auto &file) {
      return name == file.first + "-data" || name == file.first;
    };
    return name == "n_args" || name == "stdin" || name == "model_version" ||
           llvm::StringRef(name).starts_with("arg") || llvm::StringRef(name).starts_with("has_") ||
           std::ranges::any_of(test.inputs.files, isFile);
  };
  return !std::ranges::all_of(test.symbols,
                              [&](const explore::SymbolValue &s) { return isOfMain(s.name); });
}

static std::string oneLine(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return utf8(text);
}

std::string regressionName(const Finding &bug) {
  const evidence::StackFrame *at = locationOf(bug.stack);
  // Reproducers of confirm have no identity.
  const std::string id = bug.identity.id.empty() ? fingerprint(bug) : bug.identity.id;
  return plainName(
             fmt::format("{}-in-{}-", evidence::name(bug.kind), at ? at->function : "program")) +
         std::string(shownId(id));
}

/// Without folders of this machine.
static std::string fileText(const std::string &file) {
  const std::string shown = shownPath(file);
  return llvm::sys::path::is_absolute(shown) ? llvm::sys::path::filename(shown).str() : shown;
}

static void describeBug(const Finding &bug, RegressionCase &out) {
  const evidence::BugKindRow &row = evidence::rowOf(bug.kind);
  const evidence::StackFrame *at = locationOf(bug.stack);
  out.name = regressionName(bug);
  out.what =
      oneLine(at && at->line ? fmt::format("{} at {}:{} in {}: {}", row.name, fileText(at->file),
                                           at->line, at->function, bug.message)
                             : fmt::format("{}: {}", row.name, bug.message));
  out.hangs = evidence::doesNotEnd(bug.kind);
  out.leaks = bug.kind == evidence::BugKind::Leak;
  if (row.symptom == evidence::Symptom::Silent || row.mayContinueAfter)
    out.sanitizers = row.sanitizers;
}

llvm::Expected<RegressionCase> regressionCase(const StoredTest &test, const Finding *bug,
                                              uint64_t number) {
  RegressionCase out;
  out.inputs = test.inputs;
  if (bug) {
    describeBug(*bug, out);
  } else {
    out.name = fmt::format("test-{}", testName(number));
    out.what = oneLine(fmt::format("a test that was kept for {}", test.why));
    // Of memory that was never written, a native run may find other values.
    if (test.end == explore::EndKind::Exit && test.status >= 0 && !test.usesUninit)
      out.status = test.status;
  }
  for (const explore::SymbolValue &symbol : test.symbols) {
    if (symbol.name == "fuzz_data") out.fuzzed.emplace(symbol.data.begin(), symbol.data.end());
    if (symbol.name == "fuzz_size" && !out.fuzzed) out.fuzzed.emplace(); // of no bytes
  }
  if (out.fuzzed || !makesObjects(test)) return out;
  llvm::Expected<std::string> ktest = ktestOf(test);
  if (!ktest) return ktest.takeError();
  out.ktest = std::move(*ktest);
  return out;
}

// ---- the form ctest

/// Where a build has to have sanitizers, for a comment.
static std::string buildText(const RegressionCase &test) {
  return test.sanitizers.empty() ? "Any build shows it."
                                 : fmt::format("A build with -fsanitize={} shows it for certain; "
                                               "another one may not.",
                                               test.sanitizers);
}

/// The command of the program, as words of a shell.
static std::string commandText(const RegressionCase &test) {
  std::string out = "env -i ${LD_LIBRARY_PATH+\"LD_LIBRARY_PATH=$LD_LIBRARY_PATH\"}";
  const std::string common = fmt::format("exitcode={}:abort_on_error=0", sanitizerStatus(test));
  const auto add = [&](const char *tool, const std::string &options) {
    out +=
        fmt::format(" \\\n    \"{0}_OPTIONS=${{{0}_OPTIONS:+${0}_OPTIONS:}}{1}\"", tool, options);
  };
  add("ASAN", common + (test.leaks ? ":detect_leaks=1" : ":detect_leaks=0"));
  add("UBSAN", common + ":halt_on_error=1:print_stacktrace=1");
  add("MSAN", common);
  add("TSAN", common);
  out += " \\\n   ";
  if (!test.ktest.empty()) out += " FATHOM_REPLAY_KTEST=\"$here/test.ktest\"";
  for (const std::string &variable : test.inputs.environment) out += " " + shellQuote(variable);
  out += " \"$program\"";
  if (test.fuzzed) return out + " \"$here/input\" </dev/null";
  for (size_t i = 1; i < test.inputs.arguments.size(); ++i)
    out += " " + shellQuote(test.inputs.arguments[i]);
  return out + " <\"$here/stdin\"";
}

/// Says how the run ended, and passes or fails.
static std::string judgementText(const RegressionCase &test) {
  std::optional<int> wanted = test.status;
  if (test.fuzzed) wanted = 0; // whatever calls a fuzz target on a file ends so
  std::string out;
  if (wanted)
    out += fmt::format("if [ $status -eq {} ]; then\n"
                       "  echo \"test.sh: passes: exit status $status\"; exit 0\n"
                       "fi\n",
                       *wanted);
  out += "case $status in\n"
         "126 | 127) echo \"test.sh: $program could not be run\"; exit 2 ;;\n";
  out += fmt::format("{}) echo \"test.sh: fails: a sanitizer reports an error\"; exit 1 ;;\n",
                     sanitizerStatus(test));
  if (test.hangs)
    out +=
        fmt::format("124) echo \"test.sh: fails: no end within {} s\"; exit 1 ;;\n", kHangSeconds);
  out += "esac\n";
  // Signals are 1 to 64.
  out += "if [ $status -gt 128 ] && [ $status -le 192 ]; then\n"
         "  echo \"test.sh: fails: ended by signal $((status - 128))\"; exit 1\n"
         "fi\n";
  if (!wanted) return out + "echo \"test.sh: passes: exit status $status\"\n";
  return out +
         fmt::format("echo \"test.sh: fails: exit status $status, and not {}\"; exit 1\n", *wanted);
}

static std::string testScript(const RegressionCase &test) {
  std::string out = "#!/bin/sh\n# " + test.what + "\n";
  out += "# usage: test.sh PROGRAM    (0: passes, 1: fails, 2: could not be run)\n";
  out += "# " + buildText(test) + "\n";
  if (test.fuzzed) out += "# PROGRAM calls LLVMFuzzerTestOneInput on each file that it is given.\n";
  if (!test.ktest.empty())
    out += "# PROGRAM is linked by fathom-cc: it takes its symbolic objects from test.ktest.\n";
  out += "program=${1:?the program to test is wanted}\n"
         "case $program in /*) ;; *) program=$PWD/$program ;; esac\n"
         "here=$(cd \"$(dirname \"$0\")\" && pwd) || exit 2\n"
         "work=$(mktemp -d) || exit 2\n"
         "trap 'rm -rf \"$work\"' EXIT\n";
  if (!test.inputs.files.empty()) out += "cp \"$here\"/files/* \"$work\" || exit 2\n";
  const std::string limit = test.hangs ? fmt::format("timeout -k 1 {} ", kHangSeconds) : "";
  out += "( cd \"$work\" && exec " + limit + commandText(test) + " )\nstatus=$?\n";
  return out + judgementText(test);
}

llvm::Error writeRegressionFolder(const Directory &into, const RegressionCase &test) {
  if (auto e = into.write("test.sh", testScript(test), /*executable=*/true)) return e;
  if (!test.ktest.empty())
    if (auto e = into.write("test.ktest", test.ktest)) return e;
  if (test.fuzzed) return into.write("input", *test.fuzzed);
  if (auto e = into.write("stdin", test.inputs.standardInput)) return e;
  if (test.inputs.files.empty()) return llvm::Error::success();
  llvm::Expected<Directory> files = into.create("files");
  if (!files) return files.takeError();
  for (const auto &[name, data] : test.inputs.files)
    if (auto e = files->write(name, data)) return e;
  return llvm::Error::success();
}

std::string regressionLists(const std::string &program) {
  std::string plain = program;
  std::erase_if(plain, [](char c) { return c == '"' || c == '\\' || c == '$' || c == '\n'; });
  return std::string(kRegressionHead) + R"(
# In the CMakeLists.txt of the project, behind enable_testing() and the target:
#
#   set(FATHOM_PROGRAM parser)          # a target, or the file of a program
#   add_subdirectory(tests/fathom)      # or include(tests/fathom/CMakeLists.txt)
#
# Each folder beside this file is one test. Tests have the label "fathom": ctest -L fathom.
if(NOT FATHOM_PROGRAM)
  set(FATHOM_PROGRAM ")" +
         plain + R"(")
endif()
if(TARGET "${FATHOM_PROGRAM}")
  set(fathom_program "$<TARGET_FILE:${FATHOM_PROGRAM}>")
elseif(IS_ABSOLUTE "${FATHOM_PROGRAM}")
  set(fathom_program "${FATHOM_PROGRAM}")
else()
  message(FATAL_ERROR "FATHOM_PROGRAM: no target ${FATHOM_PROGRAM} yet; expected a target, or the absolute name of a program")
endif()
file(GLOB fathom_tests CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_LIST_DIR}" "${CMAKE_CURRENT_LIST_DIR}/*/test.sh")
foreach(fathom_test IN LISTS fathom_tests)
  get_filename_component(fathom_name "${fathom_test}" DIRECTORY)
  add_test(NAME "fathom.${fathom_name}" COMMAND sh "${CMAKE_CURRENT_LIST_DIR}/${fathom_test}" "${fathom_program}")
  set_tests_properties("fathom.${fathom_name}" PROPERTIES LABELS fathom TIMEOUT 60)
endforeach()
)";
}

} // namespace fathom::report
