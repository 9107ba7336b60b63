// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/Tests.h"

#include "report/Files.h"
#include "report/RunFile.h"

#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <algorithm>
#include <unistd.h>

namespace fathom::report {

namespace path = llvm::sys::path;
using llvm::StringRef;

uint64_t testNumber(StringRef name) {
  uint64_t number = 0;
  return name.getAsInteger(10, number) || name.find_first_not_of("0123456789") != StringRef::npos
             ? 0
             : number;
}

std::string testName(uint64_t number) { return fmt::format("{:06}", number); }

static bool exists(const std::string &file) { return access(file.c_str(), F_OK) == 0; }

void Tests::addFolders(const std::string &folder, const char *kind, bool isBug) {
  const std::string all = folder + "/" + kind;
  if (access(all.c_str(), R_OK) != 0) return;
  llvm::Expected<Directory> directory = Directory::openOrCreate(all);
  if (!directory) {
    llvm::consumeError(directory.takeError());
    return;
  }
  for (const std::string &name : directory->entries())
    if (name[0] != '.')
      items_.push_back({testNumber(name), fmt::format("{}/{}", all, name),
                        fmt::format("{}/{}", kind, name), isBug});
}

llvm::Error Tests::addStore(const std::string &folder) {
  path_ = folder + "/" + kStoreName;
  if (!exists(path_)) return llvm::Error::success();
  llvm::Expected<TestStore> store = TestStore::open(path_);
  if (!store) return store.takeError();
  store_.emplace(std::move(*store));
  const std::vector<StoreLayout::Block> &blocks = store_->layout().blocks;
  for (uint32_t b = 0; b < blocks.size(); ++b)
    for (uint32_t i = 0; i < blocks[b].tests; ++i) {
      const uint64_t number = blocks[b].first + i;
      items_.push_back({number, "", "tests/" + testName(number), /*isBug=*/false, b});
    }
  return llvm::Error::success();
}

/// "fathom-out", of "fathom-out/tests/000123"; "": not of that form.
static std::string resultsOf(const std::string &test) {
  const StringRef named = StringRef(test).rtrim('/'), parent = path::parent_path(named);
  if (!testNumber(path::filename(named)) || path::filename(parent) != "tests") return "";
  const StringRef results = path::parent_path(parent);
  return results.empty() ? "." : results.str();
}

bool isInStore(const std::string &folder) {
  return !exists(folder) && exists(resultsOf(folder) + "/" + kStoreName);
}

std::string runFileOf(const std::string &folder) {
  for (const std::string &file :
       {folder + "/run.json", folder + "/../../run.json", resultsOf(folder) + "/run.json"})
    if (exists(file)) return file;
  return "";
}

llvm::Expected<Tests> Tests::open(const std::string &folder, Which which) {
  Tests out;
  if (const std::string file = runFileOf(folder); !file.empty()) {
    // A damaged one is no reason to lose the tests.
    llvm::Expected<llvm::json::Object> run = readJsonObject(file);
    if (!run)
      llvm::consumeError(run.takeError());
    else if (llvm::Error e = checkSchema(*run, file))
      return std::move(e);
  }
  if (exists(folder + "/args.json")) {
    out.items_.push_back(
        {testNumber(path::filename(folder)), folder, folder, exists(folder + "/bug.json")});
    return out;
  }
  if (isInStore(folder)) {
    if (auto e = out.addStore(resultsOf(folder))) return std::move(e);
    const uint64_t number = testNumber(path::filename(StringRef(folder).rtrim('/')));
    std::erase_if(out.items_, [&](const Item &item) { return item.number != number; });
    return out;
  }
  if (which != Which::Bugs) {
    out.addFolders(folder, "tests", /*isBug=*/false);
    if (auto e = out.addStore(folder)) return std::move(e);
  }
  std::sort(out.items_.begin(), out.items_.end(), [](const Item &a, const Item &b) {
    return a.number != b.number ? a.number < b.number : a.dir < b.dir;
  });
  if (which != Which::Tests) out.addFolders(folder, "bugs", /*isBug=*/true);
  return out;
}

std::vector<std::string> Tests::damaged() const {
  std::vector<std::string> out;
  if (!store_) return out;
  for (auto &[from, to] : store_->layout().damaged)
    out.push_back(fmt::format("{}: damaged: bytes {} to {} are no tests", path_, from, to));
  return out;
}

uint64_t Tests::unfinishedBytes() const {
  return store_ ? store_->layout().size - store_->layout().end : 0;
}

llvm::Expected<StoredTest> TestReader::readStored(const Tests::Item &item) {
  const StoreLayout &layout = tests_.store()->layout();
  const StoreLayout::Block &block = layout.blocks[item.block];
  if (block_ != item.block) {
    block_.reset();
    llvm::Expected<std::vector<TestRecord>> records = tests_.store()->read(block);
    if (!records) return records.takeError();
    records_ = std::move(*records);
    block_ = item.block;
  }
  const TestRecord &record = records_[item.number - block.first];
  StoredTest test =
      storedTest(record.test, record.bug, layout.head.arguments, layout.head.environment);
  test.name = testName(item.number);
  return test;
}

llvm::Expected<StoredTest> TestReader::read(const Tests::Item &item) {
  return item.inStore() ? readStored(item) : readTest(item.path, item.isBug);
}

llvm::Expected<StoredTest> TestReader::readWhole(const Tests::Item &item) {
  return item.inStore() ? readStored(item) : readWholeTest(item.path, item.isBug);
}

} // namespace fathom::report
