/** The filter of a table: a form of conditions, or the filter itself as text. */
import { Button, Group, Modal, SegmentedControl, Stack, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { labelOf, labelOfModel } from '../../api/labels.ts';
import type { OwnModel } from '../../api/models.ts';
import { draftKey, hasDraft } from '../../drafts.ts';
import { useDialogForm } from '../../parts/use-form.tsx';
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
  const draft = draftKey('filter', model.name, state.filterText);
  const [isOpen, { open, close }] = useDisclosure(hasDraft(draft));
  const filter = filterIn(state.filterText);
  const conditions = filter === undefined ? undefined : conditionsOf(filter);
  return (
    <>
      <Button variant="default" size="xs" onClick={open} data-key="filter">
        Filter
      </Button>
      <Chips model={model} text={state.filterText} conditions={conditions} edit={open} />
      <Modal opened={isOpen} onClose={close} title={`Filter ${labelOfModel(model)}`} size="lg">
        <FilterForm {...{ model, draft, conditions }} text={state.filterText} done={close} />
      </Modal>
    </>
  );
}

interface FormParts {
  readonly draft: string;
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

interface FilterValues {
  readonly mode: string;
  readonly rows: readonly Condition[];
  readonly written: string;
}

function FilterForm({ model, draft, text, conditions, done }: FormParts) {
  const form = useDialogForm<FilterValues>(draft, {
    mode: conditions === undefined ? 'text' : 'form',
    rows: conditions ?? [],
    written: shownText(text),
  });
  const { mode, rows, written } = form.values;
  const isForm = mode === 'form';
  const apply = (): void => {
    const unfinished = isForm ? rows.find((row) => isUnfinished(row, model.fields[row.path])) : undefined;
    if (unfinished !== undefined)
      return form.fail(`The condition on ${labelOf(model, unfinished.path)} has no value. Give it one, or remove it.`);
    try {
      const filter = isForm ? filterOf(rows, model.fields) : parsedFilter(written);
      select({ filter: Object.keys(filter).length === 0 ? undefined : JSON.stringify(filter) });
      done();
    } catch (error) {
      form.fail(error instanceof Error ? error.message : String(error));
    }
  };
  const show = (next: string): void => {
    const asText = next === 'text' ? { written: JSON.stringify(filterOf(rows, model.fields), null, 2) } : {};
    const read = next === 'form' ? conditionsOf(filterIn(written) ?? { $or: [] }) : rows;
    if (read === undefined) return form.fail('The form cannot show this filter.');
    form.set({ mode: next, rows: read, ...asText });
  };
  return (
    <Stack>
      {form.notice}
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
        <ConditionRows model={model} rows={rows} setRows={(next) => form.set({ rows: next })} />
      ) : (
        <FilterText value={written} set={(next) => form.set({ written: next })} />
      )}
      {form.alert}
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
