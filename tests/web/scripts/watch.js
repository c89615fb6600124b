// watch.js and events.js, on the page of a game that is followed.
import { part } from "./elements.js";
import { ended, listen, place } from "./events.js";
import { ANEW, AWAY, OVER } from "./requests.js";
import { columnsFor, pagesOf } from "./watch.js";

const [stream] = streams;
const event = (more) => ({ game: "g", version: 6, kind: "move-played", says: "Ada plays 8Ca7", ...more });
const news = () => [...part("news").children].map((one) => one.textContent.trim());

test("a game is followed from the version its page shows", () => {
  const asked = new URL(stream.url, location.href);
  same([asked.pathname, asked.searchParams.get("game"), asked.searchParams.get("since")], ["/events", "g", "5"]);
});

test("twelve tables stand at once, in as many columns as make them largest", () => {
  same([1, 2, 4, 6, 8, 12].map((count) => columnsFor(count, 1920, 1080)), [1, 2, 4, 3, 4, 6]);
  same(pagesOf([...Array(30).keys()]).map((page) => page.length), [12, 12, 6]);
});

test("every event is listed, the newest first, and a change by its name", () => {
  const before = news().length;
  stream.tell("message", event({}));
  stream.tell("message", event({ version: 7, change: "Taken back", says: "1 ply" }));
  same(news().slice(0, 2), ["Taken back. 1 ply", "Ada plays 8Ca7"]);
  same([news().length, part("news").firstChild.className], [before + 2, "change"]);
});

test("no more than forty are kept on the page", () => {
  for (let version = 8; version < 60; version++) stream.tell("message", event({ version }));
  same(news().length, 40);
});

test("the board is that of the event, and no markup of a text is run", () => {
  const live = (version) => `<div data-live="state" data-version="${version}"><p>board ${version}</p></div>`;
  stream.tell("message", event({ version: 61, live: live(61), says: "<b>x</b>" }));
  same(document.querySelector('[data-live="state"]').dataset.version, "61");
  same(news()[0], "<b>x</b>");
  place("<p>no board</p>");
  same(document.querySelector('[data-live="state"]').dataset.version, "61");
});

test("the head of the log is shown and kept", () => {
  stream.tell("message", event({ version: 62, head: "62:abcd" }));
  same(part("head").textContent, "head 62:abcd");
  same(localStorage.getItem("head g"), "62:abcd");
});

test("what was left out is told with its reason", () => {
  stream.tell("skipped", { game: "g", because: "40 events were skipped" });
  same([part("skipped").hidden, part("skipped").textContent], [false, "40 events were skipped"]);
});

test("the page says whether it is connected", () => {
  const says = () => part("connection").textContent;
  stream.tell("open", null);
  same(says(), "connected");
  stream.tell("error", null);
  same(says(), "connecting again…");
  stream.tell("away", null);
  same(says(), AWAY);
  stream.tell("back", null);
  same(says(), "connected");
});

test("a stream that is given up is opened again from the last event, unless the link is over", async () => {
  const [real, waits] = [window.setTimeout, []];
  window.setTimeout = (does, wait) => waits.push([does, wait]);
  const told = [];
  listen({ g: 5 }, "p1", () => {}, (says, became) => told.push(became));
  const mine = streams.at(-1);
  mine.tell("message", event({ version: 9 }));
  mine.readyState = EventSource.CLOSED;
  answers = [[502, ""]];
  mine.tell("error", null);
  for (let turn = 0; turn < 20; turn++) await null;
  const [does, wait] = waits.at(-1);
  same(wait >= 2000 && wait <= 5000, true);
  does();
  const again = new URL(streams.at(-1).url, location.href).searchParams;
  same([again.getAll("since"), again.get("as")], [["9"], "p1"]);
  answers = [[404, ""]];
  streams.at(-1).readyState = EventSource.CLOSED;
  const opened = streams.length;
  streams.at(-1).tell("error", null);
  for (let turn = 0; turn < 20; turn++) await null;
  waits.at(-1)[0]();
  window.setTimeout = real;
  same([told.slice(0, 3), streams.length], [["cut", "cut", "over"], opened]);
});

test("several games are followed by one stream, each from its own version", () => {
  listen({ a: 1, b: 22 }, "", () => {}, () => {}, "30");
  const asked = new URL(streams.at(-1).url, location.href).searchParams;
  same([asked.getAll("game"), asked.getAll("since"), asked.get("delay"), asked.get("as")], [["a", "b"], ["1", "22"], "30", null]);
});

test("whoever came by a link is told that it is over, and others that the server was started again", () => {
  same([ended("p1"), ended("")], [OVER, ANEW]);
});

test("a stream that says nothing for long is opened again, whatever becomes of the connection", async () => {
  const [real, waits] = [window.setTimeout, []];
  window.setTimeout = (does, wait) => waits.push([does, wait]);
  const told = [];
  listen({ g: 5 }, "p1", () => {}, (says, became) => told.push(became));
  const mine = streams.at(-1);
  mine.tell("message", event({ version: 9 }));
  mine.tell("here", null);
  const [does, wait] = waits.at(-1);
  does();
  window.setTimeout = real;
  const again = new URL(streams.at(-1).url, location.href).searchParams;
  same([wait > 15000, mine.readyState, streams.at(-1) === mine, again.getAll("since"), told], [true, 2, false, ["9"], ["cut"]]);
});
