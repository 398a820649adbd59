/** `dossier init`: writes a new project. */
import { randomBytes } from 'node:crypto';
import { readdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { makeFolder } from '../../adapters/make-folder.ts';
import { packageRoot, packageVersion } from '../../adapters/package-root.ts';
import { type Manifest, mergedManifest, templateOf } from '../template.ts';
import { printLine, type Terminal } from '../terminal.ts';

/** What `npm install` leaves in a folder, and a repository without files. */
const acceptedNames: ReadonlySet<string> = new Set(['.git', 'node_modules', 'package.json', 'package-lock.json']);

/** The rights that a project's folders have, as far as the user's mask lets them. */
const openMode = 0o777;

export const initCommand = (program: Command, terminal: Terminal): Command =>
  program
    .command('init')
    .description('Writes a new project: a model, a test and the settings')
    .argument('[folder]', 'a folder without other files than those of npm install', '.')
    .action((folder: string) => init(folder, terminal));

/** @throws Error when the folder has other files or can't be written */
async function init(given: string, { output }: Terminal): Promise<void> {
  const folder = resolve(given);
  await makeEmptyFolder(folder);
  const manifestFile = join(folder, 'package.json');
  const existing = await manifestIn(manifestFile);
  const secret = randomBytes(32).toString('base64url');
  const dossier = await dependencyFrom(folder);
  const { manifest, files } = templateOf({ name: packageNameOf(basename(folder)), dossier, secret });
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    makeFolder(dirname(file), openMode);
    // only the owner reads the secret
    await writeFile(file, text, { flag: 'wx', mode: path === '.env' ? 0o600 : 0o666 });
  }
  // last, so that an interrupted project has not yet changed a file that was there
  await writeFile(manifestFile, `${JSON.stringify(mergedManifest(manifest, existing), undefined, 2)}\n`);
  printLine(output, `Wrote ${['package.json', ...Object.keys(files)].join(', ')} in ${folder}`);
  printLine(output, 'Next: npm install, npm test, npm start');
}

/** @throws Error that names the file when it is not a JSON object */
async function manifestIn(file: string): Promise<Manifest> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  const manifest: unknown = parsed(text);
  if (typeof manifest !== 'object' || manifest === null || Array.isArray(manifest))
    throw new Error(`${file} must be a JSON object`);
  return { ...manifest };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The dependency on this package: its version where it is installed from a registry or a tarball, otherwise the path of the clone, which
 * npm links.
 */
async function dependencyFrom(folder: string): Promise<string> {
  const root = await realpath(fileURLToPath(packageRoot));
  if (root.split(sep).includes('node_modules')) return `^${packageVersion()}`;
  return `file:${relative(await realpath(folder), root).replaceAll(sep, '/')}`;
}

async function makeEmptyFolder(folder: string): Promise<void> {
  makeFolder(folder, openMode);
  const found = (await readdir(folder)).filter((name) => !acceptedNames.has(name));
  if (found.length === 0) return;
  const more = found.length > 3 ? `and ${found.length - 3} more` : '';
  throw new Error(
    `the folder must be new or empty, but ${folder} has ${[...found.slice(0, 3), more].filter(Boolean).join(', ')}`,
  );
}

/** A name that npm accepts: lower case, without characters that an address would escape. */
const packageNameOf = (folder: string): string =>
  folder
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 100) || 'dossier-project';
