/**
 * Encodes rows and their linked rows as JSON bytes: by way of plain objects for models with virtuals or getters, otherwise
 * directly from bytes. What a link shows is encoded in one way for both.
 */
import { mapInSlices } from '../async/yield.ts';
import { keyPathsOf } from '../models/fields/declared-names.ts';
import { moreOf } from '../models/loading/reverse-links.ts';
import type { Row } from '../models/mongoose.ts';
import { computedRow } from '../models/mongoose/computed-row.ts';
import { withFields } from '../policy/present.ts';
import { type PopulatedLink, type PopulatedReverse, shape } from '../policy/shape.ts';
import type { ShapedDocument } from '../policy/shaped.ts';
import { scorePath } from '../query/search.ts';
import { DocumentEncoder } from './bytes/document-encoder.ts';
import { JsonBytes } from './bytes/json-bytes.ts';
import { findElement, plainRow } from './bytes/layout.ts';
import { type EncodedLinks, idAt, idOf, idsOf, type LinkNode, linkTree } from './bytes/placed.ts';
import { fetchLinked, type Source } from './fetch.ts';
import type { LinkPlan, RowsPlan } from './plan-types.ts';
import { fetchReverseRows } from './reverse-rows.ts';

const idName = Buffer.from('_id');

/** Writes rows as JSON. */
export interface RowEncoder {
  /** The bytes that all rows probably take. */
  readonly bytes: number;
  /** Prepares to write into an answer; the returned function writes the row with an index. */
  readonly into: (out: JsonBytes) => (at: number) => void;
}

/** The capacity for the parts of JSON that are longer than in BSON: names of ids, dates, brackets. */
const roomFor = (rows: readonly Buffer[]): number =>
  Math.ceil(rows.reduce((sum, { length }) => sum + length * 1.25 + 64, 256));

/** Creates the buffer of an answer. @throws 413 while writing, beyond the size limit */
export const answerFor = (rows: readonly Buffer[], maxBytes: number): JsonBytes =>
  new JsonBytes(roomFor(rows), maxBytes);

/** Fetches linked documents by one query per link, and returns the function that writes a row. */
export async function rowEncoder(plan: RowsPlan, rows: readonly Buffer[], source: Source): Promise<RowEncoder> {
  if (plan.model.computed) {
    const shaped = await shapeRows(plan, rows, source);
    return { bytes: roomFor(rows), into: (out) => (at) => out.json(JSON.stringify(shaped[at])) };
  }
  if (plan.links.length === 0) return encoderOf(plan, rows, roomFor(rows));
  const links = await Promise.all(
    plan.links.map(async (link) => [link.link, await encoded(plan, link, rows, source)] as const),
  );
  const bytes = links.reduce((sum, [, linked]) => sum + roomForLinked(linked, rows.length), roomFor(rows));
  return encoderOf(plan, rows, bytes, linkTree(links));
}

const encoderOf = (
  { presentation }: RowsPlan,
  rows: readonly Buffer[],
  bytes: number,
  links?: LinkNode,
): RowEncoder => ({
  bytes,
  into(out) {
    const encoder = new DocumentEncoder(out, presentation, links);
    return (at) => encoder.row(rows[at] as Buffer);
  },
});

/** The capacity for what a link shows, if each row has one of the linked documents. */
const roomForLinked = ({ bytes, positions }: EncodedLinks, rows: number): number =>
  positions.size === 0 ? 0 : Math.ceil((bytes.length / positions.size) * rows);

/** What a link shows, by the ids that the rows have at its path. */
const encoded = (plan: RowsPlan, link: LinkPlan, rows: readonly Buffer[], source: Source): Promise<EncodedLinks> =>
  link.link.reverseLink === undefined ? encodedLink(link, rows, source) : encodedReverseLink(plan, link, rows, source);

/** The linking documents of each row as a list, with `<name>_more` behind it where there are more. */
async function encodedReverseLink(
  { model }: RowsPlan,
  link: LinkPlan,
  rows: readonly Buffer[],
  source: Source,
): Promise<EncodedLinks> {
  const found = await fetchReverseRows(link, model, idsOf(rows, '_id', model.idType), source);
  const all = [...found.values()].flatMap((linking) => linking.rows);
  const encoder = await rowEncoder(link.rows, all, source);
  const out = new JsonBytes(encoder.bytes, source.maxBytes);
  const write = encoder.into(out);
  const positions = new Map<string, readonly [number, number]>();
  let at = 0;
  const { shape } = link.link.reverseLink ?? {};
  for (const [id, linking] of found) {
    const from = out.length;
    if (shape === 'count') out.json(String(linking.count));
    else if (shape === 'one') {
      if (linking.rows.length === 0) out.json('null');
      else write(at++);
    } else {
      out.ascii('[');
      for (const end = at + linking.rows.length; at < end; at++) {
        write(at);
        out.comma();
      }
      out.close(closingBracket);
    }
    if (linking.more) out.json(`,${JSON.stringify(moreOf(link.link.as))}:true`);
    positions.set(id, [from, out.length]);
  }
  return { idType: model.idType, bytes: out.written, positions };
}

const closingBracket = 0x5d;

/** The linked documents of a link, each encoded once. */
async function encodedLink(
  { link, rows: plan }: LinkPlan,
  rows: readonly Buffer[],
  source: Source,
): Promise<EncodedLinks> {
  const ids = idsOf(rows, link.path, plan.model.idType);
  return encodedById(plan, ids.length === 0 ? [] : await fetchLinked(plan, ids, source), source);
}

/** Rows as JSON, by their ids. @throws 413 beyond the size limit of an answer */
export async function encodedById(plan: RowsPlan, rows: readonly Buffer[], source: Source): Promise<EncodedLinks> {
  const { idType } = plan.model;
  const encoder = await rowEncoder(plan, rows, source);
  const out = new JsonBytes(encoder.bytes, source.maxBytes);
  const write = encoder.into(out);
  const positions = new Map<string, readonly [number, number]>();
  rows.forEach((row, at) => {
    const from = out.length;
    write(at);
    const id = idAt(row, findElement(row, 0, idName), idType);
    if (id !== undefined) positions.set(id, [from, out.length]);
  });
  return { idType, bytes: out.written, positions };
}

/** Rows as plain objects, with what their links show: it is encoded as for other rows, and read again. */
export async function shapeRows(plan: RowsPlan, rows: readonly Buffer[], source: Source): Promise<ShapedDocument[]> {
  const placed = await Promise.all(
    plan.links.map(async (link) => placedObjects(link, await encoded(plan, link, rows, source))),
  );
  const also = plan.model.computed ? namesBeside(plan) : [];
  return mapInSlices(rows, (bytes) => {
    const row = plainRow(bytes);
    const whole = plan.model.computed ? computed(plan, row, also) : row;
    return shape(whole, plan.presentation, placed);
  });
}

/** The names that a computed row needs besides those that are asked for: of links, and of what decides the kind of a document. */
const namesBeside = ({ links, model }: RowsPlan): readonly string[] => [
  ...links.map(({ link }) => link.path),
  ...keyPathsOf(model.schema.storedNames),
];

function placedObjects(
  { link }: LinkPlan,
  { idType, bytes, positions }: EncodedLinks,
): PopulatedLink | PopulatedReverse {
  const { path, as, array, reverseLink } = link;
  const name = JSON.stringify(as);
  const known = new Map<string, Row>();
  /** The members that a link puts in a document. */
  const members = (value: unknown): Row | undefined => {
    const id = idOf(value, idType);
    const position = id === undefined ? undefined : positions.get(id);
    if (id === undefined || position === undefined) return undefined;
    let read = known.get(id);
    if (read === undefined)
      known.set(id, (read = JSON.parse(`{${name}:${bytes.toString('utf8', ...position)}}`) as Row));
    return read;
  };
  return reverseLink === undefined
    ? { path, as, array, find: (id) => members(id)?.[as] }
    : { linking: members, kinds: reverseLink.kinds };
}

/** The row with the schema's virtuals and getters, reduced to the requested fields. */
function computed(plan: RowsPlan, row: Row, also: readonly string[]): Row {
  const plain = withFields(computedRow(plan.model, row), plan.fields, also);
  // only a search adds one: any other is a field of the model
  return plan.presentation.withScore === true && row[scorePath] !== undefined
    ? { ...plain, [scorePath]: row[scorePath] }
    : plain;
}
