/** The first view: the models with the numbers of their documents. */
import { Anchor, Paper, SimpleGrid, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { iconOf, labelOf, labelOfModel } from '../api/labels.ts';
import { isReadable, type OwnModel, useModels } from '../api/models.ts';
import { RecentDocuments } from '../home/recent-documents.tsx';
import { countText } from '../parts/count.ts';
import { Empty } from '../parts/states.tsx';
import { hrefOf } from '../route.ts';

export function Home() {
  const known = useModels().data;
  const models = [...(known?.values() ?? [])].filter((model) => isReadable(model) && model.hidden !== true);
  return (
    <>
      {known === undefined ? null : <RecentDocuments models={known} />}
      <Title order={1} size="h3" mb="md">
        Models
      </Title>
      {models.length === 0 ? <Empty>There is no model that you may read.</Empty> : null}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {models.map((model) => (
          <Card key={model.name} model={model} />
        ))}
      </SimpleGrid>
    </>
  );
}

function Card({ model }: { readonly model: OwnModel }) {
  const { name, fields } = model;
  const { data } = useQuery({
    queryKey: ['count', name],
    queryFn: ({ signal }) => client.model(name).list({ limit: 1, fields: ['_id'], count: 'capped', signal }),
  });
  const paths = Object.keys(fields).filter(
    (path) => !path.startsWith('_') && !path.includes('.') && fields[path]?.hidden !== true,
  );
  return (
    <Paper withBorder p="md">
      <Anchor href={hrefOf(['documents', name])} fw={600}>
        {iconOf(model) === undefined ? null : <span aria-hidden>{iconOf(model)} </span>}
        {labelOfModel(model)}
      </Anchor>
      <Text size="sm">{data === undefined ? '…' : countText(data)}</Text>
      <Text size="sm" c="dimmed" lineClamp={2}>
        {model.description ?? paths.map((path) => labelOf(model, path)).join(', ')}
      </Text>
    </Paper>
  );
}
