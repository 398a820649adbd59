/** The reference of the models that the caller may see: a list, or one model. */
import { Anchor, Text } from '@mantine/core';
import { groupsOf, labelOfModel } from '../api/labels.ts';
import { type OwnModel, useModels } from '../api/models.ts';
import type { ViewParts } from '../layout/view-parts.ts';
import { PageTitle } from '../parts/page-title.tsx';
import { SimpleTable } from '../parts/simple-table.tsx';
import { EmptyView } from '../parts/states.tsx';
import { hrefOf } from '../route.ts';
import { ModelReference } from './model-reference.tsx';
import { rightsText } from './words.ts';

const title = 'Model reference';

export default function Reference({ path: [name] }: ViewParts) {
  const models = useModels().data ?? new Map<string, OwnModel>();
  if (name === undefined) return <Models models={[...models.values()]} />;
  const model = models.get(name);
  if (model === undefined) return <EmptyView title={title}>There is no model “{name}” for you.</EmptyView>;
  return <ModelReference model={model} models={models} />;
}

function Models({ models }: { readonly models: readonly OwnModel[] }) {
  if (models.length === 0) return <EmptyView title={title}>There is no model on which you have a right.</EmptyView>;
  return (
    <>
      <PageTitle>{title}</PageTitle>
      {groupsOf(models).map(([group, members]) => (
        <SimpleTable
          key={group}
          label={group === '' ? 'Models' : group}
          heads={[group === '' ? 'Models' : group, 'Name', 'Your rights']}
          rows={members.map((model) => [
            <Anchor key="label" size="sm" href={hrefOf(['reference', model.name])}>
              {labelOfModel(model)}
            </Anchor>,
            model.name,
            <Text key="rights" size="sm" className="anywhere">
              {rightsText(model.rights)}
            </Text>,
          ])}
        />
      ))}
    </>
  );
}
