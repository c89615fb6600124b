// pad.js, on the pad of a game of tarot for four.
import { body, changed, fill, press, shownNumber, verdictOf } from "./pad.js";

test("a key writes a digit, takes one back, adds a half, or turns the sign", () => {
  same(["4", "1", "back", "5"].reduce(changed, ""), "45");
  same([changed("0", "7"), changed("41", "half"), changed("", "half"), changed("41.5", "half")], ["7", "41.5", "0.5", "41"]);
  same([changed("41.5", "back"), changed("41.5", "3"), changed("", "back")], ["41", "41.5", ""]);
  same([changed("12", "sign"), changed("-12", "sign"), changed("1234567", "8")], ["-12", "12", "1234567"]);
});

test("a number is shown with a minus sign and a half as players write it", () => {
  same(["-3", "41.5", "", undefined, "0"].map(shownNumber), ["−3", "41½", "–", "–", "0"]);
});

test("of a refused round the first breach is said, of any other the verdict", () => {
  const breach = { severity: "error", key: "tarot.x", because: "the points are 92", rule: "There are 91." };
  same(verdictOf({ verdict: "refused", says: "refused", findings: [breach] }).slice(0, 2), ["The points are 92.", "error"]);
  same(verdictOf({ verdict: "legal", says: "Ada wins 50", findings: [] }), ["Ada wins 50", "legal"]);
});

test("the answers of a round are sent as they were filled in, without those of fields that are not there", () => {
  const names = [...document.querySelectorAll("[data-field]")].map((one) => one.dataset.field);
  const [number] = [...document.querySelectorAll('[data-field][data-kind="number"]')].map((one) => one.dataset.field);
  fill({ [number]: "41", nothing: "x" });
  same([names.includes(number), body()], [true, { [number]: "41" }]);
  press("half");
  same(body(), { [number]: "41.5" });
  fill({});
  same(body(), {});
});
