/** The budget: how many files of `src` a request runs on a warm server. Lower a limit when a change makes the way of its request shorter. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { traceRequests, type Traces } from '../support/files-run.ts';

/** Each request with the most files that it may run, the goal, and a file by which it is seen to have done its work. */
const budget = [
  ['get one', 48, 55, 'read/one-message.ts'],
  ['list of 20', 45, 60, 'read/encode.ts'],
  ['list, new filter', 85, 85, 'query/filter.ts'],
  ['create', 80, 80, 'write/create.ts'],
  ['PUT of one field', 85, 90, 'write/edit.ts'],
  ['delete', 62, 65, 'write/delete-one.ts'],
  ['batch of 2', 94, 95, 'features/batch/operations.ts'],
  ['job', 92, 70, 'features/jobs/run.ts'],
] as const;

let traces: Traces = [];
// a process loads all sources, which takes some seconds
beforeAll(async () => {
  traces = await traceRequests();
}, 600_000);

describe('files run', () => {
  test.each(budget)('by %s: at most %i; the goal is %i', (name, limit, _goal, ofItsWork) => {
    const files = traces.map((round) => Object.keys(round[name]).sort());
    const [first = []] = files;
    expect(first).toContain(ofItsWork);
    // whatever has run before
    for (const others of files) expect(others).toEqual(first);
    // shows which, when they are too many; `npm run bench -- files "<request>"` shows their functions too
    expect(first.length > limit ? first : []).toEqual([]);
  });
});
