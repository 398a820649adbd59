/** Whether a caller could read a document before and after a change, by what is known of it. */
import { describe, expect, test } from '@jest/globals';
import { Schema } from 'mongoose';
import { makeVisibility, type Reader } from '../../../src/features/changes/visibility.ts';
import type { Change } from '../../../src/realtime/changes/contract.ts';

type Row = Readonly<Record<string, unknown>>;
type Case = readonly [title: string, change: Partial<Change>, before: boolean | undefined, after: boolean];

const model = { schema: new Schema({ team: { name: String }, size: Number }) } as unknown as Change['model'];
const all: Reader['policy'] = { model, rows: () => 'all', rowPaths: () => [], admits: () => true };
/** Reads the rows of the team `red`. */
const red: Reader['policy'] = {
  model,
  rows: () => ({ 'team.name': 'red' }),
  rowPaths: () => ['team.name'],
  admits: (_letter, row) => (row['team'] as Row | undefined)?.['name'] === 'red',
};
const [mine, others] = [
  { team: { name: 'red' }, size: 1 },
  { team: { name: 'blue' }, size: 1 },
];
const deleted = (row: Row): Row => ({ ...row, _deleted: true });

const check = (reader: Partial<Reader>, cases: readonly Case[]) =>
  test.each(cases)('%s', (_title, change, before, after) => {
    const visibility = makeVisibility({ policy: red, filter: undefined, hook: undefined, ...reader });
    const whole = { event: 'put', model, id: '1', user: undefined, silent: false, ...change } as const;
    expect([visibility.before(whole), visibility.after(whole)]).toEqual([before, after]);
  });

describe('who reads some rows', () => {
  check({}, [
    ['made', { event: 'post', after: mine }, false, true],
    ['made for others', { event: 'post', after: others }, false, false],
    ['changed', { before: mine, after: mine }, true, true],
    ['entered', { before: others, after: mine }, false, true],
    ['left', { before: mine, after: others }, true, false],
    ['of others', { before: others, after: others }, false, false],
    ['deleted', { event: 'del', before: mine, after: deleted(mine) }, true, false],
    ['deleted of others', { event: 'del', before: others, after: deleted(others) }, false, false],
    ['removed after its deletion', { event: 'del', before: deleted(mine) }, false, false],
  ]);
});

describe('who reads some rows, of a document whose state before is unknown', () => {
  check({}, [
    ['replaced', { after: mine }, undefined, true],
    ['removed', { event: 'del' }, undefined, false],
    ['changed in another path', { after: others, updatedPaths: ['size'] }, false, false],
    ['one of theirs, in another path', { after: mine, updatedPaths: ['size', '__v'] }, true, true],
    ['changed where the rule reads', { after: others, updatedPaths: ['team.name'] }, undefined, false],
    ['changed above it', { after: others, updatedPaths: ['team'] }, undefined, false],
    ['changed below it', { after: others, updatedPaths: ['team.name.0'] }, undefined, false],
    ['changed beside it', { after: others, updatedPaths: ['team.names'] }, false, false],
    ['deleted', { event: 'del', after: deleted(mine), updatedPaths: ['_deleted'] }, true, false],
    ['deleted of others', { event: 'del', after: deleted(others), updatedPaths: ['_deleted'] }, false, false],
    ['changed while deleted', { after: deleted(mine), updatedPaths: ['size'] }, false, false],
    ['unknown after it, too', { updatedPaths: ['size'] }, undefined, false],
  ]);
});

describe('who reads all rows', () => {
  check({ policy: all, filter: { size: 1 } }, [
    ['not matching before', { before: { size: 2 }, after: { size: 1 } }, false, true],
    ['not matching any more', { before: { size: 1 }, after: { size: 2 } }, true, false],
    ['unknown before', { after: { size: 2 } }, true, false],
    ['removed', { event: 'del' }, true, false],
  ]);
});

describe('behind the filter of a pre-hook', () => {
  check({ policy: all, hook: { size: 1 } }, [
    ['not matching before', { before: { size: 2 }, after: { size: 1 } }, false, true],
    ['unknown before', { after: { size: 2 }, updatedPaths: ['other'] }, undefined, false],
  ]);
});
