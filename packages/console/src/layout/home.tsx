/** The first view: figures, saved views, recent documents, and the models by their groups with the numbers of their documents. */
import { Anchor, Group, Paper, SimpleGrid, Text, Title } from '@mantine/core';
import { Fragment, lazy, Suspense } from 'react';
import { type ModelCount, useCounts } from '../api/counts.ts';
import { groupsOf, iconOf, labelOf, labelOfModel } from '../api/labels.ts';
import { isReadable, type OwnModel, useMe, useModels } from '../api/models.ts';
import { NoModels } from '../home/no-models.tsx';
import { RecentDocuments } from '../home/recent-documents.tsx';
import { SavedViews } from '../home/saved-views.tsx';
import { countText } from '../parts/count.ts';
import { ModelIcon } from '../parts/icons.tsx';
import { useTabTitle } from '../parts/tab-title.ts';
import { hrefOf } from '../route.ts';

const Figures = lazy(() => import('../home/figures/index.tsx'));

/** The model of users, which every server has. */
const users = 'user';

export function Home() {
  useTabTitle('Home');
  const known = useModels().data;
  const isAdmin = useMe().data?.user.admin === true;
  const counts = useCounts();
  const models = [...(known?.values() ?? [])].filter((model) => isReadable(model) && model.hidden !== true);
  return (
    <>
      {known === undefined ? null : (
        <>
          <Suspense fallback={null}>
            <Figures models={known} />
          </Suspense>
          <SavedViews models={known} />
          <RecentDocuments models={known} />
        </>
      )}
      <Title order={1} size="h3" mb="md">
        Models
      </Title>
      {models.some(({ name }) => name !== users) ? null : <NoModels isAdmin={isAdmin} />}
      {groupsOf(models).map(([group, members]) => (
        <Fragment key={group}>
          {group === '' ? null : (
            <Title order={2} size="h4" mt="lg" mb="xs">
              {group}
            </Title>
          )}
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
            {members.map((model) => (
              <Card key={model.name} model={model} count={counts.get(model.name)} />
            ))}
          </SimpleGrid>
        </Fragment>
      ))}
    </>
  );
}

interface CardParts {
  readonly model: OwnModel;
  readonly count: ModelCount | undefined;
}

function Card({ model, count }: CardParts) {
  const { name, fields } = model;
  const paths = Object.keys(fields).filter(
    (path) => !path.startsWith('_') && !path.includes('.') && fields[path]?.hidden !== true,
  );
  return (
    <Paper withBorder p="md">
      <Group gap={6} wrap="nowrap">
        <ModelIcon name={model.name} icon={model.icon} short={iconOf(model)} />
        <Anchor href={hrefOf(['documents', name])} fw={600} className="anywhere">
          {labelOfModel(model)}
        </Anchor>
      </Group>
      {count === undefined ? null : <Text size="sm">{countText(count)}</Text>}
      <Text size="sm" c="dimmed" lineClamp={2}>
        {model.description ?? paths.map((path) => labelOf(model, path)).join(', ')}
      </Text>
    </Paper>
  );
}
