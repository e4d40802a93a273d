# SPDX-License-Identifier: MIT
"""html_pages.py ROCMTUNE SOURCE PAGES: makes pages of composed hosts and looks at them."""

import json
import pathlib
import subprocess
import sys

program, source, pages = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
sys.path[:0] = [str(source / "tests/support"), str(source / "scripts")]

from browser import Browser  # noqa: E402
from compose_hosts import many_gpus  # noqa: E402

MOST_BYTES = 1 << 20
failures = []


def expect(holds, text):
    if not holds:
        failures.append(text)
        print("  FAIL:", text)


def rocmtune(*words):
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True)
    if done.returncode not in (0, 1, 3):
        sys.exit(f"{words}: {done.returncode}: {done.stderr}")
    return done.stdout


def measured(report, name):
    """The page of a report with invented figures beside it."""
    bench = pages / f"{name}.bench.json"
    bench.write_text(subprocess.run([sys.executable, source / "scripts/compose-measurements", report],
                                    check=True, capture_output=True, text=True).stdout)
    rocmtune("report", report, bench, "--format", "html", "-o", pages / f"{name}.html")


def report_of(host, name):
    report = pages / f"{name}.json"
    rocmtune("report", "--replay", host, "--json", "-o", report)
    return report


def hostile(report):
    """The same report with markup in every text that is not a word of the schema."""
    words = {"fail", "warn", "info", "pass", "skip", "unknown", "timeout", "none", "monitor", "config",
             "reset", "reboot", "isolate", "hardware"}
    markup = "<img src=x onerror=alert(1)></script><script>alert(2)</script>\"'&"

    def change(value, key=""):
        if isinstance(value, dict):
            return {k: change(v, k) for k, v in value.items()}
        if isinstance(value, list):
            return [change(one, key) for one in value]
        kept = key in ("verdict", "action", "class", "verdict_setting", "kind", "status", "unit")
        return value + markup if isinstance(value, str) and not kept and value not in words else value

    document = json.loads(report.read_text())
    for key in ("host", "findings", "recommendations", "undecided"):
        document[key] = change(document[key])
    path = pages / "hostile.json"
    path.write_text(json.dumps(document))
    return path


def make_pages():
    for name in ("mi300x-x8", "mi300x-degraded", "rx7900xt-x2", "igpu-and-dgpu", "mi300x-cpx",
                 "mi250x-x4", "no-gpu"):
        report = report_of(source / f"tests/hosts/{name}/host", name)
        measured(report, name)
    many = pages / "many.host"
    many.write_text(many_gpus.mi210_many(64).text())
    measured(report_of(many, "mi210-x64"), "mi210-x64")
    measured(hostile(pages / "mi300x-x8.json"), "hostile")
    reports = [pages / f"{name}.json" for name in ("mi300x-x8", "mi300x-degraded", "mi300x-cpx")]
    reports += [pages / "mi300x-x8.bench.json", pages / "mi300x-degraded.bench.json"]
    rocmtune("fleet", *reports, "--format", "html", "-o", pages / "fleet.html")


def check_file(page):
    text = page.read_text()
    expect(len(text.encode()) < MOST_BYTES, f"{page.name} has {len(text.encode())} bytes")
    done = subprocess.run(["xmllint", "--html", "--noout", page], capture_output=True, text=True)
    # libxml2 knows HTML 4: names of newer elements are no mistakes.
    wrong = [line for line in done.stderr.splitlines() if " error : " in line
             and not any(f"Tag {tag} invalid" in line for tag in
                         ("header", "nav", "main", "section", "article", "footer", "figure",
                          "figcaption", "details", "summary", "svg", "g", "rect", "line", "text",
                          "canvas", "title"))]
    expect(not wrong, f"{page.name}: xmllint says {wrong[:3]}")


def check_in_browser(browser, page):
    for scheme, width in (("light", 1280), ("dark", 1280), ("light", 400), ("dark", 400)):
        browser.look(width, scheme=scheme)
        browser.open(page)
        where = f"{page.name} ({scheme}, {width})"
        expect(not browser.complaints(), f"{where}: the console says {browser.complaints()[:3]}")
        expect(not browser.requests(), f"{where}: it asked for {browser.requests()[:3]}")
        wide = browser.value("document.documentElement.scrollWidth - innerWidth")
        expect(wide <= 0, f"{where}: it is {wide} pixels wider than the screen")
        browser.screenshot(pages / f"{page.stem}-{scheme}-{width}.png")
    browser.look(800, media="print", scheme="dark")
    browser.open(page)
    paper = browser.value("getComputedStyle(document.body).backgroundColor")
    expect(paper == "rgb(255, 255, 255)", f"{page.name}: paper is {paper}")
    browser.screenshot(pages / f"{page.stem}-print.png")
    browser.look(1280)


CONTRAST = """
(() => {
    const channel = (c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
    const parse = (text) => text.match(/[\\d.]+/g).map(Number);
    const behind = (element) => {
        for (; element; element = element.parentElement) {
            const colour = parse(getComputedStyle(element).backgroundColor);
            if (colour.length < 4 || colour[3] > 0) return colour;
        }
        return [255, 255, 255];
    };
    const bad = [];
    for (const element of document.querySelectorAll("body *")) {
        const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
        if (!own || element.closest("svg, script, style, .skip") || !element.offsetParent) continue;
        const [a, b] = [luminance(parse(getComputedStyle(element).color)), luminance(behind(element))];
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (ratio < 4.5) bad.push(`${element.className || element.tagName} ${ratio.toFixed(2)}`);
    }
    return [...new Set(bad)];
})()"""


def check_use(browser):
    """What a reader does with mouse and keys."""
    for scheme in ("light", "dark"):
        browser.look(1280, scheme=scheme)
        browser.open(pages / "mi300x-degraded.html")
        expect(not browser.value(CONTRAST), f"contrast below 4.5 ({scheme}): {browser.value(CONTRAST)}")
    shown = "[...document.querySelectorAll('[data-verdict]')].filter((one) => !one.hidden)"
    browser.value("document.querySelector('[data-filter=fail]').click()")
    kinds = browser.value(f"[...new Set({shown}.map((one) => one.dataset.verdict))]")
    expect("fail" in kinds, "the filter hides failures")
    browser.value("document.querySelector('#theme').click()")
    expect(browser.value("document.documentElement.dataset.theme") == "light", "the theme does not change")
    order = ("(() => { const table = document.querySelector('table.sortable');"
             "table.tHead.rows[0].cells[0].querySelector('button').click();"
             "return table.tHead.rows[0].cells[0].getAttribute('aria-sort'); })()")
    expect(browser.value(order) == "ascending", "a table is not sorted")
    browser.ask("Input.dispatchKeyEvent", type="keyDown", key="Tab", code="Tab", windowsVirtualKeyCode=9)
    expect(browser.value("document.activeElement !== document.body"), "Tab reaches nothing")
    unnamed = browser.value("[...document.querySelectorAll('a, button, select, summary')]"
                            ".filter((one) => !one.textContent.trim()).length")
    expect(unnamed == 0, f"{unnamed} controls have no name")
    drawn = browser.value("typeof Chart === 'undefined' ? -1 : Object.keys(Chart.instances).length")
    expect(drawn in (-1, 3), f"{drawn} charts are drawn")
    expect(browser.value("window.alert.toString().includes('native')"), "alert is not its own")


def check_hostile(browser):
    browser.look(1280)
    browser.open(pages / "hostile.html")
    expect(browser.value("document.querySelectorAll('img').length") == 0, "markup became an element")
    expect(browser.value("document.querySelectorAll('script').length") <= 3, "markup became a script")
    expect(not any(event.get("method") == "Page.javascriptDialogOpening" for event in browser.events),
           "markup ran")


make_pages()
browser = Browser()
try:
    for page in sorted(pages.glob("*.html")):
        check_file(page)
        check_in_browser(browser, page)
    check_use(browser)
    check_hostile(browser)
finally:
    browser.close()
sys.exit(len(failures) > 0)
