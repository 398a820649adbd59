/** `npm run dev`: serves from the sources and starts again when a source, a model or the config file changes. */
import { spawn } from 'node:child_process';
import { config as readDotenv } from 'dotenv';

readDotenv({ quiet: true });
const { MODELS_DIR = './models', DOSSIER_CONFIG } = process.env;
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
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 0 : 1)));
