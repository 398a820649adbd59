/** The types of binary data. */
import { badValue } from '../../../errors.ts';
import { uuidIds } from '../id-types.ts';
import { doubleOf } from '../values/number-values.ts';
import type { FieldType } from './field-type.ts';

export const binaryTypes: readonly FieldType[] = [
  {
    name: 'UUID',
    shape: 'value',
    stored: ['binData'],
    jsonSchema: { type: 'string', format: 'uuid' },
    input: 'text',
    id: uuidIds,
    sample: '018f3a00-0000-7000-8000-0000000000ab',
  },
  {
    name: 'Buffer',
    shape: 'value',
    cast: withBytes,
    accept: withBytes,
    fromNumber: doubleOf,
    stored: ['binData'],
    jsonSchema: { type: 'string' },
    input: 'json',
    sample: 'AAEC',
  },
];

/** Binary data is base64 in JSON. @throws 400 for invalid base64 */
function withBytes(path: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const bytes = Buffer.from(value, 'base64');
  const digits = value.replace(/=*$/, '');
  if (bytes.toString('base64').replace(/=*$/, '') !== digits.replace(/-/g, '+').replace(/_/g, '/'))
    throw badValue(path, 'Buffer', 'must be base64');
  return bytes;
}
