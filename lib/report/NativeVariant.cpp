// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/NativeVariant.h"

#include "native/Process.h"
#include "report/Files.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/xxhash.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sys/stat.h>
#include <unistd.h>

namespace fathom::report {

using program::TraceLayout;

std::string defaultCache() {
  if (const char *cache = getenv("FATHOM_CACHE"); cache && *cache) return cache;
  if (const char *xdg = getenv("XDG_CACHE_HOME"); xdg && *xdg) return std::string(xdg) + "/fathom";
  if (const char *home = getenv("HOME"); home && *home && access(home, W_OK) == 0)
    return std::string(home) + "/.cache/fathom";
  return fmt::format("/tmp/fathom-cache-{}", getuid());
}

// ---- the layout as text
// ---------------------------------------------------------------------------------------------

static constexpr const char *kLayoutHead = "fathom-trace-layout";

std::string layoutText(const TraceLayout &layout) {
  std::map<std::string, size_t> files;
  for (auto &b : layout.branches) files.emplace(b.file, 0);
  for (auto &l : layout.lines) files.emplace(l.file, 0);
  std::string out =
      fmt::format("{} {} {} {} {} {}\n", kLayoutHead, program::kInstrumentVersion, files.size(),
                  layout.branches.size(), layout.lines.size(), layout.makesSymbolic ? 1 : 0);
  size_t next = 0;
  for (auto &[name, index] : files) {
    index = next++;
    out += name + "\n";
  }
  for (auto &b : layout.branches)
    out += fmt::format("{} {} {} {} {}\n", files[b.file], b.line, b.column, b.sides, b.function);
  for (auto &l : layout.lines) out += fmt::format("{} {}\n", files[l.file], l.line);
  return out;
}

namespace {
/// Words and lines off the front of a text.
struct LineReader {
  llvm::StringRef rest;
  bool ok = true;

  llvm::StringRef line() {
    auto [first, others] = rest.split('\n');
    if (rest.empty()) ok = false;
    rest = others;
    return first;
  }
};

bool takeNumber(llvm::StringRef &line, uint32_t &out) {
  auto [word, others] = line.split(' ');
  line = others;
  return !word.getAsInteger(10, out);
}
} // namespace

bool parseLayout(const std::string &text, TraceLayout &layout) {
  LineReader reader{text};
  llvm::StringRef head = reader.line();
  uint32_t version = 0, fileCount = 0, branchCount = 0, lineCount = 0, makesSymbolic = 0;
  if (!head.consume_front(kLayoutHead) || !head.consume_front(" ") || !takeNumber(head, version) ||
      version != static_cast<uint32_t>(program::kInstrumentVersion) ||
      !takeNumber(head, fileCount) || !takeNumber(head, branchCount) ||
      !takeNumber(head, lineCount) || !takeNumber(head, makesSymbolic))
    return false;
  layout = {};
  layout.makesSymbolic = makesSymbolic;
  std::vector<std::string> files;
  for (uint32_t i = 0; i < fileCount && reader.ok; ++i) files.push_back(reader.line().str());
  for (uint32_t i = 0; i < branchCount && reader.ok; ++i) {
    llvm::StringRef line = reader.line();
    TraceLayout::Branch b;
    uint32_t file = 0;
    if (!takeNumber(line, file) || !takeNumber(line, b.line) || !takeNumber(line, b.column) ||
        !takeNumber(line, b.sides) || file >= files.size())
      return false;
    b.file = files[file];
    b.function = line.str();
    b.sideBase = layout.sides;
    layout.sides += b.sides;
    layout.branches.push_back(std::move(b));
  }
  for (uint32_t i = 0; i < lineCount && reader.ok; ++i) {
    llvm::StringRef line = reader.line();
    TraceLayout::Line l;
    uint32_t file = 0;
    if (!takeNumber(line, file) || !takeNumber(line, l.line) || file >= files.size()) return false;
    l.file = files[file];
    layout.lines.push_back(std::move(l));
  }
  return reader.ok;
}

// ---- building
// ---------------------------------------------------------------------------------------------------------

/// Hash of everything that goes into the variant.
static llvm::Expected<std::string> contentKey(const std::string &bitcode,
                                              const NativeTools &tools) {
  // This very program is part of it: another build of it may number or place things differently.
  struct stat self = {};
  stat("/proc/self/exe", &self);
  std::string all = fmt::format("{} {} {}.{}\n", program::kInstrumentVersion, self.st_size,
                                self.st_mtim.tv_sec, self.st_mtim.tv_nsec);
  for (const std::string &file :
       {bitcode, tools.traceObject, tools.sysroot + "/lib/libfathom-native.a"}) {
    llvm::Expected<std::string> data = readFile(file);
    if (!data) return data.takeError();
    llvm::XXH128_hash_t h =
        llvm::xxh3_128bits({reinterpret_cast<const uint8_t *>(data->data()), data->size()});
    all += hex64(h.high64) + hex64(h.low64) + "\n";
  }
  llvm::XXH128_hash_t h =
      llvm::xxh3_128bits({reinterpret_cast<const uint8_t *>(all.data()), all.size()});
  return hex64(h.high64) + hex64(h.low64);
}

static llvm::Error link(const std::string &object, const std::string &executable,
                        const NativeTools &tools) {
  native::Command command;
  command.program = tools.linker;
  command.arguments = {
      "ld.lld", "-m", "elf_x86_64", "-static", "-o", executable, "--eh-frame-hdr", "-z",
      "noexecstack",
      // Equal string literals stay apart, as in the engine: programs compare their addresses.
      "-O0",
      // The program's bitcode has most of libc already: the first definition is the one.
      "-z", "muldefs", object, tools.traceObject, "--start-group"};
  for (const char *name :
       {"libfathom-harness.a", "libc.a", "libfathom-native.a", "libclang_rt.builtins.a"}) {
    std::string library = tools.sysroot + "/lib/" + name;
    if (access(library.c_str(), R_OK) == 0) command.arguments.push_back(library);
  }
  command.arguments.push_back("--end-group");
  command.captureOutput = true;
  command.inheritEnvironment = true;
  command.limits.wall = std::chrono::seconds(120);
  native::Outcome o = native::run(command);
  if (o.ok()) return llvm::Error::success();
  llvm::StringRef first = llvm::StringRef(o.output).split('\n').first;
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 fmt::format("cannot link the native trace variant: {}",
                                             first.empty() ? native::describe(o) : first.str()));
}

llvm::Expected<NativeVariant> traceVariant(const std::vector<std::string> &inputs,
                                           const program::LoadOptions &load,
                                           const NativeTools &tools) {
  llvm::Expected<program::BitcodeFile> bitcode = program::findBitcode(inputs, load);
  if (!bitcode) return bitcode.takeError();
  llvm::Expected<std::string> key = contentKey(bitcode->path, tools);
  if (!key) return key.takeError();

  NativeVariant variant;
  variant.executable = tools.cache + "/" + *key + ".trace";
  std::string layoutFile = tools.cache + "/" + *key + ".layout";
  if (access(variant.executable.c_str(), X_OK) == 0) {
    llvm::Expected<std::string> text = readFile(layoutFile);
    if (text && parseLayout(*text, variant.layout)) {
      variant.fromCache = true;
      return variant;
    }
    if (!text) llvm::consumeError(text.takeError());
  }

  llvm::Expected<Directory> cache = Directory::openOrCreate(tools.cache);
  if (!cache) return cache.takeError();
  // Several builds at once: each under its own name, the last rename wins with the same content.
  std::string temporary = fmt::format("{}/{}.{}", tools.cache, *key, getpid());
  std::string object = temporary + ".o", executable = temporary + ".exe";
  auto built = program::writeTraceObject(bitcode->path, object, load);
  llvm::Error error = built ? link(object, executable, tools) : built.takeError();
  unlink(object.c_str());
  if (!error) error = cache->replace(*key + ".layout", layoutText(*built));
  if (!error && rename(executable.c_str(), variant.executable.c_str()) < 0)
    error = ioError("create", variant.executable, errno);
  if (error) {
    unlink(executable.c_str());
    return std::move(error);
  }
  variant.layout = std::move(*built);
  return variant;
}

} // namespace fathom::report
