/** What the generated module of `dossier types` says of a route. */
import type { Abortable } from './options.ts';

/** The types of one route. */
export interface RouteTypes {
  /** The named parts of the path. */
  params: object;
  query: object;
  /** `never` for a method without one. */
  body: unknown;
  answer: unknown;
}

/** The types of all routes: what `Routes` of the generated module fulfils. */
export type RouteMap<Routes> = { [Name in keyof Routes]: RouteTypes };

/** The routes of a client without types: any names. */
export type AnyRoutes = Record<
  string,
  { params: Record<string, string | number>; query: Record<string, unknown>; body: unknown; answer: unknown }
>;

/** The names of routes, such as `GET /reports/:year`. */
export type RouteIn<Routes> = Extract<keyof Routes, string>;

type PartOf<Routes, Name extends keyof Routes, Key extends keyof RouteTypes> = Routes[Name] extends RouteTypes
  ? Routes[Name][Key]
  : never;

type Nothing = Record<never, never>;

/** A part of a request, which may be left out where nothing of it is needed. */
type Given<Key extends string, Value> = [Value] extends [never]
  ? { readonly [One in Key]?: undefined }
  : Nothing extends Value
    ? { readonly [One in Key]?: Value }
    : { readonly [One in Key]: Value };

/** Any value may be left out. */
type GivenBody<Body> = unknown extends Body ? { readonly body?: Body } : Given<'body', Body>;

export type RouteOptions<Routes, Name extends keyof Routes> = Abortable & {
  readonly headers?: Readonly<Record<string, string>>;
} & (string extends keyof Routes
    ? { readonly params?: PartOf<Routes, Name, 'params'> }
    : Given<'params', PartOf<Routes, Name, 'params'>>) &
  Given<'query', PartOf<Routes, Name, 'query'>> &
  GivenBody<PartOf<Routes, Name, 'body'>>;

/** The options, which may be left out where none is needed. */
export type RouteArguments<Routes, Name extends keyof Routes> =
  Nothing extends RouteOptions<Routes, Name>
    ? [options?: RouteOptions<Routes, Name>]
    : [options: RouteOptions<Routes, Name>];

export type AnswerOfRoute<Routes, Name extends keyof Routes> = PartOf<Routes, Name, 'answer'>;
