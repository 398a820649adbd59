/** The brand of values that may leave the server (types only). Only `policy/shape.ts` and `operations/answer.ts` assign it. */

declare const shaped: unique symbol;
declare const encoded: unique symbol;

/** JSON that may leave the server: a shaped document, a shaped result of a model's function, or the server's own text. */
export interface ShapedJson {
  readonly [shaped]: true;
}

/** JSON in UTF-8, written by the encoder (`read/bytes/json-bytes`). */
export type EncodedJson = Buffer & { readonly [encoded]: true };

/** A document that may leave the server. */
export type ShapedDocument = Readonly<Record<string, unknown>> & ShapedJson;

/** JSON that the server creates itself. */
export type ServerJson = Exclude<Scalar, Date> | readonly ServerJson[] | { readonly [name: string]: ServerJson };

type Scalar = string | number | boolean | null | undefined | Date;

/**
 * The server's own values: counts, messages, tokens, descriptions, and shaped values. Every part has an explicit type, so it is
 * never a stored document, whose values are unknown, or an object with methods.
 */
export type ServerValue<T> = T extends Scalar | ShapedJson
  ? T
  : T extends readonly (infer Member)[]
    ? readonly ServerValue<Member>[]
    : T extends (...given: never[]) => unknown
      ? never
      : [keyof T] extends [never]
        ? never
        : { readonly [Key in keyof T]: ServerValue<T[Key]> };
