/**
 * `npm install` and `npm ci` for commands of the guides, without a registry: a folder is linked as npm links it, and any other package is
 * a link to the one that this repository has. Run in the folder of a project, with npm's arguments.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const [command, ...words] = process.argv.slice(2);
const section = words.includes('--save-dev') ? 'devDependencies' : 'dependencies';
const named = words.filter((word) => !word.startsWith('-'));

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));
const manifest = existsSync('package.json') ? readJson('package.json') : {};

function fail(reason) {
  console.error(`npm error ${reason}`);
  process.exit(1);
}

/** Links a package and its programs, and records it. */
function link(wanted) {
  const isFolder = wanted.startsWith('.');
  const folder = isFolder ? resolve(wanted) : join(repository, 'node_modules', wanted);
  if (!existsSync(join(folder, 'package.json'))) fail(`${wanted} is no package here`);
  const { name, version, bin = {} } = readJson(join(folder, 'package.json'));
  place(folder, join('node_modules', name));
  const programs = typeof bin === 'string' ? { [name.replace(/.*\//, '')]: bin } : bin;
  for (const [program, file] of Object.entries(programs))
    place(join(resolve('node_modules', name), file), join('node_modules/.bin', program));
  return [name, isFolder ? `file:${relative('.', folder)}` : `^${version}`];
}

function place(target, path) {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  symlinkSync(target, path);
}

const folderOf = (range) => (range.startsWith('file:') ? `./${range.slice('file:'.length)}` : undefined);
if (command === 'ci') {
  if (!existsSync('package-lock.json')) fail('npm ci needs a package-lock.json');
} else if (named.length > 0) {
  manifest[section] = { ...manifest[section], ...Object.fromEntries(named.map(link)) };
  writeFileSync('package.json', JSON.stringify(manifest, undefined, 2));
} else {
  const declared = { ...manifest.dependencies, ...manifest.devDependencies };
  for (const [name, range] of Object.entries(declared)) link(folderOf(range) ?? name);
}
