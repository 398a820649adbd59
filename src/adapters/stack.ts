/** The frames of an error's stack, and whose code each of them is: the project's, a package's or the server's own. */
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot } from './package-root.ts';

/** Whose code a file is. `project`: model files, the config file, and what they import from files of the project. */
type Owner = 'server' | 'package' | 'project';

export interface Frame {
  /** The name of the function; empty for a file's own code. */
  readonly name: string;
  /** An absolute path. */
  readonly file: string;
  readonly line: number;
  readonly owner: Owner;
}

/** A line of V8's stack traces (https://v8.dev/docs/stack-trace-api). */
const traced = /^ {4}at (?:async )?(?:(.*) \()?((?:file:\/\/|\/|[a-z]:[\\/]).*?):(\d+)(?::\d+)?\)?$/i;

/**
 * The frames, from the innermost one, without those of Node itself. Empty if the stack has no known form: a message may contain text of
 * a caller that looks like frames, so frames count only directly behind the message.
 */
export function framesOf({ stack, message }: Error): readonly Frame[] {
  if (typeof stack !== 'string' || typeof message !== 'string') return [];
  const start = message === '' ? stack.indexOf('\n') : stack.indexOf(message) + message.length;
  if (!stack.includes(message) || start === -1 || !stack.startsWith('\n    at ', start)) return [];
  return stack
    .slice(start + 1)
    .split('\n')
    .flatMap(frameOf);
}

function frameOf(text: string): readonly Frame[] {
  const [, name = '', place = '', line] = traced.exec(text) ?? [];
  if (place === '') return [];
  const file = pathOf(place);
  return file === undefined ? [] : [{ name, file, line: Number(line), owner: ownerOf(file) }];
}

function pathOf(place: string): string | undefined {
  if (!place.startsWith('file:')) return place;
  try {
    return fileURLToPath(place);
  } catch {
    return undefined;
  }
}

const root = fileURLToPath(packageRoot);
/** The code of this package, in a clone with that of its packages; its other folders are examples, such as `models`. */
const ownFolders = ['dist', 'src', 'packages'].map((folder) => `${root}${folder}${sep}`);
const ownPackage = /[\\/]node_modules[\\/]dossier(?:-store|-language)?(?=[\\/])(?!.*[\\/]node_modules[\\/])/;
const anyPackage = /[\\/]node_modules[\\/]/;

function ownerOf(file: string): Owner {
  const inPackage = ownFolders.some((folder) => file.startsWith(folder) && !anyPackage.test(file.slice(root.length)));
  if (inPackage || ownPackage.test(file)) return 'server';
  return anyPackage.test(file) ? 'package' : 'project';
}

/** A frame as text, such as `recount (models/thing.js:5)`. */
export function textOf({ name, file, line }: Frame): string {
  const place = `${relative('.', file)}:${line}`;
  return name === '' ? place : `${name} (${place})`;
}

/** The name of the package that a file belongs to. */
export const packageNameOf = ({ file }: Frame): string | undefined =>
  /^.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file)?.[1]?.replaceAll('\\', '/');
