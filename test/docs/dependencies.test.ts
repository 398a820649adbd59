/** Installed packages: the table of the documentation matches package.json, and no package reports usage or downloads anything. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { rowsOf } from './tables.ts';

interface Locked {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly hasInstallScript?: boolean;
}

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
const manifests = ['package.json', 'packages/language/package.json', 'packages/store/package.json'];
const dependencies = new Set(
  manifests
    .flatMap((file) => Object.keys((read(file) as { dependencies: Record<string, string> }).dependencies))
    .filter((name) => !name.startsWith('dossier-')),
);
const { packages } = read('package-lock.json') as { packages: Record<string, Locked> };

test('docs/dependencies.md has every dependency of the server', () => {
  const documented = rowsOf('docs/dependencies.md', 'Package', 'Used for').map(([name]) => name);
  expect(documented).toEqual([...dependencies].sort().map((name) => `\`${name}\``));
});

test('no package that reports installations is in the lockfile or installed', () => {
  expect(Object.keys(packages).filter((path) => /scarf|swagger-ui-dist/.test(path))).toEqual([]);
  expect(existsSync('node_modules/@scarf/scarf')).toBe(false);
});

test('none of the packages that the server needs runs a script when it is installed', () => {
  const scripted = Object.entries(packages).filter(
    ([, { dev, devOptional, hasInstallScript }]) => hasInstallScript === true && dev !== true && devOptional !== true,
  );
  expect(scripted.map(([path]) => path)).toEqual([]);
});
