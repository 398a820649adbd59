/** What an entry keeps of the images of a document: the document after the write, and what differs before it. Pure. */
import type { Row, States } from '../../core.ts';
import { sizeOfRow } from '../../models/mongoose.ts';
import { BSON } from '../../models/object-id.ts';

/** BSON of a document beyond which only its smaller values are kept: its item would be too large for a message. */
const maxImageBytes = 1024 ** 2;
/** BSON of a value that is kept of a larger document. */
const maxValueBytes = 8192;

/** The stored form. */
interface Kept {
  readonly after?: Row;
  /** Values of the document before, as far as they differ; all of them without `after`. */
  readonly before?: Row;
  /** Names that the document did not have before. */
  readonly added?: readonly string[];
  /** Whether large values are left out. */
  readonly isPartial?: boolean;
}

export interface DocumentImages {
  readonly before: Row | undefined;
  readonly after: Row | undefined;
  readonly isPartial: boolean;
}

/** @param state images without what no entry may hold */
export function encodeImages({ before: first, after: second }: Pick<States[number], 'before' | 'after'>): unknown {
  const isPartial = [first, second].some((row) => row !== undefined && sizeOfRow(row) > maxImageBytes);
  const [before, after] = [first, second].map((row) => (row !== undefined && isPartial ? smallValues(row) : row));
  const kept: Kept = {
    ...(isPartial ? { isPartial } : {}),
    ...(after === undefined ? {} : { after }),
    ...(before === undefined ? {} : after === undefined ? { before } : differing(before, after)),
  };
  return new BSON.Binary(BSON.serialize(kept));
}

export function decodeImages(stored: unknown): DocumentImages {
  const {
    before,
    after,
    added = [],
    isPartial = false,
  } = BSON.deserialize((stored as { readonly buffer: Uint8Array }).buffer) as Kept;
  if (before === undefined || after === undefined) return { before, after, isPartial };
  const shared = Object.entries(after).filter(([name]) => !added.includes(name));
  return { before: { ...Object.fromEntries(shared), ...before }, after, isPartial };
}

/**
 * What remains of the images when a delivery has ended: it may be repeated, which needs the values before that decide who may read it.
 * @returns undefined where all of them remain
 */
export function reducedImages({ before, after, isPartial }: DocumentImages, names: ReadonlySet<string>): unknown {
  if (before === undefined) return undefined;
  const kept = Object.fromEntries(Object.entries(before).filter(([name]) => names.has(name)));
  return encodeReduced({ before: kept, after, isPartial });
}

const encodeReduced = ({ before, after, isPartial }: DocumentImages): unknown => {
  const added = before && after ? Object.keys(after).filter((name) => !Object.hasOwn(before, name)) : [];
  const kept: Kept = { isPartial, ...(after && { after }), ...(before && { before, added }) };
  return new BSON.Binary(BSON.serialize(kept));
};

function differing(before: Readonly<Row>, after: Readonly<Row>): Kept {
  const names = Object.keys(before).filter((name) => !isSame(before[name], after[name]));
  return {
    before: Object.fromEntries(names.map((name) => [name, before[name]])),
    added: Object.keys(after).filter((name) => !Object.hasOwn(before, name)),
  };
}

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || Buffer.compare(BSON.serialize({ one }), BSON.serialize({ one: other })) === 0;

const smallValues = (row: Readonly<Row>): Row =>
  Object.fromEntries(Object.entries(row).filter(([name, value]) => sizeOfRow({ [name]: value }) <= maxValueBytes));
