// A table: what is typed is judged while it is typed, moves are tapped in one or two steps, what is written is confirmed.
import { button, element, part } from "./elements.js";
import { ended, listen } from "./events.js";
import { SLOWEST, answered, became, begin, catchUp, enqueue, keepSeen, look, progress, queue, seen, show, state, table, taken } from "./queue.js";
import { command, send } from "./requests.js";
import { layCards, openSuit, standing, touchBoard, touchWays } from "./touch.js";

export const line = part("line");
export const SHOWN = 24; // moves shown at once; more are parted by how they begin
export const clean = (text) => text.trim().replace(/\s+/g, " ");
let trials = 0;

const say = (text, kind = "") => {
  part("says").textContent = text;
  part("says").dataset.kind = kind;
};
const mayStand = (may) => { part("stands").hidden = !may; };

// --- tapping ---

export const parted = (words) => {
  const longest = Math.max(...words.map((word) => word.length));
  for (let most of [SHOWN, Infinity]) {
    for (let long = 1; long < longest; long++) {
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
export const surface = () => ({ ...JSON.parse(state().dataset.surface), quiet: "quiet" in state().dataset });
const ask = (word) => {
  line.words.value = word;
  return judge();
};
// Keys beside a square, such as the pieces that a pawn may become.
const offerChoice = (keys, part, does = write) => {
  document.querySelector(".choice")?.remove();
  if (!keys.length) return;
  const choice = document.createElement("div");
  choice.className = "choice";
  choice.style.cssText = `left:${Math.min(part.x, 60)}%;top:${part.y > 50 ? part.y - 14 : part.y + part.h}%`;
  choice.append(...keys.map(([text, word]) => button(text.replace(/^=/, ""), word.text || word, () => {
    choice.remove();
    does(word);
  })));
  document.querySelector(".board").append(choice);
  choice.firstChild.focus();
};
// Words that are not on the drawing, parted by how they begin if they are many.
const layCalls = (into, words, open, back = null) => {
  const whole = (word) => {
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
const offerKeys = () => {
  const { offers, targets, quiet } = surface();
  const drawn = new Set([...document.querySelectorAll(".touch [data-item]")].map((one) => one.dataset.item));
  const calls = offers.filter(({ path }) => !path.some((item) => drawn.has(item))).map(({ word }) => word);
  const things = quiet ? targets.things.filter(({ item }) => !drawn.has(item)).map(({ word }) => word) : [];
  layCalls(part("calls"), [...calls, ...things], new Map(offers.map(({ word, says }) => [word, says])));
};

// --- words that are put together step by step ---

let steps = []; // where the word stood at each step, the last one now
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
// A word that may be legal is judged first, and written if it is; if not, it stands in the line.
const tryWord = async (word) => {
  const stood = state().dataset.version;
  const kind = await ask(word);
  const same = line.words.value === word && state().dataset.version === stood;
  if (same && (kind === "legal" || kind === "undecided")) write(word);
};
const layForm = () => {
  const { keypad, offers, quiet } = surface();
  const { text, whole, ways } = steps.at(-1);
  const pick = (item) => {
    const open = ways.filter((way) => way.item === item);
    if (open.length === 1) go(open[0].then, text + open[0].text);
    else if (open.length) offerChoice(open.map((way) => [way.text, way]), { x: 30, y: 40, h: 0 }, (way) => go(way.then, text + way.text));
  };
  const leads = ways.filter((way) => steps.length > 1 && !quiet && offers.some(({ word }) => word.startsWith(text + way.text)));
  const drawn = touchWays(document.querySelector(".stage"), ways, new Set(leads.map(({ item }) => item)), pick);
  const cards = new Set(keypad.suits.flatMap((one) => one.keys.map(([word]) => word)));
  const onKeys = new Set(ways.map(({ item }) => item).filter((item) => cards.has(item)));
  const needed = [...onKeys].some((item) => !drawn.has(item)); // a card that is not drawn
  const calls = ways.filter(({ item }) => !drawn.has(item) && !onKeys.has(item)).map((way) => {
    const word = text + way.text;
    const key = button(way.label, way.label === word ? "" : `${way.label}: ${word}`, () => go(way.then, word));
    key.classList.toggle("unlikely", steps.length === 1 && offers.length > 0 && Boolean(way.text) && !offers.some((offer) => offer.word.startsWith(word.replace(/=$/, ""))));
    return key;
  });
  if (steps.length > 1) {
    line.words.value = text;
    mayStand(false);
    say("");
    calls.unshift(button("←", "Back", () => {
      steps.pop();
      if (steps.length > 1) return layForm();
      line.words.value = "";
      say("");
      return layForm();
    }));
    if (whole) calls.unshift(button(`✓ ${text}`, `Write ${text}`, () => (quiet ? write(text) : tryWord(text))));
  }
  part("calls").replaceChildren(...calls);
  layCards(part("cards-to-tap"), needed ? keypad : { ...keypad, suits: [] }, onKeys.size < cards.size ? onKeys : null, text.split(/\W+/), pick);
};
// A word that was begun by tapping is dropped; what was typed stays.
const startOver = () => {
  const typed = steps.length > 1 ? "" : line.words.value;
  steps = [standing(surface().form, "start", "")];
  layForm();
  line.words.value = typed;
};
export const offer = () => {
  const shown = surface();
  line.words.placeholder = document.querySelector(".turn").textContent; // on a phone the keys may cover the sentence itself
  if (shown.keypad.suit_led) openSuit(shown.keypad.suit_led);
  if (shown.form.nodes?.start) return startOver();
  steps = [];
  touchBoard(document.querySelector(".stage"), shown, { write, ask, choose: offerChoice });
  offerKeys();
};

// --- what is typed ---

export const judge = async () => {
  const words = clean(line.words.value);
  const trial = ++trials;
  mayStand(false);
  if (!words) return say("");
  try {
    const answer = await send(table.dataset.trial, { words });
    if (trial !== trials) return;
    if (!answer.ok) return say(answer.status === 404 ? ended(table.dataset.as) : (await answer.json()).error, "error");
    const told = await answer.json();
    say(told.says, told.kind);
    mayStand(told.stands);
    return told.kind;
  } catch {
    if (trial === trials) say("The desk cannot be reached; what you type is not judged.", "error");
  }
};
let typing = 0;
line?.words.addEventListener("input", () => {
  if (steps.length > 1) { // what is typed takes the place of what was tapped
    steps = steps.slice(0, 1);
    startOver();
  }
  clearTimeout(typing);
  typing = setTimeout(judge, 120);
});

// --- what is written ---

// Beside the number of a ply stands which it is.
export const named = (field) => {
  const which = field.parentElement.querySelector("[data-which]");
  if (!which) return;
  const ply = Number(field.value);
  const move = JSON.parse(state().dataset.moves).find(([number]) => number === ply);
  which.textContent = field.value.trim() === "" ? "" : move ? `ply ${ply}: ${move[1]}` : ply === 0 ? "the whole game" : "there is no such ply";
};

// A ply to be disputed is tapped among the last ones, the newest first; an older one is typed.
const PLIES = 12;
const layPlies = () => {
  const around = document.querySelector("[data-last-plies]");
  const field = around?.closest("form").querySelector("[data-ply]");
  around?.replaceChildren(...JSON.parse(state().dataset.moves).slice(-PLIES).reverse().map(([ply, word]) =>
    button(`${ply} ${word}`, `Ply ${ply}, ${word}`, () => {
      field.value = ply;
      named(field);
    })));
};

// A page of an open game cannot become that of a closed one: it is loaded. That may take long, so the state is shown before.
const openAnew = () => {
  for (const part of document.querySelectorAll(".dock,.acts")) part.hidden = true;
  tell();
  if (progress.leaving) return;
  progress.leaving = true;
  setTimeout(() => {
    progress.leaving = false;
    catchUp();
  }, SLOWEST);
  location.reload();
};
export const refresh = async () => {
  const answer = await answered(location.href, {});
  if (answer.status === 404) return end(ended(table.dataset.as));
  if (!answer.ok) return void (queue().length || location.reload());
  const page = new DOMParser().parseFromString(answer.body, "text/html");
  const fresh = page.querySelector('[data-live="state"]');
  if (!fresh) throw new Error("This answer is not from the desk.");
  const moved = fresh.dataset.version !== state().dataset.version;
  if (moved) state().replaceWith(document.adoptNode(fresh));
  if (!page.querySelector("[data-line]") !== !line) return openAnew();
  keepSeen(answer.body);
  for (const field of document.querySelectorAll("[data-ply],[data-board]")) {
    const there = page.querySelector(field.matches("[data-ply]") ? "[data-ply]" : "[data-board]");
    field.defaultValue = there?.value ?? field.value;
    if (!field.closest("details").open) field.value = field.defaultValue;
    named(field);
  }
  if (!moved) return;
  layPlies();
  tell();
  if (!line) return;
  offer();
  if (line.words.value) judge();
};
// What happened since the page last told it, whoever did it: a move with its verdict, a take-back, a ruling.
const heard = () => JSON.parse(state().dataset.news);
export const news = { last: 0 }; // the version that the page told last
news.last = heard().reduce((most, [version]) => Math.max(most, version), 0);
const done = (lines) => part("done").replaceChildren(...lines.map(([says, kind]) => {
  const made = element("p", says);
  made.dataset.kind = kind;
  return made;
}));
export const tell = () => {
  const fresh = heard().filter(([version]) => version > news.last);
  if (!fresh.length) return;
  news.last = fresh[fresh.length - 1][0];
  done(fresh.slice(-3).map(([, says, kind]) => [says, kind]));
};
// Nothing more can be written from this page; what was not written stays on it.
export const end = (says) => {
  progress.over = true;
  progress.changing = "";
  for (const part of document.querySelectorAll("[data-line],[data-tapping],.acts")) part.hidden = true;
  done([[says, "error"]]);
};
export const take = (one, unasked = false) => {
  if (!line || progress.over || taken(one) || (unasked && line.words.value)) return;
  progress.changing = one.command;
  line.words.value = one.words;
  if (document.activeElement === line.words) line.words.select();
  trials++;
  mayStand(false);
  if (became(one)) say(became(one), "error");
  else judge();
  show();
};
export const write = (words, stands = false) => {
  clearTimeout(typing);
  trials++;
  line.words.value = "";
  say("");
  mayStand(false);
  enqueue(words, stands, progress.changing);
  if (steps.length) startOver();
};
line?.addEventListener("submit", (event) => {
  event.preventDefault();
  const words = clean(line.words.value);
  if (words) write(words);
});
part("stands")?.addEventListener("click", () => write(clean(line.words.value), true));
part("missed")?.addEventListener("click", () => enqueue("~", false, taken(queue()[0]) ? "first" : ""));
addEventListener("written", (event) => {
  event.detail.closest("details").open = false;
  event.detail.reset();
  scrollTo(0, 0); // to the position, away from the form
  look();
});
table?.addEventListener("click", async ({ target }) => {
  if (!target.dataset.withdraw) return;
  const answer = await send(table.dataset.withdrawing, { command: command(), dispute: Number(target.dataset.withdraw) }).catch(() => null);
  if (!answer?.ok) done([[answer ? (await answer.json()).error : "The desk cannot be reached.", "error"]]);
  look();
});
// A ply that stands in an open form is the one its writer saw; whoever opens it again finds the last.
for (const field of document.querySelectorAll("[data-ply],[data-board]")) {
  const around = field.closest("details");
  around.addEventListener("toggle", () => {
    if (around.open) field.value = field.defaultValue;
    named(field);
  });
  field.addEventListener("input", () => named(field));
}
for (const form of document.querySelectorAll('form[data-then="table"]')) {
  form.addEventListener("submit", () => { form.dataset.expected = state().dataset.version; }, true);
}
if (table) layPlies();
if (line) offer();
export const page = {
  refresh,
  end,
  take,
  clear: () => {
    line.words.value = "";
    say("");
    mayStand(false);
  },
};
begin(page);
if (table) {
  listen({ [table.dataset.id]: state().dataset.version }, table.dataset.as, (event) => {
    if (event.because || event.version > seen().expected) catchUp();
  }, (says, became) => {
    if (became === "over") end(says);
    else if (became !== "open" || !progress.reached) catchUp();
  });
}
