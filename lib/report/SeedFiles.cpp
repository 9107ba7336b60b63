// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/SeedFiles.h"

#include "evidence/Input.h"
#include "report/Files.h"
#include "report/KTest.h"
#include "report/Tests.h"

#include "support/TextError.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::report {

using evidence::InputKind;

namespace fs = llvm::sys::fs;
using explore::Seed;
using llvm::StringRef;

static constexpr uint64_t kMostBytes = 1 << 20;

/// Below `folder`, without what begins with a dot.
static std::vector<std::string> filesBelow(const std::string &folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; it != end && !error;
       it.increment(error)) {
    const bool isFolder = fs::is_directory(it->path());
    if (llvm::sys::path::filename(it->path()).starts_with(".")) {
      if (isFolder) it.no_push();
    } else if (!isFolder) {
      files.push_back(it->path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

static Seed namedSeed(const KTest &test) {
  Seed seed;
  seed.raw = false;
  for (const KTestObject &o : test.objects)
    seed.objects.emplace_back(o.name, std::vector<uint8_t>(o.bytes.begin(), o.bytes.end()));
  return seed;
}

/// One of our own tests says beside it which allocations fail.
static std::vector<uint32_t> failedAllocations(StringRef file) {
  std::vector<uint32_t> out;
  const StringRef folder = llvm::sys::path::parent_path(file);
  llvm::Expected<llvm::json::Object> args = readJsonObject(folder.str() + "/args.json");
  if (!args) {
    llvm::consumeError(args.takeError());
    return out;
  }
  if (const llvm::json::Array *list = args->getArray("failed_allocations"))
    for (const llvm::json::Value &v : *list)
      if (auto number = v.getAsInteger()) out.push_back(static_cast<uint32_t>(*number));
  std::sort(out.begin(), out.end());
  return out;
}

/// The results folder that this is, or whose tests/ it is, where that has a store; "" otherwise.
static std::string folderWithStore(const std::string &folder) {
  const StringRef named = StringRef(folder).rtrim('/');
  if (fs::exists(folder + "/" + kStoreName)) return folder;
  const std::string above = folder + "/..";
  return llvm::sys::path::filename(named) == "tests" && fs::exists(above + "/" + kStoreName) ? above
                                                                                             : "";
}

/// Those in folders too, in order of their numbers.
static llvm::Error addTests(const std::string &results, std::vector<Seed> &seeds, size_t &skipped) {
  llvm::Expected<Tests> tests = Tests::open(results, Tests::Which::Tests);
  if (!tests) return tests.takeError();
  TestReader reader(*tests);
  for (const Tests::Item &item : tests->items()) {
    llvm::Expected<StoredTest> test = reader.readWhole(item);
    if (!test) return test.takeError();
    Seed seed;
    seed.raw = false;
    size_t size = 0;
    for (explore::SymbolValue &symbol : test->symbols) {
      size += symbol.data.size();
      seed.objects.emplace_back(symbol.name, std::move(symbol.data));
    }
    seed.failedAllocations = test->inputs.failedAllocations;
    if (size > kMostBytes)
      skipped++;
    else
      seeds.push_back(std::move(seed));
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<Seed>> readSeeds(const std::string &folder, size_t &skipped) {
  skipped = 0;
  if (!fs::is_directory(folder)) return textError(fmt::format("{}: no such folder", folder));
  std::vector<std::string> files = filesBelow(folder);
  const std::string results = folderWithStore(folder);
  if (!results.empty()) {
    const std::string tests = (results == folder ? folder + "/tests" : folder) + "/";
    std::erase_if(files, [&](const std::string &f) {
      return !f.ends_with(".ktest") || f.starts_with(tests);
    });
  }
  auto keep = [&](auto isInput) {
    if (std::any_of(files.begin(), files.end(), isInput))
      std::erase_if(files, [&](const std::string &f) { return !isInput(f); });
  };
  auto parent = [](StringRef file) {
    return llvm::sys::path::filename(llvm::sys::path::parent_path(file));
  };
  keep([](StringRef f) { return f.ends_with(".ktest"); });
  keep([&](StringRef f) { return f.ends_with(".ktest") || parent(f) == "queue"; });
  std::vector<Seed> seeds;
  for (const std::string &file : files) {
    uint64_t size = 0;
    if (fs::file_size(file, size) || size > kMostBytes) {
      skipped++;
      continue;
    }
    llvm::Expected<std::string> data = readFile(file);
    if (!data) return data.takeError();
    if (!StringRef(file).ends_with(".ktest")) {
      Seed seed;
      seed.data.assign(data->begin(), data->end());
      seeds.push_back(std::move(seed));
      continue;
    }
    llvm::Expected<KTest> test = decodeKTest(*data);
    if (!test) return textError(fmt::format("{}: {}", file, llvm::toString(test.takeError())));
    seeds.push_back(namedSeed(*test));
    seeds.back().failedAllocations = failedAllocations(file);
  }
  if (!results.empty())
    if (auto e = addTests(results, seeds, skipped)) return std::move(e);
  if (seeds.empty()) return textError(fmt::format("{}: holds no input", folder));
  return seeds;
}

const std::vector<uint8_t> *rawInput(const explore::TestCase &test) {
  for (const explore::SymbolValue &s : test.symbols)
    if (s.name == "fuzz_data") return &s.data;
  for (const InputKind kind : {InputKind::StandardInput, InputKind::File})
    for (const evidence::Input &i : test.inputs)
      if (i.id.kind == kind) return &i.data;
  return nullptr;
}

} // namespace fathom::report
