// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tasks on several threads, each after those that it depends on.
#ifndef FATHOM_SUPPORT_DEPENDENTTASKS_H
#define FATHOM_SUPPORT_DEPENDENTTASKS_H

#include <cstdint>
#include <functional>
#include <vector>

namespace fathom {

/// Calls run(task) once for each task 0 .. n-1, where n is dependsOn.size(). Of the tasks that are
/// ready, the least one is next; on one thread this is their order, and no thread is started.
///
/// \param dependsOn  by task: those that have to be done before, all of them less than it. What
///                   they wrote is visible to it.
/// Determinism: which tasks run at a time, and on which thread, differs from run to run.
/// Cost: O(tasks + dependencies) beside what the tasks do.
void runTasks(const std::vector<std::vector<uint32_t>> &dependsOn, unsigned threads,
              const std::function<void(uint32_t)> &run);

} // namespace fathom
#endif
