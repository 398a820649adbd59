/** The size of the client, as a page loads it, and that it has no dependencies. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { bundle } from '../support/bundle.ts';

test('the whole client is smaller than 12.5 KB, compressed', async () => {
  const text = await bundle('packages/client/src/index.ts', true);
  expect(text).toContain('DossierError');
  expect(gzipSync(text).length).toBeLessThan(12.5 * 1024);
});

test('it has no dependencies', () => {
  const { dependencies } = JSON.parse(readFileSync('packages/client/package.json', 'utf8')) as {
    dependencies?: object;
  };
  expect(dependencies).toBeUndefined();
});
