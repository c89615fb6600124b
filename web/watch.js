"use strict";
// A game that is followed: every event is listed, and the board is always the one of the last of them.
const watched = document.querySelector("[data-watch]");
const counted = document.querySelector("[data-new]");
const part = (name) => document.querySelector(`[data-${name}]`);
const listen = (id, as, since, told, connection = () => {}) => {
  const words = new URLSearchParams([["game", id], ["since", since]]);
  if (as) words.set("as", as);
  const stream = new EventSource(`/events?${words}`);
  stream.addEventListener("message", (event) => told(JSON.parse(event.data)));
  stream.addEventListener("skipped", (event) => told(JSON.parse(event.data)));
  stream.addEventListener("open", () => connection("connected"));
  stream.addEventListener("error", () => connection(stream.readyState === 2 ? "this link opens nothing any more" : "connecting again…"));
  return stream;
};
const place = (html) => {
  const fresh = new DOMParser().parseFromString(html, "text/html").querySelector('[data-live="state"]');
  if (fresh) document.querySelector('[data-live="state"]').replaceWith(document.adoptNode(fresh));
};
if (watched) {
  const id = watched.dataset.watch;
  const key = `head ${id}`;
  const head = (text) => { part("head").textContent = text ? `head ${text}` : ""; };
  head(localStorage.getItem(key));
  listen(id, watched.dataset.as, document.querySelector('[data-live="state"]').dataset.version, (event) => {
    if (event.because) {
      part("skipped").textContent = event.because;
      part("skipped").hidden = false;
      return;
    }
    if (event.live) place(event.live);
    const item = document.createElement("li");
    item.textContent = event.change ? `${event.change}: ${event.says}` : event.says;
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
  listen(counted.dataset.new, counted.dataset.as, counted.dataset.version, (event) => {
    plies += event.kind === "move-played";
    const what = event.change || (plies ? `${plies} new ${plies === 1 ? "ply" : "plies"}` : "");
    if (!what) return;
    counted.textContent = `${what} · go to the end`;
    counted.hidden = false;
  });
}
