/** A table of a few rows. On a narrow screen it is a list of values with the names of their columns. */
import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

interface TableParts {
  readonly label: string;
  /** An empty one is that of a column of buttons. */
  readonly heads: readonly string[];
  readonly rows: readonly (readonly ReactNode[])[];
  /** What each row is of, where rows can go: their buttons, one of which may have the focus, are then not those of another row. */
  readonly ids?: readonly string[];
}

/** The roles are written, since a table that is shown as a list is no table to some browsers. */
export const SimpleTable = ({ label, heads, rows, ids }: TableParts) => (
  <div className="scrolling" tabIndex={0} role="region" aria-label={label}>
    <Table verticalSpacing={6} className="listed" role="table">
      <Table.Thead role="rowgroup">
        <Table.Tr role="row">
          {heads.map((head, at) =>
            head === '' ? (
              <Table.Td key={at} role="cell" />
            ) : (
              <Table.Th key={at} role="columnheader">
                {head}
              </Table.Th>
            ),
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody role="rowgroup">
        {rows.map((cells, row) => (
          <Table.Tr key={ids?.[row] ?? row} role="row">
            {cells.map((cell, at) => (
              <Table.Td key={at} className="cell" role="cell" data-head={heads[at] ?? ''}>
                <div className="value" dir="auto">
                  {cell}
                </div>
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </div>
);
