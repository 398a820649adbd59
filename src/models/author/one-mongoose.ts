/**
 * One Mongoose for packages, too. A plug-in that requires `mongoose` finds the one that the project has installed, whose schema types and
 * schemas are not those of the server's Mongoose. So packages that files of models load get the server's.
 */
import Module, { createRequire } from 'node:module';

type Resolve = (request: string, ...given: readonly unknown[]) => string;

/** Node's own resolution, which it does not declare. */
const loader = Module as unknown as { _resolveFilename: Resolve };
const own = createRequire(import.meta.url);

/** Loads that are running. */
let loads = 0;
let restore = (): void => undefined;

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
    return ofServer(request) ?? resolve.call(this, request, ...given);
  };
  return () => void (loader._resolveFilename = resolve);
}

/** The file of the server's Mongoose that a request names; undefined for others, and for files that this version lacks. */
function ofServer(request: string): string | undefined {
  if (request !== 'mongoose' && !request.startsWith('mongoose/')) return undefined;
  try {
    return own.resolve(request);
  } catch {
    return undefined;
  }
}
