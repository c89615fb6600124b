// A pad: a round is put together by taps, judged while it is, and entered; then the form is ready for the next one.
import { all, data, element, find, need, part, targetOf } from "./elements.js";
import { listen } from "./events.js";
import { partHeaders, readParts } from "./parts.js";
import { OVER, command, send } from "./requests.js";

/** @typedef {{ verdict: string, says: string, findings: { severity: string, key: string, because: string, rule?: string }[] }} Judged What the rules say of a round. */

const pad = part("pad");
const roundForm = /** @type {HTMLFormElement | null} */ (find("[data-round]", pad)); // null if no round can be entered
const fields = roundForm ? all("[data-field]", roundForm) : [];
let entered = /** @type {Record<string, string | string[]>} */ ({}); // by field: a text, or for numbers one text a seat
let active = /** @type {{ field: HTMLElement, cell: number } | null} */ (null); // the field that the keys write in, and its cell
let out = ""; // who sits out in the next round, if that is tapped
// The round that is corrected; null for the next round.
let correcting = /** @type {{ ply: number, number: string, names: string[] } | null} */ (null);
let sending = /** @type {Record<string, string>} */ ({}); // by address: the command of what has had no answer yet
let trials = 0;
let waiting = 0;

/**
 * Return the field with a name.
 * @param {string | undefined} name
 */
const fieldOf = (name) => fields.find((field) => nameOf(field) === name);
const kindOf = /** @param {HTMLElement} field */ (field) => data(field, "kind");
const nameOf = /** @param {HTMLElement} field */ (field) => data(field, "field");
const isNumeric = /** @param {HTMLElement} field */ (field) => kindOf(field).startsWith("number");
/**
 * Return the parts of a text.
 * @param {string | undefined} text
 * @param {string} sign What stands between them.
 */
const listOf = (text, sign) => (text || "").split(sign).filter(Boolean);
/**
 * Return what was entered in a field, as it is sent.
 * @param {HTMLElement} field
 */
const textOf = (field) => {
  const value = entered[nameOf(field)] ?? "";
  if (typeof value === "string") return value;
  return value.some((one) => one) ? value.join(":") : "";
};
/**
 * Return what was entered for each seat in a field of numbers.
 * @param {HTMLElement} field
 */
const numbersOf = (field) => {
  const value = entered[nameOf(field)];
  return typeof value === "object" ? value : all("[data-cell]", field).map(() => "");
};
const isFinal = /** @param {HTMLElement} field */ (field) => Boolean(field.dataset.final) && textOf(field) === field.dataset.final;
const isOver = () => fields.some(isFinal);
export const body = () => {
  const last = fields.findIndex(isFinal);
  const sent = last < 0 ? fields : fields.slice(0, last + 1);
  return Object.fromEntries(sent.map((field) => [nameOf(field), textOf(field)]).filter(([, text]) => text));
};
const round = () => (correcting ? { answers: body(), ply: correcting.ply } : out ? { answers: body(), sits_out: out } : { answers: body() });
const isWhole = () => isOver() || fields.every((field) => !("needed" in field.dataset) || textOf(field));

// --- what is shown ---

/**
 * Return who sits at each seat, by which they are called: in the next round, or in the round that is corrected.
 * @param {HTMLElement} seats
 * @returns {string[]}
 */
const sitters = (seats) => {
  if (correcting) return correcting.names;
  if (!out) return JSON.parse(data(seats, "names"));
  const [now, waiting] = ["now", "waiting"].map((name) => /** @type {string[]} */ (JSON.parse(data(seats, name))));
  return now.map((name) => (name === out && !waiting.includes(out) ? data(seats, "plays") : name));
};
/**
 * Show who sits at each seat.
 * @param {HTMLFormElement} form
 */
const paintSeats = (form) => {
  const seats = need('[data-live="seats"]', form);
  const names = sitters(seats);
  const short = /** @type {Record<string, string>} */ (JSON.parse(data(seats, "short")));
  const outs = all("[data-out]", form);
  const around = outs.map((one) => data(one, "out"));
  for (const one of all("[data-seat]", form)) {
    const name = names[Number(data(one, "seat")) - 1];
    one.textContent = short[name] ?? name;
    if (around.length && one.dataset.value) one.style.order = String(around.indexOf(name.replace(/[\u2068\u2069]/g, "")) - around.length); // as they sit
  }
  for (const one of all("[data-of]", form)) one.setAttribute("aria-label", `${names[Number(data(one, "of")) - 1]}, ${one.textContent}`);
  seats.hidden = Boolean(correcting);
  for (const one of outs) one.setAttribute("aria-pressed", String(!names.includes(data(one, "out"))));
};
/**
 * Return a number as it is shown.
 * @param {string | undefined} text
 */
export const shownNumber = (text) => (text || "–").replace("-", "−").replace(".5", "½");
/**
 * Show what was entered in a field of one number.
 * @param {HTMLElement} field
 */
const paintNumber = (field) => {
  const text = textOf(field);
  part("shown", field).textContent = shownNumber(text);
  const other = find("[data-other]", field);
  if (!other) return;
  const most = data(other, "most");
  const rest = Number(most) - Number(text);
  other.textContent = text === "" ? `of ${most}` : rest < 0 ? `more than ${most}` : `the other side ${shownNumber(String(rest))}`;
};
/**
 * Show what was entered in a field of one number a seat.
 * @param {HTMLElement} field
 */
const paintNumbers = (field) => {
  const values = numbersOf(field);
  for (const cell of all("[data-cell]", field)) {
    const index = Number(data(cell, "cell"));
    part("shown", cell).textContent = shownNumber(values[index]);
    cell.setAttribute("aria-pressed", String(active?.field === field && active.cell === index));
  }
};
/**
 * Return what was entered in a field, as it is shown beside its name.
 * @param {HTMLElement} field
 */
const picked = (field) => {
  if (isNumeric(field)) return textOf(field);
  return all('[aria-pressed="true"]', field).map((one) => one.getAttribute("aria-label") || one.textContent).join(", ");
};
/**
 * Show what was entered in a form.
 * @param {HTMLFormElement} form
 */
const paint = (form) => {
  const over = isOver();
  paintSeats(form);
  for (const field of fields) {
    if (kindOf(field) === "number") paintNumber(field);
    else if (kindOf(field) === "numbers") paintNumbers(field);
    else {
      const chosen = kindOf(field) === "seats" ? listOf(textOf(field), ",") : kindOf(field) === "pairs" ? listOf(textOf(field), " ") : [textOf(field)];
      for (const one of all("[data-value]", field)) one.setAttribute("aria-pressed", String(chosen.includes(data(one, "value"))));
    }
    field.classList.toggle("off", over && !isFinal(field));
  }
  for (const opener of all(".extras [data-opens]", form)) {
    const field = need(`[data-field="${data(opener, "opens")}"]`, form);
    opener.setAttribute("aria-expanded", String(!field.hidden));
    part("picked", opener).textContent = picked(field);
  }
  const keys = part("keys", form);
  keys.hidden = !active || (!("extra" in active.field.dataset) && fields.some((field) => "extra" in field.dataset && !field.hidden));
  const many = active !== null && kindOf(active.field) === "numbers";
  const half = find('[data-key="half"]', keys);
  if (half) half.hidden = many;
  for (const name of ["sign", "next"]) need(`[data-key="${name}"]`, keys).hidden = !many;
};
/**
 * Say something of the round.
 * @param {string} text
 * @param {string} kind legal, error or done; empty for a plain sentence.
 * @param {{ key: string, rule?: string } | null} broken The rule that it breaks.
 */
const sayOfRound = (text, kind = "", broken = null) => {
  const line = all("[data-says]", pad).find((one) => !one.closest("[hidden]"));
  if (!line) return;
  line.textContent = text;
  line.dataset.kind = kind;
  if (!broken?.rule) return;
  const rule = Object.assign(element("a", broken.key), { href: `${data(pad, "rules")}/${encodeURIComponent(broken.key)}` });
  line.append(" ", rule, ` ${broken.rule}`);
};
/**
 * Offer to let a refused round stand, or do not.
 * @param {boolean} may
 */
const mayLetStand = (may) => {
  if (!roundForm) return;
  part("stands", roundForm).hidden = !may;
  need(".enter", roundForm).classList.toggle("refused", may);
};

/**
 * Return the row of a round that was entered; null if it was taken back.
 * @param {number} ply
 */
const rowOf = (ply) => find(`[data-ply="${ply}"]`, pad);
/**
 * Show which round is corrected in a form.
 * @param {HTMLFormElement} form
 */
const paintCorrecting = (form) => {
  const row = correcting && rowOf(correcting.ply);
  for (const one of all("[data-ply]", pad)) one.classList.toggle("chosen", one === row);
  const line = part("correcting", form);
  line.hidden = !correcting;
  need("b", line).textContent = correcting ? `Correcting ${data(pad, "unit")} ${correcting.number}` : "";
  form.hidden = !correcting && !("next" in form.dataset);
  form.classList.toggle("at-old", Boolean(correcting));
  part("enter", form).textContent = correcting ? "Save" : "Enter";
};

// --- tapping ---

/**
 * Open an extra field, or fold all of them away; the keys write in the field that is open.
 * @param {string} name The field; empty to fold them away.
 */
const show = (name) => {
  for (const field of fields) if ("extra" in field.dataset) field.hidden = nameOf(field) !== name;
  const open = fieldOf(name);
  const first = open || fields.find((field) => isNumeric(field) && !("extra" in field.dataset));
  active = first && isNumeric(first) ? { field: first, cell: 0 } : null;
};
/**
 * Choose an answer of a field, or take it back.
 * @param {HTMLElement} field
 * @param {string} value
 */
const pick = (field, value) => {
  const name = nameOf(field);
  if (kindOf(field) === "seats" || kindOf(field) === "pairs") {
    const sign = kindOf(field) === "seats" ? "," : " ";
    const list = listOf(textOf(field), sign);
    const seat = value.split(":")[0];
    const rest = list.filter((one) => one.split(":")[0] !== seat);
    entered[name] = (list.includes(value) ? rest : [...rest, value]).sort().join(sign);
  } else entered[name] = entered[name] === value ? "" : value;
  if ("extra" in field.dataset && kindOf(field) !== "seats") show("");
};
/**
 * Return a number as a key changes it.
 * @param {string} text
 * @param {string} key A digit, or back, half or sign.
 */
export const changed = (text, key) => {
  if (key === "back") return text.endsWith(".5") ? text.slice(0, -2) : text.slice(0, -1);
  if (key === "half") return text.endsWith(".5") ? text.slice(0, -2) : `${text || "0"}.5`;
  if (key === "sign") return text.startsWith("-") ? text.slice(1) : `-${text}`;
  return text.includes(".") || text.length > 6 ? text : text === "0" ? key : text + key;
};
/**
 * Press a key, which writes in the active field.
 * @param {string} key
 */
export const press = (key) => {
  if (!active) return;
  const { field, cell } = active;
  if (kindOf(field) === "number") entered[nameOf(field)] = changed(textOf(field), key);
  else {
    const values = [...numbersOf(field)];
    if (key === "next") active.cell = (cell + 1) % values.length;
    else values[cell] = changed(values[cell], key);
    entered[nameOf(field)] = values;
  }
};
/**
 * Return the answer of a round as it is entered in a field.
 * @param {HTMLElement} field
 * @param {string} text
 */
const asEntered = (field, text) => {
  if (kindOf(field) === "numbers") return text.split(":").map((one) => (one.trim() === "-" ? "" : one.trim()));
  return text;
};
/**
 * Enter the answers of a round.
 * @param {Record<string, string>} answers
 */
export const fill = (answers) => {
  entered = {};
  for (const field of fields) if (nameOf(field) in answers) entered[nameOf(field)] = asEntered(field, answers[nameOf(field)]);
  show("");
};
/**
 * Correct a round that was entered.
 * @param {HTMLElement} row
 * @param {HTMLFormElement} form
 */
const correct = (row, form) => {
  correcting = { ply: Number(data(row, "ply")), number: data(row, "number"), names: JSON.parse(data(row, "names")) };
  fill(JSON.parse(data(row, "answers")));
  paintCorrecting(form);
  edited();
  pad.scrollIntoView();
};
/** Say what is to be entered next; nothing once the round is whole. */
const askForNext = () => {
  const missing = isWhole() ? null : fields.find((field) => "needed" in field.dataset && !textOf(field));
  sayOfRound(missing ? `${need("legend", missing).textContent}?` : "");
};
/** Show what was entered, and judge it if it is whole. */
const edited = () => {
  sending = {};
  mayLetStand(false);
  if (roundForm) paint(roundForm);
  askForNext();
  clearTimeout(waiting);
  trials++;
  if (isWhole()) waiting = setTimeout(tryRound, 150);
};

// --- the desk ---

/**
 * Return what is said of a round that was judged: a sentence, its kind, and the rule that is broken.
 * @param {Judged} found
 * @returns {[says: string, kind: string, broken?: Judged["findings"][number]]}
 */
export const verdictOf = (found) => {
  const [error] = found.findings.filter((finding) => finding.severity === "error");
  if (found.verdict !== "refused" || !error) return [found.says, "legal"];
  return [`${error.because[0].toUpperCase()}${error.because.slice(1)}.`, "error", error];
};
/** Say what the rules say of the round that is entered. */
const tryRound = async () => {
  const trial = ++trials;
  try {
    const answer = await send(data(pad, "pad"), { command: command(), ...round(), dry: true });
    const found = await answer.json();
    if (trial !== trials) return;
    if (!answer.ok) return sayOfRound(answer.status === 404 ? OVER : found.error, "error");
    sayOfRound(...verdictOf(found));
  } catch {
    if (trial === trials) sayOfRound("The desk cannot be reached now; what you tap stays here.", "error");
  }
};
/** Show how the game stands. */
const renew = async () => {
  const answer = await fetch(location.href, { cache: "no-store", headers: partHeaders() });
  if (!answer.ok) return void (answer.status === 404 && sayOfRound(OVER, "error"));
  const fresh = readParts(await answer.text());
  const totals = fresh.get("totals");
  if (totals && data(totals, "open") !== data(need('[data-live="totals"]'), "open")) return location.reload();
  for (const [name, one] of fresh) find(`[data-live="${name}"]`)?.replaceWith(one);
  const [back, again] = ["[data-take-back]", "[data-stand-again]"].map((each) => find(each));
  if (back && totals) back.hidden = data(totals, "rounds") === "0";
  if (again && totals) again.hidden = !("undone" in totals.dataset);
  if (correcting && !rowOf(correcting.ply)) ready();
  else if (correcting && roundForm) paintCorrecting(roundForm);
  if (roundForm) paintSeats(roundForm);
  return undefined;
};
const version = () => Number(data(need('[data-live="totals"]'), "version"));
/**
 * Write something, and then show how the game stands.
 * @param {string} path
 * @param {object} sent
 * @param {(found: any) => void} after Is told what the desk answered.
 */
const write = async (path, sent, after) => {
  pad.setAttribute("aria-busy", "true");
  clearTimeout(waiting);
  trials++;
  sending[path] ||= command();
  try {
    const answer = await send(path, { ...sent, command: sending[path], expected: version() });
    const found = answer.status === 404 ? { error: OVER } : await answer.json();
    delete sending[path];
    if (answer.ok) {
      await renew();
      after(found);
    } else if (answer.status === 422) {
      sayOfRound(...verdictOf(found));
      mayLetStand(true);
    } else {
      if (answer.status === 409) await renew();
      sayOfRound(found.error || "It was not stored.", "error");
    }
  } catch {
    sayOfRound("The desk cannot be reached. Nothing is lost; tap again.", "error");
  }
  pad.removeAttribute("aria-busy");
};
/** Begin the next round. */
const ready = () => {
  entered = {};
  out = "";
  correcting = null;
  show("");
  mayLetStand(false);
  if (!roundForm) return;
  paintCorrecting(roundForm);
  paint(roundForm);
};
/** Take the last round back; it stands in the form, to be entered otherwise. */
const takeBack = () => {
  const last = find("[data-answers]", pad);
  const answers = last ? JSON.parse(data(last, "answers")) : {};
  return void write(data(pad, "undo"), { plies: 1 }, () => {
    ready();
    fill(answers);
    edited();
    sayOfRound(`The last ${data(pad, "unit")} was taken back; change it and enter it, or redo it.`, "done");
  });
};
/**
 * Enter the round.
 * @param {boolean} stands Whether it is to stand although the rules refuse it.
 */
const enter = (stands) => write(data(pad, "pad"), stands ? { ...round(), stands } : round(), (found) => {
  ready();
  sayOfRound(found.says, "done");
});
pad.addEventListener("click", (event) => {
  if (pad.getAttribute("aria-busy")) return;
  const on = targetOf(event).closest("button");
  const row = /** @type {HTMLElement | null} */ (targetOf(event).closest("[data-ply]"));
  if (row && roundForm) return correct(row, roundForm);
  if (!on) return;
  const field = /** @type {HTMLElement | null} */ (on.closest("[data-field]"));
  if ("out" in on.dataset) out = data(on, "out");
  else if (field && "value" in on.dataset) pick(field, data(on, "value"));
  else if (field && "cell" in on.dataset) active = { field, cell: Number(data(on, "cell")) };
  else if (on.dataset.key && active) press(on.dataset.key);
  else if ("opens" in on.dataset) show(fieldOf(on.dataset.opens)?.hidden ? data(on, "opens") : "");
  else if ("leave" in on.dataset) ready();
  else if ("stands" in on.dataset) return void enter(true);
  else if ("takeBack" in on.dataset) return takeBack();
  else if ("standAgain" in on.dataset) return void write(data(pad, "redo"), {}, () => {
    ready();
    sayOfRound(`The ${data(pad, "unit")} stands again.`, "done");
  });
  else return;
  edited();
});
roundForm?.addEventListener("submit", (event) => {
  event.preventDefault();
  if (pad.getAttribute("aria-busy")) return;
  const missing = isOver() ? [] : fields.filter((field) => "needed" in field.dataset && !textOf(field));
  if (missing.length) return sayOfRound(`Still missing: ${missing.map((field) => need("legend", field).textContent).join(", ")}.`, "error");
  enter(false);
});
// Digits may be typed too, where there is a keyboard.
addEventListener("keydown", (event) => {
  if (!active || !roundForm || targetOf(event).closest("input,select,textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
  const key = { Backspace: "back", ".": "half", ",": "half", "-": "sign" }[event.key] || event.key;
  if (!find(`[data-key="${CSS.escape(key)}"]:not([hidden])`, roundForm)) return;
  event.preventDefault();
  press(key);
  edited();
});
ready();
if (roundForm && !roundForm.hidden) askForNext();
listen({ [data(pad, "id")]: version() }, data(pad, "as"), (event) => {
  if (event.version > version() && !pad.getAttribute("aria-busy")) renew(); // whoever writes renews by themselves
});
