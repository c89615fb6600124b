// A game that is followed: every event is listed, and the board is always the one of the last of them.
import { all, data, find, need, part } from "./elements.js";
import { listen, place, versionIn } from "./events.js";
/** @typedef {import("./events.js").GameEvent} GameEvent */

const watched = find("[data-watch]");
const counted = find("[data-new]");
const tables = find("[data-tables]");
const sayConnection = /** @param {string} says */ (says) => { part("connection").textContent = says; };
if (watched) {
  const id = data(watched, "watch");
  const key = `head ${id}`;
  const head = /** @param {string} text */ (text) => { part("head").textContent = text ? `head ${text}` : ""; };
  head(localStorage.getItem(key) ?? "");
  listen({ [id]: versionIn() }, data(watched, "as"), (event) => {
    if (event.because) {
      part("skipped").textContent = event.because;
      part("skipped").hidden = false;
      return;
    }
    if (event.live) place(event.live);
    const item = document.createElement("li");
    item.textContent = event.change ? `${event.change}. ${event.says}` : event.says;
    if (event.change) item.className = "change";
    const news = part("news");
    news.prepend(item);
    while (news.children.length > 40) news.lastElementChild?.remove();
    if (event.head) {
      localStorage.setItem(key, event.head);
      head(event.head);
    }
  }, sayConnection, "", true);
}
// Looking back is never thrown to the newest move: a badge counts what is new.
if (counted) {
  let plies = 0;
  listen(JSON.parse(data(counted, "new")), data(counted, "as"), (event) => {
    plies += Number(event.kind === "move-played");
    const what = event.change || (plies ? `${plies} new ${plies === 1 ? "ply" : "plies"}` : "");
    if (!what) return;
    counted.textContent = `${what} · ${data(counted, "then")}`;
    counted.hidden = false;
  });
}
// A screen on the wall shows at most twelve tables at a time, in as many columns as make the boards largest; more take turns.
const AT_ONCE = 12;
const TURN = 20_000; // milliseconds a page of tables stays
/**
 * Return in how many columns boards are largest.
 * @param {number} count How many boards there are.
 * @param {number} wide
 * @param {number} high
 */
export const columnsFor = (count, wide, high) => {
  const side = /** @param {number} across */ (across) => Math.min(wide / across, high / Math.ceil(count / across) - 0.18 * high);
  return Array.from({ length: count }, (_, at) => at + 1).reduce((best, across) => (side(across) > side(best) ? across : best), 1);
};
/**
 * Return tables in pages of at most twelve.
 * @template T
 * @param {T[]} whole
 */
export const pagesOf = (whole) => Array.from({ length: Math.ceil(whole.length / AT_ONCE) }, (_, at) => whole.slice(at * AT_ONCE, (at + 1) * AT_ONCE));
/**
 * Show a page of the tables; on a narrow screen, all of them.
 * @param {HTMLElement} around
 * @param {number} page
 */
const layTables = (around, page) => {
  const whole = all("[data-table]", around);
  const wide = matchMedia("(min-width: 60rem)").matches;
  const pages = pagesOf(whole);
  const shown = wide && whole.length ? pages[page % pages.length] : whole;
  for (const one of whole) one.hidden = !shown.includes(one);
  const first = whole.indexOf(shown[0]) + 1;
  part("shown").textContent = wide && pages.length > 1 ? `tables ${first} to ${first + shown.length - 1} of ${whole.length}` : "";
  const across = columnsFor(Math.min(AT_ONCE, pages.length > 1 ? AT_ONCE : whole.length), innerWidth, innerHeight);
  const many = find(".many", around);
  many?.style.setProperty("--across", String(across));
  many?.style.setProperty("--down", String(Math.ceil(Math.min(AT_ONCE, whole.length) / across)));
};
/**
 * Ask which tables there are, and load the page again if it shows others: one was begun, or is long closed.
 * @param {HTMLElement} around
 */
export const lookAgain = async (around) => {
  const answer = await fetch(data(around, "tables"));
  if (!answer.ok) return;
  const { tables: there } = /** @type {{ tables: { id: string }[] }} */ (await answer.json());
  const shown = all("[data-table]", around).map((card) => data(card, "table"));
  if (there.map(({ id }) => id).join("\n") !== shown.join("\n")) location.reload();
};
// Many tables: one stream keeps every card, and a change beside the last ply is named on it until the next.
if (tables) {
  const cards = new Map(all("[data-game]", tables).map((card) => [data(card, "game"), card]));
  const told = /** @param {GameEvent} event */ (event) => {
    const card = cards.get(event.game);
    if (!card) return;
    if (event.live) place(event.live, card);
    const change = part("change", card);
    change.textContent = event.change || "";
    change.hidden = !event.change || event.kind === "game-closed";
    need("[data-closed]").parentElement?.removeAttribute("hidden");
    part("closed").textContent = String(all('[data-live]:not([data-result=""])', tables).length);
  };
  const versions = Object.fromEntries([...cards].map(([id, card]) => [id, versionIn(card)]));
  if (cards.size) listen(versions, "rail", told, sayConnection, data(tables, "delay"), true);
  let page = 0;
  layTables(tables, page);
  setInterval(() => layTables(tables, ++page), TURN);
  addEventListener("resize", () => layTables(tables, page));
  setInterval(() => lookAgain(tables).catch(() => {}), 30_000);
}
