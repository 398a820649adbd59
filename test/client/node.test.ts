/** The cases of the client in Node. */
import { beforeAll, describe, test } from '@jest/globals';
import type { Given } from './cases/case.ts';
import { documents } from './cases/documents.ts';
import { openLibrary } from './server.ts';

let given: Given;
beforeAll(async () => ({ given } = await openLibrary()));

describe.each(Object.entries({ documents }))('%s', (_, cases) => {
  test.each(Object.entries(cases))('%s', (_name, run) => run(given));
});
