/** The tables of the documentation match those of the code: same rows, same texts, same order. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { features } from '../../src/features/index.ts';
import { riskySettings } from '../../src/features/server/advice.ts';
import { listedOptions } from '../../src/models/options/options.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { operatorRows } from '../../src/query/operators.ts';
import { parameterRows } from '../../src/query/parameter-table.ts';
import { settingRows } from '../../src/settings/table.ts';
import { operationGroups } from '../../src/start/operations.ts';
import { rowsOf } from './tables.ts';

function who({ access }: Operation): string {
  switch (access.kind) {
    case 'letter':
      return `\`${access.letter}\``;
    case 'perOperation':
      return 'by operation';
    case 'signedIn':
      return 'signed in';
    case 'selfOrAdmin':
      return 'the user or an admin';
    case 'admin':
      return 'admin';
    case 'open':
      return `everyone: ${access.reason}`;
    case 'group':
    case 'right':
      throw new Error('only routes have this access');
  }
}

const shown = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

describe('docs/endpoints.md', () => {
  test('has every endpoint, who may call it, what it does, and its hook', () => {
    const expected = operationGroups
      .flatMap(({ operations }) => operations)
      .map((row) => [
        `\`${row.http.method} ${shown(row.http.path)}\``,
        who(row),
        row.summary,
        row.hook === undefined ? '' : `\`${row.hook}\``,
      ]);
    expect(rowsOf('docs/endpoints.md', 'Request', 'Who')).toEqual(expected);
  });

  const partsIn = (schema: unknown): [name: string, part: object][] =>
    Object.entries((schema as { readonly properties: Readonly<Record<string, object>> }).properties);
  const partsOf = (name: string): [name: string, part: object][] => {
    const rows = operationGroups.flatMap(({ operations }) => operations);
    return partsIn(rows.find((row) => row.name === name)?.input?.body?.schema);
  };

  test.each([
    ['Part of a view', partsOf('views.create')],
    [
      'Part of a figure',
      partsOf('figures.read').flatMap(([name, part]) => (name === 'figure' ? partsIn(part) : [[name, part] as const])),
    ],
  ])('has each %s, which OpenAPI describes', (header, parts) => {
    expect(rowsOf('docs/endpoints.md', header).map(([name]) => name)).toEqual(parts.map(([name]) => `\`${name}\``));
    expect(parts.filter(([, part]) => !('description' in part)).map(([name]) => name)).toEqual([]);
  });

  test('has every setting that the advice is about', () => {
    expect(rowsOf('docs/endpoints.md', 'Setting in the advice').map(([name]) => name)).toEqual(
      riskySettings.map(([name]) => `\`${name}\``),
    );
  });
});

describe('docs/models.md', () => {
  test('has every option of a model', () => {
    const expected = listedOptions(features.flatMap(({ modelOptions = [] }) => modelOptions)).map(
      ({ name, meaning }) => [`\`${name}\``, meaning],
    );
    expect(rowsOf('docs/models.md', 'Option')).toEqual(expected);
  });
});

describe('docs/queries.md', () => {
  test('has every parameter', () => {
    const expected = parameterRows.map(({ form, meaning }) => [`\`${form}\``, meaning]);
    expect(rowsOf('docs/queries.md', 'Parameter', 'Meaning')).toEqual(expected);
  });

  test('has every operator', () => {
    const expected = operatorRows.map(({ name, inUrl, meaning }) => [`\`${name}\``, inUrl ? 'yes' : 'no', meaning]);
    expect(rowsOf('docs/queries.md', 'Operator')).toEqual(expected);
  });
});

describe('docs/limits.md', () => {
  test('has every setting of the query limits with its default', () => {
    const expected = settingRows
      .filter(({ key }) => key.startsWith('query_limits.'))
      .map((row) => [`\`${row.variable}\``, row.default]);
    expect(rowsOf('docs/limits.md', 'Setting').map(([name, value]) => [name, value])).toEqual(expected);
  });
});

describe('docs/errors.md', () => {
  test('has every status that a guide names with its message', () => {
    const known = rowsOf('docs/errors.md', 'Status').map(([status, message]) => `${status} \`${message}\``);
    const guides = readdirSync('docs').filter((name) => name.endsWith('.md'));
    const named = guides.flatMap((name) =>
      [...readFileSync(join('docs', name), 'utf8').matchAll(/\b[45]\d\d `[A-Z][^`]+`/g)].map(([text]) => text),
    );
    expect(named).toContain('507 `Insufficient storage`');
    expect(named.filter((text) => !known.includes(text))).toEqual([]);
  });
});

describe('docs/architecture.md', () => {
  const places = rowsOf('docs/architecture.md', 'Row', 'Place').map(([, place = '']) => place);
  /** A room of a place; the parts of `realtime/` are places, because they are in different rows. */
  const isRoom = (place: string): boolean => /^`(?!realtime\/)[^/`]+\/[^/`]+\/`$/.test(place);
  const foldersAndFilesIn = (folder: string): string[] =>
    readdirSync(join('src', folder), { withFileTypes: true }).map((entry) =>
      entry.isDirectory() ? `\`${folder}${entry.name}/\`` : `\`${entry.name.replace(/\.ts$/, '')}\``,
    );

  test('has every folder and file at the top of the sources', () => {
    const top = foldersAndFilesIn('').filter((place) => place !== '`realtime/`');
    expect(places.filter((place) => !isRoom(place)).sort()).toEqual([...top, ...foldersAndFilesIn('realtime/')].sort());
  });

  test('has every room of a folder, or none', () => {
    const parents = new Set(places.filter(isRoom).map((place) => place.split('/', 1)[0]?.slice(1) ?? ''));
    const rooms = [...parents].flatMap((parent) => foldersAndFilesIn(`${parent}/`).filter(isRoom));
    expect(places.filter(isRoom).sort()).toEqual(rooms.sort());
  });
});

describe('docs/walks.md', () => {
  const sources = readdirSync('src', { recursive: true }).map((file) => `/${String(file).replaceAll('\\', '/')}`);
  const walks = readFileSync('docs/walks.md', 'utf8').split(/^## /m).slice(1);
  const namedIn = (text: string): readonly string[] => text.match(/[\w/-]+\.ts\b/g) ?? [];

  test.each(walks.map((text) => [text.split('\n', 1)[0], text]))(
    'has a picture of %s, and names files of the sources',
    (_, text = '') => {
      expect(text).toContain('```mermaid');
      expect(namedIn(text).length).toBeGreaterThan(3);
      expect(namedIn(text).filter((name) => !sources.some((file) => file.endsWith(`/${name}`)))).toEqual([]);
    },
  );
});

test('packages/store/README.md has every file of the store once', () => {
  const folders = ['.', 'wire', 'commands', 'login', 'engine', 'engine/changes', 'engine/pages', 'storage'];
  const files = folders.flatMap((folder) =>
    readdirSync(join('packages/store/src', folder))
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name.replace(/\.ts$/, '')}`),
  );
  const named = rowsOf('packages/store/README.md', 'Part of the store', 'Files').flatMap(([part = '', names = '']) => {
    const folder = /^`([a-z/]+)\/`/.exec(part)?.[1] ?? '.';
    return names.split(', ').map((name) => `${folder}/${name.replaceAll('`', '')}`);
  });
  expect(named.sort()).toEqual(files.sort());
});
