/** Both versions of a document side by side, after another user has changed it. */
import { Alert, Button, Group, Table } from '@mantine/core';
import { type Document, isSecret, valueAt } from '../api/fields.ts';
import { labelOf } from '../api/labels.ts';
import type { OwnModel } from '../api/models.ts';
import { differing, type Edits } from './edits.ts';
import type { Revision } from './use-document.ts';

interface ConflictParts {
  readonly model: OwnModel;
  readonly paths: readonly string[];
  /** The document as it was when the editing began. */
  readonly before: Document;
  readonly theirs: Revision;
  readonly edits: Edits;
  readonly keepMine: () => void;
  readonly takeTheirs: () => void;
}

const shown = (value: unknown): string =>
  value === undefined || value === null ? '–' : typeof value === 'string' ? value : JSON.stringify(value);

export function Conflict({ model, paths, before, theirs, edits, keepMine, takeTheirs }: ConflictParts) {
  const rows = differing(paths, before, theirs.document, edits);
  return (
    <Alert color="orange" variant="outline" mb="md" role="alert" title="Someone else has changed this document">
      <div className="scrolling" tabIndex={0} role="region" aria-label="Both versions">
        <Table>
          <Table.Thead>
            <Table.Tr>
              {['Field', 'Before', 'Theirs', 'Yours'].map((name) => (
                <Table.Th key={name}>{name}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((path) => (
              <Table.Tr key={path}>
                <Table.Th scope="row">{labelOf(model, path)}</Table.Th>
                {[
                  valueAt(before, path),
                  valueAt(theirs.document, path),
                  edits.has(path) ? edits.get(path) : valueAt(theirs.document, path),
                ].map((value, at) => (
                  <Table.Td key={at} className="anywhere">
                    {isSecret(path) ? '(not shown)' : shown(value)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      <Group mt="sm">
        <Button size="xs" onClick={keepMine}>
          Save mine over theirs
        </Button>
        <Button size="xs" variant="default" onClick={takeTheirs}>
          Take theirs
        </Button>
      </Group>
    </Alert>
  );
}
