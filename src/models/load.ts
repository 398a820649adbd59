/** Loads the schema of a model file: TypeScript or JavaScript, in either module system. */
import { resolve } from 'node:path';
import { createJiti } from 'jiti';
import mongoose, { Schema } from 'mongoose';
import { preload } from '../preload.ts';
import { defineModel, ObjectId } from './define-model.ts';
import { type ModelFile, modelFileError } from './files.ts';
import { kindKeyOf, kindValueOf } from './kinds.ts';
import { missingPackage } from './missing-package.ts';

/** The schema of a file, before the standard fields are added. */
export interface LoadedSchema {
  readonly name: string;
  readonly file: string | undefined;
  readonly schema: Schema;
  /** The collection that a compiled model names. */
  readonly collection: string | undefined;
  /** The name of a compiled model. */
  readonly compiledAs?: string | undefined;
}

/** Loads TypeScript and JavaScript files; `mongoose`, and what models need of `dossier`, are the server's own in them. */
export const fileLoader = (): ((file: string) => Promise<unknown>) => {
  const jiti = createJiti(import.meta.url, {
    virtualModules: { mongoose, dossier: { defineModel, Schema: mongoose.Schema, ObjectId }, ...preload()?.modules },
    interopDefault: true,
  });
  return async (file) => unwrapped(await jiti.import(resolve(file), { default: true }));
};

/** `export default` in CommonJS, as compilers write it or by hand, is an object of the module's exports. */
function unwrapped(exported: unknown): unknown {
  if (typeof exported !== 'object' || exported === null || !('default' in exported)) return exported;
  return '__esModule' in exported || Object.keys(exported).length === 1 ? exported.default : exported;
}

/**
 * Loads a model file.
 * @throws ModelFileError with file and reason
 */
export async function loadModelFile(
  load: (file: string) => Promise<unknown>,
  { name, file }: ModelFile,
): Promise<LoadedSchema> {
  try {
    const exported = await load(file);
    return { name, file, ...schemaOf(await called(exported)) };
  } catch (error) {
    const reason = missingPackage(error) ?? (error instanceof Error ? error.message : String(error));
    throw modelFileError(file, reason, error);
  }
}

function called(exported: unknown): unknown {
  if (typeof exported !== 'function' || isModel(exported)) return exported;
  const { ObjectId, Mixed } = Schema.Types;
  return (exported as (given: object) => unknown)({ mongoose, Schema, ObjectId, Mixed });
}

function schemaOf(value: unknown): Pick<LoadedSchema, 'schema' | 'collection' | 'compiledAs'> {
  const schema = isModel(value) ? value.schema : value;
  if (isSchema(schema) && (schema as Kind).discriminatorMapping?.isRoot === false)
    throw new Error('a discriminator is served with the model that it belongs to: export that one');
  if (isSchema(value)) return { schema: value, collection: undefined };
  if (isModel(value))
    return { schema: withKinds(value), collection: value.collection.name, compiledAs: value.modelName };
  throw new Error('the default export must be a Mongoose schema, a function that returns one, or a compiled model');
}

/** The property that Mongoose sets on the schemas of discriminators and of their models. */
type Kind = Schema & { readonly discriminatorMapping?: { readonly isRoot: boolean } };

/**
 * The schema of a compiled model with the discriminators that were added to the model, which Mongoose does not store in the
 * schema.
 */
function withKinds({ schema, discriminators = {} }: CompiledModel): Schema {
  const whole = schema.clone();
  for (const [name, kind] of Object.entries(discriminators)) {
    const own = kind.schema.clone();
    // Mongoose adds the key itself and refuses a field with that name
    own.remove(kindKeyOf(whole));
    removeInherited(own, schema);
    whole.discriminator(name, own, { value: (kindValueOf(kind.schema) ?? name) as string });
  }
  return whole;
}

/** Middleware by the name of what it runs before or after; Mongoose does not declare it. */
interface Hooked {
  readonly s: { readonly hooks: Record<'_pres' | '_posts', Map<string, readonly { readonly fn: unknown }[]>> };
}

/** Removes the middleware that Mongoose has copied into a discriminator: it copies it again, and it would run twice. */
function removeInherited(kind: Schema, base: Schema): void {
  const [own, inherited] = [kind, base].map((one) => (one as unknown as Hooked).s.hooks);
  for (const when of ['_pres', '_posts'] as const)
    for (const [name, hooks] of own?.[when] ?? []) {
      const copied = new Set(inherited?.[when].get(name)?.map(({ fn }) => fn));
      own?.[when].set(
        name,
        hooks.filter(({ fn }) => !copied.has(fn)),
      );
    }
}

interface CompiledModel {
  readonly modelName: string;
  readonly schema: Schema;
  readonly collection: { readonly name: string };
  readonly discriminators?: Readonly<Record<string, { readonly schema: Schema }>>;
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && 'instanceOfSchema' in value && value.instanceOfSchema === true;

const isModel = (value: unknown): value is CompiledModel =>
  typeof value === 'function' && 'schema' in value && isSchema(value.schema) && 'collection' in value;
