# find_package(UPC) without a module path: CMake finds this file by UPC_DIR, or in a prefix, as share/cmake/UPC.
include("${CMAKE_CURRENT_LIST_DIR}/FindUPC.cmake")
