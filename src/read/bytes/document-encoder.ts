/**
 * Encodes stored documents (BSON) as JSON with the result of `policy/shape`, without creating objects: removes hidden keys, adds
 * `id` and places links.
 */
import { internal } from '../../errors.ts';
import { type HiddenPart, hiddenPart } from '../../policy/hidden.ts';
import { type Presentation, shownKeys } from '../../policy/presentation.ts';
import { shapeValue } from '../../policy/shape.ts';
import type { JsonBytes } from './json-bytes.ts';
import {
  afterElement,
  bson,
  byteAt,
  findElement,
  intAt,
  isNamed,
  isReference,
  longAt,
  nameEnd,
  valueEnd,
} from './layout.ts';
import { idAt, type LinkNode, type PlacedBytes } from './placed.ts';
import { plainValue } from './plain.ts';

/** More levels than any database stores. */
const maxLevels = 1000;
const brace = 0x7d;
const bracket = 0x5d;
const refName = Buffer.from('$ref');
const idName = Buffer.from('id');
const underscoreIdName = Buffer.from('_id');

/** A link to show in the current document. */
interface Place {
  readonly link: PlacedBytes;
  /** The element that contains the ids, or -1. */
  readonly ids: number;
  written: boolean;
}

/** The rules inside of a value: the links below it, and its hidden keys. */
interface Inside {
  readonly links: LinkNode | undefined;
  readonly hidden: HiddenPart;
}

/** The current document. */
interface Frame {
  readonly top: boolean;
  readonly hidden: HiddenPart;
  readonly below: ReadonlyMap<string, LinkNode> | undefined;
  /** The rules inside of all members, if neither links nor hidden paths lead into one. */
  readonly inside: Inside | undefined;
  readonly places: readonly Place[];
}

const noPlaces: readonly Place[] = [];

export class DocumentEncoder {
  readonly #out: JsonBytes;
  readonly #top: Inside;
  /** Of the caller's own rows, where the caller sees more of them. */
  readonly #own: { readonly inside: Inside; readonly path: Buffer; readonly id: string } | undefined;
  /** The rules inside of documents that neither links nor hidden paths lead into. */
  readonly #plainInside: Inside;
  readonly #plainFrame: Frame;
  readonly #withId: boolean;
  readonly #isShown: ((key: string) => boolean) | undefined;
  #depth = 0;
  /** The range of the added `id` of this document; 0 and 0 if there is none. */
  #idFrom = 0;
  #idTo = 0;
  #idStored = false;

  constructor(out: JsonBytes, { hidden, ownRows, fields, withId }: Presentation, links?: LinkNode) {
    this.#out = out;
    this.#top = { links, hidden: hiddenPart(hidden) };
    this.#own = ownRows && {
      inside: { links, hidden: hiddenPart(ownRows.hidden) },
      path: Buffer.from(ownRows.path),
      id: ownRows.id,
    };
    this.#plainInside = { links: undefined, hidden: this.#top.hidden.anywhere };
    this.#plainFrame = this.#frameOf(this.#plainInside.hidden, undefined, noPlaces, false);
    this.#withId = withId;
    this.#isShown = shownKeys(fields);
  }

  /** Writes one document of a collection. */
  row(bytes: Buffer): void {
    this.#document(bytes, 0, this.#own !== undefined && isOwn(bytes, this.#own) ? this.#own.inside : this.#top, true);
  }

  #document(bytes: Buffer, at: number, inside: Inside, top = false): void {
    if (++this.#depth > maxLevels) throw internal(new Error('a stored document is too deep'));
    const begin = this.#out.length;
    if (!this.#inOrderStored(bytes, at, this.#frame(bytes, at, inside, top))) {
      this.#out.remove(begin, this.#out.length);
      if (!top && isReference(bytes, at)) this.#plain(bytes, bson.document, at, inside);
      else this.#namesInOrder(bytes, at, this.#frame(bytes, at, inside, top));
    }
    this.#depth--;
  }

  #frame(bytes: Buffer, at: number, { links, hidden }: Inside, top: boolean): Frame {
    this.#begin(top);
    if (links === undefined && hidden === this.#plainInside.hidden && !top) return this.#plainFrame;
    if (links === undefined) return this.#frameOf(hidden, undefined, noPlaces, top);
    const places = links.placed.map((link) => ({ link, ids: findElement(bytes, at, link.key), written: false }));
    const below = links.below.size === 0 ? undefined : links.below;
    return this.#frameOf(hidden, below, places.filter(isPlaced(bytes)), top);
  }

  #frameOf(hidden: HiddenPart, below: Frame['below'], places: readonly Place[], top: boolean): Frame {
    const inside = below === undefined && hidden.isUniform ? this.#plainInside : undefined;
    return { top, hidden, below, inside, places };
  }

  /** The rules inside of a member. @param from the start of its name */
  #inside({ below, hidden }: Frame, bytes: Buffer, from: number, to: number): Inside {
    const key = bytes.toString('utf8', from, to);
    return { links: below?.get(key), hidden: hidden.below(key) };
  }

  #begin(top: boolean): void {
    if (!top) return;
    this.#idFrom = this.#idTo = 0;
    this.#idStored = false;
  }

  /** @returns false for a document whose members JavaScript would reorder: numeric names, references */
  #inOrderStored(bytes: Buffer, at: number, frame: Frame): boolean {
    this.#out.byte(0x7b);
    for (let next = at + 4; byteAt(bytes, next) !== 0;) {
      const first = byteAt(bytes, next + 1);
      if ((first >= 0x30 && first <= 0x39) || (first === 0x24 && isNamed(bytes, next + 1, refName))) return false;
      next = this.#member(bytes, next, frame);
    }
    this.#end(bytes, frame);
    return true;
  }

  #namesInOrder(bytes: Buffer, at: number, frame: Frame): void {
    const members: { readonly at: number; readonly index: number }[] = [];
    for (let next = at + 4; byteAt(bytes, next) !== 0; next = afterElement(bytes, next))
      members.push({ at: next, index: indexOf(bytes.toString('utf8', next + 1, nameEnd(bytes, next + 1))) });
    this.#out.byte(0x7b);
    for (const member of members.sort((a, b) => a.index - b.index || a.at - b.at))
      this.#member(bytes, member.at, frame);
    this.#end(bytes, frame);
  }

  #end(bytes: Buffer, { places }: Frame): void {
    for (const place of places) {
      if (place.written) continue;
      this.#out.json(`${JSON.stringify(place.link.name)}:`);
      this.#placed(bytes, place);
      this.#out.comma();
    }
    this.#out.close(brace);
  }

  /** Writes the member at a position. @returns the position of the next one */
  #member(bytes: Buffer, at: number, frame: Frame): number {
    const type = byteAt(bytes, at);
    const from = at + 1;
    const out = this.#out;
    const begin = out.length;
    // one pass writes the name and finds its end; it is taken back where the member is not shown
    const to = out.name(bytes, from);
    const next = valueEnd(bytes, type, to + 1);
    const length = to - from;
    const place = frame.places.length === 0 ? undefined : placeAt(bytes, from, frame.places);
    if (this.#leavesOut(bytes, from, to, frame) || (type === bson.undefined && place === undefined)) {
      out.truncate(begin);
      return next;
    }
    const value = out.length;
    if (place === undefined) this.#value(bytes, type, to + 1, frame.inside ?? this.#inside(frame, bytes, from, to));
    else this.#placed(bytes, place);
    out.comma();
    if (frame.top && length <= 3) this.#identity(bytes, from, value);
    return next;
  }

  /** Whether a member of this name is hidden, or not requested. */
  #leavesOut(bytes: Buffer, from: number, to: number, { hidden, top }: Frame): boolean {
    const length = to - from;
    if ((hidden.lengths >>> (length < 31 ? length : 31)) & 1 && hidden.hidesBytes(bytes, from, to)) return true;
    return top && this.#isShown?.(bytes.toString('utf8', from, to)) === false;
  }

  /** Writes `id` after `_id`, unless the document has an `id`. @param value the start of the member's JSON value */
  #identity(bytes: Buffer, name: number, value: number): void {
    const out = this.#out;
    if (isNamed(bytes, name, idName)) {
      this.#idStored = true;
      if (this.#idTo > 0) out.remove(this.#idFrom, this.#idTo);
    } else if (this.#withId && !this.#idStored && isNamed(bytes, name, underscoreIdName)) {
      this.#idFrom = out.length;
      out.ascii('"id":');
      out.repeat(value, this.#idFrom);
      this.#idTo = out.length;
    }
  }

  #value(bytes: Buffer, type: number, at: number, inside: Inside): void {
    const out = this.#out;
    switch (type) {
      case bson.text:
        return out.string(bytes, at + 4, at + 3 + intAt(bytes, at));
      case bson.id:
        return out.id(bytes, at);
      case bson.int:
        return out.number(intAt(bytes, at));
      case bson.double:
        return out.number(bytes.readDoubleLE(at));
      case bson.date:
        return out.date(longAt(bytes, at));
      case bson.boolean:
        return out.ascii(bytes[at] === 1 ? 'true' : 'false');
      case bson.null:
        return out.ascii('null');
      case bson.document:
        return this.#document(bytes, at, inside);
      case bson.list:
        return this.#list(bytes, at, inside);
      default:
        return this.#plain(bytes, type, at, inside);
    }
  }

  /** Lists in lists have no links. */
  #list(bytes: Buffer, at: number, inside: Inside): void {
    if (++this.#depth > maxLevels) throw internal(new Error('a stored document is too deep'));
    this.#out.byte(0x5b);
    for (let next = at + 4; byteAt(bytes, next) !== 0;) {
      const type = byteAt(bytes, next);
      const value = nameEnd(bytes, next + 1) + 1;
      this.#value(bytes, type, value, type === bson.list ? { ...inside, links: undefined } : inside);
      this.#out.comma();
      next = valueEnd(bytes, type, value);
    }
    this.#out.close(bracket);
    this.#depth--;
  }

  /** Writes values of rare types by way of plain values. */
  #plain(bytes: Buffer, type: number, at: number, { hidden }: Inside): void {
    this.#out.json(JSON.stringify(shapeValue(plainValue(bytes, type, at), hidden)) ?? 'null');
  }

  /** Writes the linked documents at a path: one, or a list of those that exist. */
  #placed(bytes: Buffer, place: Place): void {
    place.written = true;
    const out = this.#out;
    const { link, ids } = place;
    if (ids === -1 || bytes[ids] !== bson.list) {
      if (ids === -1 || !link.write(out, bytes, ids)) out.ascii('null');
      return;
    }
    out.byte(0x5b);
    const list = nameEnd(bytes, ids + 1) + 1;
    for (let next = list + 4; byteAt(bytes, next) !== 0; next = afterElement(bytes, next))
      if (link.write(out, bytes, next)) out.comma();
    out.close(bracket);
  }
}

/** Whether a row has an id at a path. */
const isOwn = (bytes: Buffer, { path, id }: { readonly path: Buffer; readonly id: string }): boolean =>
  idAt(bytes, findElement(bytes, 0, path)) === id;

/** Whether links that are missing from the document are shown: a single link as null, a list not at all. */
const isPlaced =
  (bytes: Buffer) =>
  ({ link, ids }: Place): boolean =>
    (ids !== -1 && bytes[ids] !== bson.undefined) || !link.array;

function placeAt(bytes: Buffer, from: number, places: readonly Place[]): Place | undefined {
  for (const place of places) if (isNamed(bytes, from, place.link.nameBytes)) return place;
  return undefined;
}

/** Whether a name is an array index, which JavaScript's objects sort first. */
function indexOf(name: string): number {
  const index = Number(name);
  return /^(0|[1-9]\d{0,9})$/.test(name) && index < 4_294_967_295 ? index : Infinity;
}
