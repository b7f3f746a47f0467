# FindUPC
# -------
#
# Finds upcc, and makes the language UPC known to CMake:
#
#   project(heat C)
#   find_package(UPC REQUIRED)
#   enable_language(UPC)
#   add_executable(heat heat.upc grid.c)
#   set_target_properties(heat PROPERTIES UPC_THREADS 4)   # static THREADS; without it, any number
#   add_test(NAME heat COMMAND ${UPC_RUN} -n 4 $<TARGET_FILE:heat>)
#
# Sets UPC_FOUND, UPC_COMPILER, UPC_VERSION, UPC_RUN (the launcher upcrun) and UPC_INCLUDE_DIRS (the folder of upc.h,
# for C files that call the runtime).

if(CMAKE_UPC_COMPILER)
  set(UPC_COMPILER "${CMAKE_UPC_COMPILER}" CACHE FILEPATH "UPC compiler")
endif()
find_program(UPC_COMPILER NAMES $ENV{UPC} upcc PATHS "$ENV{CARGO_HOME}/bin" "$ENV{HOME}/.cargo/bin" DOC "UPC compiler")
if(UPC_COMPILER)
  get_filename_component(_UPC_FOLDER "${UPC_COMPILER}" DIRECTORY)
  find_program(UPC_RUN NAMES upcrun HINTS "${_UPC_FOLDER}" DOC "Launcher of UPC programs")
  unset(_UPC_FOLDER)
  execute_process(COMMAND "${UPC_COMPILER}" --version OUTPUT_VARIABLE _UPC_ANSWER ERROR_QUIET)
  if(_UPC_ANSWER MATCHES "^upcc ([0-9.]+)")
    set(UPC_VERSION "${CMAKE_MATCH_1}")
  endif()
  execute_process(COMMAND "${UPC_COMPILER}" -print-include-dir OUTPUT_VARIABLE UPC_INCLUDE_DIRS
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  unset(_UPC_ANSWER)
  if(NOT CMAKE_UPC_COMPILER)
    set(CMAKE_UPC_COMPILER "${UPC_COMPILER}")
  endif()
endif()
mark_as_advanced(UPC_COMPILER UPC_RUN)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(UPC REQUIRED_VARS UPC_COMPILER UPC_VERSION UPC_RUN VERSION_VAR UPC_VERSION)

# enable_language(UPC) finds its modules here.
list(FIND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}" _UPC_KNOWN)
if(_UPC_KNOWN EQUAL -1)
  list(APPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}")
endif()
unset(_UPC_KNOWN)
