// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/doctor/Doctor.h"

#include "expr/ExprContext.h"
#include "native/Process.h"
#include "program/Decode.h"
#include "program/Load.h"
#include "run/InputFiles.h"
#include "run/Installation.h"
#include "solver/Chain.h"

#include "llvm/IR/Instructions.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <unistd.h>

namespace fathom::run {

namespace {

class Doctor {
public:
  explicit Doctor(const Installation &here) : here_(here) {}

  void checkInstallation() {
    checkTool("clang-19", "apt install clang-19");
    checkTool("ld.lld-19", "apt install lld-19");
    checkFile("fathom-cc", here_.fathomCc, here_.bin + "/fathom-cc", here_.remedy);
    checkFile("the environment model", here_.runtimeBitcode, here_.build + "/lib/fathom/runtime.bc",
              here_.remedy);
    for (const char *name : {"trace.o", "fuzz.o", "fuzz-address.o", "fuzz-undefined.o", "compare.o",
                             "afl-stages.so"}) {
      std::string file = here_.build + "/lib/fathom/" + name;
      checkFile("the native runtime " + std::string(name),
                access(file.c_str(), R_OK) == 0 ? file : "", file, here_.remedy);
    }
    for (const char *name : {"crt1.o", "libc.a", "libfathom-native.a"}) {
      std::string file = here_.sysroot + "/lib/" + name;
      checkFile("the sysroot's " + std::string(name), access(file.c_str(), R_OK) == 0 ? file : "",
                file, here_.remedy);
    }
    checkAfl();
    checkChildren();
    checkSolver();
    checkMemory();
  }

  void checkProgram(const std::vector<std::string> &inputs) {
    program::LoadOptions load;
    load.fathomCc = here_.fathomCc;
    load.runtimeBitcode = here_.runtimeBitcode;
    llvm::LLVMContext context;
    llvm::Expected<std::unique_ptr<llvm::Module>> module =
        program::loadProgram(context, inputs, load);
    if (!module)
      return unusable(llvm::toString(module.takeError()),
                      "build it with CC=fathom-cc, or name its .bc");
    add(DoctorFinding::Fine, fmt::format("{}: bitcode found and readable", inputs[0]), "");
    describe(**module);
    const std::string linkedWith = program::sysrootOf(**module);
    if (!linkedWith.empty() && !here_.sysrootVersion.empty() && linkedWith != here_.sysrootVersion)
      add(DoctorFinding::Problem,
          fmt::format("{}: linked with another version of the sysroot ({}) than the one here ({})",
                      inputs[0], linkedWith, here_.sysrootVersion),
          "link it again with fathom-cc");
    if (llvm::Error e = program::prepareModule(**module, load))
      return unusable(llvm::toString(std::move(e)),
                      "this bitcode cannot be analysed; build it again with fathom-cc");
    llvm::Expected<program::Program> code = program::decode(**module);
    if (!code) return unusable(llvm::toString(code.takeError()), "this bitcode cannot be analysed");
    describe(*code);
  }

  Examination take() { return std::move(out_); }

private:
  void unusable(const std::string &what, const std::string &advice) {
    out_.whyUnusable = what;
    add(DoctorFinding::Problem, what, advice);
  }

  void add(DoctorFinding::Grade grade, std::string what, std::string advice) {
    out_.findings.push_back({grade, std::move(what), std::move(advice)});
  }

  void checkTool(const std::string &name, const std::string &advice) {
    std::string path = native::findProgram(name);
    if (path.empty()) return add(DoctorFinding::Problem, name + " is not installed", advice);
    native::Command version;
    version.program = path;
    version.arguments = {name, "--version"};
    version.captureOutput = true;
    version.inheritEnvironment = true;
    version.limits.wall = std::chrono::seconds(20);
    native::Outcome o = native::run(version);
    if (!o.ok())
      return add(DoctorFinding::Problem,
                 fmt::format("{} does not run: {}", path, native::describe(o)), advice);
    add(DoctorFinding::Fine, fmt::format("{}: {}", path, o.output.substr(0, o.output.find('\n'))),
        "");
  }

  /// Only campaigns need it. afl-fuzz says its version when it is asked for help, and exits with 1.
  void checkAfl() {
    std::string path = native::findProgram("afl-fuzz");
    if (path.empty())
      return add(DoctorFinding::Remark, "afl-fuzz is not installed: fathom fuzz has no fuzzer",
                 "apt install afl++");
    native::Command help;
    help.program = path;
    help.arguments = {"afl-fuzz", "-h"};
    help.environment = {"AFL_NO_COLOR=1"};
    help.captureOutput = true;
    help.limits.wall = std::chrono::seconds(20);
    native::Outcome o = native::run(help);
    // "afl-fuzz++4.04c", in colours.
    const size_t at = o.output.find("afl-fuzz++");
    if (at == std::string::npos)
      return add(DoctorFinding::Problem,
                 fmt::format("{} does not run: {}", path, native::describe(o)),
                 "apt install --reinstall afl++");
    // What the fork server was tried with; stages are found in the memory of this program.
    const std::string version = o.output.substr(
        at, o.output.find_first_not_of("0123456789.abcdefghijklmnopqrstuvwxyz+-", at) - at);
    const bool isKnown = version == "afl-fuzz++4.04c";
    add(isKnown ? DoctorFinding::Fine : DoctorFinding::Remark, fmt::format("{}: {}", path, version),
        isKnown ? "" : "Fathom is tested with version 4.04c");
  }

  void checkFile(const std::string &what, const std::string &found, const std::string &expected,
                 const std::string &advice) {
    if (found.empty())
      add(DoctorFinding::Problem, fmt::format("{} is missing: {}", what, expected), advice);
    else
      add(DoctorFinding::Fine, fmt::format("{}: {}", what, found), "");
  }

  void checkChildren() {
    native::Command command;
    command.program = "/bin/sh";
    command.arguments = {"sh", "-c", "echo fine; kill -SEGV $$"};
    command.captureOutput = true;
    command.limits.wall = std::chrono::seconds(10);
    command.limits.memoryBytes = uint64_t(1) << 30;
    native::Outcome o = native::run(command);
    bool fine = o.kind == native::Outcome::Kind::Signalled && o.output == "fine\n";
    if (fine)
      add(DoctorFinding::Fine, "child processes run under limits and report how they end", "");
    else
      add(DoctorFinding::Problem,
          fmt::format("child processes do not work: {}", native::describe(o)),
          "check limits (ulimit -a) and the container's permissions");
  }

  void checkSolver() {
    expr::ExprContext context;
    solver::SolverOptions options;
    // Straight to the SMT solver: x * 3 == 21 over 8 bits.
    options.useStages({"witness", "ranges", "slicing", "cache"}, false);
    std::unique_ptr<solver::FeasibilityOracle> oracle = solver::makeChain(context, options);
    expr::ExprPtr x = context.read(context.symbol("x", 1), uint64_t(0));
    solver::PathCondition path;
    solver::Query query{
        .path = path,
        .goal = context.eq(context.mul(x, context.constant(3, 8)), context.constant(21, 8))};
    solver::Answer answer = oracle->check(query);
    if (answer.kind == solver::AnswerKind::Sat)
      add(DoctorFinding::Fine, "the SMT solver answers", "");
    else
      add(DoctorFinding::Problem,
          fmt::format("the SMT solver does not answer a small query ({})", answer.reason),
          "apt install --reinstall libz3-4");
  }

  void checkMemory() {
    uint64_t available = static_cast<uint64_t>(sysconf(_SC_AVPHYS_PAGES)) *
                         static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    if (available < (uint64_t(1) << 30))
      add(DoctorFinding::Remark, fmt::format("only {} MB of memory are free", available >> 20),
          "close other programs, or limit runs with --max-memory");
  }

  /// What the module is, before the runtime's functions blur it.
  void describe(const llvm::Module &module) {
    auto isDefined = [&](const char *name) {
      const llvm::Function *f = module.getFunction(name);
      return f && !f->isDeclaration();
    };
    bool libc = isDefined("__libc_start_main");
    const llvm::Function *symbolic = module.getFunction("__fathom_make_symbolic");
    bool harness =
        symbolic &&
        std::any_of(symbolic->user_begin(), symbolic->user_end(), [](const llvm::User *user) {
          auto *call = llvm::dyn_cast<llvm::Instruction>(user);
          return call && !call->getFunction()->hasFnAttribute("fathom-runtime");
        });
    std::string kind =
        isDefined("LLVMFuzzerTestOneInput") ? "a libFuzzer harness: its input is symbolic by itself"
        : harness
            ? "a harness: it makes its own input symbolic"
            : "a program with main: give it symbolic input (--sym-args, --sym-stdin, --sym-files)";
    add(DoctorFinding::Fine, kind, "");
    if (!libc)
      add(DoctorFinding::Remark,
          "libc's start-up code is not in the bitcode: main is called directly, and libc's "
          "functions are external",
          "link the program with fathom-cc instead of naming bitcode from another compiler");
    if (const llvm::NamedMDNode *missing = module.getNamedMetadata("fathom.missing");
        missing && missing->getNumOperands())
      add(DoctorFinding::Remark,
          fmt::format("{} functions of the native program have no bitcode (assembly, or objects of "
                      "another compiler)",
                      missing->getNumOperands()),
          "a path that reaches one of them ends there; compile everything with fathom-cc");
  }

  void describe(const program::Program &code) {
    size_t own = static_cast<size_t>(
        std::count_if(code.functions.begin(), code.functions.end(), [](auto &f) { return f.own; }));
    if (own == 0)
      add(DoctorFinding::Problem, "the bitcode has no functions of the program's own",
          "was it built with fathom-cc?");
    else
      add(DoctorFinding::Fine,
          fmt::format("{} functions and {} branches of its own, {} functions in all", own,
                      code.ownBranches, code.functions.size()),
          "");
    std::string names;
    size_t count = 0;
    // Operations of the engine, as fathom/abi.h lists them.
    static const std::set<std::string> kOperations = {
        "malloc",          "calloc",        "realloc",        "free",
        "aligned_alloc",   "memalign",      "posix_memalign", "malloc_usable_size",
        "__libc_malloc",   "__libc_calloc", "__libc_realloc", "__libc_free",
        "__libc_memalign", "setjmp",        "_setjmp",        "sigsetjmp",
        "__sigsetjmp",     "longjmp",       "_longjmp",       "siglongjmp"};
    for (const program::External &e : code.externals) {
      if (e.name.rfind("__fathom_", 0) == 0 || kOperations.count(e.name)) continue;
      ++count;
      if (count <= 12) names += (names.empty() ? "" : ", ") + e.name;
    }
    if (count)
      add(DoctorFinding::Remark,
          fmt::format("{} functions have no body: {}{}", count, names, count > 12 ? ", ..." : ""),
          "a path that calls one of them ends there; compile everything with fathom-cc");
  }

  const Installation &here_;
  Examination out_;
};

} // namespace

bool Examination::isFine() const {
  return std::none_of(findings.begin(), findings.end(),
                      [](const DoctorFinding &f) { return f.grade == DoctorFinding::Problem; });
}

llvm::Expected<Examination> examine(const std::vector<std::string> &programs) {
  if (llvm::Error e = requireRegularPrograms(programs)) return std::move(e);
  Doctor doctor(Installation::get());
  doctor.checkInstallation();
  if (!programs.empty()) doctor.checkProgram(programs);
  return doctor.take();
}

} // namespace fathom::run
