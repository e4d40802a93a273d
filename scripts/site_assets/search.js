// SPDX-License-Identifier: MIT
// The search of the index: every word must be in the name, the summary or the texts of a page.
(() => {
    "use strict";
    const most = 50;
    const field = document.getElementById("search");
    const found = document.getElementById("found");
    const hits = document.getElementById("hits");
    const rows = rocmtuneNames.map(([name, place, summary, more]) => (
        { name, place, summary, key: name.toLowerCase(), text: `${name} ${summary} ${more}`.toLowerCase() }));

    // A name that is asked for stands first, then those that begin so, then those that have it inside.
    const rank = (row, asked) => row.key === asked ? 0 : row.key.startsWith(asked) ? 1 : row.key.includes(asked) ? 2 : 3;
    const search = () => {
        const asked = field.value.trim().toLowerCase();
        const words = asked.split(/\s+/).filter(Boolean);
        const fitting = words.length === 0 ? [] : rows.filter((row) => words.every((word) => row.text.includes(word)));
        fitting.sort((a, b) => rank(a, asked) - rank(b, asked) || a.key.localeCompare(b.key, "en"));
        found.textContent = words.length === 0 ? "" : fitting.length > most
            ? `${fitting.length} pages, the first ${most}:` : fitting.length === 1 ? "1 page" : `${fitting.length} pages`;
        hits.replaceChildren(...fitting.slice(0, most).map((row) => {
            const item = document.createElement("li");
            const link = document.createElement("a");
            link.href = row.place;
            link.textContent = row.name;
            const line = document.createElement("p");  // which breaks long words
            line.append(link, ` ${row.summary}`);
            item.append(line);
            return item;
        }));
    };
    field.addEventListener("input", search);
    search();
})();
