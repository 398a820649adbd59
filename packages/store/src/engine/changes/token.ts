/** Resume tokens: texts that compare as the changes follow one another. */
import { isDoc } from 'dossier-language/values';
import type { Doc, Value } from 'dossier-language/values';

/**
 * What a token stands for: an event, the end of a stream that an event caused, or the place after an event. A stream that
 * resumes after an event that ends it ends there; one that resumes at the place after that event does not, as it was
 * opened when the event had already happened.
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

/** Digits that sort the tokens of one event: the event, the end that it caused, the place after both. */
const digitsOf: Readonly<Record<TokenKind, string>> = { event: '00', invalidate: '01', place: '02' };
const kinds = Object.keys(digitsOf) as readonly TokenKind[];

const hex = (value: bigint | number): string => value.toString(16).toUpperCase().padStart(16, '0');

/** A token as streams show it. */
export const tokenOf = ({ sequence, time, kind }: Token): Doc => ({
  _data: `${hex(sequence)}${digitsOf[kind]}${hex(time)}`,
});

const shape = /^([0-9A-F]{16})(0[012])([0-9A-F]{16})$/;

/** Reads a token; undefined when it is none of this store. */
export function readToken(given: Value): Token | undefined {
  const data = isDoc(given) ? given['_data'] : undefined;
  const [, sequence = '', digits, time = ''] = (typeof data === 'string' ? shape.exec(data) : undefined) ?? [];
  const kind = kinds.find((one) => digitsOf[one] === digits);
  if (kind === undefined) return undefined;
  return { sequence: Number.parseInt(sequence, 16), time: BigInt(`0x${time}`), kind };
}
