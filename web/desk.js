"use strict";
// Arrow keys, Home and End go where the links of the page go.
const WAYS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };
addEventListener("keydown", (event) => {
  const way = WAYS[event.key];
  const busy = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
  if (!way || busy || event.target.closest("input,select,textarea,pre")) return;
  const link = document.querySelector(`a[data-way="${way}"][href]`);
  if (!link) return;
  event.preventDefault();
  location.replace(link.href);
});
const current = document.querySelector(".moves a[aria-current]");
if (current) {
  const list = current.closest(".moves");
  list.scrollTop += current.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 2;
}
// A form with data-deed is sent as JSON, names with dots as objects; data-then says what follows what was stored.
const command = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (one) => one.toString(16).padStart(2, "0")).join("");
const posted = (body) => ({
  method: "POST",
  headers: { "Content-Type": "application/json", "X-Cartulary-Desk": "1" },
  body: JSON.stringify(body),
});
const OVER = "This link no longer opens anything. Ask whoever runs the evening for another card.";
const AWAY = "The desk cannot reach its log right now";
const FULL = "The disk of the desk is full; tell whoever runs the evening";
const isAway = (answer) => answer?.status === 503 && answer.headers.has("Retry-After");
const send = (path, body) => fetch(path, posted(body));
const VALUES = {
  number: Number,
  flag: () => true,
  names: (text) => text.split(text.includes(";") ? ";" : ",").map((name) => name.trim()).filter(Boolean),
  words: (text) => text.split(/[\s,]+/).filter(Boolean),
  numbers: (text) => text.split(/[\s,]+/).filter(Boolean).map(Number),
};
// The day where this browser is: that of a game played here.
const today = () => {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join(".");
};
for (const field of document.querySelectorAll("[data-today]")) field.placeholder = today();
const usualOf = (field) => (field.defaultValue ?? [...field.options].find((each) => each.defaultSelected)?.value ?? "").trim();
// Fields of one name, such as the points of all seats, are sent together.
const hasChanged = (form, name) => [...form.elements].some((field) => field.name === name && field.value.trim() !== usualOf(field));
const read = (form) => {
  const body = form.hasAttribute("data-plain") ? {} : { command: form.dataset.command ||= command() };
  if (form.dataset.expected) body.expected = Number(form.dataset.expected);
  for (const field of form.elements) {
    if (!field.name || (["checkbox", "radio"].includes(field.type) && !field.checked) || field.closest("[hidden]")) continue;
    if (field.hasAttribute("data-changed") && !hasChanged(form, field.name)) continue;
    if (field.dataset.with && !field.dataset.with.split(" ").some((name) => hasChanged(form, name))) continue;
    const kind = field.dataset.as;
    const usual = field.hasAttribute("data-today") ? today() : field.dataset.usual;
    const text = field.value.trim() || usual || "";
    if (!text && kind !== "flag" && !field.hasAttribute("data-changed")) continue;
    const value = (VALUES[kind] || String)(text);
    const [name, inner] = field.name.split(/\.(.*)/);
    if (inner && kind === "line" && body[name]?.[inner]) body[name][inner] += `:${value}`;
    else if (inner && kind === "sheet") {
      const [before, text] = [field.dataset.before, body[name]?.[inner]];
      const isSame = text?.split("; ").at(-1).startsWith(before);
      (body[name] ||= {})[inner] = isSame ? `${text}:${value}` : [text, before + value].filter(Boolean).join("; ");
    } else if (inner) (body[name] ||= {})[inner] = value;
    else if (kind === "list") (body[name] ||= []).push((field.dataset.before || "") + value);
    else body[name] = value;
  }
  if (form.newNames) body.new_names = form.newNames;
  return body;
};
// A new name that is nearly a known one is asked about: sent again it is new, or a tap writes the known one for it.
const askNames = (form, says, similar) => {
  form.newNames = [...new Set([...(form.newNames || []), ...Object.keys(similar)])];
  const choices = element("span");
  choices.className = "choices";
  says.append(choices);
  for (const [name, known] of Object.entries(similar)) {
    const button = element("button", `Write ${known}`);
    button.type = "button";
    button.addEventListener("click", () => {
      for (const field of form.querySelectorAll("input")) {
        const names = field.dataset.as === "names" ? VALUES.names(field.value) : [field.value.trim()];
        if (!names.includes(name)) continue;
        field.value = names.map((each) => (each === name ? known : each)).join("; ");
        field.dispatchEvent(new Event("input", { bubbles: true }));
      }
      button.remove();
    });
    choices.append(button);
  }
};
const element = (name, text = "", space = "http://www.w3.org/1999/xhtml") => {
  const made = document.createElementNS(space, name);
  made.textContent = text;
  return made;
};
const card = (link) => {
  const made = element("section");
  const svg = element("svg", "", "http://www.w3.org/2000/svg");
  svg.setAttribute("viewBox", `0 0 ${link.size} ${link.size}`);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `Code for the ${link.role} link`);
  const path = element("path", "", "http://www.w3.org/2000/svg");
  path.setAttribute("d", link.path);
  svg.append(path);
  made.append(element("h2", `${link.game}: ${link.role}`), svg, element("p", link.says), element("code", link.url), element("small", `link ${link.link}`));
  return made;
};
document.querySelector("[data-print]")?.addEventListener("click", () => print());
// A choice shows the fields that go with it; those of another are not sent.
const choose = (form) => {
  const chosen = form.elements.decision.value;
  for (const field of form.querySelectorAll("[data-for]")) field.hidden = !field.dataset.for.split(" ").includes(chosen);
  for (const more of form.querySelectorAll("[data-opens]")) more.open ||= more.dataset.opens.split(" ").includes(chosen);
};
const follow = (form, answer) => {
  const then = form.querySelector("[data-leads]:checked")?.dataset.leads || form.dataset.then;
  if (then === "again") return location.reload();
  if (then === "table") return dispatchEvent(new CustomEvent("written", { detail: form }));
  if (then === "cards") {
    document.querySelector("[data-cards]").replaceChildren(...answer.map(card));
    document.querySelector("[data-print]").hidden = false;
    return;
  }
  location.assign(then.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(answer[name])));
};
// A button with a name puts it at the end of the field of names, or takes it out.
for (const button of document.querySelectorAll("[data-puts]")) {
  const field = button.form.elements[button.dataset.puts];
  const names = () => VALUES.names(field.value);
  const look = () => button.setAttribute("aria-pressed", names().includes(button.value));
  button.addEventListener("click", () => {
    const others = names().filter((name) => name !== button.value);
    field.value = (others.length < names().length ? others : [...others, button.value]).join("; ");
    field.dispatchEvent(new Event("input"));
  });
  field.addEventListener("input", look);
  look();
}
// Of a game whose variants are different games, the form asks which: the question stands in a template of that game.
for (const place of document.querySelectorAll("[data-variants]")) {
  const field = place.closest("form").elements[place.dataset.variants];
  const look = () => {
    const name = field.value.trim().toLowerCase();
    const asked = [...place.querySelectorAll("template")].find((each) => each.dataset.names.split("|").includes(name));
    if (place.shown === asked) return;
    place.shown = asked;
    place.querySelector("fieldset")?.remove();
    if (asked) place.append(asked.content.cloneNode(true));
  };
  field.addEventListener("input", look);
  look();
}
// An address such as /games/g#edit opens the form that it names.
const opensAt = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
if (opensAt?.localName === "details") opensAt.open = true;
for (const field of document.querySelectorAll("[data-whole]")) field.addEventListener("focus", () => field.select());
// A field for a name offers the people of the archive, who are asked for when it is first entered.
for (const field of document.querySelectorAll("[data-people]")) field.addEventListener("focus", async () => {
  const list = document.getElementById(field.getAttribute("list"));
  if (list.hasChildNodes()) return;
  const answer = await fetch("/people.json").catch(() => null);
  const { people } = answer?.ok ? await answer.json() : { people: [] };
  list.replaceChildren(...people.map(({ name }) => Object.assign(element("option"), { value: name })));
}, { once: true });
// A form that asks for another page does so as soon as another choice is made.
for (const form of document.querySelectorAll("form[data-at-once]")) {
  form.querySelector("button").hidden = true;
  form.addEventListener("change", () => form.submit());
  // Whoever comes back finds the choice that this page is of, not the one that led away from it.
  addEventListener("pageshow", () => form.reset());
}
for (const form of document.querySelectorAll("form[data-deed]")) {
  if (form.elements.decision) {
    form.elements.decision.addEventListener("change", () => choose(form));
    choose(form);
  }
  for (const field of form.querySelectorAll("[data-origin]")) {
    const own = form.querySelector("[data-own]");
    const look = () => (own.hidden = !/^https?:\/\/(localhost|127\.[\d.]+|\[::1\])(:|\/|$)/.test(field.value));
    field.value = location.origin;
    field.addEventListener("input", look);
    look();
  }
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const says = form.querySelector(".says");
    const would = form.querySelector("[data-would]");
    const dry = event.submitter?.hasAttribute("data-dry");
    const button = event.submitter || form.querySelector("button[type=submit]");
    says.textContent = "";
    would?.replaceChildren();
    button.disabled = true;
    try {
      const answer = await send(form.dataset.deed, dry ? { ...read(form), dry } : read(form));
      const told = answer.status === 404 ? { error: OVER } : await answer.json();
      if (answer.status === 409) {
        if (!told.similar) form.querySelector("[data-once]")?.remove();
        delete form.dataset.command; // it has had its answer; what is sent now is asked anew
      }
      if (!answer.ok) {
        says.textContent = told.error || "It was not stored.";
        if (told.similar) askNames(form, says, told.similar);
      } else if (dry) would.replaceChildren(element("li", "Nothing was stored. This is what would change:"), ...told.says.map((line) => element("li", line)));
      else {
        delete form.dataset.command;
        follow(form, told);
      }
    } catch {
      says.textContent = "The desk cannot be reached. Nothing is lost; send it again.";
    }
    button.disabled = false;
  });
}
