/** Groups documents, for stages with an `_id` and accumulated fields. */
import { setField } from '../../values/path.ts';
import type { Batches, Doc, Value } from '../../values/types.ts';
import type { Gathering } from '../accumulators/accumulator.ts';
import type { AccumulatedField } from '../accumulators/index.ts';
import type { Compiler } from '../expressions/compiler.ts';
import { type Frame, scopeOf } from '../expressions/scope.ts';
import { Keys } from '../keys.ts';
import type { Memory } from '../memory.ts';
import { type DocExpression, memoryFor } from './stage.ts';

/** A group: its id and the running results of its fields. */
export interface Group {
  readonly id: Value;
  readonly gatherings: readonly Gathering[];
}

/** Starts a group. */
export const newGroup = (id: Value, fields: readonly AccumulatedField[], memory: Memory): Group => ({
  id,
  gatherings: fields.map(({ accumulator }) => accumulator(memory)),
});

/** Adds a document to a group. */
export function addTo({ gatherings }: Group, doc: Doc, frame: Frame | undefined): void {
  const scope = scopeOf(doc, frame);
  for (const gathering of gatherings) {
    gathering.add(scope);
  }
}

/** The result document of a group. */
export function groupDoc({ id, gatherings }: Group, fields: readonly AccumulatedField[]): Doc {
  const doc: Record<string, Value> = { _id: id };
  for (const [at, { name }] of fields.entries()) setField(doc, name, gatherings[at]?.result());
  return doc;
}

/** How documents are grouped. */
export interface Grouping {
  readonly id: DocExpression;
  readonly fields: readonly AccumulatedField[];
  readonly compiler: Compiler;
  readonly name: string;
}

const groupBytes = 64;

/** All groups, in order of first occurrence. */
export async function groupsOf(source: Batches, frame: Frame | undefined, grouping: Grouping): Promise<Group[]> {
  const { id: idOf, fields, compiler, name } = grouping;
  const { context } = compiler;
  const memory = memoryFor(context, name);
  const keys = new Keys(context);
  const groups = new Map<string, Group>();
  for await (const batch of source) {
    for (const doc of batch) {
      const id = idOf(doc, frame) ?? null;
      const key = keys.of(id);
      let group = groups.get(key);
      if (group === undefined) {
        memory.take(memory.sizeOf(id) + key.length + groupBytes * (fields.length + 1));
        group = newGroup(id, fields, memory);
        groups.set(key, group);
      }
      addTo(group, doc, frame);
      if (context.due()) await context.yield();
    }
  }
  return [...groups.values()];
}
