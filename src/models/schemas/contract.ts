/** Schemas of values that callers send, as an application defines them, and what the adapters of schemas make. */
import type { PathFault } from '../../errors/failure.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** One thing that is wrong with a value, as Standard Schema reports it (https://standardschema.dev). */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

type SchemaResult =
  { readonly value: unknown; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] };

/** A schema of a library such as zod or valibot, by the interface that they have in common. */
export interface StandardSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult | Promise<SchemaResult>;
    /** For the compiler only. */
    readonly types?: { readonly input: unknown; readonly output: unknown } | undefined;
    /** The JSON Schemas of its input and output, where the library gives them. */
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: 'draft-2020-12' }) => JsonSchema;
      readonly output: (options: { readonly target: 'draft-2020-12' }) => JsonSchema;
    };
  };
}

/** A JSON Schema, of 2020-12 unless its `$schema` names draft-07, or a Standard Schema. */
export type ValueSchema = StandardSchema | JsonSchema;

/** The value as the schema leaves it, or what is wrong with it. */
export type CheckResult =
  { readonly value: unknown; readonly faults?: undefined } | { readonly faults: readonly PathFault[] };

/** Checks a value, which stays as it is. */
export type Check = (value: unknown) => CheckResult | Promise<CheckResult>;

export interface CompiledSchema {
  readonly check: Check;
  /** Undefined where the library of the schema gives none. */
  readonly described: JsonSchema | undefined;
}
