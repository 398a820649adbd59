/** Sessions: listing and ending them. */
import type { Context } from '../context.ts';
import { date, flag, id, integer, listOf, object, orNull, successAnswer, text } from '../docs/openapi/shapes.ts';
import { unknownDocument } from '../errors/errors.ts';
import { sessionList } from '../ports/core.ts';
import { parametersNamed } from '../query/parameter-table.ts';
import { type Answer, json, success } from './answer.ts';
import { idIn } from './fields.ts';
import { type OperationGroup, type PlainOperation, signedInAccess } from './operation.ts';
import { targetUserId } from './target-user.ts';

const path = '/login/sessions';
const shown = object({
  id,
  created_at: orNull(date),
  last_used_at: orNull(date),
  address: orNull(text),
  agent: orNull(text),
  current: flag,
});

export const sessions: OperationGroup = {
  title: 'Sessions',
  operations: [
    {
      name: 'sessions.list',
      http: { method: 'GET', path },
      summary: "Lists the caller's sessions",
      access: signedInAccess,
      input: { query: parametersNamed('user') },
      failures: [404],
      answers: { 200: object({ data: listOf(shown), max_sessions: integer }) },
      run: list,
    },
    {
      name: 'sessions.endAll',
      http: { method: 'DELETE', path },
      summary: 'Ends all sessions of the caller but the current one',
      access: signedInAccess,
      input: { query: parametersNamed('user') },
      failures: [404],
      answers: { 200: successAnswer },
      run: endAll,
    },
    {
      name: 'sessions.end',
      http: { method: 'DELETE', path: `${path}/:id` },
      summary: 'Ends a session',
      access: signedInAccess,
      input: { query: parametersNamed('user') },
      answers: { 200: successAnswer },
      run: end,
    },
  ] satisfies readonly PlainOperation[],
};

async function list(context: Context): Promise<Answer> {
  const { services, principal } = context;
  const found = await services.of(sessionList).list(await targetUserId(context));
  return json({
    data: found.map((session) => ({ ...session, current: session.id === principal.session })),
    max_sessions: services.settings.max_sessions,
  });
}

async function endAll(context: Context): Promise<Answer> {
  const { services, principal } = context;
  const user = await targetUserId(context);
  await services.of(sessionList).endAll(user, user === principal.user?.id ? principal.session : undefined);
  return success('the sessions have ended');
}

async function end(context: Context): Promise<Answer> {
  const session = idIn(context);
  if (!(await context.services.of(sessionList).end(await targetUserId(context), session)))
    throw unknownDocument('session', session);
  return success('the session has ended');
}
