// A game that is followed: every event is listed, and the board is always the one of the last of them.
import { part } from "./elements.js";
import { listen, place } from "./events.js";

const watched = document.querySelector("[data-watch]");
const counted = document.querySelector("[data-new]");
const tables = document.querySelector("[data-tables]");
if (watched) {
  const id = watched.dataset.watch;
  const key = `head ${id}`;
  const head = (text) => { part("head").textContent = text ? `head ${text}` : ""; };
  head(localStorage.getItem(key));
  listen({ [id]: document.querySelector('[data-live="state"]').dataset.version }, watched.dataset.as, (event) => {
    if (event.because) {
      part("skipped").textContent = event.because;
      part("skipped").hidden = false;
      return;
    }
    if (event.live) place(event.live);
    const item = document.createElement("li");
    item.textContent = event.change ? `${event.change}. ${event.says}` : event.says;
    if (event.change) item.className = "change";
    part("news").prepend(item);
    while (part("news").children.length > 40) part("news").lastChild.remove();
    if (event.head) {
      localStorage.setItem(key, event.head);
      head(event.head);
    }
  }, (says) => { part("connection").textContent = says; });
}
// Looking back is never thrown to the newest move: a badge counts what is new.
if (counted) {
  let plies = 0;
  listen(JSON.parse(counted.dataset.new), counted.dataset.as, (event) => {
    plies += event.kind === "move-played";
    const what = event.change || (plies ? `${plies} new ${plies === 1 ? "ply" : "plies"}` : "");
    if (!what) return;
    counted.textContent = `${what} · ${counted.dataset.then}`;
    counted.hidden = false;
  });
}
// Many tables: one stream keeps every card, and a change beside the last ply is named on it until the next.
if (tables) {
  const cards = new Map(Array.from(tables.querySelectorAll("[data-game]"), (card) => [card.dataset.game, card]));
  const closed = '[data-live]:not([data-result=""])';
  const versions = Array.from(cards, ([id, card]) => [id, card.querySelector("[data-live]").dataset.version]);
  const told = (event) => {
    const card = cards.get(event.game);
    if (!card) return;
    if (event.live) place(event.live, card);
    const change = card.querySelector("[data-change]");
    change.textContent = event.change || "";
    change.hidden = !event.change || event.kind === "game-closed";
    part("closed").textContent = tables.querySelectorAll(closed).length;
  };
  const says = (text) => { part("connection").textContent = text; };
  if (cards.size) listen(Object.fromEntries(versions), "rail", told, says, tables.dataset.delay);
}
// A screen on the wall shows at most twelve tables at a time, in as many columns as make the boards largest; more take turns.
const AT_ONCE = 12;
const TURN = 20_000; // milliseconds a page of tables stays
export const columnsFor = (count, wide, high) => {
  const side = (across) => Math.min(wide / across, high / Math.ceil(count / across) - 0.11 * high);
  return Array.from({ length: count }, (_, at) => at + 1).reduce((best, across) => (side(across) > side(best) ? across : best), 1);
};
export const pagesOf = (all) => Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, at) => all.slice(at * AT_ONCE, (at + 1) * AT_ONCE));
const layTables = (page) => {
  const all = [...tables.querySelectorAll("[data-table]")];
  const wide = matchMedia("(min-width: 60rem)").matches;
  const pages = pagesOf(all);
  const shown = wide && all.length ? pages[page % pages.length] : all;
  for (const one of all) one.hidden = !shown.includes(one);
  part("shown").textContent = wide && pages.length > 1 ? `tables ${all.indexOf(shown[0]) + 1} to ${all.indexOf(shown.at(-1)) + 1} of ${all.length}` : "";
  const many = tables.querySelector(".many");
  many?.style.setProperty("--across", columnsFor(Math.min(AT_ONCE, pages.length > 1 ? AT_ONCE : all.length), innerWidth, innerHeight));
};
if (tables) {
  let page = 0;
  layTables(page);
  setInterval(() => layTables(++page), TURN);
  addEventListener("resize", () => layTables(page));
}
// A table that is begun or long closed is one more or one less: the page is asked for again.
export const lookAgain = async () => {
  const answer = await fetch(tables.dataset.tables);
  if (!answer.ok) return;
  const there = (await answer.json()).tables.map((table) => table.id);
  const shown = Array.from(tables.querySelectorAll("[data-table]"), (card) => card.dataset.table);
  if (there.join("\n") !== shown.join("\n")) location.reload();
};
if (tables) setInterval(() => lookAgain().catch(() => {}), 30_000);
