/** The types of one model for one caller: the text of each part. */
import { ofAnyKind } from '../docs/openapi/kinds.ts';
import { sentSchema, storedSchema } from '../docs/openapi/schemas.ts';
import type { JsonSchema } from '../docs/openapi/shapes.ts';
import type { Link, ModelEntry, ReverseLink } from '../models/entry.ts';
import { moreOf } from '../models/loading/reverse-links.ts';
import { staticNamesOf } from '../models/mongoose.ts';
import { callTargets } from '../models/options/callable.ts';
import { mayCall, reversesFor } from '../policy/calls.ts';
import { type Policy, policyFor } from '../policy/policy.ts';
import { operator, type Principal } from '../policy/principal.ts';
import { blockOf, keyText, partsOf, typeNames, typeText, withoutNull, withoutRareNulls } from './type-text.ts';

/** The parts in the order in which they are written. */
export const partNames = [
  'document',
  'create',
  'change',
  'filter',
  'computed',
  'links',
  'functions',
  'always',
  'statics',
] as const;
type PartName = (typeof partNames)[number];
type RarePart = 'always' | 'statics';
/** `always` only where it differs from that of other models, and `statics` only for the system, where there are some. */
export type Parts = Readonly<Record<Exclude<PartName, RarePart>, string> & Partial<Record<PartName, string>>>;

/** The context that the types of all models share. */
export interface TypeContext {
  readonly named: (name: string) => ModelEntry | undefined;
  readonly principal: Principal;
  /** Whether a path is in all answers that the types describe. */
  readonly always: (model: ModelEntry) => (path: string) => boolean;
}

export function partsFor(model: ModelEntry, context: TypeContext): Parts {
  const policy = policyFor(context.principal, model);
  const whole = withKinds(policy, (one) => storedSchema(one, context.always(model)));
  const stored = withoutRareNulls(whole, 'answer');
  const sent = (use: 'create' | 'change'): JsonSchema =>
    withoutRareNulls(
      withKinds(policy, (one) => sentSchema(one, use)),
      'request',
    );
  const reads = policy.permits('r');
  return {
    document: reads ? typeText(stored, 'answer') : 'never',
    create: policy.permits('c') ? typeText(sent('create'), 'request') : 'never',
    change: policy.permits('u') ? changeText(sent('change')) : 'never',
    filter: reads ? filterText(stored, policy) : '{}',
    computed: reads ? computedText(stored) : 'never',
    links: reads ? linksText(policy, context) : '{}',
    functions: functionsText(model, context.principal),
    ...(model.schema.hasOwnId ? { always: JSON.stringify('_id') } : {}),
    ...staticsPart(model, context.principal),
  };
}

/**
 * The schema of a model's documents: with the fields that only some of its discriminators have, and with any others where the model
 * is not strict.
 */
function withKinds(policy: Policy, schemaFor: (policy: Policy) => JsonSchema): JsonSchema {
  const { model } = policy;
  const whole = ofAnyKind(model.schema, (schema) => schemaFor({ ...policy, model: { ...model, schema } }));
  return { ...whole, ...(model.schema.isOpen ? { additionalProperties: {} } : {}) };
}

/** Fields to change, and nested fields by their dotted paths. */
function changeText(schema: JsonSchema): string {
  const { properties = {} } = partsOf(schema);
  const nested = pathsOf(schema).filter(({ path }) => !Object.hasOwn(properties, path));
  return blockOf([
    ...Object.entries(properties).map(([name, value]) => `${keyText(name)}?: ${typeText(value, 'request', '  ')}`),
    ...nested.map(({ path, schema: value, free }) =>
      free ? freeText(path) : `${keyText(path)}?: ${typeText(value, 'request', '  ')}`,
    ),
    ...openText(schema),
  ]);
}

/** The paths that filters and orders may name, with the values that they are compared with. */
function filterText(schema: JsonSchema, { view }: Policy): string {
  const stored = pathsOf(schema).filter(({ path, computed }) => !computed && view.shows(path));
  return blockOf([
    ...stored.map(({ path, schema: value, free }) =>
      free ? freeText(path) : `${keyText(path)}: ${typeText(withoutNull(value), 'request', '  ')}`,
    ),
    ...openText(schema),
  ]);
}

/** Any path below a free-form value. */
const freeText = (path: string): string => `[path: \`${path}\`]: unknown`;
/** Any field of a model that is not strict. */
const openText = (schema: JsonSchema): readonly string[] =>
  partsOf(schema).additionalProperties === undefined ? [] : ['[field: string]: unknown'];

/** The names that only `fields` may have. */
const computedText = (schema: JsonSchema): string =>
  pathsOf(schema)
    .filter(({ computed }) => computed)
    .map(({ path }) => JSON.stringify(path))
    .join(' | ') || 'never';

function linksText({ model, shownView }: Policy, { principal, named }: TypeContext): string {
  const links = model.links.filter(({ path }) => shownView.shows(path));
  const reverses = reversesFor(principal, model, named);
  return blockOf([
    ...links.flatMap((link) => {
      const target = targetText(link, principal, named);
      return target === undefined
        ? []
        : [`${keyText(link.as)}: { id: ${JSON.stringify(link.path)}; ${target}; many: ${link.array} }`];
    }),
    ...reverses.map(({ as, model: name, shape }) => `${keyText(as)}: ${reverseText(as, name, shape)}`),
  ]);
}

function reverseText(as: string, model: string, shape: ReverseLink['shape']): string {
  const target = `model: ${JSON.stringify(model)}`;
  if (shape === 'list') return `{ more: ${JSON.stringify(moreOf(as))}; ${target}; many: true }`;
  return shape === 'count' ? `{ ${target}; count: true }` : `{ ${target}; many: false }`;
}

/** The model of a link, or the name of a person to callers who may not read users; undefined where the link shows nothing. */
function targetText(link: Link, principal: Principal, named: TypeContext['named']): string | undefined {
  const target = named(link.model);
  if (target !== undefined && !target.options.internal && policyFor(principal, target).permits('r'))
    return `model: ${JSON.stringify(target.name)}`;
  return link.as === '_owner' || link.as === '_updated_by' ? 'document: { _id: string; name?: string }' : undefined;
}

/** The names of the functions that jobs may run. */
function staticsPart(model: ModelEntry, principal: Principal): Pick<Parts, 'statics'> {
  const names = principal === operator ? staticNamesOf(model) : [];
  return names.length === 0 ? {} : { statics: names.map((name) => JSON.stringify(name)).join(' | ') };
}

/** The functions that the caller may call, and on what. */
const functionsText = (model: ModelEntry, principal: Principal): string =>
  blockOf(
    [...model.options.callable_statics].flatMap(([name, rule]) => {
      const targets = callTargets.filter((target) => mayCall(principal, model, rule, target));
      return targets.length === 0
        ? []
        : [`${keyText(name)}: ${targets.map((target) => JSON.stringify(target)).join(' | ')}`];
    }),
  );

interface PathSchema {
  /** Dotted, without positions in lists. */
  readonly path: string;
  readonly schema: JsonSchema;
  /** Whether the model computes the value, so that the database does not have it. */
  readonly computed: boolean;
  /** Whether it stands for any path below a free-form value, and ends with `${string}` as a template type does. */
  readonly free: boolean;
}

/** All paths of a document, those of nested documents and of lists of documents included. */
function pathsOf(schema: JsonSchema, prefix = ''): readonly PathSchema[] {
  return Object.entries(partsOf(schema).properties ?? {}).flatMap(([name, value]) => {
    const path = prefix + name;
    return [{ path, schema: value, computed: value['readOnly'] === true, free: false }, ...below(value, path)];
  });
}

function below(schema: JsonSchema, path: string): readonly PathSchema[] {
  const parts = partsOf(schema);
  if (parts.properties !== undefined) return pathsOf(schema, `${path}.`);
  if (parts.items !== undefined) return below(parts.items, path);
  const isMap = parts.additionalProperties !== undefined;
  const isFree = typeNames(parts).length === 0 && parts.enum === undefined && schema['readOnly'] !== true;
  return isMap || isFree ? [{ path: `${path}.\${string}`, schema: {}, computed: false, free: true }] : [];
}
