/** What may leave the server: a brand that only `policy/shape` and the maker here give. */

declare const shaped: unique symbol;
declare const encoded: unique symbol;

/** JSON that may leave: a shaped document, a value of a model's function without what is hidden, or the server's own words. */
export interface Shaped {
  readonly [shaped]: true;
}

/** JSON in UTF-8, written by the one encoder (`read/bytes/json-bytes`). */
export type EncodedJson = Buffer & { readonly [encoded]: true };

/** A document that may leave. */
export type ShapedDocument = Readonly<Record<string, unknown>> & Shaped;

/** JSON that the server makes by itself. */
export type StatedJson = Exclude<Scalar, Date> | readonly StatedJson[] | { readonly [name: string]: StatedJson };

type Scalar = string | number | boolean | null | undefined | Date;

/**
 * The server's own words: counts, messages, tokens, descriptions, and what is shaped already. Every part has a type that is spelt out,
 * so it is never a stored document, whose values are unknown, or an object with methods.
 */
export type Stated<T> = T extends Scalar | Shaped
  ? T
  : T extends readonly (infer Member)[]
    ? readonly Stated<Member>[]
    : T extends (...given: never[]) => unknown
      ? never
      : [keyof T] extends [never]
        ? never
        : { readonly [Key in keyof T]: Stated<T[Key]> };

/** Words of the server's own, marked as fit to leave. */
export const stated = <T>(value: T & Stated<T>): Shaped => value as unknown as Shaped;
