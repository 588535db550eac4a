"""The page of an annotated game in a real browser: headless Chromium."""

import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import engines

BROWSERS = ("chromium", "google-chrome", "chromium-browser")
BROWSER = next(filter(None, map(shutil.which, BROWSERS)), None)

# A browser packed as a snap reads nothing in /tmp.
ARTIFACTS = pathlib.Path(__file__).resolve().parent.parent / ".artifacts"

# Seconds after which a browser that has not shown a page hangs.
TIMEOUT = 60

GAME = """[Event "Opera game"]
[Site "Paris"]
[Date "1858.11.02"]
[White "Morphy, Paul"]
[Black "Duke of Brunswick & <Count> Isouard"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5
10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8
17. Rd8# 1-0
"""

# Appended to the page's own script: what a user would do, and what went wrong.
PROBE = """<script nonce="%s">
const fault = (text) => document.documentElement.dataset.fault = text;
window.onerror = (text) => fault(text);
const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", { key }));
%s
</script></body>"""


class Page(unittest.TestCase):
    """A page and what a browser makes of it."""

    GAME = ""

    @classmethod
    def setUpClass(cls):
        ARTIFACTS.mkdir(exist_ok=True)
        folder = tempfile.TemporaryDirectory(dir=ARTIFACTS)
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        (cls.folder / "game.pgn").write_text(cls.GAME, encoding="utf-8")
        cls.page = annotate(cls.folder / "game.pgn", cls.folder / "game.html", nodes=2000)

    def browse(self, actions="", place=""):
        """The page as the browser has it after the actions."""
        probed = self.folder / "probed.html"
        text = self.page.read_text(encoding="utf-8")
        nonce = re.search(r"script-src 'nonce-([0-9a-f]{32})'", text).group(1)
        probed.write_text(text.replace("</body>", PROBE % (nonce, actions)), encoding="utf-8")
        shown = browser("--dump-dom", f"file://{probed}{place}")
        self.assertIsNone(re.search(r'<html[^>]*data-fault="[^"]*"', shown))
        return shown

    def assert_at(self, shown, ply, men):
        """At this ply, with this many pieces on the board."""
        now = re.findall(r'class="[^"]*now[^"]*" data-ply="(\d+)"', shown)
        self.assertEqual(now, [str(ply)] if ply else [])
        self.assertEqual(len(re.findall(r'<use href="#[kqrbnp]"', shown)), men)


@unittest.skipUnless(BROWSER, "chromium is not installed")
class AnnotatedPage(Page):
    """What the page shows after a few keys and clicks."""

    GAME = GAME

    def test_begins_with_the_start_position(self):
        shown = self.browse()
        self.assert_at(shown, 0, 32)
        self.assertTrue("Duke of Brunswick &amp; &lt;Count&gt; Isouard" in shown)
        self.assertTrue(re.search(r'<path class="line" d="M0\.0 [\d.]+L', shown))

    def test_keys_step_through_the_moves(self):
        forward = 'for (let i = 0; i < 8; i++) press("ArrowRight");'
        self.assert_at(self.browse(forward), 8, 30)
        self.assert_at(self.browse(forward + 'press("ArrowLeft");'), 7, 31)
        self.assert_at(self.browse('press("End"); press("ArrowRight");'), 33, 20)
        self.assert_at(self.browse('press("End"); press("Home"); press("ArrowLeft");'), 0, 32)

    def test_a_move_or_the_graph_is_clicked(self):
        shown = self.browse("document.querySelector('[data-ply=\"33\"]').click();")
        self.assert_at(shown, 33, 20)
        self.assertTrue("Rd8#</strong> · <strong class=\"\">1–0<" in shown)
        middle = """const graph = document.querySelector(".graph svg");
        const box = graph.getBoundingClientRect();
        graph.dispatchEvent(new MouseEvent("click", { clientX: box.left + box.width * 12 / 33 }));"""
        self.assert_at(self.browse(middle), 12, 28)

    def test_the_board_is_turned(self):
        king = r'<use href="#k" class="white-man" x="(\d+)" y="(\d+)"'
        self.assertEqual(re.search(king, self.browse()).groups(), ("180", "315"))
        for key in "fF":
            turned = self.browse(f'press("{key}");')
            self.assertEqual(re.search(king, turned).groups(), ("135", "0"))

    def test_a_link_leads_to_a_move(self):
        self.assert_at(self.browse(place="#8"), 8, 30)

    def test_the_line_of_the_engine_is_stepped_through(self):
        # It is of a position without a mark, so that the list of moves does not have it.
        first = "document.querySelector('.better [data-path]').click();"
        walk = first + "".join('press("ArrowRight");' for _ in range(2))
        at = r'Variation: ((?:\S+ )*)'
        lengths = [len(re.search(at, self.browse(keys)).group(1).split()) for keys in (first, walk)]
        self.assertGreater(lengths[1], lengths[0])

    def test_is_drawn(self):
        picture = self.folder / "page.png"
        for width in (400, 1100):
            picture.unlink(missing_ok=True)
            screenshot(self.page, picture, width, 900)
            # A blank page compresses to a few kilobytes.
            self.assertGreater(picture.stat().st_size, 20_000, width)


@unittest.skipUnless(BROWSER, "chromium is not installed")
class Trainer(Page):
    """Better moves are asked for, one mistake after the other."""

    # Black lets White mate, and White does not see it.
    GAME = "1. e4 f6 2. d4 g5 3. a3 Na6 *\n"

    ANSWER = """const article = document.querySelector(".game");
    const positions = JSON.parse(article.querySelector("script").textContent).positions;
    const asked = [];
    const answer = () => {
      press("m");
      const text = article.querySelector(".says strong").textContent;
      asked.push(text);
      const ply = positions.findIndex((one) => one.mark && text.endsWith(` ${one.move}`));
      const { fen, best_uci: best } = positions[ply - 1];
      const box = article.querySelector(".board").getBoundingClientRect();
      for (const square of [best.slice(0, 2), best.slice(2, 4)]) {
        const [file, rank] = [square.charCodeAt(0) - 97, Number(square[1]) - 1];
        const [x, y] = fen.split(" ")[1] === "w" ? [file, 7 - rank] : [7 - file, rank];
        const at = { clientX: box.left + (x + 0.5) * box.width / 8, clientY: box.top + (y + 0.5) * box.height / 8 };
        article.querySelector(".board").dispatchEvent(new MouseEvent("click", at));
      }
      if (!article.querySelector(".right")) fault("not right");
    };
    answer();
    answer();
    document.documentElement.dataset.asked = asked.join("; ");"""

    def test_after_the_answer_the_next_mistake_is_asked_for(self):
        asked = re.search('data-asked="([^"]*)"', self.browse(self.ANSWER)).group(1)
        first, second = asked.split("; ")
        self.assertNotEqual(first, second)


@unittest.skipUnless(BROWSER, "chromium is not installed")
class Variants(Page):
    """What games have that chess lacks, in the games and in variations."""

    GAME = """[Variant "Crazyhouse"]

1. e4 d5 2. exd5 Qxd5 3. Nc3 Qd8 (3... P@d3 4. Bxd3 Qxg2) 4. P@e5 *

[Variant "Atomic"]

1. Nf3 f6 2. Nd4 g6 3. Nb5 a6 (3... e6 4. Nxc7) 4. Nd4 *

[Variant "Three-check"]

1. e4 e5 2. Bc4 Nc6 3. Bxf7+ *
"""

    def show(self, game, ply, path=""):
        """The game's own part of the page at a ply, or in a variation from there."""
        place = f'[data-ply="{ply}"]' + (f'[data-path="{path}"]' if path else "")
        click = f"document.querySelector('#game-{game} {place}').click();"
        shown = self.browse(click, f"#game-{game}")
        return shown.split(f'id="game-{game}"')[1].split('<div class="side">')[0]

    def men(self, part):
        """The men on the board, and those in hand above and below it, as their letters and numbers."""
        board = part.split('class="board"')[1].split("</svg>")[0]
        hands = [hand.split("</svg>")[0] for hand in part.split('class="hand"')[1:]]
        held = [re.findall(r'href="#(.)" class="(.)|>×(\d+)<', hand) for hand in hands]
        return board.count("<use "), ["".join(map("".join, hand)) for hand in held]

    def test_men_in_hand_are_beside_the_board(self):
        self.assertEqual(self.men(self.show(1, 4)), (30, ["pb", "pw"]))
        self.assertEqual(self.men(self.show(1, 7)), (31, ["pb", ""]))

    def test_variations_drop_men_and_take_them_in_hand(self):
        path = "P@d3"
        self.assertEqual(self.men(self.show(1, 5, path)), (31, ["", "pw"]))
        path += " f1d3"
        self.assertEqual(self.men(self.show(1, 5, path)), (30, ["", "pw2"]))
        path += " d5g2"
        self.assertEqual(self.men(self.show(1, 5, path)), (29, ["pb", "pw2"]))

    def test_captures_explode_in_variations_too(self):
        part = self.show(2, 5, "e7e6 b5c7")
        self.assertEqual(self.men(part), (27, ["", ""]))
        self.assertEqual(part.count("hidden"), 2)

    def test_moves_are_numbered_behind_three_checks(self):
        self.assertIn(">3. Bxf7+<", self.show(3, 5))


def annotate(game, page, nodes):
    arguments = [engines.ORTHRUS, "annotate", game, "-o", page, "--nodes", str(nodes)]
    subprocess.run(arguments, check=True, timeout=TIMEOUT)
    return page


def browser(*arguments):
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
    with tempfile.TemporaryDirectory() as profile:
        command = [BROWSER, *options, f"--user-data-dir={profile}", *arguments]
        done = subprocess.run(command, capture_output=True, timeout=TIMEOUT, check=True)
    return done.stdout.decode("utf-8")


def screenshot(page, picture, width, height):
    """Saves a picture of a page."""
    size = f"--window-size={width},{height}"
    # Enough time for animations to end.
    browser(size, "--virtual-time-budget=2000", f"--screenshot={picture}", f"file://{page}")
