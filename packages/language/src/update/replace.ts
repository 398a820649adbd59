/** Updates that produce a whole document: replacements and pipelines. */
import { StoreError } from '../errors.ts';
import { equal } from '../values/order.ts';
import { setField } from '../values/path.ts';
import { same } from '../values/same.ts';
import { show } from '../values/show.ts';
import type { Doc, Value } from '../values/types.ts';

type Apply = (doc: Doc, inserting: boolean) => Doc;

/** Creates an update that replaces a document and keeps its `_id`. */
export function replacing(replacement: Doc): Apply {
  const dollar = Object.keys(replacement).find((name) => name.startsWith('$'));
  return (doc, inserting) => {
    if (dollar !== undefined && !inserting) throw dollarField(dollar);
    return keepingId(doc, replacement);
  };
}

/**
 * The error of a top-level field whose name starts with a dollar: only an insert or a pipeline writes such a field
 * (MongoDB's manual, "Dollar-Prefixed Field Names").
 */
export const dollarField = (name: string): StoreError =>
  new StoreError(
    52,
    `The dollar ($) prefixed field '${name}' in '${name}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
  );

/** Creates the update of a pipeline. */
export function transforming(run: (doc: Doc) => Doc): Apply {
  return (doc) => keepingId(doc, run(doc));
}

/** The new document with the `_id` of the old one, which may be repeated but not changed. */
function keepingId(old: Doc, next: Doc): Doc {
  const { _id: id } = old;
  const given = next['_id'];
  if (id === undefined) return idFirst(next);
  if (given !== undefined && !equal(id, given)) {
    throw new StoreError(
      66,
      `After applying the update, the (immutable) field '_id' was found to have been altered to _id: ${show(given)}`,
    );
  }
  const whole = withId(id, next);
  return same(old, whole) ? old : whole;
}

/** A document with its `_id` as the first field. */
export function idFirst(doc: Doc): Doc {
  const { _id: id } = doc;
  return id === undefined || Object.keys(doc)[0] === '_id' ? doc : withId(id, doc);
}

function withId(id: Value, doc: Doc): Doc {
  const whole: Record<string, Value> = { _id: id };
  for (const [name, value] of Object.entries(doc)) if (name !== '_id') setField(whole, name, value);
  return whole;
}
