// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Library functions that take no null pointer, may return one, or open and close files.
#include "statics/checkers/View.h"

#include <algorithm>
#include <iterator>

namespace fathom::statics {

namespace {

constexpr ArgumentSet kFirst = 1, kSecond = 2, kThird = 4, kFourth = 8;

constexpr LibraryCall takes(std::string_view name, ArgumentSet dereferenced,
                            bool mayReturnNull = false) {
  return {.name = name, .dereferenced = dereferenced, .mayReturnNull = mayReturnNull};
}
constexpr LibraryCall finds(std::string_view name, ArgumentSet dereferenced) {
  return takes(name, dereferenced, /*mayReturnNull=*/true);
}
constexpr LibraryCall opens(std::string_view name, ArgumentSet dereferenced) {
  return {.name = name, .dereferenced = dereferenced, .mayReturnNull = true, .opens = true};
}
constexpr LibraryCall opensNumber(std::string_view name, ArgumentSet dereferenced = 0) {
  return {.name = name, .dereferenced = dereferenced, .opensNumber = true};
}
constexpr LibraryCall closes(std::string_view name, ArgumentSet dereferenced = kFirst) {
  return {.name = name, .dereferenced = dereferenced, .released = kFirst};
}

constexpr LibraryCall kCalls[] = {
    finds("malloc", 0),
    finds("calloc", 0),
    finds("realloc", 0),
    finds("reallocarray", 0),
    finds("aligned_alloc", 0),
    finds("strdup", kFirst),
    finds("strndup", kFirst),
    finds("strchr", kFirst),
    finds("strrchr", kFirst),
    finds("strstr", kFirst | kSecond),
    finds("strpbrk", kFirst | kSecond),
    finds("memchr", kFirst),
    finds("bsearch", kFirst),
    finds("getenv", kFirst),
    finds("fgets", kFirst | kThird),
    finds("getcwd", 0),
    finds("realpath", kFirst),
    finds("strtok", kSecond),
    finds("getpwnam", kFirst),
    finds("getpwuid", 0),
    finds("getgrnam", kFirst),
    finds("getgrgid", 0),
    finds("localtime", kFirst),
    finds("gmtime", kFirst),
    finds("readdir", kFirst),
    opens("fopen", kFirst | kSecond),
    opens("fdopen", kSecond),
    opens("tmpfile", 0),
    opens("popen", kFirst | kSecond),
    opens("opendir", kFirst),
    opens("fdopendir", 0),
    opensNumber("open", kFirst),
    opensNumber("openat", kSecond),
    opensNumber("creat", kFirst),
    opensNumber("socket"),
    opensNumber("accept"),
    opensNumber("dup"),
    opensNumber("mkstemp", kFirst),
    closes("fclose"),
    closes("pclose"),
    closes("closedir"),
    closes("close", 0),
    takes("strlen", kFirst),
    takes("strcmp", kFirst | kSecond),
    takes("strncmp", kFirst | kSecond),
    takes("strcasecmp", kFirst | kSecond),
    takes("strncasecmp", kFirst | kSecond),
    takes("strcpy", kFirst | kSecond),
    takes("strncpy", kFirst | kSecond),
    takes("stpcpy", kFirst | kSecond),
    takes("strcat", kFirst | kSecond),
    takes("strncat", kFirst | kSecond),
    takes("strspn", kFirst | kSecond),
    takes("strcspn", kFirst | kSecond),
    takes("atoi", kFirst),
    takes("atol", kFirst),
    takes("atof", kFirst),
    takes("strtol", kFirst),
    takes("strtoul", kFirst),
    takes("puts", kFirst),
    takes("fputs", kFirst | kSecond),
    takes("fputc", kSecond),
    takes("putc", kSecond),
    takes("fprintf", kFirst | kSecond),
    takes("vfprintf", kFirst | kSecond),
    takes("printf", kFirst),
    takes("sprintf", kFirst | kSecond),
    takes("snprintf", kThird),
    takes("sscanf", kFirst | kSecond),
    takes("fscanf", kFirst | kSecond),
    takes("fgetc", kFirst),
    takes("getc", kFirst),
    takes("ungetc", kSecond),
    takes("fread", kFourth),
    takes("fwrite", kFourth),
    takes("feof", kFirst),
    takes("ferror", kFirst),
    takes("fseek", kFirst),
    takes("ftell", kFirst),
    takes("rewind", kFirst),
    takes("fileno", kFirst),
    takes("getline", kFirst | kSecond | kThird),
    takes("qsort", kFourth),
    takes("unlink", kFirst),
    takes("rename", kFirst | kSecond),
    takes("stat", kFirst | kSecond),
    takes("lstat", kFirst | kSecond),
    takes("fstat", kSecond),
};

} // namespace

const LibraryCall *findLibraryCall(std::string_view name) {
  const auto *at = std::find_if(std::begin(kCalls), std::end(kCalls),
                                [&](const LibraryCall &c) { return c.name == name; });
  return at == std::end(kCalls) ? nullptr : at;
}

} // namespace fathom::statics
