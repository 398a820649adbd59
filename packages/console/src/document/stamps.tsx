/** What the server keeps about a document: its id, owner and times. */
import { Table } from '@mantine/core';
import { type Document, valueAt } from '../api/fields.ts';
import type { OwnModel } from '../api/models.ts';
import { Cell } from '../documents/cell.tsx';
import { isOwn } from './edits.ts';

export function Stamps({ model, document }: { readonly model: OwnModel; readonly document: Document }) {
  const paths = Object.keys(model.fields).filter((path) => !isOwn(path) && valueAt(document, path) !== undefined);
  return (
    <Table mt="xl" maw={720} withRowBorders={false} verticalSpacing={2} aria-label="Kept by the server">
      <Table.Tbody>
        {paths.map((path) => (
          <Table.Tr key={path}>
            <Table.Th scope="row" w={160} fw={400} c="dimmed">
              {path}
            </Table.Th>
            <Table.Td className="cell">
              <Cell document={document} path={path} field={model.fields[path]} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
