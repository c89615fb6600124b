// The page of results: a row for each player, sent as NAME=NUMBER; a row that nothing stands in is left out.
import { element } from "./elements.js";
import { askNames, today } from "./forms.js";
import { OVER, command, send } from "./requests.js";

const results = document.querySelector("[data-results]");
const rowsOf = () => [...results.querySelectorAll("[data-row]")];
const within = (row, name) => row.querySelector(`[data-${name}]`);
const filled = () => rowsOf().filter((row) => within(row, "name").value.trim() || within(row, "number").value.trim());
const ending = () => results.elements.ends.value;
const linesOf = (row) => [...row.querySelectorAll("[data-line]")];
let asks = true;
// A number as it is sent: a half may be written ½ or 1/2.
const plainNumber = (text) => text.trim().replace(/^(-?)(\d*)½$/, (_, sign, whole) => (whole && whole !== "0" ? `${sign}${whole}.5` : `${sign}1/2`));
const finished = () => {
  const body = { command: (results.dataset.command ||= command()), game: results.elements.game.value, ask: asks };
  const together = ending() === "table";
  const rows = filled();
  body.players = rows.map((row) => {
    const name = within(row, "name").value.trim();
    return together ? name : `${name}=${plainNumber(within(row, "number").value)}`;
  });
  const sheet = sheetOf();
  if (sheet.length && rows.some((row) => linesOf(row).some((line) => line.value.trim()))) {
    body.players = rows.map((row) => within(row, "name").value.trim());
    body.categories = Object.fromEntries(sheet.map((name, at) => [name, rows.map((row) => plainNumber(linesOf(row)[at].value).replace("−", "-").replace(",", ".") || "0").join(":")]));
  }
  if (together) body.table = results.elements.table.value;
  if (ending() === "places") body.places = true;
  if (ending() === "points" && !isShared()) body.winner = results.elements.winner.value;
  if (within(results, "teams").checked) body.teams = rows.map((row) => within(row, "team").value.trim()).join(":");
  body.date = results.elements.date.value.trim() || today();
  for (const name of ["duration", "place", "event"]) body[name] = results.elements[name].value;
  if (results.newNames) body.new_names = results.newNames;
  return body;
};
const isShared = () => {
  const title = results.elements.game.value.trim().toLowerCase();
  return [...results.querySelectorAll("#titles [data-shared]")].some((option) => option.value.toLowerCase() === title);
};
// The lines of the score sheet that the chosen game has.
const sheetOf = () => {
  const title = results.elements.game.value.trim().toLowerCase();
  const option = [...results.querySelectorAll("#titles [data-sheet]")].find((each) => each.value.toLowerCase() === title);
  return option && ending() === "points" ? option.dataset.sheet.split("|") : [];
};
const dressLines = (row, at) => {
  const [box, sheet] = [within(row, "lines"), sheetOf()];
  box.hidden = !sheet.length;
  if (linesOf(row).map((line) => line.dataset.line).join("|") !== sheet.join("|")) {
    box.replaceChildren(...sheet.map((name) => {
      const label = element("label");
      const line = Object.assign(element("input"), { inputMode: "decimal", maxLength: 20, autocomplete: "off" });
      line.dataset.line = name;
      label.append(element("span", name), line);
      return label;
    }));
  }
  for (const line of linesOf(row)) line.setAttribute("aria-label", `${line.dataset.line} of player ${at + 1}`);
};
// The points of a player are the sum of the lines, once one of them is written.
const addUp = (row) => {
  const values = linesOf(row).map((line) => line.value.trim());
  const number = within(row, "number");
  number.readOnly = values.some(Boolean);
  if (!number.readOnly) return (number.value = "");
  const sum = values.reduce((total, value) => total + Number(value.replace("−", "-").replace(",", ".")), 0);
  number.value = Number.isNaN(sum) ? "" : String(Math.round(sum * 1000) / 1000);
};
const dress = () => {
  const ends = ending();
  const shared = ends === "points" && isShared();
  within(results, "table").hidden = ends !== "table";
  within(results, "hint").hidden = !shared;
  within(results, "wins").hidden = ends !== "points" || shared;
  rowsOf().forEach((row, at) => {
    within(row, "name").setAttribute("aria-label", `Player ${at + 1}`);
    within(row, "number").setAttribute("aria-label", `${ends === "places" ? "Place" : "Points"} of player ${at + 1}`);
    within(row, "number").closest("label").hidden = ends === "table";
    dressLines(row, at);
    const sign = within(row, "sign");
    sign.hidden = ends !== "points" || sheetOf().length > 0;
    sign.textContent = shared ? "½" : "±";
    sign.setAttribute("aria-label", `${shared ? "A half" : "Plus or minus"} for player ${at + 1}`);
    within(row, "team").closest("label").hidden = !within(results, "teams").checked;
  });
};
const quiet = () => {
  for (const says of results.querySelectorAll(".says")) says.textContent = "";
  for (const field of results.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
};
// The sentence stands beside the field it is about; if that field is folded away, it is opened.
const blame = (sentence, name = "") => {
  const seat = /^p(\d+)$/.exec(name);
  const row = seat && filled()[seat[1] - 1];
  const place = row || results.querySelector(`[data-field="${CSS.escape(name || "-")}"]`);
  const field = row ? within(row, ending() === "table" || / twice|nobody is named/i.test(sentence) || !within(row, "name").value.trim() ? "name" : "number") : place?.querySelector("input,select");
  if (place?.closest("details")) place.closest("details").open = true;
  (place?.querySelector(".says") || within(results, "says")).textContent = sentence;
  field?.setAttribute("aria-invalid", "true");
  field?.focus();
};
const add = () => {
  const made = within(results, "blank").content.firstElementChild.cloneNode(true);
  results.querySelector(".seats").append(made);
  dress();
  within(made, "name").focus();
};
const showSaved = (found) => {
  const saved = within(results, "saved");
  const to = element("a", "Open the record");
  to.href = `/games/${encodeURIComponent(found.id)}`;
  const edit = element("a", "Edit this result");
  edit.href = `${to.href}#edit`;
  saved.replaceChildren(element("span", found.says), " ", to, " ", edit);
  saved.scrollIntoView({ block: "nearest" });
};
results.addEventListener("submit", async (event) => {
  event.preventDefault();
  const save = within(results, "save");
  quiet();
  save.disabled = true;
  within(results, "saved").replaceChildren();
  try {
    const answer = await send("/results", finished());
    const found = answer.status === 404 ? { error: OVER } : await answer.json();
    if (answer.status === 409) {
      asks &&= Boolean(found.similar);
      delete results.dataset.command;
    }
    if (answer.ok) {
      delete results.dataset.command;
      delete results.newNames;
      asks = true;
      for (const row of rowsOf()) {
        for (const line of linesOf(row)) line.value = "";
        within(row, "number").value = "";
        within(row, "number").readOnly = false;
      }
      results.elements.duration.value = "";
      showSaved(found);
    } else {
      blame(found.error || "It was not stored.", found.field);
      if (found.similar) askNames(results, within(results, "says"), found.similar);
    }
  } catch {
    blame("The desk cannot be reached. Nothing is lost; press Save again.");
  }
  save.disabled = false;
});
results.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  if (!button) return;
  if ("add" in button.dataset) add();
  if ("sign" in button.dataset) {
    const field = within(button.closest("[data-row]"), "number");
    if (button.textContent === "½") field.value = "½";
    else field.value = /^[-−]/.test(field.value) ? field.value.slice(1) : `-${field.value}`;
    field.focus();
  }
});
results.addEventListener("change", dress);
results.addEventListener("input", ({ target }) => {
  if ("line" in target.dataset) addUp(target.closest("[data-row]"));
});
results.elements.game.addEventListener("input", () => {
  asks = true;
  dress();
});
// Enter leads to the next number, and from the last one saves.
results.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.closest("[data-row] input")) return;
  const fields = sheetOf().length ? "[data-line]" : "[data-number]";
  const numbers = [...results.querySelectorAll(fields)].filter((each) => each.checkVisibility());
  const row = event.target.closest("[data-row]");
  const at = numbers.indexOf(event.target);
  const next = at < 0 ? row.querySelector(fields) : numbers[at + 1];
  if (!next || !next.checkVisibility()) return;
  event.preventDefault();
  next.focus();
});
dress();
within(results, "save").disabled = false; // until now, Enter would have sent the form as a browser does
{
  const name = [...results.querySelectorAll("[data-name]")].find((each) => !each.value);
  const first = results.elements.game.value ? name || results.querySelector("[data-number]") : results.elements.game;
  first.focus({ preventScroll: true });
}
