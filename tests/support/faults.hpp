// SPDX-License-Identifier: MIT
// A composed host with single faults: its text (rocmtune-host(5)) with some entries replaced.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/text.hpp"
#include "probe/reader.hpp"
#include "support/hosts.hpp"

namespace rocmtune::test {

class FaultyHost {
  public:
    explicit FaultyHost(std::string const& name) : text_(host_text(name)) {}

    /// The entry gets this content; several lines are separated by line ends.
    FaultyHost& set(std::string const& path, std::string_view content) {
        take_out(path);
        if (content.find('\n') == content.npos) return add(fmt::format("{} = {}\n", path, content));
        auto entry = path + " =\n";
        for (auto const line : lines(content)) entry += fmt::format("\t{}\n", line);
        return add(entry);
    }
    /// The entry becomes this line: "PATH error EIO", "PATH -> TARGET", a device.
    FaultyHost& line(std::string const& path, std::string_view rest) {
        take_out(path);
        return add(fmt::format("{} {}\n", path, rest));
    }
    /// Nothing is left of the entry and what lies below it.
    FaultyHost& remove(std::string const& path) {
        take_out(path, true);
        return *this;
    }
    FaultyHost& environment(std::string_view assignment) {
        return add(fmt::format("env {}\n", assignment));
    }
    FaultyHost& call(std::string const& key, std::string_view answer) {
        return set("call " + key, answer);
    }
    /// One more line of the kernel log; a host that may not read its log gets one.
    FaultyHost& log(std::string_view message, double seconds = 100) {
        if (log_.empty()) log_ = "<5>[    0.000000] Linux version 6.8.0\n";
        log_ += fmt::format("<3>[{:12.6f}] {}\n", seconds, message);
        return set("call kernel-log", log_);
    }
    /// A piece of the text becomes another one, once.
    FaultyHost& replace(std::string_view from, std::string_view to) {
        auto const at = text_.find(from);
        if (at == text_.npos) throw std::runtime_error("not in the host: " + std::string(from));
        text_.replace(at, from.size(), to);
        return *this;
    }

    /// Everything from one piece of the text to the next end of another goes.
    FaultyHost& cut(std::string_view from, std::string_view to) {
        auto const at = text_.find(from);
        auto const end = at == text_.npos ? at : text_.find(to, at);
        if (end == text_.npos) throw std::runtime_error("not in the host: " + std::string(from));
        text_.erase(at, end + to.size() - at);
        return *this;
    }

    Host probed() const { return probe({HostRoot(text_source(text_, "faulty"))}); }

  private:
    FaultyHost& add(std::string_view entry) {
        text_ += entry;
        return *this;
    }

    /// Takes the entry with its lines out; with those below the path, if they are asked for, too.
    void take_out(std::string const& path, bool below = false) {
        std::string kept;
        bool dropping = false;
        for (auto const line : lines(text_)) {
            if (!line.starts_with('\t'))
                dropping = line.starts_with(path + ' ') || (below && line.starts_with(path + '/'));
            if (!dropping) kept.append(line).append("\n");
        }
        text_ = std::move(kept);
    }

    std::string text_;
    std::string log_ = "<6>[    0.000000] Linux version 6\n";
};

}  // namespace rocmtune::test
