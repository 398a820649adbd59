/** The groups that a user is in. */
import type { Context } from '../context.ts';
import { badParameter, badValue, unknownDocument } from '../errors.ts';
import { namesOf } from '../language/tree.ts';
import { data, ok, type Answer } from './answer.ts';
import { admin, selfOrAdmin, type PlainEndpoint, type RouteGroup } from './operation.ts';
import { castId } from '../registry/cast.ts';
import type { GroupsUpdate } from '../services.ts';
import { checkGroups } from '../write/groups.ts';
import { fieldsOf } from './fields.ts';

const path = '/groups/:user_id';
const mostNames = 100;
const longestName = 100;

const changes: readonly [PlainEndpoint['method'], keyof GroupsUpdate, string][] = [
  ['PUT', 'add', 'Adds a user to groups'],
  ['POST', 'replace', "Puts groups in the place of a user's"],
  ['DELETE', 'remove', 'Takes a user out of groups'],
];

export const userGroups: RouteGroup = {
  title: 'User groups',
  endpoints: [
    { method: 'GET', path, access: selfOrAdmin('user_id'), summary: 'The groups of a user', run: read },
    ...changes.map(([method, how, summary]): PlainEndpoint => ({
      method,
      path,
      access: admin,
      summary,
      run: (context) => change(context, how),
    })),
  ],
};

async function read(context: Context): Promise<Answer> {
  const user_id = userOf(context);
  const groups = await context.services.groups.of(user_id);
  if (groups === undefined) throw unknownDocument('user', user_id);
  return data({ user_id, groups });
}

async function change(context: Context, how: keyof GroupsUpdate): Promise<Answer> {
  const { services, principal } = context;
  const user_id = userOf(context);
  const names = namesIn(context);
  if (names === undefined || (names.length === 0 && how !== 'replace')) throw badParameter('group', 'names the groups');
  const groups = await services.groups.change(user_id, { [how]: names }, principal.user?.id);
  if (groups === undefined) throw unknownDocument('user', user_id);
  return ok('groups changed', { data: { user_id, groups } });
}

const userOf = ({ params }: Context): string => String(castId('user_id', params['user_id'] ?? ''));

/**
 * Names in the body (a list, or `group` or `groups` with one or a list) or in the query string; undefined when there are none anywhere.
 * @throws 400 for names that are none
 */
function namesIn({ body, query, services }: Context): readonly string[] | undefined {
  const { group, groups } = fieldsOf(body);
  const named = query['group'] === undefined ? undefined : namesOf(query['group'], 'group');
  const given = Array.isArray(body) ? body : (group ?? groups ?? named);
  if (given === undefined) return undefined;
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (list.length > mostNames) throw badValue('group', 'maxlength', `may name ${mostNames} groups at most`);
  const names = list.map((name) => {
    if (typeof name !== 'string') throw badValue('group', 'String', 'must be text or a list of texts');
    if (name.length > longestName) throw badValue('group', 'maxlength', `may have ${longestName} characters at most`);
    return name.trim();
  });
  checkGroups(services.registry.internal('user'), { groups: names });
  return names;
}
