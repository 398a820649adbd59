/** The rows that a query has found: as a table, as JSON, as CSV. */
import { Button, Group, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { download } from '../../parts/download.ts';
import { SimpleTable } from '../../parts/simple-table.tsx';
import { Empty } from '../../parts/states.tsx';
import { csvOf, textOfValue } from './csv.ts';

type Row = Readonly<Record<string, unknown>>;

/** Rows of a table; the JSON has all of them. */
const maxRows = 200;

export function Results({ name, rows }: { readonly name: string; readonly rows: readonly Row[] }) {
  const [shape, setShape] = useState('table');
  if (rows.length === 0) return <Empty>Nothing found.</Empty>;
  const heads = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return (
    <>
      <Group>
        <Text size="sm" role="status">
          {rows.length} {rows.length === 1 ? 'row' : 'rows'}
        </Text>
        <SegmentedControl
          aria-label="Results as"
          size="xs"
          value={shape}
          onChange={setShape}
          data={[
            { value: 'table', label: 'Table' },
            { value: 'json', label: 'JSON' },
          ]}
        />
        <Button size="xs" variant="default" onClick={() => download(`${name}.csv`, 'text/csv', csvOf(heads, rows))}>
          CSV
        </Button>
      </Group>
      {shape === 'json' ? (
        <pre className="code" tabIndex={0} role="region" aria-label="Results">
          {JSON.stringify(rows, null, 2)}
        </pre>
      ) : (
        <SimpleTable
          label="Results"
          heads={heads}
          rows={rows.slice(0, maxRows).map((row) => heads.map((head) => textOfValue(row[head])))}
        />
      )}
    </>
  );
}
