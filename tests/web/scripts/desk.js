// forms.js and requests.js, on the page that opens a new game.
import { card, choose, follow, namesIn, read, today, valueOf } from "./forms.js";
import { command, isAway, posted } from "./requests.js";

const form = (inner) => {
  const made = document.createElement("form");
  made.innerHTML = inner;
  document.body.append(made);
  return made;
};

test("a field is sent as what it says it is", () => {
  same(valueOf("number", "12"), 12);
  same(valueOf("flag", ""), true);
  same(valueOf("words", " 4Ci3,  4Db6\n8Dj2 "), ["4Ci3", "4Db6", "8Dj2"]);
  same(valueOf("words", " , "), []);
  same(valueOf("numbers", "3, 5 8"), [3, 5, 8]);
  same(valueOf("", " as it is "), " as it is ");
  same([namesIn("Ada, Bela"), namesIn("Ada, Countess; Bela;")], [["Ada", "Bela"], ["Ada, Countess", "Bela"]]);
});

test("a form is read by its names: a dot makes an object, a list takes every one, what is empty is left out", () => {
  const made = form(`<input name="id" value=" evening "><input name="empty" value="  ">
    <input name="ply" data-as="number" value="7"><input name="players" data-as="list" value="Ada">
    <input name="players" data-as="list" value=""><input name="players" data-as="list" value="Bela">
    <input name="tags.Event" value="Club"><input name="tags.Site" value=""><input name="tags.Round" value="2">`);
  made.dataset.plain = "";
  same(read(made), { id: "evening", ply: 7, players: ["Ada", "Bela"], tags: { Event: "Club", Round: "2" } });
});

test("a box that is not checked and a field that is hidden are not sent, and one that is checked is true", () => {
  const made = form(`<input type="checkbox" name="quiet" data-as="flag"><input type="checkbox" name="stands" data-as="flag" checked>
    <div hidden><input name="penalty" value="p1=2"></div><input name="reason" value="late">`);
  made.dataset.plain = "";
  same(read(made), { stands: true, reason: "late" });
});

test("what a field usually is stands for nothing, and the day of a game is today's", () => {
  const made = form('<input name="role" data-usual="scribe" value=""><input name="date" data-today value="">');
  made.dataset.plain = "";
  same(read(made), { role: "scribe", date: today() });
  same(/^\d{4}\.\d\d\.\d\d$/.test(today()), true);
});

test("what a form writes keeps its command until it is answered, and says what it expects", () => {
  const made = form('<input name="text" value="x">');
  made.dataset.expected = "5";
  const first = read(made);
  same(Object.keys(first), ["command", "expected", "text"]);
  same(first.expected, 5);
  same(read(made).command, first.command);
  delete made.dataset.command;
  same(read(made).command === first.command, false);
});

test("a command is 24 hexadecimal digits, and never the same", () => {
  const many = Array.from({ length: 200 }, command);
  same(many.every((one) => /^[0-9a-f]{24}$/.test(one)), true);
  same(new Set(many).size, 200);
});

test("what is posted names the desk, without which a server takes nothing", () => {
  const { method, headers, body } = posted({ words: "4Ci3" });
  same([method, headers["X-Cartulary-Desk"], headers["Content-Type"], body], ["POST", "1", "application/json", '{"words":"4Ci3"}']);
});

test("a log that cannot be reached is told by its status and when to ask again", () => {
  const answer = (status, head = {}) => new Response("", { status, headers: head });
  same(isAway(answer(503, { "Retry-After": "2" })), true);
  same(isAway(answer(503)), false);
  same(isAway(answer(500, { "Retry-After": "2" })), false);
});

test("a choice shows the fields that go with it, and opens what it needs", () => {
  const made = form(`<select name="decision"><option>stands</option><option selected>penalty</option></select>
    <p data-for="penalty void"></p><p data-for="stands"></p><details data-opens="penalty"></details>`);
  choose(made);
  same([...made.querySelectorAll("p")].map((one) => one.hidden), [false, true]);
  same(made.querySelector("details").open, true);
  made.elements.decision.value = "stands";
  choose(made);
  same([...made.querySelectorAll("p")].map((one) => one.hidden), [true, false]);
});

test("a card of a link is text alone, whatever stands in it", () => {
  const made = card({ game: "<b>g</b>", role: "p1", url: "http://x/join#<i>", says: "a & b", link: 3, size: 21, path: "M0 0h1" });
  same([...made.children].map((one) => [one.localName, one.textContent]), [
    ["h2", "<b>g</b>: p1"], ["svg", ""], ["p", "a & b"], ["code", "http://x/join#<i>"], ["small", "link 3"],
  ]);
  same(made.querySelector("svg").getAttribute("viewBox"), "0 0 21 21");
  same(made.querySelector("path").namespaceURI, "http://www.w3.org/2000/svg");
});

test("the page of what was stored is told to the table where it belongs to one", () => {
  const made = form("");
  made.dataset.then = "table";
  let told = null;
  addEventListener("written", (event) => { told = event.detail; }, { once: true });
  follow(made, {});
  same(told === made, true);
});

test("cards that were made stand where cards stand, and may be printed", () => {
  const around = form("<div data-cards></div>");
  const print = document.createElement("button");
  print.dataset.print = "";
  print.hidden = true;
  document.body.append(print);
  around.dataset.then = "cards";
  const link = { game: "g", role: "p1", url: "u", says: "s", link: 1, size: 21, path: "" };
  follow(around, [link, { ...link, link: 2 }]);
  same(around.querySelectorAll("[data-cards] > section").length, 2);
  same(print.hidden, false);
});
