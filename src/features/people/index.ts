/** What admins see of users besides their documents: when they were there last, and how they sign in. */
import {
  adminAccess,
  type Answer,
  badParameter,
  type Context,
  data,
  type Feature,
  json,
  type OperationGroup,
  ownService,
  pageLimit,
  parametersNamed,
  type PlainOperation,
  provide,
  shapes,
  textOf,
} from '../../core.ts';
import { castId } from '../../models/fields/values/ids-and-dates.ts';
import { pageCursors } from '../../operations/pages.ts';
import { isKind, kinds, userStates } from './states.ts';

const state = shapes.object({
  ...{
    id: shapes.id,
    last_seen: shapes.orNull(shapes.date),
    never_signed_in: shapes.flag,
    unverified: shapes.flag,
    factor: shapes.flag,
    locked: shapes.flag,
  },
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
      answers: {
        200: shapes.object({ data: shapes.listOf(state) }, { limit: shapes.integer, next_cursor: shapes.text }),
      },
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
