/**
 * One Mongoose for packages, too. A plug-in that requires or imports `mongoose` finds the one that the project has installed, or a copy of its
 * own, whose schema types and schemas are not those of the server's Mongoose. So packages that files of models load get the server's.
 */
import { readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

type Resolve = (request: string, ...given: readonly unknown[]) => string;

/** Node's own resolution, which it does not declare. */
const loader = Module as unknown as { _resolveFilename: Resolve };
const own = createRequire(import.meta.url);

/** Loads that are running. */
let loads = 0;
let restore = (): void => undefined;

/** The files of other copies that ES modules have imported, and that stand for the server's. */
const replaced = new Set<string>();

/** Loads files, whose packages get the server's Mongoose. Packages that have been loaded before keep theirs. */
export async function withOneMongoose<T>(load: () => Promise<T>): Promise<T> {
  if (loads === 0) restore = redirect();
  loads += 1;
  try {
    return await load();
  } finally {
    loads -= 1;
    if (loads === 0) restore();
  }
}

function redirect(): () => void {
  const { _resolveFilename: resolve } = loader;
  loader._resolveFilename = function (request, ...given) {
    const other = asksForServer ? undefined : (ofServer(request) ?? replacedImport(request));
    return other ?? resolve.call(this, request, ...given);
  };
  return () => {
    loader._resolveFilename = resolve;
    // code that requires the copy later gets it
    for (const file of replaced) Reflect.deleteProperty(own.cache, file);
    replaced.clear();
  };
}

/** Whether the resolution that runs is the one of `ofServer`. */
let asksForServer = false;

/** The file of the server's Mongoose that a request names; undefined for others, and for files that this version lacks. */
function ofServer(request: string): string | undefined {
  if (request !== 'mongoose' && !request.startsWith('mongoose/')) return undefined;
  asksForServer = true;
  try {
    return own.resolve(request);
  } catch {
    return undefined;
  } finally {
    asksForServer = false;
  }
}

/** A file of a package of this name, with its path in it. */
const fileOfMongoose = /[\\/]node_modules[\\/]mongoose[\\/](.+)$/;

/**
 * Node resolves the imports of ES modules by itself. It requires an imported CommonJS file by its path, after it has made the module whose
 * exports it takes: here it gets those of the server's file.
 * @returns the path, for a file of another copy; undefined for any other request
 */
function replacedImport(path: string): string | undefined {
  const [, inner] = fileOfMongoose.exec(path) ?? [];
  const module = own.cache[path];
  if (inner === undefined || module === undefined || module.loaded) return undefined;
  const file = ofServer(inner === 'index.js' ? 'mongoose' : `mongoose/${inner.replaceAll('\\', '/')}`);
  if (file === undefined || file === path) return undefined;
  Object.assign(module, { exports: own(file) as unknown, loaded: true });
  replaced.add(path);
  return path;
}

const mainOfMongoose = /[\\/]node_modules[\\/]mongoose[\\/]index\.js$/;

/**
 * The copies of Mongoose that had been loaded before files of models were: packages that are ES modules, or that were loaded then, keep
 * them. @returns a sentence with the folder and the version of each; undefined if there are none
 */
export function otherMongoose(): string | undefined {
  const server = own.resolve('mongoose');
  const copies = Object.keys(own.cache).filter((file) => mainOfMongoose.test(file) && file !== server);
  if (copies.length === 0) return undefined;
  const named = copies.map((file) => `${relative('.', dirname(file))} (${versionOf(file)})`);
  return `the server's Mongoose is ${versionOf(server)}, and the process has loaded ${named.join(', ')} before the model files, which packages may have in its place: install mongoose@${versionOf(server)} for both, or load the models first`;
}

const versionOf = (main: string): string =>
  (JSON.parse(readFileSync(join(dirname(main), 'package.json'), 'utf8')) as { readonly version: string }).version;
