/** JSON Schemas of documents that have kinds: one for all of them, or one for each with a discriminator (OpenAPI 3.1, "Discriminator Object"). */
import type { ModelSchema } from '../../models/fields/model-schema.ts';
import type { JsonSchema } from './shapes.ts';

interface ObjectSchema extends JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

const partsOf = (schema: JsonSchema): ObjectSchema => schema;

/** The schema of the documents of any kind: fields that only some kinds have may be missing. */
export function ofAnyKind(schema: ModelSchema, schemaFor: (schema: ModelSchema) => JsonSchema): JsonSchema {
  const base = schemaFor(schema);
  const kinds = schema.kinds.map((kind) => schemaFor(kind.schema));
  if (kinds.length === 0) return base;
  const properties: Record<string, JsonSchema> = { ...partsOf(base).properties };
  const own = new Set(Object.keys(properties));
  for (const [name, value] of kinds.flatMap((kind) => Object.entries(partsOf(kind).properties ?? {})))
    if (!own.has(name)) properties[name] = either(properties[name], value);
  return { ...base, properties };
}

/** The values of either schema. */
function either(one: JsonSchema | undefined, other: JsonSchema): JsonSchema {
  if (one === undefined || JSON.stringify(one) === JSON.stringify(other)) return other;
  if (![one, other].every(hasTypeOnly)) return {};
  return { type: [...new Set([one['type'], other['type']].flat())] };
}

const hasTypeOnly = (schema: JsonSchema): boolean => Object.keys(schema).join() === 'type';

/** A schema, the component that has its name, and the further components that it refers to. */
export interface KindSchema {
  readonly name: string;
  readonly title: string;
  readonly schema: ModelSchema;
  readonly schemaFor: (schema: ModelSchema) => JsonSchema;
  /** Whether the documents are answers, which may be of kinds that have left the model. */
  readonly isShown: boolean;
}

/** The components of a model's documents: one, or one for each kind and for documents of none, from which the discriminator chooses. */
export function byKind({ name, title, schema, schemaFor, isShown }: KindSchema): Readonly<Record<string, JsonSchema>> {
  const kinds = schema.kinds;
  if (kinds.length === 0) return { [name]: schemaFor(schema) };
  const key = schema.kindKey;
  const values = kinds.map(({ value }) => value);
  const none = withKey(schemaFor(schema), key, isShown ? { not: { enum: values } } : { type: 'null' });
  const named = kinds.map(({ value, schema: own }, at) => ({
    value: String(value),
    name: `${name}.kind.${nameOf(String(value), at)}`,
    schema: withKey(schemaFor(own), key, { const: value }, true),
  }));
  const mapping = Object.fromEntries(named.map((one) => [one.value, refTo(one.name)]));
  return {
    [name]: {
      title,
      oneOf: [`${name}.kind`, ...named.map((one) => one.name)].map(($ref) => ({ $ref: refTo($ref) })),
      discriminator: { propertyName: key, mapping },
    },
    [`${name}.kind`]: none,
    ...Object.fromEntries(named.map((one) => [one.name, one.schema])),
  };
}

const refTo = (name: string): string => `#/components/schemas/${name}`;

/** The part of a component's name for a kind. Names of components have letters, digits and few other characters. */
const nameOf = (value: string, at: number): string => (/^[\w.-]+$/.test(value) ? value : String(at));

function withKey(schema: JsonSchema, key: string, value: JsonSchema, isRequired = false): JsonSchema {
  const { properties = {}, required = [] } = partsOf(schema);
  return {
    ...schema,
    properties: { ...properties, [key]: value },
    ...(isRequired ? { required: [...new Set([...required, key])] } : {}),
  };
}
