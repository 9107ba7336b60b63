// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to the table of library functions: streams, files, time, and what else the system tells.
#ifndef FATHOM_STATICS_FRONT_LIBRARYFILES_H
#define FATHOM_STATICS_FRONT_LIBRARYFILES_H

#include "statics/front/LibraryRow.h"

namespace fathom::statics::library {

constexpr Row harmless(std::string_view name) { return Row(name).isHarmless(); }
constexpr Row opens(std::string_view name, ArgumentSet taken = 0) {
  return Row(name).takes(taken).opensFile();
}
constexpr Row opensNumber(std::string_view name, ArgumentSet taken = 0) {
  return Row(name).takes(taken).opensNumber();
}
constexpr Row looksUp(std::string_view name, ArgumentSet taken = 0) {
  return Row(name).takes(taken).mayReturnNull();
}
/// C17, 7.27.3; POSIX: EOVERFLOW.
constexpr Row splitsTime(std::string_view name) {
  return looksUp(name, kFirst).withBuffer([](BufferCall &b) { b.failsByTime = true; });
}

constexpr std::string_view kNameIsTaken =
    "another process may make a file of that name before the program does";

inline constexpr LibraryFunction kFiles[] = {
    // Streams: C17, 7.21
    opens("fopen", kFirst | kSecond),
    opens("fdopen", kSecond),
    opens("tmpfile"),
    opens("popen", kFirst | kSecond),
    Row("fclose").closes().takes(kFirst),
    Row("pclose").closes().takes(kFirst),
    Row("gets").putsText(0).readsInput().isUnsafe("a longer line than its buffer overflows that",
                                                  "fgets"),
    Row("fgets")
        .takes(kFirst | kThird)
        .mayReturnNull()
        .writesBytes(0, 1)
        .leavesText(0, TextAfter::Outside)
        .withBuffer([](BufferCall &b) { b.isReturnedOrNull = true; })
        .putsText(0)
        .readsInput(),
    Row("fread")
        .takes(kFirst | kFourth)
        .writesBytes(0, 1, 2)
        .countsUpTo(2)
        .putsText(0)
        .readsInput(),
    Row("fwrite").takes(kFirst | kFourth).readsBytes(0, 1, 2).countsUpTo(2).isHarmless(),
    Row("fwrite_unlocked").takes(kFourth).readsBytes(0, 1, 2).countsUpTo(2).isHarmless(),
    Row("getline").takes(kFirst | kSecond | kThird).putsNewText().readsInput(),
    Row("getdelim").takes(kFirst | kSecond | kFourth).putsNewText().readsInput(),
    Row("readline").readsInput(),
    harmless("puts").takes(kFirst),
    harmless("fputs").takes(kFirst | kSecond),
    harmless("fputs_unlocked").takes(kFirst | kSecond),
    harmless("putchar"),
    harmless("putchar_unlocked"),
    harmless("fputc").takes(kSecond),
    harmless("fputc_unlocked").takes(kSecond),
    harmless("putc").takes(kSecond),
    harmless("putc_unlocked").takes(kSecond),
    harmless("getchar").returnsCharacter(),
    harmless("getchar_unlocked").returnsCharacter(),
    harmless("fgetc").takes(kFirst).returnsCharacter(),
    harmless("getc").takes(kFirst).returnsCharacter(),
    harmless("getc_unlocked").takes(kFirst).returnsCharacter(),
    harmless("ungetc").takes(kSecond),
    harmless("feof").takes(kFirst),
    harmless("ferror").takes(kFirst),
    harmless("fflush"),
    harmless("fseek").takes(kFirst),
    harmless("fseeko").takes(kFirst),
    harmless("ftell").takes(kFirst),
    harmless("ftello").takes(kFirst),
    harmless("rewind").takes(kFirst),
    harmless("fileno").takes(kFirst),
    harmless("perror"),
    Row("tmpnam").isUnsafe(kNameIsTaken, "mkstemp or tmpfile"),

    // File descriptors
    opensNumber("open", kFirst).isHarmless(),
    opensNumber("openat", kSecond).isHarmless(),
    opensNumber("creat", kFirst).isHarmless(),
    opensNumber("dup").isHarmless(),
    opensNumber("socket"),
    opensNumber("accept"),
    opensNumber("mkstemp", kFirst),
    harmless("close").closes(),
    receives("read", 1, 2),
    receives("pread", 1, 2),
    receives("readlink", 1, 2),
    receives("recv", 1, 2).withBuffer([](BufferCall &b) { b.flagsAt = 3; }),
    receives("recvfrom", 1, 2).withBuffer([](BufferCall &b) { b.flagsAt = 3; }),
    sends("write", 1, 2).isHarmless(),
    sends("pwrite", 1, 2),
    sends("send", 1, 2),
    sends("sendto", 1, 2),
    harmless("dup2"),
    Row("fcntl").reads(kThird).writes(kThird), // F_GETLK
    harmless("fdatasync"),
    harmless("fsync"),
    harmless("ftruncate"),
    harmless("isatty"),
    harmless("lseek"),

    // Names of files
    opens("opendir", kFirst),
    opens("fdopendir"),
    looksUp("readdir", kFirst),
    Row("closedir").closes().takes(kFirst),
    looksUp("realpath", kFirst).putsText(1),
    looksUp("getcwd").writesBytes(0, 1).putsText(0),
    Row("mktemp").isUnsafe(kNameIsTaken, "mkstemp"),
    Row("stat").takes(kFirst | kSecond),
    Row("lstat").takes(kFirst | kSecond),
    Row("fstat").takes(kSecond),
    harmless("unlink").takes(kFirst),
    harmless("rename").takes(kFirst | kSecond),
    harmless("access"),
    harmless("chdir"),
    harmless("chmod"),
    harmless("chown"),
    harmless("faccessat"),
    harmless("fchdir"),
    harmless("fchmod"),
    harmless("fchmodat"),
    harmless("fchown"),
    harmless("fchownat"),
    harmless("futimens"),
    harmless("futimes"),
    harmless("futimesat"),
    harmless("lchown"),
    harmless("link"),
    harmless("lutimes"),
    harmless("mkdir"),
    harmless("mkfifo"),
    harmless("remove"),
    harmless("renameat"),
    harmless("rmdir"),
    harmless("symlink"),
    harmless("truncate"),
    harmless("umask"),
    harmless("unlinkat"),
    harmless("utime"),
    harmless("utimensat"),
    harmless("utimes"),

    // Time
    splitsTime("localtime"),
    splitsTime("gmtime"),
    Row("time").withBuffer([](BufferCall &b) { b.isTime = true; }),
    Row("strftime").writesBytes(0, 1).putsText(0),
    Row("nanosleep").reads(kFirst).writes(kSecond),
    harmless("sleep"),
    harmless("usleep"),

    // Users, hosts, and the process
    looksUp("getenv", kFirst).isRepeatable().readsInput(),
    looksUp("getpwnam", kFirst),
    looksUp("getpwuid"),
    looksUp("getgrnam", kFirst),
    looksUp("getgrgid"),
    Row("gethostname").writesBytes(0, 1).putsText(0),
    Row("inet_ntop").writesBytes(2, 3).putsText(2),
    harmless("getegid"),
    harmless("geteuid"),
    harmless("getgid"),
    harmless("getpagesize"),
    harmless("getpid"),
    harmless("getppid"),
    harmless("getuid"),
    harmless("sysconf"),
    Row("exit").endsProgram(),
    Row("_exit").endsProgram(),
    Row("_Exit").endsProgram(),
    Row("abort").endsProgram(),
    Row("__assert_fail").endsProgram(),
};

} // namespace fathom::statics::library
#endif
