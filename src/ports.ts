/**
 * Ports: what the core lets features do for it. A port stands beside the code that uses it; a feature names it among what it provides.
 * The core never knows which feature does so (docs/architecture.md).
 */

/** A need of the core, or a use that it makes of features. `Parts` is what a provider is made from, `T` what it makes. */
export interface Port<Parts, T> {
  /** For messages. */
  readonly name: string;
  /** For the compiler only. */
  readonly type?: (parts: Parts) => T;
}

export const port = <Parts, T>(name: string): Port<Parts, T> => Object.freeze({ name });

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

/** What the first provider makes that makes anything; undefined without one. */
export function firstOf<Parts, T>(
  providers: readonly Provider[],
  of: Port<Parts, T | undefined>,
  parts: Parts,
): T | undefined {
  for (const make of makersFor(providers, of)) {
    const made = make(parts);
    if (made !== undefined) return made;
  }
  return undefined;
}
