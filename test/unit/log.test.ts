/** The log contains no part of a URL that may be a credential. */
import { expect, test } from '@jest/globals';
import { makeLog } from '../../src/log.ts';

const pathsOf = (path: string): string[] => {
  const lines: string[] = [];
  const log = makeLog('info', { write: (line) => void lines.push(line) });
  log.request({ id: 'r', method: 'GET', path, status: 200, ms: 1 });
  log.failed({ id: 'r', method: 'GET', path, error: new Error('x') });
  return lines.map((line) => String((JSON.parse(line) as { path: unknown }).path));
};

test.each(['?', '#', ';', '&', '%3f', '%3F', '%23', '%3b', '%26'])('%s ends the logged part of a path', (mark) => {
  expect(pathsOf(`/api/note${mark}apikey=CANARY`)).toEqual(['/api/note', '/api/note']);
  expect(pathsOf(`/login/jwt${mark}${mark}jwt=CANARY?x`)).toEqual(['/login/jwt', '/login/jwt']);
});
