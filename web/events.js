// The stream of events of the games that a page follows.
import { part } from "./elements.js";
import { ANEW, AWAY, OVER, isAway } from "./requests.js";

export const ended = (as) => (as && !part("tables") ? OVER : ANEW);
const SILENCE = 40_000; // milliseconds without a word after which a stream is dead: the desk sends one every 15 seconds
const REST = 2_000; // milliseconds a tab is hidden before it leaves its stream
// connection: told what to say of it, and what became of it: open, cut, away (the desk without its log), over
export const listen = (versions, as, told, connection = () => {}, delay = "") => {
  const words = new URLSearchParams(Object.entries(versions).flatMap(([id, since]) => [["game", id], ["since", since]]));
  if (as) words.set("as", as);
  if (delay) words.set("delay", delay);
  const seen = { ...versions };
  let stream = null;
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
    for (const since of Object.values(seen)) words.append("since", since);
    const mine = stream = new EventSource(`/events?${words}`);
    hear();
    for (const heard of ["open", "message", "skipped", "away", "back", "here"]) stream.addEventListener(heard, hear);
    stream.addEventListener("message", ({ data }) => {
      const event = JSON.parse(data);
      seen[event.game] = event.version;
      told(event);
    });
    stream.addEventListener("skipped", (event) => told(JSON.parse(event.data)));
    stream.addEventListener("away", () => connection(AWAY, "away"));
    for (const again of ["open", "back"]) stream.addEventListener(again, () => connection("connected", "open"));
    stream.addEventListener("error", async () => {
      connection("connecting again…", "cut");
      if (mine.readyState !== EventSource.CLOSED) return;
      // A browser gives up for good where the answer is no stream: a link that is over, or a proxy without its server.
      const asked = { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(SILENCE / 4) };
      const answer = await fetch(location.href, asked).catch(() => null);
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
export const place = (html, where = document) => {
  const fresh = new DOMParser().parseFromString(html, "text/html").querySelector('[data-live="state"]');
  if (fresh) where.querySelector('[data-live="state"]').replaceWith(document.adoptNode(fresh));
};
