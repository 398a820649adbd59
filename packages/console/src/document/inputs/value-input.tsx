/** An input for a value that is no list of objects, by its type. Values are those of documents: undefined and null for none. */
import { isSecret } from '../../api/fields.ts';
import type { InputParts } from './input-parts.ts';
import { JsonInput } from './json-input.tsx';
import { ListInput } from './list-input.tsx';
import { SingleInput } from './single-input.tsx';

export function ValueInput(parts: InputParts) {
  const { field, path } = parts;
  const kind = field.input;
  if (isSecret(path)) return <SingleInput {...parts} />;
  if (kind === 'json' || kind === 'object') return <JsonInput {...parts} />;
  return field.array ? <ListInput {...parts} /> : <SingleInput {...parts} />;
}
