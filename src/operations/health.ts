/** Whether the process lives, and whether the database answers. */
import type { Context } from '../context.ts';
import { readOnly, unavailable } from '../errors.ts';
import { json, type Answer } from './answer.ts';
import { open, type RouteGroup } from './operation.ts';
import { fromDatabase } from '../registry/database-errors.ts';

const reason = 'load balancers and containers ask without credentials; it tells nothing else';
/** Milliseconds that a database which is there needs at most. */
const patience = 2000;

export const health: RouteGroup = {
  title: 'Health',
  endpoints: [
    {
      method: 'GET',
      path: '/health',
      access: open(reason),
      summary: 'The process lives',
      probe: true,
      run: () => json({ status: 'ok', message: 'the server is running' }),
    },
    { method: 'GET', path: '/ready', access: open(reason), summary: 'The database answers', probe: true, run: ready },
  ],
};

async function ready({ services }: Context): Promise<Answer> {
  const { db } = services.connection;
  if (db === undefined) throw unavailable();
  let answer: { readonly readOnly?: unknown };
  try {
    // unlike ping, it also tells whether writes are taken
    answer = await db.command({ hello: 1 }, { timeoutMS: patience });
  } catch (error) {
    const failure = fromDatabase(error);
    throw failure === error ? unavailable(error) : failure;
  }
  if (answer.readOnly === true) throw readOnly();
  return json({ status: 'ok', message: 'the database answers' });
}
