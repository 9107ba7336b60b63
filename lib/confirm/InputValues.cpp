// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/InputValues.h"

#include "evidence/Input.h"
#include "support/NumberText.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace fathom::confirm {

using evidence::InputKind;

using namespace explore;

/// Which input of the program the model's symbol stands for; "": it is none of the model's. The
/// arguments are one.
static std::string inputOfSymbol(std::string_view symbol) {
  const auto isNumber = [](std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  };
  if (symbol == "n_args" || (symbol.starts_with("arg") && isNumber(symbol.substr(3))))
    return "arguments";
  if (symbol == "stdin") return "standard input";
  if (symbol.size() == 6 && symbol.ends_with("-data"))
    return fmt::format("file {}", symbol.substr(0, 1));
  return "";
}

/// One input: what it is called, what symbols of it are said to be of (partOf), and what it is.
struct ProgramInput {
  std::string name, part, text;
  bool isVariable = false;
};

/// "NAME" of "has_NAME", the model's symbol for whether the variable is set; "": it is another one.
static std::string_view variableAskedFor(std::string_view symbol) {
  constexpr std::string_view kPrefix = "has_";
  return symbol.starts_with(kPrefix) ? symbol.substr(kPrefix.size()) : std::string_view();
}

/// What a C program sees of the bytes.
static std::vector<uint8_t> upToZero(const std::vector<uint8_t> &data) {
  return {data.begin(), std::ranges::find(data, uint8_t(0))};
}

static std::string textOf(const std::vector<uint8_t> &data) {
  const bool isZero = std::ranges::all_of(data, [](uint8_t b) { return b == 0; });
  return isZero && !data.empty() ? counted(data.size(), "zero byte") : quotedText(data);
}

static std::vector<ProgramInput> programInputs(const TestCase &test) {
  std::vector<ProgramInput> out;
  const auto add = [&](std::string name, std::string part, const std::vector<uint8_t> &data) {
    out.push_back({std::move(name), std::move(part), textOf(data)});
  };
  for (const evidence::Input &input : test.inputs) {
    const auto &[kind, name] = input.id;
    if (kind == InputKind::Argument && name != "0")
      add("argument " + name, "arguments", upToZero(input.data));
    if (kind == InputKind::StandardInput) add("standard input", "standard input", input.data);
    if (kind == InputKind::File) add("file " + name, "file " + name, input.data);
    if (kind == InputKind::Environment) {
      std::vector<uint8_t> value = upToZero(input.data);
      value.erase(value.begin(),
                  value.begin() + static_cast<ptrdiff_t>(std::min(name.size() + 1, value.size())));
      out.push_back({"variable " + name, name, textOf(value), /*isVariable=*/true});
    }
  }
  // One that is not set is no input, but that it is not takes the path.
  for (const SymbolValue &symbol : test.symbols) {
    const std::string name(variableAskedFor(symbol.name));
    const bool isUnset = symbol.data.size() == 1 && symbol.data[0] == 0;
    if (!name.empty() && isUnset && std::ranges::find(out, name, &ProgramInput::part) == out.end())
      out.push_back({"variable " + name, name, "not set", /*isVariable=*/true});
  }
  return out;
}

PathValues inputValues(const TestCase &test, const std::vector<ValueUse> &uses) {
  const std::vector<ProgramInput> inputs = programInputs(test);
  const auto isVariable = [&](std::string_view name) {
    return std::ranges::any_of(
        inputs, [&](const ProgramInput &input) { return input.isVariable && input.part == name; });
  };
  const auto partOf = [&](std::string_view symbol) {
    const std::string_view asked = variableAskedFor(symbol);
    const std::string_view name = asked.empty() ? symbol : asked;
    return isVariable(name) ? std::string(name) : inputOfSymbol(symbol);
  };
  std::vector<std::string> parts;
  std::vector<SymbolValue> others;
  const auto addPart = [&](std::string part) {
    if (!part.empty() && std::ranges::find(parts, part) == parts.end())
      parts.push_back(std::move(part));
  };
  for (const ValueUse &use : uses)
    if (std::ranges::find(test.symbols, use.symbol, &SymbolValue::name) != test.symbols.end())
      addPart(partOf(use.symbol));
  const bool isAll = parts.empty();
  for (const SymbolValue &symbol : test.symbols) {
    std::string part = partOf(symbol.name);
    if (part.empty())
      others.push_back(symbol);
    else if (isAll)
      addPart(std::move(part));
  }
  PathValues out = pathValues(others, uses);
  const bool othersDecide = std::ranges::any_of(uses, [&](const ValueUse &use) {
    return std::ranges::find(others, use.symbol, &SymbolValue::name) != others.end();
  });
  if (!isAll && !othersDecide) {
    out.others += out.shown.size() + out.more;
    out.more = 0;
    out.shown.clear();
  }
  std::vector<std::pair<std::string, std::string>> shown;
  for (const std::string &part : parts) {
    const size_t before = shown.size();
    for (const ProgramInput &input : inputs)
      if (input.part == part) shown.emplace_back(input.name, input.text);
    if (shown.size() == before && part == "arguments") shown.emplace_back("arguments", "none");
  }
  for (const ProgramInput &input : inputs)
    out.others += std::ranges::find(parts, input.part) == parts.end() &&
                  std::ranges::any_of(test.symbols, [&](const SymbolValue &symbol) {
                    return partOf(symbol.name) == input.part;
                  });
  shown.insert(shown.end(), out.shown.begin(), out.shown.end());
  if (shown.size() > kMaxShown) {
    out.more += shown.size() - kMaxShown;
    shown.resize(kMaxShown);
  }
  out.shown = std::move(shown);
  return out;
}

} // namespace fathom::confirm
