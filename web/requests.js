// What is sent to the desk, and the sentences for an answer that does not come.
export const OVER = "This link no longer opens anything. Ask whoever runs the evening for another card.";
export const ANEW = "The desk was started again. Open the address it printed.";
export const AWAY = "The desk cannot reach its log right now";
export const FULL = "The disk of the desk is full; tell whoever runs the evening";
/** Return a new command: a request that is sent again with the same command is carried out once. */
export const command = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (one) => one.toString(16).padStart(2, "0")).join("");
/**
 * Return what `fetch` takes to post a body.
 * @param {unknown} body
 */
export const posted = (body) => ({
  method: "POST",
  headers: { "Content-Type": "application/json", "X-Cartulary-Desk": "1" },
  body: JSON.stringify(body),
});
/**
 * Post a body, and return the answer.
 * @param {string} path
 * @param {unknown} body
 */
export const send = (path, body) => fetch(path, posted(body));
/**
 * Return whether an answer says that the desk cannot reach its log.
 * @param {Response | null} answer
 */
export const isAway = (answer) => answer?.status === 503 && answer.headers.has("Retry-After");
