/** What a caller sees of a model: its description, and what they may do with it. */
import type { Actor } from '../context.ts';
import { unknownDocument } from '../errors/errors.ts';
import { activeFilter } from '../models/deleted.ts';
import type { ModelEntry } from '../models/entry.ts';
import { describe, type ModelDescription } from '../models/fields/describe.ts';
import { documentId } from '../models/fields/document-id.ts';
import { type Letter, letters } from '../models/letters.ts';
import { modelOf, type Row } from '../models/mongoose.ts';
import { type FunctionDescription, functionsFor, reversesFor } from '../policy/calls.ts';
import { type Extent, type Policy, policyFor } from '../policy/policy.ts';
import { placeOptions } from './in-session.ts';

export const modelDescription = (
  { principal, services }: Pick<Actor, 'principal' | 'services'>,
  model: ModelEntry,
): ModelDescription & { readonly functions: readonly FunctionDescription[] } => ({
  ...describe(
    model,
    policyFor(principal, model).described,
    reversesFor(principal, model, (name) => services.registry.internal(name)),
  ),
  functions: functionsFor(principal, model),
});

interface Rights {
  readonly model: string;
  /** The rows that each letter is given for; for one document, whether it is given. */
  readonly rows: Readonly<Record<Letter, Extent | boolean>>;
  /** The letters that the caller has on each path; paths without any are left out. */
  readonly fields: Readonly<Record<string, string>>;
}

/** @param row a document that the caller may read; without it, the rights on the model */
export function rightsOf(policy: Policy, row?: Row): Rights {
  const of = (letter: Letter): Extent | boolean =>
    row === undefined ? policy.extent(letter) : policy.admits(letter, row);
  const rows = { c: of('c'), r: of('r'), u: of('u'), d: of('d') };
  const { model, shownView } = policy;
  const paths = Object.keys(
    describe(model, { shows: shownView.shows, describes: () => true, withRules: false }).fields,
  );
  const has = (letter: 'c' | 'r' | 'u', path: string): boolean => {
    if (rows[letter] === false || rows[letter] === 'none') return false;
    const isOpen = letter === 'r' ? shownView.shows(path) : policy.writable(path, letter);
    const right = policy.pathRight(letter, path);
    return isOpen && (right === 'all' || (right === 'own' && (row === undefined || policy.owns(row))));
  };
  const lettersOf = (path: string): string => letters.filter((letter) => letter !== 'd' && has(letter, path)).join('');
  const fields = paths.map((path) => [path, lettersOf(path)] as const).filter(([, given]) => given !== '');
  return { model: model.name, rows, fields: Object.fromEntries(fields) };
}

/** @throws 404 for a document that the caller may not read, 400 for no id */
export async function rowForRights(
  { signal, unit }: Pick<Actor, 'signal' | 'unit'>,
  policy: Policy,
  id: string,
): Promise<Row> {
  const filter = policy.filter('r', { _id: documentId(policy.model, 'id', id) }, activeFilter);
  const row = await modelOf(policy.model).collection.findOne<Row>(filter, {
    signal,
    ...placeOptions({ session: unit?.session }),
  });
  if (row === null) throw unknownDocument(policy.model.name, id);
  return row;
}
