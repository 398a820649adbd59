/** The filter of a table: a form of conditions, or the filter itself as text. */
import { Alert, Button, Group, Modal, SegmentedControl, Stack, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { labelOf, labelOfModel } from '../../api/labels.ts';
import type { OwnModel } from '../../api/models.ts';
import { type ListState, parsedFilter, select } from '../list-state.ts';
import { Chips } from './chips.tsx';
import { ConditionRows } from './condition-rows.tsx';
import { type Condition, conditionsOf, type Filter, filterOf, isUnfinished } from './conditions.ts';

interface FilterParts {
  readonly model: OwnModel;
  readonly state: ListState;
}

/** The filter of the address, which is not trusted; undefined if it cannot be read. */
function filterIn(text: string): Filter | undefined {
  try {
    return parsedFilter(text);
  } catch {
    return undefined;
  }
}

export function FilterBar({ model, state }: FilterParts) {
  const [isOpen, { open, close }] = useDisclosure();
  const filter = filterIn(state.filterText);
  const conditions = filter === undefined ? undefined : conditionsOf(filter);
  return (
    <>
      <Button variant="default" size="xs" onClick={open} data-key="filter">
        Filter
      </Button>
      <Chips model={model} text={state.filterText} conditions={conditions} edit={open} />
      <Modal opened={isOpen} onClose={close} title={`Filter ${labelOfModel(model)}`} size="lg">
        <FilterForm model={model} text={state.filterText} conditions={conditions} done={close} />
      </Modal>
    </>
  );
}

interface FormParts {
  readonly model: OwnModel;
  readonly text: string;
  /** Undefined for a filter that has no form. */
  readonly conditions: readonly Condition[] | undefined;
  readonly done: () => void;
}

const shownText = (text: string): string => {
  const filter = filterIn(text);
  return filter === undefined ? text : JSON.stringify(filter, null, 2);
};

function FilterForm({ model, text, conditions, done }: FormParts) {
  const [mode, setMode] = useState(conditions === undefined ? 'text' : 'form');
  const [rows, setRows] = useState<readonly Condition[]>(conditions ?? []);
  const [written, setWritten] = useState(shownText(text));
  const [fault, setFault] = useState('');
  const isForm = mode === 'form';
  const apply = (): void => {
    const unfinished = isForm ? rows.find((row) => isUnfinished(row, model.fields[row.path])) : undefined;
    if (unfinished !== undefined)
      return setFault(`The condition on ${labelOf(model, unfinished.path)} has no value. Give it one, or remove it.`);
    try {
      const filter = isForm ? filterOf(rows, model.fields) : parsedFilter(written);
      select({ filter: Object.keys(filter).length === 0 ? undefined : JSON.stringify(filter) });
      done();
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
  };
  const show = (next: string): void => {
    if (next === 'text') setWritten(JSON.stringify(filterOf(rows, model.fields), null, 2));
    const read = next === 'form' ? conditionsOf(filterIn(written) ?? { $or: [] }) : rows;
    if (read === undefined) return setFault('The form cannot show this filter.');
    setFault('');
    setRows(read);
    setMode(next);
  };
  return (
    <Stack>
      <SegmentedControl
        aria-label="Edit as"
        value={mode}
        onChange={show}
        data={[
          { value: 'form', label: 'Form' },
          { value: 'text', label: 'Text' },
        ]}
      />
      {isForm ? (
        <ConditionRows model={model} rows={rows} setRows={setRows} />
      ) : (
        <FilterText value={written} set={setWritten} />
      )}
      {fault === '' ? null : (
        <Alert color="red" variant="outline" role="alert">
          {fault}
        </Alert>
      )}
      <Group justify="flex-end">
        <Button onClick={apply}>Apply</Button>
      </Group>
    </Stack>
  );
}

const FilterText = ({ value, set }: { readonly value: string; readonly set: (text: string) => void }) => (
  <Textarea
    label="Filter"
    description='As in the body of /query: {"year": {"$gte": 2000}}'
    autosize
    minRows={6}
    ff="monospace"
    value={value}
    onChange={({ currentTarget }) => set(currentTarget.value)}
  />
);
