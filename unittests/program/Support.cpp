// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Support.h"

#include "program/Verify.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace fathom::program::test {

std::string inputPath(const std::string &name) {
  return std::string(FATHOM_PROGRAM_INPUTS) + "/" + name;
}

Scratch::Scratch() {
  llvm::SmallString<128> path;
  if (llvm::sys::fs::createUniqueDirectory("fathom-program-test", path))
    ADD_FAILURE() << "no temporary folder";
  folder_ = std::string(path);
}
Scratch::~Scratch() { (void)llvm::sys::fs::remove_directories(folder_); }

std::string Scratch::write(const std::string &name, const std::string &contents) const {
  std::ofstream(path(name), std::ios::binary) << contents;
  return path(name);
}

std::unique_ptr<llvm::Module> parse(llvm::LLVMContext &context, const std::string &assembly) {
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(
      "target datalayout = "
      "\"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"\n"
      "target triple = \"x86_64-pc-linux-gnu\"\n" +
          assembly,
      diagnostic, context);
  if (!module)
    ADD_FAILURE() << "line " << diagnostic.getLineNo() - 2 << ": " << diagnostic.getMessage().str();
  return module;
}

Program decodeText(const std::string &assembly, bool promoteLocals) {
  llvm::LLVMContext context;
  auto module = parse(context, assembly);
  if (!module) return {};
  LoadOptions options;
  options.promoteLocals = promoteLocals;
  if (llvm::Error e = prepareModule(*module, options)) {
    ADD_FAILURE() << toString(std::move(e));
    return {};
  }
  auto program = decode(*module);
  if (!program) {
    ADD_FAILURE() << toString(program.takeError());
    return {};
  }
  for (const std::string &problem : verify(*program)) ADD_FAILURE() << problem;
  return std::move(*program);
}

std::string code(const Program &program, const std::string &function) {
  const FunctionCode *f = program.find(function);
  if (!f) {
    ADD_FAILURE() << "no function " << function;
    return "";
  }
  std::istringstream text(printFunction(program, *f));
  std::string line, out = "\n";
  std::getline(text, line); // the header
  while (std::getline(text, line)) {
    line = line.substr(0, line.find(" ; "));
    line.erase(0, line.find_first_not_of(' '));
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string codeOf(const std::string &assembly, bool promoteLocals) {
  Program program = decodeText(assembly, promoteLocals);
  return program.functions.empty() ? "" : code(program, "f");
}

} // namespace fathom::program::test
