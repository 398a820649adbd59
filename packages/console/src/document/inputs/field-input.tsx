/** An input for the value of a field: the members of a list of objects, or one value. */
import { isSecret } from '../../api/fields.ts';
import type { InputParts } from './input-parts.ts';
import { MembersInput } from './members-input.tsx';
import { ValueInput } from './value-input.tsx';

export function FieldInput(parts: InputParts) {
  const { field, path, model } = parts;
  const hasMembers = field.input === 'object' && field.array && !isSecret(path);
  return hasMembers && model !== undefined ? <MembersInput {...parts} model={model} /> : <ValueInput {...parts} />;
}
