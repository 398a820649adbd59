/** The documents of other models that link to one. */
import { Anchor, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import type { Id } from '../api/fields.ts';
import { labelOf, labelOfModel } from '../api/labels.ts';
import { isReadable, type OwnModel, useModels } from '../api/models.ts';
import { countText } from '../parts/count.ts';
import { Empty, Loaded } from '../parts/states.tsx';
import { hrefOf } from '../route.ts';

interface Linking {
  readonly model: OwnModel;
  readonly path: string;
}

export function LinksHere({ model, id }: { readonly model: OwnModel; readonly id: Id }) {
  const models = [...(useModels().data?.values() ?? [])].filter(isReadable);
  const linking = models.flatMap((other) =>
    Object.entries(other.fields).flatMap(([path, { link }]) =>
      link === model.name && other.rights.fields[path]?.includes('r') ? [{ model: other, path }] : [],
    ),
  );
  if (linking.length === 0) return <Empty>No model links to {labelOfModel(model)}.</Empty>;
  return (
    <Table maw={720}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Model</Table.Th>
          <Table.Th>Link</Table.Th>
          <Table.Th>Documents</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {linking.map((one) => (
          <Row key={`${one.model.name} ${one.path}`} {...one} id={id} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Row({ model, path, id }: Linking & { readonly id: Id }) {
  const { name } = model;
  const filter = { [path]: id };
  const counted = useQuery({
    queryKey: ['linking', name, path, id],
    queryFn: ({ signal }) => client.model(name).list({ filter, limit: 1, fields: ['_id'], count: 'capped', signal }),
  });
  return (
    <Table.Tr>
      <Table.Td>{labelOfModel(model)}</Table.Td>
      <Table.Td>{labelOf(model, path)}</Table.Td>
      <Table.Td>
        <Loaded of={counted}>
          {(page) => (
            <Anchor size="sm" href={hrefOf(['documents', name], { filter: JSON.stringify(filter) })}>
              {countText(page)}
            </Anchor>
          )}
        </Loaded>
      </Table.Td>
    </Table.Tr>
  );
}
