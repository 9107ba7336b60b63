// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "repair/Variants.h"

#include "repair/Tokens.h"

#include <charconv>
#include <fmt/format.h>

namespace fathom::repair {

/// As one line, without comments: after one of // everything else would be part of it.
static std::string joined(std::string_view expression) {
  std::string out;
  size_t end = 0;
  for (const Token &token : tokensOf(expression)) {
    if (token.begin > end) out += ' ';
    out += expression.substr(token.begin, token.end - token.begin);
    end = token.end;
  }
  return out;
}

/// A static assertion in C that the expression is an integer: in Clang's and GCC's numbering of
/// types, classes 1 to 4 are integers, characters, enumerations and truth values.
static std::string integerAssertion(const std::string &expression) {
  return fmt::format("_Static_assert(__builtin_classify_type({0}) >= 1 && "
                     "__builtin_classify_type({0}) <= 4, \"no integer\"); ",
                     expression);
}

std::string variantSource(std::string_view source, const Hole &hole,
                          const std::vector<std::string> &logged,
                          const std::vector<std::string> &candidates) {
  const std::string original = joined(hole.kind == HoleKind::Guard ? "1" : hole.original);
  std::string out = "(__extension__ ({ extern char *getenv(const char *); extern int atoi(const "
                    "char *); extern int open(const char *, int, ...); extern int dprintf(int, "
                    "const char *, ...); static int fathom_choice = -1, fathom_log = -1; static "
                    "unsigned fathom_logged; ";
  for (const std::string &place : logged) out += integerAssertion(place);
  if (hole.kind == HoleKind::Value) out += integerAssertion("(" + original + ")");
  // O_WRONLY | O_CREAT | O_APPEND
  out +=
      fmt::format("if (fathom_choice < 0) {{ char *fathom_text = getenv(\"{}\"); fathom_choice = "
                  "fathom_text ? atoi(fathom_text) : 0; fathom_text = getenv(\"{}\"); fathom_log "
                  "= fathom_text ? open(fathom_text, 02101, 0600) : -1; }} ",
                  kChoiceVariable, kLogVariable);
  std::string format = "S", values;
  for (const std::string &place : logged) {
    format += " %lld";
    values += fmt::format(", (long long)({})", place);
  }
  out += fmt::format("int fathom_isLogged = fathom_log >= 0 && fathom_logged < {}; if "
                     "(fathom_isLogged) {{ fathom_logged++; dprintf(fathom_log, \"{}\\n\"{}); }} ",
                     kMaxLogged, format, values);
  const char *truth = hole.kind == HoleKind::Value ? "" : "!!";
  out += fmt::format("long long fathom_value; switch (fathom_choice) {{ default: fathom_value = "
                     "{}({}); break; ",
                     truth, original);
  for (size_t i = 0; i < candidates.size(); ++i)
    out +=
        fmt::format("case {}: fathom_value = {}({}); break; ", i + 1, truth, joined(candidates[i]));
  out += "} if (fathom_isLogged) dprintf(fathom_log, \"R %lld\\n\", fathom_value); "
         "fathom_value; }))";
  // Lines that the original takes stay.
  for (const char c : hole.original)
    if (c == '\n' && hole.kind != HoleKind::Guard) out += c;
  return fill(source, hole, out);
}

static bool readNumbers(std::string_view line, std::vector<int64_t> &out) {
  const char *at = line.data(), *end = line.data() + line.size();
  while (at != end) {
    if (*at++ != ' ') return false;
    int64_t value = 0;
    const auto [stop, failed] = std::from_chars(at, end, value);
    if (failed != std::errc()) return false;
    out.push_back(value);
    at = stop;
  }
  return true;
}

std::vector<LoggedState> readLog(std::string_view text, size_t places) {
  std::vector<LoggedState> out;
  std::vector<size_t> open; ///< whose result is to come: evaluating may come here again
  while (!text.empty()) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) break;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    std::vector<int64_t> numbers;
    if (line.empty() || !readNumbers(line.substr(1), numbers)) continue;
    if (line[0] == 'S' && numbers.size() == places) {
      open.push_back(out.size());
      out.push_back({std::move(numbers), std::nullopt});
    } else if (line[0] == 'R' && numbers.size() == 1 && !open.empty()) {
      out[open.back()].result = numbers[0];
      open.pop_back();
    }
  }
  return out;
}

} // namespace fathom::repair
