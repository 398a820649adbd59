/** `$lookup`: joins documents of another collection, by equality, by a pipeline, or by both. */
import { notSupported, StoreError } from '../../errors.ts';
import { isDoc } from '../../values/kind.ts';
import type { Batches, Doc, Value } from '../../values/types.ts';
import type { Compiler } from '../expressions/compiler.ts';
import { readPath } from '../expressions/paths.ts';
import type { Frame } from '../expressions/scope.ts';
import { variableName } from '../expressions/variables.ts';
import { maxTextBytes, Memory } from '../memory.ts';
import { equalitiesIn, filterFor, joined } from './correlation.ts';
import { checkDocumentSource, noDocuments } from './documents.ts';
import { EqualityIndex, localValues, oneOf } from './equality.ts';
import { withPath } from './fields.ts';
import {
  checkOptions,
  type DocExpression,
  docExpression,
  gather,
  inBatches,
  memoryFor,
  objectOf,
  type Pipeline,
  type StageReader,
  type StageTools,
} from './stage.ts';

/** A parsed `$lookup`. */
interface Lookup {
  readonly compiler: Compiler;
  /** Undefined for a pipeline with `$documents`. */
  readonly from: string | undefined;
  readonly as: readonly string[];
  readonly equality: { readonly local: string; readonly foreign: string } | undefined;
  readonly variables: readonly Variable[];
  readonly pipeline: Pipeline | undefined;
  /** Equalities between the documents and the pipeline's variables, for the use of an index. */
  readonly hint: (values: ReadonlyMap<string, Value>) => Doc | undefined;
}

interface Variable {
  readonly name: string;
  readonly value: DocExpression;
}

const options = ['from', 'localField', 'foreignField', 'as', 'let', 'pipeline'];

export const lookup: StageReader = (operand, tools, name) => {
  const read = readLookup(operand, tools, name);
  const run = read.equality === undefined ? byPipeline : byEquality;
  return { run: (source, frame) => run(read, source, frame) };
};

function readLookup(operand: Value, { compiler, nested }: StageTools, name: string): Lookup {
  const spec = objectOf(operand, 9, `the ${name} specification`);
  checkOptions(spec, options, 9, name);
  const { from, as, pipeline } = spec;
  if (as === undefined) throw new StoreError(9, "must specify 'as' field for a $lookup");
  checkDocumentSource(from, pipeline, name);
  const variables = variablesOf(spec['let'], compiler);
  const equality = equalityOf(spec);
  if (equality === undefined && pipeline === undefined) {
    throw new StoreError(9, '$lookup requires either pipeline or both localField and foreignField to be specified');
  }
  if (pipeline === undefined && variables.length > 0)
    throw new StoreError(9, "$lookup with a 'let' argument must also specify 'pipeline'");
  if (from === undefined && equality !== undefined)
    throw notSupported('a $lookup with localField and foreignField, but without a collection');
  const collection = from === undefined ? undefined : textOf(from, 'from');
  const names = compiler.within(...variables.map((variable) => variable.name));
  const inner = collection === undefined ? names : names.on(collection);
  const equalities = equalitiesIn(pipeline).filter(({ variable }) => variables.some((one) => one.name === variable));
  return {
    compiler,
    from: collection,
    as: readPath(textOf(as, 'as')),
    equality,
    variables,
    pipeline: pipeline === undefined ? undefined : nested(pipeline, inner, '$lookup'),
    hint: (values) => filterFor(equalities, (variable) => values.get(variable)),
  };
}

function textOf(value: Value, option: string): string {
  if (typeof value !== 'string')
    throw new StoreError(9, `$lookup argument '${option}: ${String(value)}' must be a string`);
  if (value === '')
    throw new StoreError(option === 'from' ? 73 : 40352, `$lookup argument '${option}' must not be empty`);
  return value;
}

function equalityOf({ localField: local, foreignField: foreign }: Doc): Lookup['equality'] {
  if (local === undefined && foreign === undefined) return undefined;
  if (local === undefined || foreign === undefined) {
    throw new StoreError(9, '$lookup requires both or neither of localField and foreignField to be specified');
  }
  const paths = { local: textOf(local, 'localField'), foreign: textOf(foreign, 'foreignField') };
  readPath(paths.local);
  readPath(paths.foreign);
  return paths;
}

function variablesOf(spec: Value, compiler: Compiler): readonly Variable[] {
  if (spec === undefined) return [];
  if (!isDoc(spec)) throw new StoreError(9, "$lookup argument 'let' must be an object");
  return Object.entries(spec).map(([name, value]) => ({
    name: variableName(name),
    value: docExpression(value, compiler),
  }));
}

/** The values of the variables for one document, and their frame. */
function variablesFor(
  doc: Doc,
  { variables }: Lookup,
  frame: Frame | undefined,
): { values: ReadonlyMap<string, Value>; inner: Frame | undefined } {
  const values = new Map(variables.map(({ name, value }) => [name, value(doc, frame)]));
  let inner = frame;
  for (const value of values.values()) inner = { value, outer: inner };
  return { values, inner };
}

/** Runs the pipeline for each document; once for all if it has no variables. */
async function* byPipeline(read: Lookup, source: Batches, frame: Frame | undefined): AsyncGenerator<readonly Doc[]> {
  const { compiler, as, variables, pipeline } = read;
  const { context } = compiler;
  let shared: readonly Doc[] | undefined;
  for await (const batch of source) {
    for (const doc of batch) {
      const { values, inner } = variablesFor(doc, read, frame);
      const filter = joined([pipeline?.leadingFilter, read.hint(values)]);
      const found = shared ?? (pipeline ? await joinedDocs(pipeline.run(sourceOf(read, filter), inner), read) : []);
      if (variables.length === 0) shared = found;
      yield [withPath(doc, as, [...found])];
      await context.yield();
    }
  }
}

const sourceOf = ({ compiler, from }: Lookup, filter: Doc | undefined): Batches =>
  from === undefined ? noDocuments() : compiler.context.read(from, filter);

const tooLarge = 4568;

/** Estimated bytes of a slot in the result array; the documents themselves are shared. */
const placeBytes = 16;

const joinedDocs = (source: Batches, { compiler, from }: Lookup): Promise<Doc[]> =>
  gather(
    source,
    compiler.context,
    new Memory(
      { ...compiler.context, memoryLimitBytes: maxTextBytes },
      `The total size of documents in ${from ?? '$documents'} matching a $lookup stage`,
      tooLarge,
    ),
  );

/** Reads the matches of a whole group of documents at once, and runs the pipeline for each document. */
async function* byEquality(read: Lookup, source: Batches, frame: Frame | undefined): AsyncGenerator<readonly Doc[]> {
  const { compiler, as, equality, pipeline } = read;
  const { context } = compiler;
  if (equality === undefined) return;
  for await (const batch of source) {
    const wanted = batch.map((doc) => localValues(doc, equality.local));
    const found = await candidates(read, equality.foreign, wanted.flat());
    const index = await EqualityIndex.of(found, equality.foreign, context);
    const results: Doc[] = [];
    const memory = memoryFor(context, '$lookup');
    for (const [at, doc] of batch.entries()) {
      const equals = index.find(wanted[at] ?? []);
      const { inner } = variablesFor(doc, read, frame);
      const joins =
        pipeline === undefined
          ? equals
          : await joinedDocs(
              pipeline.run(
                inBatches(equals, (one) => one, context),
                inner,
              ),
              read,
            );
      memory.take(joins.length * placeBytes);
      results.push(withPath(doc, as, [...joins]));
      await context.yield();
    }
    if (results.length > 0) yield results;
  }
}

async function candidates(read: Lookup, path: string, values: readonly Value[]): Promise<readonly Doc[]> {
  const {
    compiler: { context },
    pipeline,
  } = read;
  const unique = [...new Map(values.map((value) => [value, value])).keys()];
  const filter = joined([oneOf(path, unique), pipeline?.leadingFilter]);
  return gather(sourceOf(read, filter), context, memoryFor(context, '$lookup'));
}
