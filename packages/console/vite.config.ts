/** Builds the console: hashed files, each also compressed, and an index that names them relative to `/console`. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type ProxyOptions } from 'vite';

/** Writes a `.br` and a `.gz` beside each file whose name has a hash, so that the server compresses nothing. */
const compressed = (): Plugin => ({
  name: 'compressed',
  apply: 'build',
  writeBundle({ dir = '' }) {
    for (const name of readdirSync(dir)) {
      if (!/\.(js|css)$/.test(name)) continue;
      const content = readFileSync(join(dir, name));
      const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
      writeFileSync(join(dir, `${name}.br`), brotliCompressSync(content, quality));
      writeFileSync(join(dir, `${name}.gz`), gzipSync(content, { level: 9 }));
    }
  },
});

/** The server that `npm run dev` starts; everything but the page and its sources goes there. */
const server = process.env['DOSSIER_URL'] ?? 'http://127.0.0.1:4001';

/** While the server starts, or starts again, its requests are answered so that the client repeats them. */
const waitForServer: ProxyOptions['configure'] = (proxy) => {
  proxy.on('error', (_error, _request, answer) => {
    if (!('writeHead' in answer)) return;
    answer.writeHead(503, { 'content-type': 'application/json', 'retry-after': '3' });
    answer.end(JSON.stringify({ status: 'fail', message: 'Unavailable', err: 'the server is starting' }));
  });
};

export default defineConfig({
  server: {
    host: '127.0.0.1',
    proxy: {
      '^/(?!$|[?]|index\\.html|@|src/|node_modules/)': { target: server, ws: true, configure: waitForServer },
    },
  },
  plugins: [react(), compressed()],
  // its sources, so that nothing has to be built before
  resolve: { alias: { 'dossier-client': fileURLToPath(new URL('../client/src/index.ts', import.meta.url)) } },
  // the server replaces it with a random value at each request
  html: { cspNonce: '{{nonce}}' },
  build: {
    assetsDir: '',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    target: 'es2022',
  },
  experimental: {
    renderBuiltUrl: (name, { hostType }) => (hostType === 'html' ? `./console/${name}` : { relative: true }),
  },
});
