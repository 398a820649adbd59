/** Types that find misspelt names of options, as `known-options.ts` does at the start. Types only. */
import type { SchemaOptions, SchemaTypeOptions } from 'mongoose';

/** The names of a type without those of an index signature. */
type DeclaredNames<T> = keyof {
  [K in keyof T as K extends string ? (string extends K ? never : K) : never]: true;
} &
  string;

/** Options of Mongoose that its types lack. */
type UndeclaredSchemaOption = 'clusteredIndex' | 'discriminators' | 'indexes' | 'pluralization' | 'strictPopulate';

/** The names of the options of a path, Dossier's included. */
export type PathOptionName = DeclaredNames<SchemaTypeOptions<unknown>> | 'castNonArrays' | 'options';

/** The names of the options of a schema, Dossier's included. */
export type SchemaOptionName = DeclaredNames<SchemaOptions> | UndeclaredSchemaOption;

/** A name with one letter less. */
type Deletions<Name extends string, Before extends string = ''> = Name extends `${infer Letter}${infer Rest}`
  ? `${Before}${Rest}` | Deletions<Rest, `${Before}${Letter}`>
  : never;

/** A name with two neighbouring letters swapped. */
type Swaps<Name extends string, Before extends string = ''> = Name extends `${infer One}${infer Other}${infer Rest}`
  ? `${Before}${Other}${One}${Rest}` | Swaps<`${Other}${Rest}`, `${Before}${One}`>
  : never;

/** Whether two types have a member in common. */
type Meet<A, B> = [Extract<A, B>] extends [never] ? false : true;

/** The known names of which a name is a slip: one letter too many, one missing, or two swapped. */
type SlipOf<Name extends string, Known extends string> = Known extends string
  ? true extends Meet<Deletions<Name>, Known> | Meet<Deletions<Known>, Name> | Meet<Swaps<Known>, Name>
    ? Known
    : never
  : never;

/**
 * What no value of a misspelt option is. It is an object, because a text or another literal makes the type of all options `never` where their
 * values are literals: the compiler then reports the first option, and not this one.
 */
interface DidYouMean<Name> {
  readonly 'did you mean': Name;
}

/** What the value of an option must be so that its name is accepted: anything for a known name and for one of a plugin; none for a slip. */
export type UnlessSlip<Name, Known extends string, Value> = Name extends Known
  ? Value
  : Name extends string
    ? [SlipOf<Name, Known>] extends [never]
      ? Value
      : DidYouMean<SlipOf<Name, Known>>
    : Value;
