/** The groups that a user is in. */
import type { GroupsUpdate } from '../auth/contract.ts';
import type { Context } from '../context.ts';
import { id, listOf, message, object, text } from '../docs/openapi/shapes.ts';
import { badParameter, badValue, type Failure, unknownDocument, validationFailed } from '../errors/errors.ts';
import { castId } from '../models/fields/values/ids-and-dates.ts';
import { groupMembers } from '../ports/core.ts';
import { parametersNamed } from '../query/parameter-table.ts';
import { namesOf } from '../query/parameter-tree.ts';
import { groupFaults } from '../write/rules/user-rules.ts';
import { type Answer, data, success } from './answer.ts';
import { compileCheck, type Fault } from './body-check.ts';
import { fieldsOf } from './fields.ts';
import { adminAccess, type OperationGroup, type PlainOperation, selfOrAdmin } from './operation.ts';
import { actorOf } from './session-client.ts';

const path = '/groups/:user_id';
const maxNames = 100;
const maxLength = 100;
const name = { ...text, maxLength };
const list = { ...listOf(name), maxItems: maxNames };
const oneOrMore = { oneOf: [name, list] };
const memberships = object({ user_id: id, groups: listOf(text) });
const checkNames = compileCheck(oneOrMore);

const changes: readonly [PlainOperation['name'], PlainOperation['http']['method'], keyof GroupsUpdate, string][] = [
  ['groups.add', 'PUT', 'add', 'Adds a user to groups'],
  ['groups.replace', 'POST', 'replace', 'Replaces the groups of a user'],
  ['groups.remove', 'DELETE', 'remove', 'Removes a user from groups'],
];

export const userGroups: OperationGroup = {
  title: 'User groups',
  operations: [
    {
      name: 'groups.get',
      http: { method: 'GET', path },
      summary: 'Lists the groups of a user',
      access: selfOrAdmin('user_id'),
      answers: { 200: object({ data: memberships }) },
      run: read,
    },
    ...changes.map(([operation, method, how, summary]): PlainOperation => ({
      name: operation,
      http: { method, path },
      summary,
      access: adminAccess,
      tracksProgress: true,
      input: {
        query: parametersNamed('group'),
        body: {
          schema: { oneOf: [object({}, { group: oneOrMore, groups: oneOrMore }), list] },
          optional: true,
          refuse: badNames,
        },
      },
      answers: { 200: object({ ...message, data: memberships }) },
      run: (context) => change(context, how),
    })),
  ],
};

async function read(context: Context): Promise<Answer> {
  const user_id = userOf(context);
  const groups = await context.services.of(groupMembers).of(user_id);
  if (groups === undefined) throw unknownDocument('user', user_id);
  return data({ user_id, groups });
}

async function change(context: Context, how: keyof GroupsUpdate): Promise<Answer> {
  const { services } = context;
  const user_id = userOf(context);
  const names = namesIn(context);
  if (names === undefined || (names.length === 0 && how !== 'replace'))
    throw badParameter('group', 'must name the groups');
  const groups = await services.of(groupMembers).change(user_id, { [how]: names }, actorOf(context));
  if (groups === undefined) throw unknownDocument('user', user_id);
  return success('groups changed', { data: { user_id, groups } });
}

const userOf = ({ params }: Context): string => String(castId('user_id', params['user_id'] ?? ''));

/**
 * The names in the body (a list, or `group` or `groups` with one name or a list) or in the query string; undefined when there are
 * none.
 * @throws 400 for invalid names
 */
function namesIn({ body, query, services }: Context): readonly string[] | undefined {
  const { group, groups } = fieldsOf(body);
  const named = query['group'] === undefined ? undefined : namesOf(query['group'], 'group');
  const fault = checkNames(named ?? []);
  if (fault !== undefined) throw badNames(fault);
  const given = (Array.isArray(body) ? body : (group ?? groups ?? named)) as string | readonly string[] | undefined;
  if (given === undefined) return undefined;
  const names = [given].flat().map((one) => one.trim());
  const faults = groupFaults(services.registry.internal('user'), { groups: names });
  if (faults.length > 0) throw validationFailed(faults);
  return names;
}

function badNames({ keyword }: Fault): Failure {
  if (keyword === 'maxItems') return badValue('group', 'maxlength', `must name at most ${maxNames} groups`);
  if (keyword === 'maxLength') return badValue('group', 'maxlength', `must have at most ${maxLength} characters`);
  return badValue('group', 'String', 'must be a string or a list of strings');
}
