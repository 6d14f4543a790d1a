# SPDX-License-Identifier: MIT
"""How wide the tables of a page are: in a window of a usual size nothing has to be moved to and fro to be read."""
import browser
from pages import make_page
from support import expect, expect_equal, run

BESIDE = True  # no case asserts a time
FULL = "it needs a browser"

WIDER = """return [...document.querySelectorAll('.scroll')].filter(r => r.checkVisibility() && r.scrollWidth > r.clientWidth)
    .map(r => r.querySelector('caption').textContent)"""
# Cells of more than one line, though they hold a figure or a short word.
BROKEN = """return [...document.querySelectorAll('tbody .s, tbody .n')].filter(c => c.checkVisibility() && c.getClientRects().length &&
    c.firstChild).filter(c => { const r = document.createRange(); r.selectNodeContents(c);
    return new Set([...r.getClientRects()].map(b => Math.round(b.top))).size > 1; }).map(c => c.textContent)"""

PROGRAMS = (("holder", ["mutex", 3]), ("phases", ["wrapped"]), ("routines", []), ("counts", []))


def test_tables_fit_a_window():
    """Tables with many columns and long names fit 1,400 pixels; figures and short words are not broken. On 500 pixels some
    slide, which shows that this is seen."""
    pages = [make_page(run(*words), "--top", "0") for words in PROGRAMS]
    seen = []
    with browser.Browser() as one:
        for path in pages:
            one.devtools("Emulation.setDeviceMetricsOverride", width=1400, height=900, deviceScaleFactor=1, mobile=False)
            one.open(path)
            expect_equal("tables that slide", one.run(WIDER), [])
            expect_equal("broken cells", one.run(BROKEN), [])
            one.devtools("Emulation.setDeviceMetricsOverride", width=500, height=900, deviceScaleFactor=1, mobile=False)
            seen += one.run(WIDER)
    expect(seen, "no table is wider than 500 pixels: what is tested?")
