/** Health checks: whether the process runs, and whether the database responds. */
import type { Context } from '../context.ts';
import { successAnswer } from '../docs/openapi/shapes.ts';
import { readOnly, storeStopped, unavailable } from '../errors/errors.ts';
import { fromDatabase } from '../models/database-errors.ts';
import { hasStoreStopped } from '../ports/core.ts';
import { type Answer, success } from './answer.ts';
import { openAccess, type OperationGroup } from './operation.ts';

const shared = {
  access: openAccess('load balancers and containers send no credentials; the answer has no other content'),
  probe: true,
  openToScopes: true,
  answers: { 200: successAnswer },
} as const;
/** Maximum milliseconds that a reachable database needs to answer. */
const maxWaitMs = 2000;

/** What a server with `BACKGROUND=off` leaves undone. */
export const withoutBackground =
  'BACKGROUND is off: schedules, jobs, deliveries, planned backups and removals wait, and no mails are sent';

export const health: OperationGroup = {
  title: 'Health',
  operations: [
    {
      ...shared,
      name: 'health.live',
      http: { method: 'GET', path: '/health' },
      summary: 'Checks that the process is running',
      run: live,
    },
    {
      ...shared,
      name: 'health.ready',
      http: { method: 'GET', path: '/ready' },
      summary: 'Checks that the database responds',
      run: ready,
    },
  ],
};

function live({ services }: Context): Answer {
  if (services.of(hasStoreStopped)()) throw storeStopped();
  const headers = { 'Max-Body-Size': String(services.settings.max_body_size) };
  const answer = { ...success('the server is running'), headers };
  return answer;
}

async function ready({ services }: Context): Promise<Answer> {
  if (services.of(hasStoreStopped)()) throw storeStopped();
  const { db } = services.connection;
  if (db === undefined) throw unavailable();
  let answer: { readonly readOnly?: unknown };
  try {
    // unlike ping, it also reports whether the database accepts writes
    answer = await db.command({ hello: 1 }, { timeoutMS: maxWaitMs });
  } catch (error) {
    const failure = fromDatabase(error);
    throw failure === error ? unavailable(error) : failure;
  }
  if (answer.readOnly === true) throw readOnly();
  const isIdle = !services.settings.background;
  return success(isIdle ? `the database responds; ${withoutBackground}` : 'the database responds');
}
