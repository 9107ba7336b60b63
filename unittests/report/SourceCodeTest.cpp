// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code without what does not change what it does.
#include "report/SourceCode.h"

#include "support/WriteFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

#include <gtest/gtest.h>

using namespace fathom;
using report::SourceCode;

namespace {

/// The code of one text.
class Code {
public:
  explicit Code(const std::string &text) {
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("code", "c", path_));
    EXPECT_FALSE(writeFile(path_.str().str(), text));
  }
  ~Code() { llvm::sys::fs::remove(path_); }
  Code(const Code &) = delete;
  std::string line(uint32_t number, uint32_t column = 0) {
    return code_.line(path_.str().str(), number, column);
  }
  std::string around(uint32_t number, const std::string &name = "") {
    return code_.around(path_.str().str(), number, name);
  }

private:
  llvm::SmallString<128> path_;
  report::SourceLines lines_;
  SourceCode code_{lines_};
};

} // namespace

TEST(SourceCode, ALineIsItsWords) {
  Code code("  x  =a+ \"a  b\"; // why\n\tx=/* here */ a +\"a  b\" ;\nx = b;\n");
  EXPECT_EQ(code.line(1), "x = a + \"a  b\" ;");
  EXPECT_EQ(code.line(1), code.line(2));
  EXPECT_NE(code.line(1), code.line(3));
  EXPECT_EQ(code.line(3, 5), "b ;");
  EXPECT_EQ(code.line(3, 50), "");
  EXPECT_EQ(code.line(9), "");
}

TEST(SourceCode, AFunctionIsTheSameUnderAnotherNameAndOnOtherLines) {
  Code was("int before;\nint f(int a) {\n  if (a) return 1;\n  return f(a - 1);\n}\n");
  Code is("\n\n/* { */ int g(int a)\n{ // g's\n  if (a)\n    return 1;\n  return g(a - 1); }\nint "
          "x;\n");
  EXPECT_EQ(was.around(3, "f"), is.around(6, "g"));
  EXPECT_EQ(was.around(2, "f"), was.around(5, "f"));
  EXPECT_NE(was.around(3, "g"), is.around(6, "g"));
  EXPECT_NE(was.around(1), was.around(3));
}

TEST(SourceCode, BracesOfBothSidesOfAConditionCountOnce) {
  Code code("#include <a.h>\nint f(void) {\n#ifdef A\n  if (a) {\n#else\n  if (b) {\n#endif\n"
            "    c = '}' + \"}\"[0];\n  }\n}\nint g(void) { return 2; }\n");
  EXPECT_EQ(code.around(2), code.around(10));
  EXPECT_EQ(code.around(11), "int\ng\n(\nvoid\n)\n{\nreturn\n2\n;\n}\n");
  // The condition is part of the code.
  EXPECT_NE(code.around(3).find("#ifdef A"), std::string::npos);
}

TEST(SourceCode, WhatIsNotThereHasNoCode) {
  report::SourceLines lines;
  SourceCode code(lines);
  EXPECT_EQ(code.line("no such file", 1), "");
  EXPECT_EQ(code.around("no such file", 1, ""), "");
  // Text that ends in the middle of everything.
  Code cut("int f(void) { return \"abc\n/* { ");
  EXPECT_NE(cut.around(1), "");
  EXPECT_EQ(Code("").around(1), "");
}

TEST(SourceCode, CodeForCppIsNoLevelOfItsOwn) {
  Code code("extern \"C\" {\nint f(void) { return 1; }\nint g(void) { return 2; }\n}\n");
  EXPECT_EQ(code.around(3), "int\ng\n(\nvoid\n)\n{\nreturn\n2\n;\n}\n");
}
