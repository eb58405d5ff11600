"""When a phone shows a page that works, figures printed by `make bench`.

Chromium with a processor four times slower and a line of 1.6 Mbit/s and 150 ms, its store empty
each time: medians. On a machine that does other things too they grow several times over, for what
is made slower is a processor that others have as well.
"""

from __future__ import annotations

import asyncio
import shutil
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from playwright.async_api import Browser, async_playwright

from halfmoon_testing.server import server_process

REPETITIONS = 5
WITHIN_S = 60.0
PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 640},
    "device_scale_factor": 3,
    "has_touch": True,
    "is_mobile": True,
}
LINE = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}
SLOWER = {"rate": 4}

WATCH = """
window.seen = {};
window.isSeen = new Promise((done) => {
    const look = () => {
        // One that works: who made it has listened to it before it stood in the page.
        const button = document.querySelector("main button.main");
        if (button?.offsetWidth && !seen.asked) {
            seen.asked = true;
            // After this frame was painted.
            requestAnimationFrame(() => setTimeout(() => { seen.works = performance.now(); }));
        }
        if (document.querySelector("hm-settings")) seen.whole ??= performance.now();
        if (seen.works && seen.whole) done();
        else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
});
"""

SEEN = """() => window.isSeen.then(() => ({
    ...window.seen,
    paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
    sent: ["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type))
        .map((entry) => entry.transferSize),
}))"""


async def main() -> None:
    """Measure and print."""
    chromium = shutil.which("chromium")
    if chromium is None:
        print("no chromium is installed: the page isn't measured")
        return
    with tempfile.TemporaryDirectory() as folder:
        async with (
            server_process(Path(folder) / "data") as server,
            async_playwright() as playwright,
        ):
            flags = ["--no-sandbox", "--disable-gpu"]
            browser = await playwright.chromium.launch(executable_path=chromium, args=flags)
            for what, path in (("/", "/"), ("a friend's link", "/r/ABCDE")):
                visits = [await visit(browser, server.http + path) for _ in range(1 + REPETITIONS)]
                # The first finds the browser's own files cold.
                show(what, visits[1:])
            await browser.close()


async def visit(browser: Browser, url: str) -> dict[str, Any]:
    """One visit of a phone that was never here: ms since it asked, and the bytes of each answer."""
    context = await browser.new_context(**PHONE)
    await context.add_init_script(WATCH)
    page = await context.new_page()
    tools = await context.new_cdp_session(page)
    await tools.send("Network.enable")
    await tools.send("Network.emulateNetworkConditions", LINE)
    await tools.send("Emulation.setCPUThrottlingRate", SLOWER)
    await page.goto(url)
    await page.wait_for_load_state("networkidle")
    async with asyncio.timeout(WITHIN_S):
        seen = await page.evaluate(SEEN)
    await context.close()
    return dict(seen)


def show(what: str, visits: list[dict[str, Any]]) -> None:
    for key, words in (
        ("paint", "first paint"),
        ("works", "its main button is seen and works"),
        ("whole", "everything is there"),
    ):
        print(f"{statistics.median(v[key] for v in visits):>12,.0f}  ms    {what}: {words}")
    sent = visits[0]["sent"]
    print(f"{sum(sent) / 1000:>12,.1f}  kB    {what}: in {len(sent)} requests", flush=True)


if __name__ == "__main__":
    asyncio.run(main())
