/** Checked pipelines: which are kept, and for whom. */
import { describe, expect, test } from '@jest/globals';
import type { ModelContext } from '../../../src/context.ts';
import { checkedOnce } from '../../../src/read/pipeline-cache.ts';

const policyOf = (rows: unknown): object => ({ rows: () => rows });
const contextOf = (policy: object, body: unknown, hook?: object): ModelContext =>
  ({ body, grant: { policy }, restrictions: { hook } }) as unknown as ModelContext;

/** How often a pipeline that is sent twice is checked. */
function checks(first: ModelContext, second: ModelContext, isConstant = true, deleted = false): number {
  let count = 0;
  const check = () => ({ stages: [{ $match: { n: ++count } }], isConstant });
  checkedOnce(first, false, check);
  checkedOnce(second, deleted, check);
  return count;
}

const body = [{ $match: { kind: 'a' } }];

describe('an equal pipeline', () => {
  const all = policyOf('all');
  test('of the same caller is checked once', () => {
    expect(checks(contextOf(all, body), contextOf(all, [{ $match: { kind: 'a' } }]))).toBe(1);
  });

  const rows: [string, () => number][] = [
    ['of another caller', () => checks(contextOf(policyOf('all'), body), contextOf(policyOf('all'), body))],
    ['that sees deleted documents', () => checks(contextOf(policyOf('all'), body), contextOf(all, body), true, true)],
    [
      'under row rules',
      () => {
        const own = policyOf({ _owner_id: 1 });
        return checks(contextOf(own, body), contextOf(own, body));
      },
    ],
    [
      'that a hook restricts',
      () => {
        const restricted = contextOf(policyOf('all'), body, { kind: 'b' });
        return checks(restricted, restricted);
      },
    ],
    [
      'that depends on other models',
      () => {
        const policy = policyOf('all');
        return checks(contextOf(policy, body), contextOf(policy, body), false);
      },
    ],
    [
      'with a date relative to now',
      () => {
        const policy = policyOf('all');
        const timed = [{ $match: { at: 'relative_date(-1)' } }];
        return checks(contextOf(policy, timed), contextOf(policy, timed));
      },
    ],
    [
      'that is long',
      () => {
        const policy = policyOf('all');
        const long = [{ $match: { kind: 'a'.repeat(5000) } }];
        return checks(contextOf(policy, long), contextOf(policy, long));
      },
    ],
  ];
  test.each(rows)('%s is checked again', (_what, count) => {
    expect(count()).toBe(2);
  });

  test('is checked again after fifty others', () => {
    const policy = policyOf('all');
    let count = 0;
    const check = () => ({ stages: [], isConstant: ++count > 0 });
    for (let number = 0; number <= 50; number++) checkedOnce(contextOf(policy, [number]), false, check);
    checkedOnce(contextOf(policy, [50]), false, check);
    expect(count).toBe(51);
    checkedOnce(contextOf(policy, [0]), false, check);
    expect(count).toBe(52);
  });
});
