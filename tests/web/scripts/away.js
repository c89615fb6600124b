// away.js, which runs between the pages and the network: here its answers are asked of its own listener.
const kept = new Map();
window.caches = { open: async () => ({ match: async (url) => kept.get(url) }) };
const answered = async (request) => {
  let answer = null;
  const asked = Object.assign(new Event("fetch"), { request, respondWith: (made) => { answer = made; } });
  dispatchEvent(asked);
  return answer && (await (await answer).text());
};
const page = (more = {}) => ({ method: "GET", mode: "navigate", destination: "document", url: "http://desk/table", ...more });
Object.defineProperty(window, "caches", { value: window.caches });

test("what a server answers is shown, though a page is kept", async () => {
  kept.set("http://desk/table", new Response("kept"));
  answers = [[200, "fresh"]];
  same(await answered(page()), "fresh");
  kept.set("http://desk/table", new Response("kept"));
  answers = [[404, "over"]];
  same(await answered(page()), "over");
});

test("where the server or its log is not reached the kept page is shown", async () => {
  for (const status of [502, 503, 504]) {
    kept.set("http://desk/table", new Response("kept"));
    answers = [[status, "away"]];
    same(await answered(page()), "kept");
  }
  kept.set("http://desk/table", new Response("kept"));
  same(await answered(page()), "kept");
});

test("of a page that is not kept the answer or the fault is shown", async () => {
  kept.clear();
  answers = [[503, "away"]];
  same(await answered(page()), "away");
  let fault = "";
  await answered(page()).catch((told) => { fault = told.message; });
  same(fault, "not reached");
});

test("what is neither a page nor a part of one is left to the browser", async () => {
  same(await answered(page({ method: "POST" })), null);
  same(await answered(page({ mode: "cors", destination: "" })), null);
  for (const destination of ["script", "style", "image"]) {
    answers = [[200, destination]];
    same(await answered(page({ mode: "no-cors", destination })), destination);
  }
});
