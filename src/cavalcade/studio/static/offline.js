// The page on a host, without the network: a service worker that keeps its files. New ones come first where they can.

const FILES = ["./", "index.html", "studio.js", "data.js", "icon.svg", "tour.svg"];
const worker = /** @type {any} */ (globalThis);

/** Keep a file, and hand it on. @param {Request} request */
async function fetched(request) {
  const cache = await caches.open("cavalcade");
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const found = await cache.match(request, { ignoreSearch: true });
    if (found) return found;
    throw error;
  }
}

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(caches.open("cavalcade").then((cache) => cache.addAll(FILES))));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  if (event.request.method === "GET" && new URL(event.request.url).origin === worker.location.origin) event.respondWith(fetched(event.request));
});
