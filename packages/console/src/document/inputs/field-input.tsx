/** An input for the value of a field, by its type. Values are those of documents: undefined and null for none. */
import { isSecret, kindOf } from '../../api/fields.ts';
import type { Field, OwnModel } from '../../api/models.ts';
import { JsonInput } from './json-input.tsx';
import { ListInput } from './list-input.tsx';
import { MembersInput } from './members-input.tsx';
import { SingleInput } from './single-input.tsx';

export interface InputParts {
  readonly path: string;
  readonly field: Field;
  readonly label: string;
  readonly value: unknown;
  readonly set: (value: unknown) => void;
  /** The fault that was found in the value. */
  readonly fault?: string | undefined;
  readonly disabled?: boolean;
  /** The model of the field, for the fields of list members. */
  readonly model?: OwnModel | undefined;
}

export function FieldInput(parts: InputParts) {
  const { field, path, model } = parts;
  const kind = kindOf(field);
  if (isSecret(path)) return <SingleInput {...parts} />;
  if (kind === 'object' && field.array && model !== undefined) return <MembersInput {...parts} model={model} />;
  if (kind === 'json' || kind === 'object') return <JsonInput {...parts} />;
  return field.array ? <ListInput {...parts} /> : <SingleInput {...parts} />;
}
