/** What a connection takes from its URL, and what the settings replace. */
import { describe, expect, test } from '@jest/globals';
import { open } from 'dossier-store';
import { connect, type PoolSizes, preferenceOf } from '../../../src/models/connect.ts';

const url = 'mongodb://one.example,two.example/films';

describe('the members that lists are read from', () => {
  test.each<[search: string, mode: Parameters<typeof preferenceOf>[1], expected: object | undefined]>([
    ['', undefined, undefined],
    ['', 'primary', undefined],
    ['', 'nearest', { mode: 'nearest' }],
    ['?readPreference=primary', undefined, undefined],
    ['?readPreference=secondary', undefined, { mode: 'secondary' }],
    ['?readPreference=secondary', 'primary', undefined],
    ['?readPreference=secondary&maxStalenessSeconds=120', 'nearest', { mode: 'nearest', maxStalenessSeconds: 120 }],
    [
      '?readPreference=secondary&readPreferenceTags=place:east&readPreferenceTags=',
      'secondaryPreferred',
      { mode: 'secondaryPreferred', tags: [{ place: 'east' }, {}] },
    ],
  ])('%s, set to %s', (search, mode, expected) => {
    const found = preferenceOf(url + search, mode);
    if (expected === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(expected);
  });

  test('a wrong value is refused', () => {
    expect(() => preferenceOf(`${url}?readPreference=second`, undefined)).toThrow(/second/);
  });
});

test.each<[search: string, sizes: PoolSizes, expected: object]>([
  ['', {}, { maxPoolSize: 50, minPoolSize: 2 }],
  ['maxPoolSize=9', {}, { maxPoolSize: 9, minPoolSize: 2 }],
  ['maxPoolSize=9&minPoolSize=1', { maxPoolSize: 7, minPoolSize: undefined }, { maxPoolSize: 7, minPoolSize: 1 }],
  ['readPreference=secondary&maxStalenessSeconds=100', { minPoolSize: 0 }, { maxPoolSize: 50, minPoolSize: 0 }],
])('a connection with %s and %j has %j, and reads from the primary', async (search, sizes, expected) => {
  const store = await open({});
  const connection = await connect(`${store.url}&${search}`, sizes);
  try {
    const { options, readPreference } = connection.getClient();
    expect(options).toMatchObject(expected);
    expect(readPreference.mode).toBe('primary');
    expect(connection.db?.readPreference?.mode ?? 'primary').toBe('primary');
  } finally {
    await connection.destroy();
    await store.close();
  }
});
