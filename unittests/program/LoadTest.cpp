// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finding and reading programs: each kind of input, and one clear line for each kind of bad one.
#include "Support.h"

#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Bitcode/LLVMBitCodes.h"
#include "llvm/Bitstream/BitstreamWriter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <filesystem>
#include <gtest/gtest.h>

using namespace fathom::program;
using namespace fathom::program::test;

namespace {

const char *const kMainSource =
    "define i32 @main() {\n  ret i32 0\n}\ndefine i32 @parse_line() {\n  ret i32 0\n}\n";

/// The error of loading these inputs, "" if it works. `path` in the text is replaced by PATH.
std::string loadError(const std::vector<std::string> &inputs, const LoadOptions &options = {}) {
  llvm::LLVMContext context;
  auto module = loadProgram(context, inputs, options);
  if (module) return "";
  std::string text = toString(module.takeError());
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  if (!inputs.empty())
    for (size_t at; (at = text.find(inputs.front())) != std::string::npos;)
      text.replace(at, inputs.front().size(), "PATH");
  return text;
}

std::string writeBitcode(const Scratch &scratch, const std::string &name,
                         const std::string &assembly, const std::string &triple = "") {
  llvm::LLVMContext context;
  auto module = parse(context, assembly);
  if (!triple.empty()) module->setTargetTriple(triple);
  std::error_code ec;
  llvm::raw_fd_ostream out(scratch.path(name), ec);
  llvm::WriteBitcodeToFile(*module, out);
  return scratch.path(name);
}

/// The smallest file that is recognised as an executable.
std::string writeExecutable(const Scratch &scratch, const std::string &name) {
  std::string elf(64, '\0');
  elf.replace(0, 7,
              std::string("\x7f"
                          "ELF\x02\x01\x01",
                          7));
  elf[16] = 2; // ET_EXEC
  elf[18] = 62;
  return scratch.write(name, elf);
}

TEST(Load, AssemblyAndBitcode) {
  Scratch scratch;
  EXPECT_EQ(loadError({scratch.write("a.ll", kMainSource)}), "");
  EXPECT_EQ(loadError({writeBitcode(scratch, "a.bc", kMainSource)}), "");
}

TEST(Load, ExecutableWithBitcodeBesideIt) {
  Scratch scratch;
  std::string path = writeExecutable(scratch, "tool");
  writeBitcode(scratch, "tool.bc", kMainSource);
  EXPECT_EQ(loadError({path}), "");
  auto bitcode = findBitcode({path}, {});
  ASSERT_TRUE(bool(bitcode));
  EXPECT_EQ(bitcode->path, path + ".bc");
}

TEST(Load, AssemblyWithoutTargetGetsOurs) {
  Scratch scratch;
  llvm::LLVMContext context;
  auto module = loadProgram(context, {scratch.write("a.ll", kMainSource)}, {});
  ASSERT_TRUE(bool(module));
  EXPECT_EQ((*module)->getTargetTriple(), "x86_64-pc-linux-gnu");
  EXPECT_EQ((*module)->getDataLayout().getTypeAllocSize(llvm::Type::getX86_FP80Ty(context)), 16u);
}

TEST(Load, NothingBad) {
  EXPECT_EQ(
      loadError({}),
      "no program given: name an executable linked by fathom-cc, a .bc or .ll file, or C files");
}

TEST(Load, NoSuchFileBad) { EXPECT_EQ(loadError({"/nonexistent/a.bc"}), "'PATH': no such file"); }

TEST(Load, DirectoryBad) {
  Scratch scratch;
  EXPECT_EQ(loadError({scratch.path("")}),
            "'PATH' is a directory, expected an executable, a .bc or .ll file, or C files");
}

TEST(Load, ExecutableWithoutBitcodeBad) {
  Scratch scratch;
  EXPECT_EQ(loadError({writeExecutable(scratch, "tool")}),
            "'PATH' has no bitcode beside it ('PATH.bc'): link it with fathom-cc");
}

TEST(Load, NotBitcodeBad) {
  Scratch scratch;
  EXPECT_EQ(loadError({scratch.write("a.bc", "not bitcode")}), "'PATH' is not LLVM bitcode");
  EXPECT_EQ(loadError({scratch.write("a.txt", "hello")}),
            "'PATH' is neither an executable, nor LLVM bitcode (.bc), nor LLVM assembly (.ll), nor "
            "a C file (.c)");
}

TEST(Load, TruncatedBitcodeBad) {
  Scratch scratch;
  std::string path = writeBitcode(scratch, "a.bc", kMainSource);
  std::filesystem::resize_file(path, 48);
  EXPECT_EQ(loadError({path}).find("'PATH' is not readable LLVM bitcode (truncated or damaged)"),
            0u);
  for (unsigned part : {2, 3, 4}) {
    path = writeBitcode(scratch, "b.bc", kMainSource);
    std::filesystem::resize_file(path, std::filesystem::file_size(path) / part & ~3ull);
    EXPECT_EQ(loadError({path}).find("'PATH' is not readable LLVM bitcode (truncated or damaged)"),
              0u);
  }
}

TEST(Load, ObjectFileBad) {
  Scratch scratch;
  std::string path = writeExecutable(scratch, "a.o");
  std::string elf(64, '\0');
  elf.replace(0, 7,
              std::string("\x7f"
                          "ELF\x02\x01\x01",
                          7));
  elf[16] = 1; // ET_REL
  elf[18] = 62;
  scratch.write("a.o", elf);
  EXPECT_EQ(loadError({path}), "'PATH' is an object file or library, expected a program linked by "
                               "fathom-cc (fathom-cc -o PROGRAM PATH)");
}

/// A bitcode file with nothing but the block that says who wrote it.
std::string writeIdentification(const Scratch &scratch, const std::string &name,
                                const std::string &producer) {
  llvm::SmallVector<char, 0> buffer;
  llvm::BitstreamWriter writer(buffer);
  for (const unsigned byte : {unsigned{'B'}, unsigned{'C'}}) writer.Emit(byte, 8);
  for (unsigned nibble : {0x0, 0xC, 0xE, 0xD}) writer.Emit(nibble, 4);
  writer.EnterSubblock(llvm::bitc::IDENTIFICATION_BLOCK_ID, 5);
  writer.EmitRecord(llvm::bitc::IDENTIFICATION_CODE_STRING,
                    llvm::ArrayRef(producer.data(), producer.size()));
  writer.EmitRecord(llvm::bitc::IDENTIFICATION_CODE_EPOCH, llvm::ArrayRef<unsigned>{0});
  writer.ExitBlock();
  return scratch.write(name, std::string(buffer.begin(), buffer.end()));
}

TEST(Load, OtherLlvmVersionBad) {
  Scratch scratch;
  EXPECT_EQ(loadError({writeIdentification(scratch, "old.bc", "LLVM14.0.6")}),
            "'PATH' was written by LLVM14.0.6, expected LLVM 19 (compile it with fathom-cc)");
  EXPECT_EQ(loadError({writeIdentification(scratch, "new.bc", "LLVM21.1.0")}),
            "'PATH' was written by LLVM21.1.0, expected LLVM 19 (compile it with fathom-cc)");
}

TEST(Load, OtherTargetBad) {
  Scratch scratch;
  EXPECT_EQ(loadError({writeBitcode(scratch, "a.bc", kMainSource, "aarch64-unknown-linux-gnu")}),
            "'PATH' is for target aarch64-unknown-linux-gnu, expected x86_64 Linux");
  EXPECT_EQ(loadError({writeBitcode(scratch, "b.bc", kMainSource, "x86_64-pc-windows-msvc")}),
            "'PATH' is for target x86_64-pc-windows-msvc, expected x86_64 Linux");
  std::string ll = "target datalayout = \"e-p:32:32\"\n" + std::string(kMainSource);
  EXPECT_EQ(loadError({scratch.write("c.ll", ll)}),
            "'PATH' has data layout e-p:32:32, expected that of x86_64");
}

TEST(Load, AssemblyThatDoesNotParseBad) {
  Scratch scratch;
  EXPECT_EQ(loadError({scratch.write("a.ll", "define i32 @main() {\n  ret i64 0\n}\n")}),
            "'PATH' line 2: value doesn't match function result type 'i32'");
}

TEST(Load, NoMainBad) {
  Scratch scratch;
  EXPECT_EQ(loadError({scratch.write("a.ll", "define i32 @f() {\n  ret i32 0\n}\n")}),
            "'PATH' has no function main (use --entry FUNCTION to start elsewhere)");
  EXPECT_EQ(loadError({scratch.write(
                "b.ll", "define i32 @LLVMFuzzerTestOneInput(ptr %p, i64 %n) {\n  ret i32 0\n}\n")}),
            "");
}

TEST(Load, EntryIsCheckedAndNearNamesAreSuggested) {
  Scratch scratch;
  LoadOptions options;
  options.entry = "parse_line";
  std::string path = scratch.write("a.ll", kMainSource);
  EXPECT_EQ(loadError({path}, options), "");
  options.entry = "parse_lime";
  EXPECT_EQ(loadError({path}, options),
            "'PATH' has no function 'parse_lime', did you mean 'parse_line'?");
  options.entry = "parse";
  EXPECT_EQ(loadError({path}, options),
            "'PATH' has no function 'parse', did you mean 'parse_line'?");
  options.entry = "completely_different";
  EXPECT_EQ(loadError({path}, options),
            "'PATH' has no function 'completely_different'; it has 'parse_line'");
}

TEST(Load, SeveralFilesMustBeSources) {
  Scratch scratch;
  std::string source = scratch.write("a.c", "int main(void) { return 0; }\n"),
              other = scratch.write("b.ll", kMainSource);
  EXPECT_EQ(loadError({source, other}),
            "'" + other + "': several files were given, which must all be C files");
}

TEST(Load, SourcesNeedTheCompiler) {
  Scratch scratch;
  LoadOptions options;
  options.fathomCc = scratch.path("fathom-cc");
  EXPECT_EQ(loadError({scratch.write("a.c", "int main(void) { return 0; }\n")}, options),
            "'PATH': C files need fathom-cc, which is not at '" + options.fathomCc + "'");
}

/// A stand-in for fathom-cc: plain clang, one file.
std::string fakeCompiler(const Scratch &scratch) {
  std::string path =
      scratch.write("fathom-cc", "#!/bin/sh\n# args: -g -o PROGRAM FILE\ntouch $3\nexec clang-19 "
                                 "-O0 -emit-llvm -c -o $3.bc $4\n");
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

TEST(Load, SourcesAreCompiled) {
  Scratch scratch;
  LoadOptions options;
  options.fathomCc = fakeCompiler(scratch);
  EXPECT_EQ(loadError({scratch.write("a.c", "int main(void) { return 0; }\n")}, options), "");
}

TEST(Load, SourcesThatDoNotCompileBad) {
  Scratch scratch;
  LoadOptions options;
  options.fathomCc = fakeCompiler(scratch);
  std::string error =
      loadError({scratch.write("a.c", "int main(void) {\n  return x;\n}\n")}, options);
  EXPECT_EQ(error, "'PATH' does not compile: PATH:2:10: error: use of undeclared identifier 'x'");
}

TEST(Load, FindBitcodeOfAssembly) {
  Scratch scratch;
  auto found = findBitcode({scratch.write("a.ll", kMainSource)}, {});
  ASSERT_TRUE(bool(found));
  EXPECT_EQ(loadError({found->path}), "");
  auto folder = std::filesystem::path(found->path).parent_path();
  EXPECT_TRUE(std::filesystem::exists(folder));
  found->folder.reset();
  EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST(Load, RuntimeIsLinked) {
  Scratch scratch;
  LoadOptions options;
  options.runtimeBitcode =
      writeBitcode(scratch, "runtime.bc", "define void @__fathom_syscall() {\n  ret void\n}\n");
  llvm::LLVMContext context;
  auto module = loadProgram(context, {scratch.write("a.ll", kMainSource)}, options);
  ASSERT_TRUE(bool(module));
  ASSERT_TRUE((*module)->getFunction("__fathom_syscall"));
  EXPECT_TRUE((*module)->getFunction("__fathom_syscall")->hasFnAttribute("fathom-runtime"));
  options.runtimeBitcode = scratch.path("absent.bc");
  EXPECT_NE(loadError({scratch.path("a.ll")}, options), "");
}

TEST(Prepare, InvalidModuleBad) {
  llvm::LLVMContext context;
  auto module = parse(context, kMainSource);
  ASSERT_TRUE(module);
  module->getFunction("main")->getEntryBlock().getTerminator()->eraseFromParent();
  llvm::Error e = prepareModule(*module, {});
  ASSERT_TRUE(bool(e));
  std::string text = toString(std::move(e));
  EXPECT_NE(text.find("invalid LLVM IR: "), std::string::npos) << text;
}

} // namespace
