/** Requests that read, each with the answer that the oracle expects. */
import { isDeepStrictEqual } from 'node:util';
import type { Answer } from '../support/client.ts';
import {
  type Caller,
  cut,
  extentOf,
  isGiven,
  type Json,
  matches,
  may,
  mayName,
  type Model,
  orderOf,
  pathRight,
  type Row,
  shown,
} from './oracle.ts';
import { future, linkedFrom, linkingTo, names, past, paths, rowId, scalars, units } from './universe.ts';
import { everyone, type State, type Who, type World } from './world.ts';

/** What a request needs: who asks for what, and what is stored. */
export interface Question {
  readonly world: World;
  readonly who: Who;
  readonly caller: Caller;
  readonly model: Model;
  readonly state: State;
}

/** @param letter for which callers who have it are preferred: most others are refused at once */
export function question(world: World, state: State, letter: 'r' | 'u'): Question {
  const drawn = (): Question => {
    const who = world.chance.one(everyone);
    return { world, who, caller: world.caller(who, state), model: world.model(world.chance.one(names)), state };
  };
  for (let left = 3; left > 0; left--) {
    const question = drawn();
    if (isGiven(question.model, question.caller, letter)) return question;
  }
  return drawn();
}

/** @throws Error that shows both */
export function expectSame(what: string, got: unknown, expected: unknown): void {
  const plainly = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));
  if (!isDeepStrictEqual(plainly(got), plainly(expected)))
    throw new Error(`${what}: ${JSON.stringify(got)}, expected ${JSON.stringify(expected)}`);
}

export const refusalOf = ({ id }: Caller): number => (id === undefined ? 401 : 403);

export function expectStatus({ status, text }: Answer, expected: readonly number[]): void {
  if (!expected.includes(status)) throw new Error(`status ${status}, expected ${expected.join(' or ')}: ${text}`);
}

/** The undeleted rows of a model that a caller may read, by id. */
export const readable = ({ state, caller }: Question, model: Model): readonly Row[] =>
  [...(state[model.name]?.values() ?? [])]
    .filter((row) => row['_deleted'] !== true && may(model, caller, 'r', row))
    .sort((one, other) => orderOf(one['_id'], other['_id']));

// Filters

export interface Asking {
  readonly filter: Json;
  readonly paths: readonly string[];
}

/** A condition on one path, with a value of its type. */
export function conditionOn(path: string, { world, model }: Question): unknown {
  const { one, below } = world.chance;
  const ordered = (value: unknown): unknown =>
    one([value, { [one(['$gt', '$gte', '$lt', '$lte', '$ne'])]: value }, { $in: [value] }, { $not: { $eq: value } }]);
  switch (path) {
    case 'level':
    case 'pay.sum':
      return ordered(below(5));
    case 'open':
      return one([true, false]);
    case 'due':
      return { [one(['$lt', '$gte'])]: one([past, future]) };
    case 'link_id':
      return ordered(rowId(linkedFrom(model.name), below(12)));
    case 'title':
      return ordered(`«${model.name}.${below(12)}.title»`);
    case 'pay.memo':
      return ordered(`«${model.name}.${below(12)}.pay.memo»`);
    case 'lines.memo':
      return ordered(`«${model.name}.${below(12)}.lines.memo.0»`);
    default:
      return one<unknown>([ordered(one(units)), { $exists: world.chance.is(0.5) }, { $nin: [one(units), one(units)] }]);
  }
}

export function filterFor(question: Question, depth = 0): Asking {
  const { one, is } = question.world.chance;
  if (depth < 2 && is(0.25)) {
    const parts = [filterFor(question, depth + 1), filterFor(question, depth + 1)];
    return {
      filter: { [one(['$and', '$or', '$nor'])]: parts.map(({ filter }) => filter) },
      paths: parts.flatMap((part) => part.paths),
    };
  }
  const path = one(paths);
  return { filter: { [path]: conditionOn(path, question) }, paths: [path] };
}

const named = ({ model, caller }: Question, list: readonly string[]): boolean =>
  list.every((path) => mayName(model, caller, path));

const holds = ({ caller }: Question, filter: Json, row: unknown): boolean =>
  matches(filter, row, { ...caller, own: undefined });

// Lists

type Wishes = Asking & {
  readonly fields: readonly string[];
  readonly sort: string | undefined;
  readonly populates: boolean;
  /** Whether the documents that link to each one are shown. */
  readonly reverses: boolean;
  /** A condition on the linked document. */
  readonly through: Through | undefined;
};

interface Through {
  readonly path: string;
  readonly condition: unknown;
  /** Whether no linked document may fulfil it. */
  readonly negated: boolean;
}

/** A condition on the document that a row links to; one that a URL can carry where the filter is not in a body. */
function throughFor(question: Question, inBody: boolean): Through | undefined {
  const { one, is } = question.world.chance;
  if (is(0.6)) return undefined;
  const path = one(scalars);
  const condition = conditionOn(path, { ...question, model: question.world.model(linkedFrom(question.model.name)) });
  return inBody || typeof condition !== 'object' ? { path, condition, negated: inBody && is(0.3) } : undefined;
}

/** A filter with the condition on the linked document. */
function withThrough(filter: Json, through: Through | undefined): Json {
  if (through === undefined) return filter;
  const condition = { [`link.${through.path}`]: through.condition };
  return { $and: [filter, through.negated ? { $nor: [condition] } : condition] };
}

/** Whether a row links to a document that the caller may read and that fulfils the condition. */
function linksAsWished(question: Question, { path, condition, negated }: Through, row: Row): boolean {
  const target = readable(question, question.world.model(linkedFrom(question.model.name)));
  const linkedRow = target.find(({ _id }) => _id === row['link_id']);
  return negated !== (linkedRow !== undefined && holds(question, { [path]: condition }, linkedRow));
}

/** A list by `/api`, whose filter is in the query string, or by `/query`. */
export async function list(question: Question): Promise<void> {
  const { world, who, model } = question;
  const { one, is, some } = world.chance;
  const inBody = is(0.5);
  const path = one(scalars);
  const condition = conditionOn(path, question);
  const inQuery = typeof condition !== 'object' && is(0.5);
  const asking = inBody
    ? filterFor(question)
    : { filter: inQuery ? { [path]: condition } : {}, paths: inQuery ? [path] : [] };
  const wishes: Wishes = {
    ...asking,
    fields: is(0.25) ? some(paths, 3) : [],
    sort: is(0.3) ? one(scalars) : undefined,
    populates: is(0.25),
    reverses: is(0.25),
    through: throughFor(question, inBody),
  };
  const populated = [...(wishes.populates ? ['link'] : []), ...(wishes.reverses ? ['held'] : [])];
  const { through } = wishes;
  const parameters = [
    'count=true',
    ...(inQuery && !inBody ? [`filter[${path}]=${encodeURIComponent(String(condition))}`] : []),
    ...(wishes.fields.length > 0 ? [`fields=${wishes.fields.join(',')}`] : []),
    ...(wishes.sort === undefined ? [] : [`sort=${wishes.sort}`]),
    ...(populated.length === 0 ? [] : [`populate=${populated.join(',')}`]),
    ...(inBody || through === undefined
      ? []
      : [`filter[link.${through.path}]=${encodeURIComponent(String(through.condition))}`]),
  ].join('&');
  const answer = await world.ask(
    inBody
      ? {
          who,
          method: 'POST',
          path: `/query/${model.name}?${parameters}`,
          body: { query: withThrough(asking.filter, through) },
        }
      : { who, method: 'GET', path: `/api/${model.name}?${parameters}` },
  );
  const refusals = refusalsOf(question, wishes);
  if (refusals.length > 0) return expectStatus(answer, refusals);
  expectStatus(answer, [200]);
  expectRows(question, wishes, answer);
}

function refusalsOf(question: Question, wishes: Wishes): readonly number[] {
  const { paths: filtered, fields, sort, populates, reverses, through } = wishes;
  const { caller, model, world } = question;
  const linked = world.model(linkedFrom(model.name));
  const linking = world.model(linkingTo(model.name));
  if (!isGiven(model, caller, 'r')) return [refusalOf(caller)];
  const bad =
    !named(question, [
      ...filtered,
      ...(sort === undefined ? [] : [sort]),
      ...(populates || through ? ['link_id'] : []),
    ]) ||
    (through !== undefined && !mayName(linked, caller, through.path)) ||
    (reverses && !mayName(linking, caller, 'link_id')) ||
    fields.some((path) => pathRight(model, caller, 'r', path) === 'none');
  const closed =
    ((populates || through !== undefined) && !isGiven(linked, caller, 'r')) ||
    (reverses && !isGiven(linking, caller, 'r'));
  return [...(bad ? [400] : []), ...(closed ? [403] : [])];
}

function expectRows(question: Question, wishes: Wishes, answer: Answer): void {
  const { filter, fields, sort, populates, reverses, through } = wishes;
  const { caller, model } = question;
  const rows = readable(question, model).filter(
    (row) => holds(question, filter, row) && (through === undefined || linksAsWished(question, through, row)),
  );
  const wished = (path: string): boolean =>
    fields.length === 0 ||
    path === '_id' ||
    path === 'id' ||
    fields.some((one) => one === path || one.startsWith(`${path}.`) || path.startsWith(`${one}.`));
  const expected = rows.map((row): Json => ({
    ...(cut(shown(model, caller, row), wished) as Json),
    ...(populates ? { link: linked(question, row['link_id']) } : {}),
    ...(reverses ? { held: linking(question, row['_id']) } : {}),
  }));
  expectSame('count', answer.body['count'], rows.length);
  if (sort === undefined || fields.length > 0 || populates || reverses) {
    const byId = (list: readonly Json[]): readonly Json[] =>
      sort === undefined ? list : [...list].sort((one, other) => orderOf(one['_id'], other['_id']));
    return expectSame('rows', byId(answer.rows), expected);
  }
  const ofRow = new Map(expected.map((row) => [row['_id'], row]));
  const known = answer.rows.map((row) => ofRow.get(row['_id']));
  expectSame('rows', answer.rows, known);
  const keys = known.map((row) => valueAt(row ?? {}, sort));
  // what has no value comes first
  const isBefore = (one: unknown, other: unknown): boolean =>
    one === undefined || (other !== undefined && orderOf(one, other) <= 0);
  keys.forEach((key, at) => {
    if (at > 0 && !isBefore(keys[at - 1], key)) throw new Error(`the order of ${JSON.stringify(keys)}`);
  });
}

const valueAt = (row: Json, path: string): unknown =>
  path.split('.').reduce<unknown>((at, part) => (at as Json | undefined)?.[part], row);

/** What `populate` shows in the place of a link. */
function linked(question: Question, id: unknown): Json | null {
  const target = question.world.model(linkedFrom(question.model.name));
  const row = readable(question, target).find(({ _id }) => _id === id);
  return row === undefined ? null : shown(target, question.caller, row);
}

/** What `populate` shows of a reverse link. */
function linking(question: Question, id: unknown): readonly Json[] {
  const source = question.world.model(linkingTo(question.model.name));
  return readable(question, source)
    .filter((row) => row['link_id'] === id)
    .map((row) => shown(source, question.caller, row));
}

export async function one(question: Question): Promise<void> {
  const { world, who, model, caller } = question;
  const id = rowId(model.name, world.chance.below(14));
  const answer = await world.ask({ who, method: 'GET', path: `/api/${model.name}/${id}` });
  if (!isGiven(model, caller, 'r')) return expectStatus(answer, [refusalOf(caller)]);
  const row = readable(question, model).find(({ _id }) => _id === id);
  expectStatus(answer, [row === undefined ? 404 : 200]);
  if (row !== undefined) expectSame('document', answer.body['data'], shown(model, caller, row));
}

export async function count(question: Question): Promise<void> {
  const { world, who, model, caller } = question;
  const path = world.chance.one(scalars);
  const given = conditionOn(path, question);
  const value = typeof given === 'object' ? undefined : given;
  const filter = value === undefined ? '' : `?filter[${path}]=${encodeURIComponent(String(value))}`;
  const answer = await world.ask({ who, method: 'GET', path: `/count/${model.name}${filter}` });
  if (!isGiven(model, caller, 'r')) return expectStatus(answer, [refusalOf(caller)]);
  if (value !== undefined && !named(question, [path])) return expectStatus(answer, [400]);
  const rows = readable(question, model).filter(
    (row) => value === undefined || holds(question, { [path]: value }, row),
  );
  expectSame('count', answer.body, { count: rows.length });
}

const columns = [
  ...['_id', 'title', 'team', 'squad', 'level', 'open', 'due', 'link_id', 'pay.sum', 'pay.memo', 'lines', 'code'],
  ...['_deleted', '_owner_id', '_updated_by_id', 'createdAt', 'updatedAt', '__v'],
];

export async function csv(question: Question): Promise<void> {
  const { world, who, model, caller } = question;
  const answer = await world.ask({ who, method: 'GET', path: `/csv/${model.name}` });
  if (!isGiven(model, caller, 'r')) return expectStatus(answer, [refusalOf(caller)]);
  expectStatus(answer, [200]);
  const [header = [], ...lines] = answer.text.trimEnd().split('\r\n').map(cellsOf);
  const known = columns.filter((path) => pathRight(model, caller, 'r', path) !== 'none');
  expectSame('columns', [...header].sort(), [...known].sort());
  const rows = readable(question, model).map((row) => shown(model, caller, row));
  const cell = (value: unknown): string =>
    value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
  expectSame(
    'cells',
    lines,
    rows.map((row) => header.map((path) => cell(valueAt(row, path)))),
  );
}

/** The cells of a line by RFC 4180. */
const cellsOf = (line: string): string[] =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
    ([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? '',
  );

/** `GET /model/{name}/rights` for the model, or for one row. */
export async function rights(question: Question): Promise<void> {
  const { world, who, model, caller } = question;
  const id = world.chance.is(0.5) ? rowId(model.name, world.chance.below(13)) : undefined;
  const answer = await world.ask({
    who,
    method: 'GET',
    path: `/model/${model.name}/rights${id === undefined ? '' : `?id=${id}`}`,
  });
  if (!(['c', 'r', 'u', 'd'] as const).some((letter) => isGiven(model, caller, letter)))
    return expectStatus(answer, [404]);
  const row = id === undefined ? undefined : readable(question, model).find(({ _id }) => _id === id);
  if (id !== undefined && row === undefined) return expectStatus(answer, [404, refusalOf(caller)]);
  expectStatus(answer, [200]);
  const { rows, fields } = answer.body['data'] as {
    readonly rows: Json;
    readonly fields: Readonly<Record<string, string>>;
  };
  for (const letter of ['c', 'r', 'u', 'd'] as const) {
    const extent = extentOf(model, caller, letter);
    const known = extent === 'rules' ? ['some', 'none'] : [extent];
    if (row !== undefined) expectSame(`rows.${letter}`, rows[letter], may(model, caller, letter, row));
    else if (!known.includes(String(rows[letter])))
      throw new Error(`rows.${letter}: ${String(rows[letter])}, expected ${known.join(' or ')}`);
    if (rows[letter] === 'none' && letter === 'r') expectSame('readable rows', readable(question, model), []);
  }
  const isOwn = row === undefined || row['_owner_id'] === caller.id;
  for (const path of scalars) {
    const has = (letter: 'c' | 'r' | 'u'): boolean => {
      const right = pathRight(model, caller, letter, path);
      return rows[letter] !== 'none' && rows[letter] !== false && (right === 'all' || (right === 'own' && isOwn));
    };
    const isShown = pathRight(model, caller, 'r', path) !== 'none';
    const expected = (['c', 'r', 'u'] as const).filter(has).join('');
    if (isShown) expectSame(`fields.${path}`, fields[path] ?? '', expected);
  }
}

/** A function of a document, which needs `r`, or `u` besides. */
export async function call(question: Question): Promise<void> {
  const { world, who, model, caller, state } = question;
  const id = rowId(model.name, world.chance.below(14));
  const [name, letter] = world.chance.one([
    ['titled', 'r'],
    ['changed', 'u'],
  ] as const);
  const answer = await world.ask({ who, method: 'POST', path: `/call/${model.name}/${id}/${name}`, body: {} });
  if (!isGiven(model, caller, letter) || !isGiven(model, caller, 'r')) return expectStatus(answer, [refusalOf(caller)]);
  const row = readable(question, model).find(({ _id }) => _id === id) ?? state[model.name]?.get('none');
  if (row === undefined) return expectStatus(answer, [404]);
  if (!may(model, caller, letter, row)) return expectStatus(answer, [403]);
  expectSame('result', answer.body['data'], id);
}
