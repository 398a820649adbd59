/** Sends the requests of docs/second-factor.md in their order, with codes of an authenticator app, and compares the answers. */
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import type { Answer } from '../support/client.ts';
import { codeAt, type FactorWorld, openFactors } from '../support/fixtures/factors.ts';
import { emailOf, logIn, passwordOf } from '../support/fixtures/people.ts';
import { examplesOf, withPlaceholders } from './examples.ts';

const guide = readFileSync('docs/second-factor.md', 'utf8');

let world: FactorWorld;
/** The values of `$NAME` in the requests; codes and tickets come from earlier answers. */
const variables: Record<string, string> = {};
let secret = '';
beforeAll(async () => {
  world = await openFactors({}, ['root', 'ann', 'bob']);
  const { caller } = await world.withFactor('bob');
  const { token } = await logIn(world, 'root');
  Object.assign(variables, { TOKEN: token, PASSWORD: passwordOf('root'), USER: caller.user_id });
});

function learn({ body, document }: Answer): void {
  if (typeof document['secret'] === 'string') secret = document['secret'];
  if (typeof body['ticket'] === 'string') variables['TICKET'] = body['ticket'];
  if (typeof body['token'] === 'string') variables['TOKEN'] = body['token'];
}

const examples = examplesOf(guide, {});

test('the guide shows every request of the second factor', () => {
  const shown = examples.map(({ init, url }) => `${init.method} ${url.replace(/^[^/]*\/\/[^/]*/, '')}`);
  expect(shown).toEqual([
    'POST /login/mfa',
    'PUT /login/mfa',
    'POST /login',
    'POST /login/code',
    'DELETE /login/mfa',
    'DELETE /login/mfa?user=$USER',
  ]);
});

test.each(examples.map(({ command }, at) => [command, at] as const))('%s', async (_, at) => {
  variables['CODE'] = secret === '' ? '' : codeAt(secret, world.clock.step());
  const example = examplesOf(guide, variables)[at];
  const { method = 'GET', headers = {}, body } = example?.init ?? {};
  // the examples name the admin of the sample
  const sent = body?.replace('admin@example.com', emailOf('root'));
  const path = example?.url.replace('http://127.0.0.1:4001', '') ?? '';
  const answer = await world.send(method, path, { headers, ...(sent === undefined ? {} : { body: JSON.parse(sent) }) });
  learn(answer);
  expect(withPlaceholders(answer.body, example?.answer)).toEqual(example?.answer);
});
