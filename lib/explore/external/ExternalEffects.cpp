// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/external/ExternalEffects.h"

#include "fmt/format.h"

#include <algorithm>

namespace fathom::explore {

/// <string.h>: the group @string. memcpy, memmove and memset are single operations of the engine
/// where the compiler knows them.
static constexpr std::string_view kString = R"(
memccpy(inout 3, in 3, value, value) -> pointer 0 or null
memchr(in 2, value, value) -> pointer 0 or null
memcmp(in 2, in 2, value) -> value
memcpy(inout 2, in 2, value) -> parameter 0
memmem(in 1, value, in 3, value) -> pointer 0 or null
memmove(inout 2, in 2, value) -> parameter 0
mempcpy(inout 2, in 2, value) -> pointer 0
memrchr(in 2, value, value) -> pointer 0 or null
memset(inout 2, value, value) -> parameter 0
rawmemchr(in until 1, value) -> pointer 0
stpcpy(inout as 1, string) -> pointer 0
stpncpy(inout 2, string, value) -> pointer 0
strcasecmp(string, string) -> value
strcasestr(string, string) -> pointer 0 or null
strcat(inout, string) -> parameter 0
strchr(string, value) -> pointer 0 or null
strchrnul(string, value) -> pointer 0
strcmp(string, string) -> value
strcoll(string, string) -> value
strcpy(inout as 1, string) -> parameter 0
strcspn(string, string) -> length 0
strlcat(inout, string, value) -> value
strlcpy(inout 2, string, value) -> length 1
strlen(string) -> length 0
strncasecmp(string, string, value) -> value
strncat(inout, string, value) -> parameter 0
strncmp(string, string, value) -> value
strncpy(inout 2, string, value) -> parameter 0
strnlen(string, value) -> length 0
strpbrk(string, string) -> pointer 0 or null
strrchr(string, value) -> pointer 0 or null
strspn(string, string) -> length 0
strstr(string, string) -> pointer 0 or null
strverscmp(string, string) -> value
strxfrm(inout, string, value) -> value
# They allocate, keep what they were given, or return memory of their own.
strdup(string) inline
strndup(string, value) inline
strerror(value) inline
strerror_r(value, inout, value) inline
strsignal(value) inline
strsep(inout, string) inline
strtok(inout, string) inline
strtok_r(inout, string, inout) inline
)";

static constexpr std::string_view kOther = R"(
abs(value) -> value
atoi(string) -> value
atol(string) -> value
atoll(string) -> value
isalnum(value) -> value
isalpha(value) -> value
isblank(value) -> value
iscntrl(value) -> value
isdigit(value) -> value
isgraph(value) -> value
islower(value) -> value
isprint(value) -> value
ispunct(value) -> value
isspace(value) -> value
isupper(value) -> value
isxdigit(value) -> value
labs(value) -> value
tolower(value) -> value
toupper(value) -> value
strtol(string, inout, value) -> value errno
strtoll(string, inout, value) -> value errno
strtoul(string, inout, value) -> value errno
strtoull(string, inout, value) -> value errno
strtod(string, inout) -> value errno
strtof(string, inout) -> value errno
crc32(value, in 2, value) -> value
adler32(value, in 2, value) -> value
acos(value) -> value
asin(value) -> value
atan(value) -> value
atan2(value, value) -> value
cbrt(value) -> value
cos(value) -> value
cosh(value) -> value
exp(value) -> value
exp2(value) -> value
expm1(value) -> value
fmod(value, value) -> value
hypot(value, value) -> value
log(value) -> value
log10(value) -> value
log1p(value) -> value
log2(value) -> value
pow(value, value) -> value
sin(value) -> value
sinh(value) -> value
tan(value) -> value
tanh(value) -> value
# They call back into the program, end it, or work on what is not in memory.
qsort(inout, value, value, value) inline
bsearch(in, in, value, value, value) inline
exit(value) inline
abort() inline
malloc(value) inline
free(value) inline
calloc(value, value) inline
realloc(value, value) inline
)";

EffectTable::EffectTable() {
  add(kString);
  add(kOther);
}

const FunctionEffects *EffectTable::find(const std::string &function) const {
  auto it = functions_.find(function);
  return it == functions_.end() ? nullptr : &it->second;
}

namespace {

class LineParser {
public:
  explicit LineParser(std::string_view text) : rest_(text) {}

  std::string parse(std::string &name, FunctionEffects &out) {
    name = word();
    if (name.empty() || !take('(')) return "expected NAME(PARAMETERS)";
    if (!take(')')) {
      do {
        if (std::string wrong = parameter(out); !wrong.empty()) return wrong;
      } while (take(','));
      if (!take(')')) return "expected , or ) after a parameter";
    }
    if (rest_.starts_with("->")) {
      rest_.remove_prefix(2);
      if (std::string wrong = result(out); !wrong.empty()) return wrong;
    }
    for (std::string more = word(); !more.empty(); more = word())
      if (more == "inline")
        out.isInline = true;
      else if (more == "stateful")
        out.isStateful = true;
      else if (more == "errno")
        out.setsErrno = true;
      else
        return fmt::format("\"{}\": expected inline, stateful, errno or the end of the line", more);
    skip();
    if (!rest_.empty()) return fmt::format("\"{}\": expected the end of the line", rest_);
    return check(out);
  }

private:
  void skip() {
    while (!rest_.empty() && isspace(static_cast<unsigned char>(rest_[0]))) rest_.remove_prefix(1);
  }
  bool take(char c) {
    skip();
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    skip();
    return true;
  }
  std::string word() {
    skip();
    size_t n = 0;
    while (n < rest_.size() && (isalnum(static_cast<unsigned char>(rest_[n])) || rest_[n] == '_'))
      n++;
    std::string out(rest_.substr(0, n));
    rest_.remove_prefix(n);
    skip();
    return out;
  }
  /// A small number that comes next; -1: none does.
  int number() {
    skip();
    int value = -1;
    while (!rest_.empty() && isdigit(static_cast<unsigned char>(rest_[0])) && value < 1000) {
      value = std::max(value, 0) * 10 + (rest_[0] - '0');
      rest_.remove_prefix(1);
    }
    skip();
    return value;
  }
  std::string result(FunctionEffects &out) {
    const std::string kind = word();
    if (kind == "value" || kind == "void") return "";
    if (kind == "parameter")
      out.result = FunctionEffects::Parameter;
    else if (kind == "length")
      out.result = FunctionEffects::Length;
    else if (kind == "pointer")
      out.result = FunctionEffects::Pointer;
    else
      return fmt::format("result \"{}\": expected value, void, parameter N, length N or pointer N",
                         kind);
    out.of = number();
    if (out.of < 0) return fmt::format("expected the number of a parameter after \"{}\"", kind);
    if (out.result != FunctionEffects::Pointer || !rest_.starts_with("or ")) return "";
    word();
    if (word() != "null") return "expected null after \"or\"";
    out.result = FunctionEffects::PointerOrNull;
    return "";
  }
  std::string parameter(FunctionEffects &out) {
    const std::string kind = word();
    ParameterEffect p;
    if (kind == "string") {
      p.kind = ParameterEffect::String;
    } else if (kind == "in" || kind == "inout") {
      p.kind = ParameterEffect::Memory;
      p.written = kind == "inout";
      p.sizeFrom = number();
      if (p.sizeFrom < 0 && rest_.starts_with("until ")) {
        word();
        p.until = number();
        if (p.until < 0) return "expected the number of a parameter after \"until\"";
      }
      if (p.sizeFrom < 0 && rest_.starts_with("as ")) {
        word();
        p.sizeAs = number();
        if (p.sizeAs < 0) return "expected the number of a parameter after \"as\"";
      }
    } else if (kind != "value") {
      return fmt::format("parameter \"{}\": expected value, string, in or inout", kind);
    }
    out.parameters.push_back(p);
    return "";
  }
  static std::string check(const FunctionEffects &e) {
    auto kindOf = [&](int parameter) { return e.parameters[static_cast<size_t>(parameter)].kind; };
    const int count = static_cast<int>(e.parameters.size());
    for (const ParameterEffect &p : e.parameters) {
      if (p.sizeFrom >= count || (p.sizeFrom >= 0 && kindOf(p.sizeFrom) != ParameterEffect::Value))
        return fmt::format("parameter {} is no value that could be a size", p.sizeFrom);
      if (p.until >= count || (p.until >= 0 && kindOf(p.until) != ParameterEffect::Value))
        return fmt::format("parameter {} is no value that could be a byte", p.until);
      if (p.sizeAs >= count || (p.sizeAs >= 0 && kindOf(p.sizeAs) != ParameterEffect::String))
        return fmt::format("parameter {} is no string", p.sizeAs);
    }
    if (e.of >= count || (e.of >= 0 && e.result != FunctionEffects::Parameter &&
                          kindOf(e.of) == ParameterEffect::Value))
      return fmt::format("parameter {} is no memory that the result could be about", e.of);
    return "";
  }

  std::string_view rest_;
};

} // namespace

std::string EffectTable::add(std::string_view text) {
  for (size_t number = 1; !text.empty(); number++) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    line = line.substr(0, line.find('#'));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    std::string name;
    FunctionEffects effects;
    if (std::string wrong = LineParser(line).parse(name, effects); !wrong.empty())
      return fmt::format("line {}: {}", number, wrong);
    functions_[name] = std::move(effects);
  }
  return "";
}

/// The names of the described functions.
static void namesIn(std::string_view text, std::vector<std::string> &names) {
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (size_t end = line.find('('); end != std::string_view::npos && line[0] != '#')
      names.emplace_back(line.substr(0, end));
  }
}

std::string expandFunctionNames(std::string_view list, std::vector<std::string> &names) {
  while (!list.empty()) {
    std::string_view name = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), name.size() + 1));
    if (name == "@string")
      namesIn(kString, names);
    else if (name.empty())
      return "an empty name; expected f,g,... or @string";
    else if (name[0] == '@')
      return fmt::format("group {}: expected @string", name);
    else
      names.emplace_back(name);
  }
  return "";
}

} // namespace fathom::explore
