# A recipe for Spack: copy the folder upcc into packages/ of a repository of yours, and set `git` to where the project
# is. `spack install upcc`.

from spack.package import *


class Upcc(Package):
    """A compiler for Unified Parallel C 1.3, which brings its own runtime."""

    git = "file:///path/to/upcc.git"

    license("MIT OR Apache-2.0")

    version("main", branch="main")

    variant("mpi", default=False, description="Messages between machines")

    depends_on("c", type=("build", "run"))
    depends_on("rust@1.90:", type="build")
    depends_on("mpi", when="+mpi", type=("build", "run"))

    def install(self, spec, prefix):
        cargo = which("cargo")
        cargo("install", "--locked", "--path", ".", "--root", prefix)
        upcc = Executable(join_path(prefix.bin, "upcc"))
        mkdirp(prefix.share.man.man1)
        for name in ("upcc", "upcrun", "upcprof"):
            page = upcc(f"--print-man={name}", output=str)
            with open(join_path(prefix.share.man.man1, name + ".1"), "w") as file:
                file.write(page)
        install_tree("runtime-c/share/cmake", prefix.share.cmake.UPC)
        install_tree("runtime-c/share/aclocal", prefix.share.aclocal)

    def setup_run_environment(self, env):
        env.set("UPC", join_path(self.prefix.bin, "upcc"))

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_install(self):
        with working_dir("samples"):
            Executable(join_path(self.prefix.bin, "upcc"))("--run", "heat.upc", "-n", "4")
