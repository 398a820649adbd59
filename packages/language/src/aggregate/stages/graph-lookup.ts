/** `$graphLookup`: follows references between the documents of a collection. */
import { StoreError } from '../../errors.ts';
import { isNumber } from '../../values/kind.ts';
import { exactLong } from '../../values/number.ts';
import { valuesAt } from '../../values/path.ts';
import type { Doc, Value } from '../../values/types.ts';
import type { PipelineContext } from '../context.ts';
import { readPath } from '../expressions/paths.ts';
import type { Frame } from '../expressions/scope.ts';
import { Keys } from '../keys.ts';
import { joined } from './correlation.ts';
import { oneOf } from './equality.ts';
import { withPath } from './fields.ts';
import { compileMatch, filterOf } from './match.ts';
import { checkOptions, type DocExpression, docExpression, memoryFor, objectOf, type StageReader } from './stage.ts';

const options = [
  'from',
  'startWith',
  'connectFromField',
  'connectToField',
  'as',
  'maxDepth',
  'depthField',
  'restrictSearchWithMatch',
];

/** A parsed `$graphLookup`. */
interface Search {
  readonly context: PipelineContext;
  readonly from: string;
  readonly startWith: DocExpression;
  readonly connectFrom: string;
  readonly connectTo: string;
  readonly as: readonly string[];
  readonly maxDepth: number;
  readonly depthField: readonly string[] | undefined;
  readonly restriction: Doc | undefined;
}

export const graphLookup: StageReader = (operand, { compiler }, name) => {
  const spec = objectOf(operand, 9, `the ${name} stage specification`);
  checkOptions(spec, options, 40104, name);
  for (const option of ['from', 'startWith', 'connectFromField', 'connectToField', 'as']) {
    if (!Object.hasOwn(spec, option)) {
      throw new StoreError(
        40105,
        `${name} requires 'from', 'as', 'startWith', 'connectFromField', and 'connectToField' to be specified.`,
      );
    }
  }
  const { restrictSearchWithMatch: restriction, depthField } = spec;
  if (restriction !== undefined) compileMatch(restriction, compiler);
  const search: Search = {
    context: compiler.context,
    from: textOf(spec, 'from'),
    startWith: docExpression(spec['startWith'], compiler),
    connectFrom: readPath(textOf(spec, 'connectFromField')).join('.'),
    connectTo: readPath(textOf(spec, 'connectToField')).join('.'),
    as: readPath(textOf(spec, 'as')),
    maxDepth: depthOf(spec['maxDepth']),
    depthField: depthField === undefined ? undefined : readPath(textOf(spec, 'depthField')),
    restriction: restriction === undefined ? undefined : filterOf(restriction),
  };
  return {
    run: async function* (source, frame) {
      for await (const batch of source) {
        for (const doc of batch) yield [withPath(doc, search.as, await reached(doc, search, frame))];
      }
    },
  };
};

function textOf(spec: Doc, option: string): string {
  const value = spec[option];
  if (typeof value !== 'string' || value === '')
    throw new StoreError(40103, `expected string as argument for ${option}`);
  return value;
}

function depthOf(value: Value): number {
  if (value === undefined) return Infinity;
  if (!isNumber(value)) throw new StoreError(40100, 'maxDepth requires numeric argument');
  const depth = exactLong(value);
  if (depth === undefined) throw new StoreError(40102, 'maxDepth could not be represented as a long long');
  if (depth < 0n) throw new StoreError(40101, 'maxDepth requires a nonnegative argument');
  return Number(depth);
}

/** Follows the values of one step to the documents of the next, until it finds no new ones. */
async function reached(doc: Doc, search: Search, frame: Frame | undefined): Promise<Doc[]> {
  const { context, from, connectFrom, connectTo, maxDepth, restriction } = search;
  const memory = memoryFor(context, '$graphLookup');
  const keys = new Keys(context);
  const visited = new Map<string, Doc>();
  const lookedUp = new Set<string>();
  const isNew = (value: Value): boolean => lookedUp.size < lookedUp.add(keys.of(value)).size;
  let values = startingValues(search.startWith(doc, frame)).filter(isNew);
  for (let depth = 0; depth <= maxDepth && values.length > 0; depth += 1) {
    const next: Value[] = [];
    for await (const batch of context.read(from, joined([oneOf(connectTo, values), restriction]))) {
      for (const found of batch) {
        const key = keys.of(found['_id']);
        if (visited.has(key)) continue;
        memory.keep(found);
        visited.set(key, withDepth(found, depth, search));
        next.push(...valuesAt(found, connectFrom).filter(isNew));
      }
      await context.yield();
    }
    values = next;
  }
  return [...visited.values()];
}

const startingValues = (value: Value): readonly Value[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];

const withDepth = (doc: Doc, depth: number, { depthField }: Search): Doc =>
  depthField === undefined ? doc : withPath(doc, depthField, BigInt(depth));
