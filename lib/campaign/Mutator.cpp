// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/Mutator.h"

#include "support/TextError.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>

using namespace llvm;

namespace fathom::campaign {

/// What afl-fuzz calls to get another input, or to change one. Without any of them it would load
/// the library in vain.
static bool changesInputs(StringRef symbol) {
  return StringSwitch<bool>(symbol)
      .Cases("afl_custom_fuzz", "afl_custom_post_process", "afl_custom_havoc_mutation", true)
      .Cases("afl_custom_trim", "afl_custom_queue_new_entry", "afl_custom_queue_get", true)
      .Default(false);
}

Error checkMutator(const std::string &library) {
  if (!sys::fs::exists(library)) return textError("no such file");
  if (library.find_first_of(";:") != std::string::npos)
    return textError(
        "afl-fuzz takes no path with ';' or ':'; link to the library under another name");
  Expected<object::OwningBinary<object::ObjectFile>> file =
      object::ObjectFile::createObjectFile(library);
  const char *const kExpected = "expected a shared library for x86-64 with AFL++'s custom mutator "
                                "interface";
  if (!file) {
    consumeError(file.takeError());
    return textError(kExpected);
  }
  auto *elf = dyn_cast<object::ELF64LEObjectFile>(file->getBinary());
  if (!elf) return textError(kExpected);
  const auto &header = elf->getELFFile().getHeader();
  if (header.e_type != ELF::ET_DYN || header.e_machine != ELF::EM_X86_64)
    return textError(kExpected);
  bool hasInit = false, hasWork = false;
  for (const object::ELFSymbolRef symbol : elf->getDynamicSymbolIterators()) {
    Expected<StringRef> name = symbol.getName();
    Expected<uint32_t> flags = symbol.getFlags();
    if (!name || !flags) {
      if (!name) consumeError(name.takeError());
      if (!flags) consumeError(flags.takeError());
      continue;
    }
    if (*flags & object::SymbolRef::SF_Undefined) continue;
    hasInit |= *name == "afl_custom_init";
    hasWork |= changesInputs(*name);
  }
  if (!hasInit) return textError(fmt::format("it does not define afl_custom_init; {}", kExpected));
  if (!hasWork)
    return textError("it defines afl_custom_init, but neither afl_custom_fuzz nor another function "
                     "that changes inputs");
  return Error::success();
}

} // namespace fathom::campaign
