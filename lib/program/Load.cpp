// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finding and reading the program the user named. Every error is one line: what is wrong with which
// file, and what would be right.
#include "program/Load.h"

#include "program/DatabaseObjects.h"
#include "program/LinkRuntime.h"
#include "program/Prepare.h"
#include "program/SourceLines.h"

#include "support/TextError.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Object/BuildID.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace fathom::program {
namespace {

constexpr StringLiteral kTriple = "x86_64-pc-linux-gnu";
constexpr StringLiteral kDataLayout =
    "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";

bool isSource(StringRef path) {
  StringRef ext = sys::path::extension(path);
  return ext == ".c" || ext == ".i" || ext == ".cc" || ext == ".cpp" || ext == ".cxx" ||
         ext == ".C" || ext == ".c++";
}

bool isCxx(StringRef path) {
  StringRef ext = sys::path::extension(path);
  return isSource(path) && ext != ".c" && ext != ".i";
}

enum class Kind { Executable, Bitcode, Text, Source };

/// What a file is, by its contents where they tell.
Expected<Kind> classify(const std::string &path) {
  sys::fs::file_status status;
  if (std::error_code ec = sys::fs::status(path, status))
    return textError(
        "'" + path + "': " +
        (ec == std::errc::no_such_file_or_directory ? std::string("no such file") : ec.message()));
  if (sys::fs::is_directory(status))
    return textError("'" + path +
                     "' is a directory, expected an executable, a .bc or .ll file, or C files");
  file_magic magic;
  if (std::error_code ec = identify_magic(path, magic))
    return textError("'" + path + "': " + ec.message());
  if (magic == file_magic::bitcode) return Kind::Bitcode;
  if (magic == file_magic::elf_executable || magic == file_magic::elf_shared_object)
    return Kind::Executable;
  if (magic.is_object() || magic == file_magic::archive)
    return textError("'" + path +
                     "' is an object file or library, expected a program linked by fathom-cc "
                     "(fathom-cc -o PROGRAM " +
                     path + ")");
  if (sys::path::extension(path) == ".ll") return Kind::Text;
  if (isSource(path)) return Kind::Source;
  if (sys::path::extension(path) == ".bc") return textError("'" + path + "' is not LLVM bitcode");
  return textError(
      "'" + path +
      "' is neither an executable, nor LLVM bitcode (.bc), nor LLVM assembly (.ll), nor a "
      "C file (.c)");
}

/// A folder that is removed with everything in it.
class TemporaryFolder {
public:
  Error create() {
    if (std::error_code ec = sys::fs::createUniqueDirectory("fathom", path_))
      return textError("temporary folder: " + ec.message());
    return Error::success();
  }
  ~TemporaryFolder() {
    if (!path_.empty()) (void)sys::fs::remove_directories(path_);
  }
  std::string file(StringRef name) const { return (path_ + "/" + name).str(); }

private:
  SmallString<128> path_;
};

/// Compiles C files with fathom-cc; the result is the bitcode's path in `folder`.
Expected<std::string> compile(const std::vector<std::string> &inputs, const LoadOptions &options,
                              TemporaryFolder &folder) {
  if (options.fathomCc.empty() || !sys::fs::can_execute(options.fathomCc))
    return textError("'" + inputs.front() + "': C files need fathom-cc, which is not at '" +
                     options.fathomCc + "'");
  std::string compiler = options.fathomCc;
  if (llvm::any_of(inputs, isCxx)) {
    SmallString<128> cxx(sys::path::parent_path(compiler));
    sys::path::append(cxx, "fathom-c++");
    compiler = std::string(cxx);
    if (!sys::fs::can_execute(compiler))
      return textError("'" + inputs.front() + "': C++ files need fathom-c++, which is not at '" +
                       compiler + "'");
  }
  if (Error e = folder.create()) return std::move(e);
  const std::string program = folder.file(sys::path::stem(inputs.front())),
                    log = folder.file("compiler.log");
  auto run = [&](bool hasHarness) -> std::string {
    std::vector<StringRef> args{compiler, "-g", "-o", program};
    args.insert(args.end(), inputs.begin(), inputs.end());
    if (options.allowUndefined) args.push_back("-Wl,--unresolved-symbols=ignore-all");
    // A library may be started at a function of its own: what the harness's main calls is not
    // needed.
    if (!hasHarness) args.push_back("-Wl,--defsym=LLVMFuzzerTestOneInput=0");
    std::string failure;
    int status =
        sys::ExecuteAndWait(compiler, args, std::nullopt,
                            {StringRef(""), StringRef(log), StringRef(log)}, 0, 0, &failure);
    if (status == 0) return "";
    return failure.empty() ? firstErrorOf(log) : failure;
  };
  std::string why = run(/*hasHarness=*/options.entry.empty());
  const bool lacksMain = StringRef(why).contains("no function main");
  if (lacksMain && options.mayBeLibrary) why = run(/*hasHarness=*/false);
  if (!why.empty()) {
    if (lacksMain && !options.mayBeLibrary)
      return textError("'" + inputs.front() +
                       "' has no function main (use --entry FUNCTION to start elsewhere)");
    return textError("'" + inputs.front() + "' does not compile: " + why);
  }
  std::string bitcode = program + ".bc";
  if (!sys::fs::exists(bitcode))
    return textError("'" + compiler + "' left no bitcode '" + bitcode + "'");
  return bitcode;
}

/// libtool leaves a script beside the program that it made in .libs.
std::string behindLibtool(const std::string &path) {
  auto buffer = MemoryBuffer::getFileSlice(path, 4096, 0);
  if (!buffer || !(*buffer)->getBuffer().starts_with("#!") ||
      !(*buffer)->getBuffer().contains("Generated by libtool"))
    return path;
  SmallString<128> folder(sys::path::parent_path(path));
  for (const char *prefix : {"", "lt-"}) {
    SmallString<128> program(folder);
    sys::path::append(program, ".libs", prefix + sys::path::filename(path));
    if (sys::fs::exists(program)) return std::string(program);
  }
  return path;
}

/// The linker's note in an executable, in hexadecimal; empty: it has none.
std::string buildIdOf(const std::string &path) {
  auto file = object::ObjectFile::createObjectFile(path);
  if (!file) {
    consumeError(file.takeError());
    return "";
  }
  return toHex(object::getBuildID(file->getBinary()), /*LowerCase=*/true);
}

/// Is the bitcode that of the executable beside it? Bitcode of another build would be explored in
/// its place.
Error checkBuild(const Module &module, const std::string &bitcode, const std::string &program) {
  const NamedMDNode *named = module.getNamedMetadata("fathom.build");
  if (!named || named->getNumOperands() == 0 || named->getOperand(0)->getNumOperands() == 0)
    return Error::success(); // of an earlier fathom-cc
  auto *wanted = dyn_cast<MDString>(named->getOperand(0)->getOperand(0));
  if (!wanted || wanted->getString() == buildIdOf(program)) return Error::success();
  return textError("'" + bitcode + "' is not of the program '" + program +
                   "', which was linked at another time or by another compiler: link it with "
                   "fathom-cc, or name the .bc file alone");
}

/// The file to read for what the user named.
Expected<std::string> locate(const std::vector<std::string> &named, const LoadOptions &options,
                             TemporaryFolder &folder) {
  std::vector<std::string> inputs = named;
  for (std::string &input : inputs) input = behindLibtool(input);
  if (inputs.empty())
    return textError(
        "no program given: name an executable linked by fathom-cc, a .bc or .ll file, or C files");
  Kind first = Kind::Source;
  for (size_t i = 0; i < inputs.size(); ++i) {
    Expected<Kind> kind = classify(inputs[i]);
    if (!kind) return kind.takeError();
    if (i == 0) first = *kind;
    if (inputs.size() > 1 && *kind != Kind::Source)
      return textError("'" + inputs[i] + "': several files were given, which must all be C files");
  }
  switch (first) {
  case Kind::Source: return compile(inputs, options, folder);
  case Kind::Executable: {
    std::string bitcode = inputs.front() + ".bc";
    if (!sys::fs::exists(bitcode))
      return textError("'" + inputs.front() + "' has no bitcode beside it ('" + bitcode +
                       "'): link it with fathom-cc");
    return bitcode;
  }
  case Kind::Bitcode:
  case Kind::Text: break;
  }
  return inputs.front();
}

Expected<std::unique_ptr<Module>> read(LLVMContext &context, const std::string &path) {
  auto buffer = MemoryBuffer::getFile(path);
  if (!buffer) return textError("'" + path + "': " + buffer.getError().message());
  MemoryBufferRef ref = **buffer;
  if (!isBitcode(reinterpret_cast<const unsigned char *>(ref.getBufferStart()),
                 reinterpret_cast<const unsigned char *>(ref.getBufferEnd()))) {
    if (sys::path::extension(path) != ".ll") return textError("'" + path + "' is not LLVM bitcode");
    SMDiagnostic diagnostic;
    std::unique_ptr<Module> module = parseIR(ref, diagnostic, context);
    if (!module)
      return textError("'" + path + "' line " + Twine(diagnostic.getLineNo()) + ": " +
                       diagnostic.getMessage());
    return std::move(module);
  }
  Expected<std::string> producer = getBitcodeProducerString(ref);
  if (!producer) {
    consumeError(producer.takeError());
    return textError("'" + path + "' is not readable LLVM bitcode (truncated or damaged)");
  }
  const std::string wanted = "LLVM" + std::to_string(LLVM_VERSION_MAJOR) + ".";
  if (!StringRef(*producer).starts_with(wanted))
    return textError("'" + path + "' was written by " + *producer + ", expected LLVM " +
                     std::to_string(LLVM_VERSION_MAJOR) + " (compile it with fathom-cc)");
  Expected<std::unique_ptr<Module>> module = parseBitcodeFile(ref, context);
  if (!module) {
    return textError("'" + path + "' is not readable LLVM bitcode (truncated or damaged): " +
                     toString(module.takeError()));
  }
  return module;
}

Error checkTarget(Module &module, const std::string &path) {
  // LLVM assembly written by hand may leave both out.
  if (module.getTargetTriple().empty()) module.setTargetTriple(kTriple);
  if (module.getDataLayoutStr().empty()) module.setDataLayout(kDataLayout);
  Triple triple(module.getTargetTriple());
  if (triple.getArch() != Triple::x86_64 || !triple.isOSLinux() || triple.isX32())
    return textError("'" + path + "' is for target " + module.getTargetTriple() +
                     ", expected x86_64 Linux");
  const DataLayout &dl = module.getDataLayout();
  if (!dl.isLittleEndian() || dl.getPointerSizeInBits() != 64)
    return textError("'" + path + "' has data layout " + module.getDataLayoutStr() +
                     ", expected that of x86_64");
  return Error::success();
}

bool isDefined(const Module &module, StringRef name) {
  const GlobalValue *value = module.getNamedValue(name);
  return value && !value->isDeclaration() &&
         (isa<Function>(value) || isa<GlobalAlias>(value) || isa<GlobalIFunc>(value));
}

/// Names of functions that are close to what was asked for, the program's own first.
std::string nearNames(const Module &module, StringRef wanted) {
  std::vector<std::tuple<unsigned, bool, std::string>> near;
  const unsigned limit = std::max<unsigned>(2, static_cast<unsigned>(wanted.size()) / 3);
  for (const Function &f : module) {
    if (f.isDeclaration()) continue;
    unsigned distance = f.getName().edit_distance(wanted, /*AllowReplacements=*/true, limit);
    if (f.getName().contains_insensitive(wanted) && distance > limit) distance = limit;
    if (distance <= limit) near.push_back({distance, !isOwnFunction(f), f.getName().str()});
  }
  llvm::sort(near);
  std::string text;
  for (size_t i = 0; i < near.size() && i < 3; ++i)
    text += (i ? ", '" : "'") + std::get<2>(near[i]) + "'";
  return text;
}

/// Names of some of the program's own functions.
std::string someNames(const Module &module) {
  constexpr size_t kSome = 5;
  std::string text;
  size_t count = 0;
  for (const Function &f : module)
    if (!f.isDeclaration() && isOwnFunction(f) && f.getName() != "main" && ++count <= kSome)
      text += (text.empty() ? "'" : ", '") + f.getName().str() + "'";
  return text + (count > kSome ? ", ..." : "");
}

Error checkEntry(const Module &module, const std::string &path, const LoadOptions &options) {
  if (options.entry.empty()) {
    for (const char *name : {"main", "LLVMFuzzerTestOneInput"})
      if (isDefined(module, name)) return Error::success();
    if (options.mayBeLibrary) return Error::success();
    return textError("'" + path +
                     "' has no function main (use --entry FUNCTION to start elsewhere)");
  }
  if (isDefined(module, options.entry)) return Error::success();
  std::string near = nearNames(module, options.entry), some = someNames(module);
  if (!near.empty())
    near = ", did you mean " + near + "?";
  else if (!some.empty())
    near = "; it has " + some;
  return textError("'" + path + "' has no function '" + options.entry + "'" + near);
}

} // namespace

Expected<std::unique_ptr<Module>> loadProgram(LLVMContext &context,
                                              const std::vector<std::string> &inputs,
                                              const LoadOptions &options) {
  TemporaryFolder folder;
  Expected<std::string> path = locate(inputs, options, folder);
  if (!path) return path.takeError();
  Expected<std::unique_ptr<Module>> module = read(context, *path);
  if (!module) return module.takeError();
  if (inputs.size() == 1)
    if (std::string program = behindLibtool(inputs.front()); *path == program + ".bc")
      if (Error e = checkBuild(**module, *path, program)) return std::move(e);
  if (Error e = checkTarget(**module, *path)) return std::move(e);
  if (Error e = checkEntry(**module, *path, options)) return std::move(e);
  if (!options.runtimeBitcode.empty()) {
    Expected<std::unique_ptr<Module>> runtime = read(context, options.runtimeBitcode);
    if (!runtime) return runtime.takeError();
    if (Error e = linkRuntime(**module, std::move(*runtime))) return std::move(e);
  }
  return module;
}

std::string sysrootOf(const Module &module) {
  const NamedMDNode *named = module.getNamedMetadata("fathom.sysroot");
  if (!named || named->getNumOperands() == 0 || named->getOperand(0)->getNumOperands() == 0)
    return "";
  auto *text = dyn_cast<MDString>(named->getOperand(0)->getOperand(0));
  return text ? text->getString().str() : "";
}

Expected<BitcodeFile> findBitcode(const std::vector<std::string> &inputs,
                                  const LoadOptions &options) {
  auto folder = std::make_shared<TemporaryFolder>();
  Expected<std::string> path = locate(inputs, options, *folder);
  if (!path) return path.takeError();
  if (std::string program = inputs.size() == 1 ? behindLibtool(inputs.front()) : "";
      *path == program + ".bc") {
    auto buffer = MemoryBuffer::getFile(*path);
    if (!buffer) return textError("'" + *path + "': " + buffer.getError().message());
    LLVMContext context;
    // A reader of the whole module reports what cannot be read.
    auto module = getLazyBitcodeModule(**buffer, context, /*ShouldLazyLoadMetadata=*/true);
    if (!module)
      consumeError(module.takeError());
    else if (Error e = (*module)->materializeMetadata())
      consumeError(std::move(e));
    else if (Error e = checkBuild(**module, *path, program))
      return std::move(e);
  }
  if (sys::path::extension(*path) == ".ll") {
    LLVMContext context;
    Expected<std::unique_ptr<Module>> module = read(context, *path);
    if (!module) return module.takeError();
    if (Error e = folder->create()) return std::move(e);
    std::string bitcode = folder->file(sys::path::stem(*path)) + ".bc";
    std::error_code ec;
    raw_fd_ostream out(bitcode, ec);
    if (ec) return textError("'" + bitcode + "': " + ec.message());
    WriteBitcodeToFile(**module, out);
    path = bitcode;
  }
  return BitcodeFile{*path, std::move(folder)};
}

Error prepareModule(Module &module, const LoadOptions &options) {
  defineLinkerSymbols(module);
  if (options.exceptions == LoadOptions::Exceptions::Apart)
    separateExceptions(module);
  else
    lowerExceptions(module);
  lowerAssembly(module);
  if (options.promoteLocals) { // native variants have them as they are
    lowerFrames(module);
    lowerWideIntegers(module);
  }
  if (options.lowerIntrinsics) lowerIntrinsics(module);
  if (options.assembly != LoadOptions::Assembly::Inline)
    outlineAssembly(module, options.assembly == LoadOptions::Assembly::Defined);
  for (Function &f : module)
    if (isOwnFunction(f)) dropUnevaluated(f);
  if (options.promoteLocals) {
    addOverlapCheck(module);
    std::vector<Function *> functions; // promotion adds marker declarations to the module's list
    for (Function &f : module) functions.push_back(&f);
    for (Function *f : functions) {
      if (!isOwnFunction(*f)) {
        promoteLocals(*f);
        continue;
      }
      markScopes(*f);
      KeptLines lines(*f); // libc's lines are not counted
      promoteLocals(*f);
      lines.putBack();
    }
  }
  std::string why;
  raw_string_ostream os(why);
  bool brokenDebugInfo = false;
  if (verifyModule(module, &os, &brokenDebugInfo))
    return textError("'" + module.getModuleIdentifier() +
                     "': invalid LLVM IR: " + StringRef(why).split('\n').first);
  if (brokenDebugInfo) StripDebugInfo(module);
  return Error::success();
}

} // namespace fathom::program
