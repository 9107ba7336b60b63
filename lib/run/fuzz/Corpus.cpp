// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/fuzz/Corpus.h"

#include "campaign/Import.h"
#include "report/SeedFiles.h"
#include "report/TestFolder.h"
#include "report/Tests.h"
#include "run/Failure.h"
#include "run/InputFiles.h"

#include "fmt/format.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <unordered_set>

namespace fathom::run {

namespace files = llvm::sys::fs;

namespace {

/// Tests of the store cover nothing that those with folders do not. They are other ways there, but
/// the fuzzer runs each input several times before it begins, and there can be a million.
constexpr size_t kMaxOfStore = 1000;

bool hasInput(const std::string &folder) {
  std::error_code failed;
  for (files::directory_iterator at(folder, failed), end; at != end && !failed;
       at.increment(failed)) {
    uint64_t bytes = 0;
    if (files::is_regular_file(at->path()) && !files::file_size(at->path(), bytes) && bytes)
      return true;
  }
  return false;
}

} // namespace

/// Writes each input once.
class Corpus::Writer {
public:
  explicit Writer(const std::string &into) : into_(into) {}
  llvm::Error add(llvm::StringRef input) {
    if (input.empty() || !seen_.insert(input.str()).second) return llvm::Error::success();
    if (std::error_code e = files::create_directories(into_))
      return usageError(fmt::format("cannot create {}: {}", into_, e.message()));
    const std::string path = fmt::format("{}/{:06}", into_, seen_.size());
    std::error_code failed;
    llvm::raw_fd_ostream out(path, failed);
    if (!failed) {
      out << input;
      out.close();
      failed = out.error();
      out.clear_error();
    }
    if (failed) return usageError(fmt::format("cannot write {}: {}", path, failed.message()));
    return llvm::Error::success();
  }
  size_t size() const { return seen_.size(); }

private:
  std::string into_;
  std::unordered_set<std::string> seen_;
};

llvm::Expected<Corpus> Corpus::open(const std::string &folder) {
  Corpus out;
  if (folder.empty()) return out;
  out.folder_ = absolutePath(folder);
  if (!files::is_directory(folder))
    return usageError(fmt::format("--corpus {}: expected a folder with inputs", folder));
  if (files::exists(folder + "/campaign.db"))
    out.kind_ = Kind::Campaign;
  else if (files::exists(folder + "/run.json"))
    out.kind_ = Kind::Exploration;
  else if (hasInput(folder))
    out.kind_ = Kind::Files;
  else
    return usageError(fmt::format(
        "--corpus {}: no input in it: expected at least one file that is not empty", folder));
  return out;
}

/// Folders and bugs first, then some of the store.
llvm::Error Corpus::writeTests(Writer &writer) const {
  llvm::Expected<report::Tests> opened =
      asUsage(report::Tests::open(folder_, report::Tests::Which::TestsAndBugs));
  if (!opened) return opened.takeError();
  const report::Tests &tests = *opened;
  report::TestReader reader(tests);
  auto write = [&](const report::Tests::Item &item) -> llvm::Error {
    llvm::Expected<report::StoredTest> test = reader.readWhole(item);
    if (!test) { // fathom tests and replay tell
      llvm::consumeError(test.takeError());
      return llvm::Error::success();
    }
    const explore::TestCase whole = report::testCaseOf(*test);
    if (const std::vector<uint8_t> *input = report::rawInput(whole))
      return writer.add(llvm::toStringRef(*input));
    return llvm::Error::success();
  };
  std::vector<const report::Tests::Item *> stored;
  for (const report::Tests::Item &item : tests.items())
    if (item.inStore())
      stored.push_back(&item);
    else if (llvm::Error e = write(item))
      return e;
  const size_t some = std::min(stored.size(), kMaxOfStore);
  for (size_t i = 0; i < some; i++)
    if (llvm::Error e = write(*stored[i * stored.size() / some])) return e;
  return llvm::Error::success();
}

llvm::Expected<std::string> Corpus::inputs(const std::string &into) const {
  if (kind_ == Kind::None || kind_ == Kind::Files) return folder_;
  if (files::exists(into)) return into; // the campaign goes on
  Writer writer(into);
  if (kind_ == Kind::Campaign) {
    auto inputs = asUsage(campaign::keptInputs(folder_ + "/afl"));
    if (!inputs) return inputs.takeError();
    for (const campaign::KeptInput &kept : *inputs) {
      if (kept.kind == campaign::KeptInput::Kind::Hang) continue;
      auto bytes = llvm::MemoryBuffer::getFile(kept.file, /*IsText=*/false,
                                               /*RequiresNullTerminator=*/false);
      if (!bytes) continue;
      if (llvm::Error e = writer.add((*bytes)->getBuffer())) return std::move(e);
    }
  } else if (llvm::Error e = writeTests(writer)) {
    return std::move(e);
  }
  if (!writer.size())
    return usageError(fmt::format("--corpus {}: no test in it has standard input, a file or a fuzz "
                                  "target's input that is not empty",
                                  folder_));
  return into;
}

} // namespace fathom::run
