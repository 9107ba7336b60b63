// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files in and out of our fragment; random problems are answered as the z3 binary answers them, and
// models are checked by giving them back to Z3 as assertions.
#include "SolverTestUtil.h"

#include "solver/SmtLibFile.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <unistd.h>

using namespace fathom;
using namespace fathom::solver;
using namespace fathom::expr;
using namespace std::chrono_literals;

namespace {

struct SmtLib : testing::Test {
  std::string path = testing::TempDir() + "fathom-smt-" + std::to_string(getpid()) + ".smt2";
  ~SmtLib() override { std::remove(path.c_str()); }
  void write(const std::string &text) { std::ofstream(path) << text; }
  SmtLibAnswer solve(const std::string &text) {
    write(text);
    auto answer = solveSmtLibFile(path, {}, 20000ms);
    EXPECT_TRUE(bool(answer));
    return answer ? *answer : (llvm::consumeError(answer.takeError()), SmtLibAnswer());
  }
  std::string z3(const std::string &text) {
    write(text);
    FILE *p = popen(("z3 " + path).c_str(), "r");
    char line[64] = "";
    if (p && std::fgets(line, sizeof line, p))
      line[std::string_view(line).find_last_not_of('\n') + 1] = 0;
    if (p) pclose(p);
    return line;
  }
};

const char *kDeclarations =
    "(set-logic QF_ABV)(declare-const x (_ BitVec 32))(declare-const y (_ BitVec "
    "13))(declare-const |odd name| Bool)"
    "(declare-const z (_ BitVec 200))(declare-const a (Array (_ BitVec 64) (_ BitVec 8)))";

TEST_F(SmtLib, InOurFragment) {
  const char *assertions[] = {
      "(assert (= (bvmul x x) #x00000051))(assert (bvugt x #x00000100))",
      "(assert (and |odd name| (distinct ((_ extract 12 0) x) y) (= ((_ rotate_left 3) y) ((_ "
      "repeat 13) #b1))))",
      "(assert (= (bvadd z (_ bv1 200)) (_ bv0 200)))(assert (=> |odd name| (bvslt ((_ sign_extend "
      "19) y) x)))",
      "(assert (bvult (select a #x0000000000000003) (select a #xffffffffffffff00)))(assert (= "
      "(select a #x0000000000000003) #x41))",
      "(assert (xor |odd name| (= x (concat (bvnand y y) ((_ zero_extend 6) y)))))(assert (= "
      "(bvcomp y #b0000000000001) #b1))",
  };
  for (std::string body : assertions) {
    SmtLibAnswer a = solve(kDeclarations + body + "(check-sat)");
    EXPECT_TRUE(a.byChain) << body;
    ASSERT_EQ(a.kind, AnswerKind::Sat) << body << a.reason;
    // Feed the model back: definitions instead of declarations.
    std::string back = "(set-logic ALL)" + a.model;
    for (auto [name, sort] : {std::pair{"x", "(_ BitVec 32)"},
                              {"y", "(_ BitVec 13)"},
                              {"|odd name|", "Bool"},
                              {"z", "(_ BitVec 200)"},
                              {"a", "(Array (_ BitVec 64) (_ BitVec 8))"}})
      if (a.model.find(std::string("(define-fun ") + name + " ") == std::string::npos)
        back += std::string("(declare-const ") + name + " " + sort + ")";
    EXPECT_EQ(z3(back + body + "(check-sat)"), "sat") << a.model;
  }
  EXPECT_EQ(solve(std::string(kDeclarations) + "(assert (bvult x x))(check-sat)").kind,
            AnswerKind::Unsat);
}

TEST_F(SmtLib, OutsideOfOurFragment) {
  SmtLibAnswer a = solve("(declare-const i Int)(assert (> i 3))(check-sat)");
  EXPECT_FALSE(a.byChain);
  EXPECT_EQ(a.kind, AnswerKind::Sat);
  EXPECT_NE(a.model.find('i'), std::string::npos);
  a = solve("(declare-const a (Array (_ BitVec 64) (_ BitVec 8)))(declare-const i (_ BitVec 64))"
            "(assert (not (= (select a i) (select a i))))(check-sat)");
  EXPECT_EQ(a.kind, AnswerKind::Unsat);
  a = solve("(declare-fun f ((_ BitVec 8)) (_ BitVec 8))(assert (distinct (f #x01) (f "
            "#x01)))(check-sat)");
  EXPECT_FALSE(a.byChain);
  EXPECT_EQ(a.kind, AnswerKind::Unsat);
}

TEST_F(SmtLib, ErrorsNameTheFile) {
  auto missing = solveSmtLibFile("/nonexistent/file.smt2", {}, 1000ms);
  ASSERT_FALSE(bool(missing));
  EXPECT_EQ(llvm::toString(missing.takeError()), "/nonexistent/file.smt2: cannot be read");
  write("(assert (bvult x");
  auto broken = solveSmtLibFile(path, {}, 1000ms);
  ASSERT_FALSE(bool(broken));
  EXPECT_NE(llvm::toString(broken.takeError()).find("is not SMT-LIB2"), std::string::npos);
}

TEST_F(SmtLib, RandomProblemsAsTheZ3Binary) {
  ExprContext c;
  Rng rng(21);
  test::RandomConditions conditions(c, rng, 4);
  for (int n = 0; n < 40; ++n) {
    std::string text = "(set-logic QF_ABV)(declare-const in (Array (_ BitVec 64) (_ BitVec 8)))";
    for (unsigned i = 0; i < 1 + rng.below(5); ++i) {
      ExprPtr e = conditions.goal();
      if (toString(e).find("table") == std::string::npos && !e->has(kHasFreeIndexRead))
        text += "(assert " + toString(e) + ")";
    }
    text += "(check-sat)";
    std::string want = z3(text);
    SmtLibAnswer got = solve(text);
    EXPECT_TRUE(got.byChain) << text;
    EXPECT_EQ(got.kind == AnswerKind::Sat ? "sat" : "unsat", want) << text;
  }
}

} // namespace
