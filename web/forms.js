// Forms that are sent as JSON, names with dots as objects; data-then says what follows what was stored.
import { all, button, data, element, fieldNamed, fieldsOf, find, need, part } from "./elements.js";
import { command } from "./requests.js";
/** @typedef {import("./elements.js").Field} Field */

/** @type {Record<string, (text: string) => unknown>} */
const READERS = {
  number: Number,
  flag: () => true,
  names: (text) => namesIn(text),
  words: (text) => text.split(/[\s,]+/).filter(Boolean),
  numbers: (text) => text.split(/[\s,]+/).filter(Boolean).map(Number),
};
/**
 * Return what is sent for the text of a field.
 * @param {string} kind What the field is, its data-as: number, flag, names, words, numbers; else a text.
 * @param {string} text
 */
export const valueOf = (kind, text) => (READERS[kind] || String)(text);
/**
 * Return the names in a text, which are parted by semicolons, or by commas if there are none.
 * @param {string} text
 */
export const namesIn = (text) => text.split(text.includes(";") ? ";" : ",").map((name) => name.trim()).filter(Boolean);
/** Return the day where this browser is: that of a game played here. */
export const today = () => {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((one) => String(one).padStart(2, "0")).join(".");
};
/**
 * Return what a field had when the page was loaded.
 * @param {Field} field
 */
const usualOf = (field) => {
  if (!(field instanceof HTMLSelectElement)) return (field.defaultValue ?? "").trim();
  return ([...field.options].find((each) => each.defaultSelected)?.value ?? "").trim();
};
/**
 * Return whether a field was changed, or another of its name: such fields, as the points of all seats, are sent together.
 * @param {HTMLFormElement} form
 * @param {string} name
 */
const hasChanged = (form, name) => fieldsOf(form).some((field) => field.name === name && field.value.trim() !== usualOf(field));
/**
 * Return whether the state of a form lets a field be sent.
 * @param {HTMLFormElement} form
 * @param {Field} field
 */
const isSent = (form, field) => {
  if (!field.name || field.closest("[hidden]")) return false;
  if (["checkbox", "radio"].includes(field.type) && !(/** @type {HTMLInputElement} */ (field).checked)) return false;
  if (field.hasAttribute("data-changed") && !hasChanged(form, field.name)) return false;
  const others = data(field, "with");
  return !others || others.split(" ").some((name) => hasChanged(form, name));
};
/** @type {WeakMap<HTMLFormElement, string[]>} By form, the names that were asked about: sent again they are new. */
const askedNames = new WeakMap();
/**
 * Return the names that a form sends as new ones.
 * @param {HTMLFormElement} form
 */
export const newNames = (form) => askedNames.get(form) ?? [];
/**
 * Let a form ask about new names again.
 * @param {HTMLFormElement} form
 */
export const forgetNames = (form) => askedNames.delete(form);
/**
 * Return what a form sends.
 * @param {HTMLFormElement} form
 */
export const read = (form) => {
  /** @type {Record<string, any>} */
  const body = form.hasAttribute("data-plain") ? {} : { command: form.dataset.command ||= command() };
  if (form.dataset.expected) body.expected = Number(form.dataset.expected);
  for (const field of fieldsOf(form)) {
    if (!isSent(form, field)) continue;
    const kind = data(field, "as");
    const usual = field.hasAttribute("data-today") ? today() : data(field, "usual");
    const text = field.value.trim() || usual;
    if (!text && kind !== "flag" && !field.hasAttribute("data-changed")) continue;
    const value = valueOf(kind, text);
    const [name, inner] = field.name.split(/\.(.*)/);
    if (inner && kind === "line" && body[name]?.[inner]) body[name][inner] += `:${value}`;
    else if (inner && kind === "sheet") {
      const [before, written] = [data(field, "before"), /** @type {string | undefined} */ (body[name]?.[inner])];
      const isSame = written?.split("; ").at(-1)?.startsWith(before);
      (body[name] ||= {})[inner] = isSame ? `${written}:${value}` : [written, before + value].filter(Boolean).join("; ");
    } else if (inner) (body[name] ||= {})[inner] = value;
    else if (kind === "list") (body[name] ||= []).push(data(field, "before") + value);
    else body[name] = value;
  }
  if (askedNames.has(form)) body.new_names = newNames(form);
  return body;
};
/**
 * Ask about new names that are nearly known ones: sent again they are new, or a tap writes the known one.
 * @param {HTMLFormElement} form
 * @param {HTMLElement} says Where it is asked.
 * @param {Record<string, string>} similar The known names by the new ones.
 */
export const askNames = (form, says, similar) => {
  askedNames.set(form, [...new Set([...newNames(form), ...Object.keys(similar)])]);
  const choices = element("span");
  choices.className = "choices";
  says.append(choices);
  for (const [name, known] of Object.entries(similar)) {
    const choice = button(`Write ${known}`, "", () => {
      for (const field of form.querySelectorAll("input")) {
        const names = field.dataset.as === "names" ? namesIn(field.value) : [field.value.trim()];
        if (!names.includes(name)) continue;
        field.value = names.map((each) => (each === name ? known : each)).join("; ");
        field.dispatchEvent(new Event("input", { bubbles: true }));
      }
      choice.remove();
    });
    choices.append(choice);
  }
};
/**
 * Return a card for a link: its code, and where it leads.
 * @param {{ game: string, role: string, title?: string, url: string, says: string, link: number, size: number, path: string }} link
 */
export const card = (link) => {
  const made = element("section");
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `0 0 ${link.size} ${link.size}`);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `Code for the ${link.role} link`);
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", link.path);
  svg.append(path);
  made.append(element("h2", link.title ?? `${link.game}: ${link.role}`), svg, element("p", link.says), element("code", link.url), element("small", `link ${link.link}`));
  return made;
};
/**
 * Show the fields of a form that go with its choice; those of another are not sent.
 * @param {HTMLFormElement} form
 */
export const choose = (form) => {
  const chosen = fieldNamed(form, "decision").value;
  for (const field of all("[data-for]", form)) field.hidden = !data(field, "for").split(" ").includes(chosen);
  for (const more of all("[data-opens]", form)) {
    /** @type {HTMLDetailsElement} */ (more).open ||= data(more, "opens").split(" ").includes(chosen);
  }
};
/**
 * Do what follows what a form stored.
 * @param {HTMLFormElement} form
 * @param {any} answer What the desk answered.
 */
export const follow = (form, answer) => {
  const then = find("[data-leads]:checked", form)?.dataset.leads || data(form, "then");
  if (then === "again") return location.reload();
  if (then === "table") return void dispatchEvent(new CustomEvent("written", { detail: form }));
  if (then === "cards") {
    part("cards").replaceChildren(...answer.map(card));
    need("[data-print]").hidden = false;
    return;
  }
  location.assign(then.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(answer[name])));
};
