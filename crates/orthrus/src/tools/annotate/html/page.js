"use strict";
// Adds the board to each game and steps through its moves. Without it the page lacks only the
// board.
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const SIZE = 45;
  const HAND = { class: "hand", viewBox: `0 0 ${8 * SIZE} 30` };

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
      // The way from that position into a variation: moves in coordinates.
      this.path = [];
      // Whether the better move is asked for, and the square that was clicked first.
      this.asking = false;
      this.from = null;
      // Where the right answer was given.
      this.answered = null;
      this.turned = false;
      const stage = article.querySelector(".stage");
      // The men in hand, above and below the board.
      this.hands = [];
      this.hands.push(node("svg", HAND, stage));
      const view = html("div", "view", stage);
      this.gauge = html("div", "gauge", view);
      html("div", "", this.gauge);
      this.board = node("svg", { class: "board", viewBox: `0 0 ${8 * SIZE} ${8 * SIZE}` }, view);
      this.hands.push(node("svg", HAND, stage));
      const tools = html("div", "tools", stage);
      const buttons = [
        ["«", "first position", () => this.go(0)],
        ["‹", "back", () => this.back()],
        ["›", "forward", () => this.forward()],
        ["»", "last position", () => this.go(this.positions.length - 1)],
        ["⇅", "turn the board", () => this.turn()],
        ["??", "next mistake: find the better move", () => this.ask()],
      ];
      for (const [sign, title, act] of buttons) {
        const button = html("button", "", tools, sign);
        button.title = title;
        button.setAttribute("aria-label", title);
        button.onclick = act;
      }
      this.says = html("div", "says", stage);
      this.says.setAttribute("aria-live", "polite");
      this.board.onclick = (event) => this.click(event);
      this.moves = [...article.querySelectorAll(".moves button:not([data-path])")];
      for (const move of this.moves) move.onclick = () => this.go(Number(move.dataset.ply));
      this.variations = [...article.querySelectorAll(".moves button[data-path]")];
      for (const move of this.variations) move.onclick = () => this.follow(move);
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
      this.path = [];
      this.stopAsking();
      this.show();
    }

    // Shows a move of a variation, or of a better line.
    follow(move) {
      this.ply = Number(move.dataset.ply);
      this.path = move.dataset.path.split(" ");
      this.stopAsking();
      this.show();
    }

    // Within a variation, steps go along it and back to the game.
    forward() {
      if (!this.path.length) return this.go(this.ply + 1);
      const next = `${this.path.join(" ")} `;
      const move = this.variations.find((one) => {
        const { ply, path } = one.dataset;
        return Number(ply) === this.ply && path.startsWith(next) && !path.slice(next.length).includes(" ");
      });
      if (move) return this.follow(move);
      // Along the engine's line from a position without a mark, which the list does not have.
      const rest = this.rest();
      if (!rest.length) return;
      this.path = [...this.path, rest[0]];
      this.show();
    }

    // What follows the path in the engine's line.
    rest() {
      const { pv } = this.positions[this.ply];
      return pv && `${pv.join(" ")} `.startsWith(`${this.path.join(" ")} `) ? pv.slice(this.path.length) : [];
    }

    back() {
      if (!this.path.length) return this.go(this.ply - 1);
      this.path = this.path.slice(0, -1);
      this.show();
    }

    // Goes to the next marked move and asks for a better one.
    ask() {
      // A drop cannot be shown by the square of a man.
      const shown = (uci) => uci && uci[1] !== "@";
      const marked = (ply) => this.positions[ply].mark && shown(this.positions[ply - 1].best_uci);
      const plies = this.positions.map((_, ply) => ply).filter((ply) => ply > 0 && marked(ply));
      if (!plies.length) return;
      // The position before the marked move is shown; the search goes on behind it, and at the
      // first one again.
      const behind = this.ply + (this.asking || this.answered === this.ply ? 1 : 0);
      const ply = plies.find((one) => one > behind) ?? plies[0];
      this.go(ply - 1);
      this.asking = true;
      this.turned = this.positions[ply - 1].fen.split(" ")[1] === "b";
      this.article.classList.add("asking");
      this.show();
    }

    stopAsking() {
      this.asking = false;
      this.from = null;
      this.article.classList.remove("asking");
    }

    // Takes the answer: the square of the man, then where it goes.
    click(event) {
      if (!this.asking) return;
      const box = this.board.getBoundingClientRect();
      const at = (offset, length) => Math.max(0, Math.min(7, Math.floor((8 * offset) / length)));
      const [column, row] = [at(event.clientX - box.left, box.width), at(event.clientY - box.top, box.height)];
      const square = this.turned ? [7 - column, row] : [column, 7 - row];
      const here = this.positions[this.ply];
      const [best, to] = this.squares(here.best_uci);
      const same = (a, b) => a && b && a[0] === b[0] && a[1] === b[1];
      const white = here.fen.split(" ")[1] === "w";
      const { men } = placed(here.fen);
      const own = ([file, rank]) => men[rank * 8 + file] && isWhite(men[rank * 8 + file]) === white;
      // Castling of Chess960, where the king takes the rook: it may be shown where it lands, too.
      const lands = best && own(to) ? [to[0] > best[0] ? 6 : 2, to[1]] : to;
      if (this.from && same(this.from, best) && (same(square, to) || same(square, lands))) {
        this.stopAsking();
        this.answered = this.ply;
        this.show();
        const right = html("p", "right", this.says);
        this.says.prepend(right);
        right.append("Right! ", this.playable(this.ply));
        return;
      }
      const wrong = this.from && !own(square);
      this.from = own(square) ? square : null;
      this.show(wrong);
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
      if (!uci || uci === "0000") return [];
      const to = at(uci.slice(2, 4));
      return uci[1] === "@" ? [to, to] : [at(uci.slice(0, 2)), to];
    }

    show(wrong = false) {
      const here = this.positions[this.ply];
      this.draw(here);
      if (this.asking) this.question(wrong);
      else if (this.path.length) this.tellVariation();
      else this.tell(here);
      const share = here.wdl ? (here.wdl[0] + here.wdl[1] / 2) / 10 : 50;
      this.gauge.firstChild.style.height = `${share}%`;
      this.gauge.classList.toggle("turned", this.turned);
      const x = (1000 * this.ply) / Math.max(1, this.last());
      this.graph.querySelector(".cursor").setAttribute("d", `M${x} 0V180`);
      for (const move of this.moves) {
        const now = !this.path.length && Number(move.dataset.ply) === this.ply;
        move.classList.toggle("now", now);
        if (now) this.reveal(move);
      }
      const path = this.path.join(" ");
      for (const move of this.variations) {
        const now = path !== "" && Number(move.dataset.ply) === this.ply && move.dataset.path === path;
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
      const white = here.fen.split(" ")[1] === "w";
      const explodes = this.data.variant === "atomic";
      const play = (before, uci, index) => played(before, uci, white === (index % 2 === 0), explodes);
      const { men, hands } = this.path.reduce(play, placed(here.fen));
      const last = this.path.length ? this.path[this.path.length - 1] : here.uci;
      const lit = this.from ? [this.from] : this.squares(last);
      for (const [file, rank] of lit) {
        const [x, y] = this.corner(file, rank);
        node("rect", { class: "last", x, y, width: SIZE, height: SIZE }, this.board);
      }
      men.forEach((man, square) => {
        if (!man) return;
        const [x, y] = this.corner(square % 8, square >> 3);
        drawMan(man, x, y, SIZE, this.board);
      });
      this.drawHands(hands);
      if (!this.asking && !this.path.length) this.drawArrow(here.best_uci);
    }

    // The own hand is below the board, as the own men are.
    drawHands(hands) {
      this.hands.forEach((hand, below) => {
        hand.replaceChildren();
        hand.toggleAttribute("hidden", !hands);
        const whites = (below === 1) !== this.turned;
        let x = 0;
        for (const kind of "QRBNP") {
          const man = whites ? kind : kind.toLowerCase();
          const count = hands?.filter((held) => held === man).length;
          if (!count) continue;
          drawMan(man, x, 0, 30, hand);
          if (count > 1) node("text", { x: x + 30, y: 20 }, hand).textContent = `×${count}`;
          x += count > 1 ? 58 : 36;
        }
      });
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
      if (!from || uci[1] === "@") return;
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
      if (here.clock !== undefined) first.append(` · clock ${clock(here.clock)}`);
      if (here.time !== undefined) first.append(` · took ${clock(here.time)}`);
      if (here.mark && before.best?.length) {
        const reason = here.reason ? `: ${here.reason}` : "";
        const text = `${here.mark[0].toUpperCase()}${here.mark.slice(1)}${reason}. Better was `;
        html("p", here.mark, this.says, text).append(this.playable(this.ply - 1));
      }
      if (here.best?.length) html("p", "better", this.says, "Best now: ").append(this.playable(this.ply));
      if (here.comment) html("p", "", this.says, here.comment);
    }

    // The best line from a position, in which each move can be played on the board.
    playable(ply) {
      const { best, pv, fen } = this.positions[ply];
      const text = document.createElement("span");
      const numbers = numbered(fen, best.length);
      best.forEach((san, index) => {
        const move = document.createElement("button");
        move.textContent = numbers[index] + san;
        move.dataset.ply = ply;
        move.dataset.path = pv.slice(0, index + 1).join(" ");
        move.onclick = () => this.follow(move);
        text.append(move, " ");
      });
      return text;
    }

    question(wrong) {
      this.says.replaceChildren();
      const [here, next] = [this.positions[this.ply], this.positions[this.ply + 1]];
      const side = here.fen.split(" ")[1] === "w" ? "White" : "Black";
      const first = html("p", next.mark, this.says);
      html("strong", "", first, `${this.number(here)} ${next.move}`);
      first.append(` was a${next.mark === "inaccuracy" ? "n" : ""} ${next.mark}. Find a better move for ${side}: click on the man, then on its square.`);
      const second = html("p", "", this.says, wrong ? "That is not the engine’s move. Try again, or " : "");
      const show = html("button", "plain", second, wrong ? "see it" : "Show it");
      show.onclick = () => this.go(this.ply + 1);
    }

    tellVariation() {
      this.says.replaceChildren();
      const path = this.path.join(" ");
      const first = html("p", "", this.says, "Variation: ");
      const ply = this.ply;
      const shown = (one) => Number(one.dataset.ply) === ply && `${path} `.startsWith(`${one.dataset.path} `);
      const line = this.variations.filter(shown);
      const numbers = numbered(this.positions[ply].fen, this.path.length);
      const { best, pv } = this.positions[ply];
      this.path.forEach((_, index) => {
        const way = this.path.slice(0, index + 1).join(" ");
        const known = line.find((one) => one.dataset.path === way)?.textContent;
        const san = known ?? (pv?.slice(0, index + 1).join(" ") === way ? best[index] : this.path[index]);
        first.append(`${numbers[index]}${san} `);
      });
      const second = html("p", "", this.says);
      if (this.rest().length) {
        const on = html("button", "plain", second, "next move");
        on.onclick = () => this.forward();
        second.append(" ");
      }
      const back = html("button", "plain", second, "back to the game");
      back.onclick = () => this.go(ply);
    }

    number(position) {
      const fields = position.fen.split(" ");
      return fields.at(-1) + (fields[1] === "w" ? "." : "…");
    }
  }

  const score = ({ score: value, wdl }) => {
    if (!value) return "not analysed";
    // The game is over; in some variants the side to move has won.
    if (value.mate === 0) return wdl[0] ? "1–0" : "0–1";
    if (value.mate !== undefined) return `#${value.mate}`.replace("-", "−");
    return `${value.cp < 0 ? "−" : "+"}${(Math.abs(value.cp) / 100).toFixed(2)}`;
  };

  // What is before each of so many moves: its number, or nothing.
  const numbered = (fen, count) => {
    const fields = fen.split(" ");
    let [number, white] = [Number(fields.at(-1)), fields[1] === "w"];
    const words = [];
    for (let index = 0; index < count; index++) {
      words.push(white ? `${number}. ` : index === 0 ? `${number}… ` : "");
      if (!white) number++;
      white = !white;
    }
    return words;
  };

  const isWhite = (man) => man[0] === man[0].toUpperCase();

  const drawMan = (man, x, y, size, parent) => {
    const side = isWhite(man) ? "white-man" : "black-man";
    node("use", { href: `#${man[0].toLowerCase()}`, class: side, x, y, width: size, height: size }, parent);
  };

  // The men of a position from a1 to h8, `Q~` one that was a pawn, and in crazyhouse those in hand.
  const placed = (fen) => {
    const men = new Array(64).fill("");
    const [board, hands] = fen.split(" ")[0].split(/[[\]]/);
    board.split("/").forEach((row, index) => {
      let file = 0;
      for (const man of row.match(/[1-8]|[a-z]~?/gi)) {
        if (man >= "1" && man <= "8") file += Number(man);
        else men[(7 - index) * 8 + file++] = man;
      }
    });
    return { men, hands: hands === undefined ? null : [...hands] };
  };

  // The same after a legal move in coordinates, White's or Black's, where captures may explode.
  const played = (before, uci, white, explodes) => {
    const after = { men: before.men.slice(), hands: before.hands?.slice() };
    const { men, hands } = after;
    if (uci === "0000") return after;
    const own = (letter) => (white ? letter.toUpperCase() : letter.toLowerCase());
    const at = (text) => text.charCodeAt(0) - 97 + 8 * (Number(text[1]) - 1);
    if (uci[1] === "@") {
      const man = own(uci[0]);
      men[at(uci.slice(2, 4))] = man;
      hands.splice(hands.indexOf(man), 1);
      return after;
    }
    const [from, to] = [at(uci.slice(0, 2)), at(uci.slice(2, 4))];
    const man = men[from];
    const kind = man[0].toLowerCase();
    const rook = own("r");
    men[from] = "";
    // Castling: the king goes two squares, or in Chess960 to its own rook.
    if (kind === "k" && (men[to] === rook || Math.abs(from - to) === 2)) {
      const row = from - (from % 8);
      const short = to > from;
      men[men[to] === rook ? to : row + (short ? 7 : 0)] = "";
      men[row + (short ? 6 : 2)] = man;
      men[row + (short ? 5 : 3)] = rook;
      return after;
    }
    const passing = kind === "p" && from % 8 !== to % 8 && !men[to];
    const victim = passing ? from - (from % 8) + (to % 8) : to;
    const taken = men[victim];
    men[victim] = "";
    men[to] = uci[4] ? own(uci[4]) + (hands ? "~" : "") : man;
    if (taken) hands?.push(own(taken[1] ? "p" : taken));
    if (taken && explodes) {
      men[to] = "";
      const near = (square) => Math.abs((square % 8) - (to % 8)) < 2 && Math.abs((square >> 3) - (to >> 3)) < 2;
      men.forEach((one, square) => {
        if (near(square) && one.toLowerCase() !== "p") men[square] = "";
      });
    }
    return after;
  };

  // 4:58, or 1:02:03.
  const clock = (seconds) => {
    const whole = Math.floor(seconds);
    const two = (value) => String(value).padStart(2, "0");
    const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
    return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(whole % 60)}`;
  };

  // Each game gets its board when it is unfolded.
  let current;
  const made = new Map();
  const make = (article) => {
    if (!made.has(article)) {
      const game = new Game(article);
      made.set(article, game);
      article.addEventListener("pointerdown", () => (current = game));
      article.addEventListener("focusin", () => (current = game));
    }
    return made.get(article);
  };
  // It is written last, when all games are known; the keyboard comes to it first.
  const index = document.querySelector(".index");
  if (index) index.parentElement.prepend(index);
  for (const article of document.querySelectorAll(".game")) {
    const details = article.querySelector("details");
    details.addEventListener("toggle", () => {
      if (details.open) current = make(article);
    });
    if (details.open) current ??= make(article);
  }
  // Keys move the game that was touched last. A link to page.html#game-3 opens the third game, one to
  // page.html#12 the position after twelve half moves.
  const jump = () => {
    const article = location.hash.startsWith("#game-") && document.getElementById(location.hash.slice(1));
    if (article) {
      article.querySelector("details").open = true;
      current = make(article);
      article.scrollIntoView();
    }
    const wanted = Number(location.hash.slice(1));
    if (current && wanted) current.go(wanted);
  };
  window.addEventListener("hashchange", jump);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !current) return;
    const acts = {
      ArrowLeft: () => current.back(),
      ArrowRight: () => current.forward(),
      Home: () => current.go(0),
      End: () => current.go(current.last()),
      f: () => current.turn(),
      m: () => current.ask(),
    };
    // Letters work with Caps Lock too.
    const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  jump();
})();
