/**
 * Ports: what the core lets features do for it. A port stands beside the code that uses it; a feature names it among what it provides.
 * The core never knows which feature does so (docs/architecture.md).
 */

/** A need of the core, or a use that it makes of features. `Parts` is what a provider is made from, `T` what it makes. */
export interface Port<Parts, T> {
  /** For messages. */
  readonly name: string;
  /** What stands in where nothing provides for it; undefined where something must. */
  readonly fallback?: { readonly value: T } | undefined;
  /** For the compiler only. */
  readonly type?: (parts: Parts) => T;
}

/** @param fallback stands in where nothing provides for it */
export const port = <Parts, T>(name: string, ...fallback: readonly [T] | readonly []): Port<Parts, T> =>
  Object.freeze({ name, fallback: fallback.length === 0 ? undefined : { value: fallback[0] } });

/** Makes what a feature provides, once for each server. `services.of` finds what it has made by the function itself. */
export type Maker<Parts, T> = (parts: Parts) => T;

/** What a feature provides for a port. */
export interface Provision {
  readonly port: Port<never, unknown>;
  readonly make: Maker<never, unknown>;
}

export const provide = <Parts, T>(of: Port<Parts, T>, make: Maker<Parts, T>): Provision => ({ port: of, make });

/** What provides for ports: a feature. */
export interface Provider {
  readonly provides?: readonly Provision[];
}

/** The makers of all providers for a port, in their order. */
export const makersFor = <Parts, T>(providers: readonly Provider[], of: Port<Parts, T>): readonly Maker<Parts, T>[] =>
  providers.flatMap(({ provides = [] }) =>
    provides.flatMap(({ port, make }) => (port === of ? [make as Maker<Parts, T>] : [])),
  );

/** What stands in where nothing provides for a port. @throws Error where something must */
export function fallbackOf<T>({ name, fallback }: Port<never, T>): T {
  if (fallback === undefined) throw new Error(`nothing provides the ${name}`);
  return fallback.value;
}

/** The first of what providers make for a port, otherwise its fallback. @throws Error where it has none */
export function firstValue<T>(made: readonly (T | undefined)[], of: Port<never, T>): T {
  const first = made.find((one) => one !== undefined);
  return first === undefined ? fallbackOf(of) : first;
}

/** What the first provider makes that makes anything, otherwise the fallback. @throws Error where a port has neither */
export const firstProviderValue = <Parts, T>(providers: readonly Provider[], of: Port<Parts, T>, parts: Parts): T =>
  firstValue(
    makersFor(providers, of).map((make) => make(parts)),
    of,
  );
