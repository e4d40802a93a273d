// SPDX-License-Identifier: MIT
// What a page can do beside being read: theme, sorting, filters, charts. All that it shows is on
// the page without it, too.
(() => {
    "use strict";
    const root = document.documentElement;
    root.classList.add("js");

    // ---- theme: system, light, dark -------------------------------------------------------------
    const themes = ["system", "light", "dark"];
    const button = document.getElementById("theme");
    const stored = () => {
        try { return localStorage.getItem("rocmtune-theme"); } catch { return null; }
    };
    const keep = (theme) => {
        try { localStorage.setItem("rocmtune-theme", theme); } catch { /* private or file: */ }
    };
    const setTheme = (theme) => {
        if (theme === "system") delete root.dataset.theme;
        else root.dataset.theme = theme;
        button.textContent = `Theme: ${theme}`;
        drawCharts();
    };
    button.addEventListener("click", () => {
        const next = themes[(themes.indexOf(root.dataset.theme ?? "system") + 1) % themes.length];
        keep(next);
        setTheme(next);
    });
    for (const media of ["(prefers-color-scheme: dark)", "print"])
        matchMedia(media).addEventListener("change", () => drawCharts());

    // ---- tables that can be sorted --------------------------------------------------------------
    const valueOf = (row, column) => row.cells[column]?.textContent.trim() ?? "";
    const compare = (a, b) => {
        const x = parseFloat(a), y = parseFloat(b);
        if (!Number.isNaN(x) && !Number.isNaN(y) && x !== y) return x - y;
        return a.localeCompare(b, "en", { numeric: true });
    };
    const sortBy = (table, column, heading) => {
        const up = heading.getAttribute("aria-sort") !== "ascending";
        for (const other of heading.parentNode.cells) other.removeAttribute("aria-sort");
        heading.setAttribute("aria-sort", up ? "ascending" : "descending");
        const body = table.tBodies[0];
        const rows = [...body.rows];
        rows.sort((a, b) => (up ? 1 : -1) * compare(valueOf(a, column), valueOf(b, column)));
        body.append(...rows);
    };
    for (const table of document.querySelectorAll("table.sortable")) {
        if (table.tBodies[0].rows.length < 2) continue;
        [...table.tHead.rows[0].cells].forEach((heading, column) => {
            const sorter = document.createElement("button");
            sorter.type = "button";
            sorter.textContent = heading.textContent;
            sorter.title = "sort by this column";
            sorter.addEventListener("click", () => sortBy(table, column, heading));
            heading.replaceChildren(sorter);
        });
    }

    // ---- findings of one verdict ----------------------------------------------------------------
    for (const group of document.querySelectorAll(".filter")) {
        const cards = group.parentNode.querySelectorAll("[data-verdict]");
        group.addEventListener("click", (event) => {
            const chosen = event.target.closest("button");
            if (!chosen) return;
            for (const one of group.querySelectorAll("button"))
                one.setAttribute("aria-pressed", String(one === chosen));
            for (const card of cards)
                card.hidden = chosen.dataset.filter !== "" &&
                    card.dataset.verdict !== chosen.dataset.filter;
        });
    }

    // ---- on paper everything is open ------------------------------------------------------------
    let closed = [];
    addEventListener("beforeprint", () => {
        closed = [...document.querySelectorAll("details:not([open])")];
        for (const one of closed) one.open = true;
    });
    addEventListener("afterprint", () => {
        for (const one of closed) one.open = false;
    });

    // ---- charts ---------------------------------------------------------------------------------
    const charts = JSON.parse(document.getElementById("charts").textContent);
    const drawn = [];
    const colour = (name) => getComputedStyle(root).getPropertyValue(`--${name}`).trim();

    const axis = (title, more) => ({
        title: { display: title !== "", text: title, color: colour("quiet") },
        grid: { color: colour("line") },
        ticks: { color: colour("quiet") },
        ...more,
    });
    const options = (more) => ({
        animation: false,
        responsive: true,
        maintainAspectRatio: false,
        plugins: { legend: { labels: { color: colour("ink"), usePointStyle: true } } },
        ...more,
    });

    /// Bars of the share of the peak; a mark where a source states a target.
    const efficiency = (chart) => ({
        type: "bar",
        data: {
            labels: chart.labels,
            datasets: [
                { label: "measured, % of the theoretical peak", data: chart.measured,
                  backgroundColor: colour("h5"), maxBarThickness: 22, order: 2 },
                ...(chart.target.some((one) => one !== null)
                    ? [{ type: "line", label: "target that a source states", data: chart.target,
                         showLine: false, pointStyle: "rectRot", pointRadius: 7,
                         backgroundColor: colour("warn"), borderColor: colour("warn"), order: 1 }]
                    : []),
            ],
        },
        options: options({
            indexAxis: "y",
            scales: { x: axis("% of the theoretical peak", { min: 0, suggestedMax: 100 }),
                      y: axis("", { grid: { display: false } }) },
        }),
        height: 7 + 1.9 * chart.labels.length,
    });

    const devices = (chart, which) => {
        const series = chart.series[which];
        return {
            type: "bar",
            data: { labels: series.labels,
                    datasets: [{ label: series.name, data: series.values,
                                 backgroundColor: colour("h5"), maxBarThickness: 48 }] },
            options: options({ scales: { x: axis("", { grid: { display: false } }),
                                         y: axis(series.unit, { beginAtZero: true }) } }),
            height: 18,
        };
    };

    /// The point of control as a line with its price: its bar alone is as thin as the others.
    const controlLine = (chart) => ({
        id: "control",
        afterDatasetsDraw({ ctx, chartArea, scales }) {
            if (chart.control === null) return;
            const y = scales.y.getPixelForValue(chart.control);
            const text = `point of control ${Number(chart.price.toPrecision(10))}`;
            ctx.save();
            ctx.strokeStyle = ctx.fillStyle = colour("warn");
            ctx.lineWidth = 2;
            ctx.beginPath();
            ctx.moveTo(chartArea.left, y);
            ctx.lineTo(chartArea.right, y);
            ctx.stroke();
            ctx.textAlign = "right";
            ctx.font = "600 12px system-ui, sans-serif";
            ctx.fillText(text, chartArea.right - 4, y - 5);
            ctx.restore();
        },
    });

    /// Volume by price, the highest price at the top.
    const profile = (chart) => {
        const shade = (_, bar) =>
            bar >= chart.low && bar <= chart.high ? colour("h5") : colour("h3");
        return {
            type: "bar",
            data: { labels: chart.prices.map((price) => Number(price.toPrecision(10))),
                    datasets: [{ label: "volume; the stronger colour is the value area",
                                 data: chart.volumes, backgroundColor: chart.volumes.map(shade),
                                 categoryPercentage: 1, barPercentage: 0.95 }] },
            options: options({ indexAxis: "y",
                               scales: { x: axis("volume", { beginAtZero: true }),
                                         y: axis("price", { reverse: true,
                                                            grid: { display: false } }) } }),
            plugins: [controlLine(chart)],
            height: 30,
        };
    };

    /// Shares of the time while a program ran; unknown shares leave gaps.
    const load = (chart) => {
        const line = (label, data, name) => ({ label, data, borderColor: colour(name),
                                               backgroundColor: colour(name), stepped: "after",
                                               pointRadius: 0, borderWidth: 2 });
        const lines = [line("processors of the program", chart.processors, "h5"),
                       line("busiest GPU", chart.gpu, "warn")];
        return {
            type: "line",
            data: { labels: chart.seconds.map((time) => Number(time.toPrecision(4))),
                    datasets: lines.filter((one) => one.data.some((share) => share !== null)) },
            options: options({ scales: { x: axis("seconds", { grid: { display: false } }),
                                         y: axis("%", { min: 0, max: 100 }) } }),
            height: 18,
        };
    };
    const kinds = { efficiency, devices, profile, load };

    const draw = (canvas, chart, which) => {
        const { height, ...config } = kinds[chart.kind](chart, which);
        canvas.parentNode.style.height = `${Math.min(height, 60)}rem`;
        return new Chart(canvas, config);
    };

    /// A list of what can be shown, where a chart has more than one series.
    const chooser = (canvas, chart, choose) => {
        if (!chart.series || chart.series.length < 2) return;
        const label = document.createElement("label");
        label.textContent = "Figure: ";
        const select = document.createElement("select");
        chart.series.forEach((series, number) => select.add(new Option(series.name, number)));
        select.addEventListener("change", () => choose(Number(select.value)));
        label.append(select);
        canvas.closest("figure").prepend(label);
    };

    function drawCharts() {
        for (const one of drawn) {
            one.shown.destroy();
            one.shown = draw(one.canvas, one.chart, one.which);
        }
    }

    if (typeof Chart !== "undefined") {
        for (const canvas of document.querySelectorAll("canvas[data-chart]")) {
            const chart = charts[Number(canvas.dataset.chart)];
            const one = { canvas, chart, which: 0, shown: draw(canvas, chart, 0) };
            drawn.push(one);
            chooser(canvas, chart, (which) => {
                one.which = which;
                one.shown.destroy();
                one.shown = draw(canvas, chart, which);
            });
        }
    }
    setTheme(themes.includes(stored()) ? stored() : "system");
})();
