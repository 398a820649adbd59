/** Marks the documents in answers of `api`: what a route or a function returns of them leaves as its own caller may read it. */
import { aggregatedRow, documentMark } from '../docs/openapi/shapes.ts';
import type { ModelEntry } from '../models/entry.ts';
import { moreOf } from '../models/loading/reverse-links.ts';
import { collectionsIn, markAnswered, type NameOfLink, type Origin } from '../models/mongoose/marked-documents.ts';
import { isObject } from '../models/plain-object.ts';
import type { Registry } from '../models/registry.ts';
import type { Operation } from '../operations/operation.ts';
import type { Principal } from '../policy/principal.ts';

/** What an answer is of. */
interface Answered {
  readonly operation: Operation;
  readonly status: number;
  /** The name in the path. */
  readonly model: string | undefined;
  /** Of the request. */
  readonly body: unknown;
  /** As whom it was read. */
  readonly reader: Principal;
}

/** @param value of an answer, as JSON carries it, which no one else has */
export type MarkAnswer = (value: unknown, answered: Answered) => void;

/** The documents of a model in answers. */
interface Marks {
  readonly origin: Origin;
  /** Where they show other documents. */
  readonly links: readonly { readonly path: readonly string[]; readonly model: ModelEntry }[];
}

/** Whether and where an answer has documents is what its operation declares. */
export function answerMarker(registry: Registry): MarkAnswer {
  const known = new Map<ModelEntry, Marks>();
  const marksOf = (model: ModelEntry): Marks => {
    const marks = known.get(model) ?? marksIn(registry, model);
    known.set(model, marks);
    return marks;
  };
  const mark = (value: unknown, model: ModelEntry, reader: Principal): void => {
    if (Array.isArray(value)) for (const one of value) mark(one, model, reader);
    if (!isObject(value)) return;
    const { origin, links } = marksOf(model);
    markAnswered(value, { ...origin, reader });
    for (const link of links) eachAt(value, link.path, (linked) => mark(linked, link.model, reader));
  };
  return (value, { operation, status, model: name, body, reader }) => {
    const model = name === undefined ? undefined : registry.find(name);
    if (model === undefined) return;
    eachDeclared(operation.answers[status], value, (part, isRow) => {
      if (!isRow) mark(part, model, reader);
      else if (isObject(part))
        markAnswered(part, { models: modelsRead(registry, model, body), isAggregated: true, reader });
    });
  };
}

function marksIn(registry: Registry, model: ModelEntry): Marks {
  const links = served(registry, model.links);
  const reverses = served(registry, model.reverses);
  const names: readonly NameOfLink[] = [
    ...links.map(({ as, path }) => ({ as, model, path })),
    ...reverses.flatMap(({ as, path, local, linked }) =>
      [as, moreOf(as)].flatMap((one) => [
        { as: one, model: linked, path },
        { as: one, model, path: local },
      ]),
    ),
  ];
  return {
    origin: { models: [model], isAggregated: false, namesOfLinks: names },
    links: [...links, ...reverses].flatMap(({ as, linked }) => ({ path: as.split('.'), model: linked })),
  };
}

/** Links with the models that they lead to. */
const served = <Of extends { readonly model: string }>(registry: Registry, links: readonly Of[]) =>
  links.flatMap((link) => {
    const linked = registry.find(link.model);
    return linked === undefined ? [] : { ...link, linked };
  });

/** The models that a pipeline reads. */
function modelsRead(registry: Registry, model: ModelEntry, pipeline: unknown): readonly ModelEntry[] {
  const joined = collectionsIn(pipeline).flatMap(
    (name) => registry.served.find(({ collection }) => collection === name) ?? registry.find(name) ?? [],
  );
  return [...new Set([model, ...joined])];
}

/** Finds the parts of an answer that its schema declares as documents, or as rows of a pipeline. */
function eachDeclared(schema: unknown, value: unknown, found: (part: unknown, isRow: boolean) => void): void {
  if (schema === documentMark || schema === aggregatedRow) {
    found(value, schema === aggregatedRow);
    return;
  }
  if (!isObject(schema)) return;
  const { properties, items } = schema;
  if (Array.isArray(value)) for (const one of value) eachDeclared(items, one, found);
  else if (isObject(value) && isObject(properties))
    for (const [name, inner] of Object.entries(properties)) eachDeclared(inner, value[name], found);
}

/** The value at a path, or those in lists on the way. */
function eachAt(value: unknown, [first, ...rest]: readonly string[], found: (value: unknown) => void): void {
  if (Array.isArray(value)) for (const one of value) eachAt(one, first === undefined ? [] : [first, ...rest], found);
  else if (first === undefined) found(value);
  else if (isObject(value)) eachAt(value[first], rest, found);
}
