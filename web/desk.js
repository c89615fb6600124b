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
