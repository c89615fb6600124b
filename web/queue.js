"use strict";
// What this phone wrote and the desk has not yet answered: kept in order in the browser, sent one after the other, each
// with the command it was given, until the desk says what became of it. Only the first has a version to expect.
const TIMEOUT = 8000; // milliseconds an answer is waited for
const SLOWEST = 15000; // milliseconds between two tries at most
const OLD = 12 * 3600 * 1000; // milliseconds after which what was left here is no longer sent unasked
const table = document.querySelector("[data-table]");
const at = (name) => document.querySelector(`[data-${name}]`);
const state = () => document.querySelector('[data-live="state"]');
let memory = [];
let keeps = true; // whether this browser keeps anything
let safe = false; // whether the page itself is kept
let reached = true;
let apart = ""; // what keeps what is written from being stored, while it is not reached
let over = false; // whether nothing more can be written from this page
let leaving = false; // whether the page opens itself anew
let behind = false; // whether the page may show less than what is written
let told = { expected: 0, ply: 0 }; // as of the last answer, which the page may not show yet
let tries = 0;
let stored = 0;
let again = 0;
let cut = null;

const queue = () => {
  try {
    return keeps ? JSON.parse(localStorage.getItem(table.dataset.table)) || [] : memory;
  } catch {
    return memory;
  }
};
const keep = (list) => {
  memory = list;
  try {
    if (list.length) localStorage.setItem(table.dataset.table, JSON.stringify(list));
    else localStorage.removeItem(table.dataset.table);
  } catch {
    keeps = false;
  }
};
const change = (command, fields) => keep(queue().map((one) => (one.command === command ? { ...one, ...fields } : one)));
const seen = () => {
  const shown = { expected: Number(state().dataset.version), ply: Number(state().dataset.plies) };
  return shown.expected < told.expected ? told : shown;
};
const head = (list) => (list.length && list[0].expected === null ? [{ ...list[0], ...seen() }, ...list.slice(1)] : list);
const drop = (command) => {
  if (command === changing) {
    line.words.value = changing = "";
    say("");
    mayStand(false);
  }
  keep(head(queue().filter((one) => one.command !== command)));
  work();
};

// place: the command of the entry it replaces, where there is such; "first" before all others
const enqueue = (words, stands, place = "") => {
  const made = { command: command(), words, stands, state: "waiting", says: "", since: Date.now(), expected: null };
  const list = queue();
  const where = place === "first" ? 0 : list.findIndex((one) => one.command === place);
  if (where < 0) list.push(made);
  else list.splice(where, place === "first" ? 0 : 1, made);
  keep(head(list));
  work();
};

const answered = async (path, asked) => {
  cut = new AbortController();
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
const sendFirst = async (first) => {
  const { command, words, stands, expected } = first;
  const answer = await answered(table.dataset.table, posted({ command, words, stands, expected }));
  const said = answer.status === 404 ? { error: ended(table.dataset.as) } : JSON.parse(answer.body);
  if (answer.status === 404) end(said.error);
  behind = true;
  if (answer.ok) {
    const { version, ply } = said[said.length - 1];
    told = { expected: version, ply };
    const rest = queue().filter((one) => one.command !== command);
    if (rest.length && rest[0].expected === null) Object.assign(rest[0], told);
    keep(rest);
    stored++;
  } else change(command, { state: "actual" in said ? "lost" : "refused", says: said.error || "" });
};
const next = () => queue().slice(0, 1).find((one) => one.state === "waiting");
let working = false;
const work = async () => {
  if (working) return;
  working = true;
  clearTimeout(again);
  try {
    show();
    for (let first; (first = next()); show()) await sendFirst(first);
    behind ||= !reached;
    while (behind) {
      behind = false;
      await refresh();
    }
    [reached, tries] = [true, 0];
    if (!queue().length) stored = 0;
  } catch (fault) {
    [behind, reached, apart] = [true, false, fault.cause || "The desk cannot be reached"];
    again = setTimeout(work, Math.min(SLOWEST, 500 * 2 ** tries++));
  }
  working = false;
  show();
  if (reached && next()) work();
};

// --- what is shown of it ---

const since = (one) => {
  const moves = JSON.parse(state().dataset.moves).filter(([ply]) => ply > one.ply).map(([, text]) => text);
  return moves.length ? `: ${moves.join(" ")}` : "";
};
const became = (one) => {
  if (one.state === "lost") return `Someone else wrote first${since(one)}; yours, ${one.words}, was not written. Look at the game, then write it again.`;
  return one.says;
};
const item = (one, first) => {
  const made = element("li");
  made.dataset.state = one.state;
  made.append(element("b", one.words), ` ${one.state === "waiting" ? "waiting" : taken(one) ? "not written; change it in the line above" : became(one) || "refused"}`);
  if (first && one.state !== "waiting") {
    const ways = element("div");
    if (line && !over && !taken(one)) ways.append(button("Change", "", () => take(one)));
    ways.append(button("Leave it out", "", () => drop(one.command)));
    made.append(ways);
  }
  return made;
};
const show = () => {
  const list = queue();
  const [first] = list;
  const stopped = Boolean(first) && first.state !== "waiting";
  if (stopped && !behind && !working) take(first, true); // while it is asked how the game stands nothing is known
  const busy = Boolean(first) && !stopped;
  table.setAttribute("aria-busy", busy && reached);
  for (const part of document.querySelectorAll("[data-tapping],.touch")) part.toggleAttribute("inert", busy);
  if (at("missed")) at("missed").disabled = busy && reached;
  at("queue").hidden = reached && (!list.length || (list.length === 1 && (busy || taken(first))));
  if (at("queue").hidden) return;
  const counts = [[stored, "stored"], [list.length - Number(stopped), "waiting"], [Number(stopped), "refused"]];
  const counted = counts.filter(([number]) => number).map(([number, name]) => `${number} ${name}`).join(", ");
  const reload = !keeps ? "Do not close or reload this page until then, or what is waiting is lost."
    : safe ? "This page may be reloaded." : "Do not reload this page until then: what is waiting is kept, but the page is not.";
  const sentence = reached ? "" : `${apart}; what you write here is kept and sent, in order, as soon as it can be. ${reload}`;
  at("count").textContent = [counted, sentence].filter(Boolean).join(". ");
  at("waiting").replaceChildren(...list.map((one, index) => item(one, index === 0)));
};

// --- when the net is back, when the phone wakes, when the page is opened again ---

const keepPage = async () => { // without TLS there is nothing to keep it with
  const parts = [...document.querySelectorAll("script[src],link[href]")].map((one) => one.src || one.href);
  try {
    const kept = await caches.open("cartulary");
    if (!line) return void (await kept.delete(location.href));
    safe = Boolean(navigator.serviceWorker.controller && (await kept.match(location.href)));
    await navigator.serviceWorker.register("/away.js", { scope: location.pathname });
    await kept.addAll([location.href, ...parts]);
    safe = true;
    show();
  } catch { // nobody answers now, or nothing can be kept here
    show();
  }
};
const keepSeen = async (body) => {
  if (safe) await (await caches.open("cartulary")).put(location.href, new Response(body, { headers: { "Content-Type": "text/html; charset=utf-8" } }));
};
const catchUp = () => {
  behind = true;
  work();
};
const look = () => { // what is under way may have been cut off with the net, and is asked anew
  tries = 0;
  cut?.abort();
  catchUp();
};
const begin = () => {
  const before = Date.now() - OLD;
  const old = "Left here long ago; check whether it was written.";
  keep(queue().map((one) => (one.state === "waiting" && one.since < before ? { ...one, state: "refused", says: old } : one)));
  addEventListener("online", look);
  addEventListener("offline", () => { reached = false; look(); });
  addEventListener("pageshow", (event) => event.persisted && look());
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && look());
  document.addEventListener("resume", look);
  addEventListener("beforeunload", (event) => { if (!leaving && !safe && queue().some((one) => one.state === "waiting")) event.preventDefault(); });
  behind = Boolean(navigator.serviceWorker?.controller);
  keepPage();
  work();
};
