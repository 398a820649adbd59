/** `search` → full text, or text in single fields as it is written, without case. */
import { badParameter, tooMany } from '../errors.ts';
import { realPath } from '../models/resolve-alias.ts';
import type { Filter } from './filter.ts';
import { checkKnown, checkPath } from './key-checks.ts';
import { isTree, type Parameter } from './params.ts';
import { escaped } from './regex.ts';
import type { SchemaView } from './schema-view.ts';

/** Where a list that is searched by text shows how well a document fits. */
export const scorePath = 'score';

export interface Search {
  readonly text: string | undefined;
  readonly filters: readonly Filter[];
}

const longest = 256;
const maxFields = 10;

/** What a caller searches for; undefined when nothing. @throws 400 */
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
  return { [path]: { $regex: escaped(checked(`search[${path}]`, text)), $options: 'i' } };
}

function checked(name: string, text: string): string {
  if (text.length > longest) throw badParameter(name, `may have ${longest} characters at most`);
  if (text.includes('\0')) throw badParameter(name, 'must not hold a NUL');
  return text;
}
