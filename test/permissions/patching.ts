/** PATCH in each of its forms, and PUT with `on`, each with the change that the oracle expects. */
import { isGiven, type Json, may, reaches, type Row, unwritable } from './oracle.ts';
import { expectStatus, type Question, refusalOf } from './reads.ts';
import { codes, rowId } from './universe.ts';
import { bodyFor, type Done, expectChanged, expectCreated, flagFor, pathsIn } from './writes.ts';

const merge = 'application/merge-patch+json';
const jsonPatch = 'application/json-patch+json';

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A body with dotted names in place of nested objects. */
const leavesOf = (body: Json): Json =>
  Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) =>
      isObject(value) ? Object.entries(value).map(([part, inner]) => [`${name}.${part}`, inner]) : [[name, value]],
    ),
  );

/** A body with nested objects in place of dotted names. */
function nestedOf(body: Json): Json {
  const nested: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(body)) {
    const [name = path, part] = path.split('.');
    nested[name] = part === undefined ? value : { ...(nested[name] as Json | undefined), [part]: value };
  }
  return nested;
}

/** `PATCH /api`: fields, operators, a merge patch or a JSON Patch. */
export async function patch(question: Question): Promise<Done> {
  const { world, who, model, caller, state } = question;
  const id = rowId(model.name, world.chance.below(13));
  const form = world.chance.one(['fields', 'operators', merge, jsonPatch]);
  const dotted = { ...bodyFor(question, 2, form !== jsonPatch), ...flagFor(question) };
  const { link_id: _, ...unlinked } = dotted;
  // a JSON Patch that writes the link that is there does not look for its target
  const body = form === merge ? leavesOf(dotted) : form === jsonPatch ? { level: 1, ...unlinked } : dotted;
  const sent = {
    fields: { body },
    operators: { body: { $set: body } },
    [merge]: { body: nestedOf(body), type: merge },
    [jsonPatch]: {
      body: Object.entries(body).map(([name, value]) => ({ op: 'add', path: `/${name}`, value })),
      type: jsonPatch,
    },
  }[form];
  const answer = await world.ask({ who, method: 'PATCH', path: `/api/${model.name}/${id}`, body: {}, ...sent });
  const row = state[model.name]?.get(id);
  const { never, own } = unwritable(model, caller, pathsIn(body), 'u');
  const isRefusedOwner = form === jsonPatch && never.length === 0 && own.length > 0 && row?.['_owner_id'] !== caller.id;
  if (!isRefusedOwner || answer.status !== 403) return expectChanged(question, { answer, id, body });
  // the paths that a JSON Patch writes are those that differ
  expectStatus(answer, [403]);
  return { answer };
}

/** `PUT /api?on=code`. */
export async function upsert(question: Question): Promise<Done> {
  const { world, who, model, caller, state } = question;
  const code = world.chance.one(codes);
  const values = { ...bodyFor(question, 2, false), ...flagFor(question) };
  const body = { code, ...values };
  const answer = await world.ask({ who, method: 'PUT', path: `/api/${model.name}?on=code`, body });
  const refused = (status: number): Done => {
    expectStatus(answer, [status]);
    return { answer };
  };
  const isAllowed = (['c', 'u'] as const).some((letter) => isGiven(model, caller, letter));
  if (!isAllowed) return refused(refusalOf(caller));
  const row = [...(state[model.name]?.values() ?? [])].find((one: Row) => one['code'] === code);
  const isKnown = row !== undefined && (may(model, caller, 'r', row) || reaches(model, caller, 'u', row));
  if (!isKnown) {
    const { _deleted: _, ...made } = body as Json;
    return expectCreated(question, answer, made, row !== undefined);
  }
  if (row['_deleted'] === true && (values as Json)['_deleted'] !== false) return refused(410);
  return expectChanged(question, { answer, id: String(row['_id']), body: values });
}
