/** The language in which a text index reads words (docs/queries.md, "The language of a search"). */
import { beforeAll, expect, test } from '@jest/globals';
import { openMonitored } from '../support/database.ts';
import type { ModelFiles } from '../support/models.ts';
import { startServer, type TestServer } from '../support/server.ts';

const texts = ['The Who', 'A film about films', 'Ärzte', 'Die Häuser'];
const languages = ['english', 'german', 'none'] as const;

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    models: {
      unset: ({ Schema }) => new Schema({ title: String }, { perms: { all: 'crud' } }).index({ title: 'text' }),
      english: ({ Schema }) =>
        new Schema({ title: String }, { perms: { all: 'crud' } }).index(
          { title: 'text' },
          { default_language: 'english' },
        ),
      german: ({ Schema }) =>
        new Schema({ title: String }, { perms: { all: 'crud' } }).index({ title: 'text' }, { default_language: 'de' }),
      none: ({ Schema }) =>
        new Schema({ title: String }, { perms: { all: 'crud' } }).index(
          { title: 'text' },
          { default_language: 'none' },
        ),
    },
  });
  for (const model of [...languages, 'unset']) for (const title of texts) await server.post(`/api/${model}`, { title });
});

const found = async (model: string, words: string): Promise<readonly unknown[]> =>
  (await server.get(`/api/${model}?search=${encodeURIComponent(words)}`)).rows.map(({ title }) => title).sort();

test.each<[words: string, expected: Readonly<Record<(typeof languages)[number], readonly string[]>>]>([
  // stop words
  ['who', { english: [], german: ['The Who'], none: ['The Who'] }],
  ['die', { english: ['Die Häuser'], german: [], none: ['Die Häuser'] }],
  // forms of words
  ['filming', { english: ['A film about films'], german: [], none: [] }],
  ['haus', { english: [], german: ['Die Häuser'], none: [] }],
  ['films', { english: ['A film about films'], german: ['A film about films'], none: ['A film about films'] }],
  // case never counts; accents only where a language has another stem without them
  ['HÄUSER', { english: ['Die Häuser'], german: ['Die Häuser'], none: ['Die Häuser'] }],
  ['arzte', { english: [], german: ['Ärzte'], none: ['Ärzte'] }],
])('%s', async (words, expected) => {
  for (const language of languages)
    expect([language, await found(language, words)]).toEqual([language, expected[language]]);
  expect(await found('unset', words)).toEqual(expected.english);
});

const word = (language: string): ModelFiles => ({
  word: `module.exports = new (require('mongoose').Schema)({ title: String }, { perms: { all: 'r' } }).index(
    { title: 'text' }, { default_language: '${language}' });`,
});

test('a language that does not exist stops the start', async () => {
  await expect(startServer({ models: word('klingon') })).rejects.toThrow('default_language');
});

test('an index that has another language stops the start, which names how to drop it', async () => {
  const database = await openMonitored();
  try {
    const own = { mongodb_url: database.mongodb_url, shared_secret: 's'.repeat(32) };
    const server = await startServer({ models: word('english'), ...own });
    await expect(startServer({ models: word('none'), ...own })).rejects.toThrow(
      'dossier indexes --drop word.title_text',
    );
    await server.close();
  } finally {
    await database.close();
  }
});
