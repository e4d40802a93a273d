// SPDX-License-Identifier: MIT
#include "show/html/html.hpp"

#include "base/text.hpp"
#include "show/layout.hpp"

namespace rocmtune {
std::string html_text(std::string_view text) {
    return replaced(
        printable(text),
        {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}});
}

void Html::tag(Literal name, Attributes attributes) {
    out_.append(1, '<').append(name.view());
    for (auto const& [key, value] : attributes)
        out_.append(1, ' ')
            .append(key.view())
            .append("=\"")
            .append(html_text(value))
            .append(1, '"');
    out_ += '>';
}

Html& Html::open(Literal name, Attributes attributes) {
    tag(name, attributes);
    open_.push_back(name.view());
    return *this;
}

Html& Html::close() {
    out_.append("</").append(open_.back()).append(1, '>');
    // Lines keep the page readable for people who look at its source.
    if (open_.back() != "a" && open_.back() != "span" && open_.back() != "code") out_ += '\n';
    open_.pop_back();
    return *this;
}

Html& Html::text(std::string_view text) {
    out_ += html_text(text);
    return *this;
}

Html& Html::element(Literal name, std::string_view content, Attributes attributes) {
    return open(name, attributes).text(content).close();
}

Html& Html::single(Literal name, Attributes attributes) {
    tag(name, attributes);
    return *this;
}

Html& Html::asset(std::string_view content) {
    out_ += content;
    return *this;
}

Html& Html::data(std::string_view json) {
    out_ += replaced(json, {{'<', "\\u003c"}, {'>', "\\u003e"}, {'&', "\\u0026"}});
    return *this;
}

Html& Html::part(Html&& other) {
    out_ += other.take();
    return *this;
}

std::string Html::take() {
    while (!open_.empty()) close();
    return std::move(out_);
}

Html link_html(std::string const& text, std::string const& url) {
    Html html;
    bool const is_safe = url.starts_with("https://");
    if (is_safe) html.element("a", text, {{"href", url}, {"rel", "noreferrer noopener"}});
    else html.text(text);
    return html;
}

}  // namespace rocmtune
