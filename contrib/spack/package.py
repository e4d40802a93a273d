# SPDX-License-Identifier: MIT
# Copy into packages/rocmtune/ of a Spack repository; put the place and the sum of your copy where
# `url` and `version` stand. It compiles as Python; it was not run by Spack.
from spack.package import *


class Rocmtune(CMakePackage):
    """Shows, tunes, checks and measures AMD GPU hosts; needs neither ROCm nor Python."""

    homepage = "https://example.invalid/rocmtune"
    url = "https://example.invalid/rocmtune-1.0.0.tar.gz"

    license("MIT")

    # Spack refuses a version without a sum: `spack checksum`, or `spack install --no-checksum`.
    version("1.0.0")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("cli11@2.1:")
    depends_on("fmt@9:")
    depends_on("nlohmann-json@3.11:")
    depends_on("spdlog@1.10:+fmt_external")
    depends_on("libarchive@3.6:")
    depends_on("libseccomp", type="build", when="platform=linux")
    depends_on("re2")
    depends_on("yaml-cpp@0.7:")
    depends_on("zlib-api")
    depends_on("zstd")

    conflicts("%gcc@:11", msg="its C++20 is that of gcc 12")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define("BUILD_TESTING", False),
            self.define("ROCMTUNE_UNITY_LAYERS", True),
        ]

    def setup_run_environment(self, env):
        env.prepend_path("MANPATH", self.prefix.share.man)

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def answers(self):
        Executable(self.prefix.bin.rocmtune)("check", "--replay", "example:mi300x-x8")
