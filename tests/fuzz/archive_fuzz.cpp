// SPDX-License-Identifier: MIT
// Any bytes as a snapshot: compressed, as the tar inside, and as the manifest inside that.
#include <cstdint>
#include <cstdlib>

#include "machine/archive.hpp"
#include "rocmtune/error.hpp"
#include "support/tar_bytes.hpp"

namespace {

/// What is taken has to come back in the same form.
void open(std::string const& bytes) try {
    using namespace rocmtune;
    auto const source = archive_source(bytes, "fuzz");
    (void)source->ask({Operation::list, "/sys"});
    (void)source->ask({Operation::read, "/sys/class/drm/version"});
    auto const text = archive_to_host_text(bytes, "fuzz");
    auto const again = host_text_to_archive(text);
    if (host_text_to_archive(archive_to_host_text(again, "fuzz")) != again) std::abort();
} catch (rocmtune::Error const&) {
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace rocmtune;
    std::string const text(reinterpret_cast<char const*>(data), size);
    open(text);
    open(gzip(text));
    open(gzip(text + std::string(1024, '\0')));
    open(test::TarBytes().file("rocmtune.json", text).file("sys/a").packed());
    return 0;
}
