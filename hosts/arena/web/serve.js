// Serves the page: `node serve.js FOLDER [PORT]`. Without a port it takes a free one.

import { createReadStream, existsSync } from "node:fs";
import { createServer } from "node:http";
import { basename, extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const KINDS = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".wasm": "application/wasm" };

export const serve = (folder, port = 0) => new Promise((served, failed) => {
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://page").pathname;
    // One folder, and nothing below it.
    const file = join(folder, path === "/" ? "index.html" : basename(path));
    const kind = KINDS[extname(file)];
    if (!kind || !existsSync(file)) {
      response.writeHead(path === "/favicon.ico" ? 204 : 404).end();
      return;
    }
    response.writeHead(200, { "Content-Type": kind });
    createReadStream(file).pipe(response);
  });
  server.on("error", failed);
  server.listen(port, "127.0.0.1", () => served({
    url: `http://127.0.0.1:${server.address().port}/`,
    end: () => { server.closeAllConnections(); server.close(); },
  }));
});

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder, port] = process.argv.slice(2);
  const { url } = await serve(folder, Number(port ?? 0));
  console.log(`play at ${url}`);
}
