/** What the server keeps about a document: whose it is and when it changed; its id and counters, folded. */
import { Anchor, Table, Text } from '@mantine/core';
import { type Document, valueAt } from '../api/fields.ts';
import { labelOf } from '../api/labels.ts';
import { isReadable, type OwnModel, useModel } from '../api/models.ts';
import { useNames } from '../api/names.ts';
import { Cell } from '../documents/cell.tsx';
import { documentPath, hrefOf } from '../route.ts';
import { isOwn } from './edits.ts';

interface StampsParts {
  readonly model: OwnModel;
  readonly document: Document;
}

/** What people seldom need. */
const folded = new Set(['_id', '__v', '_deleted']);
const ofUsers = new Set(['_owner_id', '_updated_by_id']);

export function Stamps(parts: StampsParts) {
  const { model, document } = parts;
  const paths = Object.keys(model.fields).filter(
    (path) => !isOwn(path) && model.fields[path]?.hidden !== true && valueAt(document, path) !== undefined,
  );
  const [shown, rest] = [paths.filter((path) => !folded.has(path)), paths.filter((path) => folded.has(path))];
  return (
    <>
      {shown.length === 0 ? null : <StampTable {...parts} paths={shown} label="Kept by the server" />}
      {rest.length === 0 ? null : (
        <details className="fold">
          <summary>ID and version</summary>
          <StampTable {...parts} paths={rest} label="ID and version" />
        </details>
      )}
    </>
  );
}

interface TableParts extends StampsParts {
  readonly paths: readonly string[];
  readonly label: string;
}

const StampTable = ({ model, document, paths, label }: TableParts) => (
  <Table mt="md" maw={720} layout="fixed" withRowBorders={false} verticalSpacing={2} aria-label={label}>
    <Table.Tbody>
      {paths.map((path) => (
        <Table.Tr key={path}>
          <Table.Th scope="row" w={160} fw={400} c="dimmed">
            {labelOf(model, path)}
          </Table.Th>
          <Table.Td className="cell">
            {ofUsers.has(path) ? (
              <User id={valueAt(document, path)} />
            ) : (
              <Cell document={document} path={path} field={model.fields[path]} />
            )}
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);

/** A user by name, as far as the caller may read users. */
function User({ id }: { readonly id: unknown }) {
  const given = typeof id === 'string' ? id : null;
  const nameOf = useNames([given]);
  const users = useModel('user');
  if (given === null) return <Text size="sm">an anonymous caller</Text>;
  const name = <bdi>{nameOf(given)}</bdi>;
  if (!isReadable(users)) return <Text size="sm">{name}</Text>;
  return (
    <Anchor size="sm" href={hrefOf(documentPath('user', given))}>
      {name}
    </Anchor>
  );
}
