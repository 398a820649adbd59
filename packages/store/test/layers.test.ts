/**
 * Import rules: the language imports nothing of the store, neither imports the server, and only declared packages are
 * used.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix } from 'node:path';
import { describe, expect, test } from '@jest/globals';

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, unknown>>;
}

const manifestOf = (name: string): Manifest =>
  JSON.parse(readFileSync(join('packages', name, 'package.json'), 'utf8')) as Manifest;

const importsOf = (file: string): readonly string[] =>
  [
    ...readFileSync(file, 'utf8').matchAll(
      /^(?:import\s|import\s[^;']*\sfrom\s|export\s[^;'=]*\sfrom\s)'([^']+)';|\bimport\('([^']+)'\)/gm,
    ),
  ].map(([, statement, call]) => statement ?? call ?? '');

/** The package of a specifier: `@orama/stemmers` for `@orama/stemmers/danish`. */
const packageOf = (from: string): string => /^(@[^/]+\/)?[^/]+/.exec(from)?.[0] ?? '';

describe.each(['language', 'store'])('packages/%s', (name) => {
  const folder = posix.join('packages', name, 'src');
  const imports = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => posix.join(folder, file.replaceAll('\\', '/')))
    .flatMap((file) => importsOf(file).map((from) => ({ file, from })));
  const packages = imports.filter(({ from }) => !from.startsWith('.') && !isBuiltin(from));

  test('imports no file outside of the package', () => {
    const outside = imports.filter(
      ({ file, from }) => from.startsWith('.') && !posix.join(posix.dirname(file), from).startsWith(`${folder}/`),
    );
    expect(outside).toEqual([]);
  });

  test('declares exactly the packages that it uses', () => {
    const used = new Set(packages.map(({ from }) => packageOf(from)));
    expect([...used].sort()).toEqual(Object.keys(manifestOf(name).dependencies).sort());
  });

  test('imports other workspaces through their exports', () => {
    const inside = packages.filter(({ from }) => {
      const [other] = /^dossier-\w+/.exec(from) ?? [];
      if (other === undefined) return false;
      return !(`.${from.slice(other.length)}` in manifestOf(other.replace('dossier-', '')).exports);
    });
    expect(inside).toEqual([]);
  });
});

/** The folders of the store that each folder may import from, besides itself. */
const storeFolders: Readonly<Record<string, readonly string[]>> = {
  storage: ['login'],
  login: [],
  engine: ['storage'],
  commands: ['engine', 'login'],
  wire: ['commands', 'engine', 'login'],
};

test.each(Object.entries(storeFolders))('%s of the store imports only lower folders', (folder, lower) => {
  const source = posix.join('packages/store/src', folder);
  const others = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => posix.join(source, file.replaceAll('\\', '/')))
    .flatMap((file) => importsOf(file).map((from) => posix.join(posix.dirname(file), from)))
    .filter((path) => path.startsWith('packages/store/src/'))
    .map((path) => path.slice('packages/store/src/'.length).split('/'))
    .flatMap(([name = '', ...rest]) => (rest.length === 0 ? [] : [name]));
  expect(others.filter((name) => name !== folder && !lower.includes(name))).toEqual([]);
});
