/**
 * `npm run dev`: serves from the sources and starts again when a source, a model or the config file changes; and serves the console
 * with hot reload, at a port of its own.
 */
import { spawn } from 'node:child_process';
import { config as readDotenv } from 'dotenv';
import { build } from './build.mjs';

readDotenv({ quiet: true });
// threads run built programs
await build();
const { MODELS_DIR = './models', DOSSIER_CONFIG, HOST = '127.0.0.1', PORT = '4001' } = process.env;
const watched = [`${MODELS_DIR}/**/*`, './dossier.config.*', ...(DOSSIER_CONFIG ? [DOSSIER_CONFIG] : [])];
const child = spawn(
  process.execPath,
  [
    ...['node_modules/tsx/dist/cli.mjs', 'watch', '--clear-screen=false'],
    ...watched.flatMap((path) => ['--include', path]),
    ...['src/main.ts', ...process.argv.slice(2)],
  ],
  { stdio: 'inherit' },
);
const consoleChild = spawn(
  process.execPath,
  ['../../node_modules/vite/bin/vite.js', '--clearScreen', 'false', '--logLevel', 'warn'],
  {
    cwd: 'packages/console',
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, DOSSIER_URL: `http://${HOST}:${PORT}` },
  },
);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => {
  consoleChild.kill();
  process.exit(code ?? (signal === null ? 0 : 1));
});
