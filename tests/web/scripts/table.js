// queue.js, touch.js and table.js, on the page of a table with three plies. The server is not reached unless a test says so.
import { part } from "./elements.js";
import { OLD, became, begin, change, drop, enqueue, keep, progress, queue, seen, sendFirst, state, table, taken, work } from "./queue.js";
import { partHeaders, readParts, withParts } from "./parts.js";
import { AWAY, FULL } from "./requests.js";
import { SHOWN, clean, end, judge, line, named, news, offer, page, parted, refresh, surface, take, tell, typed, write } from "./table.js";
import { idle, nextTouches, reachable, tapped } from "./touch.js";

const calm = () => { // as a page that was just opened
  keep([]);
  Object.assign(progress, { working: true, behind: false, reached: true, stored: 0, tries: 0, over: false, changing: "" });
  progress.last = { expected: 0, ply: 0 };
  typed().value = "";
  [answers, asked.length] = [[], 0];
};
const words = () => queue().map((one) => one.words);
const settled = async (happens) => {
  for (let left = 200; !happens(); left--) {
    if (!left) throw new Error("it never was so");
    await new Promise((done) => setTimeout(done, 5));
  }
};

test("what is written waits in order, and only the first has a version to expect", () => {
  calm();
  enqueue("8Ca7", false);
  enqueue("8Dh3", false);
  same(words(), ["8Ca7", "8Dh3"]);
  const version = Number(state().dataset.version);
  same(queue().map((one) => one.expected), [version, null]);
  same(queue()[0].ply, 3);
});

test("what is changed stands where it stood, and a missed move goes before all", () => {
  calm();
  for (const word of ["a", "b", "c"]) enqueue(word, false);
  enqueue("B", true, queue()[1].command);
  same(words(), ["a", "B", "c"]);
  same(queue()[1].stands, true);
  enqueue("~", false, "first");
  same(words(), ["~", "a", "B", "c"]);
  same(queue()[0].expected === null, false);
});

test("one that is dropped hands what is expected on to the next", () => {
  calm();
  for (const word of ["a", "b"]) enqueue(word, false);
  drop(queue()[0].command);
  same(words(), ["b"]);
  same(queue()[0].expected, Number(state().dataset.version));
});

test("the queue is kept by the browser, and by the page alone where the browser keeps nothing", () => {
  calm();
  enqueue("a", false);
  same(JSON.parse(localStorage.getItem(table.dataset.table)).map((one) => one.words), ["a"]);
  keep([]);
  same(localStorage.getItem(table.dataset.table), null);
  localStorage.setItem(table.dataset.table, "no JSON");
  progress.memory = [{ words: "b" }];
  same(words(), ["b"]);
  localStorage.removeItem(table.dataset.table);
  progress.keeps = false;
  progress.memory = [{ words: "c" }];
  same(words(), ["c"]);
  progress.keeps = true;
});

test("a version the server told is newer than the page shows, until the page shows it", () => {
  calm();
  const shown = Number(state().dataset.version);
  same(seen(), { expected: shown, ply: 3 });
  progress.last = { expected: shown + 2, ply: 5 };
  same(seen(), { expected: shown + 2, ply: 5 });
  progress.last = { expected: shown - 1, ply: 2 };
  same(seen().expected, shown);
});

test("a word that is stored leaves the queue and the next expects its version", async () => {
  calm();
  for (const word of ["a", "b"]) enqueue(word, false);
  answers = [[200, [{ version: 9, ply: 4 }]]];
  await sendFirst(queue()[0]);
  same(words(), ["b"]);
  same([queue()[0].expected, queue()[0].ply, progress.stored], [9, 4, 1]);
  same(asked[0][0], table.dataset.table);
  same(Object.keys(asked[0][1]), ["command", "words", "stands", "expected"]);
});

test("a word that is refused stays with what the rules say, and one that was late says who wrote first", async () => {
  calm();
  enqueue("a", false);
  answers = [[422, { error: "refused, cardmate.reach" }]];
  await sendFirst(queue()[0]);
  same([queue()[0].state, queue()[0].says], ["refused", "refused, cardmate.reach"]);
  same(became(queue()[0]), "refused, cardmate.reach");
  change(queue()[0].command, { state: "waiting", ply: 1 });
  answers = [[409, { error: "conflict", actual: 9 }]];
  await sendFirst(queue()[0]);
  same(queue()[0].state, "lost");
  same(became(queue()[0]), "Someone else wrote first: 4Db6 8Dj2; yours, a, was not written. Look at the game, then write it again.");
});

test("a server that is busy or away leaves the word waiting, and says what is so", async () => {
  calm();
  for (const [status, head, says] of [[503, { "Retry-After": "2" }, AWAY], [502, {}, "The desk cannot be reached"], [507, {}, FULL]]) {
    calm();
    enqueue("a", false);
    answers = [[status, "", head]];
    progress.working = false;
    await work();
    clearTimeout(progress.again);
    same([words(), queue()[0].state, progress.reached, progress.apart], [["a"], "waiting", false, says]);
    same(part("count").textContent.startsWith(`1 waiting. ${says}; what you write here is kept`), true);
  }
});

test("it is tried again ever more seldom", async () => {
  const [real, waits] = [window.setTimeout, []];
  window.setTimeout = (does, wait) => (does === work ? waits.push(wait) : real(does, wait));
  calm();
  enqueue("a", false);
  for (let times = 0; times < 8; times++) {
    progress.working = false;
    await work();
  }
  window.setTimeout = real;
  same(waits, [500, 1000, 2000, 4000, 8000, 15000, 15000, 15000]);
});

test("what was left long ago is not sent unasked", () => {
  calm();
  enqueue("old", false);
  enqueue("new", false);
  keep(queue().map((one) => (one.words === "old" ? { ...one, since: Date.now() - OLD - 1 } : one)));
  begin(page);
  same(queue().map((one) => one.state), ["refused", "waiting"]);
});

test("spaces of a word are one, and none around it", () => same(clean("  4Ci3 \n  4Db6 "), "4Ci3 4Db6"));

test("moves are parted by how they begin, into so few that all can be shown", () => {
  const many = ["4C", "4D", "8C"].flatMap((card) => "abcdefgh".split("").flatMap((row) => [1, 2, 3].map((at) => `${card}${row}${at}`)));
  const parts = parted(many);
  same([...parts.values()].flat().sort(), [...many].sort());
  same([...parts.values()].every((group) => group.length <= SHOWN), true);
  same([...parts].every(([begins, group]) => group.every((word) => word.startsWith(begins))), true);
  same([...parted(["a1", "b1"]).keys()], ["a", "b"]);
  same([...parted(["x", "y"])], [["x", ["x"]], ["y", ["y"]]]);
});

const offered = (word, path) => ({ word, says: "", path });
const board = { quiet: false, offers: [offered("Nf3", ["g1", "f3"]), offered("Nh3", ["g1", "h3"]), offered("e8=Q", ["e7", "e8", "=Q"]), offered("e8=R", ["e7", "e8", "=R"]),
  offered("1x10x19", ["1", "10", "19"]), offered("1x8x15", ["1", "8", "15"]), offered("2x9x18x27", ["2", "9", "18", "27"]), offered("2x11x18x27", ["2", "11", "18", "27"])],
targets: { things: [{ word: "Ng1", item: "g1", keys: [] }, { word: "e7", item: "e7", keys: ["=Q", "=R"] }], places: ["g1", "f3", "e5", "e8"].map((item) => ({ word: item, item, keys: [] })) } };

test("two touches are a move, and what may follow the first is known", () => {
  same(tapped(board, [], "g1"), { touched: ["g1"] });
  same(nextTouches(reachable(board.offers, ["g1"]), ["g1"]), ["f3", "h3"]);
  same(tapped(board, ["g1"], "f3"), { word: "Nf3" });
  same(tapped(board, ["g1"], "g1"), { touched: [] });
  same(tapped(board, [], "e5"), { touched: [] });
});

test("a pawn that comes to the last rank asks what it becomes, and an illegal move is asked about", () => {
  same(tapped(board, ["e7"], "e8"), { keys: [["=Q", "e8=Q"], ["=R", "e8=R"]], touched: ["e7", "e8"] });
  same(tapped(board, ["g1"], "e5"), { asks: "Ng1e5" });
  same(tapped({ ...board, offers: [], quiet: true }, ["g1"], "e5"), { word: "Ng1e5" });
  same(tapped({ ...board, offers: [], quiet: true }, ["e7"], "e5").keys, [["=Q", "e7e5=Q"], ["=R", "e7e5=R"]]);
});

test("the last square of a chain of captures is enough if only one chain ends there", () => {
  same(tapped(board, ["1"], "19"), { word: "1x10x19" });
  same(tapped(board, ["1"], "10"), { touched: ["1", "10"] });
  same(tapped(board, ["2"], "27").keys.map(([text]) => text), ["2x9x18x27", "2x11x18x27"]);
  same(tapped(board, ["2", "11"], "27"), { word: "2x11x18x27" });
});

test("a tap that begins nothing says why", () => {
  const [man, square] = [{ label: "black pawn on e5", men: [1] }, { label: "c6, empty", men: [] }];
  same(idle(man, [], { touched: [] }, "Ada to move"), "black pawn on e5 cannot be taken up: Ada to move");
  same(idle(square, [], { touched: [] }, "Ada to move"), "c6, empty: first tap what moves");
  same([idle(man, [], { touched: ["e5"] }, ""), idle(man, ["g1"], { touched: [] }, ""), idle(man, [], { word: "e5" }, "")], ["", "", ""]);
});

test("a king put on a man of his own where he would castle is asked about, and the man is touched", () => {
  const king = { ...board, targets: { ...board.targets, things: [...board.targets.things, { word: "Ke1", item: "e1", aims: ["g1"] }] } };
  same(tapped(king, ["e1"], "g1"), { asks: "Ke1g1", touched: ["g1"] });
  same(tapped({ ...king, quiet: true }, ["e1"], "g1"), { touched: ["g1"] });
});

test("the last ply is taken back by one tap, but not over what waits", async () => {
  calm();
  const undo = document.querySelector("[data-once]");
  same(undo.textContent, `Undo ${JSON.parse(state().dataset.moves).at(-1)}`);
  enqueue("a", false);
  undo.click();
  same([asked.length, part("done").textContent], [0, "Something is not written yet; see below."]);
  calm();
  answers = [[400, { error: "no" }]];
  undo.click();
  await settled(() => part("done").textContent === "no");
  const [path, { plies, expected }] = asked[0];
  same([path, plies, expected], [undo.dataset.once, 1, Number(state().dataset.version)]);
});

test("every move of the position is a tap on the drawing away from another", () => {
  calm();
  const { offers } = surface();
  offer();
  const drawn = new Set([...document.querySelectorAll(".touch [data-item]")].map((one) => one.dataset.item));
  same(offers.length > 20 && offers.every(({ path }) => path.every((item) => drawn.has(item))), true);
  same(part("calls").children.length, 0);
  same(document.querySelectorAll('.touch [tabindex="0"]').length, 1);
});

test("beside the number of a ply stands which it is", () => {
  const [field, which] = [document.createElement("input"), document.createElement("small")];
  which.dataset.which = "";
  document.createElement("label").append(field, which);
  const says = (value) => {
    field.value = value;
    named(field);
    return which.textContent;
  };
  same(["2", "0", "99", " "].map(says), ["ply 2: 4Db6", "the whole game", "there is no such ply", ""]);
});

test("what is typed is judged by the last trial alone", async () => {
  calm();
  typed().value = "  8Ca7 ";
  answers = [[200, { says: "first", kind: "error", stands: true }], [200, { says: "legal", kind: "legal", stands: false }]];
  await Promise.all([judge(), judge()]);
  same([part("says").textContent, part("says").dataset.kind, part("stands").hidden], ["legal", "legal", true]);
  same(asked.map(([path, body]) => [path, body.words]), [[table.dataset.trial, "8Ca7"], [table.dataset.trial, "8Ca7"]]);
  await judge();
  same(part("says").textContent, "The desk cannot be reached; what you type is not judged.");
});

test("a refused word stands in the line again, and is sent in its own place", () => {
  calm();
  for (const word of ["a", "b"]) enqueue(word, false);
  change(queue()[0].command, { state: "refused", says: "no" });
  take(queue()[0]);
  same([typed().value, part("says").textContent, taken(queue()[0])], ["a", "no", true]);
  typed().value = "A";
  write("A");
  same(words(), ["A", "b"]);
  same(typed().value, "");
});

test("only what is new is told, and of much the last three", () => {
  calm();
  const lines = () => [...part("done").children].map((one) => one.textContent);
  news.last = 10;
  state().dataset.news = JSON.stringify([[9, "old", ""], [11, "one", "legal"], [12, "two", ""], [13, "three", ""], [14, "four", "error"]]);
  tell();
  same(lines(), ["two", "three", "four"]);
  same([...part("done").children].map((one) => one.dataset.kind), ["", "", "error"]);
  state().dataset.news = "[]";
  tell();
  same([lines().length, news.last], [3, 14]);
});

test("the last plies can be tapped, the newest first, into the field of a dispute", () => {
  const around = document.querySelector("[data-last-plies]");
  same([...around.children].map((one) => one.textContent), ["3 8Dj2", "2 4Db6", "1 4Ci3"]);
  around.children[1].click();
  same(around.closest("form").querySelector("[data-ply]").value, "2");
});

const answerOf = (version, mark) => JSON.stringify({ parts: { state: [mark, `<div data-live="state" data-version="${version}">${version}</div>`] } });

test("a page asks for the parts that are others than those that came last", () => {
  same(partHeaders(), { "X-Cartulary-Parts": "-" });
  same([...readParts(answerOf(6, "aa"))].map(([name, one]) => [name, one.dataset.version]), [["state", "6"]]);
  same(partHeaders(), { "X-Cartulary-Parts": "state=aa" });
  readParts(answerOf(7, "bb"));
  same(partHeaders(), { "X-Cartulary-Parts": "state=bb" });
  same([...readParts('{"parts":{}}')], []);
  same(partHeaders(), { "X-Cartulary-Parts": "state=bb" });
});

test("a kept page gets its parts as they came last, and nothing else of it changes", () => {
  const page = '<p>x</p><!--part state--><div data-live="state"></div><!--/part--><!--part stated--><b>y</b><!--/part-->';
  readParts(answerOf(8, "cc"));
  same(withParts(page), '<p>x</p><!--part state--><div data-live="state" data-version="8">8</div><!--/part--><!--part stated--><b>y</b><!--/part-->');
  same(withParts("<p>no parts</p>"), "<p>no parts</p>");
});

test("an answer that is no table is not taken for one", async () => {
  calm();
  answers = [[200, "<p>log in to the network</p>"]];
  let fault = "";
  await refresh().catch((told) => { fault = told.message; });
  same(fault, "This answer is not from the desk.");
  same(state().dataset.plies, "3");
});

test("an event of the stream lets the page ask how it stands, but not one it has seen", async () => {
  calm();
  progress.working = false;
  const version = Number(state().dataset.version);
  streams.at(-1).tell("message", { game: "g", version });
  same(asked, []);
  streams.at(-1).tell("message", { game: "g", version: version + 1 });
  await settled(() => asked.length === 1);
  clearTimeout(progress.again);
});

test("a table that is over can be written to no more, and keeps what was not written", () => {
  calm();
  enqueue("a", false);
  end("It is over.");
  same([progress.over, line.hidden, part("tapping").hidden, words()], [true, true, true, ["a"]]);
  same(part("done").textContent, "It is over.");
  keep([]);
});
