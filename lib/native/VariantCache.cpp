// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "native/VariantCache.h"

#include "native/Process.h"
#include "support/OwnFile.h"
#include "support/WriteFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

#include <fmt/format.h>

#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace fathom::native {

using llvm::createStringError;
using llvm::inconvertibleErrorCode;

std::string defaultCache() {
  if (const char *cache = getenv("FATHOM_CACHE"); cache && *cache) {
    llvm::SmallString<128> path(cache); // programs are started from other folders, too
    llvm::sys::fs::make_absolute(path);
    return path.str().str();
  }
  if (const char *xdg = getenv("XDG_CACHE_HOME"); xdg && *xdg) return std::string(xdg) + "/fathom";
  if (const char *home = getenv("HOME"); home && *home && access(home, W_OK) == 0)
    return std::string(home) + "/.cache/fathom";
  return fmt::format("/tmp/fathom-cache-{}", getuid());
}

static std::string hashOf(llvm::StringRef data) {
  llvm::XXH128_hash_t h =
      llvm::xxh3_128bits({reinterpret_cast<const uint8_t *>(data.data()), data.size()});
  return fmt::format("{:016x}{:016x}", h.high64, h.low64);
}

/// What every variant is linked with, as far as the sysroot has it.
static std::vector<std::string> libraries(const VariantTools &tools) {
  std::vector<std::string> out;
  for (const char *name :
       {"libfathom-harness.a", "libc.a", "libfathom-native.a", "libclang_rt.builtins.a"})
    if (std::string file = tools.sysroot + "/lib/" + name; access(file.c_str(), R_OK) == 0)
      out.push_back(std::move(file));
  return out;
}

/// Size and time of a file, instead of its content where that is large.
static std::string stampOf(const std::string &file) {
  struct stat at = {};
  stat(file.c_str(), &at);
  return fmt::format("{} {}.{}\n", at.st_size, at.st_mtim.tv_sec, at.st_mtim.tv_nsec);
}

/// Hash of everything that goes into the variant.
static llvm::Expected<std::string> contentKey(const std::string &bitcode, const VariantTools &tools,
                                              const VariantRecipe &recipe) {
  std::string all = fmt::format("{} {} {}\n", recipe.kind, recipe.version, recipe.allowUndefined);
  // This very program is part of it: another build of it may number or place things differently.
  all += stampOf(ownFile()) + stampOf(tools.linker);
  for (const std::string &file : libraries(tools))
    all += llvm::sys::path::filename(file).str() + " " + stampOf(file);
  for (const std::string &file :
       {bitcode, tools.runtimeObject, tools.sysroot + "/lib/libfathom-native.a",
        tools.runtimeBitcode}) {
    if (file.empty()) continue;
    auto data = llvm::MemoryBuffer::getFile(file, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
    if (!data)
      return createStringError(data.getError(),
                               fmt::format("cannot read {}: {}", file, data.getError().message()));
    all += hashOf((*data)->getBuffer()) + "\n";
  }
  return hashOf(all);
}

static llvm::Error link(const std::string &object, const std::string &executable,
                        const VariantTools &tools, const VariantRecipe &recipe) {
  Command command;
  command.program = tools.linker;
  command.arguments = {
      "ld.lld", "-m", "elf_x86_64", "-static", "-o", executable, "--eh-frame-hdr", "-z",
      "noexecstack",
      // Equal string literals stay apart, as in the engine: programs compare their addresses.
      "-O0",
      // The program's bitcode has most of libc already: the first definition is the one.
      "-z", "muldefs", object, tools.runtimeObject, "--start-group"};
  for (std::string &library : libraries(tools)) command.arguments.push_back(std::move(library));
  command.arguments.push_back("--end-group");
  if (recipe.allowUndefined) command.arguments.push_back("--unresolved-symbols=ignore-all");
  command.captureOutput = true;
  command.inheritEnvironment = true;
  command.limits.wall = std::chrono::seconds(120);
  Outcome o = run(command);
  if (o.ok()) return llvm::Error::success();
  llvm::StringRef first = llvm::StringRef(o.output).split('\n').first;
  return createStringError(inconvertibleErrorCode(),
                           fmt::format("cannot link the native {} variant: {}", recipe.kind,
                                       first.empty() ? describe(o) : first.str()));
}

llvm::Expected<CachedVariant> cachedVariant(const std::string &bitcode, const VariantTools &tools,
                                            const VariantRecipe &recipe) {
  llvm::Expected<std::string> key = contentKey(bitcode, tools, recipe);
  if (!key) return key.takeError();
  CachedVariant variant;
  variant.executable = fmt::format("{}/{}.{}", tools.cache, *key, recipe.kind);
  const std::string textFile = variant.executable + ".layout";
  if (access(variant.executable.c_str(), X_OK) == 0)
    if (auto text = llvm::MemoryBuffer::getFile(textFile)) {
      variant.text = (*text)->getBuffer().str();
      variant.fromCache = true;
      return variant;
    }
  if (std::error_code e = llvm::sys::fs::create_directories(tools.cache))
    return createStringError(e, fmt::format("cannot create {}: {}", tools.cache, e.message()));

  // Several builds at once: each under its own name, the last rename wins with the same content.
  const std::string temporary = fmt::format("{}.{}", variant.executable, getpid());
  const std::string object = temporary + ".o", text = temporary + ".txt";
  llvm::Expected<std::string> built = recipe.build(object);
  llvm::Error error = built ? link(object, temporary, tools, recipe) : built.takeError();
  if (!error)
    if (std::error_code e = writeFile(text, *built))
      error = createStringError(e, fmt::format("cannot write {}: {}", text, e.message()));
  // The text first: an executable that is there has one.
  if (!error && (rename(text.c_str(), textFile.c_str()) < 0 ||
                 rename(temporary.c_str(), variant.executable.c_str()) < 0))
    error =
        createStringError(inconvertibleErrorCode(),
                          fmt::format("cannot create {}: {}", variant.executable, strerror(errno)));
  unlink(object.c_str());
  if (error) {
    unlink(text.c_str());
    unlink(temporary.c_str());
    return std::move(error);
  }
  variant.text = std::move(*built);
  return variant;
}

} // namespace fathom::native
