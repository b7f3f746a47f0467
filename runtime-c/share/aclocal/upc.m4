# AC_PROG_UPC([COMPILERS])
# ------------------------
# Finds a UPC compiler that makes programs: the user's $UPC, else the first of COMPILERS (default: upcc). Sets UPC,
# UPCFLAGS, and UPCRUN, which starts programs ($UPCRUN -n 4 ./heat). An error if there is none.
#
# A rule for .upc files, in Makefile.in or Makefile.am (with `SUFFIXES = .upc`):
#
#   .upc.o:
#           $(UPC) $(CPPFLAGS) $(UPCFLAGS) -c $< -o $@
AC_DEFUN([AC_PROG_UPC], [
AC_REQUIRE([AC_PROG_CC])
AC_ARG_VAR([UPC], [UPC compiler command])
AC_ARG_VAR([UPCFLAGS], [UPC compiler flags])
AC_ARG_VAR([UPCRUN], [launcher of UPC programs])
AC_CHECK_PROGS([UPC], [m4_default([$1], [upcc])])
AS_IF([test -z "$UPC"], [AC_MSG_ERROR([no UPC compiler: install upcc, or set UPC to its path])])
AC_CACHE_CHECK([whether $UPC makes UPC programs], [upc_cv_prog_works], [
cat > conftest.upc <<_UPC_EOF
#include <upc.h>
shared int x[[THREADS]];
int main(void) { x[[MYTHREAD]] = 0; upc_barrier; return x[[0]]; }
_UPC_EOF
AS_IF([$UPC $CPPFLAGS $UPCFLAGS -o conftest$ac_cv_exeext conftest.upc $LDFLAGS $LIBS >&AS_MESSAGE_LOG_FD 2>&1 &&
  test -x conftest$ac_cv_exeext],
  [upc_cv_prog_works=yes], [upc_cv_prog_works=no])
rm -f conftest.upc conftest$ac_cv_exeext
])
AS_IF([test "$upc_cv_prog_works" != yes],
  [AC_MSG_ERROR([$UPC does not make UPC programs; see config.log])])
AC_PATH_PROGS([UPCRUN], [upcrun], [], [`AS_DIRNAME(["$UPC"])`$PATH_SEPARATOR$PATH])
])
