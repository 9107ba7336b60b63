# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# find_package(Fathom) defines the target Fathom::fathom (docs/api.md). Installed beside the file that it includes.
include(${CMAKE_CURRENT_LIST_DIR}/FathomTargets.cmake)
