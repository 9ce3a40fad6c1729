// Service worker, with which browsers install the page as an app. While the server cannot be reached, it shows a page that says
// so. Everything else comes from the server, so that client and server always have the same version.

const PAGE = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Deepwell: no connection</title>
<style>
:root { color-scheme: light dark; font: 1.1rem/1.5 system-ui, sans-serif; }
main { max-width: 34rem; margin: 15vh auto; padding: 0 1rem; }
a { display: inline-block; padding: 0.7rem 0; }
</style>
</head>
<body>
<main>
<h1>No connection</h1>
<p>Deepwell is played on a server, which cannot be reached now. What you have and know is kept there.</p>
<p><a href="">Try again</a></p>
</main>
</body>
</html>
`;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  if (event.request.mode !== "navigate") return;
  const told = () => new Response(PAGE, { headers: { "content-type": "text/html; charset=utf-8" } });
  event.respondWith(fetch(event.request).catch(told));
});
