/** Resume tokens: texts that compare as the changes follow one another. */
import { isDoc } from '../../values/kind.ts';
import type { Doc, Value } from '../../values/types.ts';

/** What a resume token says. */
export interface Token {
  /** The number of an event. */
  readonly sequence: number;
  /** When that was. */
  readonly time: bigint;
  /** It stands for the end of a stream, which the event brought about. */
  readonly invalidate: boolean;
}

const hex = (value: bigint | number): string => value.toString(16).toUpperCase().padStart(16, '0');

/** A token as streams show it. */
export const tokenOf = ({ sequence, time, invalidate }: Token): Doc => ({
  _data: `${hex(sequence)}${invalidate ? '01' : '00'}${hex(time)}`,
});

const shape = /^([0-9A-F]{16})(00|01)([0-9A-F]{16})$/;

/** Reads a token; undefined when it is none of this store. */
export function readToken(given: Value): Token | undefined {
  const data = isDoc(given) ? given['_data'] : undefined;
  const [, sequence = '', end, time = ''] = (typeof data === 'string' ? shape.exec(data) : undefined) ?? [];
  if (end === undefined) return undefined;
  return { sequence: Number.parseInt(sequence, 16), time: BigInt(`0x${time}`), invalidate: end === '01' };
}
