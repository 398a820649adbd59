/** A table of a few rows. */
import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

interface TableParts {
  readonly label: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly ReactNode[])[];
}

export const SimpleTable = ({ label, heads, rows }: TableParts) => (
  <div className="scrolling" tabIndex={0} role="region" aria-label={label}>
    <Table verticalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          {heads.map((head, at) => (head === '' ? <Table.Td key={at} /> : <Table.Th key={at}>{head}</Table.Th>))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((cells, row) => (
          <Table.Tr key={row}>
            {cells.map((cell, at) => (
              <Table.Td key={at} className="cell" dir="auto">
                {cell}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </div>
);
