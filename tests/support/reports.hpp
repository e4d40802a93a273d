// SPDX-License-Identifier: MIT
// Reports of the composed hosts, and one on which everything is hostile.
#pragma once

#include <string>
#include <type_traits>

#include "probe/reader.hpp"
#include "rocmtune/report.hpp"
#include "support/hosts.hpp"

namespace rocmtune::test {

inline Report report_of(std::string const& name) {
    Report report;
    report.command = "probe";
    report.host = probe({HostRoot(std::shared_ptr<HostSource>(host_source(name)))});
    return report;
}

/// Gives every text of an entity the same value, and every list two elements of it.
struct FillTexts {
    std::string value;

    template <class T>
    void operator()(Field const&, Fact<T>& fact) const {
        if constexpr (std::is_same_v<T, std::string>) fact.offer(value, {"test", value});
        else if constexpr (std::is_same_v<T, std::vector<std::string>>)
            fact.offer({value, value}, {"test", value});
        else if constexpr (std::is_same_v<T, std::map<std::string, std::string>>)
            fact.offer({{value, value}, {"_" + value, value}}, {"test", value});
        else fact.miss(Missing::denied, value);
    }
    template <class T>
    void operator()(Field const&, T const&) const {}
};

/// A finding whose every text but the id is `value`.
inline Finding finding_with_texts(std::string const& value) {
    return {.id = "RT1001",
            .verdict = Verdict::warn,
            .action = Action::monitor,
            .subject = value,
            .message = value,
            .evidence = {{value, value}, {value, value}},
            .next_step = value,
            .sources = {{value, value, value}, {.title = value}}};
}

/// A host whose every text is `value`, with two GPUs, two installations, a dispute and a finding.
inline Report report_with_texts(std::string const& value) {
    Report report;
    report.command = "probe";
    auto& host = report.host.emplace();
    RocmInstallation rocm{
        .path = value, .kind = value, .found_as = {value}, .libraries = {{value, value}}};
    rocm.version.offer(value, {"test", value});
    host.rocm_installations.offer({rocm, rocm}, {"test", value});
    Framework framework{.name = value, .path = value};
    framework.version.miss(Missing::denied, value);
    host.frameworks.offer({framework}, {"test", value});
    host.gpu_processes.offer({{.pid = 1, .name = value, .through = value, .gpus = {value}}},
                             {"test", value});
    visit_fields(host, FillTexts{value});
    for (std::uint64_t row = 0; row < 2; ++row) {
        auto& gpu = host.gpus.emplace_back();
        gpu.row.offer(row, {"rows", "PCI order"});
        visit_fields(gpu, FillTexts{value});
    }
    host.gpus[1].vram_bytes.offer(1, {"drm", value});
    host.gpus[1].vram_bytes.offer(5, {"kfd", value});
    host.gpus[1].render_node.offer(value, {"kfd", value});
    report.findings.push_back(finding_with_texts(value));
    return report;
}

/// Texts that no renderer may choke on.
inline std::vector<std::pair<std::string, std::string>> hostile_texts() {
    std::string wide;
    for (int i = 0; i < 120; ++i) wide += "\u5bbd";
    return {{"empty", ""},
            {"blank", "   "},
            {"long_word", std::string(500, 'x')},
            {"long_words",
             [] {
                 std::string t;
                 for (int i = 0; i < 100; ++i) t += "word ";
                 return t;
             }()},
            {"wide", wide},
            {"combining", "e\u0301\u0301\u0301 a\u200d b"},
            {"escapes",
             "\x1b[2J\x1b]0;title\x07\x9b"
             "31m"},
            {"c1", "\u009b31m"},
            {"bidi", "\u202egnitset\u202c"},
            {"lines", "one\ntwo\r\nthree\ttab"},
            {"markup", "<script>alert('&quot;')</script> | `x` ${x} %s {} \\"},
            {"broken_utf8", "\xff\xfe\xc3( \xe2\x82"},
            {"json", "\"},{\"a\":[null"}};
}

}  // namespace rocmtune::test
