// SPDX-License-Identifier: MIT
// The built-in catalogue itself: every object stands for something, can be read as it says, and is
// of this time.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <map>
#include <set>
#include <string>

#include <fmt/format.h>

#include "base/data_date.hpp"
#include "base/version.hpp"
#include "knowledge/catalogue.hpp"
#include "knowledge/chips.hpp"
#include "knowledge/findings.hpp"
#include "knowledge/value_parsers.hpp"

namespace rocmtune {
namespace {

/// Months between two dates that begin with YYYY-MM; the year counts where there is no month.
int months_between(std::string_view early, std::string_view late) {
    auto const months = [](std::string_view date) {
        auto const parts = version_parts(date).value_or(std::vector<std::uint64_t>{0});
        auto const month = is_date_version(date) ? parts.at(1) : 12;
        return static_cast<int>(parts.front() * 12 + month);
    };
    return months(late) - months(early);
}

/// Says it where somebody looks, and fails nothing: data ages on its own.
void warn_if_old(std::string const& what, std::string_view date) {
    constexpr int oldest_months = 12;
    auto const age = months_between(date, data_date());
    if (age > oldest_months) {
        std::cout << "old data: " << what << " is of " << date << ", " << age
                  << " months before the data date " << data_date() << '\n';
    }
}

TEST(CatalogueData, what_is_older_than_a_year_is_told) {
    auto const& catalogue = embedded_catalogue();
    auto const now = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
    std::chrono::year_month_day const today(now);
    auto const this_month = fmt::format("{:04}-{:02}", static_cast<int>(today.year()),
                                        static_cast<unsigned>(today.month()));
    if (months_between(data_date(), this_month) > 12) {
        std::cout << "old data: the data date " << data_date() << " is over a year ago\n";
    }
    warn_if_old("the catalogue", catalogue.date());
    warn_if_old("the scan of names", catalogue.names().date());
    for (auto const& variable : catalogue.all()) {
        warn_if_old(std::string(variable.name), variable.last_verified);
    }
    EXPECT_EQ(months_between("2025-09-01", "2026-09-01"), 12);
    EXPECT_EQ(months_between("2025", "2026-02"), 2);
    EXPECT_LE(months_between(data_date(), catalogue.date()), 0)
        << "the data date is that of the newest text";
}

TEST(CatalogueData, every_object_has_a_source_and_an_effect) {
    auto const& catalogue = embedded_catalogue();
    ASSERT_GT(catalogue.all().size(), 100u);
    for (auto const& variable : catalogue.all()) {
        EXPECT_FALSE(variable.sources.empty()) << variable.name;
        EXPECT_NE(variable.effect, "") << variable.name;
        for (auto const* source : variable.sources) {
            EXPECT_NE(source->title, "") << variable.name;
        }
    }
}

TEST(CatalogueData, every_source_and_component_is_used) {
    auto const& catalogue = embedded_catalogue();
    std::set<Citation const*> sources;
    std::set<Component const*> components;
    for (auto const& variable : catalogue.all()) {
        sources.insert(variable.sources.begin(), variable.sources.end());
        components.insert(variable.readers.begin(), variable.readers.end());
    }
    for (auto const& [id, source] : catalogue.data()->bibliography) {
        EXPECT_TRUE(sources.contains(source)) << id;
    }
    for (auto const& component : catalogue.components()) {
        EXPECT_TRUE(components.contains(&component)) << component.id;
    }
}

/// Two versions that can be compared: both dates, or both numbers of releases.
bool are_of_one_kind(std::string_view left, std::string_view right) {
    return is_date_version(left) == is_date_version(right);
}

/// A text that nobody has read proves nothing: what was first seen in a version was read up to it.
TEST(CatalogueData, nothing_is_first_seen_after_what_it_was_compared_with) {
    for (auto const& variable : embedded_catalogue().all()) {
        if (variable.since.empty() || variable.readers.empty()) continue;
        auto const checked =
            variable.checked.empty() ? variable.readers.front()->newest : variable.checked;
        if (checked.empty() || !are_of_one_kind(variable.since, checked)) continue;
        auto const order = compare_versions(variable.since, checked);
        ASSERT_TRUE(order) << variable.name;
        EXPECT_TRUE(*order <= 0) << variable.name << ": since " << variable.since
                                 << ", checked up to " << checked;
    }
}

/// What a pull request or a branch says may never come to be; a merged change is cited by its
/// repository, file and number. Issues are what they are: reports.
TEST(CatalogueData, no_source_is_a_pull_request_or_a_branch_of_development) {
    auto const is_proposal = [](std::string_view address) {
        return address.find("/pull/") != address.npos ||
               address.find("/tree/users/") != address.npos ||
               address.find("/merge_requests/") != address.npos;
    };
    auto const check = [&](Citation const& source) {
        EXPECT_FALSE(is_proposal(source.url)) << source.id << ": " << source.url;
        EXPECT_FALSE(is_proposal(source.reference)) << source.id << ": " << source.reference;
        EXPECT_EQ(source.version.find("not merged"), std::string_view::npos) << source.id;
    };
    for (auto const& [id, source] : embedded_catalogue().data()->bibliography) check(*source);
    for (auto const& finding : all_finding_kinds()) std::ranges::for_each(finding.sources, check);
    for (auto const& rule : embedded_chips().rules())
        for (auto const* source : rule.sources) check(*source);
}

TEST(CatalogueData, a_setting_that_nothing_reads_says_so_and_no_other_does) {
    for (auto const& variable : embedded_catalogue().all()) {
        auto const is_gone = variable.status == "dead" || variable.status == "never-existed";
        if (variable.kind == "environment") {
            EXPECT_EQ(variable.readers.empty(), is_gone) << variable.name;
        }
    }
}

TEST(CatalogueData, every_default_is_a_value_that_its_reader_takes) {
    for (auto const& variable : embedded_catalogue().all()) {
        if (!variable.default_value) continue;
        auto const read = read_value(variable, *variable.default_value);
        EXPECT_EQ(read.reading, Reading::valid)
            << variable.name << "=" << *variable.default_value << ": " << read.note;
        EXPECT_TRUE(means_default(variable, *variable.default_value)) << variable.name;
    }
}

TEST(CatalogueData, every_listed_word_is_a_value_that_its_reader_takes) {
    for (auto const& variable : embedded_catalogue().all()) {
        for (auto const& listed : variable.words) {
            auto const word = listed.substr(0, listed.find('='));
            EXPECT_EQ(read_value(variable, word).reading, Reading::valid)
                << variable.name << "=" << word;
        }
    }
}

TEST(CatalogueData, one_component_has_one_package_in_both_tables) {
    auto const& catalogue = embedded_catalogue();
    std::map<std::string_view, std::string_view> titles;
    for (auto const& component : catalogue.components()) {
        EXPECT_TRUE(titles.emplace(component.title, component.id).second) << component.title;
        auto const* scanned = catalogue.names().component(component.id);
        if (scanned && !scanned->package.empty() && !component.package.empty()) {
            EXPECT_EQ(scanned->package, component.package) << component.id;
            EXPECT_EQ(scanned->distributions, component.distributions) << component.id;
        }
    }
}

/// The owner's sources were scanned, too: a name that the scan does not have is worth a look.
/// Frameworks are found by the names that the index has: lower case, with hyphens.
TEST(CatalogueData, every_Python_package_is_found_under_a_name_of_the_index) {
    auto const check = [](Component const& component) {
        auto const& names =
            component.distributions.empty() ? component.package : component.distributions;
        bool const is_library = component.package.starts_with("lib");
        EXPECT_TRUE(is_library || names.find('_') == names.npos) << component.id;
    };
    std::ranges::for_each(embedded_catalogue().components(), check);
    std::ranges::for_each(embedded_catalogue().names().components(), check);
}

TEST(CatalogueData, a_component_is_known_by_every_name_of_its_packages) {
    auto const brings = [](std::string_view distribution, std::string_view component) {
        return is_distribution_of(*embedded_catalogue().component(component), distribution);
    };
    EXPECT_TRUE(brings("flash-attn", "flash-attn"));
    EXPECT_TRUE(brings("onnxruntime-rocm", "onnxruntime"));
    EXPECT_TRUE(brings("transformer-engine", "transformer-engine"));
    EXPECT_TRUE(brings("amd-aiter", "aiter"));
    EXPECT_TRUE(brings("pytorch-triton-rocm", "triton"));
    EXPECT_TRUE(brings("torch", "pytorch"));
    EXPECT_FALSE(brings("torchvision", "pytorch"));
    EXPECT_FALSE(brings("onnx", "onnxruntime"));
}

/// What a program that runs reads is more than a variable for compiling.
TEST(CatalogueData, of_the_roots_of_ROCm_it_is_known_that_running_programs_read_them) {
    for (auto const* name : {"ROCM_PATH", "HIP_PATH", "ROCM_HOME"}) {
        auto const* variable = embedded_catalogue().find(name);
        EXPECT_EQ(variable->use, "runtime") << name;
        EXPECT_EQ(variable->effect.find("only"), std::string_view::npos) << name;
    }
}

TEST(CatalogueData, living_variables_are_known_names_or_told) {
    auto const& catalogue = embedded_catalogue();
    std::size_t living = 0, known = 0;
    for (auto const& variable : catalogue.all()) {
        if (variable.kind != "environment" || variable.readers.empty()) continue;
        ++living;
        auto const is_known = !catalogue.readers(variable.name).empty() ||
                              catalogue.names().family(variable.name) != nullptr ||
                              variable.name.ends_with(number_mark);
        known += is_known ? 1 : 0;
        if (!is_known) std::cout << "no reader in the scan: " << variable.name << '\n';
    }
    EXPECT_GT(known * 10, living * 8) << "the scan and the catalogue speak of different worlds";
}

}  // namespace
}  // namespace rocmtune
