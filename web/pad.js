// A pad: a round is put together by taps, judged while it is, and entered; then the form is ready for the next one.
import { element } from "./elements.js";
import { listen } from "./events.js";
import { OVER, command, send } from "./requests.js";

const pad = document.querySelector("[data-pad]");
const roundForm = pad?.querySelector("[data-round]");
const fields = roundForm ? [...roundForm.querySelectorAll("[data-field]")] : [];
let entered = {}; // by field: a text, or for numbers one text a seat
let active = null; // the field that the keys write in, and its cell
let out = ""; // who sits out in the next round, if that is tapped
let correcting = null; // the ply and the number of the round that is corrected; null for the next round
let sending = {}; // by address: the command of what has had no answer yet
let trials = 0;
let waiting = 0;

const fieldOf = (name) => fields.find((field) => field.dataset.field === name);
const kindOf = (field) => field.dataset.kind;
const isNumeric = (field) => kindOf(field).startsWith("number");
const listOf = (text, sign) => (text || "").split(sign).filter(Boolean);
const textOf = (field) => {
  const value = entered[field.dataset.field];
  if (kindOf(field) !== "numbers") return value || "";
  return value?.some((one) => one) ? value.join(":") : "";
};
const isOver = () => fields.some((field) => field.dataset.final && textOf(field) === field.dataset.final);
const body = () => {
  const last = fields.findIndex((field) => field.dataset.final && textOf(field) === field.dataset.final);
  const sent = last < 0 ? fields : fields.slice(0, last + 1);
  return Object.fromEntries(sent.map((field) => [field.dataset.field, textOf(field)]).filter(([, text]) => text));
};
const round = () => (correcting ? { answers: body(), ply: correcting.ply } : out ? { answers: body(), sits_out: out } : { answers: body() });
const isWhole = () => isOver() || fields.every((field) => !("needed" in field.dataset) || textOf(field));

// --- what is shown ---

// The seats are called by who sits there: in the next round, or in the round that is corrected.
const sitters = () => {
  if (correcting) return correcting.names;
  const { names, now, waiting, plays } = roundForm.querySelector('[data-live="seats"]').dataset;
  if (!out) return JSON.parse(names);
  return JSON.parse(now).map((name) => (name === out && !JSON.parse(waiting).includes(out) ? plays : name));
};
const paintSeats = () => {
  const names = sitters();
  const around = [...roundForm.querySelectorAll("[data-out]")].map((one) => one.dataset.out);
  for (const one of roundForm.querySelectorAll("[data-seat]")) {
    one.textContent = names[one.dataset.seat - 1];
    if (around.length && one.dataset.value) one.style.order = around.indexOf(one.textContent.replace(/[\u2068\u2069]/g, "")) - around.length; // as they sit
  }
  for (const one of roundForm.querySelectorAll("[data-of]")) one.setAttribute("aria-label", `${names[one.dataset.of - 1]}, ${one.textContent}`);
  roundForm.querySelector('[data-live="seats"]').hidden = Boolean(correcting);
  for (const one of roundForm.querySelectorAll("[data-out]")) one.setAttribute("aria-pressed", !names.includes(one.dataset.out));
};

const shownNumber = (text) => (text || "–").replace("-", "−").replace(".5", "½");
const paintNumber = (field) => {
  const text = entered[field.dataset.field] || "";
  field.querySelector("[data-shown]").textContent = shownNumber(text);
  const other = field.querySelector("[data-other]");
  if (!other) return;
  const rest = Number(other.dataset.most) - Number(text);
  other.textContent = text === "" ? `of ${other.dataset.most}` : rest < 0 ? `more than ${other.dataset.most}` : `the other side ${shownNumber(String(rest))}`;
};
const paintNumbers = (field) => {
  const values = entered[field.dataset.field] || [];
  for (const cell of field.querySelectorAll("[data-cell]")) {
    const index = Number(cell.dataset.cell);
    cell.querySelector("[data-shown]").textContent = shownNumber(values[index]);
    cell.setAttribute("aria-pressed", active?.field === field && active.cell === index);
  }
};
const picked = (field) => {
  if (isNumeric(field)) return textOf(field);
  return [...field.querySelectorAll('[aria-pressed="true"]')].map((one) => one.getAttribute("aria-label") || one.textContent).join(", ");
};
const paint = () => {
  const over = isOver();
  paintSeats();
  for (const field of fields) {
    if (kindOf(field) === "number") paintNumber(field);
    else if (kindOf(field) === "numbers") paintNumbers(field);
    else {
      const chosen = kindOf(field) === "seats" ? listOf(textOf(field), ",") : kindOf(field) === "pairs" ? listOf(textOf(field), " ") : [textOf(field)];
      for (const one of field.querySelectorAll("[data-value]")) one.setAttribute("aria-pressed", chosen.includes(one.dataset.value));
    }
    field.classList.toggle("off", over && !(field.dataset.final && textOf(field) === field.dataset.final));
  }
  for (const opener of roundForm.querySelectorAll(".extras [data-opens]")) {
    const field = fieldOf(opener.dataset.opens);
    opener.setAttribute("aria-expanded", !field.hidden);
    opener.querySelector("[data-picked]").textContent = picked(field);
  }
  const keys = roundForm.querySelector("[data-keys]");
  keys.hidden = !active || (!("extra" in active.field.dataset) && fields.some((field) => "extra" in field.dataset && !field.hidden));
  const many = active && kindOf(active.field) === "numbers";
  keys.querySelector('[data-key="half"]').hidden = Boolean(many);
  for (const name of ["sign", "next"]) keys.querySelector(`[data-key="${name}"]`).hidden = !many;
};
const sayOfRound = (text, kind = "", broken = null) => {
  const line = [...pad.querySelectorAll("[data-says]")].find((one) => !one.closest("[hidden]"));
  line.textContent = text;
  line.dataset.kind = kind;
  if (!broken?.rule) return;
  const rule = element("a", broken.key);
  rule.href = `${pad.dataset.rules}/${encodeURIComponent(broken.key)}`;
  line.append(" ", rule, ` ${broken.rule}`);
};
const mayLetStand = (may) => {
  if (!roundForm) return;
  roundForm.querySelector("[data-stands]").hidden = !may;
  roundForm.querySelector(".enter").classList.toggle("refused", may);
};

const paintCorrecting = () => {
  const row = correcting && pad.querySelector(`[data-ply="${correcting.ply}"]`);
  for (const one of pad.querySelectorAll("[data-ply]")) one.classList.toggle("chosen", one === row);
  const line = roundForm.querySelector("[data-correcting]");
  line.hidden = !correcting;
  line.querySelector("b").textContent = correcting ? `Correcting round ${correcting.number}` : "";
  roundForm.hidden = !correcting && !("next" in roundForm.dataset);
  roundForm.classList.toggle("at-old", Boolean(correcting));
  roundForm.querySelector("[data-enter]").textContent = correcting ? "Save" : "Enter";
};

// --- tapping ---

const show = (name) => {
  for (const field of fields) if ("extra" in field.dataset) field.hidden = field.dataset.field !== name;
  const open = name && fieldOf(name);
  const first = open || fields.find((field) => isNumeric(field) && !("extra" in field.dataset));
  active = first && isNumeric(first) ? { field: first, cell: 0 } : null;
};
const pick = (field, value) => {
  const name = field.dataset.field;
  if (kindOf(field) === "seats" || kindOf(field) === "pairs") {
    const sign = kindOf(field) === "seats" ? "," : " ";
    const list = listOf(entered[name], sign);
    const seat = value.split(":")[0];
    const rest = list.filter((one) => one.split(":")[0] !== seat);
    entered[name] = (list.includes(value) ? rest : [...rest, value]).sort().join(sign);
  } else entered[name] = entered[name] === value ? "" : value;
  if ("extra" in field.dataset && kindOf(field) !== "seats") show("");
};
const changed = (text, key) => {
  if (key === "back") return text.endsWith(".5") ? text.slice(0, -2) : text.slice(0, -1);
  if (key === "half") return text.endsWith(".5") ? text.slice(0, -2) : `${text || "0"}.5`;
  if (key === "sign") return text.startsWith("-") ? text.slice(1) : `-${text}`;
  return text.includes(".") || text.length > 6 ? text : text === "0" ? key : text + key;
};
const press = (key) => {
  const { field, cell } = active;
  const name = field.dataset.field;
  if (kindOf(field) === "number") entered[name] = changed(entered[name] || "", key);
  else {
    const seats = field.querySelectorAll("[data-cell]").length;
    const values = entered[name] || Array(seats).fill("");
    if (key === "next") active.cell = (cell + 1) % seats;
    else values[cell] = changed(values[cell], key);
    entered[name] = values;
  }
};
const asEntered = (field, text) => {
  if (kindOf(field) === "numbers") return text.split(":").map((one) => (one.trim() === "-" ? "" : one.trim()));
  return text;
};
const fill = (answers) => {
  entered = {};
  for (const [name, text] of Object.entries(answers)) if (fieldOf(name)) entered[name] = asEntered(fieldOf(name), text);
  show("");
};
const correct = (row) => {
  correcting = { ply: Number(row.dataset.ply), number: row.dataset.number, names: JSON.parse(row.dataset.names) };
  fill(JSON.parse(row.dataset.answers));
  paintCorrecting();
  edited();
  pad.scrollIntoView();
};
const edited = () => {
  sending = {};
  mayLetStand(false);
  paint();
  sayOfRound("");
  clearTimeout(waiting);
  trials++;
  if (isWhole()) waiting = setTimeout(tryRound, 150);
};

// --- the desk ---

const told = (found) => {
  const [error] = found.findings.filter((finding) => finding.severity === "error");
  if (found.verdict !== "refused" || !error) return [found.says, "legal"];
  return [`${error.because[0].toUpperCase()}${error.because.slice(1)}.`, "error", error];
};
const tryRound = async () => {
  const trial = ++trials;
  try {
    const answer = await send(pad.dataset.pad, { command: command(), ...round(), dry: true });
    const found = await answer.json();
    if (trial !== trials) return;
    if (!answer.ok) return sayOfRound(answer.status === 404 ? OVER : found.error, "error");
    sayOfRound(...told(found));
  } catch {
    if (trial === trials) sayOfRound("The desk cannot be reached now; what you tap stays here.", "error");
  }
};
const renew = async () => {
  const answer = await fetch(location.href, { cache: "no-store" });
  if (!answer.ok) return answer.status === 404 && sayOfRound(OVER, "error");
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const [fresh, here] = [page, document].map((each) => each.querySelector('[data-live="totals"]'));
  if (!fresh) return undefined;
  if (fresh.dataset.open !== here.dataset.open) return location.reload();
  for (const part of document.querySelectorAll("[data-live]")) part.replaceWith(document.adoptNode(page.querySelector(`[data-live="${part.dataset.live}"]`)));
  const [back, there] = [document, page].map((each) => each.querySelector("[data-take-back]"));
  if (back && there) back.hidden = there.hidden;
  if (correcting && !pad.querySelector(`[data-ply="${correcting.ply}"]`)) ready();
  else if (correcting) paintCorrecting();
  if (roundForm) paintSeats();
  return undefined;
};
const version = () => Number(document.querySelector('[data-live="totals"]').dataset.version);
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
      sayOfRound(...told(found));
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
const ready = () => {
  entered = {};
  out = "";
  correcting = null;
  show("");
  mayLetStand(false);
  paintCorrecting();
  paint();
};
const enter = (stands) => write(pad.dataset.pad, stands ? { ...round(), stands } : round(), (found) => {
  ready();
  sayOfRound(found.says, "done");
});
pad?.addEventListener("click", ({ target }) => {
  const on = target.closest("button");
  if (pad.getAttribute("aria-busy")) return;
  const row = target.closest("[data-ply]");
  if (row) return void correct(row);
  if (!on) return;
  const field = on.closest("[data-field]");
  if ("out" in on.dataset) out = on.dataset.out;
  else if ("value" in on.dataset) pick(field, on.dataset.value);
  else if ("cell" in on.dataset) active = { field, cell: Number(on.dataset.cell) };
  else if (on.dataset.key && active) press(on.dataset.key);
  else if ("opens" in on.dataset) show(fieldOf(on.dataset.opens)?.hidden ? on.dataset.opens : "");
  else if ("leave" in on.dataset) ready();
  else if ("stands" in on.dataset) return void enter(true);
  else if ("takeBack" in on.dataset) return void write(pad.dataset.undo, { plies: 1 }, () => sayOfRound("The last round was taken back.", "done"));
  else return;
  edited();
});
roundForm?.addEventListener("submit", (event) => {
  event.preventDefault();
  if (pad.getAttribute("aria-busy")) return;
  const missing = isOver() ? [] : fields.filter((field) => "needed" in field.dataset && !textOf(field));
  if (missing.length) return sayOfRound(`Still missing: ${missing.map((field) => field.querySelector("legend").textContent).join(", ")}.`, "error");
  enter(false);
});
// Digits may be typed too, where there is a keyboard.
addEventListener("keydown", (event) => {
  if (!active || event.target.closest("input,select,textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
  const key = { Backspace: "back", ".": "half", ",": "half", "-": "sign" }[event.key] || event.key;
  if (!roundForm.querySelector(`[data-key="${CSS.escape(key)}"]:not([hidden])`)) return;
  event.preventDefault();
  press(key);
  edited();
});
if (pad) {
  if (roundForm) ready();
  listen({ [pad.dataset.id]: version() }, pad.dataset.as, (event) => {
    if (event.version > version() && !pad.getAttribute("aria-busy")) renew(); // whoever writes renews by themselves
  });
}
