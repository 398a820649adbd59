/** The hidden keys of documents, for both exits: by name where documents are objects, by bytes where they are BSON. */
import type { DeclaredNames, Names } from '../models/fields/names.ts';
import type { HiddenNames } from '../query/schema-view.ts';

/** The hidden keys of an object and of those below it. */
export interface HiddenKeys {
  hides(key: string): boolean;
  /** The hidden keys of the objects under a key; positions in lists are not keys. */
  below(key: string): HiddenKeys;
  /** Where documents have discriminators: what is hidden in those of one. The keys themselves are those that all of them hide. */
  readonly kinds?: HiddenInKinds | undefined;
}

/** The hidden keys of a document and of its nested documents. */
export interface HiddenPart extends HiddenKeys {
  below(key: string): HiddenPart;
  /** The member with a key in BSON between a position and the NUL at another one; undefined if it is hidden. */
  at(bytes: Buffer, from: number, to: number): VisibleMember | undefined;
  /** What precedes the first member. */
  readonly start: PrecedingMember;
}

/** Remembers which member has followed last, because most documents of a collection have their members in the same order. */
export interface PrecedingMember {
  after: NamedMember | undefined;
}

export interface VisibleMember {
  readonly part: HiddenPart;
  /** The member as one to expect: undefined where any name is shown, and for names that JSON escapes. */
  readonly named: NamedMember | undefined;
}

/** A member that the schema declares. */
interface NamedMember extends VisibleMember, PrecedingMember {
  readonly bytes: Buffer;
}

export interface HiddenInKinds {
  /** The name of the discriminator key. */
  readonly key: string;
  readonly keyBytes: Buffer;
  /** @param value of the key; undefined in a document without one */
  of(value: unknown): HiddenPart;
}

const made = new WeakMap<HiddenNames, HiddenPart>();

/** The hidden keys at the top level of documents, compiled once. */
export function hiddenPart(hidden: HiddenNames): HiddenPart {
  const part = made.get(hidden) ?? compile(hidden);
  made.set(hidden, part);
  return part;
}

/** What is hidden in one document. */
export function hiddenInDocument<Keys extends HiddenKeys>(
  keys: Keys,
  document: Readonly<Record<string, unknown>>,
): Keys | HiddenPart {
  return keys.kinds === undefined ? keys : keys.kinds.of(document[keys.kinds.key]);
}

/** What is hidden below a path. @param path dotted, without positions; empty for the whole document */
export const partAt = (whole: HiddenPart, path: string): HiddenPart =>
  path === '' ? whole : path.split('.').reduce((part, name) => part.below(name), whole);

type Paths = readonly (readonly string[])[];

function compile({ keys, paths, names }: HiddenNames): HiddenPart {
  const split = paths.map((path) => path.split('.'));
  return partOf(split, names, everywhere(keys));
}

/** Hides the keys that are hidden at any depth. */
function everywhere(keys: readonly string[]): HiddenPart {
  const named = keys.map((key) => ({ key, bytes: Buffer.from(key) }));
  const lengths = lengthsOf(named.map(({ bytes }) => bytes));
  const part: HiddenPart = {
    kinds: undefined,
    hides: (key) => named.some((one) => key.length === one.key.length && key.toLowerCase() === one.key),
    below: () => part,
    at(bytes, from, to) {
      if (mayBe(lengths, to - from))
        for (const one of named) if (isFolded(bytes, from, to, one.bytes)) return undefined;
      return shown;
    },
    start: { after: undefined },
  };
  const shown: VisibleMember = { part, named: undefined };
  return part;
}

/** @param paths relative to this level */
function partOf(paths: Paths, names: Names, anywhere: HiddenPart): HiddenPart {
  if (names !== 'any') return new DeclaredPart(paths, names, anywhere);
  return paths.length === 0 ? anywhere : openPart(paths, anywhere);
}

/** Hides some paths of documents that may have any names. */
function openPart(paths: Paths, anywhere: HiddenPart): HiddenPart {
  const here = new Set(paths.filter(({ length }) => length === 1).map(([key = '']) => key));
  const bytesHere = [...here].map((key) => Buffer.from(key));
  const above = new Set(paths.map(([key = '']) => key).filter((key) => !here.has(key)));
  const below = new Map([...above].map((key) => [key, partOf(restOf(paths, key), 'any', anywhere)]));
  const bytesBelow = [...below].map(([key, part]) => ({ bytes: Buffer.from(key), shown: { part, named: undefined } }));
  return {
    kinds: undefined,
    hides: (key) => here.has(key) || anywhere.hides(key),
    below: (key) => below.get(key) ?? anywhere,
    at(bytes, from, to) {
      if (bytesHere.some((key) => isSame(bytes, from, to, key))) return undefined;
      return bytesBelow.find((one) => isSame(bytes, from, to, one.bytes))?.shown ?? anywhere.at(bytes, from, to);
    },
    start: { after: undefined },
  };
}

const noMembers: readonly NamedMember[] = [];

/** Hides all names but those that a schema declares, and some of these. */
class DeclaredPart implements HiddenPart {
  readonly kinds: HiddenInKinds | undefined;
  readonly start: PrecedingMember = { after: undefined };
  readonly #shown: ReadonlyMap<string, HiddenPart>;
  /** The names by their number of bytes. */
  readonly #byLength: readonly (readonly NamedMember[])[];
  /** The members with other keys, those of a map. */
  readonly #others: VisibleMember | undefined;
  readonly #anywhere: HiddenPart;

  constructor(paths: Paths, { byName, inValues, kinds }: DeclaredNames, anywhere: HiddenPart) {
    const here = new Set(paths.filter(({ length }) => length === 1).map(([key]) => key));
    const shown = [...byName].filter(([key]) => !here.has(key) && !anywhere.hides(key));
    this.#shown = new Map(shown.map(([key, below]) => [key, partOf(restOf(paths, key), below, anywhere)]));
    this.#byLength = byLengthOf(this.#shown);
    this.#others = inValues && { part: partOf([], inValues, anywhere), named: undefined };
    this.#anywhere = anywhere;
    this.kinds = kinds && inKinds(paths, kinds, anywhere);
  }

  hides(key: string): boolean {
    return !this.#shown.has(key) && (this.#others === undefined || this.#anywhere.hides(key));
  }

  below(key: string): HiddenPart {
    return this.#shown.get(key) ?? this.#others?.part ?? this.#anywhere;
  }

  /** Called for keys of rows, so nothing is allocated. */
  at(bytes: Buffer, from: number, to: number): VisibleMember | undefined {
    const candidates = this.#byLength[to - from] ?? noMembers;
    for (const member of candidates) if (isSame(bytes, from, to, member.bytes)) return member;
    return this.#others === undefined || this.#anywhere.at(bytes, from, to) === undefined ? undefined : this.#others;
  }
}

function byLengthOf(shown: ReadonlyMap<string, HiddenPart>): readonly (readonly NamedMember[])[] {
  const members = [...shown].map(([key, part]) => new Named(Buffer.from(key), part));
  const longest = Math.max(0, ...members.map(({ bytes }) => bytes.length));
  return Array.from({ length: longest + 1 }, (_, length) => members.filter(({ bytes }) => bytes.length === length));
}

class Named implements NamedMember {
  readonly named: NamedMember | undefined;
  after: NamedMember | undefined;

  constructor(
    readonly bytes: Buffer,
    readonly part: HiddenPart,
  ) {
    this.named = isAscii(bytes) ? this : undefined;
  }
}

/** Whether a name stands in JSON as it is. */
const isAscii = (bytes: Buffer): boolean =>
  bytes.every((byte) => byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c);

function inKinds(paths: Paths, kinds: NonNullable<DeclaredNames['kinds']>, anywhere: HiddenPart): HiddenInKinds {
  const base = partOf(paths, kinds.base, anywhere);
  const byValue = new Map([...kinds.byValue].map(([value, names]) => [value, partOf(paths, names, anywhere)]));
  return { key: kinds.key, keyBytes: Buffer.from(kinds.key), of: (value) => byValue.get(value) ?? base };
}

const restOf = (paths: Paths, key: string): Paths =>
  paths.filter(([first]) => first === key).map(([, ...rest]) => rest);

/** Bit n is set if a name has n bytes, bit 31 for longer ones: a fast check that writers make for each key. */
const lengthsOf = (names: readonly Buffer[]): number =>
  names.reduce((lengths, { length }) => lengths | (1 << Math.min(length, 31)), 0);

const mayBe = (lengths: number, length: number): boolean => ((lengths >>> (length < 31 ? length : 31)) & 1) === 1;

/**
 * Whether bytes are a name in any letter case: setting bit 5 converts letters to lower case, and no other byte to a lower-case
 * letter.
 */
function isFolded(bytes: Buffer, from: number, to: number, name: Buffer): boolean {
  if (to - from !== name.length) return false;
  for (let at = 0; at < name.length; at++) if (((bytes[from + at] ?? 0) | 0x20) !== name[at]) return false;
  return true;
}

function isSame(bytes: Buffer, from: number, to: number, name: Buffer): boolean {
  if (to - from !== name.length) return false;
  for (let at = 0; at < name.length; at++) if (bytes[from + at] !== name[at]) return false;
  return true;
}
