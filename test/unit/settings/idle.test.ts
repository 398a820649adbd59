/** Settings that have no effect beside the others. */
import { expect, test } from '@jest/globals';
import { readSettings } from '../../../src/settings/read.ts';
import { idleSettings } from '../../../src/settings/unknown-names.ts';

const mongo = { MONGODB_URL: 'mongodb://db.example/films' };

test.each<[environment: Readonly<Record<string, string>>, count: number]>([
  [{}, 0],
  [{ READ_PREFERENCE: 'primary' }, 0],
  [{ READ_PREFERENCE: 'SECONDARYPREFERRED', ...mongo }, 0],
  [{ READ_PREFERENCE: 'nearest' }, 1],
])('%j: %i', (environment, count) => {
  const warnings = idleSettings(readSettings(environment));
  expect(warnings).toEqual(
    Array.from({ length: count }, () => expect.stringMatching(/^READ_PREFERENCE has no effect/)),
  );
});
