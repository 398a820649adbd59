/**
 * Runs test files with Jest's circus in the realm of the worker and with Node's module loader, where Jest's own runtime gives each file
 * a `vm` context and module registry. The modules of `src` are loaded and optimized once per worker, which halves the time of the suite.
 * Only test files are loaded again. In return there are no module mocks (`jest.mock`), and what a file changes in the process it restores.
 */
import * as asyncHooks from 'node:async_hooks';
import { appendFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { transformSync } from '@swc/core';
import { ModuleMocker } from 'jest-mock';
import type { Mongoose } from 'mongoose';
import { addHook } from 'pirates';
import { processorSeconds } from './processor-time.ts';

type Adapter = (
  globalConfig: unknown,
  config: Config,
  environment: object,
  runtime: object,
  testPath: string,
) => Promise<unknown>;

/** Of Jest's configuration, as it is normalized. */
interface Config {
  readonly rootDir: string;
  /** Regular expressions of module names, and the paths that they stand for. */
  readonly moduleNameMapper: readonly (readonly [string, string])[];
}

interface Loader {
  _load(request: string, ...rest: unknown[]): unknown;
}

const load = createRequire(__filename);
const { default: circus } = load('jest-circus/runner') as { readonly default: Adapter };
const jest = new ModuleMocker(globalThis);
/** What `@jest/globals` exports to the file that runs. */
let globals: Readonly<Record<string, unknown>> = {};

/**
 * What circus gets for `AsyncLocalStorage`, in which it keeps the running test: a variable, since tests run one after another. Node's own
 * slows every promise of the process down, once more for the circus of each file.
 */
class RunningTest {
  #context: unknown;

  getStore(): unknown {
    return this.#context;
  }

  async run(context: unknown, work: () => unknown): Promise<unknown> {
    const outer = this.#context;
    this.#context = context;
    try {
      return await work();
    } finally {
      this.#context = outer;
    }
  }
}

/** The storages that the running file has used. */
const used = new Set<asyncHooks.AsyncLocalStorage<unknown>>();

/**
 * What others get, such as the driver of the browser and the OpenID provider: Node's own, which is disabled when the file has run. From its
 * first use on it slows down every promise of the process.
 */
class FileStorage<T> extends asyncHooks.AsyncLocalStorage<T> {
  override run<R, Args extends unknown[]>(store: T, work: (...args: Args) => R, ...args: Args): R {
    used.add(this);
    return super.run(store, work, ...args);
  }

  override enterWith(store: T): void {
    used.add(this);
    super.enterWith(store);
  }
}

/** Compiles this project's TypeScript, maps module names, and serves `@jest/globals`, which throws outside of Jest's own runtime. */
function install({ rootDir, moduleNameMapper }: Config): void {
  // most code runs too seldom in tests to be worth optimizing, which takes up to a tenth of the processor time (later versions of V8 wait
  // for more calls by themselves, and do not have the flag)
  if (process.versions.node.startsWith('20.')) setFlagsFromString('--interrupt-budget=500000');
  // Node's own way to end a process with nothing left to do first frees its memory, for longer than the half second that Jest waits for a worker
  process.once('beforeExit', () => process.exit());
  addHook(compiled, { exts: ['.ts'], matcher: (file) => file.startsWith(rootDir) });
  process.setSourceMapsEnabled(true);
  const loader = Module as unknown as Loader;
  const next = loader._load.bind(loader);
  const mapped = moduleNameMapper.map(([pattern, path]) => [new RegExp(pattern), path] as const);
  // ECMAScript modules get it, too; a property without a setter since Node 26
  const storage = { value: FileStorage, configurable: true, enumerable: true, writable: true };
  Object.defineProperty(load('node:async_hooks'), 'AsyncLocalStorage', storage);
  Module.syncBuiltinESMExports();
  loader._load = (request, ...rest) => {
    if (request === '@jest/globals') return { ...globals, jest };
    if (/^(node:)?async_hooks$/.test(request) && isCircus(rest[0]))
      return { ...asyncHooks, AsyncLocalStorage: RunningTest };
    const [pattern, path] = mapped.find(([name]) => name.test(request)) ?? [];
    return next(pattern === undefined || path === undefined ? request : request.replace(pattern, path), ...rest);
  };
}

const isCircus = (parent: unknown): boolean => parent instanceof Module && parent.path.includes('jest-circus');

/** Outputs by file name: the helpers of tests are loaded again for each test file. */
const outputs = new Map<string, { readonly source: string; readonly output: string }>();

function compiled(source: string, filename: string): string {
  const known = outputs.get(filename);
  if (known?.source === source) return known.output;
  const { code: output } = transformSync(source, {
    filename,
    sourceMaps: 'inline',
    swcrc: false,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
    module: { type: 'commonjs' },
  });
  outputs.set(filename, { source, output });
  return output;
}

/** The parent of what is loaded again. */
const parent = new Module(__filename);
parent.filename = __filename;
parent.paths = module.paths;

/** @returns the exports of a module that is evaluated again */
function loadAgain(path: string): unknown {
  const file = load.resolve(path);
  Reflect.deleteProperty(load.cache, file);
  // a parent keeps its children, and with them all that an earlier test file has made
  parent.children.length = 0;
  return parent.require(file);
}

/** Test files, and helpers that register hooks and open servers for the file that loads them. This file would be installed again. */
const isOfTest = (file: string): boolean =>
  /[\\/]test[\\/]/.test(file) && !/[\\/](node_modules|described\.ts|runner\.ts)/.test(file);

function forgetTests(rootDir: string): void {
  for (const file of Object.keys(load.cache))
    if (file.startsWith(rootDir) && isOfTest(file.slice(rootDir.length))) Reflect.deleteProperty(load.cache, file);
}

/** @returns restores the schema types of the Mongoose of the process, to which packages of model files, such as mongoose-long, add theirs */
function ownTypes(): () => void {
  const { Types } = (load('mongoose') as Pick<Mongoose, 'Schema'>).Schema;
  const own = { ...Types };
  return () => {
    for (const name of Object.keys(Types)) if (!(name in own)) Reflect.deleteProperty(Types, name);
    Object.assign(Types, own);
  };
}

const runtime = {
  requireInternalModule: loadAgain,
  requireModule: loadAgain,
  setGlobalsForRuntime: (given: Readonly<Record<string, unknown>>) => (globals = given),
  unstable_shouldLoadAsEsm: () => false,
  enterTestCode: () => undefined,
  leaveTestCode: () => undefined,
};

let isInstalled = false;

const run: Adapter = async (globalConfig, config, _environment, _runtime, testPath) => {
  if (!isInstalled) install(config);
  isInstalled = true;
  forgetTests(config.rootDir);
  const forgetTypes = ownTypes();
  const symbols = Object.getOwnPropertySymbols(globalThis);
  // Jest sets 100; errors are part of what is tested, and traces cost
  Error.stackTraceLimit = 10;
  // Jest's reader of source maps knows only what its own runtime has transformed; Node's reads the others
  Reflect.deleteProperty(Error, 'prepareStackTrace');
  const before = processorSeconds();
  try {
    // without the function that sends a message to Jest at the start and end of each test: what it counts comes with the file's result
    return await circus(globalConfig, config, { global: globalThis }, runtime, testPath);
  } finally {
    jest.restoreAllMocks();
    for (const storage of used) storage.disable();
    used.clear();
    forgetTypes();
    // circus keeps the tests of a file and its event handlers there, and expects another global object for the next file
    for (const symbol of Object.getOwnPropertySymbols(globalThis))
      if (!symbols.includes(symbol)) Reflect.deleteProperty(globalThis, symbol);
    const costs = process.env['TEST_COSTS'] ?? '';
    if (costs !== '') appendFileSync(costs, `${(processorSeconds() - before).toFixed(1)} ${testPath}\n`);
  }
};
export default run;
