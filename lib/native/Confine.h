// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that is run on computed inputs may be told to write, change and remove any file: `uniq
// - /X` is a test like any other. Here a thread, and with it every child that it starts, loses the
// right to change files but below a few directories.
//
//   std::thread([] {
//     Confined confined = confineThread({.writable = {"/tmp/scratch"}});
//     run(command); // EROFS for whatever it wants to change elsewhere
//   });
//
// Two ways, whichever the machine allows:
//
//   mounts     a mount namespace of the thread's own, in which all mounts are read only (root, or
//              CAP_SYS_ADMIN). Everything that changes a file fails with EROFS. Devices can be
//              written to, as on any read-only file system.
//   Landlock   (Linux 5.13) for all users. Writing, creating, removing and renaming fail with
//              EACCES, truncate(2) since Linux 6.2. What Landlock does not know about still works
//              on files that are the caller's: chmod, chown, utimes, extended attributes.
//
// Nothing can be undone: the thread has to be one whose end is near. What is set up once costs
// nothing per child. Not a sandbox against malice: the network, signals, and with Landlock also
// root's rights, stay as they are.
#ifndef FATHOM_NATIVE_CONFINE_H
#define FATHOM_NATIVE_CONFINE_H

#include <cstdint>
#include <string>
#include <vector>

namespace fathom::native {

struct Confinement {
  /// Directories below which everything may be changed. What does not exist, and what is on a
  /// read-only file system already, is left out. What is mounted further below stays read only
  /// with mounts.
  std::vector<std::string> writable;
  /// With mounts, this writable directory also appears as the existing directory `shownAs`. Empty:
  /// nothing does.
  std::string shown = {}, shownAs = {};
};

struct Confined {
  enum class By : uint8_t { Mounts, Landlock, Nothing };
  By by = By::Nothing;
  bool isShown = false; ///< `shown` appears as `shownAs`
};
/// "read-only mounts", "Landlock", "nothing"
const char *name(Confined::By by);

/// Confines the calling thread and the children it starts from now on. Cost: a few system calls per
/// directory and mount of the machine, once.
Confined confineThread(const Confinement &confinement);
/// The second of the two ways alone; false where the kernel does not have it.
bool confineByLandlock(const std::vector<std::string> &writable);

} // namespace fathom::native
#endif
