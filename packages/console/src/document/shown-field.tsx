/** A field that the caller does not change, as text. */
import { Anchor, Box, Group, Text } from '@mantine/core';
import { isId, isRow, isSecret, type Row } from '../api/fields.ts';
import { shortLabel } from '../api/labels.ts';
import { type Field, isReadable, type OwnModel, useModel } from '../api/models.ts';
import { partsOf } from '../api/places.ts';
import { Cell } from '../documents/cell.tsx';
import { useTitle } from '../parts/picker.tsx';
import { useSome } from '../parts/some-of.tsx';
import { documentPath, hrefOf } from '../route.ts';

interface ShownParts {
  readonly model: OwnModel;
  readonly path: string;
  readonly field: Field;
  readonly label: string;
  readonly value: unknown;
}

export const ShownField = ({ label, ...parts }: ShownParts) => (
  <div role="group" aria-label={label}>
    <Text size="sm" fw={500} className="anywhere">
      {label}
    </Text>
    <Text component="div" size="sm" className="anywhere" dir="auto">
      <Value {...parts} />
    </Text>
  </div>
);

type ValueParts = Omit<ShownParts, 'label'>;

function Value({ model, path, field, value }: ValueParts) {
  if (field.input === 'object' && Array.isArray(value) && value.length > 0 && value.every(isRow))
    return <Members {...{ model, path }} members={value} />;
  if (field.link !== undefined && value !== undefined && value !== null)
    return <Links name={field.link} value={value} />;
  if (typeof value === 'string' && field.input === 'text' && field.enum === undefined && value !== '') return value;
  const isEmptyList = Array.isArray(value) && value.length === 0;
  if (
    typeof value === 'object' &&
    value !== null &&
    !isEmptyList &&
    (field.input === 'json' || field.input === 'object')
  )
    return <pre className="code">{JSON.stringify(value, null, 2)}</pre>;
  return <Cell document={{ value }} path="value" field={field} />;
}

/** The members of a list of documents, in their order, with their parts. */
function Members({ model, path, members }: Omit<ValueParts, 'field' | 'value'> & { readonly members: readonly Row[] }) {
  const [shown, more] = useSome(members);
  return (
    <>
      <Box component="ol" m={0} pl="lg">
        {shown.map((member, at) => (
          <li key={at}>
            <Parts {...{ model, path }} value={member} />
          </li>
        ))}
      </Box>
      {more}
    </>
  );
}

function Parts({ model, path, value }: Omit<ValueParts, 'field'> & { readonly value: Row }) {
  return partsOf(model, path)
    .filter(({ name }) => value[name] !== undefined && value[name] !== null && !isSecret(`${path}.${name}`))
    .map(({ name, field }) => {
      const [inner, label] = [value[name], shortLabel(model, `${path}.${name}`)];
      if (field !== undefined)
        return <ShownField key={name} {...{ model, field, label }} path={`${path}.${name}`} value={inner} />;
      return (
        <div key={name} role="group" aria-label={label}>
          <Text size="sm" fw={500} className="anywhere">
            {label}
          </Text>
          <Box pl="lg">{isRow(inner) ? <Parts {...{ model }} path={`${path}.${name}`} value={inner} /> : null}</Box>
        </div>
      );
    });
}

function Links({ name, value }: { readonly name: string; readonly value: unknown }) {
  const [shown, more] = useSome([value].flat().filter(isId));
  return (
    <Group gap="xs">
      {shown.map((id) => (
        <LinkTo key={id} {...{ name, id }} />
      ))}
      {more}
    </Group>
  );
}

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
