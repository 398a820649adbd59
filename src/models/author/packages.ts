/** What the manifest (`package.json`) of a file says of it: its module system, and whether it depends on Mongoose. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../../adapters/package-root.ts';

/** The parts of a manifest that are read. */
interface Manifest {
  readonly name?: unknown;
  readonly type?: unknown;
  readonly dependencies?: object;
  readonly peerDependencies?: object;
}

/** The manifests of a folder and of those that it is in, from the nearest one, with their folders. */
function* manifestsOf(folder: string): Generator<readonly [folder: string, Manifest]> {
  const manifest = join(folder, 'package.json');
  if (existsSync(manifest)) yield [folder, JSON.parse(readFileSync(manifest, 'utf8')) as Manifest];
  const outer = dirname(folder);
  if (folder !== outer) yield* manifestsOf(outer);
}

/** Whether Node itself would load a file as an ES module, rather than a compiler's output as CommonJS. */
export function isNativeModule(file: string): boolean {
  if (/\.[mc][jt]s$/.test(file)) return !/\.c[jt]s$/.test(file);
  for (const [, { type }] of manifestsOf(dirname(file))) return type === 'module';
  return false;
}

/** Whether the package of a file depends on Mongoose, as a plug-in does; the server itself is none. It reads each manifest once. */
export function packagesOfMongoose(): (file: string) => boolean {
  const folders = new Map<string, boolean>();
  const server = fileURLToPath(packageRoot);
  return (file) => {
    const inner = dirname(file);
    const known = folders.get(inner) ?? dependsOnMongoose(inner, server);
    folders.set(inner, known);
    return known;
  };
}

function dependsOnMongoose(inner: string, server: string): boolean {
  for (const [folder, { name, dependencies, peerDependencies }] of manifestsOf(inner))
    // others only say the module system of a folder
    if (name !== undefined)
      return join(folder, '/') !== server && 'mongoose' in { ...dependencies, ...peerDependencies };
  return false;
}
