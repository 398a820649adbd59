/** One row = one request and everything expected of its answer, also what must not be in it. */
import { expect, test } from '@jest/globals';
import type { Answer, Sent } from './client.ts';
import type { Person } from './fixtures/people.ts';
import type { World } from './fixtures/world.ts';

export interface Scenario extends Sent {
  readonly name?: string;
  /** Who sends it; eve by default. */
  readonly as?: Person | 'anonymous';
  /** Method and path, such as `GET /api/note/{annNote}`. */
  readonly request: string;
  /** The status, or the statuses that are right. A write that is refused must have changed nothing. */
  readonly status: number | readonly number[];
  /** What the answer's body must contain. */
  readonly has?: object;
  /** Headers that the answer has, by their text. */
  readonly answerHeaders?: Readonly<Record<string, string | RegExp>>;
  /** Texts that may be nowhere in the answer, besides what may never be there. */
  readonly absent?: readonly string[];
  /** Looks further. */
  readonly then?: (answer: Answer, world: World) => Promise<void> | void;
}

/** What may be in no answer at all: hashes, planted passwords, stacks, files, the driver's words. */
const never: readonly RegExp[] = [
  /\$2[aby]\$\d\d\$/,
  /CANARY-(PW|LEDGER|MEMO)/,
  /\bat .+:\d+:\d+/,
  /node_modules|\/src\/|\/dist\/|\.ts\b/,
  /Mongo(Server|Network|ose)?Error|E11000|dup key/,
  /<html|<!doctype/i,
];

/** Sends a row's request and holds the answer against it. */
export async function check(world: World, scenario: Scenario): Promise<Answer> {
  const { as = 'eve', request, status, has, absent = [], then } = scenario;
  const statuses = typeof status === 'number' ? [status] : status;
  const refused = !/^(GET|HEAD) /.test(request) && statuses.every((code) => code >= 400);
  const before = refused ? await world.storedBefore() : '';
  const at = request.indexOf(' ');
  const answer = await world.as(as, request.slice(0, at), request.slice(at + 1), scenario);
  expect({ request, status: answer.status, text: answer.text }).toEqual({
    request,
    status: statuses.includes(answer.status) ? answer.status : statuses,
    text: expect.any(String),
  });
  checkContent(answer, absent);
  if (has !== undefined) expect(answer.body).toMatchObject(has);
  for (const [name, text] of Object.entries(scenario.answerHeaders ?? {}))
    expect(answer.headers.get(name)).toEqual(typeof text === 'string' ? text : expect.stringMatching(text));
  if (refused) expect(await world.stored()).toBe(before);
  await then?.(answer, world);
  return answer;
}

/** The rules that hold for every answer. */
export function checkContent({ status, headers, text, body }: Answer, absent: readonly string[] = []): void {
  const all = `${text}\n${[...headers].map(([name, value]) => `${name}: ${value}`).join('\n')}`;
  for (const pattern of never) expect(all).not.toMatch(pattern);
  for (const one of absent) expect(all).not.toContain(one);
  if (status < 400 || text === '') return;
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  expect(body).toMatchObject({ status: 'fail', message: expect.any(String), err: expect.any(String) });
  if (status === 401) expect(headers.get('www-authenticate')).toBeTruthy();
  if (status === 405) expect(headers.get('allow')).toBeTruthy();
}

/** One test for each row, named by its name or its request. */
export function scenarios(world: () => World, rows: readonly Scenario[]): void {
  for (const row of rows)
    test(row.name ?? `${row.as ?? 'eve'}: ${row.request} ${JSON.stringify(row.body ?? '').slice(0, 120)}`, async () => {
      await check(world(), row);
    });
}
