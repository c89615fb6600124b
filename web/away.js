"use strict";
// Where the desk cannot be reached, what a table's page kept of itself is shown; nothing else, and never instead of an answer.
addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !(request.mode === "navigate" || ["script", "style", "image"].includes(request.destination))) return;
  event.respondWith(fetch(request).catch(async (fault) => {
    const kept = await (await caches.open("cartulary")).match(request.url);
    if (!kept) throw fault;
    return kept;
  }));
});
