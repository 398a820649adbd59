/** What each column of a file is for, and whether documents that exist are changed. */
import { NativeSelect, Title } from '@mantine/core';
import { choicesOf, labelOf } from '../api/labels.ts';
import type { OwnModel } from '../api/models.ts';
import { SimpleTable } from '../parts/simple-table.tsx';
import { importPaths, keysIn, type Mapping } from './columns.ts';
import type { Sample } from './sample.ts';
import type { Import } from './use-import.ts';

interface ColumnsParts {
  readonly model: OwnModel;
  readonly sample: Sample;
  readonly state: Pick<Import, 'plan' | 'setMapping' | 'setOn'>;
}

export function Columns({ model, sample: { columns, records }, state: { plan, setMapping, setOn } }: ColumnsParts) {
  const choices = [{ value: '', label: 'leave out' }, ...choicesOf(model, importPaths(model))];
  const keys = keysIn(model, plan.mapping);
  const example = (column: string): string => {
    const found = records.find(({ values }) => (values[column] ?? '') !== '')?.values[column];
    return (typeof found === 'string' ? found : (JSON.stringify(found) ?? '–')).slice(0, maxExample);
  };
  return (
    <>
      <Title order={2} size="h4">
        Columns
      </Title>
      <SimpleTable
        label="Columns"
        heads={['Column', 'First value', 'Field']}
        rows={columns.map((column) => [
          column,
          example(column),
          <NativeSelect
            key={column}
            size="xs"
            aria-label={`Field of ${column}`}
            data={choices}
            value={Object.hasOwn(plan.mapping, column) ? plan.mapping[column] : ''}
            onChange={({ currentTarget: { value } }) => setMapping(changed(plan.mapping, column, value))}
          />,
        ])}
      />
      <NativeSelect
        label="Documents"
        description="Existing documents are found by a unique field that the file has."
        w="fit-content"
        value={plan.on}
        onChange={({ currentTarget }) => setOn(currentTarget.value)}
        data={[
          { value: '', label: 'Create all' },
          ...keys.map((key) => ({
            value: key,
            label: `Create, or change by ${key
              .split(',')
              .map((path) => labelOf(model, path))
              .join(' and ')}`,
          })),
        ]}
      />
    </>
  );
}

const maxExample = 80;

/** A field has one column: another one that had it is left out. */
function changed(mapping: Mapping, column: string, path: string): Mapping {
  const others = Object.entries(mapping).filter(([one, field]) => one !== column && field !== path);
  return Object.fromEntries(path === '' ? others : [...others, [column, path]]);
}
