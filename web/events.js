// The stream of events of the games that a page follows.
import { part } from "./elements.js";
import { ANEW, AWAY, OVER, isAway } from "./requests.js";

export const ended = (as) => (as && !part("tables") ? OVER : ANEW);
// connection: told what to say of it, and what became of it: open, cut, away (the desk without its log), over
export const listen = (versions, as, told, connection = () => {}, delay = "") => {
  const words = new URLSearchParams(Object.entries(versions).flatMap(([id, since]) => [["game", id], ["since", since]]));
  if (as) words.set("as", as);
  if (delay) words.set("delay", delay);
  const seen = { ...versions };
  const open = () => {
    words.delete("since");
    for (const since of Object.values(seen)) words.append("since", since);
    const stream = new EventSource(`/events?${words}`);
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
      if (stream.readyState !== EventSource.CLOSED) return;
      // A browser gives up for good where the answer is no stream: a link that is over, or a proxy without its server.
      const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" }).catch(() => null);
      if (answer?.status === 404) return connection(ended(as), "over");
      if (isAway(answer)) connection(AWAY, "away");
      setTimeout(open, 2000 + 3000 * Math.random());
    });
  };
  open();
};
export const place = (html, where = document) => {
  const fresh = new DOMParser().parseFromString(html, "text/html").querySelector('[data-live="state"]');
  if (fresh) where.querySelector('[data-live="state"]').replaceWith(document.adoptNode(fresh));
};
