// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/external/ExternalEffects.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace fathom::explore;

TEST(ExternalEffects, LinesSayWhatIsReadWrittenAndReturned) {
  EffectTable table;
  ASSERT_EQ(table.add("# comment\n\n"
                      "fetch(value, in 0, inout as 3, string) -> pointer 1 or null # why\n"
                      "size_of(inout)->length 0\n"
                      "same(string) -> parameter 0\n"
                      "nothing()\n"
                      "odd(value) inline\n"),
            "");
  const FunctionEffects *fetch = table.find("fetch");
  ASSERT_TRUE(fetch);
  ASSERT_EQ(fetch->parameters.size(), 4u);
  EXPECT_EQ(fetch->parameters[0].kind, ParameterEffect::Value);
  EXPECT_EQ(fetch->parameters[1].kind, ParameterEffect::Memory);
  EXPECT_FALSE(fetch->parameters[1].written);
  EXPECT_EQ(fetch->parameters[1].sizeFrom, 0);
  EXPECT_TRUE(fetch->parameters[2].written);
  EXPECT_EQ(fetch->parameters[2].sizeAs, 3);
  EXPECT_EQ(fetch->parameters[3].kind, ParameterEffect::String);
  EXPECT_EQ(fetch->result, FunctionEffects::PointerOrNull);
  EXPECT_EQ(fetch->of, 1);
  EXPECT_EQ(table.find("size_of")->result, FunctionEffects::Length);
  EXPECT_EQ(table.find("same")->result, FunctionEffects::Parameter);
  EXPECT_TRUE(table.find("nothing")->parameters.empty());
  EXPECT_TRUE(table.find("odd")->isInline);
  EXPECT_FALSE(table.find("even"));
  ASSERT_EQ(table.add("odd(value) -> value"), "") << "a later one counts";
  EXPECT_FALSE(table.find("odd")->isInline);
}

TEST(ExternalEffects, WhatIsWrongIsSaidWithItsLine) {
  struct {
    const char *text, *wrong;
  } const kCases[] = {
      {"f(value", "line 1: expected , or ) after a parameter"},
      {"\n\nf", "line 3: expected NAME(PARAMETERS)"},
      {"f(pointer)", "line 1: parameter \"pointer\": expected value, string, in or inout"},
      {"f(in 1)", "line 1: parameter 1 is no value that could be a size"},
      {"f(in 0)", "line 1: parameter 0 is no value that could be a size"},
      {"f(in until)", "line 1: expected , or ) after a parameter"},
      {"f(in until x)", "line 1: expected the number of a parameter after \"until\""},
      {"f(in until 1, in)", "line 1: parameter 1 is no value that could be a byte"},
      {"f(inout as 1, in)", "line 1: parameter 1 is no string"},
      {"f(value) -> pointer 0", "line 1: parameter 0 is no memory that the result could be about"},
      {"f(in) -> pointer", "line 1: expected the number of a parameter after \"pointer\""},
      {"f(in) -> pointer 0 or so", "line 1: expected null after \"or\""},
      {"f(in) -> int",
       "line 1: result \"int\": expected value, void, parameter N, length N or pointer N"},
      {"f() outline",
       "line 1: \"outline\": expected inline, stateful, errno or the end of the line"},
  };
  for (auto &c : kCases) EXPECT_EQ(EffectTable().add(c.text), c.wrong) << c.text;
}

TEST(ExternalEffects, WhatIsSaidAfterIt) {
  EffectTable table;
  ASSERT_EQ(table.add("f(value) -> value stateful errno\ng() inline\nh()"), "");
  EXPECT_TRUE(table.find("f")->isStateful && table.find("f")->setsErrno);
  EXPECT_FALSE(table.find("f")->isInline);
  EXPECT_TRUE(table.find("g")->isInline);
  EXPECT_FALSE(table.find("h")->isStateful || table.find("h")->setsErrno);
  EXPECT_TRUE(table.find("strtol")->setsErrno);
}

TEST(ExternalEffects, GroupsStandForTheirFunctions) {
  std::vector<std::string> names;
  ASSERT_EQ(expandFunctionNames("mine,@string", names), "");
  EXPECT_EQ(names[0], "mine");
  for (const char *name : {"strchr", "memcmp", "strncpy", "strtok"})
    EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
  EXPECT_EQ(std::count(names.begin(), names.end(), "strtol"), 0);
  EffectTable table;
  for (size_t i = 1; i < names.size(); ++i) EXPECT_TRUE(table.find(names[i])) << names[i];
  EXPECT_EQ(expandFunctionNames("@strings", names), "group @strings: expected @string");
  EXPECT_EQ(expandFunctionNames("a,,b", names), "an empty name; expected f,g,... or @string");
}
