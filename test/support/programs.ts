/** The sources as JavaScript in `.test-build/`, so that the many processes that tests start need not compile them. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transformFileSync } from '@swc/core';

const folder = '.test-build';

/** Its types do not know of the extensions yet. */
const options = {
  swcrc: false,
  jsc: { parser: { syntax: 'typescript' }, target: 'es2023', rewriteRelativeImportExtensions: true },
  module: { type: 'es6' },
} as const;

/** Where the program of a source file is, such as `src/main.ts`. */
export const programOf = (source: string): string => join(folder, source.replace(/^src\//, '').replace(/ts$/, 'js'));

/** Writes what has changed only, so that runs at the same time do not meet. */
export function writePrograms(): void {
  for (const name of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue;
    const source = join('src', name);
    const { code } = transformFileSync(source, options);
    const program = programOf(source);
    if (existsSync(program) && readFileSync(program, 'utf8') === code) continue;
    mkdirSync(dirname(program), { recursive: true });
    writeFileSync(program, code);
  }
}
