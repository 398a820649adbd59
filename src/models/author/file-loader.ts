/**
 * Loads the project's code: TypeScript or JavaScript, in either module system. All its files are evaluated here, so that `mongoose` is the
 * server's in each of them, whatever the project has installed. So are packages that depend on Mongoose: what they keep of models, such as by
 * the names of classes, is of one server. Node loads other packages, once for the process.
 */
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { types } from 'node:util';
import { createJiti, type Jiti, type TransformOptions } from 'jiti';
import mongoose from 'mongoose';
import { makeFolder } from '../../adapters/make-folder.ts';
import { packageRoot } from '../../adapters/package-root.ts';
import { defineModel, ObjectId } from '../options/define-model.ts';
import { preload } from '../preload.ts';
import { declaredType, withDeclaredTypes, withFields } from './decorated-fields.ts';
import { withOneMongoose } from './one-mongoose.ts';
import { ProcessUse } from './process-use.ts';
import { keepRegistrations } from './registered-middleware.ts';

/** Loads a file. @returns what it exports: `module.exports` of CommonJS, the namespace of an ES module */
export interface LoadFile {
  (file: string): Promise<unknown>;
  /** The timers that the files have left, in a sentence each. */
  readonly timers: () => readonly string[];
}

type Import = (id: string) => unknown;
interface Require extends Import {
  readonly resolve: (id: string) => string;
}

/** What files get for names of this package, even if others are installed; for `dossier` besides what models need. */
type ProjectImports = Readonly<Record<'dossier' | 'dossier/core', object>>;

/** @param given the `mongoose` that they get */
export function fileLoader(imports: ProjectImports, given: object = mongoose): LoadFile {
  keepRegistrations();
  const dossier = { defineModel, Schema: mongoose.Schema, ObjectId, ...imports.dossier };
  const files = new FileLoader({ mongoose: given, ...imports, dossier });
  const load = async (file: string): Promise<unknown> => {
    if (!existsSync(file)) throw new Error(`Cannot find ${file}`);
    return files.use.watch(() => withOneMongoose(async () => files.load(resolve(file), true)));
  };
  return Object.assign(load, { timers: () => files.use.timers });
}

/** Loads the default export of a file, which is not for models. */
export function defaultLoader(imports: ProjectImports): (file: string) => Promise<unknown> {
  const load = fileLoader(imports);
  return async (file) => defaultOf(await load(file));
}

/** The default export of a loaded file. `export default` in CommonJS, as compilers write it or by hand, is a property. */
export function defaultOf(exported: unknown): unknown {
  if (typeof exported !== 'object' || exported === null || !('default' in exported)) return exported;
  return '__esModule' in exported || Object.keys(exported).length === 1 ? exported.default : exported;
}

class FileLoader {
  readonly #jiti: Jiti;
  /** The modules of files by their paths, also those that are being evaluated. */
  readonly #modules: Jiti['cache'] = {};
  readonly use = new ProcessUse();
  /** What files get for these names, even if others are installed. */
  readonly #given: Readonly<Record<string, unknown>>;
  readonly #dependsOnMongoose = packagesOfMongoose();

  /** @param modules what files get for these names, even if others are installed */
  constructor(modules: Readonly<Record<string, unknown>>) {
    const { transform } = createJiti(import.meta.url, { fsCache: false, interopDefault: false });
    const links = {
      [linkModule]: {
        required: this.#required.bind(this),
        imported: this.#imported.bind(this),
        namespaceOf,
        declaredType,
      },
    };
    this.#given = { ...modules, ...preload()?.modules, ...links };
    this.#jiti = createJiti(import.meta.url, {
      virtualModules: this.#given,
      // jiti's own interoperation wraps each export in a proxy, which Mongoose does not recognise as the schema that it nests
      interopDefault: false,
      moduleCache: false,
      fsCache: cacheFolder(),
      transform: (options) => ({
        code: linked((given) => withDeclaredTypes(transform(withFields(given)), linkModule), options),
      }),
    });
  }

  /** @param async whether the caller awaits the result; an ES module may await only then */
  load(file: string, async: boolean): unknown {
    const known = this.#modules[file];
    return known === undefined ? this.#evaluate(file, readFileSync(file, 'utf8'), async) : known.exports;
  }

  #evaluate(file: string, source: string, async: boolean): unknown {
    const options = { filename: file, ext: extname(file), async, forceTranspile: true, cache: this.#modules };
    const fail = (error: unknown): unknown => {
      delete this.#modules[file];
      // the error of the transformation names the line and column
      if (isSyntaxError(error) && !mayBeModule.test(source)) return this.#evaluate(file, `${source}\n// export`, async);
      throw error;
    };
    try {
      const exported = this.use.run(file, () => this.#jiti.evalModule(source, options));
      return async ? Promise.resolve(exported).catch(fail) : exported;
    } catch (error) {
      return fail(error);
    }
  }

  #required(require: Require): Require {
    const load: Import = (id) => {
      const file = this.#fileOf(id, require);
      return file === undefined ? require(id) : this.load(file, false);
    };
    return Object.assign(load, require);
  }

  #imported(load: Import, require: Require, file: string): Import {
    return async (id) => {
      const own = this.#fileOf(id, require);
      if (own !== undefined) return namespaceOf(await this.load(own, true));
      const loaded = await load(id);
      return namespaceOf(isNativeModule(file) ? loaded : compiledExports(loaded));
    };
  }

  /** The file that an import names, if it is evaluated here: code of the project, or of a package that depends on Mongoose. */
  #fileOf(id: string, require: Require): string | undefined {
    const isPath = /^(?:\.{0,2}\/|\.{1,2}$|file:)/.test(id);
    if (!isPath && (isBuiltin(id) || Object.hasOwn(this.#given, id))) return undefined;
    const file = isPath ? require.resolve(id) : resolved(id, require);
    if (file === undefined || !/\.[mc]?[jt]s$/.test(file)) return undefined;
    return isPath || this.#dependsOnMongoose(file) ? file : undefined;
  }
}

/** The file of a package; undefined for one that is missing, for which the import has a better message. */
function resolved(id: string, require: Require): string | undefined {
  try {
    return require.resolve(id);
  } catch {
    return undefined;
  }
}

/**
 * Where transformed files are cached, by their source alone: another transformation needs another folder. False for a folder that another
 * user of the machine could write to, whose code would run here.
 */
function cacheFolder(): string | false {
  const user = process.getuid?.();
  const folder = join(tmpdir(), `dossier-modules-5-${user ?? 'own'}`);
  try {
    makeFolder(folder);
    const { uid, mode } = lstatSync(folder);
    // Windows has a temporary folder for each user
    return user === undefined || (uid === user && (mode & 0o022) === 0) ? folder : false;
  } catch {
    return false;
  }
}

/** Errors of evaluated code may be of another realm. */
const isSyntaxError = (error: unknown): boolean => types.isNativeError(error) && error.name === 'SyntaxError';

/** The module by which evaluated files find their loader. */
const linkModule = 'dossier:loader';

/** The first line of each file, on which the file's own first line follows, so that its lines keep their numbers. */
const link =
  `{ const link = require('${linkModule}'), own = require; require = link.required(own);` +
  " if (typeof jitiImport === 'function') jitiImport = link.imported(jitiImport, own, module.filename); } ";

/** Code that has no `import` or `export` needs no transformation, which would make sloppy code strict. */
const mayBeModule = /\b(?:import|export)\b/;
/** An ES module after its transformation, and its static imports where another file requires it. */
const isModule = /^"use strict";\s*Object\.defineProperty\(exports, "__esModule"/;
const required = /\bvar ([\w$]+) = require\(("(?:[^"\\]|\\.)*")\);/g;

/** A file that begins with `use strict`. */
const isStrict = /^(?:\s|\/\/.*\n|\/\*[^]*?\*\/)*(["'])use strict\1/;

/** CommonJS of packages may have these words in its comments, and uses one of them only to import ES modules. */
const needsTransformation = ({ source, ts = false, filename = '' }: TransformOptions): boolean =>
  ts || (isPackaged(filename) && !isNativeModule(filename) ? /\bimport\s*\(/ : mayBeModule).test(source);

const isPackaged = (file: string): boolean => /[\\/]node_modules[\\/]/.test(file);

function linked(transform: (options: TransformOptions) => string, options: TransformOptions): string {
  const code = needsTransformation(options) ? transform(options) : options.source.replace(/^#!/, '//');
  const line = isStrict.test(code) ? `"use strict"; ${link}` : link;
  if (!isModule.test(code)) return line + code;
  return line + code.replace(required, `var $1 = require('${linkModule}').namespaceOf(require($2));`);
}

/** What a CommonJS package that is compiled from ES modules exports, of which Node takes all for `default` and compilers its own. */
function compiledExports(loaded: unknown): unknown {
  const { __esModule: isCompiled, default: exported } = loaded as {
    readonly __esModule?: unknown;
    readonly default?: unknown;
  };
  return isCompiled === true && types.isModuleNamespaceObject(loaded) ? exported : loaded;
}

/**
 * What an ES module sees of a module. `default` of a CommonJS module is what it exports, as Node defines it; modules that are compiled from
 * ES modules have their own.
 */
function namespaceOf(exported: unknown): unknown {
  const isObject = (typeof exported === 'object' && exported !== null) || typeof exported === 'function';
  if (
    !isObject ||
    '__esModule' in exported ||
    (exported as { readonly [Symbol.toStringTag]?: unknown })[Symbol.toStringTag] === 'Module'
  )
    return exported;
  return Object.create(exported, { default: { value: exported } });
}

/** The parts of a manifest that are read. */
interface Manifest {
  readonly name?: unknown;
  readonly type?: unknown;
  readonly dependencies?: object;
  readonly peerDependencies?: object;
}

/** The manifests of a folder and of those that it is in, from the nearest one, with their folders. */
function* manifestsOf(folder: string): Generator<readonly [folder: string, Manifest]> {
  const manifest = join(folder, 'package.json');
  if (existsSync(manifest)) yield [folder, JSON.parse(readFileSync(manifest, 'utf8')) as Manifest];
  const outer = dirname(folder);
  if (folder !== outer) yield* manifestsOf(outer);
}

/** Whether Node itself would load a file as an ES module, rather than a compiler's output as CommonJS. */
function isNativeModule(file: string): boolean {
  if (/\.[mc][jt]s$/.test(file)) return !/\.c[jt]s$/.test(file);
  for (const [, { type }] of manifestsOf(dirname(file))) return type === 'module';
  return false;
}

/** Whether the package of a file depends on Mongoose, as a plug-in does; the server itself is none. It reads each manifest once. */
function packagesOfMongoose(): (file: string) => boolean {
  const folders = new Map<string, boolean>();
  const server = fileURLToPath(packageRoot);
  return (file) => {
    const inner = dirname(file);
    const known = folders.get(inner) ?? dependsOnMongoose(inner, server);
    folders.set(inner, known);
    return known;
  };
}

function dependsOnMongoose(inner: string, server: string): boolean {
  for (const [folder, { name, dependencies, peerDependencies }] of manifestsOf(inner))
    // others only say the module system of a folder
    if (name !== undefined)
      return join(folder, '/') !== server && 'mongoose' in { ...dependencies, ...peerDependencies };
  return false;
}
