# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The page of `fathom report` without its data: web/report in one HTML file, lib/fathom/report.html of the build folder.

find_program(ESBUILD esbuild)
find_file(CHARTS chart.mjs PATHS /usr/share/javascript/chart.js NO_DEFAULT_PATH)
if(NOT ESBUILD OR NOT CHARTS)
  message(FATAL_ERROR "esbuild or Chart.js is missing: Debian has them in the packages esbuild and libjs-chart.js (./dev setup installs them)")
endif()
file(GLOB_RECURSE PAGE_SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/web/report/*)
set(PAGE ${CMAKE_BINARY_DIR}/lib/fathom/report.html)
add_custom_command(OUTPUT ${PAGE}
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/scripts/make-report-page ${CHARTS} ${PAGE}
  DEPENDS ${PAGE_SOURCES} ${CMAKE_SOURCE_DIR}/scripts/make-report-page ${CMAKE_SOURCE_DIR}/docs/glossary.md ${CHARTS}
  COMMENT "Bundling the page of fathom report" VERBATIM)
add_custom_target(fathom-report-page ALL DEPENDS ${PAGE})
