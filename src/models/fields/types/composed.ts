/** The types whose values consist of others, or may be any. */
import type { FieldType } from './field-type.ts';

export const composedTypes: readonly FieldType[] = [
  { name: 'Array', shape: 'list', stored: [], jsonSchema: {}, input: 'json', sample: [] },
  { name: 'Embedded', shape: 'document', stored: [], jsonSchema: {}, input: 'object', sample: {} },
  { name: 'Map', shape: 'map', stored: [], jsonSchema: {}, input: 'json', sample: {} },
  { name: 'Union', shape: 'union', stored: [], jsonSchema: {}, input: 'json', sample: 'text' },
  { name: 'Mixed', shape: 'any', stored: [], jsonSchema: {}, input: 'json', sample: 'text' },
];
