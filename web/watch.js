"use strict";
// A game that is followed: every event is listed, and the board is always the one of the last of them.
const watched = document.querySelector("[data-watch]");
const counted = document.querySelector("[data-new]");
const tables = document.querySelector("[data-tables]");
const part = (name) => document.querySelector(`[data-${name}]`);
const ANEW = "The desk was started again. Open the address it printed.";
const ended = (as) => (as && !tables ? OVER : ANEW);
// connection: told what to say of it, and what became of it: open, cut, away (the desk without its log), over
const listen = (versions, as, told, connection = () => {}, delay = "") => {
  const words = new URLSearchParams(Object.entries(versions).flatMap(([id, since]) => [["game", id], ["since", since]]));
  if (as) words.set("as", as);
  if (delay) words.set("delay", delay);
  const seen = { ...versions };
  const open = () => {
    words.delete("since");
    for (const since of Object.values(seen)) words.append("since", since);
    const stream = new EventSource(`/events?${words}`);
    stream.addEventListener("message", ({ data }) => {
      const event = JSON.parse(data);
      seen[event.game] = event.version;
      told(event);
    });
    stream.addEventListener("skipped", (event) => told(JSON.parse(event.data)));
    stream.addEventListener("away", () => connection(AWAY, "away"));
    for (const again of ["open", "back"]) stream.addEventListener(again, () => connection("connected", "open"));
    stream.addEventListener("error", async () => {
      connection("connecting again…", "cut");
      if (stream.readyState !== EventSource.CLOSED) return;
      // A browser gives up for good where the answer is no stream: a link that is over, or a proxy without its server.
      const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" }).catch(() => null);
      if (answer?.status === 404) return connection(ended(as), "over");
      if (isAway(answer)) connection(AWAY, "away");
      setTimeout(open, 2000 + 3000 * Math.random());
    });
  };
  open();
};
const place = (html, where = document) => {
  const fresh = new DOMParser().parseFromString(html, "text/html").querySelector('[data-live="state"]');
  if (fresh) where.querySelector('[data-live="state"]').replaceWith(document.adoptNode(fresh));
};
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
const columnsFor = (count, wide, high) => {
  const side = (across) => Math.min(wide / across, high / Math.ceil(count / across) - 0.11 * high);
  return Array.from({ length: count }, (_, at) => at + 1).reduce((best, across) => (side(across) > side(best) ? across : best), 1);
};
const pagesOf = (all) => Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, at) => all.slice(at * AT_ONCE, (at + 1) * AT_ONCE));
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
const lookAgain = async () => {
  const answer = await fetch(tables.dataset.tables);
  if (!answer.ok) return;
  const there = (await answer.json()).tables.map((table) => table.id);
  const shown = Array.from(tables.querySelectorAll("[data-table]"), (card) => card.dataset.table);
  if (there.join("\n") !== shown.join("\n")) location.reload();
};
if (tables) setInterval(() => lookAgain().catch(() => {}), 30_000);
