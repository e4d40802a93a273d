# The program for other distributions: of shared libraries it needs only those of glibc and
# libgcc_s, which all of them have. libgcc_s stays shared, since the static one of gcc 12 asks for
# glibc 2.35. Compile options are equal in both kinds, so that only linking differs.

# Linked against the libraries in ROCMTUNE_SYSROOT (scripts/older-glibc fetches Debian 11's) the program
# asks for no newer glibc than theirs, 2.31 there; else for that of this machine, 2.34 on Debian 12.
set(ROCMTUNE_SYSROOT "" CACHE PATH "folder with an older glibc that ROCMTUNE_PORTABLE links against")
function(link_against_older_glibc program)
    target_sources(${program} PRIVATE src/machine/older_glibc.cpp)
    # gcc looks into its own folders first, whatever --sysroot says.
    set(folder lib/${CMAKE_CXX_LIBRARY_ARCHITECTURE})
    target_link_options(${program} PRIVATE --sysroot=${ROCMTUNE_SYSROOT} -B${ROCMTUNE_SYSROOT}/usr/${folder}
                        -L${ROCMTUNE_SYSROOT}/usr/${folder} -L${ROCMTUNE_SYSROOT}/${folder}
                        LINKER:--no-as-needed -lpthread -ldl LINKER:--as-needed)
endfunction()

# Debian has no libfmt.a; its headers bring the whole implementation.
add_library(rocmtune_fmt STATIC src/base/fmt_implementation.cpp)
target_compile_features(rocmtune_fmt PRIVATE cxx_std_20)
target_compile_definitions(rocmtune_options INTERFACE FMT_SHARED)
target_link_libraries(rocmtune_options INTERFACE rocmtune_fmt)
get_target_property(spdlog_needs spdlog::spdlog_header_only INTERFACE_LINK_LIBRARIES)
list(REMOVE_ITEM spdlog_needs fmt::fmt)
set_target_properties(spdlog::spdlog_header_only PROPERTIES INTERFACE_LINK_LIBRARIES "${spdlog_needs}")

find_library(ZLIB_STATIC libz.a REQUIRED)
set_target_properties(ZLIB::ZLIB PROPERTIES IMPORTED_LOCATION ${ZLIB_STATIC}
                      IMPORTED_LOCATION_RELEASE ${ZLIB_STATIC})
if(NOT LIBARCHIVE_STATIC OR NOT ZSTD_STATIC OR NOT YAML_CPP_STATIC OR NOT RE2_STATIC)
    message(FATAL_ERROR "ROCMTUNE_PORTABLE needs libarchive.a, libzstd.a, libyaml-cpp.a and libre2.a")
endif()
# Conversions of fp16 are in libgcc_s since gcc 12 only, which RHEL 9 has not; the static half of libgcc
# has them, too, and asks for nothing.
target_link_libraries(rocmtune_options INTERFACE -lgcc)
# What nothing here reaches is left out: std::random_device alone asks for glibc 2.36.
target_link_options(rocmtune_options INTERFACE -static-libstdc++ LINKER:--gc-sections)
