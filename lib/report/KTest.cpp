// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/KTest.h"

#include "llvm/Support/Endian.h"

#include <fmt/format.h>

namespace fathom::report {

static void put(std::string &out, uint32_t value) {
  char bytes[4];
  llvm::support::endian::write32be(bytes, value);
  out.append(bytes, 4);
}

static void put(std::string &out, const std::string &block) {
  put(out, static_cast<uint32_t>(block.size()));
  out += block;
}

std::string encodeKTest(const KTest &test) {
  std::string out = "KTEST";
  put(out, 3);
  put(out, static_cast<uint32_t>(test.arguments.size()));
  for (const std::string &a : test.arguments) put(out, a);
  put(out, test.symArgvs);
  put(out, test.symArgvLen);
  put(out, static_cast<uint32_t>(test.objects.size()));
  for (const KTestObject &o : test.objects) {
    put(out, o.name);
    put(out, o.bytes);
  }
  return out;
}

namespace {
/// Takes numbers and blocks off the front; after the first that is not there, `ok` stays false.
struct Reader {
  llvm::StringRef all, rest;
  bool ok = true;

  uint32_t number() {
    if (!ok || rest.size() < 4) return ok = false;
    uint32_t value = llvm::support::endian::read32be(rest.data());
    rest = rest.drop_front(4);
    return value;
  }
  std::string block() {
    uint32_t size = number();
    if (!ok || rest.size() < size) {
      ok = false;
      return {};
    }
    std::string out = rest.take_front(size).str();
    rest = rest.drop_front(size);
    return out;
  }
  size_t offset() const { return all.size() - rest.size(); }
};
} // namespace

llvm::Expected<KTest> decodeKTest(llvm::StringRef data) {
  auto fail = [](const std::string &message) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
  };
  // BOUT is what KLEE called it before.
  if (!data.starts_with("KTEST") && !data.starts_with("BOUT\n"))
    return fail("not a .ktest file: it does not start with KTEST");
  Reader reader{data, data.drop_front(5)};
  KTest test;
  test.version = reader.number();
  if (reader.ok && (test.version < 1 || test.version > 3))
    return fail(fmt::format(".ktest version is {}, expected 1 to 3", test.version));
  for (uint32_t n = reader.number(); reader.ok && n; --n) test.arguments.push_back(reader.block());
  if (test.version >= 2) {
    test.symArgvs = reader.number();
    test.symArgvLen = reader.number();
  }
  for (uint32_t n = reader.number(); reader.ok && n; --n) {
    KTestObject object;
    object.name = reader.block();
    if (!object.name.empty() && object.name.back() == '\0') object.name.pop_back();
    object.bytes = reader.block();
    test.objects.push_back(std::move(object));
  }
  if (!reader.ok) return fail(fmt::format(".ktest file is cut short at byte {}", reader.offset()));
  return test;
}

} // namespace fathom::report
