/** What the README names and shows; `examples.test.ts` sends its requests. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { guideGroups } from '../../src/features/pages/guide-list.ts';
import { blocksOf } from './examples.ts';

const readme = readFileSync('README.md', 'utf8');

test('its own model has ten lines', () => {
  const own = blocksOf(readme).find(({ language }) => language === 'ts');
  expect(own?.text.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(10);
});

test('every npm script that it names exists', async () => {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> };
  const named = [...readme.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name ?? '');
  expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
});

test('its list of guides is that of docs/README.md', async () => {
  const listed = [...readme.matchAll(/^- ([^:[\]]+): (\[.*\]\(docs\/.*)$/gm)].map(([, title, links = '']) => ({
    title,
    guides: [...links.matchAll(/\(docs\/([a-z-]+)\.md\)/g)].map(([, name]) => name),
  }));
  const groups = (await guideGroups()).map(({ title, guides }) => ({ title, guides: guides.map(({ name }) => name) }));
  expect(listed).toEqual(groups);
});
