/** An input for one plain value. */
import { Anchor, Group, NativeSelect, PasswordInput, Switch, Textarea, TextInput } from '@mantine/core';
import { isSecret } from '../../api/fields.ts';
import { DateInput } from '../../parts/date-input.tsx';
import { hintOf } from '../limits.ts';
import { describedBy, type InputParts } from './input-parts.ts';
import { LinkInput } from './link-input.tsx';

/** Characters from which on a text gets several lines. */
const long = 60;

export function SingleInput(parts: InputParts) {
  const { field, path, value } = parts;
  if (isSecret(path)) return <Secret {...parts} />;
  if (field.enum !== undefined) return <Choice {...parts} choices={field.enum.filter((one) => one !== null)} />;
  if (field.link !== undefined) return <LinkInput {...parts} link={field.link} />;
  switch (field.input) {
    case 'boolean':
      return <Toggle {...parts} />;
    case 'number':
      return <NumberText {...parts} />;
    case 'date':
      return (
        <DateInput
          {...shared(parts)}
          of={parts.label}
          value={value}
          set={parts.set}
          describe={(zone) => describedBy(field, hintOf(field), zone)}
        />
      );
    case 'text':
      return <Text {...parts} isLong={typeof value === 'string' && (value.length > long || value.includes('\n'))} />;
    default:
      return <Text {...parts} isLong={false} />;
  }
}

/** What all inputs are given. */
const shared = ({ label, field, fault, disabled }: InputParts) => ({
  label,
  description: describedBy(field, hintOf(field)),
  required: field.required && !field.array,
  error: fault,
  disabled: disabled === true,
});

const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);

function Text(parts: InputParts & { readonly isLong: boolean }) {
  const { value, set, isLong } = parts;
  const common = { ...shared(parts), value: textOf(value), dir: 'auto' as const };
  // a required text that is emptied becomes an empty text; any other becomes no value
  const empty = typeof value === 'string' && value !== '' && parts.field.required ? '' : null;
  return isLong ? (
    <Textarea {...common} autosize maxRows={20} onChange={({ currentTarget }) => set(currentTarget.value || empty)} />
  ) : (
    <TextInput {...common} onChange={({ currentTarget }) => set(currentTarget.value || empty)} />
  );
}

/** A text that is not a number stays a text, and the server reports what is wrong. */
const NumberText = (parts: InputParts) => (
  <TextInput
    {...shared(parts)}
    inputMode="decimal"
    value={textOf(parts.value)}
    onChange={({ currentTarget: { value } }) => {
      const number = Number(value);
      parts.set(value.trim() === '' ? null : Number.isNaN(number) || String(number) !== value ? value : number);
    }}
  />
);

/** Yes and no; a third state, no value, where the field has neither to have one nor gets one by itself. */
function Toggle(parts: InputParts) {
  const { field, label, value, set, disabled } = parts;
  const isSet = typeof value === 'boolean';
  return (
    <Group gap="xs" align="flex-start" pt={4}>
      <Switch
        {...shared(parts)}
        description={describedBy(field, isSet ? undefined : 'Not set')}
        checked={value === true}
        data-empty={isSet ? undefined : true}
        onChange={({ currentTarget }) => set(currentTarget.checked)}
      />
      {isSet && !field.required && field.default === undefined && disabled !== true ? (
        <Anchor component="button" type="button" size="xs" onClick={() => set(null)} aria-label={`Clear ${label}`}>
          Clear
        </Anchor>
      ) : null}
    </Group>
  );
}

const Secret = (parts: InputParts) => (
  <PasswordInput
    {...shared(parts)}
    required={false}
    description={describedBy(parts.field, 'Never shown. Left empty, it stays as it is.')}
    autoComplete="new-password"
    value={textOf(parts.value)}
    onChange={({ currentTarget }) => parts.set(currentTarget.value || undefined)}
  />
);

function Choice(parts: InputParts & { readonly choices: readonly unknown[] }) {
  const { choices, value, set } = parts;
  // a stored value that is no longer allowed is shown until it is changed
  const all = value === undefined || value === null || choices.includes(value) ? choices : [value, ...choices];
  return (
    <NativeSelect
      {...shared(parts)}
      data={[{ value: '', label: '–' }, ...all.map((one, at) => ({ value: String(at), label: String(one) }))]}
      value={String(Math.max(all.indexOf(value), -1)).replace('-1', '')}
      onChange={({ currentTarget }) => set(currentTarget.value === '' ? null : all[Number(currentTarget.value)])}
    />
  );
}
