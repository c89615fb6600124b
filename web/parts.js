// The parts of a page that change while it is open. A page asks for those alone that have changed since it last asked.
import { need } from "./elements.js";

/** @type {Map<string, { mark: string, html: string }>} By name, each part as it came last; none that came with the page. */
const latest = new Map();
/** Return the headers of a request for the parts of this page. */
export const partHeaders = () => ({ "X-Cartulary-Parts": [...latest].map(([name, { mark }]) => `${name}=${mark}`).join(",") || "-" });
/**
 * Return the parts of an answer, each as an element by the name that it has in data-live.
 * @param {string} body
 * @throws if the answer is not from the desk
 */
export const readParts = (body) => {
  /** @type {Record<string, [mark: string, html: string]>} */
  let parts;
  try {
    ({ parts } = JSON.parse(body));
    Object.entries(parts);
  } catch {
    throw new Error("This answer is not from the desk.");
  }
  return new Map(Object.entries(parts).map(([name, [mark, html]]) => {
    latest.set(name, { mark, html });
    return [name, document.adoptNode(need(`[data-live="${name}"]`, new DOMParser().parseFromString(html, "text/html")))];
  }));
};
/**
 * Return a page as it was answered with its parts as they came last.
 * @param {string} page
 */
export const withParts = (page) => [...latest].reduce((text, [name, { html }]) => {
  const begins = `<!--part ${name}-->`;
  const from = text.indexOf(begins);
  const to = text.indexOf("<!--/part-->", from);
  return from < 0 || to < 0 ? text : text.slice(0, from + begins.length) + html + text.slice(to);
}, page);
