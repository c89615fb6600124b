// What all pages do.
import { element } from "./elements.js";
import { VALUES, askNames, choose, follow, read, today } from "./forms.js";
import { OVER, send } from "./requests.js";

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
for (const field of document.querySelectorAll("[data-today]")) field.placeholder = today();
document.querySelector("[data-print]")?.addEventListener("click", () => print());
// A button with a name puts it at the end of the field of names, or takes it out; with data-alone it stands there alone.
for (const button of document.querySelectorAll("[data-puts]")) {
  const field = button.form.elements[button.dataset.puts];
  const names = () => VALUES.names(field.value);
  const look = () => button.setAttribute("aria-pressed", names().includes(button.value));
  button.addEventListener("click", () => {
    const others = names().filter((name) => name !== button.value);
    const kept = "alone" in button.dataset ? [] : others;
    field.value = (others.length < names().length ? kept : [...kept, button.value]).join("; ");
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
