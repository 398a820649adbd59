/**
 * The models that files compile, by their names. As in Mongoose, files may free a name and compile another model under it: applications that are
 * loaded again while they run do so (`delete mongoose.models.Film`, `mongoose.models = {}`, `mongoose.deleteModel('Film')`, `overwriteModels`).
 */
import mongoose from 'mongoose';
import type { UnservedModel } from '../loading/model-names.ts';
import type { AnyModel, Handle } from './handle.ts';

/** A model that a file has compiled. */
export interface CompiledModel extends Handle {
  readonly name: string;
  readonly collection: string | undefined;
  /** The database that the files name for it; undefined for that of Mongoose's default connection. */
  readonly database: string | undefined;
  /** The file that compiles it, and the line; undefined if a package does, or if the model has been deleted. */
  readonly file: string | undefined;
  readonly place: string | undefined;
}

/** A discriminator that a file has added to a compiled model. */
interface CompiledKind extends Handle {
  readonly name: string;
  readonly base: CompiledModel;
}

export class CompiledModels {
  readonly #named = new Map<string, CompiledModel>();
  readonly #kinds = new Map<string, CompiledKind>();
  /** Those whose names have been freed, in that order. */
  readonly #freed: CompiledModel[] = [];
  readonly #handles: Record<string, AnyModel> = {};
  /** Whether the models of files stand for served ones, whose names are not freed any more. */
  #isServed = false;

  /** What files have as `mongoose.models`. */
  readonly models: Record<string, AnyModel> = new Proxy(this.#handles, {
    deleteProperty: (_handles, name) => {
      this.free(String(name));
      return true;
    },
  });

  get isServed(): boolean {
    return this.#isServed;
  }

  /** The newest model of each name. */
  get all(): readonly CompiledModel[] {
    return [...new Map([...this.#freed, ...this.#named.values()].map((one) => [one.name, one])).values()];
  }

  /**
   * The model that a file compiles once more, such as by a function that two files call.
   * @returns undefined where its name is free
   * @throws Error for a name that has a model in another database, and Mongoose's for one that has another model
   */
  compiledBefore(again: InDatabase & { readonly place: string | undefined; readonly schema: object }) {
    const other = this.#named.get(again.name);
    if (other === undefined) return undefined;
    if (other.database !== again.database) throw ofTwoDatabases(other, again);
    const isSame =
      other.current().schema === again.schema || (again.place !== undefined && other.place === again.place);
    if (isSame) return other;
    throw new mongoose.Error.OverwriteModelError(again.name);
  }

  /** What `mongoose.model()` returns for a name alone; undefined for none. */
  handleNamed(name: string): AnyModel | undefined {
    return Object.hasOwn(this.#handles, name) ? this.#handles[name] : undefined;
  }

  /** The model that a file has got from here; for a discriminator the one that it belongs to. */
  of(value: unknown): CompiledModel | undefined {
    const kind = [...this.#kinds.values()].find(({ model }) => model === value);
    return this.all.find(({ model }) => model === value) ?? kind?.base;
  }

  /** The models besides those that are served, by themselves or by their schemas. */
  unserved(
    served: readonly { readonly compiled?: CompiledModel | undefined; readonly schema: object }[],
  ): readonly UnservedModel[] {
    return this.all
      .filter((one) => !served.some(({ compiled, schema }) => compiled === one || schema === one.current().schema))
      .map(({ name, file, current }) => ({ name, file, kinds: Object.keys(current().discriminators ?? {}) }));
  }

  /** @throws Error for a collection that files have in several databases, whose documents one database would mix */
  refuseShared({ collection }: AnyModel, by: InDatabase): void {
    const other = this.all.find(
      (one) => one.database !== by.database && one.current().collection.name === collection.name,
    );
    if (other !== undefined) throw ofTwoDatabases(other, by);
  }

  add(compiled: CompiledModel): void {
    this.#named.set(compiled.name, compiled);
    this.#handles[compiled.name] = compiled.model;
  }

  addKind(kind: CompiledKind): void {
    this.#kinds.set(kind.name, kind);
    this.#handles[kind.name] = kind.model;
  }

  /** Adds a model that code compiles when all are served. */
  addLate(model: AnyModel): void {
    this.#handles[model.modelName] = model;
  }

  /** Frees a name. The model remains that of its file, unless another one takes the name. */
  free(name: string): void {
    const one = this.#named.get(name);
    const made = one?.current() ?? this.#kinds.get(name)?.current() ?? this.handleNamed(name);
    if (made === undefined || (this.#isServed && (one !== undefined || this.#kinds.has(name)))) return;
    made.db.deleteModel(name);
    this.#named.delete(name);
    this.#kinds.delete(name);
    Reflect.deleteProperty(this.#handles, name);
    if (one !== undefined) this.#freed.push(one);
  }

  /** Frees a name, or those that match. The models remain for code that has them; a file that does not export one has it no more. */
  delete(given: string | RegExp): void {
    const names = typeof given === 'string' ? [given] : Object.keys(this.#handles).filter((name) => given.test(name));
    for (const name of names) {
      this.free(name);
      const last = this.#freed.at(-1);
      if (last?.name === name) this.#freed.splice(-1, 1, { ...last, file: undefined, place: undefined });
    }
  }

  /** Frees all names but those of the models that are given, as an assignment to `mongoose.models` does. */
  keepOnly(given: object): void {
    for (const name of Object.keys(this.#handles)) if (!Object.hasOwn(given, name)) this.free(name);
  }

  /** Makes each model stand for the one that is served, and each freed one for the newest of its name. */
  serve(servedFor: (one: CompiledModel) => AnyModel): void {
    const newest = new Map(this.all.map((one) => [one.name, one]));
    for (const one of newest.values()) one.standFor(servedFor(one));
    for (const { name, base, standFor } of this.#kinds.values()) {
      const kind = base.current().discriminators?.[name];
      if (kind !== undefined) standFor(kind as AnyModel);
    }
    for (const one of this.#freed) {
      const made = newest.get(one.name)?.current();
      if (made !== undefined) one.standFor(made);
    }
    this.#isServed = true;
  }
}

type InDatabase = Pick<CompiledModel, 'name' | 'database'>;

function ofTwoDatabases(one: CompiledModel, other: InDatabase): Error {
  const [first, second] = [one, other].map(
    ({ name, database }) => `${name} of ${database ?? 'the default connection'}`,
  );
  const place = one.place === undefined ? '' : ` (${one.place})`;
  return new Error(
    `${first}${place} and ${second} are in two databases, and the server has one, in which their documents would be mixed: compile one of them under another name, with a collection of its own`,
  );
}
