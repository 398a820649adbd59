/** The stages that remove hidden fields from a model's documents before the caller's stages. */
import { makesDeclared, readsDeclared, SeenFields, stageEffect, visibleLevels } from './pipeline-fields.ts';
import type { HiddenNames, SchemaView } from './schema-view.ts';
import { removalOfUndeclared, undeclaredStages } from './undeclared.ts';

export type Stage = Readonly<Record<string, unknown>>;

/** The stages that clean the joined documents in a field. @param also names that the join has added to them */
export const removalAt = (
  field: string,
  { hidden, storedNames }: SchemaView,
  also: readonly string[],
): readonly Stage[] => [
  ...removalOfPaths(hidden.paths.map((path) => `${field}.${path}`)),
  ...undeclaredStages(field, storedNames, also),
  { $set: { [field]: cleaned(`$${field}`, visibleLevels + 1, hidden) } },
];

/**
 * Removes the paths that the schema hides, first and as a whole. The second stage changes nothing: it keeps engines from merging the
 * removal with a stage of the caller, which would see the paths again (DocumentDB does so with `$set`).
 */
const removalOfPaths = (paths: readonly string[]): readonly Stage[] =>
  paths.length === 0
    ? []
    : [{ $project: Object.fromEntries(paths.map((path) => [path, 0])) }, { $replaceRoot: { newRoot: '$$ROOT' } }];

/**
 * The caller's stages after stages that remove hidden values, including values that the schema does not declare. If the caller's
 * stages read only fields that they name, only these are cleaned, and the answer omits the rest. If a stage may read more,
 * documents are cleaned as a whole.
 * @param joined whether an enclosing pipeline reads the results, possibly more fields of them
 */
export function withoutHiddenValues(view: SchemaView, stages: readonly Stage[], joined: boolean): Stage[] {
  const { hidden } = view;
  const seen = new SeenFields(view);
  const { at, isWhole } = namedUntil(stages, seen, joined);
  const plain = stages.findIndex((stage) => !readsDeclared(stage, view));
  const declared = plain === -1 ? stages.length : plain;
  const isDeclared = declared < stages.length && makesDeclared(stages[declared] as Stage, view);
  const undeclared = isDeclared ? [] : removalOfUndeclared(view.storedNames);
  return [
    ...removalOfPaths(hidden.paths),
    ...removalOf(seen.levels(), view),
    ...stages.slice(0, declared),
    ...undeclared,
    ...stages.slice(declared, at),
    ...(isWhole ? [removalOfAll(hidden)] : []),
    ...stages.slice(at),
  ];
}

/** Up to where stages read only fields that they name, which are added to `seen`, and whether documents are then cleaned as a whole. */
function namedUntil(
  stages: readonly Stage[],
  seen: SeenFields,
  joined: boolean,
): { readonly at: number; readonly isWhole: boolean } {
  for (const [at, stage] of stages.entries()) {
    const isLastFacet = '$facet' in stage && at === stages.length - 1 && !joined;
    const effect = isLastFacet ? facetEffect(stage) : stageEffect(stage);
    if (effect === 'hidden') return { at, isWhole: true };
    seen.add(stage);
    if (effect === 'made') return { at, isWhole: false };
  }
  return { at: stages.length, isWhole: joined };
}

/**
 * Maximum fields that are cleaned one by one; beyond it whole documents are cleaned, because expressions for thousands of fields
 * would exceed the size of a command.
 */
const maxFields = 20;

/** The stages that clean fields, each to its number of levels. */
function removalOf(levels: ReadonlyMap<string, number>, view: SchemaView): Stage[] {
  if (levels.size === 0) return [];
  if (levels.size > maxFields) return [removalOfAll(view.hidden)];
  const fields = [...levels].map(([field, depth]) => [
    field,
    view.showsKey(field) ? cleaned(`$${field}`, depth, view.hidden) : '$$REMOVE',
  ]);
  return [{ $set: Object.fromEntries(fields) as object }];
}

/** The effect of `$facet`, which must be the last stage: its result contains the output of its branches. */
function facetEffect({ $facet }: Stage): 'kept' | 'hidden' {
  const branches = Object.values($facet as Readonly<Record<string, readonly Stage[]>>);
  return branches.flat().some((stage) => stageEffect(stage) === 'hidden') ? 'hidden' : 'kept';
}

/**
 * An expression for a value without its hidden keys, in any letter case, in objects and lists of them. Objects and lists
 * both become lists of `{k, v}`, so that the expression grows by one part per level instead of two; lists of plain values stay
 * unchanged.
 */
function cleaned(value: string, levels: number, hidden: HiddenNames): object {
  if (levels === 0) return { $cond: [isComposed(value), null, value] };
  const pairs = {
    $cond: [
      { $isArray: '$$value' },
      { $map: { input: '$$value', as: 'pair', in: { k: '', v: '$$pair' } } },
      {
        $filter: {
          input: { $objectToArray: '$$value' },
          as: 'pair',
          cond: { $not: { $in: [{ $toLower: '$$pair.k' }, hidden.keys] } },
        },
      },
    ],
  };
  const inner = {
    $map: { input: pairs, as: 'pair', in: { k: '$$pair.k', v: cleaned('$$pair.v', levels - 1, hidden) } },
  };
  const whole = {
    $let: {
      vars: { pairs: inner },
      in: { $cond: [{ $isArray: '$$value' }, '$$pairs.v', { $arrayToObject: '$$pairs' }] },
    },
  };
  const withinValue = { $cond: [isPlainList, '$$value', whole] };
  return { $cond: [isComposed(value), { $let: { vars: { value }, in: withinValue } }, value] };
}

const isComposed = (value: string): object => ({ $in: [{ $type: value }, ['object', 'array']] });

const kinds = { $map: { input: '$$value', as: 'member', in: { $type: '$$member' } } };
const isPlainList = {
  $and: [{ $isArray: '$$value' }, { $not: { $in: ['object', kinds] } }, { $not: { $in: ['array', kinds] } }],
};

const removals = new WeakMap<HiddenNames, Stage>();

/**
 * The stage that cleans whole documents. It rebuilds the documents, because fields removed by `$unset` do not stay
 * removed in every engine.
 */
function removalOfAll(hidden: HiddenNames): Stage {
  const known = removals.get(hidden) ?? Object.freeze({ $replaceWith: cleaned('$$ROOT', visibleLevels + 1, hidden) });
  removals.set(hidden, known);
  return known;
}
