/** The types of binary data. */
import { badValue } from '../../../errors/errors.ts';
import { isPlainObject } from '../../plain-object.ts';
import { uuidIds } from '../id-types.ts';
import { doubleOf } from '../values/number-values.ts';
import type { FieldType } from './field-type.ts';
import { castable } from './read-value.ts';

const bytesRule = 'must be base64';

export const binaryTypes: readonly FieldType[] = [
  {
    name: 'UUID',
    shape: 'value',
    rule: uuidIds.rule,
    stored: ['binData'],
    jsonSchema: { type: 'string', format: 'uuid' },
    input: 'text',
    id: uuidIds,
    sample: '018f3a00-0000-7000-8000-0000000000ab',
  },
  {
    name: 'Buffer',
    shape: 'value',
    cast: castBytes,
    accept: (path, value, field) => (typeof value === 'string' ? withBytes(path, value) : castable(path, value, field)),
    fromNumber: doubleOf,
    rule: bytesRule,
    stored: ['binData'],
    jsonSchema: { type: 'string' },
    input: 'json',
    sample: 'AAEC',
  },
];

function castBytes(path: string, value: unknown): unknown {
  if (isPlainObject(value)) throw badValue(path, 'Buffer', bytesRule);
  return withBytes(path, value);
}

/** Binary data is base64 in JSON. @throws 400 for invalid base64 */
function withBytes(path: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const bytes = Buffer.from(value, 'base64');
  const digits = value.replace(/=*$/, '');
  if (bytes.toString('base64').replace(/=*$/, '') !== digits.replace(/-/g, '+').replace(/_/g, '/'))
    throw badValue(path, 'Buffer', bytesRule);
  return bytes;
}
