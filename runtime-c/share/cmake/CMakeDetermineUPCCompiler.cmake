# Finds the UPC compiler: CMAKE_UPC_COMPILER, else the variable UPC of the environment, else upcc beside this file or in
# the path.

if(NOT CMAKE_UPC_COMPILER)
  if(DEFINED ENV{UPC} AND NOT "$ENV{UPC}" STREQUAL "")
    get_filename_component(CMAKE_UPC_COMPILER_INIT "$ENV{UPC}" PROGRAM PROGRAM_ARGS CMAKE_UPC_COMPILER_ARG1)
    if(NOT CMAKE_UPC_COMPILER_INIT)
      message(FATAL_ERROR "The variable UPC of the environment names no program: $ENV{UPC}")
    endif()
    set(CMAKE_UPC_COMPILER "${CMAKE_UPC_COMPILER_INIT}" CACHE FILEPATH "UPC compiler")
  else()
    find_program(CMAKE_UPC_COMPILER upcc HINTS ENV CARGO_HOME PATHS "$ENV{HOME}/.cargo/bin" PATH_SUFFIXES bin
      DOC "UPC compiler")
  endif()
endif()
if(NOT CMAKE_UPC_COMPILER)
  message(FATAL_ERROR "No UPC compiler: set CMAKE_UPC_COMPILER, or the variable UPC of the environment, to the path of upcc.")
endif()
mark_as_advanced(CMAKE_UPC_COMPILER)

execute_process(COMMAND "${CMAKE_UPC_COMPILER}" --version OUTPUT_VARIABLE _UPC_VERSION ERROR_QUIET)
if(_UPC_VERSION MATCHES "^upcc ([0-9.]+)")
  set(CMAKE_UPC_COMPILER_ID upcc)
  set(CMAKE_UPC_COMPILER_VERSION "${CMAKE_MATCH_1}")
  message(STATUS "The UPC compiler identification is upcc ${CMAKE_UPC_COMPILER_VERSION}")
else()
  message(FATAL_ERROR "${CMAKE_UPC_COMPILER} is not upcc: it does not answer --version as upcc does.")
endif()
unset(_UPC_VERSION)

configure_file("${CMAKE_CURRENT_LIST_DIR}/CMakeUPCCompiler.cmake.in"
  "${CMAKE_PLATFORM_INFO_DIR}/CMakeUPCCompiler.cmake" @ONLY)
set(CMAKE_UPC_COMPILER_ENV_VAR UPC)
