// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Libraries throw no exceptions, but a range-for over std::filesystem::directory_iterator does: the
// error code that its constructor takes does not apply to its increments.
#ifndef FATHOM_SUPPORT_FOLDER_H
#define FATHOM_SUPPORT_FOLDER_H

#include <filesystem>
#include <system_error>
#include <vector>

namespace fathom {

/// The entries of a folder, ordered by name. On an error, those that were read before it. There is
/// an error if the folder does not exist. The members of an entry throw, too, unless they are given
/// an error code: other processes may have removed the file since.
std::vector<std::filesystem::directory_entry> entriesOf(const std::filesystem::path &folder,
                                                        std::error_code &failed);

} // namespace fathom
#endif
