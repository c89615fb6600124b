"use strict";
const games = [...document.querySelectorAll("article")].map((root, at) => {
  const one = (what) => root.querySelector(what), all = (what) => [...root.querySelectorAll(what)];
  const data = JSON.parse(one('script[type="application/json"]').textContent);
  const frames = data.frames.map(([name, before, line, called, word, rules, places, gone, rows, left, high]) =>
    ({ name, before, line, called, word, rules, places, gone, rows, left, high, next: -1 }));
  frames.forEach((frame, number) => {
    const before = frames[frame.before];
    if (before && (before.line === frame.line || (number === 1 && !frame.line))) before.next = number;
  });
  const groups = all("svg > g"), rules = all(".rules dl > div"), slider = one("input[type=range]");
  const button = (name) => one(`button[data-do=${name}]`);
  let here = 0, shown = new Map(), timer = 0;

  const board = (number) => {
    const frame = frames[number];
    if (!frame.board) {
      const before = frame.before < 0 ? { things: new Map(), text: [] } : board(frame.before);
      const things = new Map(before.things), text = before.text.slice();
      frame.gone.forEach((group) => things.delete(group));
      for (let i = 0; i < frame.places.length; i += 3) things.set(frame.places[i], `translate(${frame.places[i + 1]},${frame.places[i + 2]})`);
      for (let i = 0; i < frame.rows.length; i += 2) {
        if (frame.rows[i + 1] < 0) text.length = frame.rows[i];
        else text[frame.rows[i]] = frame.rows[i + 1];
      }
      frame.board = { things, text };
    }
    return frame.board;
  };
  const path = () => {
    const way = [here];
    while (frames[way[0]].before >= 0) way.unshift(frames[way[0]].before);
    for (let at = here; (at = frames[at].next) >= 0;) way.push(at);
    return way;
  };
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    button("play").textContent = "Play";
    button("play").setAttribute("aria-pressed", "false");
  };
  const draw = () => {
    const frame = frames[here], { things, text } = board(here), way = path();
    shown.forEach((_, group) => things.has(group) || groups[group].setAttribute("display", "none"));
    things.forEach((place, group) => {
      if (shown.get(group) !== place) groups[group].setAttribute("transform", place);
      if (!shown.has(group)) groups[group].removeAttribute("display");
    });
    shown = things;
    const wide = one("svg").getAttribute("width");
    one("svg").setAttribute("viewBox", `0 0 ${wide} ${frame.high}`);
    one("svg").setAttribute("height", frame.high);
    one("pre").textContent = text.map((row) => data.lines[row]).join("\n");
    one(".now").textContent = frame.called;
    one(".now").className = `now ${frame.word.replace(" ", "-")}`;
    if (frame.word) one(".now").append(" ", Object.assign(document.createElement("span"), { textContent: frame.word }));
    let said = false;
    all(".said").forEach((each) => {
      each.hidden = +each.dataset.frame !== here;
      said = said || !each.hidden;
    });
    const plain = one(".plain");
    if (plain) {
      plain.hidden = said;
      plain.textContent = here === 0 ? `Step through the game with the arrow keys, by swiping or with the buttons${frames.some((each) => each.line) ? "; down goes into a variation, up out of it" : ""}.` :
        frame.word === "unjudged" ? "This record is not judged." : "";
    }
    rules.forEach((each, number) => { each.hidden = !frame.rules.includes(number); });
    if (one(".rules")) one(".rules").hidden = !frame.rules.length;
    one(".left").textContent = frame.left;
    one("svg").setAttribute("aria-label", `Board, ${frame.called}`);
    slider.max = way.length - 1;
    slider.value = way.indexOf(here);
    slider.setAttribute("aria-valuetext", frame.called);
    button("leave").hidden = !frame.line;
    ["first", "back"].forEach((each) => { button(each).disabled = here === 0; });
    ["on", "last", "play"].forEach((each) => { button(each).disabled = frame.next < 0; });
    const list = one(".moves");
    all("a[aria-current]").forEach((each) => each.removeAttribute("aria-current"));
    const link = one(`.moves a[data-frame="${here}"]`);
    if (link) {
      link.setAttribute("aria-current", "step");
      if (list.scrollHeight > list.clientHeight) list.scrollTop = link.getBoundingClientRect().top - list.getBoundingClientRect().top + list.scrollTop - list.clientHeight / 2;
    } else list.scrollTop = 0;
    one(".verdict").scrollTop = 0;
  };
  const go = (number) => {
    if (!(number in frames)) return;
    here = number;
    draw();
    try { history.replaceState(null, "", `#${at ? `${at + 1}.` : ""}${frames[here].name}`); } catch { /* no address */ }
  };
  const entry = () => {
    let first = here;
    while (frames[frames[first].before]?.line === frames[here].line) first = frames[first].before;
    return first;
  };
  const doing = {
    first: () => go(0),
    back: () => go(frames[here].before),
    on: () => go(frames[here].next),
    last: () => go(path().at(-1)),
    enter: () => go(frames.findIndex((each, number) => number > here && each.line && each.name.startsWith(`${frames[here].name}-`))),
    leave: () => frames[here].line && go(frames.findIndex((each) => each.name === frames[entry()].name.split("-").slice(0, -2).join("-"))),
    play: () => {
      if (timer) return stop();
      timer = setInterval(() => frames[here].next < 0 ? stop() : doing.on(), 1200);
      button("play").textContent = "Stop";
      button("play").setAttribute("aria-pressed", "true");
    },
  };
  all("button").forEach((each) => each.addEventListener("click", () => {
    if (each.dataset.do !== "play") stop();
    doing[each.dataset.do]();
  }));
  slider.addEventListener("input", () => { stop(); go(path()[+slider.value]); });
  let from = null;
  const stage = one("svg");
  stage.addEventListener("touchstart", (event) => { from = event.touches.length === 1 ? event.touches[0] : null; }, { passive: true });
  stage.addEventListener("touchend", (event) => {
    if (!from) return;
    const x = event.changedTouches[0].clientX - from.clientX, y = event.changedTouches[0].clientY - from.clientY;
    if (Math.abs(x) > 40 && Math.abs(x) > 2 * Math.abs(y)) { stop(); doing[x < 0 ? "on" : "back"](); }
    from = null;
  }, { passive: true });
  return { root, frames, go, stop, doing, draw };
});
let current = games[0];
const follow = () => {
  const [, game, name] = /^#(?:(\d+)\.)?([\d-]+)$/.exec(location.hash) || [, , "0"];
  const asked = games[(game || 1) - 1] || games[0];
  games.forEach((each) => { each.root.hidden = each !== asked; if (each !== asked) each.stop(); });
  document.querySelectorAll(".games a").forEach((each, at) => games[at] === asked ? each.setAttribute("aria-current", "page") : each.removeAttribute("aria-current"));
  current = asked;
  const number = asked.frames.findIndex((each) => each.name === name);
  asked.go(number >= 0 ? number : +name > 0 ? asked.frames.findLastIndex((each) => !each.line) : 0);
};
const keys = { ArrowLeft: "back", ArrowRight: "on", ArrowDown: "enter", ArrowUp: "leave", Home: "first", End: "last" };
addEventListener("keydown", (event) => {
  const command = keys[event.key];
  if (!command || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  const vertical = command === "enter" || command === "leave", scrolls = event.target.closest?.("[tabindex]");
  if (event.target.type === "range" || (vertical && scrolls)) return;
  current.stop();
  current.doing[command]();
  if (!vertical) event.preventDefault();
});
addEventListener("hashchange", follow);
follow();
