/** Shapes documents: removes hidden keys at any depth, adds `id` and places links. Only this file creates `ShapedJson`. */
import { mapInSlices } from '../async/yield.ts';
import type { ReverseLink } from '../models/entry.ts';
import { bytesOf, jsonValue } from '../models/fields/values/bson-types.ts';
import { originOf } from '../models/mongoose/marked-documents.ts';
import { isPlainObject } from '../models/plain-object.ts';
import { hiddenInDocument, type HiddenKeys, hiddenPart } from './hidden.ts';
import { type Presentation, visibleKeys } from './presentation.ts';
import type { ResultView } from './result-view.ts';
import type { ShapedDocument, ShapedJson } from './shaped.ts';
import { freeView } from './view.ts';

/** A linked document to show, and the path at which it is shown. */
export interface PopulatedLink {
  readonly as: string;
  readonly path: string;
  /** @param id a value at the path, which may be no id @returns undefined for a document that is not shown */
  readonly find: (id: unknown) => unknown;
  readonly array: boolean;
}

/** What a reverse link shows in a document. */
export interface PopulatedReverse {
  /** What is shown for an id: the members with the linking documents, one of them or their number, and that there are more. */
  readonly linking: (id: unknown) => Readonly<Record<string, unknown>> | undefined;
  readonly kinds: ReverseLink['kinds'];
}

type Json = Record<string, unknown>;

/** The parts of a document that a caller may see. */
export function shape(
  row: Readonly<Json>,
  { hidden, ownRows, fields, withId, withScore }: Presentation,
  populated: readonly (PopulatedLink | PopulatedReverse)[] = [],
): ShapedDocument {
  const isOwn = ownRows !== undefined && String(row[ownRows.path]) === ownRows.id;
  const part = hiddenInDocument(hiddenPart(isOwn ? ownRows.hidden : hidden), row);
  const isShown = fields && visibleKeys({ fields, withScore });
  const result: Json = {};
  for (const [key, value] of Object.entries(row)) {
    if (part.hides(key) || isShown?.(key) === false) continue;
    put(result, key, clean(value, part.below(key)));
    if (key === '_id' && withId && (row['id'] === undefined || part.hides('id'))) result['id'] = result['_id'];
  }
  for (const link of populated)
    if ('linking' in link) placeLinking(result, row, link);
    else place(result, row, link, part);
  return result as unknown as ShapedDocument;
}

/** Shapes a value that no schema describes. It also removes texts that look like password hashes. */
export const shapeValue = (value: unknown, hidden: HiddenKeys = anywhere): ShapedJson =>
  withoutHashes(clean(value, hidden)) as ShapedJson;

/** Shapes the data of an answer as post-hooks leave it: of a list, others are served between its rows. */
export async function shapeInSlices(value: unknown): Promise<ShapedJson> {
  if (!isPlain(value) || !Array.isArray(value['data'])) return shapeValue(value);
  const data = await mapInSlices(value['data'], (row) => shapeValue(row));
  return { ...shapeValue({ ...value, data: [] }), data } as ShapedJson;
}

/** Shapes the result of a function of a model, with the documents in it. It also removes texts and bytes that look like password hashes. */
export const shapeResult = (value: unknown, viewOf: ResultView): ShapedJson =>
  withoutHashes(clean(value, anywhere, viewOf)) as ShapedJson;

const anywhere = hiddenPart(freeView.hidden);

/** The name and the salt of bcrypt's modular format, and the rest of its 53 characters. */
const hashLike = /\$2[abxy]?\$\d{2}\$[./A-Za-z0-9]{22,53}/g;
/** Characters of the shortest one: most texts are shorter, or have no `$2`. */
const shortestHash = 28;

const textWithoutHashes = (text: string): string =>
  text.length < shortestHash || !text.includes('$2') ? text : text.replace(hashLike, '[hash]');

/** @param value cleaned: strings, numbers, lists and plain objects */
function withoutHashes(value: unknown): unknown {
  if (typeof value === 'string') return textWithoutHashes(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutHashes);
  const result: Json = {};
  for (const [key, inner] of Object.entries(value)) put(result, textWithoutHashes(key), withoutHashes(inner));
  return result;
}

/** Bytes in which password hashes are replaced; any other value unchanged. */
function bytesWithoutHashes(value: object): object {
  const text = bytesOf(value)?.toString('latin1') ?? '';
  const replaced = textWithoutHashes(text);
  return replaced === text ? value : Buffer.from(replaced, 'latin1');
}

function put(target: Json, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
}

/** @param viewOf for the result of a function */
function clean(value: unknown, hidden: HiddenKeys, viewOf?: ResultView): unknown {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? jsonValue(value) : value;
  if (Array.isArray(value)) return value.map((member) => clean(member, hidden, viewOf));
  if (value instanceof Map) return clean(Object.fromEntries(value), hidden, viewOf);
  const keys = viewOf?.(value) ?? hidden;
  if (keys === 'all') return null;
  const part = hiddenInDocument(keys, value as Json);
  if (!isPlain(value)) return special(viewOf === undefined ? value : bytesWithoutHashes(value), part, viewOf);
  const result: Json = {};
  for (const [key, inner] of entriesOf(value))
    if (!part.hides(key)) put(result, key, clean(inner, part.below(key), viewOf));
  return result;
}

/** The entries of an object, without the internal ones of a Mongoose document that it was spread from: they hold the whole document. */
function entriesOf(value: Json): readonly (readonly [string, unknown])[] {
  const entries = Object.entries(value);
  return '$__' in value && '_doc' in value ? entries.filter(([key]) => !internals.has(key)) : entries;
}

const internals: ReadonlySet<string> = new Set(['$__', '$isNew', '_doc']);

/** Whether a value is a plain object; values of other types have classes or a `toJSON`. */
const isPlain = (value: unknown): value is Json => isPlainObject(value) && typeof value['toJSON'] !== 'function';

/** The cleaned JSON form of BSON types and objects of classes. Mongoose documents have their `id`, as in every answer. */
function special(value: object, hidden: HiddenKeys, viewOf: ResultView | undefined): unknown {
  const plain = jsonValue(value);
  const { toJSON: _, ...own } = value as Json;
  const cleaned = clean(plain === value ? own : plain, hidden, viewOf);
  const isDocument = '$isNew' in value && (value as { $isSubdocument?: unknown }).$isSubdocument !== true;
  if (!isDocument || !isPlainObject(cleaned) || !('_id' in cleaned) || ownsId(value)) return cleaned;
  return { ...cleaned, id: cleaned._id };
}

const ownsId = (document: object): boolean => originOf(document)?.models.some(({ schema }) => schema.hasOwnId) === true;

function placeLinking(target: Json, row: Readonly<Json>, { linking, kinds }: PopulatedReverse): void {
  if (kinds === undefined || kinds.values.has(row[kinds.key])) Object.assign(target, linking(row['_id']));
}

/** Puts linked documents beside their ids that are shown, through nested documents and lists of them. */
function place(target: Json, row: Readonly<Json>, { path, as, find, array }: PopulatedLink, hidden: HiddenKeys): void {
  const [first = '', ...rest] = path.split('.');
  // documents of other kinds have no such link
  if (hidden.hides(first)) return;
  const [shownFirst = '', ...shownRest] = as.split('.');
  if (rest.length > 0) {
    const inner = row[first];
    const shownInner = target[shownFirst];
    const below = { path: rest.join('.'), as: shownRest.join('.'), find, array };
    if (Array.isArray(inner) && Array.isArray(shownInner))
      inner.forEach((member, at) => placeIn(shownInner[at], member, below, hidden.below(first)));
    else placeIn(shownInner, inner, below, hidden.below(first));
    return;
  }
  const value = row[first];
  if (value === undefined) {
    if (array) return;
    target[as] = null;
  } else if (Array.isArray(value)) target[as] = value.map(find).filter((document) => document !== undefined);
  else target[as] = find(value) ?? null;
}

function placeIn(target: unknown, row: unknown, below: PopulatedLink, hidden: HiddenKeys): void {
  if (typeof target === 'object' && target !== null && isPlain(row))
    place(target as Json, row, below, hiddenInDocument(hidden, row));
}
