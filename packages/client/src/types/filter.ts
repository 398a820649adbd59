/** Filters: conditions on the paths of a model and of the documents that it links to. */
import type { FilterOf, LinkOf, LinksOf, PathOf, TargetOf } from './models.ts';

/** The members of a list, or the value itself. */
type Member<Value> = Value extends readonly (infer Item)[] ? Item : Value;

interface Comparisons<Value> {
  readonly $eq?: Value | null;
  readonly $ne?: Value | null;
  readonly $gt?: Value;
  readonly $gte?: Value;
  readonly $lt?: Value;
  readonly $lte?: Value;
  readonly $in?: readonly (Value | null)[];
  readonly $nin?: readonly (Value | null)[];
  readonly $exists?: boolean;
  readonly $type?: string | number;
}

interface TextOperators {
  /** A pattern of PCRE; not with `$options` where it is a RegExp. */
  readonly $regex?: string | RegExp;
  readonly $options?: string;
}

interface NumberOperators {
  /** Divisor and remainder. */
  readonly $mod?: readonly [number, number];
}

interface ListOperators<Value> {
  readonly $all?: readonly Value[];
  readonly $size?: number;
  readonly $elemMatch?: Readonly<Record<string, unknown>>;
}

/** Without distribution over the members of a union. */
type Is<Value, Wanted> = [Wanted & Value] extends [never] ? false : [Value] extends [Wanted] ? true : false;

type Plain<Value> = Comparisons<Member<Value>> &
  (Is<Member<Value>, string | Date> extends true ? TextOperators : unknown) &
  (Is<Member<Value>, number> extends true ? NumberOperators : unknown) &
  (Is<Value, readonly unknown[]> extends true ? ListOperators<Member<Value>> : unknown);

type Operators<Value> = Plain<Value> & { readonly $not?: Plain<Value> };

/** What may stand for a path: a value, or operators. */
export type Condition<Value> = unknown extends Value
  ? unknown
  : Value | Member<Value> | null | Pattern<Value> | Operators<Value>;

type Pattern<Value> = Is<Member<Value>, string | Date> extends true ? RegExp : never;

/** A filter on the paths of the model itself, as a subscription takes it. */
export type OwnFilter<Models, Name extends keyof Models> = {
  readonly [Path in PathOf<Models, Name>]?: Condition<FilterOf<Models, Name>[Path]>;
} & OwnLogic<Models, Name>;

interface OwnLogic<Models, Name extends keyof Models> {
  readonly $and?: readonly OwnFilter<Models, Name>[];
  readonly $or?: readonly OwnFilter<Models, Name>[];
  readonly $nor?: readonly OwnFilter<Models, Name>[];
}

/**
 * A filter, also through links, of which there may be three. The compiler checks all paths behind one link and two; of the third, whose
 * paths would be thousands for each model, it checks the links.
 */
export type Filter<Models, Name extends keyof Models> = {
  readonly [Path in PathOf<Models, Name> | Behind<Models, Name> | BehindTwo<Models, Name>]?: Condition<
    ValueAt<Models, Name, Path>
  >;
} & { readonly [Path in BehindMore<Models, Name>]?: unknown } & Logic<Models, Name>;

interface Logic<Models, Name extends keyof Models> {
  readonly $and?: readonly Filter<Models, Name>[];
  readonly $or?: readonly Filter<Models, Name>[];
  readonly $nor?: readonly Filter<Models, Name>[];
}

/** Links of the model itself, which filters can follow. */
type Forward<Models, Name extends keyof Models> = {
  [Link in LinkOf<Models, Name>]: LinksOf<Models, Name>[Link] extends { id: string; model: string } ? Link : never;
}[LinkOf<Models, Name>];

/** The links that every model has, to its owner and to who changed it last. */
type Stamp = '_owner' | '_updated_by';
/** Links that filters follow further. */
type Onward<Models, Name extends keyof Models> = Exclude<Forward<Models, Name>, Stamp>;

/** Paths behind a link. Links of any name are those of a client without types, whose paths are any text anyway. */
type Behind<Models, Name extends keyof Models, Link extends Forward<Models, Name> = Forward<Models, Name>> = {
  [One in Link]: string extends One ? never : `${One}.${PathOf<Models, TargetOf<Models, Name, One>>}`;
}[Link];

type BehindTwo<Models, Name extends keyof Models> = {
  [One in Onward<Models, Name>]: string extends One
    ? never
    : `${One}.${Behind<Models, TargetOf<Models, Name, One>, Onward<Models, TargetOf<Models, Name, One>>>}`;
}[Onward<Models, Name>];

type BehindMore<Models, Name extends keyof Models> = {
  [One in Onward<Models, Name>]: string extends One
    ? never
    : | `${One}.${Stamp & Forward<Models, TargetOf<Models, Name, One>>}.${string}`
      | `${One}.${Chain<Models, TargetOf<Models, Name, One>>}.${string}`;
}[Onward<Models, Name>];

/** Two links. */
type Chain<Models, Name extends keyof Models> = {
  [One in Onward<Models, Name>]: `${One}.${Forward<Models, TargetOf<Models, Name, One>>}`;
}[Onward<Models, Name>];

/** The value that a path of a filter is compared with. */
type ValueAt<Models, Name extends keyof Models, Path extends string> =
  Path extends PathOf<Models, Name>
    ? FilterOf<Models, Name>[Path]
    : {
        [Link in Forward<Models, Name>]: Path extends `${Link}.${infer Rest}`
          ? ValueAt<Models, TargetOf<Models, Name, Link>, Rest>
          : never;
      }[Forward<Models, Name>];
