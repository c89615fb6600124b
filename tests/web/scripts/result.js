// result.js, on the page that enters a result.
import { addUp, blame, dress, finished, plainNumber, results, rows, sheetLines } from "./result.js";
const fill = (...players) => rows().forEach((row, at) => {
  row.querySelector("[data-name]").value = players[at]?.[0] ?? "";
  row.querySelector("[data-number]").value = players[at]?.[1] ?? "";
});
const end = (how) => {
  results.elements.ends.value = how;
  dress();
};

test("a half is sent as a number, and any other text as it stands", () => {
  same(["½", "-½", "0½", "3½", "-12½", " 7 ", "x"].map(plainNumber), ["1/2", "-1/2", "1/2", "3.5", "-12.5", "7", "x"]);
});

test("a row is sent as a name with its number, and one in which nothing stands is left out", () => {
  end("points");
  results.elements.game.value = "Skat";
  fill(["", ""], ["Bela", "3½"]);
  same(finished().players, ["Bela=3.5"]);
  fill(["Ada ", "12"], ["Bela", "3½"]);
  const sent = finished();
  same([sent.game, sent.players, sent.ask], ["Skat", ["Ada=12", "Bela=3.5"], true]);
  same(finished().command, sent.command);
});

test("players who win or lose together are sent without numbers, and places as such", () => {
  fill(["Ada", "1"], ["Bela", "2"]);
  end("table");
  same([finished().players, finished().table, rows()[0].querySelector("[data-number]").closest("label").hidden], [["Ada", "Bela"], "won", true]);
  end("places");
  same([finished().places, finished().table], [true, undefined]);
  end("points");
});

test("the lines of a score sheet are added up, and sent by their names", () => {
  const option = document.createElement("option");
  option.value = "Sheets";
  option.dataset.sheet = "Towns|Roads";
  results.querySelector("#titles").append(option);
  results.elements.game.value = " sheets ";
  dress();
  same(sheetLines(), ["Towns", "Roads"]);
  fill(["Ada", ""], ["Bela", ""]);
  const [first, second] = rows();
  const write = (row, ...texts) => {
    row.querySelectorAll("[data-line]").forEach((line, at) => { line.value = texts[at]; });
    addUp(row);
    return row.querySelector("[data-number]").value;
  };
  same([write(first, "10", "2,5"), write(second, "−3", "")], ["12.5", "-3"]);
  same([finished().players, finished().categories], [["Ada", "Bela"], { Towns: "10:-3", Roads: "2.5:0" }]);
  same([write(first, "", ""), write(second, "x", "1")], ["", ""]);
  results.elements.game.value = "Skat";
  dress();
});

test("what is wrong is said beside the field it is about", () => {
  fill(["Ada", "1"], ["Bela", "2"]);
  blame("This is no number.", "p2");
  same([rows()[1].querySelector(".says").textContent, document.activeElement === rows()[1].querySelector("[data-number]")], ["This is no number.", true]);
  blame("Ada is named twice.", "p1");
  same(document.activeElement === rows()[0].querySelector("[data-name]"), true);
  blame("This is no date.", "date");
  same(results.elements.date.closest("details").open, true);
});
