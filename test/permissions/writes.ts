/** Requests that write one document, each with the status, the answer and the change that the oracle expects. */
import type { Answer } from '../support/client.ts';
import {
  type Caller,
  extentOf,
  isGiven,
  type Json,
  may,
  type Model,
  reaches,
  type Row,
  shown,
  unwritable,
} from './oracle.ts';
import { expectSame, expectStatus, type Question, readable, refusalOf } from './reads.ts';
import { future, linkedFrom, past, people, personId, rowId, units } from './universe.ts';
import { changed, type State } from './world.ts';

/** The rows of the question's model that a request is to leave, by id; all others stay as they are. */
type Expected = ReadonlyMap<string, Row> | { readonly made: Json };

/** What a request has done. */
export interface Done {
  readonly answer: Answer;
  /** Undefined for a refusal, which changes nothing. */
  readonly expected?: Expected | undefined;
  /** Holds the answer against what is stored now. */
  readonly check?: (after: State) => void;
}

const label = ({ world }: Question, path: string): string => `«w${world.chance.below(1e9)}.${path}»`;

/** New values of paths, as a body has them. */
const values: Readonly<Record<string, (question: Question) => unknown>> = {
  title: (question) => label(question, 'title'),
  team: ({ world }) => world.chance.one(units),
  squad: ({ world }) => world.chance.some(units, 3),
  level: ({ world }) => world.chance.below(5),
  open: ({ world }) => world.chance.is(0.5),
  due: ({ world }) => world.chance.one([past, future]),
  link_id: ({ world, model }) => rowId(linkedFrom(model.name), world.chance.below(13)),
  pay: (question) => ({ sum: question.world.chance.below(4), memo: label(question, 'pay.memo') }),
  lines: (question) =>
    question.world.chance.some(units, 2).map((kind) => ({ kind, memo: label(question, 'lines.memo') })),
};
const inner: Readonly<Record<string, (question: Question) => unknown>> = {
  'pay.sum': ({ world }) => world.chance.below(4),
  'pay.memo': (question) => label(question, 'pay.memo'),
};

export function bodyFor(question: Question, most: number, dotted: boolean): Json {
  const known = dotted ? { ...values, ...inner } : values;
  const names = question.world.chance.some(Object.keys(known), most).sort();
  // two paths of which one is in the other do not go together
  const chosen = names.filter((name) => !names.some((other) => name.startsWith(`${other}.`)));
  return Object.fromEntries((chosen.length > 0 ? chosen : ['team']).map((name) => [name, known[name]?.(question)]));
}

/** The paths that a body names, at every depth. */
export function pathsIn(value: unknown, prefix = ''): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((member) => pathsIn(member, prefix)))];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [prefix + name, ...pathsIn(member, `${prefix}${name}.`)]);
}

/** A value as it is stored. */
const storedValue = (path: string, value: unknown): unknown => (path === 'due' ? new Date(String(value)) : value);

export function withValues(row: Row, body: Json): Row {
  const result: Record<string, unknown> = { ...row };
  for (const [path, value] of Object.entries(body)) {
    const [name = path, part] = path.split('.');
    result[name] =
      part === undefined ? storedValue(path, value) : { ...(result[name] as Json | undefined), [part]: value };
  }
  return result;
}

/** Whether a link of a body leads to nothing that the caller may know of. */
export function isBroken(question: Question, body: Json): boolean {
  const id = body['link_id'];
  if (id === undefined) return false;
  const target = question.world.model(linkedFrom(question.model.name));
  const rows =
    extentOf(target, question.caller, 'r') === 'rules'
      ? readable(question, target)
      : [...(question.state[target.name]?.values() ?? [])].filter((row) => row['_deleted'] !== true);
  return !rows.some(({ _id }) => _id === id);
}

const rowOf = ({ state, model }: Question, id: string): Row | undefined => {
  const row = state[model.name]?.get(id);
  return row?.['_deleted'] === true ? undefined : row;
};

/** The status of a write that the caller lacks the right for. */
const refusedRow = (model: Model, caller: Caller, row: Row): number => (may(model, caller, 'r', row) ? 403 : 404);

/** Checks that a 403 names the paths that the caller may not write. */
function expectPaths({ body }: Answer, paths: readonly string[]): void {
  const reported = (body['errors'] as readonly Json[] | undefined)?.map(({ path }) => path);
  expectSame('errors', [...(reported ?? [])].sort(), [...paths].sort());
}

const shownTo = ({ caller, model }: Question, row: Row | undefined): Json | undefined =>
  row !== undefined && may(model, caller, 'r', row) ? shown(model, caller, row) : undefined;

/** A request that changes one row, in words that the oracle understands. */
interface Change {
  readonly answer: Answer;
  readonly id: string;
  /** What it sets, by dotted names. */
  readonly body: Json;
  /** Whether it loads and saves the document. */
  readonly saves?: boolean;
}

/** `PUT /api`, `PUT /update` or `POST /update`. */
export async function change(question: Question): Promise<Done> {
  const { world, who, model } = question;
  const id = rowId(model.name, world.chance.below(13));
  const body = { ...bodyFor(question, 2, true), ...flagFor(question) };
  const [method, folder] = world.chance.one([
    ['PUT', 'api'],
    ['PUT', 'update'],
    ['POST', 'update'],
  ] as const);
  const answer = await world.ask({ who, method, path: `/${folder}/${model.name}/${id}`, body });
  return expectChanged(question, { answer, id, body, saves: folder === 'update' });
}

/** Holds the answer of a change against the rights of the caller. @returns what it has done */
export function expectChanged(question: Question, { answer, id, body, saves = false }: Change): Done {
  const { model, caller } = question;
  const refused = (status: number): Done => {
    expectStatus(answer, [status]);
    return { answer };
  };
  if (!isGiven(model, caller, 'u')) return refused(refusalOf(caller));
  const { never, own } = unwritable(model, caller, pathsIn(body), 'u');
  if (never.length > 0) {
    expectPaths(answer, never);
    return refused(403);
  }
  if (isBroken(question, body)) return refused(400);
  const deletes = body['_deleted'] === true;
  if (deletes && !isGiven(model, caller, 'd')) return refused(refusalOf(caller));
  const row = rowOf(question, id) ?? (body['_deleted'] === false ? question.state[model.name]?.get(id) : undefined);
  if (row === undefined) return refused(404);
  const mayChange = reaches(model, caller, 'u', row) && (!deletes || reaches(model, caller, 'd', row));
  if (!mayChange) return refused(row['_deleted'] === true ? 404 : refusedRow(model, caller, row));
  if (own.length > 0 && row['_owner_id'] !== caller.id) {
    if (row['_deleted'] === true) return refused(404);
    expectPaths(answer, own);
    return refused(403);
  }
  // saving a whole document adds the defaults of lists
  const after = withValues(saves ? { squad: [], lines: [], ...row } : row, body);
  if (!may(model, caller, 'u', after)) return refused(403);
  expectStatus(answer, [200]);
  return {
    answer,
    expected: new Map([[id, after]]),
    check: (state) => expectSame('data', answer.body['data'], shownTo(question, state[model.name]?.get(id))),
  };
}

/** What deletes or restores a document, now and then. */
export const flagFor = ({ world: { chance } }: Question): Json => (chance.is(0.8) ? {} : { _deleted: chance.is(0.5) });

/** A new document as a body makes it. */
export const newRow = (caller: Caller, body: Json): Row => ({
  squad: [],
  lines: [],
  ...withValues({}, body),
  ...(caller.id === undefined ? {} : { _owner_id: caller.id }),
  _deleted: false,
});

export async function create(question: Question): Promise<Done> {
  const { world, who, model } = question;
  const body = bodyFor(question, 5, false);
  const answer = await world.ask({ who, method: 'POST', path: `/api/${model.name}`, body });
  return expectCreated(question, answer, body);
}

/** Holds the answer of a creation against the rights of the caller. @param isTaken whether a unique value exists */
export function expectCreated(question: Question, answer: Answer, body: Json, isTaken = false): Done {
  const { model, caller } = question;
  const refused = (status: number): Done => {
    expectStatus(answer, [status]);
    return { answer };
  };
  if (!isGiven(model, caller, 'c')) return refused(refusalOf(caller));
  const { never } = unwritable(model, caller, pathsIn(body), 'c');
  if (never.length > 0) {
    expectPaths(answer, never);
    return refused(403);
  }
  if (isBroken(question, body)) return refused(400);
  const made = newRow(caller, body);
  if (!may(model, caller, 'c', made)) return refused(403);
  if (isTaken) return refused(409);
  expectStatus(answer, [201]);
  return {
    answer,
    expected: { made },
    check: (state) => {
      const id = answer.headers.get('location')?.split('/').at(-1) ?? '';
      expectSame('data', answer.body['data'], shownTo(question, state[model.name]?.get(id)));
    },
  };
}

export async function remove(question: Question): Promise<Done> {
  const { world, who, model, caller } = question;
  const id = rowId(model.name, world.chance.below(13));
  const answer = await world.ask({ who, method: 'DELETE', path: `/api/${model.name}/${id}` });
  const refused = (status: number): Done => {
    expectStatus(answer, [status]);
    return { answer };
  };
  if (!isGiven(model, caller, 'd')) return refused(refusalOf(caller));
  const row = rowOf(question, id);
  if (row === undefined) return refused(404);
  if (!reaches(model, caller, 'd', row)) return refused(refusedRow(model, caller, row));
  expectStatus(answer, [200]);
  return { answer, expected: new Map([[id, { ...row, _deleted: true }]]) };
}

/** Changes what rules compare with: the document of a user, by an admin or by the user. */
export async function changeUser({ world }: Question): Promise<Done> {
  const { one, some, below, is } = world.chance;
  const person = one(people);
  const body = one<Json>([
    { unit: one(units) },
    { units: some(units, 3) },
    { rank: below(4) },
    { active: is(0.5) },
    { since: one([past, future]) },
    { posts: some(units, 2).map((unit) => ({ unit })) },
    { unit: null },
  ]);
  const answer = await world.ask({
    who: one(['root', person]),
    method: 'PUT',
    path: `/api/user/${personId(person)}`,
    body,
  });
  expectStatus(answer, [200]);
  return { answer };
}

/** Fields that every write sets. */
const stamps = ['__v', 'updatedAt', 'createdAt', '_updated_by_id', '_id'];
const withoutStamps = (row: Row | undefined): Json | undefined =>
  row &&
  Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => !stamps.includes(name))
      .sort(),
  );

/** Holds what is stored now against what a request is to have done. */
export function expectChange({ world, model, state }: Question, { expected, check }: Done, after: State): void {
  for (const other of world.models) {
    const changes = changed(state, after, other.name);
    if (other !== model || expected === undefined) expectSame(`changes of ${other.name}`, changes, []);
    else if (!(expected instanceof Map)) {
      expectSame(
        'new documents',
        changes.map(({ was, is }) => [was, withoutStamps(is)]),
        [[undefined, withoutStamps((expected as { readonly made: Json }).made)]],
      );
    } else {
      const ids = changes.map(({ was }) => String(was?.['_id']));
      expectSame('changed documents', [...ids].sort(), [...expected.keys()].sort());
      for (const { is } of changes)
        expectSame('document', withoutStamps(is), withoutStamps(expected.get(String(is?.['_id'])) as Row));
    }
  }
  check?.(after);
}
