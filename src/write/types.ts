/** Values that Mongoose would take for others than were sent are refused: documents in the place of ids, days that do not exist, nothing for a number. */
import type { Schema } from 'mongoose';
import { badValue } from '../errors.ts';
import { isDay, isId } from '../registry/cast.ts';
import { ObjectId } from '../registry/mongoose.ts';
import { typeAt } from '../registry/type-at.ts';

type Check = (path: string, value: unknown) => void;

const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  [
    'ObjectId',
    (path, value) => {
      if (!(value instanceof ObjectId) && !isId(value))
        throw badValue(path, 'ObjectId', 'must be 24 hexadecimal digits');
    },
  ],
  [
    'Date',
    (path, value) => {
      if (typeof value === 'string' && (value.trim() === '' || (/^\d{4}-\d\d-\d\d/.test(value) && !isDay(value))))
        throw badValue(path, 'Date', 'must be a date that exists');
    },
  ],
  [
    'Number',
    (path, value) => {
      if (
        typeof value === 'string' &&
        (value.trim() === '' || !Number.isFinite(Number(value)) || /^\s*0[box]/i.test(value))
      )
        throw badValue(path, 'Number', 'must be a finite number');
    },
  ],
]);

/** Checks values by the types that their paths have, through nested documents and lists. @throws 400 naming the path */
export function checkTypes(values: object, schema: Schema, prefix = ''): void {
  for (const [key, value] of Object.entries(values)) checkOne(value, schema, prefix + key);
}

function checkOne(value: unknown, schema: Schema, path: string): void {
  if (value === null || value === undefined) return;
  const type = typeAt(schema, path);
  if (type.kind === 'leaf') {
    const check = checks.get(type.type.instance);
    if (check !== undefined) for (const member of asList(value)) if (member !== null) check(path, member);
  } else if (type.kind === 'document' && typeof value === 'object') checkTypes(value, schema, `${path}.`);
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);
