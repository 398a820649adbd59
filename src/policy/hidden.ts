/** The hidden keys of documents, for both exits: by name where documents are objects, by bytes where they are BSON. */
import type { Hidden } from '../query/schema-view.ts';

/** The hidden keys of an object and of those below it. */
export interface HiddenKeys {
  hides(key: string): boolean;
  below(key: string): HiddenKeys;
}

/** The hidden keys of a document and of its nested documents. */
export interface HiddenPart extends HiddenKeys {
  /** As `key`, for a key in BSON between a position and the NUL at another one. */
  hidesBytes(bytes: Buffer, from: number, to: number): boolean;
  /** Bit n is set if a hidden key may have n bytes, bit 31 for longer ones: a fast check that writers make for each key. */
  readonly lengths: number;
  /** The hidden keys of the documents under a key; positions in lists are not keys. */
  below(key: string): HiddenPart;
  /** The hidden keys at any path without rules of its own. */
  readonly anywhere: HiddenPart;
  /** Whether `below` is `anywhere` for every key. */
  readonly isUniform: boolean;
}

const made = new WeakMap<Hidden, HiddenPart>();

/** The hidden keys at the top level of documents, compiled once. */
export function hiddenPart(hidden: Hidden): HiddenPart {
  const part = made.get(hidden) ?? compile(hidden);
  made.set(hidden, part);
  return part;
}

function compile({ keys, paths }: Hidden): HiddenPart {
  const named = keys.map((key) => ({ key, bytes: Buffer.from(key) }));
  const anywhere: HiddenPart = {
    hides: (key) => named.some((one) => key.length === one.key.length && key.toLowerCase() === one.key),
    hidesBytes(bytes, from, to) {
      for (const one of named) if (isFolded(bytes, from, to, one.bytes)) return true;
      return false;
    },
    lengths: lengthsOf(named.map(({ bytes }) => bytes)),
    below: () => anywhere,
    get anywhere() {
      return anywhere;
    },
    isUniform: true,
  };
  return paths.length === 0
    ? anywhere
    : partOf(
        paths.map((path) => path.split('.')),
        anywhere,
      );
}

/** @param paths relative to this level, not empty */
function partOf(paths: readonly (readonly string[])[], anywhere: HiddenPart): HiddenPart {
  const here = new Set(paths.filter(({ length }) => length === 1).map(([key]) => key ?? ''));
  const hereBytes = [...here].map((key) => Buffer.from(key));
  const restOf = (key: string): readonly (readonly string[])[] =>
    paths.filter(([first]) => first === key).map(([, ...rest]) => rest);
  const above = new Set(paths.map(([key = '']) => key).filter((key) => !here.has(key)));
  const below = new Map([...above].map((key) => [key, partOf(restOf(key), anywhere)]));
  return {
    hides: (key) => here.has(key) || anywhere.hides(key),
    hidesBytes: (bytes, from, to) =>
      hereBytes.some((key) => isSame(bytes, from, to, key)) || anywhere.hidesBytes(bytes, from, to),
    lengths: anywhere.lengths | lengthsOf(hereBytes),
    below: (key) => below.get(key) ?? anywhere,
    anywhere,
    isUniform: below.size === 0,
  };
}

const lengthsOf = (names: readonly Buffer[]): number =>
  names.reduce((lengths, { length }) => lengths | (1 << Math.min(length, 31)), 0);

/**
 * Whether bytes are a name in any letter case: setting bit 5 converts letters to lower case, and no other byte to a lower-case
 * letter.
 */
function isFolded(bytes: Buffer, from: number, to: number, name: Buffer): boolean {
  if (to - from !== name.length) return false;
  for (let at = 0; at < name.length; at++) if (((bytes[from + at] ?? 0) | 0x20) !== name[at]) return false;
  return true;
}

/** Whether bytes are a name. Called for each key of each row, so nothing is allocated. */
function isSame(bytes: Buffer, from: number, to: number, name: Buffer): boolean {
  if (to - from !== name.length) return false;
  for (let at = 0; at < name.length; at++) if (bytes[from + at] !== name[at]) return false;
  return true;
}
