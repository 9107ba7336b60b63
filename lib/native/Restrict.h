// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a child may not do to the machine, even if we are root: `date --set=...` and `kill -9 -1`
// are tests like any other. Used between vfork and exec (Process.cpp): system calls only, no memory
// of the parent is changed.
#ifndef FATHOM_NATIVE_RESTRICT_H
#define FATHOM_NATIVE_RESTRICT_H

namespace fathom::native {

/// The calling process and its descendants lose root's rights over the machine as such from the
/// next exec on: setting the clock, rebooting, kernel modules, raw devices, the network's and
/// security modules' configuration. Rights over files stay. Nothing happens where we have none.
void dropMachineRights();

/// For a program that is analysed: the system calls that the model of the environment refuses, and
/// that would change the machine, fail as they do there. EPERM: setting the clock. ESRCH: kill(2)
/// of any process but the caller. ENOSYS: mounts, host names, reboot, swap, namespaces, kernel
/// modules. Its descendants are held to the same, and so cannot kill(2) themselves. Other ways to
/// send a signal (tgkill, pidfd) are as they were: sanitizers and abort() need them. False: the
/// kernel has no filters.
bool refuseMachineCalls();

} // namespace fathom::native
#endif
