/** Features: only the list imports from their folders, and it has all of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { featureLists } from '../../scripts/feature-lists/derive.ts';
import { featureConfigs } from '../../src/features/configs.ts';
import { features } from '../../src/features/index.ts';
import { imports, importsOf } from './source-imports.ts';

type Import = (typeof imports)[number];

/** The name of a feature that a file belongs to. */
const featureOf = (file: string): string | undefined => /^features\/([^/]+)\//.exec(file)?.[1];
/** What a feature may import of `features/`. */
const shared: ReadonlySet<string> = new Set(['features/feature.ts', 'features/ports.ts']);

/** Why an import is not allowed; undefined for one that is. */
function fault({ file, from, typeOnly, isPackage }: Import): string | undefined {
  if (isPackage) return undefined;
  const own = featureOf(file);
  const other = featureOf(from);
  if (file === 'features/index.ts')
    return other === undefined || from.endsWith('/index.ts') ? undefined : 'not an index';
  if (file === 'features/configs.ts') return from.endsWith('/config.ts') ? undefined : 'not a config';
  if (file === 'features/file-options.ts')
    return typeOnly && from.endsWith('/model-options.ts') ? undefined : 'not types of options';
  // the types of the parts of a config are public
  if (file === 'index.ts' && typeOnly && from.endsWith('/config.ts')) return undefined;
  if (other !== undefined && other !== own) return own === undefined ? 'looks into a feature' : 'imports a feature';
  if (own !== undefined && other === undefined && from.startsWith('features/') && !shared.has(from))
    return 'reads the list';
  if (from === 'features/index.ts' && !file.startsWith('start/')) return 'reads the list';
  if (from === 'features/file-options.ts' && file !== 'index.ts') return 'reads the list';
  if (from === 'features/configs.ts' && !file.startsWith('settings/')) return 'reads the list';
  // it is loaded with the settings, before everything else
  if (own !== undefined && file.endsWith('/config.ts') && !typeOnly) return 'loads code';
  return undefined;
}

/** The names of the members of an interface, and of those that it picks of others. */
function membersOf(name: string, file: string): string[] {
  const found = new RegExp(`^export interface ${name} ([^{]*)\\{([^]*?)^\\}`, 'm').exec(readFileSync(file, 'utf8'));
  const [, head = '', body = ''] = found ?? [];
  return [...head.matchAll(/'(\w+)'/g), ...body.matchAll(/^ {2}readonly (\w+)/gm)].flatMap(([, member = '']) => member);
}

describe('features', () => {
  test('are imported by the list only, types included', () => {
    const faults = imports.flatMap((one) => {
      const why = fault(one);
      return why === undefined ? [] : [`${one.file} → ${one.from}: ${why}`];
    });
    expect(faults).toEqual([]);
  });

  test.each([
    ['read/page.ts', "import { cache } from '../features/cache/index.ts';", 'looks into a feature'],
    ['start/services.ts', "import type { Log } from '../features/audit/log.ts';", 'looks into a feature'],
    ['start/models.ts', "const one = await import('../features/audit/model.ts');", 'looks into a feature'],
    ['features/csv/index.ts', "import type { Row } from '../cache/operations.ts';", 'imports a feature'],
    ['features/csv/index.ts', "import { features } from '../index.ts';", 'reads the list'],
    ['features/csv/config.ts', "import { rows } from './rows.ts';", 'loads code'],
    ['features/index.ts', "import { caching } from './cache/operations.ts';", 'not an index'],
    ['features/configs.ts', "import { cache } from './cache/index.ts';", 'not a config'],
    ['features/file-options.ts', "import { auditOption } from './audit/model-options.ts';", 'not types of options'],
    ['http/app.ts', "import { features } from '../features/index.ts';", 'reads the list'],
    ['read/plan.ts', "import { featureConfigs } from '../features/configs.ts';", 'reads the list'],
    ['index.ts', "import { featureConfigs } from './features/configs.ts';", 'reads the list'],
    ['index.ts', "export { providersOf } from './features/oauth/config.ts';", 'looks into a feature'],
  ])('and the rule refuses, in %s, %s', (file, text, why) => {
    expect(importsOf(file, text).map(fault)).toEqual([why]);
  });

  test.each([
    ['features/csv/index.ts', "import type { Feature } from '../feature.ts';"],
    ['features/csv/index.ts', "import { csvs } from './operations.ts';"],
    ['features/csv/operations.ts', "import { json } from '../../operations/answer.ts';"],
    ['start/operations.ts', "import { features } from '../features/index.ts';"],
    ['http/app.ts', "import type { Feature } from '../features/feature.ts';"],
    ['index.ts', "export type { OAuthConfig } from './features/oauth/config.ts';"],
  ])('and allows, in %s, %s', (file, text) => {
    expect(importsOf(file, text).map(fault)).toEqual([undefined]);
  });

  test('are all in the list, by the names of their folders', () => {
    const folders = readdirSync('src/features', { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect(features.map(({ name }) => name).sort()).toEqual(folders.sort());
  });

  test('have lists of their folders, as `npm run lists` writes them', async () => {
    for (const [path, text] of await featureLists()) expect(readFileSync(path, 'utf8')).toBe(text);
  });

  test.each<[most: number, what: string, parts: Readonly<Record<string, string>>]>([
    [12, 'a feature', { Feature: 'features/feature', OperationSource: 'operations/source', Provider: 'ports/port' }],
    [18, 'the services', { Services: 'services' }],
  ])('at most %i members has %s, so that a need of few is a port', (most, _, parts) => {
    const members = new Set(Object.entries(parts).flatMap(([name, file]) => membersOf(name, `src/${file}.ts`)));
    expect(members.size).toBeGreaterThan(most - 4);
    expect(members.size).toBeLessThanOrEqual(most);
  });

  test('have the configuration that is read before them', () => {
    expect(features.flatMap(({ config = [] }) => config)).toEqual(featureConfigs);
  });
});
