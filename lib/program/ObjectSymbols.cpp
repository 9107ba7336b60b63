// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/ObjectSymbols.h"

#include "llvm/Object/Archive.h"
#include "llvm/Object/Binary.h"
#include "llvm/Object/SymbolicFile.h"

namespace fathom::program {

using llvm::object::BasicSymbolRef;

llvm::Error addDefinedSymbols(const std::string &file, llvm::StringSet<> &names) {
  auto named = [&](llvm::Error e) { return llvm::createFileError(file, std::move(e)); };
  llvm::Expected<llvm::object::OwningBinary<llvm::object::Binary>> binary =
      llvm::object::createBinary(file);
  if (!binary) return named(binary.takeError());
  if (auto *archive = llvm::dyn_cast<llvm::object::Archive>(binary->getBinary())) {
    for (const llvm::object::Archive::Symbol &symbol : archive->symbols())
      names.insert(symbol.getName());
    return llvm::Error::success();
  }
  auto *object = llvm::dyn_cast<llvm::object::SymbolicFile>(binary->getBinary());
  if (!object)
    return named(llvm::createStringError(llvm::inconvertibleErrorCode(),
                                         "expected an object file or a static library"));
  for (const BasicSymbolRef &symbol : object->symbols()) {
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    if (!flags) return named(flags.takeError());
    if (!(*flags & BasicSymbolRef::SF_Global) || (*flags & BasicSymbolRef::SF_Undefined)) continue;
    std::string name;
    llvm::raw_string_ostream out(name);
    if (llvm::Error e = symbol.printName(out)) return named(std::move(e));
    names.insert(name);
  }
  return llvm::Error::success();
}

} // namespace fathom::program
