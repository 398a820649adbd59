/** The stage that removes the paths which a schema does not declare from the documents of a pipeline. */
import { isFlat, ownersOf } from '../models/fields/declared-names.ts';
import type { DeclaredNames, Names } from '../models/fields/names.ts';

type Stage = Readonly<Record<string, unknown>>;

const made = new WeakMap<DeclaredNames, readonly Stage[]>();

/** The stages for the documents of a model, created once; none where any name is declared. */
export function removalOfUndeclared(names: Names): readonly Stage[] {
  if (names === 'any') return [];
  const known = made.get(names) ?? [Object.freeze({ $project: fieldsOf('$', names, top) })];
  made.set(names, known);
  return known;
}

/** The stages for documents that a stage has joined in a field. @param also names that the stage has added to them */
export function undeclaredStages(field: string, names: Names, also: readonly string[]): readonly Stage[] {
  if (names === 'any') return [];
  const added = also.map((name) => [name, 'any'] as const);
  const all = { ...names, byName: new Map<string, Names>([...names.byName, ...added]) };
  const one = fieldsOf('$$one.', all, { level: 1, isTop: false });
  return [{ $set: { [field]: { $map: { input: `$${field}`, as: 'one', in: one } } } }];
}

interface Place {
  /** Of the variables, which differ at each level. */
  readonly level: number;
  /** Whether fields are those of a `$project`, which takes 1 for a field as it is. */
  readonly isTop: boolean;
}
const top: Place = { level: 0, isTop: true };

/** The declared fields of a document, each as an expression. @param at what is before the name of a field */
function fieldsOf(at: string, { byName, kinds }: DeclaredNames, { level, isTop }: Place): Record<string, unknown> {
  const fields = [...byName].map(([name, below]) => {
    const path = `${at}${name}`;
    const value = isTop && isFlat(below) ? 1 : valueOf(path, below, level);
    const owners = kinds === undefined ? undefined : ownersOf(name, kinds);
    if (owners === undefined || kinds === undefined) return [name, value] as const;
    const isOwner = { $in: [`${at}${kinds.key}`, { $literal: owners }] };
    return [name, { $cond: [isOwner, value === 1 ? path : value, '$$REMOVE'] }] as const;
  });
  return Object.fromEntries(fields);
}

/** A value with the declared names only. Plain values and null stay; a document in place of a list, or a list in place of one, is null. */
function valueOf(path: string, names: Names, level: number): unknown {
  if (isFlat(names)) return path;
  const { lists = 0, ...one } = names;
  const isDocument = { $eq: [{ $type: path }, 'object'] };
  if (lists === 0)
    return { $cond: [isDocument, documentOf(path, one, level), { $cond: [{ $isArray: [path] }, null, path] }] };
  const as = `member${level}`;
  const members = { $map: { input: path, as, in: valueOf(`$$${as}`, { ...one, lists: lists - 1 }, level + 1) } };
  return { $cond: [{ $isArray: [path] }, members, { $cond: [isDocument, null, path] }] };
}

function documentOf(path: string, names: DeclaredNames, level: number): unknown {
  const { inValues } = names;
  if (inValues === undefined) return fieldsOf(`${path}.`, names, { level, isTop: false });
  const as = `pair${level}`;
  const pair = { k: `$$${as}.k`, v: valueOf(`$$${as}.v`, inValues, level + 1) };
  return { $arrayToObject: { $map: { input: { $objectToArray: path }, as, in: pair } } };
}
