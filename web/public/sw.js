/**
 * Without a connection a navigation gets a page that says so and tries again. Nothing else is ever
 * answered from here: no answer of the house is kept, files with a hash are the browser's to keep.
 */
const CACHE = "offline-1";
const PAGE = "/offline.html";
const KEPT = [PAGE, "/offline.css", "/favicon.svg"];

addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(KEPT))
      .then(() => skipWaiting()),
  );
});

addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))),
      )
      .then(() => clients.claim()),
  );
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => kept(PAGE)));
  else if (KEPT.includes(pathname)) event.respondWith(fetch(request).catch(() => kept(pathname)));
});

function kept(path) {
  return caches.open(CACHE).then((cache) => cache.match(path));
}
