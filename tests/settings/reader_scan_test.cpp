// SPDX-License-Identifier: MIT
// Names in libraries and Python sources, wherever the windows of a scan end.
#include "settings/reader_scan.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "settings/host_readers.hpp"

namespace rocmtune {
namespace {

using Names = std::vector<std::string_view>;

Names find(std::string_view text, ReaderFileKind kind = ReaderFileKind::library,
           std::size_t step = 1U << 20U) {
    NameFinder const finder(
        {"HSA_XNACK", "NCCL_DEBUG", "NCCL_DEBUG_FILE", "MIOPEN_FIND_MODE", "HSA_"});
    return finder.find(kind, [&](char* buffer, std::size_t size) {
        auto const count = std::min({size, step, text.size()});
        std::memcpy(buffer, text.data(), count);
        text.remove_prefix(count);
        return count;
    });
}

std::string bytes(std::string_view text) {
    std::string out(text);
    for (auto& c : out)
        if (c == '.') c = '\0';
    return out;
}

TEST(ReaderScan, finds_texts_of_libraries_also_as_the_end_of_longer_ones) {
    EXPECT_EQ(find(bytes("ELF..HSA_XNACK..x")), Names{"HSA_XNACK"});
    EXPECT_EQ(find(bytes(".RCCL_MIOPEN_FIND_MODE.")), Names{"MIOPEN_FIND_MODE"});
    EXPECT_EQ(find(bytes(".set NCCL_DEBUG.")), Names{"NCCL_DEBUG"});
    EXPECT_EQ(find(bytes(".NCCL_DEBUG_FILE.")), Names{"NCCL_DEBUG_FILE"});
    EXPECT_EQ(find("HSA_XNACK"), Names{"HSA_XNACK"});
}

TEST(ReaderScan, does_not_take_the_beginning_or_the_middle_of_a_text_for_a_name) {
    EXPECT_EQ(find(bytes(".HSA_XNACK_MODE.NCCL_DEBUG=%s.set HSA_XNACK here.")), Names{});
}

TEST(ReaderScan, finds_whole_words_of_python) {
    EXPECT_EQ(find("os.environ.get('HSA_XNACK') # NCCL_DEBUG_FILE is MY_NCCL_DEBUG\n",
                   ReaderFileKind::python),
              (Names{"HSA_XNACK", "NCCL_DEBUG_FILE"}));
}

TEST(ReaderScan, is_the_same_wherever_a_window_ends) {
    auto const text = bytes(".A_HSA_XNACK..NCCL_DEBUG.") + std::string(3000, 'x') +
                      bytes("MIOPEN_FIND_MODE.NCCL_DEBUG_FILE");
    for (std::size_t step = 1; step < 40; ++step)
        EXPECT_EQ(find(text, ReaderFileKind::library, step),
                  (Names{"HSA_XNACK", "MIOPEN_FIND_MODE", "NCCL_DEBUG", "NCCL_DEBUG_FILE"}))
            << step;
}

namespace fs = std::filesystem;

class ReaderFiles : public testing::Test {
  protected:
    ReaderFiles() {
        std::string pattern = (fs::temp_directory_path() / "rocmtune-readers-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no directory");
        directory_ = pattern;
        library_ = (directory_ / "libx.so.1").string();
        cache_ = (directory_ / "cache").string();
    }
    ~ReaderFiles() override { fs::remove_all(directory_); }

    void write(std::string const& text) { std::ofstream(library_, std::ios::binary) << text; }

    std::vector<std::string> scanned() {
        std::vector<ReaderFile> files{{.path = library_, .package = "libx"}};
        scan_reader_files(files, {"HSA_XNACK", "NCCL_DEBUG"}, cache_);
        return files[0].names;
    }

    /// Puts another name into the cache, so that one sees whether it is used.
    void forge() {
        std::ifstream in(cache_ + "/readers.tsv");
        std::string text{std::istreambuf_iterator<char>(in), {}};
        auto const at = text.find("HSA_XNACK");
        ASSERT_NE(at, text.npos);
        std::ofstream(cache_ + "/readers.tsv") << text.replace(at, 9, "FORGED_IN");
    }

    fs::path directory_;
    std::string library_, cache_;
};

using Texts = std::vector<std::string>;

TEST_F(ReaderFiles, are_scanned_again_only_when_they_have_changed) {
    write(bytes("..HSA_XNACK.."));
    EXPECT_EQ(scanned(), Texts{"HSA_XNACK"});
    forge();
    EXPECT_EQ(scanned(), Texts{"FORGED_IN"});
    write(bytes("..HSA_XNACK..NCCL_DEBUG."));
    EXPECT_EQ(scanned(), (Texts{"HSA_XNACK", "NCCL_DEBUG"}));
}

TEST_F(ReaderFiles, do_not_trust_a_cache_that_others_can_see) {
    write(bytes("..HSA_XNACK.."));
    (void)scanned();
    EXPECT_EQ(fs::status(cache_).permissions(), fs::perms::owner_all);
    forge();
    fs::permissions(cache_, fs::perms::group_read, fs::perm_options::add);
    EXPECT_EQ(scanned(), Texts{"HSA_XNACK"});
}

TEST_F(ReaderFiles, that_are_gone_are_not_complete) {
    std::vector<ReaderFile> files{{.path = library_, .package = "libx"}};
    scan_reader_files(files, {"HSA_XNACK"}, "");
    EXPECT_FALSE(files[0].complete);
}

}  // namespace
}  // namespace rocmtune
