"""Take a picture of a page, such as those in the README.

    python tests/benchmarks/screenshot.py exports/graph.html exports/graph.webp \\
        --search "attention mechanism" --dark

The suffix, ``.png`` or ``.webp``, decides the form. Needs Debian's chromium; the font Inter
(fonts-inter) makes it look its best.
"""

import argparse
import base64
import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))
from conftest import FLAGS


def main() -> None:
    """Open the page, choose what was asked for, and write the picture."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("page", type=Path)
    parser.add_argument("picture", type=Path)
    parser.add_argument("--search", help="the node to choose, as one would type it")
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--width", type=int, default=1400)
    parser.add_argument("--height", type=int, default=860)
    parser.add_argument("--scale", type=float, default=1.25, help="pixels of the picture to one")
    args = parser.parse_args()
    with sync_playwright() as playwright:
        executable = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=executable, args=list(FLAGS))
        page = browser.new_page(
            viewport={"width": args.width, "height": args.height},
            color_scheme="dark" if args.dark else "light",
            device_scale_factor=args.scale,
            reduced_motion="reduce",
        )
        page.goto(args.page.absolute().as_uri())
        if args.search:
            page.locator("#search").fill(args.search)
            page.keyboard.press("Enter")
        page.wait_for_timeout(300)
        form = {"format": args.picture.suffix.removeprefix(".")}
        if form["format"] == "webp":
            form["quality"] = 80
        taken = page.context.new_cdp_session(page).send("Page.captureScreenshot", form)
        args.picture.write_bytes(base64.b64decode(taken["data"]))
        browser.close()


if __name__ == "__main__":
    main()
