/** The conditions of a filter, one a row: a field, an operator for its type, and a value. */
import { ActionIcon, Button, Group, MultiSelect, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { isSecret } from '../../api/fields.ts';
import { choicesOf, labelOf } from '../../api/labels.ts';
import type { Field, OwnModel } from '../../api/models.ts';
import { useSearchedList } from '../../parts/choice-list.ts';
import { DateInput } from '../../parts/date-input.tsx';
import { icons, iconSize } from '../../parts/icons.tsx';
import { Picker } from '../../parts/picker.tsx';
import { type Condition, listText, type OperatorName, operators, operatorsFor, valuesIn } from './conditions.ts';
import { idsOf, modelOfIds } from './link-titles.ts';

interface RowsParts {
  readonly model: OwnModel;
  readonly rows: readonly Condition[];
  readonly setRows: (rows: readonly Condition[]) => void;
}

export function ConditionRows({ model, rows, setRows }: RowsParts) {
  const paths = Object.keys(model.fields).filter(
    (path) => model.rights.fields[path]?.includes('r') === true && !isSecret(path),
  );
  const fresh = (path: string): Condition => ({ path, operator: firstOperator(model.fields[path]), value: '' });
  return (
    <Stack gap="xs">
      {rows.length === 0 ? <Text size="sm">All documents. Add a condition to see some of them.</Text> : null}
      {rows.map((row, at) => (
        <Row
          key={at}
          {...{ model, paths, row }}
          set={(next) => setRows(rows.with(at, next.path === row.path ? next : fresh(next.path)))}
          remove={() => setRows(rows.filter((_, other) => other !== at))}
        />
      ))}
      <Button variant="default" size="xs" onClick={() => setRows([...rows, fresh(paths[0] ?? '_id')])}>
        Add a condition
      </Button>
    </Stack>
  );
}

const firstOperator = (field: Field | undefined): OperatorName =>
  (field === undefined ? undefined : operatorsFor(field)[0]) ?? 'is';

interface RowParts {
  readonly model: OwnModel;
  readonly paths: readonly string[];
  readonly row: Condition;
  readonly set: (row: Condition) => void;
  readonly remove: () => void;
}

function Row({ model, paths, row, set, remove }: RowParts) {
  const field = model.fields[row.path];
  const known = field === undefined ? [row.operator] : operatorsFor(field);
  const offered = known.includes(row.operator) ? known : [row.operator, ...known];
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap" className="condition">
      <NativeSelect
        aria-label="Field"
        data={choicesOf(model, paths.includes(row.path) ? paths : [row.path, ...paths])}
        value={row.path}
        onChange={({ currentTarget }) => set({ ...row, path: currentTarget.value })}
      />
      <NativeSelect
        aria-label="Operator"
        data={offered.map((value) => ({ value, label: operators[value].label }))}
        value={row.operator}
        onChange={({ currentTarget }) => set({ ...row, operator: currentTarget.value as OperatorName })}
      />
      {operators[row.operator].hasValue ? (
        <Value model={model} field={field} row={row} set={(value) => set({ ...row, value })} />
      ) : null}
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={`Remove the condition on ${labelOf(model, row.path)}`}
        onClick={remove}
      >
        <icons.remove size={iconSize} />
      </ActionIcon>
    </Group>
  );
}

const yesOrNo = [
  { value: 'true', label: 'yes' },
  { value: 'false', label: 'no' },
];

interface ValueParts {
  readonly model: OwnModel;
  readonly field: Field | undefined;
  readonly row: Condition;
  readonly set: (value: string) => void;
}

function Value({ model, field, row, set }: ValueParts) {
  const { operator, path, value } = row;
  const kind = field === undefined ? 'text' : field.input;
  const choices =
    kind === 'boolean' ? yesOrNo : field?.enum?.map((one) => ({ value: String(one), label: String(one) }));
  if (choices !== undefined && (operator === 'is' || operator === 'not'))
    return (
      <NativeSelect
        aria-label="Value"
        data={[{ value: '', label: '' }, ...choices]}
        value={value}
        onChange={({ currentTarget }) => set(currentTarget.value)}
      />
    );
  if (choices !== undefined && operator === 'in') return <Choices choices={choices} value={value} set={set} />;
  const link = modelOfIds(model, path);
  if (link !== undefined && (operator === 'is' || operator === 'not'))
    return <Picker isBare model={link} label="Value" value={value === '' ? null : value} set={(id) => set(id ?? '')} />;
  if (link !== undefined && operator === 'in') return <Ids link={link} value={value} set={set} />;
  if (kind === 'date' && operator !== 'in')
    return <DateInput aria-label="Value" of={labelOf(model, path)} value={value} set={(next) => set(next ?? '')} />;
  return <TextInput aria-label="Value" value={value} onChange={({ currentTarget }) => set(currentTarget.value)} />;
}

interface ChoicesParts {
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly value: string;
  readonly set: (value: string) => void;
}

/** Several values of those that a field may have. */
const Choices = ({ choices, value, set }: ChoicesParts) => (
  <MultiSelect
    aria-label="Value"
    flex={1}
    data={choices}
    value={valuesIn(value).filter((one) => choices.some((choice) => choice.value === one))}
    onChange={(next) => set(listText(next))}
    {...useSearchedList()}
  />
);

interface IdsParts {
  readonly link: string;
  readonly value: string;
  readonly set: (value: string) => void;
}

/** Several documents: a picker for each, and one that adds another. */
const Ids = ({ link, value, set }: IdsParts) => {
  const ids = idsOf(value);
  return (
    <Stack gap={4}>
      {[...ids, ''].map((id, at) => (
        <Picker
          key={`${at} ${id}`}
          isBare
          model={link}
          label={`Value ${at + 1}`}
          value={id === '' ? null : id}
          set={(next) =>
            set((next === null ? ids.filter((_, other) => other !== at) : ids.toSpliced(at, 1, next)).join(', '))
          }
        />
      ))}
    </Stack>
  );
};
