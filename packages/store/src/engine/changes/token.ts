/** Resume tokens: strings that sort in the order of the changes. */
import type { Doc, Value } from 'dossier-language/values';
import { isDoc } from 'dossier-language/values';

/**
 * The position of a token: at an event, at the `invalidate` event that it caused, or after the event. A stream that
 * resumes at an event that invalidates it ends there. A stream that resumes after that event continues, because it was
 * opened later.
 */
export type TokenKind = 'event' | 'invalidate' | 'place';

/** A resume token. */
export interface Token {
  /** The number of an event. */
  readonly sequence: number;
  /** The cluster time of that event. */
  readonly time: bigint;
  readonly kind: TokenKind;
}

/** Digits that sort the tokens of one event: the event, its `invalidate` event, the position after both. */
const digitsOf: Readonly<Record<TokenKind, string>> = { event: '00', invalidate: '01', place: '02' };
const kinds = Object.keys(digitsOf) as readonly TokenKind[];

const hex = (value: bigint | number): string => value.toString(16).toUpperCase().padStart(16, '0');

/** A token as change streams report it. */
export const tokenOf = ({ sequence, time, kind }: Token): Doc => ({
  _data: `${hex(sequence)}${digitsOf[kind]}${hex(time)}`,
});

const shape = /^([0-9A-F]{16})(0[012])([0-9A-F]{16})$/;

/** Reads a token; undefined if the value is not a token of this store. */
export function readToken(given: Value): Token | undefined {
  const data = isDoc(given) ? given['_data'] : undefined;
  const [, sequence = '', digits, time = ''] = (typeof data === 'string' ? shape.exec(data) : undefined) ?? [];
  const kind = kinds.find((one) => digitsOf[one] === digits);
  if (kind === undefined) return undefined;
  return { sequence: Number.parseInt(sequence, 16), time: BigInt(`0x${time}`), kind };
}
