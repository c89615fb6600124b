// The stream of events of the games that a page follows.
import { data, find, need } from "./elements.js";
import { ANEW, AWAY, OVER, isAway } from "./requests.js";

/**
 * @typedef {object} GameEvent
 * @property {string} game
 * @property {number} version
 * @property {string} kind
 * @property {string} says
 * @property {string} [because] Why events were left out; then there is nothing else.
 * @property {string} [change] The name of a change that is no move.
 * @property {string} [live] The part of a page that shows the position, as HTML.
 * @property {string} [head]
 */
/** @typedef {"open" | "cut" | "away" | "over"} Connection away: the desk is there without its log */

/**
 * Return the sentence for a page whose address opens nothing any more.
 * @param {string} as The role of the visitor; empty if it came without a link.
 */
export const ended = (as) => (as && !find("[data-tables]") ? OVER : ANEW);
const SILENCE = 40_000; // milliseconds without a word after which a stream is dead: the desk sends one every 15 seconds
const REST = 2_000; // milliseconds a tab is hidden before it leaves its stream
/**
 * Follow games, and tell of every event.
 * @param {Record<string, string | number>} versions The version that the page shows of each game, by its id.
 * @param {string} as The role of the visitor; empty if it came without a link.
 * @param {(event: GameEvent) => void} told
 * @param {(says: string, became: Connection) => void} connection Is told what became of the connection.
 * @param {string} delay Seconds by which all is shown later; empty for none.
 * @param {boolean} boards Whether the last event of each game is to have its board.
 */
export const listen = (versions, as, told, connection = () => {}, delay = "", boards = false) => {
  const words = new URLSearchParams(Object.entries(versions).flatMap(([id, since]) => [["game", id], ["since", String(since)]]));
  if (as) words.set("as", as);
  if (delay) words.set("delay", delay);
  if (!boards) words.set("boards", "no");
  const seen = { ...versions };
  let stream = /** @type {EventSource | null} */ (null);
  let silence = 0;
  let over = false;
  const shut = () => {
    clearTimeout(silence);
    stream?.close();
    stream = null;
  };
  // A connection that has died in silence looks like one on which nothing happens, but for what the desk says of itself.
  const hear = () => {
    clearTimeout(silence);
    silence = setTimeout(() => {
      shut();
      connection("connecting again…", "cut");
      open();
    }, SILENCE);
  };
  const open = () => {
    shut();
    if (over) return;
    words.delete("since");
    for (const since of Object.values(seen)) words.append("since", String(since));
    const mine = (stream = new EventSource(`/events?${words}`));
    hear();
    for (const heard of ["open", "message", "skipped", "away", "back", "here"]) mine.addEventListener(heard, hear);
    mine.addEventListener("message", (message) => {
      const event = /** @type {GameEvent} */ (JSON.parse(message.data));
      seen[event.game] = event.version;
      told(event);
    });
    mine.addEventListener("skipped", (message) => told(JSON.parse(/** @type {MessageEvent<string>} */ (message).data)));
    mine.addEventListener("away", () => connection(AWAY, "away"));
    for (const again of ["open", "back"]) mine.addEventListener(again, () => connection("connected", "open"));
    mine.addEventListener("error", async () => {
      connection("connecting again…", "cut");
      if (mine.readyState !== EventSource.CLOSED) return;
      // A browser gives up for good where the answer is no stream: a link that is over, or a proxy without its server.
      const cut = /** @type {{ timeout: (wait: number) => AbortSignal }} */ (/** @type {unknown} */ (AbortSignal)).timeout(SILENCE / 4);
      const answer = await fetch(location.href, { method: "HEAD", cache: "no-store", signal: cut }).catch(() => null);
      if (mine !== stream) return;
      clearTimeout(silence);
      if (answer?.status === 404) {
        over = true;
        return connection(ended(as), "over");
      }
      if (isAway(answer)) connection(AWAY, "away");
      silence = setTimeout(open, 2000 + 3000 * Math.random());
    });
  };
  // A browser opens six connections to one server: a tab that nobody looks at leaves its own to the others.
  let rest = 0;
  const leaveOrReturn = () => {
    clearTimeout(rest);
    if (document.visibilityState === "hidden") rest = setTimeout(shut, REST);
    else if (!stream) open();
  };
  document.addEventListener("visibilitychange", leaveOrReturn);
  open();
  leaveOrReturn();
};
/**
 * Show the position of an event in place of the one that is shown.
 * @param {string} html
 * @param {ParentNode} where
 */
export const place = (html, where = document) => {
  const fresh = find('[data-live="state"]', new DOMParser().parseFromString(html, "text/html"));
  if (fresh) need('[data-live="state"]', where).replaceWith(document.adoptNode(fresh));
};
/**
 * Return the version of the game that a part of the page shows.
 * @param {ParentNode} where
 */
export const versionIn = (where = document) => data(need("[data-version]", where), "version");
