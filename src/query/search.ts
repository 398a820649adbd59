/** Parses `search`: a full-text search, or a case-insensitive literal search in single fields. */
import { badParameter, tooMany } from '../errors/errors.ts';
import { realPath } from '../models/fields/resolve-alias.ts';
import type { Filter } from './filter.ts';
import { checkKnown, checkPath } from './key-checks.ts';
import { withinKinds } from './kind-filter.ts';
import { isTree, type Parameter } from './parameter-tree.ts';
import { escapePattern } from './regex.ts';
import type { SchemaView } from './schema-view.ts';

/** The field with the relevance of a document in a full-text search. */
export const scorePath = 'score';

export interface Search {
  readonly text: string | undefined;
  readonly filters: readonly Filter[];
}

const longest = 256;
const maxFields = 10;

/** The search that a caller requests, if any. @throws 400 */
export function searchFrom(value: Parameter | undefined, view: SchemaView): Search | undefined {
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'string') return { text: checked('search', value), filters: [] };
  if (!isTree(value)) throw badParameter('search', 'takes one text, or search[<field>]=<text>');
  const entries = Object.entries(value);
  if (entries.length > maxFields) throw tooMany('fields in search', maxFields);
  return { text: undefined, filters: entries.map(([name, text]) => inField(view, name, text)) };
}

function inField(view: SchemaView, name: string, text: Parameter): Filter {
  const path = realPath(view.schema, name);
  checkPath(view, path);
  checkKnown(view, path, 'search');
  if (typeof text !== 'string') throw badParameter(`search[${path}]`, 'takes one text');
  const filter = { [path]: { $regex: escapePattern(checked(`search[${path}]`, text)), $options: 'i' } };
  return withinKinds(filter, view.schema);
}

function checked(name: string, text: string): string {
  if (text.length > longest) throw badParameter(name, `must have at most ${longest} characters, got ${text.length}`);
  if (text.includes('\0')) throw badParameter(name, 'must not contain a NUL character');
  return text;
}
