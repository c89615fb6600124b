// A table: what is typed is judged while it is typed, moves are tapped in one or two steps, what is written is confirmed.
import { all, button, data, element, find, lastOf, need, part, targetOf } from "./elements.js";
import { ended, listen } from "./events.js";
import { SLOWEST, answered, became, begin, catchUp, enqueue, keepSeen, look, moves, progress, queue, seen, show, state, table, taken } from "./queue.js";
import { partHeaders, readParts } from "./parts.js";
import { command, send } from "./requests.js";
import { layCards, openSuit, standing, touchBoard, touchWays } from "./touch.js";
/** @typedef {import("./queue.js").Entry} Entry */
/** @typedef {import("./touch.js").Surface} Surface */
/** @typedef {import("./touch.js").Step} Step */

/** The form that words are typed in; null where nothing can be written. */
export const line = /** @type {HTMLFormElement | null} */ (find("[data-line]"));
/** Return the field that words are typed in. */
export const typed = () => /** @type {HTMLInputElement} */ (need("#words"));
export const SHOWN = 24; // moves shown at once; more are parted by how they begin
/**
 * Return a text with one space where it has several.
 * @param {string} text
 */
export const clean = (text) => text.trim().replace(/\s+/g, " ");
let trials = 0;

/**
 * Say something of the words in the line.
 * @param {string} text
 * @param {string} kind legal, undecided or error; empty if nothing was judged.
 */
const say = (text, kind = "") => {
  part("says").textContent = text;
  part("says").dataset.kind = kind;
};
/**
 * Offer to keep words that the rules refuse, or do not.
 * @param {boolean} may
 */
const mayStand = (may) => { part("stands").hidden = !may; };

// --- tapping ---

/**
 * Return words by how they begin, in so few groups that all can be shown.
 * @param {string[]} words
 */
export const parted = (words) => {
  const longest = Math.max(...words.map((word) => word.length));
  for (const most of [SHOWN, Infinity]) {
    for (let long = 1; long < longest; long++) {
      /** @type {Map<string, string[]>} */
      const groups = new Map();
      for (const word of words) {
        const begins = word.slice(0, long);
        groups.set(begins, [...(groups.get(begins) || []), word]);
      }
      if (groups.size < 2) continue;
      if (groups.size <= 2 * SHOWN && [...groups.values()].every((group) => group.length <= most)) return groups;
    }
  }
  return new Map(words.map((word) => [word, [word]]));
};
/**
 * Return what can be tapped now.
 * @returns {Surface}
 */
export const surface = () => ({ ...JSON.parse(data(state(), "surface")), quiet: "quiet" in state().dataset });
let asked = ""; // the word that was tapped last and may not be legal
/**
 * Put a word in the line, and say what the rules say of it. It stands there until the next tap, or until something is written.
 * @param {string} word
 */
const ask = (word) => {
  asked = typed().value = word;
  return judge();
};
/** Take the word that was tapped last and may not be legal out of the line. */
const dropAsked = () => {
  if (asked && typed().value === asked) page.clear();
  asked = "";
};
/**
 * Offer keys beside a square, such as the pieces that a pawn may become.
 * @param {{ label: string, says: string, does: () => unknown }[]} keys
 * @param {{ x: number, y: number, h: number }} [square]
 */
const offerChoice = (keys, square = { x: 30, y: 40, h: 0 }) => {
  find(".choice")?.remove();
  if (!keys.length) return;
  const choice = element("div");
  choice.className = "choice";
  const { signs } = surface();
  choice.append(...keys.map(({ label, says, does }) => {
    const key = button(signs[label] ?? label.replace(/^=/, ""), says, () => {
      choice.remove();
      does();
    });
    const man = /** @type {HTMLTemplateElement | null} */ (find(`template[data-man="${label}"]`, state()));
    if (man) key.replaceChildren(man.content.cloneNode(true));
    key.classList.toggle("man", label in signs);
    return key;
  }));
  const board = need(".board");
  board.append(choice);
  const left = Math.min((square.x * board.offsetWidth) / 100, board.offsetWidth - choice.offsetWidth);
  choice.style.cssText = `left:${Math.max(0, left)}px;top:${square.y > 50 ? square.y - 14 : square.y + square.h}%`;
  need("button", choice).focus();
};
/** @typedef {[words: string[], back: Before | null]} Before The words that were shown before. */
/**
 * Lay keys for words that are not on the drawing, parted by how they begin if they are many.
 * @param {HTMLElement} into
 * @param {string[]} words
 * @param {Map<string, string>} open What the rules say of the words that may not be legal.
 * @param {Before | null} back
 */
const layCalls = (into, words, open, back = null) => {
  const whole = /** @param {string} word */ (word) => {
    const made = button(word, "", () => write(word));
    made.dataset.word = word;
    if (open.get(word)) made.dataset.kind = "undecided";
    return made;
  };
  const buttons = words.length <= SHOWN ? words.map(whole) : [...parted(words)].map(([begins, group]) =>
    group.length === 1 ? whole(group[0]) : button(`${begins}…`, `${group.length} moves that begin with ${begins}`, () => layCalls(into, group, open, [words, back])));
  if (back) buttons.unshift(button("←", "Back", () => layCalls(into, back[0], open, back[1])));
  into.replaceChildren(...buttons);
};
/** Lay the keys of words that are not on the drawing. */
const offerKeys = () => {
  const { offers, targets, quiet } = surface();
  const drawn = new Set(all(".touch [data-item]").map((one) => data(one, "item")));
  const calls = offers.filter(({ path }) => !path.some((item) => drawn.has(item))).map(({ word }) => word);
  const things = quiet ? targets.things.filter(({ item = "" }) => !drawn.has(item)).map(({ word }) => word) : [];
  layCalls(part("calls"), [...calls, ...things], new Map(offers.map(({ word, says }) => [word, says])));
};

// --- words that are put together step by step ---

let steps = /** @type {Step[]} */ ([]); // where the word stood at each step, the last one now
/**
 * Go on with a word: lay what may follow, or write it if it is complete.
 * @param {string} node
 * @param {string} text
 */
const go = (node, text) => {
  const { form, offers, quiet } = surface();
  const next = standing(form, node, text);
  if (next.ways.length) {
    steps.push(next);
    return layForm();
  }
  if (quiet || offers.some(({ word }) => word === next.text)) return write(next.text);
  return tryWord(next.text);
};
/**
 * Judge a word that may be legal, and write it if it is; if not, it stands in the line.
 * @param {string} word
 */
const tryWord = async (word) => {
  const stood = data(state(), "version");
  const kind = await ask(word);
  const same = typed().value === word && data(state(), "version") === stood;
  if (same && (kind === "legal" || kind === "undecided")) write(word);
};
const cardsIn = /** @param {string} text */ (text) => text.split(/\W+/);
/**
 * Take a card out of the word: what was tapped after it is tapped again without it.
 * @param {string} card
 */
const takeOut = (card) => {
  const { form } = surface();
  const at = steps.findIndex(({ text }) => cardsIn(text).includes(card));
  const later = cardsIn(lastOf(steps).text).slice(cardsIn(steps[at].text).length);
  steps = steps.slice(0, at);
  for (const next of later) {
    const { text, ways } = lastOf(steps);
    const way = ways.find(({ item }) => item === next);
    if (way) steps.push(standing(form, way.then, text + way.text));
  }
  if (steps.length === 1) typed().value = "";
  layForm();
};
/** @type {WeakMap<HTMLElement, ChildNode[]>} The line that says who does what next, as the desk wrote it. */
const turnLines = new WeakMap();
/** Return what the desk wrote in the line that says who does what next. */
const turnLine = () => {
  const line = need(".turn");
  if (!turnLines.has(line)) turnLines.set(line, [...line.childNodes]);
  return turnLines.get(line) ?? [];
};
/** Return that line as a text. */
const turnText = () => turnLine().map((node) => node.textContent).join("");
/**
 * Say of a card that lay open who played it and where, after what is said already; whoever keeps the record may correct
 * that ply.
 * @param {string} card
 * @param {string} before
 * @param {string} kind
 */
const tellPlayed = (card, before = "", kind = "") => {
  const { keypad } = surface();
  const played = moves().filter(([, text]) => cardsIn(text).includes(card)).pop();
  if (!played) return;
  const [ply] = played;
  const seat = Number(data(state(), "seats")[ply - 1]);
  const suit = keypad.suits.find(({ keys }) => keys.some(([word]) => word === card));
  const label = suit?.keys.find(([word]) => word === card)?.[1] ?? card;
  const sign = suit && suit.sign.length === 1 && label.length < 3 ? suit.sign : "";
  say(`${before ? `${before}. ` : ""}${sign}${label}: ${namesOfSeats()[seat]}, ${placeOf(ply)}. `, kind);
  if (!table.dataset.amend || data(table, "correct")) return;
  part("says").append(linkTo(ply, "Correct it?"));
};
/**
 * Return a link to the page on which a ply is corrected.
 * @param {number} ply
 * @param {string} text
 */
const linkTo = (ply, text) => {
  const link = /** @type {HTMLAnchorElement} */ (element("a", text));
  link.href = data(table, "correcting").replace("correct=0", `correct=${ply}`);
  return link;
};
/** Return the number of each ply in its game, 0 where it has none. */
const numbersOfPlies = () => {
  let number = 0;
  return [...data(state(), "places").matchAll(/\.|\+|\((\d+)\)/g)].map(([sign, other]) => {
    number = other ? Number(other) : number + Number(sign === "+");
    return number;
  });
};
/**
 * Return where a ply stands in its game: `trick 7`, or `ply 27` where the game has no numbers.
 * @param {number} ply
 */
const placeOf = (ply) => {
  const number = numbersOfPlies()[ply - 1];
  return number ? `${data(table, "unit")} ${number}` : `ply ${ply}`;
};
/** Return what each seat is called, the table in front. @returns {string[]} */
const namesOfSeats = () => JSON.parse(data(table, "names"));
/**
 * Say what is tapped next if nothing but the drawing can be tapped; empty if nothing can.
 * @param {string[]} items
 */
const nowTap = (items) => {
  const looks = items.map((item) => need(`.stage [data-id="${CSS.escape(item)}"]`).classList);
  const kinds = [["a square", ["square", "place", "point"]], ["a card", ["card", "back"]], ["a piece", ["pyramid", "piece", "figure"]]]
    .filter(([, classes]) => looks.some((list) => [...classes].some((one) => list.contains(one)))).map(([kind]) => kind);
  return kinds.length ? `Now tap ${kinds.join(" or ")}.` : "";
};
/** Lay what may be tapped to go on with a word. */
const layForm = () => {
  const { form, keypad, offers, quiet } = surface();
  const { node, text, whole, ways } = lastOf(steps);
  const title = steps.length > 1 ? form.titles?.[node] : "";
  const written = turnLine();
  need(".turn").replaceChildren(...(title ? [title] : written));
  const pick = /** @param {string} item */ (item) => {
    if (form.once && cardsIn(text).includes(item)) return takeOut(item);
    const open = ways.filter((way) => way.item === item);
    if (!open.length) tellPlayed(item);
    else if (open.length === 1) go(open[0].then, text + open[0].text);
    else offerChoice(open.map((way) => ({ label: way.text, says: way.text, does: () => go(way.then, text + way.text) })));
  };
  const leads = ways.filter((way) => steps.length > 1 && !quiet && offers.some(({ word }) => word.startsWith(text + way.text)));
  const lit = steps.length > 1 && !quiet && !leads.length ? ways : leads; // what cannot be judged yet may all be touched
  const drawn = touchWays(need(".stage"), ways, new Set(lit.map(({ item }) => item)), pick);
  const cards = new Set(keypad.suits.flatMap((one) => one.keys.map(([word]) => word)));
  const onKeys = new Set(ways.map(({ item }) => item).filter((item) => cards.has(item) && !drawn.has(item)));
  const calls = ways.filter(({ item }) => !drawn.has(item) && !onKeys.has(item)).map((way) => {
    const word = text + way.text;
    const key = button(way.label, way.label === word ? "" : `${way.label}: ${word}`, () => go(way.then, word));
    const judged = steps.length === 1 && offers.length > 0 && (!way.then || word.endsWith("=")); // a word, but for its number
    key.classList.toggle("unlikely", judged && !offers.some((offer) => offer.word.startsWith(word.replace(/=$/, ""))));
    return key;
  });
  if (steps.length > 1) {
    typed().value = text;
    mayStand(false);
    say(!calls.length && !onKeys.size ? nowTap([...drawn]) : "");
    calls.unshift(button("←", "Back", () => {
      steps.pop();
      if (steps.length > 1) return layForm();
      typed().value = "";
      say("");
      return layForm();
    }));
    if (whole) calls.unshift(button(`✓ ${text}`, `Write ${text}`, () => (quiet ? write(text) : tryWord(text))));
  }
  part("calls").replaceChildren(...calls);
  layCards(part("cards-to-tap"), onKeys.size ? keypad : { ...keypad, suits: [] }, onKeys.size < cards.size ? onKeys : null, cardsIn(text), pick);
};
/** Drop a word that was begun by tapping; what was typed stays. */
const startOver = () => {
  const text = steps.length > 1 ? "" : typed().value;
  steps = [standing(surface().form, "start", "")];
  layForm();
  typed().value = text;
};
/** Lay the calls of seats: in a fold, but for the answer to an offer and a claim that may be made, which lie open. */
const layEnds = () => {
  const { calls } = surface();
  /** @param {import("./touch.js").CallKey} call */
  const key = ({ word, label }) => {
    const made = button(label, `${label}: ${word}`, () => write(word));
    made.dataset.word = word;
    return made;
  };
  const fold = /** @type {HTMLDetailsElement} */ (part("ends"));
  const folded = calls.filter(({ open }) => !open);
  part("claims").replaceChildren(...calls.filter(({ open }) => open).map(key));
  part("seat-calls").replaceChildren(...folded.map(key));
  fold.hidden = !folded.length;
  fold.open = false;
};
/** Lay the moves so far beside the board, those of two players in two columns; a phone has no room for them. */
const laySoFar = () => {
  const list = part("so-far");
  const numbers = numbersOfPlies();
  const two = namesOfSeats().length === 3;
  list.replaceChildren(...moves().map(([ply, text]) => {
    const number = numbers[ply - 1];
    const one = element("li", number && number !== numbers[ply - 2] ? `${number}. ${text}` : text);
    if (two) one.className = `of${data(state(), "seats")[ply - 1]}`;
    return one;
  }));
  list.classList.toggle("two", two);
  list.scrollTop = list.scrollHeight;
};
/** Lay all that may be tapped now. */
export const offer = () => {
  const shown = surface();
  const stage = need(".stage");
  if (stage.scrollWidth > stage.clientWidth) stage.tabIndex = 0; // arrow keys scroll what is wider than the page
  else stage.removeAttribute("tabindex");
  laySoFar();
  layEnds();
  if (shown.keypad.suit_led) openSuit(shown.keypad.suit_led);
  if (shown.form.nodes?.start) return startOver();
  steps = [];
  touchBoard(stage, shown, {
    write,
    ask,
    say: (text) => {
      dropAsked();
      say(text);
    },
    choose: (keys, square) => offerChoice(keys.map(([label, word]) => ({ label, says: word, does: () => write(word) })), square),
  }, turnText());
  offerKeys();
};

// --- what is typed ---

/**
 * Say what the rules say of the words in the line, and return the verdict.
 * @returns {Promise<string | undefined>}
 */
export const judge = async () => {
  const words = clean(typed().value);
  const trial = ++trials;
  mayStand(false);
  if (!words) return void say("");
  const corrected = Number(data(table, "correct"));
  try {
    const answer = await (corrected ? send(data(table, "amend"), { command: command(), ply: corrected, plies: 1, words, dry: true })
      : send(data(table, "trial"), { words }));
    if (trial !== trials) return undefined;
    if (!answer.ok) return void say(answer.status === 404 ? ended(data(table, "as")) : (await answer.json()).error, "error");
    const found = await answer.json();
    say([found.says].flat().join(" "), found.kind);
    mayStand(found.stands);
    const card = words.replace(/^p\d\//, "").toUpperCase();
    if (found.kind === "error" && surface().keypad.open_cards.includes(card)) tellPlayed(card, found.says, found.kind);
    return found.kind;
  } catch {
    if (trial === trials) say("The desk cannot be reached; what you type is not judged.", "error");
    return undefined;
  }
};
let typing = 0;
line && typed().addEventListener("input", () => {
  if (steps.length > 1) { // what is typed takes the place of what was tapped
    steps = steps.slice(0, 1);
    startOver();
  }
  clearTimeout(typing);
  typing = setTimeout(judge, 120);
});

// --- what is written ---

/**
 * Say beside the number of a ply which it is.
 * @param {HTMLInputElement | HTMLTextAreaElement} field
 */
export const named = (field) => {
  const which = field.parentElement && find("[data-which]", field.parentElement);
  if (!which) return;
  const ply = Number(field.value);
  const move = moves().find(([number]) => number === ply);
  which.textContent = field.value.trim() === "" ? "" : move ? `ply ${ply}: ${move[1]}` : ply === 0 ? "the whole game" : "there is no such ply";
};

const PLIES = 12;
/** Lay the last plies beside the form of a dispute, the newest first, to be tapped. */
const layPlies = () => {
  const around = find("[data-last-plies]");
  const form = around?.closest("form");
  if (!around || !form) return;
  const field = /** @type {HTMLInputElement} */ (part("ply", form));
  around.replaceChildren(...moves().slice(-PLIES).reverse().map(([ply, word]) =>
    button(`${ply} ${word}`, `Ply ${ply}, ${word}`, () => {
      field.value = String(ply);
      named(field);
    })));
};
/** Return the fields that have a ply or a board as their writer saw it. */
const seenFields = () => /** @type {(HTMLInputElement | HTMLTextAreaElement)[]} */ (all("[data-ply],[data-board]"));
/**
 * Return what folds a form away.
 * @param {HTMLElement} field
 */
const foldOf = (field) => /** @type {HTMLDetailsElement} */ (field.closest("details"));

/**
 * Load this page again: that of an open game cannot become that of a closed one. That may take long, so that how the game
 * stands is shown before.
 */
const openAnew = () => {
  for (const one of all(".dock,.acts")) one.hidden = true;
  tell();
  if (progress.leaving) return;
  progress.leaving = true;
  setTimeout(() => {
    progress.leaving = false;
    catchUp();
  }, SLOWEST);
  location.reload();
};
/** Show how the game stands. */
export const refresh = async () => {
  const answer = await answered(location.href, { headers: partHeaders() });
  if (answer.status === 404) return end(ended(data(table, "as")));
  if (!answer.ok) return void (queue().length || location.reload());
  const fresh = readParts(answer.body);
  const here = fresh.get("state") ?? state();
  const moved = data(here, "version") !== data(state(), "version");
  if (moved) state().replaceWith(here);
  if ((data(here, "open") === "yes") !== (line !== null)) return openAnew();
  keepSeen();
  const stated = fresh.get("stated");
  for (const field of seenFields()) {
    if (field.matches("[data-ply]")) field.defaultValue = data(state(), "plies");
    else if (stated) field.defaultValue = /** @type {HTMLTextAreaElement} */ (part("board", stated)).defaultValue;
    if (!foldOf(field).open) field.value = field.defaultValue;
    named(field);
  }
  if (!moved) return;
  layPlies();
  tell();
  if (!line) return;
  dropAsked();
  offer();
  if (typed().value) judge();
};
/**
 * Return what happened, whoever did it: a move with its verdict, a take-back, a ruling.
 * @returns {[version: number, says: string, kind: string][]}
 */
const heard = () => JSON.parse(data(state(), "news"));
export const news = { last: 0 }; // the version that the page told last
news.last = heard().reduce((most, [version]) => Math.max(most, version), 0);
/**
 * Say what happened.
 * @param {[says: string, kind: string][]} lines
 */
const done = (lines) => part("done").replaceChildren(...lines.map(([says, kind]) => {
  const made = element("p", says);
  made.dataset.kind = kind;
  return made;
}));
/** Say what happened since the page last did. */
export const tell = () => {
  const fresh = heard().filter(([version]) => version > news.last);
  if (!fresh.length) return;
  news.last = fresh[fresh.length - 1][0];
  done(fresh.slice(-3).map(([, says, kind]) => [says, kind]));
};
/**
 * Let nothing more be written from this page; what was not written stays on it.
 * @param {string} says
 */
export const end = (says) => {
  progress.over = true;
  progress.changing = "";
  for (const one of all("[data-line],[data-tapping],.acts")) one.hidden = true;
  done([[says, "error"]]);
};
/**
 * Put what was not written in the line again.
 * @param {Entry} one
 * @param {boolean} unasked
 */
export const take = (one, unasked = false) => {
  if (!line || progress.over || taken(one) || (unasked && typed().value)) return;
  progress.changing = one.command;
  typed().value = one.words;
  if (document.activeElement === typed()) typed().select();
  trials++;
  mayStand(false);
  if (became(one)) say(became(one), "error");
  else judge();
  show();
};
/**
 * Write words in place of the ply that this page corrects, and say what became of the plies after it.
 * @param {string} words
 * @param {boolean} stands
 */
const correct = async (words, stands) => {
  clearTimeout(typing);
  trials++;
  typed().value = "";
  const ask = /** @param {boolean} dry */ async (dry) => {
    const request = { command: command(), expected: Number(data(state(), "version")), ply: Number(data(table, "correct")), plies: 1, words, stands, dry };
    const answer = await send(data(table, "amend"), request).catch(() => null);
    return answer ? { ok: answer.ok, ...(await answer.json()) } : { ok: false, error: "The desk cannot be reached; nothing was corrected." };
  };
  // A correction that breaks what came after it is stored only once that was read.
  let found = stands ? null : await ask(true);
  if (found?.ok && found.stored && String(found.old) === String(found.words)) {
    say(`${words} is what is written.`);
    return;
  }
  const breaks = found?.ok && found.stored && (found.conflict || found.unread);
  if (!found || (found.ok && found.stored && !breaks)) found = await ask(false);
  if (!found.ok || !found.stored || breaks) {
    typed().value = words;
    say(found.error ?? found.says.slice(1).join(" "), "error");
    mayStand(Boolean(breaks || found.stands));
    return;
  }
  trials++;
  say("");
  mayStand(false);
  done(found.says.map(/** @param {string} text @param {number} at */ (text, at) => [text, at ? "" : found.kind === "error" ? "error" : "legal"]));
  if (found.conflict) part("done").append(linkTo(found.conflict, `Correct ply ${found.conflict} too`));
  part("done").classList.add("whole");
  for (const one of all("[data-line],[data-tapping],.acts,.stage")) one.hidden = true;
  need(".turn").textContent = "Corrected";
};
/**
 * Write words: they are sent, and the line is empty again.
 * @param {string} words
 * @param {boolean} stands
 */
export const write = (words, stands = false) => {
  if (data(table, "correct")) {
    correct(words, stands);
    return;
  }
  clearTimeout(typing);
  trials++;
  typed().value = "";
  say("");
  mayStand(false);
  enqueue(words, stands, progress.changing);
  if (steps.length) startOver();
};
line?.addEventListener("submit", (event) => {
  event.preventDefault();
  const words = clean(typed().value);
  if (words) write(words);
});
find("[data-stands]")?.addEventListener("click", () => write(clean(typed().value), true));
// Four colours of suits, if somebody chose them in this browser.
const showColours = () => {
  let four = false;
  try {
    four = localStorage.getItem("suit-colours") === "4";
  } catch {
    // this browser keeps nothing
  }
  document.documentElement.classList.toggle("four-colours", four);
  find("[data-colours]")?.setAttribute("aria-pressed", String(four));
};
find("[data-colours]")?.addEventListener("click", () => {
  try {
    localStorage.setItem("suit-colours", document.documentElement.classList.contains("four-colours") ? "2" : "4");
  } catch {
    // this browser keeps nothing
  }
  showColours();
});
showColours();
find("[data-missed]")?.addEventListener("click", (event) => {
  foldOf(targetOf(event)).open = false;
  enqueue("~", false, taken(queue()[0]) ? "first" : "");
});
addEventListener("written", (event) => {
  const form = /** @type {CustomEvent<HTMLFormElement>} */ (event).detail;
  foldOf(form).open = false;
  form.reset();
  scrollTo(0, 0); // to the position, away from the form
  look();
});
table.addEventListener("click", async (event) => {
  const tapped = /** @type {HTMLButtonElement} */ (targetOf(event));
  const once = data(tapped, "once"); // the last ply is taken back, or played again, by one tap
  if (!once) return;
  if (queue().length) return done([["Something is not written yet; see below.", "error"]]);
  tapped.disabled = true;
  const plies = Number(data(tapped, "plies")) || undefined;
  const answer = await send(once, { command: command(), expected: Number(state().dataset.version), plies }).catch(() => null);
  tapped.disabled = false;
  if (!answer?.ok) done([[answer ? (await answer.json()).error : "The desk cannot be reached.", "error"]]);
  look();
});
addEventListener("click", (event) => { // a tap beside the sheet of what is to be looked at closes it
  const sheet = /** @type {HTMLDetailsElement | null} */ (find(".matters[open]"));
  if (sheet && !sheet.contains(targetOf(event))) sheet.open = false;
});
table.addEventListener("click", async (event) => {
  const dispute = data(targetOf(event), "withdraw");
  if (!dispute) return;
  const answer = await send(data(table, "withdrawing"), { command: command(), dispute: Number(dispute) }).catch(() => null);
  if (!answer?.ok) done([[answer ? (await answer.json()).error : "The desk cannot be reached.", "error"]]);
  look();
});
// A ply that stands in an open form is the one its writer saw; whoever opens it again finds the last.
for (const field of seenFields()) {
  const around = foldOf(field);
  around.addEventListener("toggle", () => {
    if (around.open) field.value = field.defaultValue;
    named(field);
  });
  field.addEventListener("input", () => named(field));
}
for (const form of all('form[data-then="table"]')) {
  form.addEventListener("submit", () => { form.dataset.expected = data(state(), "version"); }, true);
}
layPlies();
if (line) offer();
export const page = {
  refresh,
  end,
  take,
  clear: () => {
    typed().value = "";
    say("");
    mayStand(false);
  },
};
begin(page);
listen({ [data(table, "id")]: data(state(), "version") }, data(table, "as"), (event) => {
  if (event.because || event.version > seen().expected) catchUp();
}, (says, became) => {
  if (became === "over") end(says);
  else if (became !== "open" || !progress.reached) catchUp();
});
