// What all pages do.
import { all, data, element, fieldNamed, find, need, part, targetOf } from "./elements.js";
import { askNames, choose, follow, namesIn, read, today } from "./forms.js";
import { OVER, send } from "./requests.js";
/** @typedef {import("./elements.js").Field} Field */

const forms = /** @param {string} selector */ (selector) => /** @type {HTMLFormElement[]} */ (all(`form[${selector}]`));
const fields = /** @param {string} selector */ (selector) => /** @type {HTMLInputElement[]} */ (all(`[${selector}]`));

// A page that is not open to this browser leads back to its own table, which is remembered here.
const home = find("[data-home]");
try {
  if (home) localStorage.setItem("cartulary-home", data(home, "home"));
} catch {} // a browser may keep nothing
for (const one of all("nav.desk a:not(.name),.pages-of-all a")) {
  if (/** @type {HTMLAnchorElement} */ (one).pathname === location.pathname && !one.matches(".menu")) one.setAttribute("aria-current", "page");
}
// Arrow keys, Home and End go where the links of the page go.
/** @type {Record<string, string>} */
const WAYS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };
addEventListener("keydown", (event) => {
  const way = WAYS[event.key];
  const busy = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
  if (!way || busy || targetOf(event).closest("input,select,textarea,pre")) return;
  const link = find(`a[data-way="${way}"][href]`);
  if (!link) return;
  event.preventDefault();
  location.replace(/** @type {HTMLAnchorElement} */ (link).href);
});
const current = find(".moves a[aria-current]");
const list = current?.closest(".moves");
if (current && list) {
  list.scrollTop += current.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 2;
}
// A day is that of today until another is chosen; one that is still to come is remarked on.
const isoToday = () => today().replaceAll(".", "-");
for (const field of fields("data-today")) {
  if (field.type === "date") field.value = isoToday();
  else field.placeholder = today();
}
for (const field of fields('type="date"')) {
  const remark = element("small");
  remark.className = "remark";
  field.addEventListener("input", () => {
    remark.textContent = field.value > isoToday() ? "This day is still to come." : "";
    field.after(remark);
  });
}
find("[data-print]")?.addEventListener("click", () => print());
// A button with a name puts it at the end of the field of names, or takes it out; with data-alone it stands there alone.
for (const one of all("[data-puts]")) {
  const button = /** @type {HTMLButtonElement} */ (one);
  const field = fieldNamed(/** @type {HTMLFormElement} */ (button.form), data(button, "puts"));
  const look = () => button.setAttribute("aria-pressed", String(namesIn(field.value).includes(button.value)));
  button.addEventListener("click", () => {
    const names = namesIn(field.value);
    const others = names.filter((name) => name !== button.value);
    const kept = "alone" in button.dataset ? [] : others;
    field.value = (others.length < names.length ? kept : [...kept, button.value]).join("; ");
    field.dispatchEvent(new Event("input"));
  });
  field.addEventListener("input", look);
  look();
}
// A button with data-writes writes its value into the field of that name.
for (const one of all("[data-writes]")) {
  const button = /** @type {HTMLButtonElement} */ (one);
  button.addEventListener("click", () => {
    fieldNamed(/** @type {HTMLFormElement} */ (button.form), data(one, "writes")).value = button.value;
  });
}
// A button with data-numbers writes them into the fields of that name before its form is sent.
for (const one of all("[data-numbers]")) {
  const form = /** @type {HTMLFormElement} */ (one.closest("form"));
  one.addEventListener("click", () => {
    const numbers = data(one, "numbers").split("|");
    [...form.querySelectorAll("input")].filter((field) => field.name === "numbers").forEach((field, at) => { field.value = numbers[at]; });
  });
}
// A button with data-fills puts its name into the first empty one of the fields that this selects, or takes it out.
for (const one of all("[data-fills]")) {
  const { form, value } = /** @type {HTMLButtonElement} */ (one);
  if (!form) continue;
  const holding = /** @param {string} name */ (name) => {
    const filled = /** @type {HTMLInputElement[]} */ (all(data(one, "fills"), form));
    return filled.find((field) => field.value.trim() === name);
  };
  const look = () => one.setAttribute("aria-pressed", String(Boolean(holding(value))));
  one.addEventListener("click", () => {
    if (!holding(value) && !holding("")) find("[data-add]", form)?.click();
    const field = holding(value) || holding("");
    if (field) field.value = field.value.trim() === value ? "" : value;
    form.dispatchEvent(new Event("input"));
  });
  form.addEventListener("input", look);
  look();
}
// A choice among the seats of a form shows the names that are written in it.
for (const form of forms("data-deed")) {
  const options = all("option[data-player]", form);
  const look = () => {
    const names = /** @type {HTMLInputElement[]} */ (all("[name=players]", form)).map((field) => field.value.trim());
    for (const option of options) option.textContent = names[Number(data(option, "player"))] || /** @type {HTMLOptionElement} */ (option).value;
  };
  if (!options.length) continue;
  form.addEventListener("input", look);
  look();
}
// Of a game whose variants are different games, the form asks which: the question stands in a template of that game.
for (const place of all("[data-variants]")) {
  const field = fieldNamed(/** @type {HTMLFormElement} */ (place.closest("form")), data(place, "variants"));
  /** @type {HTMLTemplateElement | undefined} */
  let shown;
  const look = () => {
    const name = field.value.trim().toLowerCase();
    const asked = [...place.querySelectorAll("template")].find((each) => data(each, "names").split("|").includes(name));
    if (shown === asked) return;
    shown = asked;
    find("fieldset", place)?.remove();
    if (asked) place.append(asked.content.cloneNode(true));
  };
  field.addEventListener("input", look);
  look();
}
// An address such as /games/g#edit opens the form that it names.
const opensAt = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
if (opensAt instanceof HTMLDetailsElement) opensAt.open = true;
for (const field of fields("data-whole")) field.addEventListener("focus", () => field.select());
// A field for a name offers the people of the archive, who are asked for when it is first entered.
for (const field of fields("data-people")) field.addEventListener("focus", async () => {
  const names = need(`#${field.getAttribute("list")}`);
  if (names.hasChildNodes()) return;
  const answer = await fetch("/people.json").catch(() => null);
  const { people } = /** @type {{ people: { name: string }[] }} */ (answer?.ok ? await answer.json() : { people: [] });
  names.replaceChildren(...people.map(({ name }) => Object.assign(element("option"), { value: name })));
}, { once: true });
// A form that asks for another page does so as soon as another choice is made.
for (const form of forms("data-at-once")) {
  need("button", form).hidden = true;
  form.addEventListener("change", () => form.submit());
  // Whoever comes back finds the choice that this page is of, not the one that led away from it.
  addEventListener("pageshow", () => form.reset());
}
for (const form of forms("data-deed")) {
  if (form.elements.namedItem("decision")) {
    fieldNamed(form, "decision").addEventListener("change", () => choose(form));
    choose(form);
  }
  for (const one of all("[data-origin]", form)) {
    const field = /** @type {HTMLInputElement} */ (one);
    const own = part("own", form);
    const look = () => { own.hidden = !/^https?:\/\/(localhost|127\.[\d.]+|\[::1\])(:|\/|$)/.test(field.value); };
    field.value = location.origin;
    field.addEventListener("input", look);
    look();
  }
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const says = need(".says", form);
    const would = find("[data-would]", form);
    const dry = event.submitter?.hasAttribute("data-dry");
    const button = /** @type {HTMLButtonElement} */ (event.submitter || need("button[type=submit]", form));
    says.textContent = "";
    would?.replaceChildren();
    button.disabled = true;
    try {
      const answer = await send(data(form, "deed"), dry ? { ...read(form), dry } : read(form));
      const found = answer.status === 404 ? { error: OVER } : await answer.json();
      if (answer.status === 409) {
        if (!found.similar) find("[data-once]", form)?.remove();
        delete form.dataset.command; // it has had its answer; what is sent now is asked anew
      }
      if (!answer.ok) {
        says.textContent = found.error || "It was not stored.";
        if (found.similar) askNames(form, says, found.similar);
      } else if (dry) {
        const lines = /** @type {string[]} */ (found.says).map((line) => element("li", line));
        would?.replaceChildren(element("li", "Nothing was stored. This is what would change:"), ...lines);
      } else {
        delete form.dataset.command;
        follow(form, found);
      }
    } catch {
      says.textContent = "The desk cannot be reached. Nothing is lost; send it again.";
    }
    button.disabled = false;
  });
}
// A page that waits asks again: what it shows then takes the place of what it showed, or it leads on.
const waiting = find("[data-again]");
/** Ask how the page that waits stands now. */
const askAgain = async () => {
  const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return;
  const main = need("main", new DOMParser().parseFromString(await answer.text(), "text/html"));
  const next = /** @type {HTMLAnchorElement | null} */ (find("a.go", main));
  if (next) location.replace(next.getAttribute("href") ?? "");
  else if (main.innerHTML !== need("main").innerHTML) need("main").replaceWith(document.adoptNode(main));
};
if (waiting) setInterval(() => void askAgain().catch(() => {}), 1000 * Number(data(waiting, "again")));
