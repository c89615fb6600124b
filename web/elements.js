// Parts of a page: those that are there, and new ones.
export const part = (name) => document.querySelector(`[data-${name}]`);
export const element = (name, text = "", space = "http://www.w3.org/1999/xhtml") => {
  const made = document.createElementNS(space, name);
  made.textContent = text;
  return made;
};
export const button = (text, label, does) => {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.classList.toggle("long", text.length > 8);
  if (label) made.setAttribute("aria-label", label);
  made.addEventListener("click", does);
  return made;
};
