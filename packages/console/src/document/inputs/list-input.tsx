/** An input for a list of plain values, in their order. */
import { Button, Fieldset, Stack, Text } from '@mantine/core';
import type { Field } from '../../api/models.ts';
import type { InputParts } from './input-parts.ts';
import { MemberRow } from './member-row.tsx';
import { SingleInput } from './single-input.tsx';

export function ListInput(parts: InputParts) {
  const { label, value, set, fault, field } = parts;
  const members: readonly unknown[] = Array.isArray(value) ? value : [];
  return (
    <Fieldset legend={label} disabled={parts.disabled === true}>
      <Stack gap="xs">
        <Described text={field.description} />
        {members.map((member, at) => (
          <MemberRow key={at} {...{ members, at, set }} name={`${label} ${at + 1}`}>
            <SingleInput
              {...parts}
              label={`${label} ${at + 1}`}
              field={withoutDescription({ ...field, array: false, required: false })}
              fault={undefined}
              value={member}
              set={(next) => set(members.with(at, next))}
            />
          </MemberRow>
        ))}
        <Button size="xs" variant="default" w="fit-content" onClick={() => set([...members, null])}>
          Add to {label}
        </Button>
        <Fault text={fault} />
      </Stack>
    </Fieldset>
  );
}

/** A list shows its description once. */
function withoutDescription({ description: _, ...field }: Field): Field {
  return field;
}

export const Described = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <Text size="xs" c="dimmed" className="anywhere">
      {text}
    </Text>
  );

export const Fault = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <Text size="sm" c="var(--mantine-color-error)" role="alert">
      {text}
    </Text>
  );
