/** Which package may import what: the language nothing of the store, neither anything of the server, and only what is declared. */
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

/** The package of a specifier: `@orama/stemmers` of `@orama/stemmers/danish`. */
const packageOf = (from: string): string => /^(@[^/]+\/)?[^/]+/.exec(from)?.[0] ?? '';

describe.each(['language', 'store'])('packages/%s', (name) => {
  const folder = posix.join('packages', name, 'src');
  const imports = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => posix.join(folder, file.replaceAll('\\', '/')))
    .flatMap((file) => importsOf(file).map((from) => ({ file, from })));
  const packages = imports.filter(({ from }) => !from.startsWith('.') && !isBuiltin(from));

  test('imports no file outside of itself', () => {
    const outside = imports.filter(
      ({ file, from }) => from.startsWith('.') && !posix.join(posix.dirname(file), from).startsWith(`${folder}/`),
    );
    expect(outside).toEqual([]);
  });

  test('declares the packages that it uses, and no others', () => {
    const used = new Set(packages.map(({ from }) => packageOf(from)));
    expect([...used].sort()).toEqual(Object.keys(manifestOf(name).dependencies).sort());
  });

  test('imports other packages of the house through their doors', () => {
    const inside = packages.filter(({ from }) => {
      const [other] = /^dossier-\w+/.exec(from) ?? [];
      if (other === undefined) return false;
      return !(`.${from.slice(other.length)}` in manifestOf(other.replace('dossier-', '')).exports);
    });
    expect(inside).toEqual([]);
  });
});
