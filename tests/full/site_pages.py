# SPDX-License-Identifier: MIT
"""site_pages.py SOURCE SITE PICTURES: looks at the site as a reader does."""
import pathlib
import sys
from urllib.parse import unquote

source, site, pictures = map(pathlib.Path, sys.argv[1:4])
sys.path.insert(0, str(source / "tests/support"))

from browser import Browser  # noqa: E402

LOOKED_AT = ("index", "chips/gfx1100", "findings/RT3301", "messages/RT8201", "advisories/RT9001", "variables/HSA_ENABLE_SDMA")
SEARCHES = {  # what is typed: a page that must be among the first three
    "RT3301": "findings/RT3301.html", "hsa_enable_sdma": "variables/HSA_ENABLE_SDMA.html", "gfx942": "chips/gfx942.html",
    "mi300x": "chips/gfx942.html", "pcie fewer lanes": "findings/RT3301.html", "mes firmware gfx1151": "advisories/RT9001.html"}
failures = []


def expect(holds, text):
    if not holds:
        failures.append(text)
        print("  FAIL:", text)


def look(browser, name):
    for scheme, width in (("light", 1280), ("dark", 400)):
        browser.look(width, scheme=scheme)
        browser.open(site / f"{name}.html")
        where = f"{name} ({scheme}, {width})"
        expect(not browser.complaints(), f"{where}: the console says {browser.complaints()[:3]}")
        foreign = [url for url in browser.requests() if not unquote(url).startswith(f"file://{site.resolve()}/")]
        expect(not foreign, f"{where}: it asked for {foreign[:3]}")
        wide = browser.value("document.documentElement.scrollWidth - innerWidth")
        expect(wide <= 0, f"{where}: it is {wide} pixels wider than the screen")
        styled = browser.value("getComputedStyle(document.querySelector('section')).borderTopLeftRadius")
        expect(styled == "10px", f"{where}: the style is not that of the pages of rocmtune")
        browser.screenshot(pictures / f"{name.replace('/', '-')}-{scheme}-{width}.png")


def type_in(browser, text):
    return browser.value(f"""(() => {{ const field = document.getElementById("search"); field.value = "{text}";
        field.dispatchEvent(new Event("input"));
        return [...document.querySelectorAll("#hits a")].slice(0, 3).map((one) => one.getAttribute("href")); }})()""")


def search(browser):
    browser.look(1280)
    browser.open(site / "index.html")
    for typed, wanted in SEARCHES.items():
        hits = type_in(browser, typed)
        expect(wanted in hits, f"'{typed}' finds {hits}, not {wanted}")
    browser.screenshot(pictures / "search.png")
    expect(type_in(browser, "<img src=x> qqq") == [], "what nothing has is found")
    expect(browser.value("document.querySelectorAll('img').length") == 0, "markup became an element")
    browser.value("document.getElementById('theme').click()")
    expect(browser.value("document.documentElement.dataset.theme") == "light", "the theme does not change")


def sample(browser):
    """Of the other pages only the console is read."""
    browser.look(1280)
    for path in sorted(site.glob("*/*.html"))[::50]:
        browser.open(path)
        expect(not browser.complaints(), f"{path.name}: the console says {browser.complaints()[:3]}")


chosen = Browser()
try:
    for page in LOOKED_AT:
        look(chosen, page)
    search(chosen)
    sample(chosen)
finally:
    chosen.close()
sys.exit(bool(failures))
