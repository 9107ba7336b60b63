// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One budget of time for several checkers: every kind has a turn, and what is cut short is told.
#include "Analysed.h"

#include "evidence/BugKind.h"
#include "statics/checkers/Alarms.h"
#include "statics/checkers/Checkers.h"
#include "statics/translate/Translate.h"

#include <algorithm>

namespace fathom::statics {

using evidence::BugKind;
namespace {

TEST(Turns, EachHasAnEqualShareOfWhatIsLeft) {
  const std::atomic<bool> stop{false};
  double used = 0.25;
  Turns turns(stop, [&] { return used; }, 3);
  turns.begin(); // to 0.5
  EXPECT_FALSE(turns.isOver());
  used = 0.375;
  EXPECT_DOUBLE_EQ(turns.share(), 0.5);
  used = 0.4;    // leaves 0.1 of its turn
  turns.begin(); // to 0.7
  used = 0.69;
  EXPECT_FALSE(turns.isOver());
  used = 0.71;
  EXPECT_TRUE(turns.isOver());
  turns.begin(); // to the end
  EXPECT_FALSE(turns.isOver());
  used = 1;
  EXPECT_TRUE(turns.isOver());
}

TEST(Turns, NothingIsLeftOfATimeThatIsOver) {
  const std::atomic<bool> stop{false};
  Turns turns(stop, [] { return 1.5; }, 2);
  turns.begin();
  EXPECT_TRUE(turns.isOver());
}

TEST(Turns, WithoutATimeOnlyTheStopCounts) {
  std::atomic<bool> stop{false};
  Turns turns(stop);
  turns.begin();
  EXPECT_FALSE(turns.isOver());
  stop = true;
  EXPECT_TRUE(turns.isOver());
}

/// A hundred uses after free, and as many results of malloc that may be null.
std::string manyDefects() {
  std::string out = "declare ptr @malloc(i64)\ndeclare void @free(ptr)\n";
  for (int i = 0; i < 100; i++) {
    const std::string n = std::to_string(i);
    out += "define void @f" + n + "() {\n  %p = call ptr @malloc(i64 4)\n  store i32 1, ptr %p\n" +
           "  call void @free(ptr %p)\n  store i32 2, ptr %p\n  ret void\n}\n";
  }
  out += "define i32 @main(i32 %argc, ptr %argv) {\n";
  for (int i = 0; i < 100; i++) out += "  call void @f" + std::to_string(i) + "()\n";
  return out + "  ret i32 0\n}\n";
}

struct Looked {
  size_t uses = 0, nulls = 0;
  DefectKinds cut = 0;
};

/// \param looks  how often the time may be asked for until it is over.
Looked look(const Analysed &program, double looks) {
  const std::atomic<bool> stop{false};
  View view(*program.flow);
  Reports reports(1000);
  double asked = 0;
  Turns time(stop, [&] { return asked++ / looks; }, countCheckers(kEveryKind));
  CheckContext context{view, reports, time};
  Looked out;
  out.cut = runCheckers(context, kEveryKind);
  const std::vector<Report> found = reports.take();
  out.uses = static_cast<size_t>(std::ranges::count(found, BugKind::UseAfterFree, &Report::kind));
  out.nulls =
      static_cast<size_t>(std::ranges::count(found, BugKind::NullDereference, &Report::kind));
  return out;
}

TEST(Turns, NoCheckerTakesTheTimeOfAllOthers) {
  const Analysed program(manyDefects());
  const Looked all = look(program, 1e9);
  EXPECT_EQ(all.uses, 100u);
  EXPECT_EQ(all.nulls, 100u);
  EXPECT_EQ(all.cut, 0u);
  // So little that none of the two is done.
  const Looked some = look(program, 250);
  EXPECT_GT(some.uses, 0u);
  EXPECT_LT(some.uses, 100u);
  EXPECT_GT(some.nulls, 0u);
  EXPECT_LT(some.nulls, 100u);
  for (const BugKind kind : {BugKind::UseAfterFree, BugKind::NullDereference})
    EXPECT_TRUE(some.cut >> unsigned(kind) & 1);
}

const char *const kOutside = R"(
define void @surely() {
  %a = alloca [4 x i8]
  %q = getelementptr i8, ptr %a, i64 9
  store i8 1, ptr %q
  ret void
}
define i32 @main(i32 %argc, ptr %argv) {
  %a = alloca [4 x i8]
  %i = zext i32 %argc to i64
  %p = getelementptr i8, ptr %a, i64 %i
  store i8 1, ptr %p
  call void @surely()
  ret i32 0
}
)";

/// Functions with a write outside, by a run that has used so much of its time from the beginning.
std::vector<std::string> outside(double used) {
  const Analysed program(kOutside);
  llvm::SMDiagnostic error;
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(kOutside, error, context);
  EXPECT_TRUE(module) << error.getMessage().str();
  const abstract::AbstractProgram translated = translate(*module, {});
  const abstract::AnalysisResult result = abstract::analyse(translated, {}, [&] { return used; });
  const std::atomic<bool> stop{false};
  View view(*program.flow);
  Reports reports(1000);
  Turns time(stop);
  CheckContext check{view, reports, time};
  reportAlarms(check, translated, result, kEveryKind);
  std::vector<std::string> out;
  for (const Report &report : reports.take())
    if (report.kind == BugKind::OutOfBoundsWrite) out.push_back(report.sink().function);
  std::ranges::sort(out);
  return out;
}

TEST(Turns, OfAlarmsThatAreCutShortOnlyWhatIsCertainIsReported) {
  EXPECT_EQ(outside(0), (std::vector<std::string>{"main", "surely"}));
  // Too late for calls in their callers' states: each function on its own.
  EXPECT_EQ(outside(0.99), (std::vector<std::string>{"surely"}));
}

} // namespace
} // namespace fathom::statics
