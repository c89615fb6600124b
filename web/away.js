"use strict";
// Where the desk or its log cannot be reached, what a table's page kept of itself is shown; nothing else, and never instead
// of another answer.
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !(request.mode === "navigate" || ["script", "style", "image"].includes(request.destination))) return;
  const kept = async () => (await worker.caches.open("cartulary")).match(request.url);
  event.respondWith(fetch(request).then(
    async (answer) => ([502, 503, 504].includes(answer.status) && (await kept())) || answer,
    async (fault) => {
      const page = await kept();
      if (!page) throw fault;
      return page;
    },
  ));
});
