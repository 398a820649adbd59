/**
 * Encodes stored documents (BSON) as JSON with the result of `policy/shape`, without creating objects: removes hidden keys, adds
 * `id` and places links.
 */
import { internal } from '../../errors/errors.ts';
import {
  type HiddenInKinds,
  type HiddenPart,
  hiddenPart,
  type PrecedingMember,
  type VisibleMember,
} from '../../policy/hidden.ts';
import { type Presentation, visibleKeys } from '../../policy/presentation.ts';
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
  plainElement,
  plainValue,
  valueEnd,
} from './layout.ts';
import { findPlace, idAt, type LinkNode, type Place, placeAt } from './placed.ts';

/** More levels than any database stores. */
const maxLevels = 1000;
const brace = 0x7d;
const bracket = 0x5d;
const refName = Buffer.from('$ref');
const idName = Buffer.from('id');
const underscoreIdName = Buffer.from('_id');

/** Types whose values have nothing inside. */
const isScalar = new Uint8Array(256);
for (const type of [bson.text, bson.id, bson.int, bson.double, bson.date, bson.boolean, bson.null]) isScalar[type] = 1;

/** The rules for a document, or for those in a list: what is hidden in it, and its links. */
interface Frame {
  readonly top: boolean;
  readonly hidden: HiddenPart;
  readonly links: LinkNode | undefined;
}

/** What encoders of a presentation have in common. */
interface Rules {
  readonly hidden: HiddenPart;
  /** Of the caller's own rows, where the caller sees more of them. */
  readonly own: { readonly hidden: HiddenPart; readonly path: Buffer; readonly id: string } | undefined;
  readonly withId: boolean;
  readonly isShown: ((key: string) => boolean) | undefined;
}

const rules = new WeakMap<Presentation, Rules>();

function rulesOf({ hidden, ownRows, fields, withId, withScore }: Presentation): Rules {
  const own = ownRows && {
    hidden: hiddenPart(ownRows.hidden),
    path: Buffer.from(ownRows.path),
    id: ownRows.id,
  };
  return { hidden: hiddenPart(hidden), own, withId, isShown: fields && visibleKeys({ fields, withScore }) };
}

export class DocumentEncoder {
  readonly #out: JsonBytes;
  readonly #rules: Rules;
  readonly #top: Frame;
  readonly #own: Frame | undefined;
  /** Of nested documents without links, by what is hidden in them. */
  readonly #frames = new Map<HiddenPart, Frame>();
  #depth = 0;
  /** The range of the added `id` of this document; 0 and 0 if there is none. */
  #idFrom = 0;
  #idTo = 0;
  #idStored = false;
  /** The member that was written last, or what preceded one that was not written. */
  #last: PrecedingMember = { after: undefined };

  constructor(out: JsonBytes, presentation: Presentation, links?: LinkNode) {
    let known = rules.get(presentation);
    if (known === undefined) rules.set(presentation, (known = rulesOf(presentation)));
    this.#out = out;
    this.#rules = known;
    this.#top = { top: true, hidden: known.hidden, links };
    this.#own = known.own && { top: true, hidden: known.own.hidden, links };
  }

  /** Writes one document of a collection. */
  row(bytes: Buffer): void {
    const { own } = this.#rules;
    this.#document(bytes, 0, own !== undefined && isOwn(bytes, own) ? (this.#own ?? this.#top) : this.#top);
  }

  #document(bytes: Buffer, at: number, frame: Frame): void {
    if (++this.#depth > maxLevels) throw internal(new Error('a stored document is too deep'));
    const begin = this.#out.length;
    if (!this.#inOrderStored(bytes, at, this.#begun(bytes, at, frame))) {
      this.#out.remove(begin, this.#out.length);
      if (!frame.top && isReference(bytes, at)) this.#plain(bytes, bson.document, at, frame);
      else this.#namesInOrder(bytes, at, this.#begun(bytes, at, frame));
    }
    this.#depth--;
  }

  /** Begins a document. @returns its frame, which depends on its kind where there are discriminators */
  #begun(bytes: Buffer, at: number, frame: Frame): Frame {
    const { top, links, hidden: part } = frame;
    if (top) {
      this.#idFrom = this.#idTo = 0;
      this.#idStored = false;
    }
    const hidden = part.kinds === undefined ? part : inKind(bytes, at, part.kinds);
    if (links !== undefined)
      for (const place of links.places) findPlace(place, bytes, at, hidden.hides(place.link.path));
    return hidden === part ? frame : this.#frameOf(hidden, links, top);
  }

  #frameOf(hidden: HiddenPart, links: LinkNode | undefined, top = false): Frame {
    if (top || links !== undefined) return { top, hidden, links };
    let frame = this.#frames.get(hidden);
    if (frame === undefined) this.#frames.set(hidden, (frame = { top, hidden, links }));
    return frame;
  }

  /** @returns false for a document whose members JavaScript would reorder: numeric names, references */
  #inOrderStored(bytes: Buffer, at: number, frame: Frame): boolean {
    this.#out.byte(0x7b);
    let last = frame.hidden.start;
    for (let next = at + 4; byteAt(bytes, next) !== 0;) {
      const first = byteAt(bytes, next + 1);
      if ((first >= 0x30 && first <= 0x39) || (first === 0x24 && isNamed(bytes, next + 1, refName))) return false;
      next = this.#member(bytes, next, frame, last);
      last = this.#last;
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
      this.#member(bytes, member.at, frame, frame.hidden.start);
    this.#end(bytes, frame);
  }

  #end(bytes: Buffer, { links }: Frame): void {
    if (links !== undefined)
      for (const place of links.places) {
        if (place.isWritten || !place.isShown) continue;
        this.#out.json(`${JSON.stringify(place.link.name)}:`);
        this.#placed(bytes, place);
        this.#out.comma();
      }
    this.#out.close(brace);
  }

  /** Writes the member at a position. @param last the member before it @returns the position of the next one */
  #member(bytes: Buffer, at: number, frame: Frame, last: PrecedingMember): number {
    const type = byteAt(bytes, at);
    const from = at + 1;
    const out = this.#out;
    const begin = out.length;
    const { after } = last;
    let shown: VisibleMember | undefined = after;
    // one pass writes the name and finds its end; it is taken back where the member is not shown
    let to = after === undefined ? -1 : out.expectedName(bytes, from, after.bytes);
    if (to === -1) {
      to = out.name(bytes, from);
      shown = frame.hidden.at(bytes, from, to);
      if (shown?.named !== undefined) last.after = shown.named;
    }
    const next = valueEnd(bytes, type, to + 1);
    const place = frame.links === undefined ? undefined : placeAt(bytes, from, frame.links.places);
    const isRequested = !frame.top || this.#rules.isShown?.(bytes.toString('utf8', from, to)) !== false;
    if (shown === undefined || !isRequested || (type === bson.undefined && place === undefined)) out.truncate(begin);
    else {
      const value = out.length;
      if (place !== undefined) this.#placed(bytes, place);
      else if (isScalar[type] === 1) this.#scalar(bytes, type, to + 1);
      else {
        const below = frame.links?.below;
        const links = below?.size ? below.get(bytes.toString('utf8', from, to)) : undefined;
        this.#composed(bytes, type, to + 1, this.#frameOf(shown.part, links));
      }
      out.comma();
      if (frame.top && to - from <= 3) this.#identity(bytes, from, value);
    }
    this.#last = shown?.named ?? last;
    return next;
  }

  /** Writes `id` after `_id`, unless the document has an `id`. @param value the start of the member's JSON value */
  #identity(bytes: Buffer, name: number, value: number): void {
    const out = this.#out;
    if (isNamed(bytes, name, idName)) {
      this.#idStored = true;
      if (this.#idTo > 0) out.remove(this.#idFrom, this.#idTo);
    } else if (this.#rules.withId && !this.#idStored && isNamed(bytes, name, underscoreIdName)) {
      this.#idFrom = out.length;
      out.ascii('"id":');
      out.repeat(value, this.#idFrom);
      this.#idTo = out.length;
    }
  }

  #scalar(bytes: Buffer, type: number, at: number): void {
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
      default:
        return out.ascii('null');
    }
  }

  /** Writes a value that may have hidden parts or links in it. */
  #composed(bytes: Buffer, type: number, at: number, frame: Frame): void {
    if (type === bson.document) this.#document(bytes, at, frame);
    else if (type === bson.list) this.#list(bytes, at, frame);
    else this.#plain(bytes, type, at, frame);
  }

  /** Lists in lists have no links. */
  #list(bytes: Buffer, at: number, frame: Frame): void {
    if (++this.#depth > maxLevels) throw internal(new Error('a stored document is too deep'));
    this.#out.byte(0x5b);
    for (let next = at + 4; byteAt(bytes, next) !== 0;) {
      const type = byteAt(bytes, next);
      const value = nameEnd(bytes, next + 1) + 1;
      if (isScalar[type] === 1) this.#scalar(bytes, type, value);
      else this.#composed(bytes, type, value, type === bson.list ? this.#frameOf(frame.hidden, undefined) : frame);
      this.#out.comma();
      next = valueEnd(bytes, type, value);
    }
    this.#out.close(bracket);
    this.#depth--;
  }

  /** Writes values of rare types by way of plain values. */
  #plain(bytes: Buffer, type: number, at: number, { hidden }: Frame): void {
    this.#out.json(JSON.stringify(shapeValue(plainValue(bytes, type, at), hidden)) ?? 'null');
  }

  /** Writes the linked documents at a path: one, or a list of those that exist. */
  #placed(bytes: Buffer, place: Place): void {
    place.isWritten = true;
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

/** What is hidden in a document with discriminators. */
function inKind(bytes: Buffer, at: number, kinds: HiddenInKinds): HiddenPart {
  const element = findElement(bytes, at, kinds.keyBytes);
  return kinds.of(element === -1 ? undefined : plainElement(bytes, element));
}

/** Whether a row has an id at a path. */
const isOwn = (bytes: Buffer, { path, id }: { readonly path: Buffer; readonly id: string }): boolean =>
  idAt(bytes, findElement(bytes, 0, path)) === id;

/** Whether a name is an array index, which JavaScript's objects sort first. */
function indexOf(name: string): number {
  const index = Number(name);
  return /^(0|[1-9]\d{0,9})$/.test(name) && index < 4_294_967_295 ? index : Infinity;
}
