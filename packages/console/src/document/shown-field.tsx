/** A field that the caller does not change, as text. */
import { Anchor, Group, Text } from '@mantine/core';
import { isId } from '../api/fields.ts';
import { type Field, isReadable, useModel } from '../api/models.ts';
import { Cell } from '../documents/cell.tsx';
import { useTitle } from '../parts/picker.tsx';
import { documentPath, hrefOf } from '../route.ts';

interface ShownParts {
  readonly field: Field;
  readonly label: string;
  readonly value: unknown;
}

export const ShownField = ({ field, label, value }: ShownParts) => (
  <div role="group" aria-label={label}>
    <Text size="sm" fw={500} className="anywhere">
      {label}
    </Text>
    <Text component="div" size="sm" className="anywhere" dir="auto">
      <Value {...{ field, value }} />
    </Text>
  </div>
);

function Value({ field, value }: Omit<ShownParts, 'label'>) {
  if (field.link !== undefined && value !== undefined && value !== null)
    return <Links name={field.link} value={value} />;
  if (typeof value === 'string' && field.input === 'text' && field.enum === undefined && value !== '') return value;
  if (typeof value === 'object' && value !== null && (field.input === 'json' || field.input === 'object'))
    return <pre className="code">{JSON.stringify(value, null, 2)}</pre>;
  return <Cell document={{ value }} path="value" field={field} />;
}

const Links = ({ name, value }: { readonly name: string; readonly value: unknown }) => (
  <Group gap="xs">
    {[value]
      .flat()
      .filter(isId)
      .map((id) => (
        <LinkTo key={id} {...{ name, id }} />
      ))}
  </Group>
);

function LinkTo({ name, id }: { readonly name: string; readonly id: string | number }) {
  const model = useModel(name);
  const title = useTitle(model, id);
  if (!isReadable(model)) return String(id);
  return (
    <Anchor href={hrefOf(documentPath(name, id))} size="sm">
      {title}
    </Anchor>
  );
}
