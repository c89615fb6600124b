// What is tapped: men and cards on the drawing, keys of cards, and keys of whole words. One after the other they are a word.
// A surface comes from the server: offers (legal words, each with its path over the drawing), targets (what may be touched,
// legal or not), keypad (cards that are not drawn), form (words that are put together step by step).
import { button, data, element, lastOf, need, targetOf } from "./elements.js";

/** @typedef {{ word: string, says: string, path: string[] }} Offer A word that may be legal, what the rules say if it is not certain, and what is touched for it. */
/** @typedef {{ word: string, item?: string, keys?: string[], aims?: string[] }} Target */
/** @typedef {{ sign: string, name: string, keys: [word: string, label: string][] }} SuitKeys */
/** @typedef {{ suits: SuitKeys[], open_cards: string[], suit_led: string }} Keypad */
/** @typedef {{ word: string, item?: string, label?: string, then?: string }} FormThing */
/** @typedef {{ text?: string, label?: string, group?: string, after?: string, then?: string }} FormBranch */
/** @typedef {{ nodes: Record<string, FormBranch[]>, groups: Record<string, FormThing[]>, ends?: string[], once?: boolean, titles?: Record<string, string> }} WordForm once: a card tapped again is taken out; titles: what is put together at a node */
/** @typedef {{ offers: Offer[], targets: { things: Target[], places: Target[], ends?: { things: Target[], beginnings: string[] } }, keypad: Keypad, form: WordForm, calls: CallKey[], signs: Record<string, string>, quiet: boolean }} Surface */
/** @typedef {{ word: string, label: string, open?: boolean }} CallKey A call of a seat. open: it does not stand in a fold */
/** @typedef {{ text: string, item: string, label: string, then: string }} Way How a word may go on. */
/** @typedef {{ node: string, text: string, whole: boolean, ways: Way[] }} Step Where a word stands. whole: it may be complete */
/** @typedef {{ word?: string, asks?: string, keys?: [label: string, word: string][], touched?: string[] }} Touched */
/** @typedef {{ x: number, y: number, w: number, h: number }} Box In hundredths of the drawing's width and height. */
/** @typedef {Box & { id: string, group: SVGGElement, men: SVGGElement[], label: string }} DrawnPart */

/**
 * Return the offers that can still come of what was touched: the first touch is that of the word, others may be left out.
 * @param {Offer[]} offers
 * @param {string[]} touched
 */
export const reachable = (offers, touched) => offers.filter(({ path }) => {
  let at = 0;
  for (const one of touched) {
    const next = path.indexOf(one, at);
    if (next < 0 || (at === 0 && next > 0)) return false;
    at = next + 1;
  }
  return path.length > 0;
});
/**
 * Return the offers that end with what was touched last.
 * @param {Offer[]} offers
 * @param {string[]} touched
 */
const complete = (offers, touched) => offers.filter(({ path }) => lastOf(path) === lastOf(touched));
/**
 * Return what may be touched next, the nearest first.
 * @param {Offer[]} offers
 * @param {string[]} touched
 */
export const nextTouches = (offers, touched) => {
  const next = new Set();
  for (const { path } of offers) {
    const from = touched.length ? path.lastIndexOf(lastOf(touched)) + 1 : 0;
    for (const one of touched.length ? path.slice(from) : path.slice(0, 1)) next.add(one);
  }
  return [...next];
};
/**
 * Return what a tap comes to: a word to write, keys to choose from, a word to be asked about, or what is touched now.
 * @param {Pick<Surface, "offers" | "targets" | "quiet">} surface
 * @param {string[]} touched What was touched before.
 * @param {string} item
 * @returns {Touched}
 */
export const tapped = (surface, touched, item) => {
  const path = [...touched, item];
  const open = reachable(surface.offers, path);
  const whole = complete(open, path);
  if (whole.length === 1 && (open.length === 1 || whole[0].path.length === path.length)) return { word: whole[0].word };
  if (whole.length > 1) return { keys: whole.map(({ word }) => [word, word]), touched: path };
  const keys = open.filter((one) => one.path.length > 1 && one.path.indexOf(item) === one.path.length - 2 && lastOf(one.path).startsWith("="));
  if (touched.length && keys.length && keys.length === open.length) return { keys: keys.map(({ word, path: way }) => [lastOf(way), word]), touched: path };
  if (open.length) return { touched: path };
  const { things, places, ends: { things: ends, beginnings } = { things: [], beginnings: [] } } = surface.targets;
  const thing = things.find((one) => one.item === touched[0]);
  const place = places.find((one) => one.item === item);
  const before = thing ? thing.word + (touched[1] ? places.find((one) => one.item === touched[1])?.word ?? "" : "") : "";
  const end = ends.find((one) => one.item === item);
  if (end && beginnings.includes(before)) return surface.quiet ? { word: before + end.word } : { asks: before + end.word };
  if (thing && place && touched.length === 1 && item !== touched[0]) {
    const word = thing.word + place.word;
    if (!surface.quiet && thing.aims?.includes(item)) return { asks: word, touched: [item] };
    if (things.some((one) => one.item === item)) return { touched: [item] };
    if (beginnings.includes(word)) return { touched: path };
    if (thing.keys?.length) return { keys: thing.keys.map((key) => [key, word + key]), touched: path };
    return surface.quiet ? { word } : { asks: word };
  }
  const alone = things.find((one) => one.item === item);
  if (alone && beginnings.includes(alone.word)) return { touched: [item] };
  if (alone && !places.length) return surface.quiet ? { word: alone.word } : { asks: alone.word };
  const begins = alone || reachable(surface.offers, [item]).length;
  return { touched: begins && item !== lastOf(touched) ? [item] : [] };
};
/**
 * Return why a tap on a part of the board began no word; empty if one is begun or dropped.
 * @param {Pick<DrawnPart, "label" | "men">} part
 * @param {string[]} before What was touched before.
 * @param {Touched} came What the tap came to.
 * @param {string} turn Who is to move.
 */
export const idle = (part, before, came, turn) => {
  if (before.length || came.touched?.length !== 0) return "";
  return part.men.length ? `${part.label} cannot be taken up: ${turn}` : `${part.label}: first tap what moves`;
};

// --- the drawing ---

/**
 * Return the parts of a drawing that may be touched, and on a board every place.
 * @param {SVGSVGElement} svg
 * @param {Set<string>} wanted The ids of their items.
 * @returns {DrawnPart[]}
 */
const partsOf = (svg, wanted) => {
  const { width, height } = svg.viewBox.baseVal;
  const groups = /** @type {SVGGElement[]} */ ([...svg.querySelectorAll("g[data-id]")]);
  const isSquare = /** @param {SVGGElement} group */ (group) => group.classList.contains("square") || group.classList.contains("point");
  const idOf = /** @param {SVGGElement} group */ (group) => group.dataset.id ?? "";
  const where = /** @param {SVGGElement} group */ (group) => group.getAttribute("transform") ?? "";
  const title = /** @param {SVGGElement} group */ (group) => group.querySelector("title")?.textContent || "";
  const onBoard = groups.some((one) => isSquare(one) && wanted.has(idOf(one)));
  return groups.filter((one) => wanted.has(idOf(one)) || (onBoard && isSquare(one))).map((group) => {
    const [x, y] = (where(group).match(/[\d.]+/g) ?? []).map(Number);
    const rect = group.querySelector("rect");
    const box = rect ? { width: Number(rect.getAttribute("width")), height: Number(rect.getAttribute("height")) } : group.getBBox();
    const men = groups.filter((one) => one !== group && where(one) === where(group));
    const on = men.map(title).filter(Boolean);
    return {
      id: idOf(group), group, men,
      x: (100 * x) / width, y: (100 * y) / height, w: (100 * box.width) / width, h: (100 * box.height) / height,
      label: on.length ? on.join(", ") : title(group) || `${idOf(group).replace(/^square /, "")}, empty`,
    };
  });
};
/** @type {Record<string, [right: number, down: number]>} The direction of each arrow key. */
const WAY = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
/**
 * Return the nearest part in a direction.
 * @param {DrawnPart[]} parts
 * @param {DrawnPart} from
 * @param {[right: number, down: number]} direction
 */
const neighbour = (parts, from, [right, down]) => {
  /** @type {{ part: DrawnPart, cost: number } | null} */
  let best = null;
  for (const part of parts) {
    const ahead = (part.x - from.x) * right + (part.y - from.y) * down;
    const aside = Math.abs((part.x - from.x) * down) + Math.abs((part.y - from.y) * right);
    if (ahead > 0.5 && (!best || ahead + 3 * aside < best.cost)) best = { part, cost: ahead + 3 * aside };
  }
  return best?.part;
};
/**
 * Return the drawing of a stage; null if the position is shown as text.
 * @param {HTMLElement} stage
 */
const drawingOf = (stage) => /** @type {SVGSVGElement | null} */ (stage.querySelector("svg.drawing"));
/**
 * Return a button for a part of a drawing.
 * @param {DrawnPart} part
 * @param {Box} box The room that the button takes.
 * @param {() => unknown} does
 */
const buttonOver = (part, box, does) => {
  const made = document.createElement("button");
  made.type = "button";
  made.dataset.item = part.id;
  made.tabIndex = -1;
  made.style.cssText = `left:${box.x}%;top:${box.y}%;width:${box.w}%;height:${box.h}%`;
  made.setAttribute("aria-label", part.label);
  made.addEventListener("click", does);
  return made;
};
/**
 * Lay buttons over a drawing; the arrow keys go from one to the nearest, and one of them can be reached with Tab.
 * @param {HTMLElement} stage
 * @param {DrawnPart[]} parts
 * @param {Map<string, HTMLButtonElement>} buttons Those of the parts, by id.
 * @param {DrawnPart} first The one that can be reached first.
 */
const layButtons = (stage, parts, buttons, first) => {
  const layer = element("div");
  layer.className = "touch";
  layer.setAttribute("role", "group");
  layer.setAttribute("aria-label", "The position, to be tapped");
  const rove = /** @param {string} to */ (to) => {
    for (const [id, one] of buttons) one.tabIndex = id === to ? 0 : -1;
  };
  layer.addEventListener("focusin", (event) => rove(data(targetOf(event), "item")));
  layer.addEventListener("keydown", (event) => {
    const part = parts.find(({ id }) => id === data(targetOf(event), "item"));
    const to = WAY[event.key] && part && neighbour(parts, part, WAY[event.key]);
    if (!to) return;
    event.preventDefault();
    buttons.get(to.id)?.focus();
  });
  layer.append(...buttons.values());
  rove(first.id);
  need(".board", stage).append(layer);
  return layer;
};

/**
 * Lay buttons over a drawing, one for each part that may be touched.
 * @param {HTMLElement} stage
 * @param {Surface} surface
 * @param {{ write: (word: string) => unknown, ask: (word: string) => unknown, say: (text: string) => unknown, choose: (keys: [label: string, word: string][], part?: DrawnPart) => void }} does
 *   `ask` is about a word that may not be legal; `say` says why a tap began none, or nothing.
 * @param {string} turn Who is to move.
 */
export const touchBoard = (stage, surface, { write, ask, say, choose }, turn) => {
  const svg = drawingOf(stage);
  stage.querySelector(".touch")?.remove();
  if (!svg) return;
  const { things, places, ends } = surface.targets;
  const parts = partsOf(svg, new Set([...surface.offers.flatMap(({ path }) => path), ...[...things, ...places, ...(ends?.things ?? [])].map((one) => one.item ?? "")].filter(Boolean)));
  if (!parts.length) return;
  /** @type {Map<string, HTMLButtonElement>} */
  const buttons = new Map();
  /** @type {string[]} */
  let touched = [];
  let dragged = false; // the click that follows a drag is none
  const show = () => {
    const next = new Set(touched.length && !surface.quiet ? nextTouches(reachable(surface.offers, touched), touched) : []);
    for (const part of parts) {
      const one = buttons.get(part.id);
      one?.setAttribute("aria-pressed", String(touched.includes(part.id)));
      one?.classList.toggle("lit", next.has(part.id));
      one?.classList.toggle("takes", next.has(part.id) && part.men.length > 0);
      one?.setAttribute("aria-label", next.has(part.id) ? `${part.label}, may go there` : part.label);
    }
  };
  const tap = /** @param {DrawnPart} part */ (part) => {
    const came = tapped(surface, touched, part.id);
    const why = idle(part, touched, came, turn);
    touched = came.touched || [];
    show();
    choose(came.keys || [], part);
    if (came.word) write(came.word);
    else if (came.asks) ask(came.asks);
    else say(why);
  };
  const begins = /** @param {DrawnPart} part */ (part) => things.some((one) => one.item === part.id) || reachable(surface.offers, [part.id]).length > 0;
  for (const part of parts) {
    const one = buttonOver(part, part, () => { if (!dragged) tap(part); });
    if (begins(part)) {
      one.classList.add("own");
      one.addEventListener("pointerdown", (down) => drag(svg, parts, part, one, down, {
        begin: () => { if (lastOf(touched) !== part.id) tap(part); },
        end: (to) => {
          dragged = true;
          setTimeout(() => { dragged = false; });
          if (to && to !== part && touched.length) tap(to);
        },
      }));
    }
    buttons.set(part.id, one);
  }
  need(".board", stage).onkeydown = (event) => { // also over the keys of a choice
    if (event.key !== "Escape") return;
    buttons.get(touched[0])?.focus();
    touched = [];
    choose([]);
    show();
  };
  layButtons(stage, parts, buttons, parts.find(begins) || parts[0]);
  show();
};
/**
 * Carry what lies on a part of a drawing with the pointer, until that is lifted.
 * @param {SVGSVGElement} svg
 * @param {DrawnPart[]} parts
 * @param {DrawnPart} part
 * @param {HTMLButtonElement} handle The button of the part.
 * @param {PointerEvent} down
 * @param {{ begin: () => void, end: (to: DrawnPart | undefined) => void }} does
 */
const drag = (svg, parts, part, handle, down, { begin, end }) => {
  const box = /** @type {HTMLElement} */ (handle.parentElement).getBoundingClientRect();
  const carried = part.men.length ? part.men : [part.group];
  const scale = svg.viewBox.baseVal.width / box.width;
  let moves = false;
  const move = /** @param {PointerEvent} event */ (event) => {
    const [x, y] = [event.clientX - down.clientX, event.clientY - down.clientY];
    if (!moves && Math.hypot(x, y) < 8) return;
    if (!moves) begin();
    moves = true;
    for (const man of carried) man.style.translate = `${x * scale}px ${y * scale}px`;
  };
  const lift = /** @param {PointerEvent} event */ (event) => {
    handle.removeEventListener("pointermove", move);
    for (const man of carried) man.style.translate = "";
    if (!moves || event.type === "pointercancel") return;
    const [x, y] = [(100 * (event.clientX - box.left)) / box.width, (100 * (event.clientY - box.top)) / box.height];
    end(parts.find((one) => x >= one.x && x < one.x + one.w && y >= one.y && y < one.y + one.h));
  };
  handle.setPointerCapture(down.pointerId);
  handle.addEventListener("pointermove", move);
  handle.addEventListener("pointerup", lift, { once: true });
  handle.addEventListener("pointercancel", lift, { once: true });
};

// --- words that are put together step by step ---

/**
 * Return the ways on from a node of a form, each with the text it adds and what is touched for it: an item, a card, or a key.
 * @param {WordForm} form
 * @param {string} node
 * @returns {Way[]}
 */
const waysOf = (form, node) => (form.nodes[node] || []).flatMap(({ text = "", label = "", group = "", after = "", then = "" }) =>
  group ? form.groups[group].map((thing) => ({ text: text + thing.word + after, item: thing.item || thing.word, label: thing.label || thing.word, then: thing.then || then }))
    : [{ text, label, item: "", then }]);
/**
 * Return where a word stands once everything is gone that needs no tap.
 * @param {WordForm} form
 * @param {string} node
 * @param {string} text
 * @returns {Step}
 */
export const standing = (form, node, text) => {
  for (;;) {
    const ways = node ? waysOf(form, node) : [];
    const whole = !node || Boolean(form.ends?.includes(node));
    if (whole || ways.length !== 1 || ways[0].label) return { node, text, whole, ways };
    [node, text] = [ways[0].then, text + ways[0].text];
  }
};
/**
 * Lay buttons over what is drawn of some ways, and return the ids of those items.
 * @param {HTMLElement} stage
 * @param {Way[]} ways
 * @param {Set<string>} leads The items that lead to legal words.
 * @param {(item: string, part: DrawnPart) => unknown} pick
 */
export const touchWays = (stage, ways, leads, pick) => {
  const svg = drawingOf(stage);
  stage.querySelector(".touch")?.remove();
  const wanted = new Set(ways.map((way) => way.item).filter(Boolean));
  const groups = /** @type {NodeListOf<SVGGElement>} */ (stage.querySelectorAll("svg.drawing g.square, svg.drawing g.point"));
  const squares = [...groups].map((one) => one.dataset.id ?? "");
  const drawn = svg ? partsOf(svg, new Set([...wanted, ...squares])) : [];
  const parts = drawn.filter((part) => wanted.has(part.id));
  if (!parts.length) return /** @type {Set<string>} */ (new Set());
  const isPyramid = /** @param {DrawnPart} part */ (part) => part.group.classList.contains("pyramid");
  /** @type {(part: DrawnPart, square: DrawnPart) => boolean} */
  const within = (part, square) => part.x >= square.x && part.y >= square.y && part.x < square.x + square.w && part.y < square.y + square.h;
  // What is alone in its square to be touched takes all of it, else a pyramid the room up to the next one.
  const boxOf = /** @param {DrawnPart} part */ (part) => {
    if (!isPyramid(part)) return part;
    const square = drawn.find((one) => squares.includes(one.id) && within(part, one));
    if (square && parts.filter((one) => within(one, square)).length === 1) return square;
    const next = parts.filter((one) => isPyramid(one) && one.y === part.y && one.x > part.x).map((one) => one.x - part.x);
    return { ...part, w: Math.min(10, ...next) };
  };
  const buttons = new Map(parts.map((part) => {
    const one = buttonOver(part, boxOf(part), () => pick(part.id, part));
    one.classList.toggle("lit", leads.has(part.id));
    one.classList.toggle("takes", leads.has(part.id) && !part.group.classList.contains("waste"));
    return [part.id, one];
  }));
  layButtons(stage, parts, buttons, parts[0]);
  return new Set(parts.map(({ id }) => id));
};

// --- keys ---

let suit = ""; // the sign of the suit whose keys are open
/**
 * Show the keys of a suit when the keys of cards are laid next.
 * @param {string} sign
 */
export const openSuit = (sign) => { suit = sign; };
/**
 * Lay the keys of cards, which keep their places: a key for each suit, and below it the cards of the one that is open.
 * @param {HTMLElement} into
 * @param {Keypad} keypad
 * @param {Set<string> | null} mayPlay The cards that may be tapped; null if all may.
 * @param {string[]} listed The cards that the word has already.
 * @param {(card: string) => unknown} pick
 */
export const layCards = (into, keypad, mayPlay, listed, pick) => {
  const leads = /** @param {SuitKeys} suit */ ({ keys }) => keys.some(([word]) => mayPlay === null || mayPlay.has(word));
  const leading = keypad.suits.filter(leads).map(({ sign }) => sign);
  if (!leading.includes(suit)) suit = leading.includes(keypad.suit_led) ? keypad.suit_led : leading[0] || "";
  const lay = () => {
    const tabs = keypad.suits.map(({ sign, name }) => {
      const tab = button(sign, name, () => {
        suit = sign;
        lay();
      });
      tab.setAttribute("aria-pressed", String(sign === suit));
      tab.classList.toggle("name", sign.length > 1);
      tab.classList.toggle("red", "♥♦".includes(sign));
      return tab;
    });
    const open = keypad.suits.find(({ sign }) => sign === suit);
    const cards = (open?.keys ?? []).map(([word, label]) => {
      const key = button(label, label === word ? "" : `${label}: ${word}`, () => pick(word));
      const seen = keypad.open_cards.includes(word);
      key.setAttribute("aria-pressed", String(listed.includes(word)));
      key.classList.toggle("seen", seen || (mayPlay !== null && !mayPlay.has(word)));
      key.classList.toggle("red", "♥♦".includes(suit) || /[♥♦]/.test(label));
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
