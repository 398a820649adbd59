/** Large bodies that have arrived together do not hold up other requests for as long as all of them take to parse. */
import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import type { Request } from 'express';
import { bodyOf } from '../../../src/http/body.ts';

const bodies = 12;

/** A request whose body has arrived. */
function requestWith(text: string): Request {
  const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) };
  return Object.assign(Readable.from([Buffer.from(text)]), { method: 'POST', headers }) as unknown as Request;
}

/** How many bodies of a size are parsed in each iteration of the event loop that parses any. */
async function parsedPerIteration(bytes: number): Promise<readonly number[]> {
  const text = JSON.stringify({ text: 'x'.repeat(bytes) });
  const counts = new Map<number, number>();
  let iteration = 0;
  let isOver = false;
  const count = (): void => {
    iteration += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const all = Array.from({ length: bodies }, async () => {
    await bodyOf(requestWith(text), 1e7);
    counts.set(iteration, (counts.get(iteration) ?? 0) + 1);
  });
  await Promise.all(all);
  isOver = true;
  return [...counts.values()];
}

test('one large body per iteration of the event loop, others at once', async () => {
  expect(await parsedPerIteration(1_000_000)).toEqual(Array.from({ length: bodies }, () => 1));
  expect((await parsedPerIteration(1000)).length).toBeLessThan(bodies);
});
