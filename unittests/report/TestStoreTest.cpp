// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/TestStore.h"

#include "report/Tests.h"
#include "report/TestsWriter.h"

#include "fmt/format.h"

#include <csignal>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace fathom::report;
using namespace fathom::explore;
using fathom::evidence::InputId;

namespace {

std::vector<uint8_t> bytes(const std::string &s) { return {s.begin(), s.end()}; }

/// Each another one; with everything that a test can have.
TestCase sample(unsigned i) {
  TestCase t;
  t.inputs = {{InputId::argument(0), bytes("prog")},
              {InputId::argument(1), bytes(std::string(i % 5, static_cast<char>('a' + i % 26)))},
              {InputId::standardInput(), bytes(std::string("a\0\xff", 3))},
              {InputId::file("A"), bytes(std::to_string(i))},
              {InputId::environment("V"), bytes("V=1")}};
  t.symbols = {{"x", {1, 2, 3, static_cast<uint8_t>(i)}}, {"empty", {}}};
  t.stdoutData = fmt::format("out {}\n", i) + std::string("\0\xfe", 2);
  t.stderrData = "err";
  t.end = static_cast<EndKind>(i % 4);
  t.status = i % 7 ? static_cast<int>(i % 200) : kNoStatus;
  t.trace = {100 + i, 0xfedcba9876543210ull + i, {{1, 11}, {2, 22 + i}, {64, ~uint64_t(i)}}};
  t.instructions = uint64_t(1) << (i % 64);
  t.decisions = 3 * i;
  t.why = i % 3 ? "path completed" : "partial: time budget spent (--max-time)";
  t.path = 0x9E3779B97F4A7C15ull * (i + 1);
  t.smtLib = i % 11 ? "" : "(check-sat)";
  t.usesExternal = i % 2;
  t.usesUninit = i % 5 == 0;
  if (i % 4 == 1) t.failedAllocations = {1, 300, 70000};
  return t;
}

std::string storedBug(unsigned i) { return i % 6 ? "" : "bugs/000001"; }

std::string encoded(const TestCase &test, const std::string &bug) {
  std::string out;
  encodeRecord(test, bug, out);
  return out;
}

class Store : public testing::Test {
protected:
  Store() {
    path = testing::TempDir() + "fathom-store-XXXXXX";
    EXPECT_NE(mkdtemp(path.data()), nullptr);
    file = path + "/" + kStoreName;
  }
  ~Store() override {
    Directory all = folder();
    for (const std::string &name : all.entries()) llvm::consumeError(all.remove(name));
    rmdir(path.c_str());
  }
  Directory folder() { return llvm::cantFail(Directory::openOrCreate(path)); }
  std::optional<TestStoreWriter> writer() {
    auto made = TestStoreWriter::open(folder(), {{"prog", "--sym-arg", "2"}, {"HOME=/"}});
    if (made) return std::move(*made);
    error = llvm::toString(made.takeError());
    return std::nullopt;
  }
  /// Tests begin .. end - 1 as one block.
  static void add(TestStoreWriter &to, unsigned begin, unsigned end) {
    for (unsigned i = begin; i < end; ++i) to.add(i, sample(i), storedBug(i));
    EXPECT_FALSE(bool(to.flush()));
  }
  std::string contents() { return llvm::cantFail(readFile(file)); }
  void setContents(const std::string &text) {
    EXPECT_FALSE(bool(folder().write(kStoreName, text)));
  }
  /// The numbers of all that can be read; each is held against what was written.
  std::vector<uint64_t> numbers() {
    std::vector<uint64_t> out;
    problems.clear();
    auto store = TestStore::open(file);
    if (!store) {
      problems.push_back(llvm::toString(store.takeError()));
      return out;
    }
    for (const StoreLayout::Block &block : store->layout().blocks) {
      auto records = store->read(block);
      if (!records) {
        problems.push_back(llvm::toString(records.takeError()));
        continue;
      }
      for (size_t i = 0; i < records->size(); ++i) {
        const auto number = static_cast<unsigned>(block.first + i);
        out.push_back(number);
        EXPECT_EQ(encoded((*records)[i].test, (*records)[i].bug),
                  encoded(sample(number), storedBug(number)));
      }
    }
    return out;
  }
  static std::vector<uint64_t> upTo(uint64_t end) {
    std::vector<uint64_t> out;
    for (uint64_t i = 1; i < end; ++i) out.push_back(i);
    return out;
  }

  std::string path, file, error;
  std::vector<std::string> problems;
};

} // namespace

TEST(TestRecord, RoundTrip) {
  for (unsigned i = 0; i < 1000; ++i) {
    const TestCase t = sample(i);
    const std::string text = encoded(t, storedBug(i));
    std::string_view rest = text;
    TestRecord back;
    ASSERT_TRUE(decodeRecord(rest, back));
    EXPECT_TRUE(rest.empty());
    EXPECT_EQ(encode(back.test), encode(t)) << "every field, as it goes from worker to coordinator";
    EXPECT_EQ(back.bug, storedBug(i));
  }
}

TEST(TestRecord, CutShortIsNoRecord) {
  const std::string text = encoded(sample(5), "bugs/000001");
  for (size_t size = 0; size < text.size(); ++size) {
    std::string_view rest = std::string_view(text).substr(0, size);
    TestRecord back;
    EXPECT_FALSE(decodeRecord(rest, back)) << size;
  }
}

TEST_F(Store, RoundTrip) {
  auto to = writer();
  ASSERT_TRUE(to) << error;
  add(*to, 1, 2);
  add(*to, 2, 500);
  EXPECT_FALSE(bool(to->flush())) << "with nothing to write";
  EXPECT_EQ(to->bytes(), contents().size());
  EXPECT_EQ(numbers(), upTo(500));
  auto store = llvm::cantFail(TestStore::open(file));
  EXPECT_EQ(store.layout().head.arguments, (std::vector<std::string>{"prog", "--sym-arg", "2"}));
  EXPECT_EQ(store.layout().head.environment, std::vector<std::string>{"HOME=/"});
  EXPECT_EQ(store.layout().end, store.layout().size);
}

TEST_F(Store, IsSmall) {
  auto to = writer();
  ASSERT_TRUE(to) << error;
  size_t raw = 0;
  for (unsigned i = 1; i < 2000; ++i) {
    to->add(i, sample(i), "");
    raw += encoded(sample(i), "").size();
    if (to->isFull()) EXPECT_FALSE(bool(to->flush()));
  }
  EXPECT_FALSE(bool(to->flush()));
  EXPECT_LT(to->bytes(), raw / 3);
}

TEST_F(Store, GoesOnWhereItWas) {
  {
    auto to = writer();
    ASSERT_TRUE(to) << error;
    add(*to, 1, 10);
  }
  auto to = writer();
  ASSERT_TRUE(to) << error;
  EXPECT_EQ(to->cutBytes(), 0u);
  add(*to, 10, 30);
  EXPECT_EQ(numbers(), upTo(30));
}

// Whatever a kill leaves of the last block: readers see what was flushed before, and the next
// writer goes on behind it.
TEST_F(Store, TornTailAtEveryByte) {
  size_t before = 0;
  {
    auto to = writer();
    ASSERT_TRUE(to) << error;
    add(*to, 1, 20);
    before = contents().size();
    add(*to, 20, 22);
  }
  const std::string whole = contents();
  for (size_t size = before; size < whole.size(); ++size) {
    setContents(whole.substr(0, size));
    EXPECT_EQ(numbers(), upTo(20)) << size;
    EXPECT_TRUE(problems.empty());
    auto store = llvm::cantFail(TestStore::open(file));
    EXPECT_EQ(store.layout().size - store.layout().end, size - before);
    auto to = writer();
    ASSERT_TRUE(to) << error;
    EXPECT_EQ(to->cutBytes(), size - before) << size;
    add(*to, 20, 25);
    EXPECT_EQ(numbers(), upTo(25)) << size;
  }
}

TEST_F(Store, TornBeforeTheFirstBlock) {
  {
    ASSERT_TRUE(writer());
  }
  const std::string whole = contents();
  for (size_t size = 0; size < whole.size(); ++size) {
    setContents(whole.substr(0, size));
    EXPECT_EQ(numbers(), upTo(1)) << size;
    auto to = writer();
    ASSERT_TRUE(to) << size << " " << error;
    add(*to, 1, 5);
    EXPECT_EQ(numbers(), upTo(5)) << size;
    EXPECT_EQ(llvm::cantFail(TestStore::open(file)).layout().head.arguments.size(), 3u);
  }
}

// One bit anywhere in a block: its tests are lost and named, those before and behind it are there.
TEST_F(Store, WrongChecksum) {
  std::vector<size_t> ends;
  {
    auto to = writer();
    ASSERT_TRUE(to) << error;
    for (unsigned i = 0; i < 3; ++i) {
      add(*to, 1 + 3 * i, 4 + 3 * i);
      ends.push_back(contents().size());
    }
  }
  const std::string whole = contents();
  for (size_t at = ends[0]; at < ends[1]; ++at) {
    std::string wrong = whole;
    wrong[at] = static_cast<char>(wrong[at] ^ 4);
    setContents(wrong);
    EXPECT_EQ(numbers(), (std::vector<uint64_t>{1, 2, 3, 7, 8, 9})) << at;
    auto tests = llvm::cantFail(Tests::open(path, Tests::Which::Tests));
    EXPECT_EQ(problems.size() + tests.damaged().size(), 1u) << at;
    auto to = writer();
    ASSERT_TRUE(to) << error;
    EXPECT_EQ(to->cutBytes(), 0u) << "what follows is not lost to a repair: " << at;
  }
  EXPECT_EQ(contents().size(), whole.size());
}

/// A machine that goes down can leave the length of a file without its bytes.
TEST_F(Store, LastBlockOfZeros) {
  size_t before = 0;
  {
    auto to = writer();
    ASSERT_TRUE(to) << error;
    add(*to, 1, 20);
    before = contents().size();
    add(*to, 20, 30);
  }
  std::string text = contents();
  for (size_t i = before + 50; i < text.size(); ++i) text[i] = 0;
  setContents(text);
  EXPECT_EQ(numbers(), upTo(20));
  auto to = writer();
  ASSERT_TRUE(to) << error;
  EXPECT_EQ(to->cutBytes(), text.size() - before);
  add(*to, 20, 22);
  EXPECT_EQ(numbers(), upTo(22));
}

TEST_F(Store, OneWriter) {
  auto first = writer();
  ASSERT_TRUE(first) << error;
  EXPECT_FALSE(writer());
  EXPECT_NE(error.find("another run is writing there"), std::string::npos) << error;
  add(*first, 1, 3);
  EXPECT_EQ(numbers(), upTo(3)) << "reading is always possible";
  first.reset();
  EXPECT_TRUE(writer());
}

TEST_F(Store, OthersAreRefused) {
  setContents("fathom tests 2 \n and more");
  EXPECT_FALSE(writer());
  EXPECT_NE(error.find("is a store of another version of Fathom"), std::string::npos) << error;
  setContents("something else, and long enough");
  EXPECT_FALSE(writer());
  EXPECT_NE(error.find("is no store of tests"), std::string::npos) << error;
  EXPECT_EQ(contents(), "something else, and long enough");
}

// A limit of file size stands for a full disk: what cannot be written is no part of the file.
TEST_F(Store, FailedFlushLeavesWhatWas) {
  signal(SIGXFSZ, SIG_IGN);
  auto to = writer();
  ASSERT_TRUE(to) << error;
  add(*to, 1, 3);
  const std::string before = contents();
  rlimit was{}, small{};
  getrlimit(RLIMIT_FSIZE, &was);
  small = was;
  small.rlim_cur = before.size() + 60; // the head of a block and a part of its records
  setrlimit(RLIMIT_FSIZE, &small);
  for (unsigned i = 3; i < 50; ++i) to->add(i, sample(i), "");
  llvm::Error failed = to->flush();
  setrlimit(RLIMIT_FSIZE, &was);
  EXPECT_TRUE(bool(failed));
  EXPECT_NE(llvm::toString(std::move(failed)).find("File too large"), std::string::npos);
  EXPECT_EQ(contents(), before);
  EXPECT_EQ(to->pending(), 0u);
  add(*to, 3, 5);
  EXPECT_EQ(numbers(), upTo(5));
}

// ---- folders and store together
// --------------------------------------------------------------------------------

namespace {

class Writer : public Store {
protected:
  Writer() { explore.arguments = {"prog"}, options.options = &explore; }
  /// Every tenth covers something new.
  static TestCase mixed(unsigned i) {
    TestCase t = sample(i);
    t.coversNew = i % 10 == 1;
    return t;
  }
  std::vector<std::string> dirs() {
    std::vector<std::string> out;
    auto tests = llvm::cantFail(Tests::open(path, Tests::Which::Tests));
    TestReader reader(tests);
    for (const Tests::Item &item : tests.items()) {
      out.push_back(item.dir + (item.inStore() ? " stored" : ""));
      auto test = reader.readWhole(item);
      EXPECT_TRUE(bool(test)) << llvm::toString(test.takeError());
      if (test) EXPECT_EQ(test->pathHash, sample(static_cast<unsigned>(item.number)).path);
    }
    return out;
  }
  FolderOptions options;
  ExploreOptions explore;
};

} // namespace

TEST_F(Writer, OneSequenceOfNumbers) {
  Directory root = folder();
  TestsWriter to;
  ASSERT_FALSE(bool(to.open(root, options)));
  for (unsigned i = 1; i <= 25; ++i) EXPECT_TRUE(llvm::cantFail(to.write(mixed(i), "")));
  EXPECT_EQ(to.number(), 25u);
  ASSERT_FALSE(bool(to.flush()));
  std::vector<std::string> expected;
  for (unsigned i = 1; i <= 25; ++i)
    expected.push_back(fmt::format("tests/{:06}{}", i, i % 10 == 1 ? "" : " stored"));
  EXPECT_EQ(dirs(), expected);
}

TEST_F(Writer, EachIntoItsFolder) {
  options.testFolders = true;
  Directory root = folder();
  TestsWriter to;
  ASSERT_FALSE(bool(to.open(root, options)));
  for (unsigned i = 1; i <= 3; ++i) EXPECT_TRUE(llvm::cantFail(to.write(mixed(i), "")));
  EXPECT_EQ(dirs(), (std::vector<std::string>{"tests/000001", "tests/000002", "tests/000003"}));
  EXPECT_FALSE(root.exists(kStoreName));
}

// What a folder holds and what is made of a stored test is the same, byte for byte.
TEST_F(Writer, FolderOfAStoredTest) {
  for (unsigned i = 1; i < 30; ++i) {
    const std::vector<std::string> arguments = {"prog"}, environment;
    const StoredTest stored = storedTest(sample(i), storedBug(i), arguments, environment);
    Directory root = folder();
    for (const char *name : {"a", "b", "c"}) ASSERT_FALSE(bool(root.remove(name)));
    auto direct = llvm::cantFail(root.create("a")), made = llvm::cantFail(root.create("b")),
         again = llvm::cantFail(root.create("c"));
    ASSERT_FALSE(bool(
        writeTest(direct, sample(i), inputsOf(sample(i), arguments, environment), storedBug(i))));
    ASSERT_FALSE(bool(writeTest(made, testCaseOf(stored), stored.inputs, stored.bug)));
    auto back = readWholeTest(direct.path(), /*isBug=*/false);
    ASSERT_TRUE(bool(back)) << llvm::toString(back.takeError());
    ASSERT_FALSE(bool(writeTest(again, testCaseOf(*back), back->inputs, back->bug)));
    for (const std::string &name : direct.entries()) {
      if (name == "files") continue;
      EXPECT_EQ(llvm::cantFail(readFile(made.path() + "/" + name)),
                llvm::cantFail(readFile(direct.path() + "/" + name)));
      EXPECT_EQ(llvm::cantFail(readFile(again.path() + "/" + name)),
                llvm::cantFail(readFile(direct.path() + "/" + name)));
    }
    EXPECT_EQ(made.entries(), direct.entries());
    EXPECT_EQ(again.entries(), direct.entries());
  }
}

TEST_F(Writer, ResumesBehindTheLastOfBoth) {
  std::string head;
  Directory root = folder();
  {
    TestsWriter to;
    ASSERT_FALSE(bool(to.open(root, options)));
    for (unsigned i = 1; i <= 15; ++i) EXPECT_TRUE(llvm::cantFail(to.write(mixed(i), "")));
    ASSERT_FALSE(bool(to.flush()));
    head = to.checkpointHead();
    for (unsigned i = 16; i <= 25; ++i) EXPECT_TRUE(llvm::cantFail(to.write(mixed(i), "")));
    // Killed: 16 to 21 are there, since 21 has a folder; 22 to 25 were waiting.
  }
  TestsWriter to;
  ASSERT_FALSE(bool(to.open(root, options)));
  fathom::ByteReader from(head);
  std::vector<uint64_t> stored, expected;
  ASSERT_FALSE(bool(to.resume(&from, stored)));
  for (unsigned i = 16; i <= 21; ++i) expected.push_back(sample(i).path);
  EXPECT_EQ(stored, expected);
  EXPECT_EQ(to.number(), 21u);
  for (unsigned i = 22; i <= 30; ++i) EXPECT_TRUE(llvm::cantFail(to.write(mixed(i), "")));
  ASSERT_FALSE(bool(to.flush()));
  EXPECT_EQ(dirs().size(), 30u);
}

TEST_F(Writer, OneTestOfTheStore) {
  Directory root = folder();
  TestsWriter to;
  ASSERT_FALSE(bool(to.open(root, options)));
  for (unsigned i = 1; i <= 5; ++i) EXPECT_TRUE(llvm::cantFail(to.write(mixed(i), "")));
  ASSERT_FALSE(bool(to.flush()));
  auto one = llvm::cantFail(Tests::open(path + "/tests/000003", Tests::Which::TestsAndBugs));
  ASSERT_EQ(one.items().size(), 1u);
  EXPECT_EQ(llvm::cantFail(TestReader(one).read(one.items()[0])).status, sample(3).status);
  EXPECT_TRUE(isInStore(path + "/tests/000003"));
  EXPECT_FALSE(isInStore(path + "/tests/000001")) << "that has its folder";
  auto none = llvm::cantFail(Tests::open(path + "/tests/000099", Tests::Which::TestsAndBugs));
  EXPECT_TRUE(none.items().empty());
}
