/** What is kept of the errors of runs and jobs: one line, without what looks like a secret. */
import { describe, expect, test } from '@jest/globals';
import { DossierError } from 'dossier-client';
import { reasonForAdmins } from '../../../src/api/programs.ts';

const settings = { shared_secret: 'the-shared-secret' };

describe('the reason of an error', () => {
  test.each<[string, string]>([
    ['the disk is full', 'the disk is full'],
    ['  first line\n    at some (file.js:1:2)', 'first line'],
    ['mongodb://ann:pw@db.test/shop failed', 'mongodb://***@db.test/shop failed'],
    ['GET https://api.test/a?key=1&b=2 failed', 'GET https://api.test/a?*** failed'],
    ['Authorization: Bearer abc.def', 'Authorization: Bearer ***'],
    ['authorization: basic YW5uOnB3', 'authorization: basic ***'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOjF9.c2lnbmF0dXJl is expired', '*** is expired'],
    ['sk_live_abcdefghijklmnopqrstuvwx was refused', '*** was refused'],
    ['password=hunter2, user=ann', 'password=*** user=ann'],
    ['{"token":"abc"}', '{"token":***'],
    ['apiKey: abc', 'apiKey: ***'],
    ['signed with the-shared-secret', 'signed with ***'],
    ['x'.repeat(1000), 'x'.repeat(300)],
    ['', 'it failed without a reason'],
  ])('%j', (message, expected) => {
    expect(reasonForAdmins(new Error(message), settings)).toBe(expected);
  });

  test('of a request that was refused is the reason of its answer', () => {
    const error = new DossierError(404, { message: 'Not found', err: 'no film has the id 1' });
    expect(reasonForAdmins(error, settings)).toBe('no film has the id 1');
  });

  test.each([['a text'], [undefined], [null], [{ message: 'an object' }]])('of %j is none', (thrown) => {
    expect(reasonForAdmins(thrown, { shared_secret: undefined })).toBe('it failed without a reason');
  });
});
