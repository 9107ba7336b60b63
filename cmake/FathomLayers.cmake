# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# One static library per layer. A layer sees the headers of the layers named in DEPS only through its own sources'
# includes; scripts/check-layers holds them against layers.txt.

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
endif()
add_link_options(-fuse-ld=lld)

# Most of the time that a file takes to compile goes into the headers of LLVM, fmt, CLI11 and GoogleTest. The release preset compiles the
# sources of one layer in batches, which read those headers once; the dev preset compiles file by file, so that a change rebuilds
# little. Names in anonymous namespaces are therefore unique in their layer (scripts/check-batches). Large batches take less
# processor time, small ones occupy more processors.
option(FATHOM_BATCHES "Compile the sources of a layer in batches" OFF)
cmake_host_system_information(RESULT FATHOM_PROCESSORS QUERY NUMBER_OF_LOGICAL_CORES)
if(FATHOM_PROCESSORS GREATER 4)
  set(FATHOM_DEFAULT_BATCH 8)
else()
  set(FATHOM_DEFAULT_BATCH 25)
endif()
set(FATHOM_BATCH_SIZE ${FATHOM_DEFAULT_BATCH} CACHE STRING "Sources in one batch at most")

# fathom_batches(TARGET files...): batches of equal size.
function(fathom_batches TARGET)
  if(NOT FATHOM_BATCHES)
    return()
  endif()
  list(LENGTH ARGN COUNT)
  math(EXPR BATCHES "(${COUNT} + ${FATHOM_BATCH_SIZE} - 1) / ${FATHOM_BATCH_SIZE}")
  math(EXPR SIZE "(${COUNT} + ${BATCHES} - 1) / ${BATCHES}")
  set(INDEX 0)
  foreach(SOURCE ${ARGN})
    math(EXPR BATCH "${INDEX} / ${SIZE}")
    set_property(SOURCE ${SOURCE} PROPERTY UNITY_GROUP batch${BATCH})
    math(EXPR INDEX "${INDEX} + 1")
  endforeach()
  set_target_properties(${TARGET} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# fathom_apart(files...): a batch of their own, because they use another layer's names where this layer has some of the same
# spelling. After the target was made.
function(fathom_apart FIRST)
  string(MAKE_C_IDENTIFIER ${FIRST} NAME)
  set_source_files_properties(${FIRST} ${ARGN} PROPERTIES UNITY_GROUP with-${NAME})
endfunction()

# fathom_cold(TARGET): a target that reads options and files and writes text, and whose time therefore does not matter. Optimising less
# compiles it a quarter faster; most of the optimiser's time there goes into inlining templates of CLI11 and json.
function(fathom_cold TARGET)
  if(FATHOM_BATCHES)
    target_compile_options(${TARGET} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O1> "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-mllvm -inline-threshold=10>")
  endif()
endfunction()

add_library(fathom-flags INTERFACE)
# No exceptions in our own code; a file that adapts a throwing dependency asks for them with fathom_exceptions(), a
# target with the property FATHOM_EXCEPTIONS.
target_compile_options(fathom-flags INTERFACE -Wall -Wextra -Werror -Wno-unused-parameter
  $<$<COMPILE_LANGUAGE:CXX>:$<IF:$<BOOL:$<TARGET_PROPERTY:FATHOM_EXCEPTIONS>>,-fexceptions,-fno-exceptions>> -fno-omit-frame-pointer)
target_include_directories(fathom-flags INTERFACE ${CMAKE_SOURCE_DIR}/lib ${CMAKE_SOURCE_DIR}/runtime/include)
if(BUILD_SHARED_LIBS)
  target_link_options(fathom-flags INTERFACE -Wl,-z,defs)
endif()

# fathom_layer(NAME DEPS layers... [LIBS libraries...] [NO_LLVM]): every *.cpp of the folder and of those in it.
# NO_LLVM: the layer can be linked by programs that know nothing of LLVM.
function(fathom_layer NAME)
  cmake_parse_arguments(A "NO_LLVM" "" "DEPS;LIBS" ${ARGN})
  file(GLOB SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp
       ${CMAKE_CURRENT_SOURCE_DIR}/*/*.cpp)
  if(NOT SOURCES)
    add_library(fathom-${NAME} INTERFACE)
    return()
  endif()
  add_library(fathom-${NAME} ${SOURCES})
  fathom_batches(fathom-${NAME} ${SOURCES})
  target_link_libraries(fathom-${NAME} PRIVATE fathom-flags)
  foreach(DEP ${A_DEPS})
    target_link_libraries(fathom-${NAME} PUBLIC fathom-${DEP})
  endforeach()
  target_link_libraries(fathom-${NAME} PUBLIC ${A_LIBS} fmt::fmt)
  if(A_NO_LLVM)
    return()
  endif()
  # LLVM's support headers (ADT, Error) are allowed everywhere; LLVM IR only where layers.txt says so.
  target_include_directories(fathom-${NAME} SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS})
  target_link_libraries(fathom-${NAME} PUBLIC LLVM)
endfunction()

# fathom_exceptions(files...): adapter files around a library that throws.
function(fathom_exceptions)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS -fexceptions SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# fathom_unittest(NAME DEPS layers...): every *.cpp of the folder, one GoogleTest binary unittests/NAME-tests.
function(fathom_unittest NAME)
  cmake_parse_arguments(A "" "" "DEPS;LIBS" ${ARGN})
  file(GLOB SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  if(NOT SOURCES)
    return()
  endif()
  add_executable(${NAME}-tests ${SOURCES})
  fathom_batches(${NAME}-tests ${SOURCES})
  set_target_properties(${NAME}-tests PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/unittests)
  target_link_libraries(${NAME}-tests PRIVATE fathom-flags GTest::gtest_main ${A_LIBS})
  foreach(DEP ${A_DEPS})
    target_link_libraries(${NAME}-tests PRIVATE fathom-${DEP})
  endforeach()
  target_include_directories(${NAME}-tests PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  add_test(NAME ${NAME} COMMAND ${NAME}-tests)
endfunction()
