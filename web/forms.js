// Forms that are sent as JSON, names with dots as objects; data-then says what follows what was stored.
import { element } from "./elements.js";
import { command } from "./requests.js";

export const VALUES = {
  number: Number,
  flag: () => true,
  names: (text) => text.split(text.includes(";") ? ";" : ",").map((name) => name.trim()).filter(Boolean),
  words: (text) => text.split(/[\s,]+/).filter(Boolean),
  numbers: (text) => text.split(/[\s,]+/).filter(Boolean).map(Number),
};
// The day where this browser is: that of a game played here.
export const today = () => {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join(".");
};
const usualOf = (field) => (field.defaultValue ?? [...field.options].find((each) => each.defaultSelected)?.value ?? "").trim();
// Fields of one name, such as the points of all seats, are sent together.
const hasChanged = (form, name) => [...form.elements].some((field) => field.name === name && field.value.trim() !== usualOf(field));
export const read = (form) => {
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
export const askNames = (form, says, similar) => {
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
export const card = (link) => {
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
// A choice shows the fields that go with it; those of another are not sent.
export const choose = (form) => {
  const chosen = form.elements.decision.value;
  for (const field of form.querySelectorAll("[data-for]")) field.hidden = !field.dataset.for.split(" ").includes(chosen);
  for (const more of form.querySelectorAll("[data-opens]")) more.open ||= more.dataset.opens.split(" ").includes(chosen);
};
export const follow = (form, answer) => {
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
