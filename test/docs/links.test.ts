/** Every link in the documentation leads to a file and, with an anchor, to a heading. Every file in code font exists. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { guideHtml } from '../../src/features/pages/guides.ts';
import { rowsOf } from './tables.ts';

const files = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...['client', 'language', 'store'].map((name) => `packages/${name}/README.md`),
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];
const textOf = (file: string): string => readFileSync(file, 'utf8');

const hasHeading = (file: string, anchor: string): boolean =>
  guideHtml(textOf(file), new Set(), './').includes(` id="${decodeURIComponent(anchor)}"`);

function leadsSomewhere(from: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? from : join(dirname(from), path);
  return existsSync(target) && (anchor === undefined || hasHeading(target, anchor));
}

test.each(files)('%s', (file) => {
  const prose = textOf(file).replace(/^```.*?^```$/gms, '');
  const links = [...prose.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link]) => link ?? '');
  expect(links.filter((link) => !leadsSomewhere(file, link))).toEqual([]);
});

test.each(files)('%s names files that exist', (file) => {
  const named = [...textOf(file).matchAll(/`((?:src|test|bench|scripts|docs|packages|\.ci)\/[\w./-]+\.\w+)`/g)];
  // a package's README starts from its folder, tables of docs/architecture.md from src
  const exists = (path: string): boolean => [path, join(dirname(file), path), join('src', path)].some(existsSync);
  expect(named.map(([, path = '']) => path).filter((path) => !exists(path))).toEqual([]);
});

test('docs/threats.md names tests that exist, in every row', () => {
  const tests = rowsOf('docs/threats.md', 'Threat', 'Defence', 'Tests').map(([, , cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, file]) => file ?? ''),
  );
  expect(tests.length).toBeGreaterThan(80);
  expect(tests.filter((named) => named.length === 0)).toEqual([]);
  expect(tests.flat().filter((file) => !file.endsWith('.test.ts') || !existsSync(file))).toEqual([]);
});

const sources = ['src', 'test', 'bench', 'scripts', 'packages/language', 'packages/store'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|mjs)$/.test(name) && !/(^|\/)(node_modules|dist)\//.test(name))
    .map((name) => join(folder, name)),
);

const headingsOf = (file: string): string[] => [...textOf(file).matchAll(/^#+ (.*)$/gm)].map(([, text]) => text ?? '');

test('the guides and headings that comments cite exist', () => {
  const cited = sources.flatMap((file) =>
    [
      ...textOf(file)
        .replace(/\n\s*\* /g, ' ')
        .matchAll(/\b(docs\/[\w/-]+\.md)(?:, "([^"]+)")?/g),
    ].map(([, guide = '', heading]) => ({
      file,
      guide,
      heading,
    })),
  );
  expect(cited.length).toBeGreaterThan(30);
  const dead = cited.filter(
    ({ guide, heading }) => !existsSync(guide) || (heading !== undefined && !headingsOf(guide).includes(heading)),
  );
  expect(dead).toEqual([]);
});
