/** The image of a document after an update that is computed instead of read: as the database would store it. */
import { describe, expect, test } from '@jest/globals';
import { ObjectId, type Row } from '../../../src/models/mongoose.ts';
import { rowAfterUpdate } from '../../../src/query/row-update.ts';
import { afterSetting, keepBeforeImages, type OtherImage } from '../../../src/write/mutation/both-images.ts';

const _id = new ObjectId();
const raise = { $inc: { __v: 1 } };

describe('an update that sets whole fields', () => {
  test.each<[what: string, before: Row, set: Row]>([
    ['changes a field in its place', { _id, a: 1, b: 2, __v: 0 }, { a: 3 }],
    ['adds fields in the order of their names', { _id, b: 1, __v: 4 }, { z: 1, c: 'x', a: null }],
    ['replaces lists and objects', { _id, a: [1, 2], o: { x: 1 }, __v: 1 }, { a: [], o: { y: [{ z: new Date(5) }] } }],
    ['sets ids, times and nothing', { _id, __v: 2 }, { link: new ObjectId(), at: new Date(0), none: undefined }],
    ['begins the count of revisions', { _id, a: 1 }, { a: 2 }],
  ])('%s', (_, before, set) => {
    const update = { $set: set, ...raise };
    const after = afterSetting(before, update);
    const stored = rowAfterUpdate(
      before,
      { ...raise, $set: { ...set, ...('none' in set && { none: null }) } },
      new Date(),
    );
    expect(after).toEqual(stored);
    expect(Object.keys(after ?? {})).toEqual(Object.keys(stored));
  });

  test('leaves the image before as it was', () => {
    const before = { _id, list: [1], __v: 0 };
    afterSetting(before, { $set: { list: [2] }, ...raise });
    expect(before).toEqual({ _id, list: [1], __v: 0 });
  });
});

describe('the image before an update', () => {
  const before = { _id, a: 1, __v: 0 };
  const run = async (update: Row, stored: Row | null = before): Promise<readonly unknown[]> => {
    const commands: string[] = [];
    const kept: OtherImage = {};
    const send = keepBeforeImages(
      kept,
      (_filter, _update, options) => {
        const { returnDocument } = options as { returnDocument: string };
        commands.push(returnDocument);
        return Promise.resolve(stored && (returnDocument === 'before' ? stored : { ...stored, a: 2 }));
      },
      () => {
        commands.push('read');
        return Promise.resolve(stored ?? undefined);
      },
    );
    const after = await send({ _id }, update, {});
    return [commands.join(), kept.before?.['a'], after?.['a']];
  };

  test.each<[what: string, update: Row, expected: readonly unknown[]]>([
    ['is what a plain update returns', { $set: { a: 2 }, ...raise }, ['before', 1, 2]],
    ['is read where a part of a field is set', { $set: { 'b.c': 2 }, ...raise }, ['read,after', 1, 2]],
    ['is read for other operators', { $push: { b: 2 }, ...raise }, ['read,after', 1, 2]],
    ['is read where a number is added', { $inc: { a: 1, __v: 1 } }, ['read,after', 1, 2]],
  ])('%s', async (_, update, expected) => {
    expect(await run(update)).toEqual(expected);
  });

  test('is missing where no document matches', async () => {
    expect(await run({ $set: { a: 2 }, ...raise }, null)).toEqual(['before', undefined, undefined]);
  });

  test('is followed by a read where the revision is no number', async () => {
    expect(await run({ $set: { a: 2 }, ...raise }, { ...before, __v: 'x' })).toEqual(['before,read', 1, 1]);
  });
});
