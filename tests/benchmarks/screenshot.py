"""Take a picture of a page, such as the one in the README.

    python tests/benchmarks/screenshot.py exports/graph.html page.png \\
        --search "attention mechanism" --dark

Needs Debian's chromium; the font Inter (fonts-inter) makes it look its best.
"""

import argparse
import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "export"))
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
    args = parser.parse_args()
    with sync_playwright() as playwright:
        executable = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=executable, args=list(FLAGS))
        page = browser.new_page(
            viewport={"width": args.width, "height": args.height},
            color_scheme="dark" if args.dark else "light",
            device_scale_factor=1.5,
            reduced_motion="reduce",
        )
        page.goto(args.page.absolute().as_uri())
        if args.search:
            page.locator("#search").fill(args.search)
            page.keyboard.press("Enter")
        page.wait_for_timeout(300)
        page.screenshot(path=args.picture)
        browser.close()


if __name__ == "__main__":
    main()
