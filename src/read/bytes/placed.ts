/** Links in stored bytes: which ids a path holds, and the linked documents that are shown for them. */
import type { ReverseLink } from '../../models/entry.ts';
import { idText, type IdType, objectIdType } from '../../models/fields/id-types.ts';
import { isId } from '../../models/fields/values/ids-and-dates.ts';
import type { JsonBytes } from './json-bytes.ts';
import { afterElement, bson, byteAt, findElement, isNamed, nameEnd, plainElement, plainValue } from './layout.ts';

/** Where a link's ids stand, and under which name what is linked is shown. */
interface Link {
  readonly path: string;
  readonly as: string;
  readonly array: boolean;
  readonly reverseLink?: ReverseLink;
}

/** A link of one document: where its ids stand, and under which name what is shown. */
interface PlacedBytes {
  /** The name of the ids' element. */
  readonly path: string;
  readonly key: Buffer;
  /** The documents that have the link; all of them without. */
  readonly kinds: { readonly key: Buffer; readonly values: ReadonlySet<unknown> } | undefined;
  readonly name: string;
  readonly nameBytes: Buffer;
  readonly array: boolean;
  /** Writes the document whose id the element at a position holds. @returns false when there is none to show */
  readonly write: (out: JsonBytes, bytes: Buffer, at: number) => boolean;
}

/** The links of a document and of the documents inside it, by name. */
export interface LinkNode {
  readonly places: Place[];
  readonly below: Map<string, LinkNode>;
}

/** Linked documents as JSON, each once: positions by the texts of ids. */
export interface EncodedLinks {
  readonly idType: IdType;
  readonly bytes: Buffer;
  readonly positions: ReadonlyMap<string, readonly [from: number, to: number]>;
}

/** The links of a plan as a tree along their paths; undefined when there is none. */
export function linkTree(links: readonly (readonly [Link, EncodedLinks])[]): LinkNode | undefined {
  if (links.length === 0) return undefined;
  const root: LinkNode = { places: [], below: new Map() };
  for (const [link, encoded] of links) {
    const parts = link.path.split('.');
    const key = parts.pop() ?? '';
    let node = root;
    for (const part of parts) {
      const below = node.below.get(part) ?? { places: [], below: new Map() };
      node.below.set(part, below);
      node = below;
    }
    node.places.push({ link: placedBytes(link, key, encoded), ids: -1, isShown: false, isWritten: false });
  }
  return root;
}

function placedBytes(
  { as, array, reverseLink }: Link,
  path: string,
  { idType, bytes: json, positions }: EncodedLinks,
): PlacedBytes {
  const name = as.slice(as.lastIndexOf('.') + 1);
  const { kinds } = reverseLink ?? {};
  return {
    path,
    key: Buffer.from(path),
    kinds: kinds && { ...kinds, key: Buffer.from(kinds.key) },
    name,
    nameBytes: Buffer.from(name),
    array,
    write(out, bytes, at) {
      const id = idAt(bytes, at, idType);
      const position = id === undefined ? undefined : positions.get(id);
      if (position === undefined) return false;
      out.copy(json, position[0], position[1]);
      return true;
    },
  };
}

/** The values that may be ids of other types than ObjectId. */
const idValues: ReadonlySet<number | undefined> = new Set([bson.text, bson.double, bson.int, bson.long, bson.binary]);

/** The text of the id that an element holds; an ObjectId may be stored as its text, too. */
export function idAt(bytes: Buffer, at: number, type = objectIdType): string | undefined {
  const value = nameEnd(bytes, at + 1) + 1;
  if (type !== objectIdType)
    return idValues.has(bytes[at]) ? idText(type, plainValue(bytes, byteAt(bytes, at), value)) : undefined;
  if (bytes[at] === bson.id) return bytes.toString('hex', value, value + 12);
  if (bytes[at] !== bson.text || bytes.readInt32LE(value) !== 25) return undefined;
  const text = bytes.toString('latin1', value + 4, value + 28);
  return isId(text) ? text : undefined;
}

/** The text of the id that a value is, as `idAt` has it: a text is the id of an ObjectId as it is. */
export const idOf = (value: unknown, type: IdType): string | undefined =>
  type === objectIdType && typeof value === 'string' ? value : idText(type, value);

/** The texts of the ids that the rows hold at a path, through lists. @param type of the linked model's ids */
export function idsOf(rows: readonly Buffer[], path: string, type: IdType): string[] {
  const collector = new IdCollector(path, type);
  for (const row of rows) collector.collect(row, 0);
  return [...collector.ids];
}

/** Collects the ids at one path from documents. */
class IdCollector {
  readonly ids = new Set<string>();
  /** The names along the path. */
  readonly #names: readonly Buffer[];

  constructor(
    path: string,
    private readonly type: IdType,
  ) {
    this.#names = path.split('.').map((name) => Buffer.from(name));
  }

  /** @param at where the document begins @param depth which name of the path to find in it */
  collect(row: Buffer, at: number, depth = 0): void {
    const name = this.#names[depth];
    const element = name === undefined ? -1 : findElement(row, at, name);
    if (element !== -1) this.#collectFrom(row, element, depth + 1);
  }

  /** @param at where the element begins @param depth how many names of the path lead to it */
  #collectFrom(row: Buffer, at: number, depth: number): void {
    const type = byteAt(row, at);
    const value = nameEnd(row, at + 1) + 1;
    if (type === bson.list)
      for (let next = value + 4; byteAt(row, next) !== 0; next = afterElement(row, next))
        this.#collectFrom(row, next, depth);
    else if (depth < this.#names.length) {
      if (type === bson.document) this.collect(row, value, depth);
    } else {
      const id = idAt(row, at, this.type);
      if (id !== undefined) this.ids.add(id);
    }
  }
}

/**
 * A link, and where it is in the current document. There is one for all documents of an answer, which are encoded one after the other: none
 * has the same link inside of it.
 */
export interface Place {
  readonly link: PlacedBytes;
  /** The element that contains the ids, or -1. */
  ids: number;
  isShown: boolean;
  isWritten: boolean;
}

/** Finds a link in the document at a position. One that is missing there is shown if it is single: as null. */
export function findPlace(place: Place, bytes: Buffer, at: number, isHidden: boolean): void {
  const { link } = place;
  place.isWritten = false;
  place.ids = -1;
  place.isShown = !isHidden && isInKind(bytes, at, link);
  if (!place.isShown) return;
  place.ids = findElement(bytes, at, link.key);
  place.isShown = !link.array || (place.ids !== -1 && bytes[place.ids] !== bson.undefined);
}

/** Whether the document at a position is of a kind that has a link. */
function isInKind(bytes: Buffer, at: number, { kinds }: PlacedBytes): boolean {
  if (kinds === undefined) return true;
  const element = findElement(bytes, at, kinds.key);
  return element !== -1 && kinds.values.has(plainElement(bytes, element));
}

/** The link that is shown under the name at a position. */
export function placeAt(bytes: Buffer, from: number, places: readonly Place[]): Place | undefined {
  for (const place of places) if (place.isShown && isNamed(bytes, from, place.link.nameBytes)) return place;
  return undefined;
}
