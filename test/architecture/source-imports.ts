/** The imports of all files of the sources, read from their import lines. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

export interface Import {
  readonly file: string;
  /** A file of the sources, or the name of a package. */
  readonly from: string;
  readonly isPackage: boolean;
  readonly typeOnly: boolean;
  /** Whether it is loaded when a function runs. */
  readonly isLazy: boolean;
}

/** The files of the sources, such as `read/page.ts`. */
export const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts'));

/** @param text of the file */
export function importsOf(file: string, text: string): Import[] {
  const statements = [...text.matchAll(/^(import|export)\s(type\s)?(?:[^;']*?\sfrom\s)?'([^']+)';/gm)];
  const dynamic = [...text.matchAll(/\bimport\(\s*'([^']+)'/g)];
  return [
    ...statements.map(([, , type, from = '']) => importOf(file, from, type !== undefined, false)),
    ...dynamic.map(([, from = '']) => importOf(file, from, false, true)),
  ].filter(({ from }) => !from.startsWith('node:'));
}

const importOf = (file: string, from: string, typeOnly: boolean, isLazy: boolean): Import => ({
  file,
  from: from.startsWith('.') ? posix.join(posix.dirname(file), from) : from,
  isPackage: !from.startsWith('.'),
  typeOnly,
  isLazy,
});

export const imports = files.flatMap((file) => importsOf(file, readFileSync(join('src', file), 'utf8')));
