// What is tapped: men and cards on the drawing, keys of cards, and keys of whole words. One after the other they are a word.
// A surface comes from the server: offers (legal words, each with its path over the drawing), targets (what may be touched,
// legal or not), keypad (cards that are not drawn).
import { button } from "./elements.js";

// The words that can still come of what was touched so far: the first touch is that of the word, others may be left out.
export const reachable = (offers, touched) => offers.filter(({ path }) => {
  let at = 0;
  for (const one of touched) {
    const next = path.indexOf(one, at);
    if (next < 0 || (at === 0 && next > 0)) return false;
    at = next + 1;
  }
  return path.length > 0;
});
// Those of them that are complete: what was touched last is their last.
const complete = (offers, touched) => offers.filter(({ path }) => path.at(-1) === touched.at(-1));
// What may be touched next, the nearest first.
export const nextTouches = (offers, touched) => {
  const next = new Set();
  for (const { path } of offers) {
    const from = touched.length ? path.lastIndexOf(touched.at(-1)) + 1 : 0;
    for (const one of touched.length ? path.slice(from) : path.slice(0, 1)) next.add(one);
  }
  return [...next];
};
// What a tap comes to: a word to write, keys to choose from, a word to be asked about, or what is touched now.
export const tapped = (surface, touched, item) => {
  const path = [...touched, item];
  const open = reachable(surface.offers, path);
  const whole = complete(open, path);
  if (whole.length === 1 && (open.length === 1 || whole[0].path.length === path.length)) return { word: whole[0].word };
  if (whole.length > 1) return { keys: whole.map(({ word }) => [word, word]), touched: path };
  const keys = open.filter((one) => one.path.length > 1 && one.path.indexOf(item) === one.path.length - 2 && one.path.at(-1).startsWith("="));
  if (touched.length && keys.length && keys.length === open.length) return { keys: keys.map(({ word, path: way }) => [way.at(-1), word]), touched: path };
  if (open.length) return { touched: path };
  const { things, places } = surface.targets;
  const thing = things.find((one) => one.item === touched[0]);
  const place = places.find((one) => one.item === item);
  if (thing && place && touched.length === 1 && item !== touched[0]) {
    if (things.some((one) => one.item === item)) return { touched: [item] };
    const word = thing.word + place.word;
    if (thing.keys.length) return { keys: thing.keys.map((key) => [key, word + key]), touched: path };
    return surface.quiet ? { word } : { asks: word };
  }
  const alone = things.find((one) => one.item === item);
  if (alone && !places.length) return surface.quiet ? { word: alone.word } : { asks: alone.word };
  const begins = alone || reachable(surface.offers, [item]).length;
  return { touched: begins && item !== touched.at(-1) ? [item] : [] };
};

// --- the drawing ---

// The parts of a drawing that may be touched, with their places in hundredths of its width and height.
const partsOf = (svg, wanted) => {
  const { width, height } = svg.viewBox.baseVal;
  const groups = [...svg.querySelectorAll("g[data-id]")];
  const squares = groups.filter((one) => one.classList.contains("square"));
  const onBoard = squares.some((one) => wanted.has(one.dataset.id));
  const where = (group) => group.getAttribute("transform");
  const title = (group) => group.querySelector("title")?.textContent || "";
  return groups.filter((one) => wanted.has(one.dataset.id) || (onBoard && one.classList.contains("square"))).map((group) => {
    const [x, y] = where(group).match(/[\d.]+/g).map(Number);
    const rect = group.querySelector("rect");
    const box = rect ? { w: Number(rect.getAttribute("width")), h: Number(rect.getAttribute("height")) } : { w: group.getBBox().width, h: group.getBBox().height };
    const on = groups.filter((one) => one !== group && where(one) === where(group)).map(title).filter(Boolean);
    const name = group.dataset.id.replace(/^square /, "");
    return {
      id: group.dataset.id, group, men: groups.filter((one) => one !== group && where(one) === where(group)),
      x: (100 * x) / width, y: (100 * y) / height, w: (100 * box.w) / width, h: (100 * box.h) / height,
      label: on.length ? on.join(", ") : title(group) || `${name}, empty`,
    };
  });
};
// The nearest part in the direction of an arrow key.
const WAY = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const neighbour = (parts, from, [right, down]) => {
  let best = null;
  for (const part of parts) {
    const ahead = (part.x - from.x) * right + (part.y - from.y) * down;
    const aside = Math.abs((part.x - from.x) * down) + Math.abs((part.y - from.y) * right);
    if (ahead > 0.5 && (!best || ahead + 3 * aside < best.cost)) best = { part, cost: ahead + 3 * aside };
  }
  return best?.part;
};

// Buttons over a drawing, one for each part that may be touched. write: a whole word; ask: a word that may not be legal.
export const touchBoard = (stage, surface, { write, ask, choose }) => {
  const svg = stage.querySelector("svg.drawing");
  stage.querySelector(".touch")?.remove();
  if (!svg) return;
  const wanted = new Set([...surface.offers.flatMap(({ path }) => path), ...[...surface.targets.things, ...surface.targets.places].map((one) => one.item)].filter(Boolean));
  const parts = partsOf(svg, wanted);
  if (!parts.length) return;
  const layer = document.createElement("div");
  layer.className = "touch";
  layer.setAttribute("role", "group");
  layer.setAttribute("aria-label", "The position, to be tapped");
  const buttons = new Map();
  let touched = [];
  const show = () => {
    const next = new Set(touched.length && !surface.quiet ? nextTouches(reachable(surface.offers, touched), touched) : []);
    for (const part of parts) {
      const one = buttons.get(part.id);
      one.setAttribute("aria-pressed", touched.includes(part.id));
      one.classList.toggle("lit", next.has(part.id));
      one.classList.toggle("takes", next.has(part.id) && part.men.length > 0);
      one.setAttribute("aria-label", next.has(part.id) ? `${part.label}, may go there` : part.label);
    }
  };
  const tap = (part) => {
    const came = tapped(surface, touched, part.id);
    touched = came.touched || [];
    show();
    choose(came.keys || [], part);
    if (came.word) write(came.word);
    else if (came.asks) ask(came.asks);
  };
  const rove = (part) => {
    for (const [id, one] of buttons) one.tabIndex = id === part.id ? 0 : -1;
  };
  const drag = (part, down) => {
    const box = layer.getBoundingClientRect();
    let moves = false;
    const under = (event) => parts.find((one) => {
      const [x, y] = [100 * (event.clientX - box.left) / box.width, 100 * (event.clientY - box.top) / box.height];
      return x >= one.x && x < one.x + one.w && y >= one.y && y < one.y + one.h;
    });
    const carried = part.men.length ? part.men : [part.group];
    const scale = svg.viewBox.baseVal.width / box.width;
    const move = (event) => {
      const [x, y] = [event.clientX - down.clientX, event.clientY - down.clientY];
      if (!moves && Math.hypot(x, y) < 8) return;
      if (!moves && touched.at(-1) !== part.id) tap(part);
      moves = true;
      for (const man of carried) man.style.translate = `${x * scale}px ${y * scale}px`;
    };
    const end = (event) => {
      buttons.get(part.id).removeEventListener("pointermove", move);
      for (const man of carried) man.style.translate = "";
      if (!moves || event.type === "pointercancel") return;
      layer.dataset.dragged = "1"; // the click that follows a drag is none
      setTimeout(() => delete layer.dataset.dragged);
      const to = under(event);
      if (to && to !== part && touched.length) tap(to);
    };
    buttons.get(part.id).setPointerCapture(down.pointerId);
    buttons.get(part.id).addEventListener("pointermove", move);
    for (const name of ["pointerup", "pointercancel"]) buttons.get(part.id).addEventListener(name, end, { once: true });
  };
  const begins = (part) => surface.targets.things.some((one) => one.item === part.id) || reachable(surface.offers, [part.id]).length > 0;
  for (const part of parts) {
    const one = document.createElement("button");
    one.type = "button";
    one.dataset.item = part.id;
    one.tabIndex = -1;
    one.style.cssText = `left:${part.x}%;top:${part.y}%;width:${part.w}%;height:${part.h}%`;
    one.addEventListener("click", () => { if (!layer.dataset.dragged) tap(part); });
    one.addEventListener("focus", () => rove(part));
    if (begins(part)) {
      one.classList.add("own");
      one.addEventListener("pointerdown", (event) => drag(part, event));
    }
    buttons.set(part.id, one);
  }
  stage.querySelector(".board").onkeydown = (event) => { // also over the keys of a choice
    if (event.key !== "Escape") return;
    buttons.get(touched[0])?.focus();
    touched = [];
    choose([]);
    show();
  };
  layer.addEventListener("keydown", (event) => {
    const part = parts.find(({ id }) => id === event.target.dataset.item);
    const to = WAY[event.key] && part && neighbour(parts, part, WAY[event.key]);
    if (!to) return;
    event.preventDefault();
    buttons.get(to.id).focus();
  });
  layer.append(...buttons.values());
  rove(parts.find(begins) || parts[0]);
  show();
  stage.querySelector(".board").append(layer);
};

// --- words that are put together step by step ---

// The ways on from a node of a form, each with the text it adds and what is touched for it: an item, a card, or a key.
const waysOf = (form, node) => (form.nodes[node] || []).flatMap(({ text = "", label = "", group = "", after = "", then = "" }) =>
  group ? form.groups[group].map((thing) => ({ text: text + thing.word + after, item: thing.item || thing.word, label: thing.label || thing.word, then: thing.then || then }))
    : [{ text, label, item: "", then }]);
// Where a word stands once everything is gone that needs no tap. whole: it may be complete; ways: how it may go on.
export const standing = (form, node, text) => {
  for (;;) {
    const ways = node ? waysOf(form, node) : [];
    const whole = !node || form.ends?.includes(node);
    if (whole || ways.length !== 1 || ways[0].label) return { node, text, whole, ways };
    [node, text] = [ways[0].then, text + ways[0].text];
  }
};
// Buttons over what is drawn of some ways; returns the ids of those items. leads: the items that lead to legal words.
export const touchWays = (stage, ways, leads, pick) => {
  const svg = stage.querySelector("svg.drawing");
  stage.querySelector(".touch")?.remove();
  const wanted = new Set(ways.map((way) => way.item).filter(Boolean));
  const squares = svg ? [...svg.querySelectorAll("g.square")].map((one) => one.dataset.id) : [];
  const all = svg ? partsOf(svg, new Set([...wanted, ...squares])) : [];
  const parts = all.filter((part) => wanted.has(part.id));
  if (!parts.length) return new Set();
  const layer = document.createElement("div");
  layer.className = "touch";
  layer.setAttribute("role", "group");
  layer.setAttribute("aria-label", "The position, to be tapped");
  const within = (part, square) => part.x >= square.x && part.y >= square.y && part.x < square.x + square.w && part.y < square.y + square.h;
  // What is alone in its square to be touched takes all of it, else a pyramid the room up to the next one.
  const boxOf = (part) => {
    if (!part.group.classList.contains("pyramid")) return part;
    const square = all.find((one) => squares.includes(one.id) && within(part, one));
    if (square && parts.filter((one) => within(one, square)).length === 1) return square;
    const next = parts.filter((one) => one.group.classList.contains("pyramid") && one.y === part.y && one.x > part.x).map((one) => one.x - part.x);
    return { ...part, w: Math.min(10, ...next) };
  };
  const buttons = parts.map((part, at) => {
    const one = document.createElement("button");
    one.type = "button";
    one.dataset.item = part.id;
    one.tabIndex = at ? -1 : 0;
    const box = boxOf(part);
    one.style.cssText = `left:${box.x}%;top:${box.y}%;width:${box.w}%;height:${box.h}%`;
    one.setAttribute("aria-label", part.label);
    one.classList.toggle("lit", leads.has(part.id));
    one.classList.toggle("takes", leads.has(part.id) && !part.group.classList.contains("waste"));
    one.addEventListener("click", () => pick(part.id, part));
    return one;
  });
  layer.addEventListener("keydown", (event) => {
    const part = parts.find(({ id }) => id === event.target.dataset.item);
    const to = WAY[event.key] && part && neighbour(parts, part, WAY[event.key]);
    if (!to) return;
    event.preventDefault();
    for (const one of buttons) one.tabIndex = one.dataset.item === to.id ? 0 : -1;
    buttons.find((one) => one.dataset.item === to.id).focus();
  });
  layer.append(...buttons);
  stage.querySelector(".board").append(layer);
  return new Set(parts.map(({ id }) => id));
};

// --- keys ---

let suit = ""; // the sign of the suit whose keys are open
export const openSuit = (sign) => { suit = sign; };
// The keys of cards, which keep their places: a key for each suit, and below it the cards of the one that is open.
// mayPlay: the cards that may be tapped, null for all; listed: those that the word has already; pick: a card was tapped.
export const layCards = (into, keypad, mayPlay, listed, pick) => {
  const leads = ({ keys }) => mayPlay === null || keys.some(([word]) => mayPlay.has(word));
  const leading = keypad.suits.filter(leads).map(({ sign }) => sign);
  if (!leading.includes(suit)) suit = leading.includes(keypad.suit_led) ? keypad.suit_led : leading[0] || "";
  const lay = () => {
    const tabs = keypad.suits.map(({ sign, name }) => {
      const tab = button(sign, name, () => {
        suit = sign;
        lay();
      });
      tab.setAttribute("aria-pressed", sign === suit);
      tab.classList.toggle("red", "♥♦".includes(sign));
      return tab;
    });
    const open = keypad.suits.find(({ sign }) => sign === suit);
    const cards = open.keys.map(([word, label]) => {
      const key = button(label, label === word ? "" : `${label}: ${word}`, () => pick(word));
      const seen = keypad.open_cards.includes(word);
      key.setAttribute("aria-pressed", listed.includes(word));
      key.classList.toggle("seen", seen || (mayPlay !== null && !mayPlay.has(word)));
      key.classList.toggle("red", "♥♦".includes(suit));
      key.dataset.word = word;
      return key;
    });
    const rows = [document.createElement("div"), document.createElement("div")];
    rows[0].className = "suits";
    rows[0].append(...tabs);
    rows[1].className = "cards-of";
    rows[1].append(...cards);
    into.replaceChildren(...rows);
  };
  if (keypad.suits.length) lay();
  else into.replaceChildren();
};
