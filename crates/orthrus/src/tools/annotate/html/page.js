"use strict";
// Adds the board to each game and steps through its moves. Without it the page lacks only the
// board.
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const SIZE = 45;

  const node = (name, attributes, parent) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    parent?.append(made);
    return made;
  };
  const html = (name, className, parent, text = "") => {
    const made = document.createElement(name);
    made.className = className;
    made.textContent = text;
    parent.append(made);
    return made;
  };

  class Game {
    constructor(article) {
      this.article = article;
      this.data = JSON.parse(article.querySelector("script").textContent);
      this.positions = this.data.positions;
      this.ply = 0;
      this.turned = false;
      const stage = article.querySelector(".stage");
      const view = html("div", "view", stage);
      this.gauge = html("div", "gauge", view);
      html("div", "", this.gauge);
      this.board = node("svg", { class: "board", viewBox: `0 0 ${8 * SIZE} ${8 * SIZE}` }, view);
      const tools = html("div", "tools", stage);
      const buttons = [
        ["«", "first position", () => this.go(0)],
        ["‹", "back", () => this.go(this.ply - 1)],
        ["›", "forward", () => this.go(this.ply + 1)],
        ["»", "last position", () => this.go(this.positions.length - 1)],
        ["⇅", "turn the board", () => this.turn()],
      ];
      for (const [sign, title, act] of buttons) {
        const button = html("button", "", tools, sign);
        button.title = title;
        button.setAttribute("aria-label", title);
        button.onclick = act;
      }
      this.says = html("div", "says", stage);
      this.says.setAttribute("aria-live", "polite");
      this.moves = [...article.querySelectorAll(".moves button")];
      for (const move of this.moves) move.onclick = () => this.go(Number(move.dataset.ply));
      this.graph = article.querySelector(".graph svg");
      this.graph.onclick = (event) => {
        const box = this.graph.getBoundingClientRect();
        this.go(Math.round(((event.clientX - box.left) / box.width) * this.last()));
      };
      this.show();
    }

    last() {
      return this.positions.length - 1;
    }

    go(ply) {
      this.ply = Math.max(0, Math.min(this.last(), ply));
      this.show();
    }

    turn() {
      this.turned = !this.turned;
      this.show();
    }

    // Where a square's corner is: file and rank from 0.
    corner(file, rank) {
      return this.turned ? [(7 - file) * SIZE, rank * SIZE] : [file * SIZE, (7 - rank) * SIZE];
    }

    squares(uci) {
      const at = (text) => [text.charCodeAt(0) - 97, Number(text[1]) - 1];
      return uci ? [at(uci.slice(0, 2)), at(uci.slice(2, 4))] : [];
    }

    show() {
      const here = this.positions[this.ply];
      this.draw(here);
      this.tell(here);
      const share = here.wdl ? (here.wdl[0] + here.wdl[1] / 2) / 10 : 50;
      this.gauge.firstChild.style.height = `${share}%`;
      this.gauge.classList.toggle("turned", this.turned);
      const x = (1000 * this.ply) / Math.max(1, this.last());
      this.graph.querySelector(".cursor").setAttribute("d", `M${x} 0V180`);
      for (const move of this.moves) {
        const now = Number(move.dataset.ply) === this.ply;
        move.classList.toggle("now", now);
        if (now) this.reveal(move);
      }
      if (this.ply === 0 && this.moves.length) this.moves[0].closest("ol").scrollTop = 0;
    }

    // Scrolls the list, not the page.
    reveal(move) {
      const list = move.closest("ol");
      const [box, frame] = [move.getBoundingClientRect(), list.getBoundingClientRect()];
      if (box.top < frame.top) list.scrollTop -= frame.top - box.top + 6;
      if (box.bottom > frame.bottom) list.scrollTop += box.bottom - frame.bottom + 6;
    }

    draw(here) {
      this.board.replaceChildren();
      for (let square = 0; square < 64; square++) this.drawSquare(square % 8, square >> 3);
      for (const [file, rank] of this.squares(here.uci)) {
        const [x, y] = this.corner(file, rank);
        node("rect", { class: "last", x, y, width: SIZE, height: SIZE }, this.board);
      }
      here.fen.split(" ")[0].split("/").forEach((row, index) => {
        let file = 0;
        for (const letter of row) {
          if (letter >= "1" && letter <= "8") {
            file += Number(letter);
            continue;
          }
          const [x, y] = this.corner(file++, 7 - index);
          const kind = letter.toLowerCase();
          const man = letter === kind ? "black-man" : "white-man";
          node("use", { href: `#${kind}`, class: man, x, y, width: SIZE, height: SIZE }, this.board);
        }
      });
      this.drawArrow(here.best_uci);
    }

    drawSquare(file, rank) {
      const [x, y] = this.corner(file, rank);
      const shade = (file + rank) % 2 ? "light" : "dark";
      node("rect", { class: shade, x, y, width: SIZE, height: SIZE }, this.board);
      const label = (text, dx, dy) => {
        const place = { class: `on-${shade}`, x: x + dx, y: y + dy };
        node("text", place, this.board).textContent = text;
      };
      if (x === 0) label(String(rank + 1), 2, 9);
      if (y === 7 * SIZE) label("abcdefgh"[file], SIZE - 7, SIZE - 3);
    }

    // The best move from here.
    drawArrow(uci) {
      const [from, to] = this.squares(uci);
      if (!from) return;
      const centre = ([file, rank]) => this.corner(file, rank).map((side) => side + SIZE / 2);
      const [[x1, y1], [x2, y2]] = [centre(from), centre(to)];
      const length = Math.hypot(x2 - x1, y2 - y1) || 1;
      const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
      const [bx, by] = [x2 - 14 * dx, y2 - 14 * dy];
      node("path", { class: "arrow", d: `M${x1 + 8 * dx} ${y1 + 8 * dy}L${bx - 3 * dx} ${by - 3 * dy}` }, this.board);
      const head = `M${x2} ${y2}L${bx - 9 * dy} ${by + 9 * dx}L${bx + 9 * dy} ${by - 9 * dx}Z`;
      node("path", { class: "head", d: head }, this.board);
    }

    tell(here) {
      this.says.replaceChildren();
      const before = this.positions[this.ply - 1];
      const first = html("p", "", this.says);
      if (before) {
        html("strong", "", first, `${this.number(before)} ${here.move}`);
        first.append(" · ");
      }
      html("strong", "", first, score(here));
      if (here.wdl) {
        const [win, draw, loss] = here.wdl.map((permille) => Math.round(permille / 10));
        first.append(` · win ${win} %, draw ${draw} %, loss ${loss} % · depth ${here.depth}`);
      }
      if (here.mark && before.best?.length) {
        const text = `${here.mark[0].toUpperCase()}${here.mark.slice(1)}. Better was `;
        html("p", here.mark, this.says, text + line(before));
      }
      if (here.best?.length) html("p", "better", this.says, `Best now: ${line(here)}`);
    }

    number(position) {
      const fields = position.fen.split(" ");
      return fields[5] + (fields[1] === "w" ? "." : "…");
    }
  }

  const score = ({ score: value, fen }) => {
    if (!value) return "not analysed";
    if (value.mate === 0) return fen.split(" ")[1] === "w" ? "0–1" : "1–0";
    if (value.mate !== undefined) return `#${value.mate}`.replace("-", "−");
    return `${value.cp < 0 ? "−" : "+"}${(Math.abs(value.cp) / 100).toFixed(2)}`;
  };

  // The best line of a position, with move numbers.
  const line = ({ best, fen }) => {
    const fields = fen.split(" ");
    let [number, white] = [Number(fields[5]), fields[1] === "w"];
    const words = [];
    for (const [index, move] of best.slice(0, 10).entries()) {
      if (white) words.push(`${number}.`);
      else if (index === 0) words.push(`${number}…`);
      if (!white) number++;
      white = !white;
      words.push(move);
    }
    return words.join(" ");
  };

  const games = [...document.querySelectorAll(".game")].map((article) => new Game(article));
  // Keys move the game that was touched last.
  let current = games[0];
  for (const game of games) {
    game.article.addEventListener("pointerdown", () => (current = game));
    game.article.addEventListener("focusin", () => (current = game));
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !current) return;
    const acts = {
      ArrowLeft: () => current.go(current.ply - 1),
      ArrowRight: () => current.go(current.ply + 1),
      Home: () => current.go(0),
      End: () => current.go(current.last()),
      f: () => current.turn(),
    };
    // Letters work with Caps Lock too.
    const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  // A link to page.html#12 shows the position after twelve half moves.
  const wanted = Number(location.hash.slice(1));
  if (current && wanted) current.go(wanted);
})();
