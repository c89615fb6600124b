// The page of results: a row for each player, sent as NAME=NUMBER; a row that nothing stands in is left out.
import { all, data, element, fieldNamed, find, isShown, need, part, targetOf } from "./elements.js";
import { askNames, forgetNames, newNames, today } from "./forms.js";
import { OVER, command, send } from "./requests.js";

/** The form of a result. */
export const results = /** @type {HTMLFormElement} */ (part("results"));
/** Return the rows of the players. */
export const rows = () => all("[data-row]", results);
/**
 * Return the field of a row or of the form that has a data attribute.
 * @param {HTMLElement} row
 * @param {string} name
 */
const inputIn = (row, name) => /** @type {HTMLInputElement} */ (part(name, row));
/**
 * Return the label around a field of a row.
 * @param {HTMLElement} row
 * @param {string} name
 */
const labelIn = (row, name) => /** @type {HTMLLabelElement} */ (inputIn(row, name).closest("label"));
/**
 * Return the fields of a row for the lines of the score sheet.
 * @param {HTMLElement} row
 */
const linesOf = (row) => /** @type {HTMLInputElement[]} */ (all("[data-line]", row));
const filled = () => rows().filter((row) => inputIn(row, "name").value.trim() || inputIn(row, "number").value.trim());
const ending = () => fieldNamed(results, "ends").value;
let otherwise = false;
/** Return whether the result is one of three taps: a game of two without points, unless another result is asked for. */
export const isOneTap = () => ending() === "points" && isShared() && rows().length === 2 && !otherwise;
const hasTeams = () => inputIn(results, "teams").checked;
let asks = true;
/**
 * Return a number as it is sent: a half may be written ½ or 1/2.
 * @param {string} text
 */
export const plainNumber = (text) => text.trim().replace(/^(-?)(\d*)½$/, (_, sign, whole) => (whole && whole !== "0" ? `${sign}${whole}.5` : `${sign}1/2`));
/**
 * Return the text of a line of the score sheet as JavaScript reads a number.
 * @param {string} text
 */
const plainLine = (text) => text.trim().replace("−", "-").replace(",", ".");
/** Return the result as it is sent. */
export const finished = () => {
  /** @type {Record<string, unknown>} */
  const body = { command: (results.dataset.command ||= command()), game: fieldNamed(results, "game").value, ask: asks };
  const together = ending() === "table";
  const players = filled();
  const names = players.map((row) => inputIn(row, "name").value.trim());
  body.players = together ? names : players.map((row, at) => `${names[at]}=${plainNumber(inputIn(row, "number").value)}`);
  const sheet = sheetLines();
  if (sheet.length && players.some((row) => linesOf(row).some((line) => line.value.trim()))) {
    body.players = names;
    const texts = /** @param {number} at */ (at) => players.map((row) => plainLine(plainNumber(linesOf(row)[at].value)) || "0");
    body.categories = Object.fromEntries(sheet.map((name, at) => [name, texts(at).join(":")]));
  }
  if (together) body.table = fieldNamed(results, "table").value;
  if (ending() === "places") body.places = true;
  if (ending() === "points" && !isShared()) body.winner = fieldNamed(results, "winner").value;
  if (hasTeams()) body.teams = players.map((row) => inputIn(row, "team").value.trim()).join(":");
  body.date = fieldNamed(results, "date").value.trim() || today();
  for (const name of ["duration", "place", "event"]) body[name] = fieldNamed(results, name).value;
  if (newNames(results).length) body.new_names = newNames(results);
  return body;
};
/**
 * Return the option of the chosen game that has a data attribute.
 * @param {string} name
 */
const optionOf = (name) => {
  const title = fieldNamed(results, "game").value.trim().toLowerCase();
  return all(`#titles [data-${name}]`, results).find((option) => /** @type {HTMLOptionElement} */ (option).value.toLowerCase() === title);
};
const isShared = () => Boolean(optionOf("shared"));
/** Return the names of the lines of the score sheet that the chosen game has. */
export const sheetLines = () => {
  const option = optionOf("sheet");
  return option && ending() === "points" ? data(option, "sheet").split("|") : [];
};
/**
 * Give a row the lines of the score sheet.
 * @param {HTMLElement} row
 * @param {number} at
 */
const dressLines = (row, at) => {
  const [box, sheet] = [part("lines", row), sheetLines()];
  box.hidden = !sheet.length;
  if (linesOf(row).map((line) => data(line, "line")).join("|") !== sheet.join("|")) {
    box.replaceChildren(...sheet.map((name) => {
      const label = element("label");
      const line = Object.assign(document.createElement("input"), { inputMode: "decimal", maxLength: 20, autocomplete: "off" });
      line.dataset.line = name;
      label.append(element("span", name), line);
      return label;
    }));
  }
  for (const line of linesOf(row)) line.setAttribute("aria-label", `${data(line, "line")} of player ${at + 1}`);
};
/**
 * Write the sum of a row's lines as the points of the player, once one of them is written.
 * @param {HTMLElement} row
 */
export const addUp = (row) => {
  const values = linesOf(row).map((line) => plainLine(line.value));
  const number = inputIn(row, "number");
  number.readOnly = values.some(Boolean);
  const sum = values.reduce((total, value) => total + Number(value), 0);
  number.value = !number.readOnly || Number.isNaN(sum) ? "" : String(Math.round(sum * 1000) / 1000);
};
/** Show what goes with the game and with how it ended. */
export const dress = () => {
  const ends = ending();
  const shared = ends === "points" && isShared();
  part("table", results).hidden = ends !== "table";
  const oneTap = isOneTap();
  for (const name of ["ways", "more-players", "save"]) part(name, results).hidden = oneTap;
  part("outcomes", results).hidden = !oneTap;
  part("hint", results).hidden = !shared || oneTap;
  part("wins", results).hidden = ends !== "points" || shared;
  rows().forEach((row, at) => {
    inputIn(row, "name").setAttribute("aria-label", `Player ${at + 1}`);
    inputIn(row, "number").setAttribute("aria-label", `${ends === "places" ? "Place" : "Points"} of player ${at + 1}`);
    labelIn(row, "number").hidden = ends === "table" || oneTap;
    const outcome = /** @type {HTMLElement | undefined} */ (all("[data-outcome]", results)[2 * at]);
    if (outcome) outcome.textContent = `${inputIn(row, "name").value.trim() || `Player ${at + 1}`} won`;
    dressLines(row, at);
    const sign = part("sign", row);
    sign.hidden = ends !== "points" || sheetLines().length > 0 || oneTap;
    sign.textContent = shared ? "½" : "±";
    sign.setAttribute("aria-label", `${shared ? "A half" : "Plus or minus"} for player ${at + 1}`);
    labelIn(row, "team").hidden = !hasTeams();
  });
};
const quiet = () => {
  for (const says of all(".says", results)) says.textContent = "";
  for (const field of all("[aria-invalid]", results)) field.removeAttribute("aria-invalid");
};
/**
 * Say what is wrong beside the field it is about; if that field is folded away, it is opened.
 * @param {string} sentence
 * @param {string} name The field: p1, p2 … for a player, else as in data-field.
 */
export const blame = (sentence, name = "") => {
  const seat = /^p(\d+)$/.exec(name);
  const row = seat && filled()[Number(seat[1]) - 1];
  const place = row || find(`[data-field="${CSS.escape(name || "-")}"]`, results);
  const isName = row && (ending() === "table" || / twice|nobody is named/i.test(sentence) || !inputIn(row, "name").value.trim());
  const field = row ? inputIn(row, isName ? "name" : "number") : place && find("input,select", place);
  const fold = place?.closest("details");
  if (fold) fold.open = true;
  ((place && find(".says", place)) || part("says", results)).textContent = sentence;
  field?.setAttribute("aria-invalid", "true");
  field?.focus();
};
/**
 * Add a row for a player.
 * @param {boolean} byHand Whether somebody asked for the row itself, and writes there next.
 */
const add = (byHand) => {
  const blank = /** @type {HTMLTemplateElement} */ (part("blank", results));
  const made = /** @type {HTMLElement} */ (need("[data-row]", blank.content).cloneNode(true));
  need(".seats", results).append(made);
  dress();
  if (byHand) inputIn(made, "name").focus();
};
/**
 * Say what was stored, with the ways to it.
 * @param {{ id: string, says: string }} found
 */
const showSaved = (found) => {
  const saved = part("saved", results);
  const href = `/games/${encodeURIComponent(found.id)}`;
  const to = Object.assign(element("a", "Open the record"), { href });
  const edit = Object.assign(element("a", "Edit this result"), { href: `${href}#edit` });
  saved.replaceChildren(element("span", found.says), " ", to, " ", edit);
  saved.scrollIntoView({ block: "nearest" });
};
/** Take out the numbers of a result that was stored; the names stay for the next one. */
const clear = () => {
  delete results.dataset.command;
  forgetNames(results);
  asks = true;
  for (const row of rows()) {
    for (const line of linesOf(row)) line.value = "";
    inputIn(row, "number").value = "";
    inputIn(row, "number").readOnly = false;
  }
  fieldNamed(results, "duration").value = "";
};
const save = /** @type {HTMLButtonElement} */ (part("save", results));
const submits = /** @type {HTMLButtonElement[]} */ (all("[type=submit]", results));
results.addEventListener("submit", async (event) => {
  event.preventDefault();
  quiet();
  if (isOneTap() && !event.submitter?.dataset.outcome) return blame("Tap who won, or the draw.");
  event.submitter?.dataset.outcome?.split("|").forEach((number, at) => { inputIn(rows()[at], "number").value = number; });
  for (const button of submits) button.disabled = true;
  part("saved", results).replaceChildren();
  try {
    const answer = await send("/results", finished());
    const found = answer.status === 404 ? { error: OVER } : await answer.json();
    if (answer.status === 409) {
      asks &&= Boolean(found.similar);
      delete results.dataset.command;
    }
    if (answer.ok) {
      clear();
      showSaved(found);
    } else {
      blame(found.error || "It was not stored.", found.field);
      if (found.similar) askNames(results, part("says", results), found.similar);
    }
  } catch {
    blame(`The desk cannot be reached. Nothing is lost; press ${isOneTap() ? "the button" : "Save"} again.`);
  }
  for (const button of submits) button.disabled = false;
});
results.addEventListener("click", (event) => {
  const button = targetOf(event).closest("button");
  if (!button) return;
  if ("add" in button.dataset) add(event.isTrusted);
  if ("otherwise" in button.dataset) {
    otherwise = true;
    dress();
    find("[data-number]", results)?.focus();
  }
  if ("sign" in button.dataset) {
    const field = inputIn(/** @type {HTMLElement} */ (button.closest("[data-row]")), "number");
    if (button.textContent === "½") field.value = "½";
    else field.value = /^[-−]/.test(field.value) ? field.value.slice(1) : `-${field.value}`;
    field.focus();
  }
});
results.addEventListener("change", dress);
results.addEventListener("input", (event) => {
  if (isOneTap()) dress();
  const row = targetOf(event).closest("[data-row]");
  if (row && "line" in targetOf(event).dataset) addUp(/** @type {HTMLElement} */ (row));
});
fieldNamed(results, "game").addEventListener("input", () => {
  asks = true;
  otherwise = false;
  dress();
});
// Enter leads to the next number, and from the last one saves.
results.addEventListener("keydown", (event) => {
  const row = event.key === "Enter" && targetOf(event).closest("[data-row]");
  if (!row || !targetOf(event).matches("input")) return;
  const fields = sheetLines().length ? "[data-line]" : "[data-number]";
  const numbers = all(fields, results).filter(isShown);
  const at = numbers.indexOf(targetOf(event));
  const next = at < 0 ? find(fields, row) : numbers[at + 1];
  if (!next || !isShown(next)) return;
  event.preventDefault();
  next.focus();
});
dress();
save.disabled = false; // until now, Enter would have sent the form as a browser does
const game = fieldNamed(results, "game");
const nameless = rows().map((row) => inputIn(row, "name")).find((each) => !each.value);
const first = game.value ? nameless || find("[data-number]", results) : game;
first?.focus({ preventScroll: true });
