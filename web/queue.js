// What this phone wrote and the desk has not yet answered: kept in order in the browser, sent one after the other, each
// with the command it was given, until the desk says what became of it. Only the first has a version to expect.
import { all, button, data, element, find, need, part } from "./elements.js";
import { ended } from "./events.js";
import { withParts } from "./parts.js";
import { AWAY, FULL, command, isAway, posted } from "./requests.js";

const TIMEOUT = 8000; // milliseconds an answer is waited for
export const SLOWEST = 15000; // milliseconds between two tries at most
export const OLD = 12 * 3600 * 1000; // milliseconds after which what was left here is no longer sent unasked

/**
 * @typedef {object} Entry What was written, and what became of it.
 * @property {string} command
 * @property {string} words
 * @property {boolean} stands Whether it is to be kept in spite of the rules.
 * @property {"waiting" | "refused" | "lost"} state lost: somebody else wrote first
 * @property {string} says
 * @property {number} since When it was written, in milliseconds.
 * @property {number | null} expected The version of the game it was written for; null behind another entry.
 * @property {number} [ply]
 */
/**
 * @typedef {object} TablePage What the page of a table does.
 * @property {() => Promise<unknown>} refresh Shows how the game stands.
 * @property {(says: string) => void} end Lets nothing more be written.
 * @property {(one: Entry, unasked?: boolean) => void} take Puts what was not written in the line again.
 * @property {() => void} clear Empties the line.
 */

/** The part of a table's page that every other part stands in. */
export const table = need("[data-table]");
/** Return the part of the page that shows how the game stands. */
export const state = () => need('[data-live="state"]');
/** Return the moves that the page knows, each with its ply. */
export const moves = () => {
  /** @type {string[]} */
  const texts = JSON.parse(data(state(), "moves"));
  return texts.map((text, at) => /** @type {[ply: number, text: string]} */ ([at + 1, text]));
};
export const progress = {
  memory: /** @type {Entry[]} */ ([]),
  keeps: true, // whether this browser keeps anything
  safe: false, // whether the page itself is kept
  reached: true,
  apart: "", // what keeps what is written from being stored, while the desk is not reached
  over: false, // whether nothing more can be written from this page
  leaving: false, // whether the page opens itself anew
  behind: false, // whether the page may show less than what is written
  working: false,
  last: { expected: 0, ply: 0 }, // as of the last answer, which the page may not show yet
  changing: "", // the command of what was not written and stands in the line again
  tries: 0,
  stored: 0,
  again: 0,
  cut: /** @type {AbortController | null} */ (null),
};
/** @type {TablePage} */
let page;

/** Return what is not written yet, in the order it is sent.
 * @returns {Entry[]} */
export const queue = () => {
  try {
    return progress.keeps ? JSON.parse(localStorage.getItem(data(table, "table")) ?? "null") || [] : progress.memory;
  } catch {
    return progress.memory;
  }
};
/**
 * Keep a queue in this browser in place of the one there is.
 * @param {Entry[]} list
 */
export const keep = (list) => {
  progress.memory = list;
  try {
    if (list.length) localStorage.setItem(data(table, "table"), JSON.stringify(list));
    else localStorage.removeItem(data(table, "table"));
  } catch {
    progress.keeps = false;
  }
};
/**
 * Change an entry of the queue.
 * @param {string} command
 * @param {Partial<Entry>} fields
 */
export const change = (command, fields) => keep(queue().map((one) => (one.command === command ? { ...one, ...fields } : one)));
/** Return the version and the ply that whoever writes now has seen. */
export const seen = () => {
  const shown = { expected: Number(data(state(), "version")), ply: Number(data(state(), "plies")) };
  return shown.expected < progress.last.expected ? progress.last : shown;
};
/**
 * Return a queue whose first entry has a version to expect.
 * @param {Entry[]} list
 */
const head = (list) => (list.length && list[0].expected === null ? [{ ...list[0], ...seen() }, ...list.slice(1)] : list);
/**
 * Leave out an entry of the queue.
 * @param {string} command
 */
export const drop = (command) => {
  if (command === progress.changing) {
    progress.changing = "";
    page.clear();
  }
  keep(head(queue().filter((one) => one.command !== command)));
  work();
};

/**
 * Write words: they are sent once all before them are.
 * @param {string} words
 * @param {boolean} stands
 * @param {string} place The command of the entry it replaces, if there is such; "first" before all others.
 */
export const enqueue = (words, stands, place = "") => {
  /** @type {Entry} */
  const made = { command: command(), words, stands, state: "waiting", says: "", since: Date.now(), expected: null };
  const list = queue();
  const where = place === "first" ? 0 : list.findIndex((one) => one.command === place);
  if (where < 0) list.push(made);
  else list.splice(where, place === "first" ? 0 : 1, made);
  keep(head(list));
  work();
};

/**
 * Ask the desk, and return its answer.
 * @param {string} path
 * @param {RequestInit} asked
 * @throws if it cannot be reached; the fault's cause is what it lacks, if that is known.
 */
export const answered = async (path, asked) => {
  const cut = (progress.cut = new AbortController());
  const timer = setTimeout(() => cut.abort(), TIMEOUT);
  try {
    const answer = await fetch(path, { ...asked, cache: "no-store", signal: cut.signal });
    const body = await answer.text();
    if (answer.status === 507) throw new Error(body, { cause: FULL });
    if ([429, 502, 503, 504].includes(answer.status)) throw new Error(body, { cause: isAway(answer) ? AWAY : "" });
    return { ok: answer.ok, status: answer.status, body };
  } finally {
    clearTimeout(timer);
  }
};
/**
 * Send the first entry of the queue, and keep what became of it.
 * @param {Entry} first
 */
export const sendFirst = async (first) => {
  const { command, words, stands, expected } = first;
  const answer = await answered(data(table, "table"), posted({ command, words, stands, expected }));
  const said = answer.status === 404 ? { error: ended(data(table, "as")) } : JSON.parse(answer.body);
  if (answer.status === 404) page.end(said.error);
  progress.behind = true;
  if (answer.ok) {
    const { version, ply } = said[said.length - 1];
    progress.last = { expected: version, ply };
    const rest = queue().filter((one) => one.command !== command);
    if (rest.length && rest[0].expected === null) Object.assign(rest[0], progress.last);
    keep(rest);
    progress.stored++;
  } else change(command, { state: "actual" in said ? "lost" : "refused", says: said.error || "" });
};
const next = () => queue().slice(0, 1).find((one) => one.state === "waiting");
/** Send what can be sent, and show how the game stands; where the desk is not reached, try again ever more seldom. */
export const work = async () => {
  if (progress.working) return;
  progress.working = true;
  clearTimeout(progress.again);
  try {
    show();
    for (let first; (first = next()); show()) await sendFirst(first);
    progress.behind ||= !progress.reached;
    while (progress.behind) {
      progress.behind = false;
      await page.refresh();
    }
    [progress.reached, progress.tries] = [true, 0];
    if (!queue().length) progress.stored = 0;
  } catch (fault) {
    const lacks = fault instanceof Error ? String(fault.cause ?? "") : "";
    Object.assign(progress, { behind: true, reached: false, apart: lacks || "The desk cannot be reached" });
    progress.again = setTimeout(work, Math.min(SLOWEST, 500 * 2 ** progress.tries++));
  }
  progress.working = false;
  show();
  if (progress.reached && next()) work();
};

// --- what is shown of it ---

/**
 * Return the moves that were written after an entry was, as a part of a sentence.
 * @param {Entry} one
 */
const since = (one) => {
  const later = moves().filter(([ply]) => ply > (one.ply ?? 0)).map(([, text]) => text);
  return later.length ? `: ${later.join(" ")}` : "";
};
/**
 * Return whether an entry stands in the line again.
 * @param {Entry | undefined} one
 */
export const taken = (one) => one !== undefined && one.command === progress.changing;
/**
 * Return what became of an entry, as a sentence.
 * @param {Entry} one
 */
export const became = (one) => {
  if (one.state === "lost") return `Someone else wrote first${since(one)}; yours, ${one.words}, was not written. Look at the game, then write it again.`;
  return one.says;
};
/**
 * Return the line of an entry.
 * @param {Entry} one
 * @param {boolean} first
 */
const item = (one, first) => {
  const made = element("li");
  made.dataset.state = one.state;
  made.append(element("b", one.words), ` ${one.state === "waiting" ? "waiting" : taken(one) ? "not written; change it in the line above" : became(one) || "refused"}`);
  if (first && one.state !== "waiting") {
    const ways = element("div");
    if (find("[data-line]") && !progress.over && !taken(one)) ways.append(button("Change", "", () => page.take(one)));
    ways.append(button("Leave it out", "", () => drop(one.command)));
    made.append(ways);
  }
  return made;
};
/** Show the queue, and let nobody tap while the page may show less than what is written. */
export const show = () => {
  const list = queue();
  const [first] = list;
  const stopped = Boolean(first) && first.state !== "waiting";
  if (stopped && !progress.behind && !progress.working) page.take(first, true); // while it is asked how the game stands nothing is known
  const busy = Boolean(first) && !stopped;
  table.setAttribute("aria-busy", String(busy && progress.reached));
  for (const one of all("[data-tapping],.touch")) one.toggleAttribute("inert", busy);
  find("[data-missed]")?.toggleAttribute("disabled", busy && progress.reached);
  part("queue").hidden = progress.reached && (!list.length || (list.length === 1 && (busy || taken(first))));
  if (part("queue").hidden) return;
  const counts = [[progress.stored, "stored"], [list.length - Number(stopped), "waiting"], [Number(stopped), "refused"]];
  const counted = counts.filter(([number]) => number).map(([number, name]) => `${number} ${name}`).join(", ");
  const reload = !progress.keeps ? "Do not close or reload this page until then, or what is waiting is lost."
    : progress.safe ? "This page may be reloaded." : "Do not reload this page until then: what is waiting is kept, but the page is not.";
  const sentence = progress.reached ? "" : `${progress.apart}; what you write here is kept and sent, in order, as soon as it can be. ${reload}`;
  part("count").textContent = [counted, sentence].filter(Boolean).join(". ");
  part("waiting").replaceChildren(...list.map((one, index) => item(one, index === 0)));
};

// --- when the net is back, when the phone wakes, when the page is opened again ---

/** Keep this page, so that it opens without net; without TLS there is nothing to keep it with. */
const keepPage = async () => {
  const parts = /** @type {(HTMLScriptElement | HTMLLinkElement)[]} */ (all("script[src],link[href]")).map((one) => ("src" in one ? one.src : one.href));
  try {
    const kept = await caches.open("cartulary");
    if (!find("[data-line]")) {
      await kept.delete(location.href);
      return;
    }
    progress.safe = Boolean(navigator.serviceWorker.controller && (await kept.match(location.href)));
    await navigator.serviceWorker.register("/away.js", { scope: location.pathname });
    await kept.addAll([location.href, ...parts]);
    progress.safe = true;
    show();
    keepSeen();
  } catch { // nobody answers now, or nothing can be kept here
    show();
  }
};
/** Keep this page with its parts as they came last. Nothing waits for this: a browser may keep it slowly, or not at all. */
export const keepSeen = async () => {
  if (!progress.safe) return;
  try {
    const cache = await caches.open("cartulary");
    const before = await (await cache.match(location.href))?.text();
    if (!before) return;
    await cache.put(location.href, new Response(withParts(before), { headers: { "Content-Type": "text/html; charset=utf-8" } }));
  } catch { // what was kept before is still there
  }
};
/** Ask how the game stands. */
export const catchUp = () => {
  progress.behind = true;
  work();
};
/** Ask how the game stands, and what became of what is under way: it may have been cut off with the net. */
export const look = () => {
  progress.tries = 0;
  progress.cut?.abort();
  catchUp();
};
/**
 * Take up what this browser kept, and send it.
 * @param {TablePage} does
 */
export const begin = (does) => {
  page = does;
  const before = Date.now() - OLD;
  const old = "Left here long ago; check whether it was written.";
  keep(queue().map((one) => (one.state === "waiting" && one.since < before ? { ...one, state: "refused", says: old } : one)));
  addEventListener("online", look);
  addEventListener("offline", () => { progress.reached = false; look(); });
  addEventListener("pageshow", (event) => event.persisted && look());
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && look());
  document.addEventListener("resume", look);
  addEventListener("beforeunload", (event) => { if (!progress.leaving && !progress.safe && queue().some((one) => one.state === "waiting")) event.preventDefault(); });
  progress.behind = Boolean(navigator.serviceWorker?.controller);
  keepPage();
  work();
};
