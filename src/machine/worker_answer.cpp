// SPDX-License-Identifier: MIT
#include "machine/worker_answer.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "codec/json_text.hpp"

namespace rocmtune {
namespace {

using nlohmann::json;

/// NUL is refused by itself: nlohmann's lexer takes it for the end of its input.
bool is_json_object(std::string_view line) {
    auto const text = trim(line);
    return text.starts_with('{') && text.find('\0') == std::string_view::npos &&
           !nests_deeper(text) && json::accept(text);
}

/// The object under `key`; null if there is none.
json child(std::string_view line, char const* key) {
    auto const whole = parse_bounded<json>(line);
    auto const found = whole.find(key);
    return found != whole.end() && found->is_object() ? *found : json();
}

}  // namespace

std::string_view WorkerAnswer::add(std::string_view bytes) {
    while (!complete_ && !is_broken() && !bytes.empty()) {
        auto const end = bytes.find('\n');
        auto const size = std::min(end, bytes.size());
        bytes_ += end == std::string_view::npos ? size : size + 1;
        if (bytes_ > most_bytes_) {
            fault_ = fmt::format("its answer is longer than {}", human_bytes(most_bytes_));
            return {};
        }
        partial_ += bytes.substr(0, size);
        if (end == std::string_view::npos) return {};
        take_line(partial_);
        partial_.clear();
        bytes.remove_prefix(size + 1);
    }
    return complete_ ? bytes : std::string_view();
}

std::string WorkerAnswer::what_is_missing() const {
    if (!partial_.empty()) return "its last line is not complete";
    return greeted_ ? "its answer has no end" : "it did not answer";
}

void WorkerAnswer::take_line(std::string_view line) {
    if (!is_json_object(line))
        return break_with("it answered with what is not a JSON object", line);
    if (!greeted_) return take_hello(line);
    if (line.starts_with(R"({"done")")) complete_ = true;
    else if (line.starts_with(R"({"failed")")) take_failed(line);
    else lines_.emplace_back(line);
}

void WorkerAnswer::take_hello(std::string_view line) {
    auto const hello = child(line, "hello");
    if (!hello.is_object()) return break_with("its answer does not begin with hello", line);
    auto const protocol = hello.find("protocol");
    if (protocol == hello.end() || *protocol != worker_protocol)
        return break_with(fmt::format("it does not speak protocol {}", worker_protocol), line);
    if (text_member(hello, "worker") != worker_) return break_with("another worker answered", line);
    greeted_ = true;
}

void WorkerAnswer::take_failed(std::string_view line) {
    auto const failed = child(line, "failed");
    auto const status = failed.is_object() ? text_member(failed, "status") : std::string();
    if (status != "absent" && status != "error")
        return break_with("it failed without saying how", line);
    status_ = status == "absent" ? WorkerStatus::absent : WorkerStatus::error;
    detail_ = printable(text_member(failed, "detail"));
    complete_ = true;
}

void WorkerAnswer::break_with(std::string_view reason, std::string_view line) {
    constexpr std::size_t shown = 60;  // enough to recognise what a library prints
    fault_ = fmt::format("{}: {}{}", reason, printable(line.substr(0, shown)),
                         line.size() > shown ? "..." : "");
}

}  // namespace rocmtune
