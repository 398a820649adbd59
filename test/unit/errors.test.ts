/** The catalogue of failures and its documentation: same rows, and each failure is thrown somewhere. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import * as errors from '../../src/errors/errors.ts';
import { settingRows } from '../../src/settings/table.ts';
import { rowsOf } from '../docs/tables.ts';
import { failures } from '../support/failures.ts';

const unique = (pairs: readonly (readonly [string, string])[]): string[] => [
  ...new Set(pairs.map((pair) => pair.join(' '))),
];

test('a failure with another reason is otherwise the same', () => {
  const failure = errors.tookTooLong(new Error('cause')).withDetails({ line: 1 });
  expect(failure.withReason('task.3: late')).toMatchObject({
    ...failure,
    reason: 'task.3: late',
    cause: failure.cause,
  });
});

test('docs/errors.md has every failure once, by status and message', () => {
  const made = failures.map(({ failure }) => [String(failure.status), failure.message] as const);
  const documented = rowsOf('docs/errors.md', 'Status').map(
    ([status = '', message = '']) => [status, message] as const,
  );
  expect(documented.map((pair) => pair.join(' ')).sort()).toEqual(unique(made).sort());
});

test('every 413 names the setting of its limit, or says that there is none', () => {
  const variables: readonly string[] = settingRows.map(({ variable }) => variable);
  const tooLarge = failures.filter(({ failure }) => failure.status === 413);
  expect(tooLarge.length).toBeGreaterThan(3);
  for (const { name, failure } of tooLarge) {
    const [, named] = /\(([A-Z_]+)\)/.exec(failure.reason) ?? [];
    expect({ name, isNamed: variables.includes(named ?? '') }).toEqual({ name, isNamed: name !== 'needsTooMuch' });
  }
  expect(errors.needsTooMuch().reason).toContain('no setting');
});

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && file !== 'errors/errors.ts')
  .map((file) => readFileSync(`src/${file}`, 'utf8'))
  .join('\n');

describe('every failure', () => {
  test.each(failures)('$name is used somewhere, and has a status and a fixed message', ({ name, failure }) => {
    expect(sources).toMatch(new RegExp(`\\b${name}\\b`));
    expect(failure.status).toBeGreaterThanOrEqual(400);
    expect(failure.message).not.toBe('');
    expect(failure.message).not.toMatch(/\bx\b|\by\b/);
  });
});

describe('Retry-After', () => {
  const isTemporary = /try again|under way|in the meantime|is waiting|(other|another) request/;

  test.each(failures)('$name has it where the failure passes by itself', ({ failure }) => {
    const { status, reason, headers } = failure;
    const passes = status === 429 || status === 503 || (status === 409 && isTemporary.test(reason));
    expect([reason, headers['Retry-After'] !== undefined]).toEqual([reason, passes]);
  });

  test('a lasting conflict speaks neither of other requests nor of another try', () => {
    const texts = [...sources.matchAll(/\bconflict\(\s*[`'](.*)[`']/g)].map(([, text]) => text ?? '');
    expect(texts.length).toBeGreaterThan(5);
    expect(texts.filter((text) => isTemporary.test(text))).toEqual([]);
  });
});
