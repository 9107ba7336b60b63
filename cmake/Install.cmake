# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake --install BUILD --prefix PREFIX (./dev install).
#
# PREFIX/lib/fathom has the layout of the build folder: bin, sysroot, lib/fathom. Our programs look for everything else
# beside the folder that they lie in, links resolved, so nothing in them depends on PREFIX. PREFIX/bin and PREFIX/lib have links.

find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(HOME lib/fathom)
set(CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
    WORLD_READ WORLD_EXECUTE)

# Manual pages and completions, from the options that the programs themselves declare.
set(PAGES ${CMAKE_BINARY_DIR}/pages)
add_custom_command(OUTPUT ${PAGES}/done
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/scripts/make-pages $<TARGET_FILE_DIR:fathom> ${PAGES}
  COMMAND ${CMAKE_COMMAND} -E touch ${PAGES}/done
  DEPENDS fathom fathom-cc ${CMAKE_SOURCE_DIR}/scripts/make-pages ${CMAKE_SOURCE_DIR}/scripts/makecompletions.py
  COMMENT "Making manual pages and completions" VERBATIM)
add_custom_target(pages ALL DEPENDS ${PAGES}/done)

# What scripts make, and not ninja.
install(CODE "
  foreach(FILE sysroot/lib/libc.a sysroot/lib/libc++.a sysroot/lib/libfathom-harness.a lib/fathom/runtime.bc lib/fathom/report.html pages/done)
    if(NOT EXISTS \"${CMAKE_BINARY_DIR}/\${FILE}\")
      message(FATAL_ERROR \"${CMAKE_BINARY_DIR}/\${FILE} is missing; ./dev build makes it\")
    endif()
  endforeach()")

install(TARGETS fathom fathom-cc fathom-native-helper RUNTIME DESTINATION ${HOME}/bin)
install(TARGETS libfathom EXPORT FathomTargets LIBRARY DESTINATION ${HOME}/lib)
# sysroot/usr has the libraries that subjects were built with.
install(DIRECTORY ${CMAKE_BINARY_DIR}/sysroot/include ${CMAKE_BINARY_DIR}/sysroot/lib DESTINATION ${HOME}/sysroot)
install(DIRECTORY ${CMAKE_BINARY_DIR}/lib/fathom DESTINATION ${HOME}/lib FILES_MATCHING
  PATTERN "*.bc" PATTERN "*.o" PATTERN "*.so" PATTERN "*.html" PATTERN observe.o EXCLUDE)
set(LINKS ${CMAKE_BINARY_DIR}/links)
file(MAKE_DIRECTORY ${LINKS}/bin ${LINKS}/lib ${LINKS}/home)
foreach(NAME fathom fathom-cc fathom-c++)
  file(CREATE_LINK ../${HOME}/bin/${NAME} ${LINKS}/bin/${NAME} SYMBOLIC)
endforeach()
foreach(NAME libfathom.so libfathom.so.${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  file(CREATE_LINK fathom/lib/${NAME} ${LINKS}/lib/${NAME} SYMBOLIC)
endforeach()
file(CREATE_LINK fathom-cc ${LINKS}/home/fathom-c++ SYMBOLIC)
install(DIRECTORY ${LINKS}/bin/ DESTINATION bin)
install(DIRECTORY ${LINKS}/lib/ DESTINATION lib)
install(DIRECTORY ${LINKS}/home/ DESTINATION ${HOME}/bin)

# fathom-cc finds these by itself. Other compilers: -I PREFIX/include/fathom.
install(FILES runtime/include/fathom.h DESTINATION include/fathom)
install(FILES runtime/include/klee/klee.h DESTINATION include/fathom/klee)
install(FILES runtime/include/fathom/abi.h DESTINATION include/fathom/fathom)

# libfathom: #include <fathom/Explore.h>, find_package(Fathom).
install(DIRECTORY include/fathom DESTINATION include FILES_MATCHING PATTERN "*.h")
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/FathomConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES cmake/FathomConfig.cmake ${CMAKE_BINARY_DIR}/FathomConfigVersion.cmake DESTINATION lib/cmake/Fathom)
install(EXPORT FathomTargets NAMESPACE Fathom:: DESTINATION lib/cmake/Fathom)

install(DIRECTORY ${PAGES}/man ${PAGES}/bash-completion ${PAGES}/zsh ${PAGES}/fish DESTINATION share)
set(DOC share/doc/fathom)
install(FILES README.md CHANGES.md LICENSE DESTINATION ${DOC})
install(DIRECTORY docs examples DESTINATION ${DOC})
# The licence of the libc that programs are linked with.
install(FILES ${CMAKE_BINARY_DIR}/sysroot-src/musl/COPYRIGHT DESTINATION ${DOC} RENAME COPYRIGHT.musl)
install(FILES ${CMAKE_BINARY_DIR}/sysroot-src/llvm/libcxx/LICENSE.TXT DESTINATION ${DOC} RENAME COPYRIGHT.libc++)
