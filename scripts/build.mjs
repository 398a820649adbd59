/**
 * Bundles `src` and `packages/<name>/src` into the `dist` folder beside each, when a source has changed, and builds the console likewise.
 * A bundle has a file for each program and chunks that the programs share: Node finds and links a few files instead of hundreds.
 * It does not check types, which `npm run types` does, and writes no declarations, which `npm run build` does.
 * Starting the server, the tests and the benchmarks call it first; a tree without sources has nothing to build.
 */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

/** Programs by folder: what `package.json` exports, what processes and threads run. A path in `src` by the name in `dist`. */
const programs = {
  '.': {
    main: 'main',
    index: 'index',
    core: 'core',
    jxp: 'jxp',
    worker: 'workers/worker',
    'parent-watch': 'cli/parent-watch',
    'hash-worker': 'auth/passwords/hash-worker',
    'match-worker': 'features/events/matching/match-worker',
  },
  'packages/client': { index: 'index' },
  'packages/language': {
    index: 'index',
    errors: 'errors',
    ...Object.fromEntries(
      ['values', 'query', 'query/regex', 'update', 'project', 'sort', 'text', 'aggregate'].map((folder) => [
        `${folder}/index`,
        `${folder}/index`,
      ]),
    ),
  },
  'packages/store': {
    index: 'index',
    launch: 'launch',
    command: 'command',
    exit: 'exit',
    'single-flight': 'single-flight',
    cli: 'cli',
    worker: 'worker',
    'copy-thread': 'copy-thread',
  },
};

const optionsOf = (root) => ({
  entryPoints: Object.entries(programs[root]).map(([out, name]) => ({ out, in: join(root, 'src', `${name}.ts`) })),
  outdir: join(root, 'dist'),
  chunkNames: 'chunk-[hash]',
  bundle: true,
  splitting: true,
  // without the paths of tsconfig.json, which lead to the sources of the packages
  tsconfigRaw: {},
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  sourcemap: true,
  write: false,
  logLevel: 'error',
});

/** The console is a bundle, which Vite builds. */
const consoleRoot = join('packages', 'console');

const filesIn = (folder, ...endings) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    endings.some((ending) => name.endsWith(ending)),
  );

const modifiedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? -Infinity;

/** The newest change in a folder, which changes itself when a file is renamed or removed. */
const changedAt = (folder) =>
  Math.max(modifiedAt(folder), ...filesIn(folder, '').map((name) => modifiedAt(join(folder, name))));

/** Another process that builds at the same time, or reads, never sees half a file. */
function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, text);
  renameSync(temporary, file);
}

export async function build() {
  await Promise.all([...Object.keys(programs).map(bundle), buildConsole()]);
}

async function bundle(root) {
  const source = join(root, 'src');
  const output = join(root, 'dist');
  const builder = join('scripts', 'build.mjs');
  if (!existsSync(source)) return;
  const builtAt = Math.min(...Object.keys(programs[root]).map((name) => modifiedAt(join(output, `${name}.js`))));
  if (builtAt > Math.max(changedAt(source), modifiedAt(builder))) return;
  const { build: bundled } = await import('esbuild');
  const { outputFiles } = await bundled(optionsOf(root));
  // chunks before the programs that import them, and what nothing imports any more at the end
  const isProgram = ({ path }) => !/chunk-[^/\\]+$/.test(path);
  for (const { path, contents } of [...outputFiles].sort((one, other) => isProgram(one) - isProgram(other)))
    write(path, contents);
  const written = new Set(outputFiles.map(({ path }) => path));
  const isOutdated = (name) =>
    name.endsWith('.d.ts')
      ? !existsSync(join(source, name.replace(/d\.ts$/, 'ts')))
      : !written.has(resolve(output, name));
  for (const name of filesIn(output, '.js', '.js.map', '.d.ts').filter(isOutdated))
    rmSync(join(output, name), { force: true });
}

/** The newest change of what the console is built from. */
function consoleChangedAt() {
  const folders = [join(consoleRoot, 'src'), join('packages', 'client', 'src')].filter((folder) => existsSync(folder));
  const single = ['index.html', 'vite.config.ts', 'package.json'].map((name) => join(consoleRoot, name));
  return Math.max(...folders.map(changedAt), ...[...single, 'package-lock.json'].map(modifiedAt));
}

/** Takes some seconds, once for each change of the sources. An installation without the development tools uses what is there. */
async function buildConsole() {
  const output = join(consoleRoot, 'dist');
  if (!existsSync(join(consoleRoot, 'src')) || modifiedAt(join(output, 'index.html')) > consoleChangedAt()) return;
  const vite = join('node_modules', 'vite', 'bin', 'vite.js');
  if (!existsSync(vite)) return;
  const temporary = resolve('node_modules', '.cache', `console-${process.pid}`);
  // the tests, which have another environment, try what people get
  await promisify(execFile)(
    process.execPath,
    [vite, 'build', consoleRoot, '--logLevel', 'error', '--outDir', temporary, '--emptyOutDir'],
    { env: { ...process.env, NODE_ENV: 'production' } },
  );
  // of two that build at the same time, the later one replaces the files of the other
  rmSync(output, { recursive: true, force: true });
  cpSync(temporary, output, { recursive: true });
  rmSync(temporary, { recursive: true });
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await build();
