/** docs/glossary.md: one term per concept, in alphabetical order, and no term that another row lists as a word to avoid. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { rowsOf } from './tables.ts';

const rows = rowsOf('docs/glossary.md', 'Term', 'Meaning', 'Avoid');
const terms = rows.map(([term]) => term ?? '');

test('every term has one row, with a meaning', () => {
  expect(terms.length).toBeGreaterThan(60);
  expect(terms.filter((term, at) => terms.indexOf(term) !== at)).toEqual([]);
  expect(rows.filter(([, meaning]) => meaning === '')).toEqual([]);
});

test('no term is a word to avoid', () => {
  const avoided = rows.flatMap(([, , words = '']) => words.split(', '));
  expect(avoided.filter((word) => terms.includes(word))).toEqual([]);
});

test('each section is in alphabetical order', () => {
  const sections = readFileSync('docs/glossary.md', 'utf8').split(/^## /m).slice(1);
  expect(sections.length).toBeGreaterThan(1);
  for (const section of sections) {
    const [, ...inOrder] = [...section.matchAll(/^\| (\w[^|]*?) +\|/gm)].map(([, term]) => term ?? '');
    expect(inOrder).toEqual(inOrder.toSorted((a, b) => a.localeCompare(b, 'en')));
  }
});

const phrases = rowsOf('docs/glossary.md', 'Instead of', 'Write').map(([phrase]) => phrase ?? '');
const written = readdirSync('docs', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => join('docs', name));

/** A document without code and tables, whose cells may repeat texts of the code. */
const proseOf = (file: string): string =>
  readFileSync(file, 'utf8')
    .replace(/^```.*?^```$|^\|[^\n]*$|`[^`]*`/gms, '')
    .replace(/\s+/g, ' ');

const pattern = new RegExp(`\\b(?:${phrases.join('|')})\\b`, 'gi');

/** The phrases in a text, with what is around them. A pattern that begins with any characters would take many times as long. */
const phrasesIn = (text: string): readonly string[] =>
  [...text.matchAll(pattern)].map(({ 0: phrase, index }) =>
    text.slice(Math.max(0, index - 40), index + phrase.length + 20),
  );

test.each(['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', ...written])(
  '%s uses plain words',
  (file) => {
    expect(phrases.length).toBeGreaterThan(5);
    expect(phrasesIn(proseOf(file))).toEqual([]);
  },
);

const folders = [
  'src',
  'test',
  'bench',
  'scripts',
  'models',
  ...readdirSync('packages').map((name) => join('packages', name)),
];
const sources = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(tsx?|mjs)$/.test(name) && !/(^|\/)(node_modules|dist)\//.test(name))
    .map((name) => join(folder, name)),
);

const comments = /\/\*.*?\*\/|(?<![:'"`])\/\/[^\n]*/gs;
const titles = /^ *(?:(?:test|describe|onPosix)(?:\.each\(.*\))?|needs\(.*\)|\][^'"`\n]*\))\(\s*(['"`]).*?\1,/gm;

/** The comments and texts of a program, or the comments and titles of tests, without code in comments. */
const textsOf = (file: string): readonly string[] => {
  const text = readFileSync(file, 'utf8');
  const found = [...text.matchAll(comments), ...(file.includes('test') ? text.matchAll(titles) : [])];
  return [
    ...found.map(([part]) => part.replace(/`[^`]*`/g, '').replace(/\s+[*/]*\s*/g, ' ')),
    // texts and names alike
    ...(/(^|\/)(src|scripts|models)\//.test(file) ? [text.replaceAll(comments, '').replace(/\s+/g, ' ')] : []),
  ];
};

test('programs, comments and titles of tests use plain words', () => {
  expect(sources.length).toBeGreaterThan(800);
  const found = sources.flatMap((file) =>
    textsOf(file)
      .flatMap(phrasesIn)
      .map((text) => `${file}: ${text}`),
  );
  expect(found).toEqual([]);
});
