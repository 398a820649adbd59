/** What admins see of users besides their documents: when they were there last, and how they sign in. */
import type { Context } from '../../context.ts';
import { date, flag, id, integer, listOf, object, orNull, text } from '../../docs/openapi/shapes.ts';
import { badParameter } from '../../errors/errors.ts';
import { castId } from '../../models/fields/values/ids-and-dates.ts';
import { type Answer, data, json } from '../../operations/answer.ts';
import { adminAccess, type OperationGroup, type PlainOperation } from '../../operations/operation.ts';
import { pageCursors, pageLimit } from '../../operations/pages.ts';
import { provide } from '../../ports/port.ts';
import { parametersNamed } from '../../query/parameter-table.ts';
import { textOf } from '../../query/parameter-tree.ts';
import type { Feature } from '../feature.ts';
import { ownService } from '../ports.ts';
import { isKind, kinds, userStates } from './states.ts';

const state = object({
  ...{ id, last_seen: orNull(date), never_signed_in: flag, unverified: flag, factor: flag, locked: flag },
});

const userOperations: OperationGroup = {
  title: 'Users',
  after: 'User groups',
  secret: true,
  operations: [
    {
      name: 'users.states',
      http: { method: 'GET', path: '/users/states' },
      summary: 'Lists when users were there last, and how they sign in',
      access: adminAccess,
      input: { query: parametersNamed('user', 'status', 'limit', 'after') },
      answers: { 200: object({ data: listOf(state) }, { limit: integer, next_cursor: text }) },
      run: list,
    },
  ] satisfies readonly PlainOperation[],
};

/** Users of one request. */
const maxUsers = 100;

async function list(context: Context): Promise<Answer> {
  const { services, query } = context;
  const [named, status] = [textOf(query, 'user'), textOf(query, 'status')];
  const states = services.of(userStates);
  if (named !== undefined) {
    if (status !== undefined) throw badParameter('status', 'is not accepted together with user');
    const ids = named.split(',').map((one) => castId('user', one.trim()).toHexString());
    if (ids.length > maxUsers) throw badParameter('user', `accepts at most ${maxUsers} ids, got ${ids.length}`);
    return data(await states.of(ids));
  }
  if (status !== undefined && !isKind(status))
    throw badParameter('status', `must be one of ${kinds.join(', ')}, got ${JSON.stringify(status.slice(0, 40))}`);
  const limit = pageLimit(context);
  const cursors = pageCursors<string>(context, ['users', status ?? null]);
  const { found, next } = await states.page({ kind: status, limit, after: cursors.given() });
  return json({ data: found, limit, ...(next === undefined ? {} : { next_cursor: cursors.of(next) }) });
}

export const people: Feature = {
  name: 'people',
  operations: [userOperations],
  provides: [provide(ownService, userStates)],
};
