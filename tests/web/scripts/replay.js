// replay.js, on the page of a game with a variation in a variation.
const [game] = games;
const now = () => game.root.querySelector(".now").textContent;
const name = () => location.hash.slice(1);
const at = (hash) => {
  game.go(game.frames.findIndex((each) => each.name === hash));
  return game;
};
const slider = game.root.querySelector("input[type=range]");
const shown = () => [game.root.querySelector("pre").textContent,
  ...[...game.root.querySelectorAll("svg > g")].filter((each) => !each.hasAttribute("display")).map((each) => each.getAttribute("transform"))];

test("the main line leads from the start to its end, and a line ends where it ends", () => {
  const names = [];
  for (let number = 0; number >= 0; number = game.frames[number].next) names.push(game.frames[number].name);
  same(names, Array.from({ length: 15 }, (_, ply) => String(ply)));
  at("14");
  game.doing.on();
  same(name(), "14");
});

test("steps stop at both ends", () => {
  at("0").doing.back();
  same(name(), "0");
  game.doing.last();
  same(name(), "14");
  game.doing.first();
  same(name(), "0");
});

test("a variation is entered where it branches off and left to where it was entered", () => {
  const inner = game.frames.filter((each) => each.line).map((each) => each.name);
  same(inner.length > 0, true);
  for (const each of inner) {
    at(each).doing.leave();
    same(name(), each.split("-").slice(0, -2).join("-"));
  }
  at("8").doing.enter();
  same(name(), "8-1-1");
  game.doing.leave();
  same(name(), "8");
  same(game.root.querySelector("button[data-do=leave]").hidden, true);
});

test("the slider goes along the line that is shown", () => {
  at("5");
  same([slider.max, slider.value], ["14", "5"]);
  at("8-1-1");
  const main = Number(slider.value);
  game.doing.first();
  at("8-1-1");
  same([Number(slider.value), Number(slider.max) >= main], [main, true]);
});

test("a position is the same whichever way one came", () => {
  const forth = game.frames.map((each, number) => {
    game.go(number);
    return shown();
  });
  const back = game.frames.map((each, number) => number).reverse();
  for (const number of back) {
    game.go(number);
    same(shown(), forth[number]);
  }
  same(new Set(forth.map(String)).size > 10, true);
});

test("what moves stands in one place, and what is taken in none", () => {
  const things = (hash) => {
    at(hash);
    return shown().length;
  };
  const whole = things("0");
  same(["1", "12", "13", "14", "8-1-2", "8-1-3"].map(things), [whole, whole, whole - 1, whole - 1, whole - 1, whole - 2]);
});

test("a place that is none is not gone to", () => {
  at("3");
  const before = now();
  game.go(-1);
  game.go(9999);
  game.go(undefined);
  same([now(), name()], [before, "3"]);
});

test("an address leads to its ply, one beyond the end to the end, and one that is no number to the start", () => {
  const led = (hash) => {
    history.replaceState(null, "", hash);
    follow();
    return name();
  };
  same(["#7", "#8-1-1", "#1.5", "#9999", "#x", "#"].map(led), ["7", "8-1-1", "5", "14", "0", "0"]);
});

test("buttons that lead nowhere cannot be pressed", () => {
  const off = () => [...game.root.querySelectorAll("button:disabled")].map((each) => each.dataset.do).sort();
  at("0");
  same(off(), ["back", "first"]);
  at("14");
  same(off(), ["last", "on", "play"]);
  at("7");
  same(off(), []);
});

test("what the rules say is shown of the ply that is shown", () => {
  for (const [number] of game.frames.entries()) {
    game.go(number);
    const said = [...game.root.querySelectorAll(".said")].filter((each) => !each.hidden);
    same(said.every((each) => Number(each.dataset.frame) === number), true);
  }
});
