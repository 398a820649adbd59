/** Creates, changes and describes views. */
import { Binary } from 'bson';
import { compilePipeline } from 'dossier-language/aggregate';
import { StoreError } from 'dossier-language/errors';
import { type Doc, same, show } from 'dossier-language/values';
import type { Traits } from '../engine/collection-identity.ts';
import { pipelineContext } from '../engine/query-context.ts';
import { checkDefinition, type ViewDefinition, viewOptions } from '../engine/view-definition.ts';
import type { Reply } from '../protocol.ts';
import { collectionNamed, docsOf, flagOf, neededText } from './arguments.ts';
import type { Context } from './context.ts';
import { queryContextOf } from './query-context.ts';
import { sourceStages } from './source-stages.ts';

/** The fields of `create` and `collMod` that concern views. */
export const viewFields = ['viewOn', 'pipeline'];

/** Whether a command creates or changes a view. */
export const isView = (body: Doc): boolean => viewFields.some((name) => body[name] !== undefined);

/** The error of `create` for a name that something else has. */
export const otherOptions = (ns: string, options: Doc): StoreError =>
  new StoreError(48, `namespace ${ns} already exists, but with different options: ${show(options)}`);

/** Creates a view; the same one may exist. */
export function createView(context: Context, name: string, { collation, options }: Traits): Reply {
  const { body, db, store, batch } = context;
  if (!flagOf(body, 'autocommit', true))
    throw new StoreError(263, 'Cannot create a view in a multi-document transaction.');
  const [option] = Object.keys(options?.shown ?? {});
  if (option !== undefined) throw new StoreError(72, `a view cannot have the option '${option}'`);
  const view = { db, name, collation, ...definitionIn(body) };
  const ns = `${db}.${name}`;
  if (store.catalog.find(db, name) !== undefined) throw new StoreError(48, `namespace ${ns} already exists`);
  const found = store.catalog.definition(db, name);
  if (found !== undefined) {
    if (same(viewOptions(found), viewOptions(view))) return { fields: {} };
    throw otherOptions(ns, viewOptions(found));
  }
  check(context, { ...view, id: 0, uuid: new Uint8Array() });
  store.collections.createView(view, batch);
  return { fields: {} };
}

/** `collMod` of a view: it reads something else. */
export function changeView(context: Context, old: ViewDefinition): Reply {
  const { body, store, batch } = context;
  const next = { ...old, ...definitionIn(body) };
  check(context, next);
  store.collections.changeView(old, next, batch);
  return { fields: {} };
}

function definitionIn(body: Doc): Pick<ViewDefinition, 'on' | 'pipeline'> {
  if (body['viewOn'] === undefined) throw new StoreError(72, "'pipeline' requires 'viewOn' to also be specified");
  return { on: collectionNamed(neededText(body, 'viewOn')), pipeline: docsOf(body, 'pipeline') ?? [] };
}

/** Stages that a view must not have. */
const refusedStages: ReadonlySet<string> = new Set([
  '$out',
  '$merge',
  '$changeStream',
  '$documents',
  ...sourceStages.keys(),
]);

/** @throws StoreError 167 for stages that a view must not have; errors of stages and of nesting */
function check(context: Context, view: ViewDefinition): void {
  for (const stage of view.pipeline) {
    const [name = ''] = Object.keys(stage);
    if (refusedStages.has(name)) throw new StoreError(167, `The aggregation stage ${name} cannot be used in a view`);
  }
  compilePipeline(
    view.pipeline,
    pipelineContext({ ...queryContextOf(context, view.on, {}), collation: view.collation }),
  );
  checkDefinition(context.view, view);
}

/** A view as `listCollections` describes it. */
export const describeView = (view: ViewDefinition): Doc => ({
  name: view.name,
  type: 'view',
  options: viewOptions(view),
  info: { readOnly: true, uuid: new Binary(view.uuid, Binary.SUBTYPE_UUID) },
});
