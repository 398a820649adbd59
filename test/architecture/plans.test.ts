/** Documents are planned in one place: each step that makes or changes one is called by one file of `write/plan` (docs/internals.md). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

/** The steps, as their calls begin in the sources, and the files that take them. */
const steps: readonly (readonly [step: string, call: RegExp, file: string])[] = [
  ['the validation of a new document', /\bawait validDocument\(/, 'write/plan/new-document.ts'],
  ['the row of a new document, cast directly', /\bdirectOf\([\w.]+\)\.row\b/, 'write/plan/new-document.ts'],
  ['what a replacement leaves', /(?<!function )\bunchangedByReplacement\(/, 'write/plan/replacement.ts'],
  ['the validation of a changed document', /\bdocument\.validate\(\)/, 'write/plan/changed-document.ts'],
  ['the meaning of _deleted in an update', /(?<!function )\bdeletedFlag\(/, 'write/plan/change.ts'],
  ['the owner of a change', /\['_owner_id'\] = castId\(/, 'write/plan/change.ts'],
  ['the refusal of virtuals in an update', /(?<!function )\brefuseVirtuals\(/, 'write/plan/change.ts'],
  ['the operators on a loaded document', /(?<!function )\beffectOf\(/, 'write/plan/changed-document.ts'],
  ['the revision of a loaded document', /(?<!function )\braiseRevision\(/, 'write/plan/changed-document.ts'],
];

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts'));

test.each(steps)('%s', (_step, call, file) => {
  const found = files.filter((one) => call.test(readFileSync(join('src', one), 'utf8')));
  expect(found).toEqual([file]);
});

/** Files that commit what the server itself writes, without an intent of a request. */
const ownWriters: readonly string[] = [
  ...['auth/create-user.ts', 'auth/users.ts', 'auth/setup/first-admin.ts', 'auth/setup/moved-groups.ts'],
  'features/history/trash.ts',
  ...['auth/events/record-event.ts', 'auth/user-data.ts'],
];

/** Whether a file of a feature commits rows of own models alone, which only operations of their own write. */
const writesOwnRows = (file: string, text: string): boolean =>
  file.startsWith('features/') && /\b(insert|change|remove)Row\(/.test(text) && !/Intent\b/.test(text);

test('one file commits what requests write', () => {
  const commits = files.filter((one) => {
    const text = readFileSync(join('src', one), 'utf8').replaceAll(/^ *(\/\/|\*|\/\*).*$/gm, '');
    return /(?<!function )\bcommit(All)?\(/.test(text) && !writesOwnRows(one, text);
  });
  expect(commits.toSorted()).toEqual([...ownWriters, 'write/perform.ts'].toSorted());
});

/** What makes mutations of intents, and how many lines it may have. */
const makers: readonly string[] = [
  ...['create', 'edit', 'edit-by-save', 'remove', 'delete-one', 'restore', 'upsert'].map((name) => `write/${name}.ts`),
  ...['transfer/import/batch.ts', 'transfer/import/record.ts'],
];
const maxLines = 120;

test('makers of mutations fit on a page or two', () => {
  const lines = (one: string): number => readFileSync(join('src', one), 'utf8').split('\n').length - 1;
  expect(makers.map((one) => [one, lines(one)]).filter(([, count]) => Number(count) > maxLines)).toEqual([]);
});
