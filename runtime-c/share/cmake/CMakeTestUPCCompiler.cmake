# Tests that the UPC compiler makes programs. Its first use also compiles its runtime.

include(CMakeTestCompilerCommon)

if(CMAKE_UPC_COMPILER_FORCED OR CMAKE_UPC_COMPILER_WORKS)
  set(CMAKE_UPC_COMPILER_WORKS TRUE CACHE INTERNAL "")
  return()
endif()

PrintTestCompilerStatus("UPC")
set(_UPC_TEST "${CMAKE_BINARY_DIR}${CMAKE_FILES_DIRECTORY}/CMakeTmp/testUPCCompiler.upc")
file(WRITE "${_UPC_TEST}" "#include <upc.h>\nshared int x[THREADS];\nint main(void) { x[MYTHREAD] = 0; upc_barrier; return x[0]; }\n")
try_compile(CMAKE_UPC_COMPILER_WORKS "${CMAKE_BINARY_DIR}" "${_UPC_TEST}" OUTPUT_VARIABLE _UPC_OUTPUT)
unset(_UPC_TEST)
if(NOT CMAKE_UPC_COMPILER_WORKS)
  unset(CMAKE_UPC_COMPILER_WORKS CACHE)
  string(REPLACE "\n" "\n  " _UPC_OUTPUT "${_UPC_OUTPUT}")
  message(FATAL_ERROR "The UPC compiler\n  \"${CMAKE_UPC_COMPILER}\"\ncannot make a simple program:\n  ${_UPC_OUTPUT}")
endif()
set(CMAKE_UPC_COMPILER_WORKS TRUE CACHE INTERNAL "")
unset(_UPC_OUTPUT)
message(STATUS "Check for working UPC compiler: ${CMAKE_UPC_COMPILER} - works")
