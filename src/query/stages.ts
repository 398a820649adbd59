/** The stages of a pipeline, one row each. Any other stage is a 400, for all callers and at every depth. */

/** The kinds of operands. */
export type StageOperand =
  /** A filter. */
  | 'filter'
  /** An expression, or an object of fields with an expression each. */
  | 'expression'
  /** An object with fields, each an expression. */
  | 'fields'
  /** An object with the options named in the row, each an expression. */
  | 'options'
  | 'sort'
  | 'whole'
  /** The name of a field to create. */
  | 'name'
  /** The options, of which `output` has a window beside each operator. */
  | 'windows'
  /** Names of fields, one or a list. */
  | 'names'
  /** A path `$a`, or the options. */
  | 'unwind'
  /** Names with a pipeline each. */
  | 'branches'
  | 'lookup'
  | 'union'
  | 'graph'
  | 'out'
  | 'merge';

export interface StageRow {
  readonly name: string;
  readonly operand: StageOperand;
  readonly meaning: string;
  /** The names of its options. */
  readonly options?: readonly string[];
  /** Only admins may use it. */
  readonly admin?: true;
  /** The option that names the model it reads besides the pipeline's own. */
  readonly reads?: 'from' | 'coll';
  /** Where it contains pipelines: in an option, or under every name. */
  readonly nests?: 'pipeline' | 'everywhere';
  /** Its output documents still match the schema, so a `$match` after it is cast by the schema. */
  readonly keeps?: true;
  /** It gives other documents each time. */
  readonly varies?: true;
}

export const stageRows: readonly StageRow[] = [
  { name: '$match', operand: 'filter', keeps: true, meaning: 'keeps the documents that match a filter' },
  { name: '$group', operand: 'fields', meaning: 'one document for each value of _id, with accumulators' },
  {
    name: '$lookup',
    operand: 'lookup',
    options: ['from', 'localField', 'foreignField', 'let', 'pipeline', 'as'],
    reads: 'from',
    nests: 'pipeline',
    meaning: 'joins documents of another model',
  },
  {
    name: '$graphLookup',
    operand: 'graph',
    options: [
      'from',
      'startWith',
      'connectFromField',
      'connectToField',
      'as',
      'maxDepth',
      'depthField',
      'restrictSearchWithMatch',
    ],
    reads: 'from',
    meaning: 'joins documents of another model step by step',
  },
  {
    name: '$unionWith',
    operand: 'union',
    options: ['coll', 'pipeline'],
    reads: 'coll',
    nests: 'pipeline',
    meaning: 'adds the documents of another model',
  },
  { name: '$project', operand: 'fields', meaning: 'shows, hides or computes fields' },
  { name: '$sort', operand: 'sort', keeps: true, meaning: 'orders by at most 10 fields' },
  { name: '$limit', operand: 'whole', keeps: true, meaning: 'the first documents' },
  { name: '$skip', operand: 'whole', keeps: true, meaning: 'all but the first documents' },
  {
    name: '$unwind',
    operand: 'unwind',
    options: ['path', 'includeArrayIndex', 'preserveNullAndEmptyArrays'],
    meaning: 'one document for each member of a list',
  },
  { name: '$addFields', operand: 'fields', meaning: 'adds fields' },
  { name: '$set', operand: 'fields', meaning: 'the same as $addFields' },
  { name: '$unset', operand: 'names', meaning: 'removes fields' },
  { name: '$count', operand: 'name', meaning: 'the number of documents' },
  { name: '$facet', operand: 'branches', nests: 'everywhere', meaning: 'several pipelines over the same documents' },
  {
    name: '$bucket',
    operand: 'options',
    options: ['groupBy', 'boundaries', 'default', 'output'],
    meaning: 'groups by given boundaries',
  },
  {
    name: '$bucketAuto',
    operand: 'options',
    options: ['groupBy', 'buckets', 'output', 'granularity'],
    meaning: 'groups into a number of buckets',
  },
  {
    name: '$sample',
    operand: 'options',
    options: ['size'],
    keeps: true,
    varies: true,
    meaning: 'random documents',
  },
  { name: '$sortByCount', operand: 'expression', meaning: 'groups by a value and orders by the number of documents' },
  { name: '$replaceRoot', operand: 'options', options: ['newRoot'], meaning: 'replaces each document by a part of it' },
  { name: '$replaceWith', operand: 'expression', meaning: 'the same as $replaceRoot' },
  { name: '$redact', operand: 'expression', meaning: 'keeps, prunes or descends by an expression' },
  {
    name: '$setWindowFields',
    operand: 'windows',
    options: ['partitionBy', 'sortBy', 'output'],
    meaning: 'computes over neighbouring documents',
  },
  {
    name: '$densify',
    operand: 'options',
    options: ['field', 'partitionByFields', 'range'],
    meaning: 'adds documents where a sequence has gaps',
  },
  {
    name: '$fill',
    operand: 'options',
    options: ['partitionBy', 'partitionByFields', 'sortBy', 'output'],
    meaning: 'fills in values that are missing',
  },
  { name: '$out', operand: 'out', admin: true, meaning: 'replaces a collection by the result' },
  {
    name: '$merge',
    operand: 'merge',
    options: ['into', 'on', 'whenMatched', 'whenNotMatched'],
    admin: true,
    meaning: 'writes the result into a collection',
  },
];

export const stages: ReadonlyMap<string, StageRow> = new Map(stageRows.map((row) => [row.name, row]));

/** The limits of a pipeline. */
export const pipelineLimits = { stages: 50, nesting: 3, joins: 100, branches: 10, sortKeys: 10 } as const;
