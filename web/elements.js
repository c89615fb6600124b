// Parts of a page: those that are there, and new ones.
/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */

/**
 * Return the first element that a selector finds, or null.
 * @param {string} selector
 * @param {ParentNode} within
 */
export const find = (selector, within = document) => /** @type {HTMLElement | null} */ (within.querySelector(selector));
/**
 * Return the first element that a selector finds; a page without it is a fault.
 * @param {string} selector
 * @param {ParentNode} within
 */
export const need = (selector, within = document) => {
  const found = find(selector, within);
  if (!found) throw new Error(`This page has no ${selector}.`);
  return found;
};
/**
 * Return every element that a selector finds.
 * @param {string} selector
 * @param {ParentNode} within
 */
export const all = (selector, within = document) => /** @type {HTMLElement[]} */ ([...within.querySelectorAll(selector)]);
/**
 * Return the element with a data attribute, as in part("says") for data-says; a page without it is a fault.
 * @param {string} name
 * @param {ParentNode} within
 */
export const part = (name, within = document) => need(`[data-${name}]`, within);
/**
 * Return a data attribute of an element; empty if it has none.
 * @param {HTMLElement} one
 * @param {string} name As in dataset: "seatNames" for data-seat-names.
 */
export const data = (one, name) => one.dataset[name] ?? "";
/**
 * Return the field of a form that has a name; of radio buttons with one name, their group, which has their value.
 * @param {HTMLFormElement} form
 * @param {string} name
 */
export const fieldNamed = (form, name) => {
  const found = form.elements.namedItem(name);
  if (!found) throw new Error(`This form has no field ${name}.`);
  return /** @type {Field} */ (found);
};
/**
 * Return every field of a form.
 * @param {HTMLFormElement} form
 */
export const fieldsOf = (form) => /** @type {Field[]} */ ([...form.elements].filter((one) => "value" in one));
/**
 * Return the element that an event happened to.
 * @param {Event} event
 */
export const targetOf = (event) => /** @type {HTMLElement} */ (event.target);
/**
 * Return the last of a list that is not empty.
 * @template T
 * @param {T[]} list
 */
export const lastOf = (list) => list[list.length - 1];
/**
 * Return whether an element can be seen.
 * @param {HTMLElement} one
 */
export const isShown = (one) => /** @type {HTMLElement & { checkVisibility: () => boolean }} */ (one).checkVisibility();
/**
 * Return a new element of HTML with a text.
 * @param {string} name
 * @param {string} text
 */
export const element = (name, text = "") => {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
};
/**
 * Return a new button that does something.
 * @param {string} text
 * @param {string} label What screen readers call it; empty for its text.
 * @param {() => unknown} does
 */
export const button = (text, label, does) => {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.classList.toggle("long", text.length > 8);
  if (label) made.setAttribute("aria-label", label);
  made.addEventListener("click", does);
  return made;
};
