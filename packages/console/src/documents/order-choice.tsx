/** The order of a table as a choice, where it has no headers to click. */
import { NativeSelect } from '@mantine/core';
import { isSecret } from '../api/fields.ts';
import { labelOf } from '../api/labels.ts';
import type { OwnModel } from '../api/models.ts';
import { type ListState, select } from './list-state.ts';

interface OrderParts {
  readonly model: OwnModel;
  readonly state: Pick<ListState, 'columns' | 'sort'>;
}

export function OrderChoice({ model, state: { columns, sort = '' } }: OrderParts) {
  const given = columns.filter((path) => !isSecret(path)).flatMap((path) => [path, `-${path}`]);
  return (
    <NativeSelect
      size="xs"
      aria-label="Order"
      value={sort}
      onChange={({ currentTarget: { value } }) => select({ sort: value || undefined })}
      data={[
        { value: '', label: 'Order: as created' },
        // an address may have the order of a column that is not shown
        ...[...new Set([...given, sort])].filter(Boolean).map((value) => ({ value, label: orderText(model, value) })),
      ]}
    />
  );
}

const orderText = (model: OwnModel, sort: string): string =>
  sort.startsWith('-') ? `${labelOf(model, sort.slice(1))}, descending` : `${labelOf(model, sort)}, ascending`;
