// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Process.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace fathom::cc {

static std::vector<char *> argvOf(const Command &command) {
  std::vector<char *> argv;
  for (const std::string &argument : command) argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);
  return argv;
}

static int run(const Command &command, const posix_spawn_file_actions_t *actions) {
  pid_t child;
  if (int error = posix_spawnp(&child, command[0].c_str(), actions, nullptr, argvOf(command).data(),
                               environ)) {
    std::fprintf(stderr, "fathom-cc: error: cannot run %s: %s\n", command[0].c_str(),
                 std::strerror(error));
    return 127;
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return 127;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int run(const Command &command) {
  return run(command, static_cast<const posix_spawn_file_actions_t *>(nullptr));
}

int run(const Command &command, const std::string &errorFile) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errorFile.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int status = run(command, &actions);
  posix_spawn_file_actions_destroy(&actions);
  return status;
}

int become(const Command &command) {
  std::fflush(nullptr);
  execvp(command[0].c_str(), argvOf(command).data());
  std::fprintf(stderr, "fathom-cc: error: cannot run %s: %s\n", command[0].c_str(),
               std::strerror(errno));
  return 127;
}

std::string shellQuoted(const Command &command) {
  std::string line;
  for (const std::string &argument : command) {
    if (!line.empty()) line += ' ';
    if (!argument.empty() &&
        argument.find_first_of(" \t\n'\"\\$*?[]();&|<>#`!{}") == std::string::npos) {
      line += argument;
      continue;
    }
    line += '\'';
    for (char c : argument) {
      if (c == '\'')
        line += "'\\''";
      else
        line += c;
    }
    line += '\'';
  }
  return line;
}

TemporaryDirectory::TemporaryDirectory() {
  const char *base = std::getenv("TMPDIR");
  path_ = std::string(base && *base ? base : "/tmp") + "/fathom-cc-XXXXXX";
  if (!mkdtemp(path_.data())) {
    std::fprintf(stderr, "fathom-cc: error: cannot create %s: %s\n", path_.c_str(),
                 std::strerror(errno));
    std::exit(1);
  }
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryDirectory::file(const std::string &stem, const std::string &suffix) {
  return path_ + "/" + stem + "-" + std::to_string(count_++) + suffix;
}

} // namespace fathom::cc
