// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/explore/SymbolicArguments.h"

#include "run/Failure.h"

#include <fmt/format.h>

#include <charconv>

namespace fathom::run {

namespace {

struct FormOperand {
  const char *name;
  uint64_t min, max;
  bool isText = false;
};
struct Form {
  const char *name;
  std::vector<FormOperand> operands;
};

constexpr uint64_t kMaxArgumentBytes = 65536, kMaxArguments = 100,
                   kMaxFileBytes = uint64_t(64) << 20;

const std::vector<Form> &forms() {
  static const std::vector<Form> all = {
      {"--sym-arg", {{"LEN", 0, kMaxArgumentBytes}}},
      {"--sym-args",
       {{"MIN", 0, kMaxArguments}, {"MAX", 0, kMaxArguments}, {"LEN", 0, kMaxArgumentBytes}}},
      {"--sym-stdin", {{"N", 0, kMaxFileBytes}}},
      {"--sym-files", {{"COUNT", 1, 26}, {"SIZE", 0, kMaxFileBytes}}},
      {"--sym-env", {{"NAME", 0, 0, /*isText=*/true}, {"LEN", 0, kMaxArgumentBytes}}},
  };
  return all;
}

/// -sym-arg and --sym-arg are the same.
const Form *formOf(const std::string &word) {
  for (const Form &form : forms())
    if (word == form.name || word == form.name + 1) return &form;
  return nullptr;
}

std::string usage(const Form &form) {
  std::string text = form.name;
  for (const FormOperand &o : form.operands) text += fmt::format(" {}", o.name);
  return text;
}

/// Appends the description that starts at `at` in its long form; `at` ends after it.
llvm::Error takeOne(const Form &form, const std::vector<std::string> &words, size_t &at,
                    std::vector<std::string> &out) {
  size_t first = at++;
  std::vector<uint64_t> values;
  std::string written = form.name;
  for (const FormOperand &operand : form.operands) {
    if (at == words.size())
      return usageError(
          fmt::format("{}: {} is missing; expected {}", written, operand.name, usage(form)));
    const std::string &text = words[at];
    written += " " + text;
    if (operand.isText) {
      if (text.empty() || text[0] == '-' || text.find('=') != std::string::npos)
        return usageError(fmt::format("{}: {} is no name of a variable; expected {}", written,
                                      operand.name, usage(form)));
      values.push_back(0);
      ++at;
      continue;
    }
    uint64_t value = 0;
    bool negative =
        text.size() > 1 && text[0] == '-' && isdigit(static_cast<unsigned char>(text[1]));
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    bool isNumber = end == text.data() + text.size() &&
                    (error == std::errc() || error == std::errc::result_out_of_range);
    if (negative || text.empty() || !isNumber)
      return usageError(fmt::format("{}: {} is {}; expected {} with numbers that are not negative",
                                    written, operand.name, negative ? "negative" : "not a number",
                                    usage(form)));
    if (error != std::errc() || value < operand.min || value > operand.max)
      return usageError(fmt::format("{}: {} has to be between {} and {}", written, operand.name,
                                    operand.min, operand.max));
    values.push_back(value);
    ++at;
  }
  if (form.operands.size() == 3 && values[0] > values[1])
    return usageError(fmt::format("{}: MIN is {} and MAX is {}; MIN must not be greater", written,
                                  values[0], values[1]));
  out.push_back(form.name);
  for (size_t i = first + 1; i < at; ++i)
    out.push_back(form.operands[i - first - 1].isText ? words[i]
                                                      : std::to_string(values[i - first - 1]));
  return llvm::Error::success();
}

} // namespace

std::vector<const char *> symbolicOptions() {
  std::vector<const char *> names;
  for (const Form &form : forms()) names.push_back(form.name);
  return names;
}

llvm::Expected<std::vector<std::string>> takeSymbolic(std::vector<std::string> &arguments) {
  std::vector<std::string> rest, out;
  // --sym-arg=3 is --sym-arg 3; and several operands may stand in one word (TOML: sym-args = "0 2
  // 3").
  std::vector<std::string> words;
  for (const std::string &word : arguments) {
    size_t equals = word.find('=');
    const Form *form = equals == std::string::npos ? nullptr : formOf(word.substr(0, equals));
    if (!form) {
      words.push_back(word);
      continue;
    }
    words.push_back(form->name);
    for (size_t at = equals + 1; at <= word.size();) {
      size_t end = std::min(word.find(' ', at), word.size());
      if (end > at || word.size() == equals + 1) words.push_back(word.substr(at, end - at));
      at = end + 1;
    }
  }
  for (size_t at = 0; at < words.size();) {
    // One dash would be a bundle of short options here.
    const Form *form = words[at].rfind("--", 0) == 0 ? formOf(words[at]) : nullptr;
    if (!form) {
      rest.push_back(words[at++]);
      continue;
    }
    if (llvm::Error e = takeOne(*form, words, at, out)) return std::move(e);
  }
  arguments = std::move(rest);
  return out;
}

llvm::Expected<std::vector<std::string>>
normalizeArguments(const std::vector<std::string> &arguments) {
  std::vector<std::string> out;
  for (size_t at = 0; at < arguments.size();) {
    const std::string &word = arguments[at];
    if (const Form *form = formOf(word)) {
      if (llvm::Error e = takeOne(*form, arguments, at, out)) return std::move(e);
      continue;
    }
    std::string bare = word.substr(
        word.find_first_not_of('-') == std::string::npos ? 0 : word.find_first_not_of('-'));
    if (word.size() > bare.size() && bare.rfind("sym-", 0) == 0)
      return usageError(fmt::format("{}: not available; symbolic input is --sym-arg, --sym-args, "
                                    "--sym-stdin, --sym-files or --sym-env",
                                    word));
    out.push_back(word);
    ++at;
  }
  return out;
}

std::string mixedCommandLine(const std::vector<std::string> &arguments) {
  std::string line = arguments.empty() ? "" : arguments[0];
  bool anyKnown = false, anyUnknown = false;
  for (size_t at = 1; at < arguments.size(); ++at) {
    const std::string &word = arguments[at];
    if (const Form *form = formOf(word)) {
      const std::string &length = arguments[at + form->operands.size()];
      // They are checked: whole numbers, without signs and leading zeros.
      const std::string bytes = length + (length == "1" ? " byte" : " bytes");
      if (word == "--sym-arg") line += fmt::format(" [an argument of up to {}]", bytes);
      if (word == "--sym-args")
        line += fmt::format(" [{} to {} arguments of up to {}]", arguments[at + 1],
                            arguments[at + 2], bytes);
      anyUnknown |= word.starts_with("--sym-arg");
      at += form->operands.size();
      continue;
    }
    anyKnown = true;
    const bool plain = !word.empty() && word.find_first_of(" \t\n'\"\\$[]") == std::string::npos;
    line += plain ? " " + word : fmt::format(" {:?}", word);
  }
  return anyKnown && anyUnknown ? line : "";
}

llvm::Expected<bool> checkTogether(const std::vector<std::string> &arguments) {
  size_t inputs = 0, files = 0;
  for (const std::string &word : arguments) {
    inputs += word == "--sym-stdin";
    files += word == "--sym-files";
  }
  if (inputs > 1)
    return usageError("--sym-stdin: given several times; there is one standard input");
  if (files > 1)
    return usageError("--sym-files: given several times; give the number of files once");
  return inputs != 0;
}

} // namespace fathom::run
