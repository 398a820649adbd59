/** Compiles schemas of Mongoose to what the rest of the server reads of them. */
import { Schema, type SchemaType } from 'mongoose';
import { stampPaths } from '../loading/base.ts';
import { isLink, linksOf, ownIdTypeOf } from '../loading/links.ts';
import { declaresOwnId } from '../loading/own-id.ts';
import { textLanguageIn } from '../loading/text-language.ts';
import { timestampNamesOf } from '../loading/timestamps.ts';
import { hasOwnSetters, innerOf, schemaParts, typeParts } from '../mongoose/internals.ts';
import { kindKeyOf, kindsIn, kindValueOf, placesOf, type TypePlace, typesIn } from '../mongoose/schema-places.ts';
import { isComputed, populatedVirtualsOf, virtualsOf } from '../mongoose/virtuals.ts';
import { displayOf } from '../options/display.ts';
import { isSecretPath } from '../secrets.ts';
import { readResultNames, readShownNames, readStoredNames } from './declared-names.ts';
import { idTypeOf } from './document-id.ts';
import type { DeclaredIndex, Field, Immutable, Kind, ModelSchema, PathType } from './model-schema.ts';
import { mongooseSchema, mongooseType } from './mongoose-keys.ts';
import { readDigitNames } from './numbered-names.ts';
import { boundsOf, limitsOf } from './path-limits.ts';
import { fieldPathType } from './path-type.ts';
import { fieldTypeOf } from './types/index.ts';

/** Compiles a schema as it is now: it still changes while its model is loaded. */
export const compileSchema = (schema: Schema): ModelSchema => new CompiledSchema(schema);

class CompiledSchema implements ModelSchema {
  readonly [mongooseSchema]: Schema;
  readonly isOpen: boolean;
  readonly aliases: ModelSchema['aliases'];
  readonly idType: ModelSchema['idType'];
  readonly kindKey: string;
  readonly kindValue: unknown;
  readonly timestampNames: ModelSchema['timestampNames'];
  readonly collation: ModelSchema['collation'];
  /** That of the model, if this is the schema of a kind. */
  readonly #base: ModelSchema | undefined;
  #declared: ModelSchema['declared'] | undefined;
  #nested: ModelSchema['nested'] | undefined;
  #aliasNames: ModelSchema['aliasNames'] | undefined;
  #virtuals: ModelSchema['virtuals'] | undefined;
  #shownVirtuals: ModelSchema['shownVirtuals'] | undefined;
  #hasOwnId: boolean | undefined;
  #kinds: ModelSchema['kinds'] | undefined;
  #kindValues: ModelSchema['kindValues'] | undefined;
  #links: ModelSchema['links'] | undefined;
  #numbered: ModelSchema['numbered'] | undefined;
  #storedNames: ModelSchema['storedNames'] | undefined;
  #shownNames: ModelSchema['shownNames'] | undefined;
  #resultNames: ModelSchema['resultNames'] | undefined;
  #secrets: ModelSchema['secrets'] | undefined;
  #immutables: ModelSchema['immutables'] | undefined;
  #textLanguage: ModelSchema['textLanguage'] | 'none';
  #indexes: ModelSchema['indexes'] | undefined;

  constructor(schema: Schema, base?: ModelSchema) {
    this[mongooseSchema] = schema;
    this.isOpen = schema.get('strict') === false;
    this.aliases = schemaParts(schema).aliases;
    this.idType = idTypeOf(schema);
    this.kindKey = kindKeyOf(schema);
    this.kindValue = kindValueOf(schema);
    this.timestampNames = timestampNamesOf(schema);
    this.collation = schema.options.collation;
    this.#base = base;
  }

  get declared(): ModelSchema['declared'] {
    return (this.#declared ??= declaredIn(this[mongooseSchema]));
  }
  get nested(): ModelSchema['nested'] {
    return (this.#nested ??= new Set(Object.keys(schemaParts(this[mongooseSchema]).nested)));
  }
  get aliasNames(): ModelSchema['aliasNames'] {
    return (this.#aliasNames ??= new Set(
      Object.keys(this.aliases).map((alias) => alias.slice(alias.lastIndexOf('.') + 1)),
    ));
  }
  get virtuals(): ModelSchema['virtuals'] {
    return (this.#virtuals ??= new Set(Object.keys(this[mongooseSchema].virtuals)));
  }
  get shownVirtuals(): ModelSchema['shownVirtuals'] {
    return (this.#shownVirtuals ??= virtualsOf(this[mongooseSchema]));
  }
  get hasOwnId(): boolean {
    // a kind means by `id` what its model means
    return (this.#hasOwnId ??= this.#base?.hasOwnId ?? declaresOwnId(this[mongooseSchema]));
  }
  get kinds(): readonly Kind[] {
    return (this.#kinds ??= kindsIn(this[mongooseSchema]).map(({ value, schema }) => ({
      value,
      schema: new CompiledSchema(schema, this),
    })));
  }
  get kindValues(): readonly unknown[] {
    return (this.#kindValues ??= kindValuesOf(this));
  }
  get links(): ModelSchema['links'] {
    return (this.#links ??= new Map(linksOf(this[mongooseSchema]).map(({ as, path }) => [as, path])));
  }
  get numbered(): ModelSchema['numbered'] {
    return (this.#numbered ??= readDigitNames(this[mongooseSchema]));
  }
  get storedNames(): ModelSchema['storedNames'] {
    return (this.#storedNames ??= readStoredNames(this));
  }
  get shownNames(): ModelSchema['shownNames'] {
    return (this.#shownNames ??= isComputed(this[mongooseSchema]) ? readShownNames(this) : this.storedNames);
  }
  get resultNames(): ModelSchema['resultNames'] {
    return (this.#resultNames ??= readResultNames(this, populatedVirtualsOf(this[mongooseSchema])));
  }
  get secrets(): ModelSchema['secrets'] {
    return (this.#secrets ??= typesAnywhereIn(this[mongooseSchema])
      .map(({ path }) => path)
      .filter(isSecretPath));
  }
  get immutables(): ModelSchema['immutables'] {
    return (this.#immutables ??= immutablesIn(this[mongooseSchema]));
  }
  get textLanguage(): ModelSchema['textLanguage'] {
    this.#textLanguage ??= textLanguageIn(this.indexes) ?? 'none';
    return this.#textLanguage === 'none' ? undefined : this.#textLanguage;
  }
  get indexes(): readonly DeclaredIndex[] {
    return (this.#indexes ??= this[mongooseSchema].indexes());
  }
}

const declaredIn = (schema: Schema): ModelSchema['declared'] =>
  new Map(
    Object.entries(schema.paths)
      .filter(([path]) => !path.includes('$*'))
      .map(([path, type]) => [path, new CompiledField(path, type)]),
  );

class CompiledField implements Field {
  readonly [mongooseType]: SchemaType;
  readonly path: string;
  readonly parts: readonly string[];
  readonly typeName: string;
  readonly type: Field['type'];
  readonly member: Field | undefined;
  readonly schema: ModelSchema | undefined;
  readonly alternatives: readonly Field[] | undefined;
  readonly whole: PathType;
  readonly isRequired: boolean;
  readonly isAlwaysRequired: boolean;
  readonly default: unknown;
  readonly isFilled: boolean;
  readonly enum: readonly unknown[] | undefined;
  readonly allowed: Field['allowed'];
  readonly bounds: Field['bounds'];
  readonly limits: Field['limits'];
  readonly display: Field['display'];
  readonly immutable: Immutable | undefined;
  readonly isComputed: boolean;
  readonly isEncrypted: boolean;
  readonly hasOwnSetters: boolean;
  #linkedIdType: Field['linkedIdType'] | 'none';

  constructor(path: string, type: SchemaType) {
    const { schema, embeddedSchemaType: listed, $__schemaType: inMap, schemaTypes } = innerOf(type);
    const {
      options,
      isRequired,
      originalRequiredValue,
      defaultValue,
      getters,
      $immutable,
      enumValues = [],
    } = typeParts(type);
    this[mongooseType] = type;
    this.path = path;
    this.parts = path.split('.');
    this.typeName = type.instance;
    this.type = fieldTypeOf(type);
    this.schema = schema && new CompiledSchema(schema);
    this.member =
      inMap === undefined
        ? listed && schema === undefined
          ? new CompiledField(path, listed)
          : undefined
        : new CompiledField(`${path}.$*`, inMap);
    this.alternatives = schemaTypes?.map((one) => new CompiledField(path, one));
    this.isRequired = isRequired === true;
    // a function decides for each document
    this.isAlwaysRequired = this.isRequired && typeof originalRequiredValue !== 'function';
    this.default = options['default'];
    this.isFilled = (defaultValue ?? null) !== null;
    this.enum = enumOf(options['enum']);
    this.allowed = enumValues.length === 0 ? undefined : new Set(enumValues);
    this.bounds = boundsOf(type);
    this.limits = limitsOf(type);
    this.display = displayOf(type);
    this.immutable = $immutable === true || typeof $immutable === 'function' ? ($immutable as Immutable) : undefined;
    this.isComputed = getters.length > 0;
    this.isEncrypted = options['encrypt'] !== undefined;
    this.hasOwnSetters = hasOwnSetters(type);
    this.whole = fieldPathType(this);
  }

  get isLink(): boolean {
    return isLink(this[mongooseType], this.path);
  }
  get linkedIdType(): Field['linkedIdType'] {
    this.#linkedIdType ??= ownIdTypeOf(this[mongooseType]) ?? 'none';
    return this.#linkedIdType === 'none' ? undefined : this.#linkedIdType;
  }
}

/** The allowed values. Mongoose accepts a list, an object of values, or `{ values, message }`. */
function enumOf(given: unknown): readonly unknown[] | undefined {
  if (Array.isArray(given)) return given as readonly unknown[];
  if (typeof given !== 'object' || given === null) return undefined;
  const values: unknown = 'values' in given ? given.values : undefined;
  return Array.isArray(values) ? (values as readonly unknown[]) : Object.values(given);
}

const typesAnywhereIn = (schema: Schema): readonly TypePlace[] => placesOf(schema).flatMap(typesIn);

const stamps: ReadonlySet<string> = new Set(stampPaths);

const immutablesIn = (schema: Schema): ModelSchema['immutables'] =>
  new Map(
    typesAnywhereIn(schema).flatMap(({ type, path }) => {
      const { $immutable } = typeParts(type);
      const isImmutable = $immutable === true || typeof $immutable === 'function';
      return isImmutable && !stamps.has(path) ? [[path, $immutable as Immutable]] : [];
    }),
  );

function kindValuesOf({ kinds, kindKey, declared }: ModelSchema): readonly unknown[] {
  if (kinds.length === 0) return [];
  return [...new Set([...kinds.map(({ value }) => value), ...(declared.get(kindKey)?.allowed ?? [])])];
}

/** It accepts any path, and `id` is not another name of `_id`. */
export const anySchema: ModelSchema = compileSchema(new Schema({ id: {} }, { _id: false, strict: false }));
