// What this phone wrote and the desk has not yet answered: kept in order in the browser, sent one after the other, each
// with the command it was given, until the desk says what became of it. Only the first has a version to expect.
import { button, element, part } from "./elements.js";
import { ended } from "./events.js";
import { AWAY, FULL, command, isAway, posted } from "./requests.js";

const TIMEOUT = 8000; // milliseconds an answer is waited for
export const SLOWEST = 15000; // milliseconds between two tries at most
export const OLD = 12 * 3600 * 1000; // milliseconds after which what was left here is no longer sent unasked
export const table = part("table");
export const state = () => document.querySelector('[data-live="state"]');
// keeps: whether this browser keeps anything; safe: whether the page itself is kept; apart: what keeps what is written from
// being stored while the desk is not reached; over: whether nothing more can be written from this page; leaving: whether it
// opens itself anew; behind: whether it may show less than what is written; last: the version and ply of the last answer,
// which the page may not show yet; changing: the command of what was not written and stands in the line again.
export const progress = {
  memory: [], keeps: true, safe: false, reached: true, apart: "", over: false, leaving: false, behind: false, working: false,
  last: { expected: 0, ply: 0 }, changing: "", tries: 0, stored: 0, again: 0, cut: null,
};
// What the page of the table does: refresh, end, take, clear.
let page = null;

export const queue = () => {
  try {
    return progress.keeps ? JSON.parse(localStorage.getItem(table.dataset.table)) || [] : progress.memory;
  } catch {
    return progress.memory;
  }
};
export const keep = (list) => {
  progress.memory = list;
  try {
    if (list.length) localStorage.setItem(table.dataset.table, JSON.stringify(list));
    else localStorage.removeItem(table.dataset.table);
  } catch {
    progress.keeps = false;
  }
};
export const change = (command, fields) => keep(queue().map((one) => (one.command === command ? { ...one, ...fields } : one)));
export const seen = () => {
  const shown = { expected: Number(state().dataset.version), ply: Number(state().dataset.plies) };
  return shown.expected < progress.last.expected ? progress.last : shown;
};
const head = (list) => (list.length && list[0].expected === null ? [{ ...list[0], ...seen() }, ...list.slice(1)] : list);
export const drop = (command) => {
  if (command === progress.changing) {
    progress.changing = "";
    page.clear();
  }
  keep(head(queue().filter((one) => one.command !== command)));
  work();
};

// place: the command of the entry it replaces, where there is such; "first" before all others
export const enqueue = (words, stands, place = "") => {
  const made = { command: command(), words, stands, state: "waiting", says: "", since: Date.now(), expected: null };
  const list = queue();
  const where = place === "first" ? 0 : list.findIndex((one) => one.command === place);
  if (where < 0) list.push(made);
  else list.splice(where, place === "first" ? 0 : 1, made);
  keep(head(list));
  work();
};

export const answered = async (path, asked) => {
  progress.cut = new AbortController();
  const timer = setTimeout(() => progress.cut.abort(), TIMEOUT);
  try {
    const answer = await fetch(path, { ...asked, cache: "no-store", signal: progress.cut.signal });
    const body = await answer.text();
    if (answer.status === 507) throw new Error(body, { cause: FULL });
    if ([429, 502, 503, 504].includes(answer.status)) throw new Error(body, { cause: isAway(answer) ? AWAY : "" });
    return { ok: answer.ok, status: answer.status, body };
  } finally {
    clearTimeout(timer);
  }
};
export const sendFirst = async (first) => {
  const { command, words, stands, expected } = first;
  const answer = await answered(table.dataset.table, posted({ command, words, stands, expected }));
  const said = answer.status === 404 ? { error: ended(table.dataset.as) } : JSON.parse(answer.body);
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
    [progress.behind, progress.reached, progress.apart] = [true, false, fault.cause || "The desk cannot be reached"];
    progress.again = setTimeout(work, Math.min(SLOWEST, 500 * 2 ** progress.tries++));
  }
  progress.working = false;
  show();
  if (progress.reached && next()) work();
};

// --- what is shown of it ---

const since = (one) => {
  const moves = JSON.parse(state().dataset.moves).filter(([ply]) => ply > one.ply).map(([, text]) => text);
  return moves.length ? `: ${moves.join(" ")}` : "";
};
export const taken = (one) => Boolean(one) && one.command === progress.changing;
export const became = (one) => {
  if (one.state === "lost") return `Someone else wrote first${since(one)}; yours, ${one.words}, was not written. Look at the game, then write it again.`;
  return one.says;
};
const item = (one, first) => {
  const made = element("li");
  made.dataset.state = one.state;
  made.append(element("b", one.words), ` ${one.state === "waiting" ? "waiting" : taken(one) ? "not written; change it in the line above" : became(one) || "refused"}`);
  if (first && one.state !== "waiting") {
    const ways = element("div");
    if (part("line") && !progress.over && !taken(one)) ways.append(button("Change", "", () => page.take(one)));
    ways.append(button("Leave it out", "", () => drop(one.command)));
    made.append(ways);
  }
  return made;
};
export const show = () => {
  const list = queue();
  const [first] = list;
  const stopped = Boolean(first) && first.state !== "waiting";
  if (stopped && !progress.behind && !progress.working) page.take(first, true); // while it is asked how the game stands nothing is known
  const busy = Boolean(first) && !stopped;
  table.setAttribute("aria-busy", busy && progress.reached);
  for (const part of document.querySelectorAll("[data-tapping],.touch")) part.toggleAttribute("inert", busy);
  if (part("missed")) part("missed").disabled = busy && progress.reached;
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

const keepPage = async () => { // without TLS there is nothing to keep it with
  const parts = [...document.querySelectorAll("script[src],link[href]")].map((one) => one.src || one.href);
  try {
    const kept = await caches.open("cartulary");
    if (!part("line")) return void (await kept.delete(location.href));
    progress.safe = Boolean(navigator.serviceWorker.controller && (await kept.match(location.href)));
    await navigator.serviceWorker.register("/away.js", { scope: location.pathname });
    await kept.addAll([location.href, ...parts]);
    progress.safe = true;
    show();
  } catch { // nobody answers now, or nothing can be kept here
    show();
  }
};
// Nothing waits for this: a browser may keep it slowly, or not at all.
export const keepSeen = async (body) => {
  if (!progress.safe) return;
  try {
    await (await caches.open("cartulary")).put(location.href, new Response(body, { headers: { "Content-Type": "text/html; charset=utf-8" } }));
  } catch { // what was kept before is still there
  }
};
export const catchUp = () => {
  progress.behind = true;
  work();
};
export const look = () => { // what is under way may have been cut off with the net, and is asked anew
  progress.tries = 0;
  progress.cut?.abort();
  catchUp();
};
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
